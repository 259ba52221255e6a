package report_test

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestDetailOfFormula: next to a formula stands what the translator said on it, never on
// another formula of the same group.
func TestDetailOfFormula(t *testing.T) {
	const class = "exit 1: no room for …"
	shown := func(g outcome.Group) string {
		summary := oneTool(t)
		one := failed(0, "Fa", exit("no room for Fa"), exit("no room for !Fa"))
		summary.Add(one)
		summary.Add(failed(1, "G(b -> Fc)", exit("no room for G(b -> Fc)"), exit("no room for !G(b -> Fc)")))
		summary.Causes = []report.Cause{{Cause: &outcome.Cause{Translators: []string{"x"}, Class: outcome.ParseClass(class), Formula: "Fa", Key: class, Case: one}}}
		g.Translators, g.Class = []string{"x"}, outcome.ParseClass(class)
		summary.Regression = &outcome.Regression{Groups: []outcome.Group{g}}
		var b strings.Builder
		if err := report.WriteJUnit(&b, summary); err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(b.String(), "\ntranslator: x\n")
		_, text, _ = strings.Cut(text, "\ndetail:")
		text, _, _ = strings.Cut(text, "\n")
		return strings.TrimSpace(text)
	}
	for _, c := range []struct {
		name string
		g    outcome.Group
		want string
	}{
		{"the smallest", outcome.Group{State: outcome.StateKnown, Formula: "Fa", Key: "x | " + class}, "exit status 1: no room for Fa"},
		{"its negation", outcome.Group{State: outcome.StateNew, Formula: "Fa", Polarity: outcome.Negation, Key: "x | " + class}, "exit status 1: no room for !Fa"},
		{"one of an earlier run", outcome.Group{State: outcome.StateKnown, Formula: "Gd", Key: "x | " + class + " | large"}, ""},
		{"one that is fixed", outcome.Group{State: outcome.StateFixed, Formula: "Gd", Key: "x | other"}, ""},
	} {
		if got := shown(c.g); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
