package session

import (
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestZeroChoice: with the zero Choice, a program runs the built-in translators and starts nothing, not
// even itself.
func TestZeroChoice(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no known translator
	t.Setenv("TMPDIR", "/nonexistent")
	p := planOf(t, nil, "GFa", "a U b")
	if err := p.Choose(&Choice{}); err != nil {
		t.Fatal(err)
	}
	var r recorder
	result, err := Run(t.Context(), p, &r)
	if err != nil || result.Status != outcome.ExitPassed || len(r.cases) != 2 {
		t.Fatalf("%+v, %v", result, err)
	}
	for _, c := range r.cases {
		for _, x := range c.Results {
			if x.Status != outcome.OK || !strings.Contains(x.Command, "xcheck translate") {
				t.Errorf("%s: %+v", c.Formula, x)
			}
		}
	}
}

// TestExplodes: on a formula whose automata are too large, built-in translators reach their limits, of
// time or of memory, and the run goes on.
func TestExplodes(t *testing.T) {
	var left, right []string
	for _, p := range strings.Split("abcdefghijklmnopqrstuvwx", "") {
		left, right = append(left, "GF"+p), append(right, "GFx"+p)
	}
	explodes := strings.Join(left, " & ") + " -> " + strings.Join(right, " & ")
	for name, limit := range map[outcome.Status]func(*translators.Limits){
		outcome.Timeout: func(l *translators.Limits) { l.Timeout, l.Memory = 100*time.Millisecond, 1<<30 },
		outcome.Memory:  func(l *translators.Limits) { l.Timeout, l.Memory = time.Hour, 4<<20 },
	} {
		p := planOf(t, nil, explodes, "Ga")
		limit(&p.Config.Limits.Limits)
		if err := p.Choose(&Choice{NoFound: true, Only: []string{"gpvw"}}); err != nil {
			t.Fatal(err)
		}
		p.Config.Checks.NoChecks = true
		var r recorder
		if _, err := Run(t.Context(), p, &r); err != nil || len(r.cases) != 2 {
			t.Fatalf("%s: %d cases, %v", name, len(r.cases), err)
		}
		for i, want := range []outcome.Status{name, outcome.OK} {
			for _, x := range r.cases[i].Results[:1] { // the negation is not asked for
				if x.Status != want {
					t.Errorf("%s: %s on formula %d: %s, %s", name, x.Translator, i, x.Status, x.Detail)
				}
			}
		}
	}
}
