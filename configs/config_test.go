package configs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// with returns the default changed by f.
func with(f func(c *Config)) *Config {
	c := Default()
	f(c)
	return c
}

func TestParse(t *testing.T) {
	hour := func(n float64) time.Duration { return time.Duration(n * float64(time.Hour)) }
	tests := []struct {
		name, text string
		want       *Config
	}{
		{"empty", "", Default()},
		{"byte order mark, comments, CRLF", "\ufeff# nothing\r\n[checks] # here\r\nwords = 3\r\n",
			with(func(c *Config) { c.Checks.Words = 3 })},
		{"inline formulas replace the random ones", `
			formulas.inline = [
				"G(p0 -> Fp1)", # request, response
				'"a b" U c',
			]`,
			with(func(c *Config) {
				c.Formulas = Formulas{Inline: []string{"G(p0 -> Fp1)", `"a b" U c`}}
			})},
		{"unless those are there as well", `
			[formulas]
			inline = ["& a b"]
			syntax = "lbt"
			[formulas.random]
			`,
			with(func(c *Config) { c.Formulas.Inline, c.Formulas.Syntax = []string{"& a b"}, ltl.LBT })},
		{"patterns replace the random formulas", `formulas.patterns = ["dac", "go-theta 1..5"]`,
			with(func(c *Config) { c.Formulas = Formulas{Patterns: []string{"dac", "go-theta 1..5"}} })},
		{"syntax alone", `formulas.syntax = "wring"`,
			with(func(c *Config) { c.Formulas.Syntax = ltl.Wring })},
		{"files, short", `formulas.files = ["a.ltl", "/b/c.ltl", {path = "../d.ltl", syntax = "spin"}]`,
			with(func(c *Config) {
				c.Formulas = Formulas{Files: []File{{"dir/a.ltl", ltl.Spot}, {"/b/c.ltl", ltl.Spot}, {"d.ltl", ltl.Spin}}}
			})},
		{"files, long", `
			[formulas]
			syntax = "lbt"
			[[formulas.files]]
			path = "a.ltl"
			[[formulas.files]]
			path = "b.ltl"
			syntax = "wring"`,
			with(func(c *Config) {
				c.Formulas = Formulas{Syntax: ltl.LBT, Files: []File{{"dir/a.ltl", ltl.LBT}, {"dir/b.ltl", ltl.Wring}}}
			})},
		{"random", `
			[formulas.random]
			number = 1_000
			seed = 9223372036854775807
			propositions = ["a", "b c"]
			size = "5..20"
			weights = {X = 0, U = 3, "->" = 2, ap = 7, S = 2}
			past = true
			weak-fairness = true
			simplify = 2
			keep-trivial = true
			keep-duplicates = true`,
			with(func(c *Config) {
				c.Formulas.Random = &Random{1000, ltl.RandomOptions{
					Seed: 1<<63 - 1, Props: []string{"a", "b c"}, MinSize: 5, MaxSize: 20,
					Weights: map[ltl.Op]int{ltl.OpNext: 0, ltl.OpUntil: 3, ltl.OpImplies: 2, ltl.OpProp: 7, ltl.OpSince: 2},
					Past:    true, WeakFairness: true, Simplify: ltl.LevelRules,
					KeepTrivial: true, KeepDuplicates: true,
				}}
			})},
		{"random, Boolean", "[formulas.random]\nboolean = true\npast = false\nsimplify = 0",
			with(func(c *Config) { c.Formulas.Random.Boolean = true })},
		{"random, numbers", "[formulas.random]\npropositions = 2\nsize = 8",
			with(func(c *Config) {
				r := c.Formulas.Random
				r.Props, r.MinSize, r.MaxSize = []string{"p0", "p1"}, 8, 8
			})},
		{"translators", `
			[[translators]]
			builtin = "gpvw"
			reference = true
			[[translators]]
			command = "{mine} /opt/tool %f > %O"
			[[translators]]
			command = "/usr/bin/ltl2tgba -D %f"
			[[translators]]
			name = "ltl2tgba, small"
			command = '''
			ltl2tgba --small -H \
			  %f'''
			format = "hoa"
			timeout = 1.5
			max-output = "2kB"
			without = ["X", "<->", "1"]
			[translators.env]
			"SPOT HOARD" = "a=b"
			HOME = ""`,
			with(func(c *Config) {
				c.Translators = []Translator{
					{Name: "gpvw", Builtin: "gpvw", Mode: translators.Stream, Format: "auto", Reference: true},
					{Name: "mine", Command: "{mine} /opt/tool %f > %O", Format: "auto"},
					{Name: "ltl2tgba", Command: "/usr/bin/ltl2tgba -D %f", Format: "auto"},
					{
						Name: "ltl2tgba, small", Command: "\t\t\tltl2tgba --small -H \\\n\t\t\t  %f",
						Format: "hoa", Limits: translators.Limits{Timeout: 1500 * time.Millisecond, MaxOutput: 2000},
						Without: ltl.Ops(ltl.OpNext, ltl.OpEquiv, ltl.OpTrue),
						Env:     map[string]string{"SPOT HOARD": "a=b", "HOME": ""},
					},
				}
			})},
		{"tools", `
			translators = [
				{tool = "spin"},
				{tool = "spin", name = "my spin", command = "./spin -f %s", without = ["xor"], timeout = "2h45m", format = "auto"},
				{tool = "ltl2tgba", without = []},
			]`,
			with(func(c *Config) {
				c.Translators = []Translator{
					{Name: "spin", Command: "spin -f %s", Format: "never",
						Without: ltl.Ops(ltl.OpNext, ltl.OpWeakUntil, ltl.OpStrongRelease, ltl.OpXor)},
					{Name: "my spin", Command: "./spin -f %s", Format: "auto",
						Without: ltl.Ops(ltl.OpXor), Limits: translators.Limits{Timeout: hour(2.75)}},
					{Name: "ltl2tgba", Command: "ltl2tgba -H -F -", Format: "hoa", Mode: translators.Stream},
				}
			})},
		{"a tool without the past", `
			translators = [{tool = "ltl2tgba"}, {command = "mine %f", without = ["Y", "Z", "T"]}]`,
			with(func(c *Config) {
				c.Translators = []Translator{
					{Name: "ltl2tgba", Command: "ltl2tgba -H -F -", Format: "hoa", Without: ltl.PastOps, Mode: translators.Stream},
					{Name: "mine", Command: "mine %f", Format: "auto", Without: ltl.Ops(ltl.OpYesterday, ltl.OpWeakYesterday, ltl.OpTriggered)},
				}
			})},
		{"modes and limits", `
			[[translators]]
			command = "mine --all"
			mode = "stream"
			syntax = "lbt"
			processes = 3
			clean-env = true
			format = "lbtt"
			cpu-time = 1.5
			memory = "1GiB"
			address-space = "2GiB"
			open-files = 20
			[[translators]]
			command = "{b} mine %[MW]L"
			mode = "batch"
			syntax = "lbt"
			format = "dstar"
			[[translators]]
			builtin = "couvreur"
			mode = "stream"`,
			with(func(c *Config) {
				c.Translators = []Translator{
					{
						Name: "mine", Command: "mine --all", Mode: translators.Stream, Syntax: ltl.LBT, Processes: 3, CleanEnv: true, Format: "lbtt",
						Limits: translators.Limits{CPU: 1500 * time.Millisecond, Memory: 1 << 30, AddressSpace: 2 << 30, OpenFiles: 20},
					},
					{Name: "b", Command: "{b} mine %[MW]L", Mode: translators.Batch, Syntax: ltl.LBT, Format: "dstar"},
					{Name: "couvreur", Builtin: "couvreur", Mode: translators.Stream, Format: "auto"},
				}
			})},
		{"shorthands", `
			translators = [
				{tool = "ltl2tgba", mode = "spawn", name = "spawned"},
				{tool = "owl ltl2dra", name = "owl"},
				{tool = "xcheck translate"},
				{tool = "ltl3ba", command = "./new -M0", name = "new"},
				{command = "ltl3ba -M0"},
				{command = "{ltl2tgba} /opt/ltl2tgba-2.12 -D 2>&1"},
				{command = "'/the tools/ltl2tgba' -D", mode = "spawn", format = "hoa", without = ["X"], name = "x"},
				{command = "ltl2tgba --spin -F -", mode = "stream", name = "y"},
				{tool = "ltldo", command = "ltldo -t spin"},
			]`,
			with(func(c *Config) {
				old := ltl.Ops(ltl.OpWeakUntil, ltl.OpStrongRelease, ltl.OpXor)
				c.Translators = []Translator{
					{Name: "spawned", Command: "ltl2tgba -H %f", Format: "hoa", Without: ltl.PastOps},
					{Name: "owl", Command: "owl ltl2dra", Format: "hoa", Without: ltl.PastOps, Mode: translators.Batch},
					{Name: "xcheck translate", Command: Self() + " translate -F -", Format: "hoa", Mode: translators.Stream},
					{Name: "new", Command: "./new -M0 -f %s", Format: "auto", Without: old},
					{Name: "ltl3ba", Command: "ltl3ba -M0 -f %s", Format: "auto", Without: old},
					{Name: "ltl2tgba", Command: "{ltl2tgba} /opt/ltl2tgba-2.12 -D 2>&1 -H -F -", Format: "auto", Without: ltl.PastOps, Mode: translators.Stream},
					{Name: "x", Command: "'/the tools/ltl2tgba' -D -H %f", Format: "hoa", Without: ltl.Ops(ltl.OpNext)},
					{Name: "y", Command: "ltl2tgba --spin -F -", Format: "auto", Mode: translators.Stream},
					{Name: "ltldo", Command: "ltldo -t spin -F -", Format: "auto", Without: ltl.PastOps, Mode: translators.Batch},
				}
			})},
		{"checks, limits, output", `
			[checks]
			all-pairs = true
			words = 0
			properties = false
			reference = "none"
			complement = "ranks"
			emptiness = "gv"
			[limits]
			jobs = 4
			timeout = 10
			max-output = 1024
			tool-cpu-time = "9.5s"
			tool-memory = "2GB"
			address-space = "8GiB"
			open-files = 64
			macrostates = 0
			product-states = 12
			memory = "1GiB"
			word-steps = 34
			check-timeout = "500ms"
			[output]
			json = "out.json"
			quiet = true
			verbose = false`,
			with(func(c *Config) {
				c.Checks = Checks{AllPairs: true, Complement: complement.ByRanks, Emptiness: emptiness.ByGV}
				c.Limits = Limits{
					Jobs: 4, Limits: translators.Limits{
						Timeout: 10 * time.Second, MaxOutput: 1024, CPU: 9500 * time.Millisecond, Memory: 2e9,
						AddressSpace: 8 << 30, OpenFiles: 64,
					},
					Check: productcheck.Limits{ProductStates: 12, Memory: 1 << 30, Time: time.Second / 2, WordSteps: 34},
				}
				c.Output = Output{JSON: "dir/out.json", Quiet: true}
			})},
		{"built-in reference", `checks.reference = "builtin"`, with(func(c *Config) {})},
		{"standard output", `output.json = "-"`, with(func(c *Config) { c.Output.JSON = "-" })},
	}
	for _, test := range tests {
		c, err := Parse("dir/x.toml", []byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, c); diff != "" {
			t.Errorf("%s: other than expected (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // what stands after "x.toml:", line by line
	}{
		{"syntax", "[checks]\nwords = = 3", "2:9: no TOML: expected value but found '=' instead"},
		{"doubled key", "[checks]\nwords = 3\nwords = 4", "3:1: no TOML: Key 'checks.words' has already been defined."},
		{"value and table", "checks.words = 3\nchecks = {}", "2:1: no TOML: Key 'checks' has already been defined."},
		{"array and table", "limits.jobs = 3\n limits = 5", "2:2: no TOML: the key has been defined before"},
		{"unclosed string", "a = \"é\nb = 1", "1:7: no TOML: strings cannot contain newlines"},
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
7:1: limits.colour: unknown key: expected one of jobs, timeout, tool-cpu-time, tool-memory, address-space, open-files, max-output, macrostates, product-states, memory, word-steps, check-timeout
10:1: translators.enviroment: unknown key; did you mean env?
11:1: translators."": unknown key: expected one of tool, command, builtin, mode, name, format, syntax, processes, timeout, cpu-time, memory, address-space, open-files, max-output, env, clean-env, reference, without`},
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
2:24: formulas.random.size: the range 9..3 is empty
3:18: limits.timeout: "3 weeks" is no duration: expected one such as 90s or 1m30s, or a number of seconds
4:24: limits.check-timeout: the duration is too long
5:21: limits.max-output: "64 megs" is no size: expected a number of bytes, or one such as 500kB or 64MiB`},
		{"random formulas", `
[formulas.random]
propositions = ["a", "", "a"]
weights = {U = -1, Until = 3}
`, `
3:22: formulas.random.propositions: expected a name
3:26: formulas.random.propositions: "a" is there already
4:16: formulas.random.weights.U: expected a number from 0 to 1000000, found -1
4:20: formulas.random.weights.Until: unknown key: expected one of 0, 1, ap, !, &, |, ->, <->, xor, X, F, G, U, R, W, M, Y, Z, O, H, S, T`},
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
`, `3:10: formulas.random: random formulas: Boolean formulas have no operators of the past`},
		{"fairness without propositions", `
[formulas.random]
weak-fairness = true
propositions = 0
`, `2:11: formulas.random: random formulas: there are no propositions for conditions of weak fairness`},
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
3:21: formulas.patterns: there is no list or family of formulas named "go-tehta"; did you mean go-theta?
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
3:17: translators.command: unknown placeholder %x: there are %f %s %l %w %F %S %L %W %O and %%
5:22: translators.command: '%' at the end: write %% for a percent sign
8:19: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, mode = "stream" or "batch" in a configuration
10:12: translators.command: the name's '{' is not closed
11:3: translators: expected a command, a tool or a builtin algorithm
14:11: translators.builtin: a builtin algorithm can't have a command or a tool
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
4:3: translators.name: another translator is named "ltl2tgba" as well; names must differ
7:8: translators.name: another translator is named "ltl2tgba" as well; names must differ
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
7:17: translators.without: unknown operator "V": expected one of 0, 1, !, &, |, ->, <->, xor, X, F, G, U, R, W, M, Y, Z, O, H, S, T
7:22: translators.without: expected a string, found a whole number
8:12: translators.env.A: expected a string, found a whole number
8:15: translators.env."B=C": no environment variable can have this name or value
9:11: translators.timeout: "soon" is no duration: expected one such as 90s or 1m30s, or a number of seconds`},
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
3:17: translators.command: in stream mode formulas are on standard input: leave %f out, or use spawn mode
6:20: translators.command: in batch mode automata are read from standard output: leave the output file out, or use spawn mode
8:13: translators.processes: only translators with mode = "stream" are kept alive
11:10: translators.syntax: the command asks for spin's syntax: syntax is for formulas on standard input, in the modes stream and batch
12:8: translators.mode: unknown mode "sporn": expected one of spawn, stream, batch
15:13: translators.processes: expected a number from 1 to 10000, found 0
16:14: translators.open-files: expected a number from 8 to 2147483647, found 2
17:10: translators.memory: expected at least 1 byte, and less than 9223372036854775807
18:12: translators.cpu-time: expected a positive duration
19:13: translators.clean-env: expected true or false, found a whole number
23:13: translators.processes: only translators with mode = "stream" are kept alive
24:10: translators.syntax: a builtin algorithm is given formulas in Spot's syntax`},
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
7:8: translators.mode: owl ltl2dpa has no mode stream: expected spawn or batch
9:8: translators.tool: ltl2dstar needs arguments: set the command, as in "ltl2dstar --ltl2nba=spin:ltl2ba"
11:11: translators.command: ltldo needs arguments: set the command, as in "ltldo ltl3ba"
13:33: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, mode = "stream" or "batch" in a configuration
16:22: translators.command: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, mode = "stream" or "batch" in a configuration
22:19: translators.command: unknown placeholder %x: there are %f %s %l %w %F %S %L %W %O and %%`},
		{"output", "[output]\njson = ''\nquiet = true\nverbose = true", `
2:8: output.json: expected the name of a file
4:11: output.verbose: quiet and verbose exclude each other`},
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

func TestValidate(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Errorf("the default is not valid: %v", err)
	}
	c.Translators = []Translator{{Name: "a", Command: "a %q"}, {Name: "a", Builtin: "gpvw"}, {Name: "b"}}
	want := `translators.command: unknown placeholder %q: there are %f %s %l %w %F %S %L %W %O and %%
translators.name: another translator is named "a" as well; names must differ
translators: expected a command, a tool or a builtin algorithm`
	if err := c.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	var single *Error
	if err := c.Validate(); !errors.As(err, &single) || single.Key != "translators.command" {
		t.Errorf("the first error is %v", single)
	}
}

func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.toml")
	if _, err := Load(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(name, []byte("formulas.files = ['f']"), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(filepath.Dir(name), "f"); c.Formulas.Files[0].Path != want {
		t.Errorf("file is %q, want %q", c.Formulas.Files[0].Path, want)
	}
}

// TestFound finds a tool in a folder of its own.
func TestFound(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if found := Found(); len(found) != 0 {
		t.Errorf("found %v", found)
	}
	if err := os.WriteFile(filepath.Join(dir, "ltl3ba"), []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if found := Found(); len(found) != 1 || found[0].Name != "ltl3ba" {
		t.Errorf("found %v", found)
	}
}

func TestExamples(t *testing.T) {
	quick, err := Load("../examples/quick.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := with(func(c *Config) {
		c.Formulas.Inline = []string{"G(a -> Fb)", "GFa -> GFb", "(a U b) W Xc"}
		c.Formulas.Patterns = []string{"eh", "go-theta 1..3"}
		c.Formulas.Random = &Random{100, ltl.RandomOptions{
			Seed: 1, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 12,
			Weights: map[ltl.Op]int{ltl.OpNext: 2, ltl.OpXor: 0},
		}}
		c.Translators = []Translator{
			{Name: "gastin-oddoux", Builtin: "gastin-oddoux", Mode: translators.Stream, Format: "auto"},
			{Name: "tableau", Builtin: "gpvw", Mode: translators.Stream, Format: "auto", Limits: translators.Limits{Timeout: 30 * time.Second}},
		}
		c.Checks.Words = 50
		c.Limits.Timeout, c.Limits.MaxOutput, c.Limits.Check.Time = time.Minute, 16<<20, 20*time.Second
	})
	if diff := cmp.Diff(want, quick); diff != "" {
		t.Errorf("quick.toml (-want +got):\n%s", diff)
	}

	// The formulas are those of the paper: randltl --tree-size=30 30.
	gillard, err := Load("../examples/gillard.toml")
	if err != nil {
		t.Fatal(err)
	}
	if r := gillard.Formulas.Random; r.Number != 100 || r.MinSize != 30 || r.MaxSize != 30 || len(r.Props) != 30 || gillard.Limits.Timeout != time.Minute {
		t.Errorf("gillard.toml: %+v, %+v", r, gillard.Limits)
	}

	spin, err := Load("../examples/spin.toml")
	if err != nil {
		t.Fatal(err)
	}
	want = with(func(c *Config) {
		c.Formulas.Random = &Random{200, ltl.RandomOptions{
			Seed: 1, Props: []string{"p0", "p1", "p2"}, MinSize: 1, MaxSize: 10,
			Weights: map[ltl.Op]int{ltl.OpNext: 0, ltl.OpXor: 0, ltl.OpEquiv: 0},
		}}
		c.Translators = []Translator{
			{Name: "gastin-oddoux", Builtin: "gastin-oddoux", Mode: translators.Stream, Format: "auto"},
			{Name: "gpvw", Builtin: "gpvw", Mode: translators.Stream, Format: "auto"},
			{
				Name: "spin", Command: "spin -f %s", Format: "never", Limits: translators.Limits{Timeout: 10 * time.Second},
				Without: ltl.Ops(ltl.OpNext, ltl.OpWeakUntil, ltl.OpStrongRelease, ltl.OpXor),
			},
		}
	})
	if diff := cmp.Diff(want, spin); diff != "" {
		t.Errorf("spin.toml (-want +got):\n%s", diff)
	}
	// As the file says, Spin skips none.
	g, err := ltl.NewGenerator(spin.Formulas.Random.RandomOptions)
	if err != nil {
		t.Fatal(err)
	}
	for range spin.Formulas.Random.Number {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		if _, err := s.Unabbreviate(s.Import(f), spin.Translators[2].Without); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
	// It says as well what the shorthand stands for.
	c, err := Parse("x.toml", []byte(`translators = [{tool = "spin", timeout = 10}]`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(spin.Translators[2], c.Translators[0]); diff != "" {
		t.Errorf("tool = \"spin\" (-file +shorthand):\n%s", diff)
	}
}
