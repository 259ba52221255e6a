package configs

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translators"
)

// withoutLines compares what files say, not where they say it: TestLines and TestUnasked are for
// that.
var withoutLines = cmp.Options{cmpopts.IgnoreFields(Translator{}, "Line"), cmpopts.IgnoreFields(Formulas{}, "Unasked")}

// TestUnasked: random formulas that no file asks for.
func TestUnasked(t *testing.T) {
	for text, want := range map[string]bool{
		"":                          true,
		"[checks]\nwords = 1":       true,
		"formulas.syntax = 'lbt'":   true,
		"formulas.inline = ['a']":   false,
		"[formulas.random]":         false,
		"formulas.patterns=['dac']": false,
	} {
		c, err := Parse("x.toml", []byte(text))
		if err != nil || c.Formulas.Unasked != want {
			t.Errorf("%q: %v, %v", text, c.Formulas.Unasked, err)
		}
	}
	if !Default().Formulas.Unasked {
		t.Error("the default asks for random formulas")
	}
}

// TestLines: each translator knows where its command is.
func TestLines(t *testing.T) {
	c, err := Parse("x.toml", []byte(`# two
[[translators]]
name = "a"
command = "x %f"

[[translators]]
tool = "ltl3ba"
[checks]
words = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	inline := must.Get(Parse("x.toml", []byte("\ntranslators = [{builtin = 'gpvw'},\n {name = 'b', command = 'y %f'}]")))
	var got []int
	for _, x := range append(c.Translators, inline.Translators...) {
		got = append(got, x.Line)
	}
	if want := []int{4, 7, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("lines %v, want %v", got, want)
	}
}

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
				c.Formulas = Formulas{Files: []File{{Path: "dir/a.ltl"}, {Path: "/b/c.ltl"}, {Path: "dir//../d.ltl", Syntax: ltl.Spin}}}
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
				c.Formulas = Formulas{Syntax: ltl.LBT, Files: []File{{Path: "dir/a.ltl", Syntax: ltl.LBT}, {Path: "dir/b.ltl", Syntax: ltl.Wring}}}
			})},
		{"CSV, duplicates, leniently, in any syntax", `
			[formulas]
			allow-dups = true
			lenient = true
			syntax = "auto"
			inline = ["(x < 3) U y"]
			files = ["a.csv/3", "b/-2", {path = "c/1", column = -4, syntax = "lbt"}, "d/+1", "/5"]`,
			with(func(c *Config) {
				c.Formulas = Formulas{Inline: []string{"(x < 3) U y"}, Syntax: ltl.Auto, AllowDups: true, Lenient: true, Files: []File{
					{"dir/a.csv", ltl.Auto, 3}, {"dir/b", ltl.Auto, -2}, {"dir/c/1", ltl.LBT, -4}, {"dir/d/+1", ltl.Auto, 0}, {"/5", ltl.Auto, 0}}}
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
				c.Formulas.Random = &Random{Number: 1000, Seeded: true, RandomOptions: ltl.RandomOptions{
					Seed: 1<<63 - 1, Props: []string{"a", "b c"}, MinSize: 5, MaxSize: 20,
					Weights: map[ltl.Op]int{ltl.OpNext: 0, ltl.OpUntil: 3, ltl.OpImplies: 2, ltl.OpProp: 7, ltl.OpSince: 2},
					Past:    true, WeakFairness: true, Simplify: ltl.LevelRules,
					KeepTrivial: true, KeepDuplicates: true,
				}}
			})},
		{"random, Boolean", "[formulas.random]\nboolean = true\npast = false\nsimplify = 0",
			with(func(c *Config) { c.Formulas.Random.Profile, c.Formulas.Random.Boolean = "", true })},
		{"random, for a time", "[formulas.random]\nfor = \"8h\"",
			with(func(c *Config) { c.Formulas.Random.For, c.Formulas.Random.Number = 8*time.Hour, -1 })},
		{"random, until a time", "[formulas.random]\nuntil = \"06:00\"\nnumber = 10",
			with(func(c *Config) { c.Formulas.Random.Until, c.Formulas.Random.Number = "06:00", 10 })},
		{"random, numbers", "[formulas.random]\npropositions = 2\nsize = 8",
			with(func(c *Config) {
				r := c.Formulas.Random
				r.Profile, r.Props, r.MinSize, r.MaxSize = "", []string{"p0", "p1"}, 8, 8
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
		{"a program without the past and PSL", `
			translators = [{command = "mine %f", without = ["M", "past", "PSL"]}]`,
			with(func(c *Config) {
				c.Translators = []Translator{
					{Name: "mine", Command: "mine %f", Format: "auto", Without: ltl.Ops(ltl.OpStrongRelease) | ltl.PastOps | ltl.PSLOps},
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
					{Name: "owl", Command: "owl ltl2dra -f %f", Format: "hoa", Without: ltl.PastOps | ltl.PSLOps},
					{Name: "xcheck translate", Command: self() + " translate -F -", Format: "hoa", Mode: translators.Stream},
					{Name: "new", Command: "./new -M0 -f %s", Format: "auto", Without: old},
					{Name: "ltl3ba", Command: "ltl3ba -M0 -f %s", Format: "auto", Without: old},
					{Name: "ltl2tgba", Command: "{ltl2tgba} /opt/ltl2tgba-2.12 -D 2>&1 -H -F -", Format: "auto", Without: ltl.PastOps, Mode: translators.Stream},
					{Name: "x", Command: "'/the tools/ltl2tgba' -D -H %f", Format: "hoa", Without: ltl.Ops(ltl.OpNext)},
					{Name: "y", Command: "ltl2tgba --spin -F -", Format: "auto", Mode: translators.Stream},
					{Name: "ltldo", Command: "ltldo -t spin -f %f", Format: "auto", Without: ltl.PastOps | ltl.PSLOps},
				}
			})},
		{"checks, limits, output", `
			[checks]
			all-pairs = true
			words = 0
			exhaustive = 4
			prove = "all"
			properties = false
			reference = "none"
			complement = "ranks"
			no-complement = true
			products = 3
			separate-products = true
			states = 50
			density = 1
			seed = 8
			stop-on-error = true
			fail-on-timeout = true
			ignore-execution-failures = true
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
			case-timeout = 3
			[output]
			json = "out.json"
			quiet = true
			verbose = false
			save-bogus = ">>bad.ltl"
			csv = ">>out.csv"
			strength = true
			ambiguous = true
			automata = true
			omit-missing = true
			csv-more = true
			save-automata = "bad"`,
			with(func(c *Config) {
				c.Checks = Checks{AllPairs: true, Exhaustive: 4, Prove: "all", Complement: "ranks", NoComplement: true, GrindCalls: 300,
					Products: cross.Products{Number: 3, States: 50, Density: 1, Seed: 8}, Separate: true,
					StopOnError: true, Timeouts: TimeoutsError, IgnoreExecutionFailures: true}
				c.Limits = Limits{
					Jobs: 4, Limits: translators.Limits{
						Timeout: 10 * time.Second, MaxOutput: 1024, CPU: 9500 * time.Millisecond, Memory: 2e9,
						AddressSpace: 8 << 30, OpenFiles: 64,
					},
					Check: omega.Limits{ProductStates: 12, Memory: 1 << 30, Time: time.Second / 2, WordSteps: 34},
					Case:  new(3 * time.Second),
				}
				c.Output = Output{Reports: map[string]string{"json": "dir/out.json", "csv": ">>dir/out.csv"}, Quiet: true, SaveBogus: ">>dir/bad.ltl", SaveAutomata: "dir/bad",
					Strength: true, Ambiguous: true, Automata: true, OmitMissing: true, CSVMore: true}
			})},
		{"no checks", "[checks]\nno-checks = true\nfail-on-timeout = false\ndensity = 0.5\n[output]\nsave-bogus = \"/x/y\"",
			with(func(c *Config) {
				c.Checks.NoChecks, c.Checks.Timeouts, c.Checks.Products.Density = true, TimeoutsIgnore, 0.5
				c.Output.SaveBogus = "/x/y"
			})},
		{"p0, p1, … for a translator", `translators = [{command = "mine %f", relabel = true}]`,
			with(func(c *Config) {
				c.Translators = []Translator{{Name: "mine", Command: "mine %f", Format: "auto", Relabel: true}}
			})},
		{"built-in reference", `checks.reference = "builtin"`, with(func(c *Config) {})},
		{"standard output", `output.json = "-"`, with(func(c *Config) { c.Output.Report("json", "-") })},
	}
	for _, test := range tests {
		c, err := Parse("dir/x.toml", []byte(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, c, withoutLines); diff != "" {
			t.Errorf("%s: other than expected (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestValidate(t *testing.T) {
	c := Default()
	if err := validate(c); err != nil {
		t.Errorf("the default is not valid: %v", err)
	}
	c.Translators = []Translator{{Name: "a", Command: "a %q"}, {Name: "a", Builtin: "gpvw"}, {Name: "b"}}
	want := `translators.command: unknown placeholder %q: expected one of %f %s %l %w %F %S %L %W %O %%
translators.name: duplicate name "a": the names of translators must differ
translators: expected a command, a tool or a builtin algorithm`
	if err := validate(c); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	var single *Error
	if err := validate(c); !errors.As(err, &single) || single.Key != "translators.command" {
		t.Errorf("the first error is %v", single)
	}
}

// TestNewFile: a column is one of a file, unless there is a file of that name.
func TestNewFile(t *testing.T) {
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "7"), nil, 0o666))
	for name, want := range map[string]File{
		dir + "/7":        {Path: dir + "/7"},
		dir + "/8":        {Path: dir, Column: 8},
		dir + "/-7":       {Path: dir, Column: -7},
		"nosuch.csv/2":    {Path: "nosuch.csv", Column: 2},
		"-/3":             {Path: "-", Column: 3},
		"-":               {Path: "-"},
		"nosuch.csv/0":    {Path: "nosuch.csv/0"},
		"nosuch.csv/2x":   {Path: "nosuch.csv/2x"},
		"nosuch.csv/":     {Path: "nosuch.csv/"},
		"/2":              {Path: "/2"},
		"nosuch.csv/9e99": {Path: "nosuch.csv/9e99"},
	} {
		if got := NewFile(name, ltl.Spot); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestLoad(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.toml")
	if _, err := Load(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	must.Do(os.WriteFile(name, []byte("formulas.files = ['f']"), 0o666))
	c := must.Get(Load(name))
	if want := filepath.Join(filepath.Dir(name), "f"); c.Formulas.Files[0].Path != want {
		t.Errorf("file is %q, want %q", c.Formulas.Files[0].Path, want)
	}
}

func TestExamples(t *testing.T) {
	quick := must.Get(Load("../examples/quick.toml"))
	want := with(func(c *Config) {
		c.Formulas.Inline = []string{"G(a -> Fb)", "GFa -> GFb", "(a U b) W Xc"}
		c.Formulas.Patterns = []string{"eh", "go-theta 1..3"}
		c.Formulas.Random = &Random{Number: 100, Seeded: true, RandomOptions: ltl.RandomOptions{
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
	if diff := cmp.Diff(want, quick, withoutLines); diff != "" {
		t.Errorf("quick.toml (-want +got):\n%s", diff)
	}

	// The formulas are the same as in the paper: randltl --tree-size=30 30.
	gillard := must.Get(Load("../examples/gillard.toml"))
	if r := gillard.Formulas.Random; r.Number != 100 || r.MinSize != 30 || r.MaxSize != 30 || len(r.Props) != 30 || gillard.Limits.Timeout != time.Minute {
		t.Errorf("gillard.toml: %+v, %+v", r, gillard.Limits)
	}

	spin := must.Get(Load("../examples/spin.toml"))
	want = with(func(c *Config) {
		c.Formulas.Random = &Random{Number: 200, Seeded: true, RandomOptions: ltl.RandomOptions{
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
	if diff := cmp.Diff(want, spin, withoutLines); diff != "" {
		t.Errorf("spin.toml (-want +got):\n%s", diff)
	}
	// As the file says, Spin skips none.
	g := must.Get(ltl.NewGenerator(spin.Formulas.Random.RandomOptions))
	for range spin.Formulas.Random.Number {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		if _, err := s.Unabbreviate(s.Import(f), spin.Translators[2].Without); err != nil {
			t.Errorf("%v: %v", f, err)
		}
	}
	// It says as well what the shorthand stands for.
	c := must.Get(Parse("x.toml", []byte(`translators = [{tool = "spin", timeout = 10}]`)))
	if diff := cmp.Diff(spin.Translators[2], c.Translators[0], withoutLines); diff != "" {
		t.Errorf("tool = \"spin\" (-file +shorthand):\n%s", diff)
	}

	// Each tool of the zoo has a function that builds it, and a row that says its mode.
	zoo := must.Get(Load("../examples/zoo/zoo.toml"))
	script, page := string(must.Get(os.ReadFile("../examples/zoo/build.sh"))), string(must.Get(os.ReadFile("../docs/zoo.md")))
	_, all, _ := strings.Cut(script, "\nall='")
	all, _, _ = strings.Cut(all, "'")
	var names []string
	for _, x := range zoo.Translators {
		names = append(names, x.Name)
		if strings.Fields(x.Command)[0] != x.Name || !strings.Contains(script, "\nbuild_"+x.Name+"() {") {
			t.Errorf("build.sh does not build the command %s of zoo.toml", x.Name)
		}
		if row := regexp.MustCompile("(?m)^\\|.*`" + x.Name + "`.* `" + x.Mode.String() + "` \\|").FindString(page); row == "" {
			t.Errorf("docs/zoo.md has no row for %s, mode %s", x.Name, x.Mode)
		}
	}
	if diff := cmp.Diff(names, strings.Fields(all)); diff != "" {
		t.Errorf("zoo.toml and build.sh (-want +got):\n%s", diff)
	}
}

// ParseUntil is for tests outside of the package.
var ParseUntil = parseUntil
