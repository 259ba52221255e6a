package session

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestRerunChosen: Choose sets which translators the command has.
func TestRerunChosen(t *testing.T) {
	p := &Plan{Config: configs.Default()}
	if err := p.Choose(&Choice{Commands: []string{"{a} cat %F"}, NoBuiltin: true}); err != nil {
		t.Fatal(err)
	}
	cause := &outcome.Cause{}
	cause.Translators, cause.Formula = []string{"a"}, "Ga"
	if got, want := p.Rerun.command(cause), "xcheck run -t '{a} cat %F' --only 'a' -f 'Ga'"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestRerunCommand: the command has no more translators than it needs.
func TestRerunCommand(t *testing.T) {
	for _, test := range []struct {
		about string
		rerun Rerun
		run   []string
		want  string
	}{
		{"of two", Rerun{Tools: []string{"{a} x %f", "{b} y %f"}}, []string{"b"},
			"xcheck run -t '{b} y %f' --only 'b' -f 'a'"},
		{"named after the command", Rerun{Tools: []string{"x -a %f", "x -b %f"}}, []string{"x -b %f"},
			"xcheck run -t 'x -b %f' --only 'x -b %f' -f 'a'"},
		{"a known one", Rerun{Tools: []string{"ltl2ba", "ltl3ba -M0"}}, []string{"ltl3ba -M0"},
			"xcheck run -t 'ltl3ba -M0' --only 'ltl3ba -M0' -f 'a'"},
		{"the second of a name", Rerun{Tools: []string{"{a} x %f", "{b} y %f", "{a} z %f"}}, []string{"a#2"},
			"xcheck run -t '{a} x %f' -t '{a} z %f' --only 'a#2' -f 'a'"},
		{"a name that has a number", Rerun{Tools: []string{"{a#2} x %f", "{a} y %f", "{a} z %f"}}, []string{"a#3"},
			"xcheck run -t '{a#2} x %f' -t '{a} y %f' -t '{a} z %f' --only 'a#3' -f 'a'"},
		{"a reference", Rerun{Tools: []string{"{a} x %f"}, References: []string{"{r} y %f"}}, []string{"a"},
			"xcheck run -t '{a} x %f' --only 'a' -f 'a'"},
		{"the reference is wrong", Rerun{Tools: []string{"{a} x %f"}, References: []string{"{r} y %f"}}, []string{"r"},
			"xcheck run --reference '{r} y %f' --only 'r' -f 'a'"},
		{"built-in", Rerun{Tools: []string{"{a} x %f"}}, []string{"gpvw"},
			"xcheck run --only 'gpvw' -f 'a'"},
		{"options", Rerun{Config: "c.toml", Tools: []string{"{a} x %f"}, With: []string{"a=-B", "b=-C", "d=-D"}}, []string{"a", "d"},
			"xcheck run -c 'c.toml' -t '{a} x %f' --only 'a' --only 'd' --with-options 'a=-B' --with-options 'd=-D' -f 'a'"},
	} {
		cause := &outcome.Cause{Translators: test.run, Formula: "a"}
		if got := test.rerun.command(cause); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.about, got, test.want)
		}
	}
}
