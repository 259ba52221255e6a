package translators_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestParseCommand(t *testing.T) {
	const spawn, stream, batch = translators.Spawn, translators.Stream, translators.Batch
	for _, c := range []struct {
		in        string
		mode      translators.Mode
		name, err string
	}{
		{"ltl2tgba -H %f", spawn, "ltl2tgba -H %f", ""},
		{" {my tool} ltl2ba -f %s > %O", spawn, "my tool", ""},
		{"{a{b}c} x %L", spawn, "a{b}c", ""},
		{"x %%%f", spawn, "x %%%f", ""},
		{"x %[]f %[MWRe]l", spawn, "x %[]f %[MWRe]l", ""},
		{"x %[i^FG]W %D%H%N%T", spawn, "x %[i^FG]W %D%H%N%T", ""},
		{"ltl2tgba -F -", stream, "ltl2tgba -F -", ""},
		{"{x} 100%%", stream, "x", ""},
		{"ltl2tgba -F -", batch, "ltl2tgba -F -", ""},
		{"x %L -%[M]L %s >%T", batch, "x %L -%[M]L %s >%T", ""},
		{"", spawn, "", `command "": at 1: expected a command`},
		{"", stream, "", `command "": at 1: expected a command`},
		{"{x}", batch, "", `command "{x}": at 4: expected a command`},
		{"{x ltl2ba %f", spawn, "", `command "{x ltl2ba %f": at 1: the name's '{' is not closed`},
		{"ltl2ba", spawn, "", `command "ltl2ba": at 7: expected one of %f %s %l %w %F %S %L %W, where the formula goes; or, for a tool that reads standard input, --stream, or mode = "stream" or "batch" in a configuration`},
		{"ltl2ba %f > %x", spawn, "", `command "ltl2ba %f > %x": at 13: unknown placeholder %x: expected one of %f %s %l %w %F %S %L %W %O %%`},
		{"ltl2ba %ü", spawn, "", `command "ltl2ba %ü": at 8: unknown placeholder %ü: expected one of %f %s %l %w %F %S %L %W %O %%`},
		{"ltl2ba\x00 %f", spawn, "", `command "ltl2ba\x00 %f": at 7: a NUL character`},
		{"ltl2ba %f %", spawn, "", `command "ltl2ba %f %": at 11: '%' at the end: write %% for a percent sign`},
		{"x %[MX]f", spawn, "", `command "x %[MX]f": at 6: unknown operator X: between brackets, expected letters of e (<->), i (->), ^ (xor), F, G, M, R and W`},
		{"x %[é]f", spawn, "", `command "x %[é]f": at 5: unknown operator é: between brackets, expected letters of e (<->), i (->), ^ (xor), F, G, M, R and W`},
		{"x %[M", spawn, "", `command "x %[M": at 4: the '[' of a placeholder is not closed`},
		{"x %[M]", spawn, "", `command "x %[M]": at 7: expected one of f s l w F S L W after the brackets`},
		{"x %[M]O", spawn, "", `command "x %[M]O": at 7: expected one of f s l w F S L W after the brackets`},
		{"x %[M]%", spawn, "", `command "x %[M]%": at 7: expected one of f s l w F S L W after the brackets`},
		{"x -f %f", stream, "", `command "x -f %f": at 6: stream mode writes formulas to standard input: remove %f, or use spawn mode`},
		{"x -f %[M]L", stream, "", `command "x -f %[M]L": at 6: stream mode writes formulas to standard input: remove %L, or use spawn mode`},
		{"x > %O", stream, "", `command "x > %O": at 5: stream mode reads automata from standard output: remove the output file, or use spawn mode`},
	} {
		got, err := translators.ParseCommand(c.in, c.mode)
		switch {
		case err != nil:
			if err.Error() != c.err {
				t.Errorf("%q, %v: %v, want %s", c.in, c.mode, err, c.err)
			}
		case c.err != "" || got.Name() != c.name || got.Text() != c.in:
			t.Errorf("%q, %v: name %q, want %q, error %q", c.in, c.mode, got.Name(), c.name, c.err)
		}
	}
}

