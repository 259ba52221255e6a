package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

func TestErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // what stands after "x.toml:", line by line
	}{
		{"syntax", "[checks]\nwords = = 3", "2:9: not valid TOML: expected value but found '=' instead"},
		{"doubled key", "[checks]\nwords = 3\nwords = 4", "3:1: not valid TOML: Key 'checks.words' has already been defined."},
		{"value and table", "checks.words = 3\nchecks = {}", "2:1: not valid TOML: Key 'checks' has already been defined."},
		{"array and table", "limits.jobs = 3\n limits = 5", "2:2: not valid TOML: duplicate key"},
		{"unclosed string", "a = \"é\nb = 1", "1:7: not valid TOML: strings cannot contain newlines"},
		{"deep arrays", "# [[\na = ']' # [\nx = " + strings.Repeat("[", 101), "3:105: not valid TOML: arrays, tables or keys nested deeper than 100"},
		{"long key", strings.Repeat("a.", 100) + "a = 1", "1:200: not valid TOML: arrays, tables or keys nested deeper than 100"},
		{"unknown keys", `
check.words = 3
[formulas.randm]
[limits]
timeOut = 3
max_output = 3
colour = "red"
[[translators]]
command = "x %f"
enviroment = {}
"" = 1
`, `
2:1: check: unknown key; did you mean checks?
3:11: formulas.randm: unknown key; did you mean random?
5:1: limits.timeOut: unknown key; did you mean timeout?
6:1: limits.max_output: unknown key; did you mean max-output?
7:1: limits.colour: unknown key: expected one of jobs, timeout, tool-cpu-time, tool-memory, address-space, open-files, max-output, macrostates, product-states, memory, word-steps, check-timeout, case-timeout
10:1: translators.enviroment: unknown key; did you mean env?
11:1: translators."": unknown key: expected one of tool, command, builtin, mode, name, format, syntax, processes, timeout, cpu-time, memory, address-space, open-files, max-output, env, clean-env, reference, without, relabel, options, version-flag`},
		{"checks, files and output", `
[checks]
products = -1
states = 0
density = 1.5
stop-on-error = "yes"
fail-on-timeout = 1
separate-products = true
no-checks = true
no-complement = true
[formulas]
files = [{path = "a", column = 0}, {path = "b", column = "2"}]
lenient = 1
[output]
save-bogus = ">> "
save-automata = ""
save-bogu = "x"
`, `
3:12: checks.products: expected a number from 0 to 10000, found -1
4:10: checks.states: expected a number from 1 to 10000, found 0
5:11: checks.density: expected a number from 0 to 1, such as 0.1
6:17: checks.stop-on-error: expected true or false, found a string
7:19: checks.fail-on-timeout: expected true or false, found a whole number
10:17: checks.no-complement: no-checks already turns off all checks
12:32: formulas.files.column: expected a column 1, 2, …, or -1, -2, … if the first line has the names of columns
12:58: formulas.files.column: expected a whole number, found a string
13:11: formulas.lenient: expected true or false, found a whole number
15:14: output.save-bogus: expected the name of a file
16:17: output.save-automata: expected the name of a file
17:1: output.save-bogu: unknown key; did you mean save-bogus?`},
		{"products that are none", "[checks]\nproducts = 0\nseparate-products = true", "3:21: checks.separate-products: set the number of products, too"},
		{"types", `
checks = 3
[formulas]
inline = ["a", 3, {a = 1}]
files  = "x"
random.seed = "3"
random.size = 1.5
random.propositions = 1979-05-27
random.weights = [1]
random.keep-trivial = 1
[limits]
timeout = [1]
max-output = 1.5
jobs = true
`, `
2:10: checks: expected a table, found a whole number
4:16: formulas.inline: expected a string, found a whole number
4:19: formulas.inline: expected a string, found a table
5:10: formulas.files: expected an array, found a string
6:15: formulas.random.seed: expected a whole number, found a string
7:15: formulas.random.size: expected a number, or a range such as "5..20", found a number with a fraction
8:23: formulas.random.propositions: expected a number or an array of names, found a date or a time
9:18: formulas.random.weights: expected a table, found an array
10:23: formulas.random.keep-trivial: expected true or false, found a whole number
12:11: limits.timeout: expected a duration such as "90s", or a number of seconds, found an array
13:14: limits.max-output: expected a size such as "64MiB", or a number of bytes, found a number with a fraction
14:8: limits.jobs: expected a whole number, found true or false`},
		{"ranges", `
checks.words = -1
[formulas.random]
number = 0
seed = -1
size = 0
[limits]
timeout = 0
check-timeout = "-3s"
max-output = "0"
jobs = 10001
`, `
2:16: checks.words: expected a number from 0 to 1000000, found -1
4:10: formulas.random.number: expected a number from 1 to 1000000000, found 0
5:8: formulas.random.seed: expected a number from 0 to 9223372036854775807, found -1
6:8: formulas.random.size: expected sizes from 1 to 10000
8:11: limits.timeout: expected a positive duration
9:17: limits.check-timeout: expected a positive duration
10:14: limits.max-output: expected at least 1 byte, and less than 9223372036854775807
11:8: limits.jobs: expected a number from 0 to 10000, found 10001`},
		{"sizes, durations", `
formulas.random.size = "9..3"
limits.timeout = "3 weeks"
limits.check-timeout = 1e300
limits.max-output = "64 megs"
`, `
2:24: formulas.random.size: empty range 9..3
3:18: limits.timeout: expected a duration such as 90s or 1m30s, or a number of seconds, found "3 weeks"
4:24: limits.check-timeout: duration too long
5:21: limits.max-output: expected a number of bytes, or a size such as 500kB or 64MiB, found "64 megs"`},
		{"random formulas", `
[formulas.random]
propositions = ["a", "", "a"]
weights = {U = -1, Until = 3}
`, `
3:22: formulas.random.propositions: expected a name
3:26: formulas.random.propositions: duplicate name "a"
4:16: formulas.random.weights.U: expected a number from 0 to 1000000, found -1
4:20: formulas.random.weights.Until: unknown key: expected one of 0, 1, ap, !, &, |, ->, <->, xor, X, F, G, U, R, W, M, Y, Z, O, H, S, T, {}, <>->, []->`},
		{"kinds of random formulas", `
[formulas.random]
simplify = 4
past = 1
weak-fairness = "yes"
booleans = true
`, `
3:12: formulas.random.simplify: expected a number from 0 to 3, found 4
4:8: formulas.random.past: expected true or false, found a whole number
5:17: formulas.random.weak-fairness: expected true or false, found a string
6:1: formulas.random.booleans: unknown key; did you mean boolean?`},
		{"past and Boolean", `
[formulas]
random = {boolean = true, past = true}
`, `3:10: formulas.random: random formulas: Boolean formulas have no past operators`},
		{"fairness without propositions", `
[formulas.random]
weak-fairness = true
propositions = 0
`, `2:11: formulas.random: random formulas: weak fairness conditions need at least one proposition`},
		{"no random formula", `
[formulas.random]
size = 2
weights = {"!" = 0, X = 0, F = 0, G = 0}
`, `2:11: formulas.random: random formulas: the weights allow no formula of size 2..2`},
		{"formulas", `
[formulas]
inline = [
  "a U", 'G(a -> Fb', "a\u00e9b \\ c",
  """
\u0061 \
     & b )""",
  '''
a &
| b''',
]
`, `
4:7: formulas.inline: expected a formula, found the end
4:20: formulas.inline: expected an operator or ')', found the end
4:25: formulas.inline: expected an operator or the end, found "é"
7:10: formulas.inline: expected an operator or the end, found ")"
10:1: formulas.inline: expected a formula, found "|"`},
		{"syntax of formulas", "[formulas]\nsyntax = \"spott\"\ninline = [\"a &\"]",
			"2:10: formulas.syntax: unknown syntax \"spott\"; did you mean spot?\n3:15: formulas.inline: expected a formula, found the end"},
		{"patterns", `
[formulas]
patterns = ["dac", "go-tehta 1..5", "and-gf", "sejk-f 2 1..", "u-left 99999", 3]
`, `
3:21: formulas.patterns: no list or family of formulas named "go-tehta"; did you mean go-theta?
3:44: formulas.patterns: expected a number or a range for n, such as 1..5: and-gf is GF p1 & GF p2 & … & GF pn
3:60: formulas.patterns: expected a number such as 3, or a range such as 1..5, found "1.."
3:76: formulas.patterns: u-left would be of more than 100000 operators and propositions
3:79: formulas.patterns: expected a string, found a whole number`},
		{"files", `
formulas.files = ["", 3, {}, {path = ""}, {pth = "x"}]`, `
2:19: formulas.files: expected the name of a file, or a table with a path
2:23: formulas.files: expected the name of a file, or a table with a path
2:26: formulas.files: expected a path
2:38: formulas.files.path: expected the name of a file
2:43: formulas.files: expected a path
2:44: formulas.files.pth: unknown key; did you mean path?`},
		{"no array", "[translators]\ncommand = 'x %f'",
			"1:2: translators: expected an array of tables, found a table; did you mean [[translators]]?"},
		{"no tables", `translators = [1, "spin"]`, `
1:16: translators: expected a table, found a whole number
1:19: translators: expected a table, found a string`},
		{"commands", `
[[translators]]
command = "é %f %x"
[[translators]]
command = "\"%f\" \\ %"
name = "quoted"
[[translators]]
command = "spun -f"
[[translators]]
command = '{a b'
[[translators]]
[[translators]]
command = "x %f"
builtin = "gpvw"
[[translators]]
command = ""
name = "empty"
`, `
3:17: translators.command: unknown placeholder %x: expected one of %f %s %l %w %F %S %L %W %O %%
5:22: translators.command: '%' at the end: write %% for a percent sign
8:19: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, --stream, or mode = "stream" or "batch" in a configuration
10:12: translators.command: the name's '{' is not closed
11:3: translators: expected a command, a tool or a builtin algorithm
14:11: translators.builtin: a builtin algorithm takes no command or tool
15:3: translators: expected a command, a tool or a builtin algorithm`},
		{"names", `
[[translators]]
command = "ltl2tgba -H %f"
[[translators]]
command = "ltl2tgba -D %f"
[[translators]]
name = "ltl2tgba"
builtin = "gpvw"
[[translators]]
name = " "
builtin = "gpvw"
[[translators]]
name = "a\nb"
builtin = "gpvw"
`, `
4:3: translators.name: duplicate name "ltl2tgba": the names of translators must differ
7:8: translators.name: duplicate name "ltl2tgba": the names of translators must differ
10:8: translators.name: expected a name, without newlines or other control characters
13:8: translators.name: expected a name, without newlines or other control characters`},
		{"translators", `
[[translators]]
tool = "spni"
[[translators]]
builtin = "gpwv"
format = "HOA"
without = ["X", "V", 3]
env = {A = 1, "B=C" = "x"}
timeout = "soon"
`, `
3:8: translators.tool: unknown tool "spni"; did you mean spin?
5:11: translators.builtin: unknown algorithm; did you mean gpvw?
6:10: translators.format: unknown format "HOA"; did you mean hoa?
7:17: translators.without: unknown operator "V": expected one of 0, 1, !, &, |, ->, <->, xor, X, F, G, U, R, W, M, Y, Z, O, H, S, T, {}, <>->, []->, past, PSL
7:22: translators.without: expected a string, found a whole number
8:12: translators.env.A: expected a string, found a whole number
8:15: translators.env."B=C": not a valid environment variable
9:11: translators.timeout: expected a duration such as 90s or 1m30s, or a number of seconds, found "soon"`},
		{"periods", `
[formulas.random]
for = -1
until = "6 am"
`, `
3:7: formulas.random.for: expected a positive duration
4:9: formulas.random.until: expected a time such as 06:00, or a date and time such as 2026-11-23T06:00, found "6 am"`},
		{"two periods", `
[formulas.random]
for = "8h"
until = "06:00"
`, `
4:1: formulas.random.until: only one of for and until can be given`},
		{"modes", `
[[translators]]
command = "mine %f"
mode = "stream"
[[translators]]
command = "mine2 > %O"
mode = "batch"
processes = 2
[[translators]]
command = "mine3 %s"
syntax = "lbt"
mode = "sporn"
[[translators]]
command = "mine4 %f"
processes = 0
open-files = 2
memory = "0"
cpu-time = -1
clean-env = 1
[[translators]]
builtin = "gpvw"
mode = "batch"
processes = 2
syntax = "spin"
`, `
3:17: translators.command: stream mode writes formulas to standard input: remove %f, or use spawn mode
8:13: translators.processes: only translators with mode = "stream" are kept alive
11:10: translators.syntax: the placeholder of the command already selects spin syntax: remove syntax (it is for formulas on standard input)
12:8: translators.mode: unknown mode "sporn": expected one of spawn, stream, batch
15:13: translators.processes: expected a number from 1 to 10000, found 0
16:14: translators.open-files: expected at least 8, found 2
17:10: translators.memory: expected at least 1 byte, and less than 9223372036854775807
18:12: translators.cpu-time: expected a positive duration
19:13: translators.clean-env: expected true or false, found a whole number
23:13: translators.processes: only translators with mode = "stream" are kept alive
24:10: translators.syntax: a builtin algorithm reads formulas only in Spot's syntax`},
		{"shorthands", `
[[translators]]
tool = "spin"
mode = "stream"
[[translators]]
tool = "owl ltl2dpa"
mode = "stream"
[[translators]]
tool = "ltl2dstar"
[[translators]]
command = "ltldo"
[[translators]]
command = "ltl2tgba -D | autfilt"
name = "pipe"
[[translators]]
command = "unknown -D"
[[translators]]
command = "ltl2ba -x"
mode = "batch"
[[translators]]
tool = "ltl2dpa"
command = "./mine %x"
`, `
4:8: translators.mode: spin has no mode stream: expected spawn
7:8: translators.mode: owl ltl2dpa has no mode stream: expected spawn
9:8: translators.tool: ltl2dstar needs arguments: set the command, as in "ltl2dstar --ltl2nba=spin:ltl2ba"
11:11: translators.command: ltldo needs arguments: set the command, as in "ltldo ltl3ba"
13:33: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, --stream, or mode = "stream" or "batch" in a configuration
16:22: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, --stream, or mode = "stream" or "batch" in a configuration
22:19: translators.command: unknown placeholder %x: expected one of %f %s %l %w %F %S %L %W %O %%`},
		{"options", `
[[translators]]
command = "./mine %f"
options = ["-B|-D", "--low||--high", "", " -x a={0,1", "-x b=0,1}|-C", "-x {a{b,c}}", "-a; rm x", "-x 'a", 3]
[[translators]]
tool = "spin"
options = "all"
[[translators]]
tool = "ltl2ba"
options = "most"
[[translators]]
builtin = "couvreur"
options = ["-B"]
[[translators]]
name = "other"
tool = "ltl2ba"
options = true
`, `
4:28: translators.options: expected an option
4:39: translators.options: expected an option
4:49: translators.options: expected '}' after '{', before the next '{', '|' or the end
4:65: translators.options: expected '{' before '}'
4:76: translators.options: expected '}' after '{', before the next '{', '|' or the end
4:88: translators.options: expected words of a command line: "-a; rm x" has an operator of the shell, a line break or an open quote
4:100: translators.options: expected words of a command line: "-x 'a" has an operator of the shell, a line break or an open quote
4:108: translators.options: expected a string, found a whole number
7:11: translators.options: no options are known for spin: expected an array of groups such as "-B|-D", or one of the tools ltl2tgba, ltl2ba, ltl3ba
10:11: translators.options: expected "all" or an array of groups such as "-B|-D", found "most"
13:11: translators.options: a builtin algorithm has no options
17:11: translators.options: expected an array, found true or false`},
		{"output", "[output]\njson = ''\nquiet = true\nverbose = true", `
2:8: output.json: expected the name of a file
4:11: output.verbose: use only one of quiet and verbose`},
	}
	for _, test := range tests {
		_, err := Parse("x.toml", []byte(test.text))
		var list Errors
		if !errors.As(err, &list) {
			t.Errorf("%s: error is %v", test.name, err)
			continue
		}
		got := strings.ReplaceAll("\n"+err.Error(), "\nx.toml:", "\n")
		if diff := cmp.Diff(strings.TrimSpace(test.want), strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s: other errors than expected (-want +got):\n%s\n%s", test.name, diff, got)
		}
	}
}

// TestLoadLarge: a file that is too large is not parsed.
func TestLoadLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large.toml")
	must.Do(os.WriteFile(name, []byte(strings.Repeat("# much\n", maxFile/7+1)), 0o666))
	if _, err := Load(name); err == nil || err.Error() != name+": the configuration is larger than the limit of 4194304 bytes" {
		t.Errorf("got %v", err)
	}
}
