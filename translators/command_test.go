package translators_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

func TestParseCommand(t *testing.T) {
	for _, c := range []struct{ in, name, err string }{
		{"ltl2tgba -H %f", "ltl2tgba -H %f", ""},
		{" {my tool} ltl2ba -f %s > %O", "my tool", ""},
		{"{a{b}c} x %L", "a{b}c", ""},
		{"x %%%f", "x %%%f", ""},
		{"", "", `command "": at 1: expected a command`},
		{"{x}", "", `command "{x}": at 4: expected a command`},
		{"{x ltl2ba %f", "", `command "{x ltl2ba %f": at 1: the name's '{' is not closed`},
		{"ltl2ba", "", `command "ltl2ba": at 7: expected one of %f %s %l %w %F %S %L %W, where the formula goes`},
		{"ltl2ba %f > %x", "", `command "ltl2ba %f > %x": at 13: unknown placeholder %x: there are %f %s %l %w %F %S %L %W %O and %%`},
		{"ltl2ba %ü", "", `command "ltl2ba %ü": at 8: unknown placeholder %ü: there are %f %s %l %w %F %S %L %W %O and %%`},
		{"ltl2ba\x00 %f", "", `command "ltl2ba\x00 %f": at 7: a NUL character`},
		{"ltl2ba %f %", "", `command "ltl2ba %f %": at 11: '%' at the end: write %% for a percent sign`},
	} {
		got, err := translators.ParseCommand(c.in)
		switch {
		case err != nil:
			if err.Error() != c.err {
				t.Errorf("%q: %v, want %s", c.in, err, c.err)
			}
		case c.err != "" || got.Name() != c.name || got.Text() != c.in:
			t.Errorf("%q: name %q, want %q, error %q", c.in, got.Name(), c.name, c.err)
		}
	}
}

func TestProgram(t *testing.T) {
	for in, want := range map[string]string{
		"ltl2tgba -H %f":              "ltl2tgba",
		" {a name} \n/opt/spin -f %s": "/opt/spin",
		"%f":                          "",
		"x%f":                         "", // the word goes on
		"$HOME/spin -f %s":            "",
		"'/a b/spin' -f %s":           "",
		"A=b spin -f %s":              "",
	} {
		c, err := translators.ParseCommand(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Program(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzParseCommand(f *testing.F) {
	for _, s := range []string{"{a} b %f %O", "%%", "{", "a %f%s%L", "{{a} b %f", "{}\n%W", "a %", "%\xff", "'%f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := translators.ParseCommand(s)
		if err != nil {
			if bad, ok := err.(*translators.CommandError); !ok || bad.Offset < 0 || bad.Offset > len(s) || bad.Text != s {
				t.Errorf("%q: %v is no position in it", s, err)
			}
			return
		}
		if c.Text() != s || c.Name() == "" || len(c.Syntaxes()) == 0 || strings.Contains(s, "\x00") {
			t.Errorf("%q is accepted, with the name %q, in the syntaxes %v", s, c.Name(), c.Syntaxes())
		}
	})
}

// TestQuotes: a formula is one argument, whatever is in it.
func TestQuotes(t *testing.T) {
	r := translators.NewTestRunner(t, 1)
	inList, _ := translators.ParseCommand("printf '<%%s>' %f; :")
	alone, _ := translators.ParseCommand("/usr/bin/printf '<%%s>' %f")
	inFile, _ := translators.ParseCommand("printf '<'; cat %F; printf '>'")
	for _, text := range []string{"'", "''", `"a" & 'b'`, "`id`", "$HOME $(id)", `\`, `\'`, "a\nb", "\n", "*", "; exit 1 #", "%%f", "%f %O", "ü", "\xff", "~", "", " ", "-n", "<x>y|z&"} {
		for _, c := range []*translators.Command{inList, alone, inFile} {
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
	c, err := translators.ParseCommand("{mine} ltl2ba -f %s > %O")
	fmt.Println(c.Name(), c.Syntaxes(), err)
	_, err = translators.ParseCommand("ltl2ba -f %z")
	fmt.Println(err)
	// Output:
	// mine [spin] <nil>
	// command "ltl2ba -f %z": at 11: unknown placeholder %z: there are %f %s %l %w %F %S %L %W %O and %%
}

func ExampleRunner_Run() {
	r, err := translators.NewRunner(4, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	c, _ := translators.ParseCommand("echo no automaton for %f >&2; exit 3")
	formula := func(ltl.Syntax) (string, error) { return "G(a -> Fb)", nil }
	o, err := r.Run(context.Background(), c, formula, translators.Limits{}, nil)
	fmt.Println(o.Status, err)
	fmt.Println(o.Command)
	fmt.Println(o.Detail)
	// Output:
	// exit <nil>
	// echo no automaton for 'G(a -> Fb)' >&2; exit 3
	// exit status 3: no automaton for G(a -> Fb)
}