func TestWithout(t *testing.T) {
	for in, want := range map[string]ltl.OpSet{
		"x %f":             0,
		"x %[]f":           0,
		"x %[MW]L":         ltl.Ops(ltl.OpStrongRelease, ltl.OpWeakUntil),
		"x %[ei^]f %[FG]s": ltl.Ops(ltl.OpEquiv, ltl.OpImplies, ltl.OpXor, ltl.OpFinally, ltl.OpGlobally),
		"x %[RR]w":         ltl.Ops(ltl.OpRelease),
	} {
		c := must.Get(translators.ParseCommand(in, translators.Spawn))
		if got := c.Without(); got != want {
			t.Errorf("%s: without %v, want %v", in, got, want)
		}
	}
}

func TestProgram(t *testing.T) {
	for in, want := range map[string]string{
		"ltl2tgba -H %f":              "ltl2tgba",
		" {a name} \n/opt/spin -f %s": "/opt/spin",
		"spin\t%s":                    "spin",
		"%f":                          "",
		"x%f":                         "", // the word goes on
		"$HOME/spin -f %s":            "",
		"'/a b/spin' -f %s":           "",
		"A=b spin -f %s":              "",
	} {
		c := must.Get(translators.ParseCommand(in, translators.Spawn))
		if got := c.Program(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if c, err := translators.ParseCommand("{x} /a/tool", translators.Stream); err != nil || c.Program() != "/a/tool" {
		t.Errorf("a command without arguments: %q, %v", c.Program(), err)
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{
		"{a} b %f %O", "%%", "{", "a %f%s%L", "{{a} b %f", "{}\n%W", "a %", "%\xff", "'%f", "a %[MW]f", "a %[", "a %[]", "a %[x]f",
		"a 'b' \"c\" \\d >%O 2>&1 <%F", "a %f 2>", "a %f\\", "a %f 2>&1%f", "a\\\n%f", "a", "a -F -", "a %F >b", "a %S %L",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, mode := range translators.Modes() {
			c, err := translators.ParseCommand(s, mode)
			if err != nil {
				if bad, ok := err.(*translators.CommandError); !ok || bad.Offset < 0 || bad.Offset > len(s) || bad.Text != s {
					t.Errorf("%q, %v: %v is no position in it", s, mode, err)
				}
				continue
			}
			if c.Text() != s || c.Name() == "" || strings.Contains(s, "\x00") {
				t.Errorf("%q, %v: is accepted, with the name %q", s, mode, c.Name())
			}
			n := len(c.Syntaxes())
			if mode == translators.Spawn && n == 0 || mode == translators.Stream && n > 0 {
				t.Errorf("%q, %v: is accepted, with the syntaxes %v", s, mode, c.Syntaxes())
			}
			checkArgv(t, c)
		}
	})
}

// checkArgv checks that each value of a command that takes no shell is in its words or
// files as often as in its line.
func checkArgv(t *testing.T, c *translators.Command) {
	const value = "\x01"
	line, words := translators.Expansions(c, value)
	if words != nil && strings.Count(line, value) != strings.Count(strings.Join(words, " "), value) {
		t.Errorf("%q: the values are not the same in %q and in the line %q", c.Text(), words, line)
	}
}

// TestQuotes: a formula is one argument, whatever is in it.
func TestQuotes(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 1)
	inList, _ := translators.ParseCommand("printf '<%%s>' %f; :", translators.Spawn)
	alone, _ := translators.ParseCommand("/usr/bin/printf '<%%s>' %f", translators.Spawn)
	inFile, _ := translators.ParseCommand("printf '<'; cat %F; printf '>'", translators.Spawn)
	for i, text := range []string{"'", "''", `"a" & 'b'`, "`id`", "$HOME $(id)", `\`, `\'`, "a\nb", "\n", "*", "; exit 1 #", "%%f", "%f %O", "ü", "\xff", "~", "", " ", "-n", "<x>y|z&"} {
		for _, c := range campaign.Alternate(i, inList, alone, inFile) {
			want := "<" + text + ">"
			if c == inFile {
				want = "<" + text + "\n>"
			}
			o, err := r.Run(context.Background(), c, func(ltl.Syntax) (string, error) { return text, nil }, translators.Limits{}, nil)
			if err != nil || string(o.Output) != want {
				t.Errorf("%s: %q: got %q, %v", c.Text(), text, o.Output, err)
			}
		}
	}
}

func ExampleParseCommand() {
	c, err := translators.ParseCommand("{mine} ltl2ba -f %s > %O", translators.Spawn)
	fmt.Println(c.Name(), c.Syntaxes(), err)
	_, err = translators.ParseCommand("ltl2ba -f %z", translators.Spawn)
	fmt.Println(err)
	// Output:
	// mine [spin] <nil>
	// command "ltl2ba -f %z": at 11: unknown placeholder %z: expected one of %f %s %l %w %F %S %L %W %O %%
}

// TestWithin: a call has no more time than asked for, and the next call has the tool's time again.
// A longer time than the tool's own changes nothing.
func TestWithin(t *testing.T) {
	t.Parallel()
	r := translators.NewTestRunner(t, 2)
	answer := `printf 'HOA: v1\nStates: 0\nAcceptance: 0 t\n--BODY--\n--END--\n'`
	hold := filepath.Join(t.TempDir(), "hold")
	slow := "case %f in b) sleep 0.3; [ ! -e " + hold + " ] || exec sleep 1000;; esac; "
	for _, mode := range []translators.Mode{translators.Spawn, translators.Stream} {
		line := map[translators.Mode]string{
			translators.Spawn:  slow + answer,
			translators.Stream: "while read -r f; do " + strings.Replace(slow, "%f", "$f", 1) + answer + "; done",
		}[mode]
		c := must.Get(translators.ParseCommand(line, mode))
		tool := &translators.Tool{Name: "slow on b", Command: c, Mode: mode, Limits: translators.Limits{Timeout: 20 * time.Second}}
		s := ltl.NewStore()
		for _, call := range []struct {
			prop    string
			timeout time.Duration
			want    outcome.Status
		}{
			{"a", 0, outcome.OK},
			{"b", 100 * time.Millisecond, outcome.Timeout},
			{"b", 0, outcome.OK},
			{"a", time.Hour, outcome.OK},
		} {
			os.Remove(hold)
			if call.want == outcome.Timeout {
				must.Do(os.WriteFile(hold, nil, 0o600))
			}
			for name, ask := range map[string]func() (*translators.Output, error){
				"kept": func() (*translators.Output, error) {
					return tool.Translate(t.Context(), r, s.Prop(call.prop), call.timeout)
				},
				"alone": func() (*translators.Output, error) {
					return tool.Alone(t.Context(), r, s.Prop(call.prop), call.timeout)
				},
			} {
				if mode == translators.Stream && name == "alone" {
					continue // it reads standard input to the end
				}
				if out, err := ask(); err != nil || out.Status != call.want {
					t.Errorf("%v, %s: %s within %v: %+v, %v, want %v", mode, name, call.prop, call.timeout, out, err, call.want)
				}
			}
		}
	}
}

// A shell command stands for a translator: it prints an automaton of G a, whatever the formula.
func ExampleTool_Translate() {
	command := `echo 'HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--' # %f`
	tool := &translators.Tool{Name: "mine", Command: must.Get(translators.ParseCommand(command, translators.Spawn))}
	runner := must.Get(translators.NewRunner(2, ""))
	defer runner.Close()

	ctx := context.Background()
	out := must.Get(tool.Translate(ctx, runner, must.Get(ltl.NewStore().Parse("G a", ltl.Spot)), 0))
	fmt.Println(out.Status, out.Automaton.NumStates(), "state")
	for _, text := range []string{"cycle{a}", "a; cycle{!a}"} {
		fmt.Println(text, must.Get(out.Automaton.Accepts(ctx, must.Get(omega.ParseWord(context.Background(), text)))))
	}
	// Output:
	// ok 1 state
	// cycle{a} true
	// a; cycle{!a} false
}
