package cross_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// printing is a translator that answers every formula with the same automaton.
func printing(t *testing.T, name, text string) *translators.Tool {
	return shell(t, name, ": %f; cat <<'EOF'\n"+text+"\nEOF\n")
}

// TestStatistics: what is asked for is found out, of automata of each sort.
func TestStatistics(t *testing.T) {
	const head = "HOA: v1 name: \"two\nlines\" States: 3 Start: 0 AP: 1 \"a\" "
	tools := []*translators.Tool{
		// State 2 can't be reached.
		printing(t, "weak", head+"Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 State: 2 [t] 2 --END--"),
		printing(t, "branches", head+"Acceptance: 0 t --BODY-- State: 0 [!0] 1 [0] 2 State: 1 [t] 1 State: 2 [t] 2 --END--"),
		printing(t, "alternating", head+"Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0&1 State: 1 {0} [0] 1 [!0] 2 State: 2 [t] 2 --END--"),
		printing(t, "none", "nothing"),
	}
	o := cross.Options{Tools: tools, Statistics: cross.Statistics{Strength: true, Ambiguous: true, Automata: true}}
	results := run(t, o, these(t, "GFa"))[0].Results
	for i := range results[:6] {
		a, err := hoa.NewReader(context.Background(), strings.NewReader(results[i].Automaton)).Next()
		if err != nil || strings.Contains(results[i].Automaton, "\n") {
			t.Fatalf("%v: %v in %q", results[i].Subject, err, results[i].Automaton)
		}
		if a.Name != "two lines" || a.NumStates() != 3 {
			t.Errorf("%v: got %s", results[i].Subject, results[i].Automaton)
		}
	}
	weak, branches, alternating, none := results[0], results[2], results[4], results[6]
	if weak.States != 2 || weak.Unreachable != 1 || weak.Edges != 3 || weak.Transitions != 4 || weak.Nondet != 1 || weak.NondetEdges != 2 || !weak.Nondeterministic() ||
		weak.Strength == nil || *weak.Strength != (outcome.Strength{Class: "weak", Nonaccepting: 1, Weak: 1}) || weak.Ambiguous == nil || !*weak.Ambiguous {
		t.Errorf("weak: %#v, %+v", weak, weak.Strength)
	}
	if branches.Class != "terminal" || branches.Terminal != 2 || branches.Nonaccepting != 1 || branches.Transient != 1 || branches.Ambiguous == nil || *branches.Ambiguous {
		t.Errorf("branches: %#v, %+v", branches, branches.Strength)
	}
	if !alternating.Alternating || alternating.Universal != 1 || alternating.Nondeterministic() || alternating.Strength != nil || alternating.Ambiguous != nil {
		t.Errorf("alternating: %#v, %+v", alternating, alternating.Strength)
	}
	if none.Status != "syntax" || none.States != 0 || none.Automaton != "" || none.Strength != nil {
		t.Errorf("none: %#v", none)
	}
	o.Statistics = cross.Statistics{}
	for _, r := range run(t, o, these(t, "GFa"))[0].Results {
		if r.Strength != nil || r.Ambiguous != nil || r.Automaton != "" {
			t.Errorf("not asked for: %#v", r)
		}
	}
}

// TestStatisticsLate: what takes too long is undecided, and the run goes on.
func TestStatisticsLate(t *testing.T) {
	limits := productcheck.DefaultLimits
	limits.Time = time.Nanosecond
	a := printing(t, "a", "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 0 {0} --END--")
	c := run(t, cross.Options{Tools: []*translators.Tool{a}, Limits: limits, Statistics: cross.Statistics{Strength: true, Ambiguous: true}}, these(t, "GFa"))[0]
	late := map[string]string{}
	for _, u := range c.Undecided {
		late[u.Check] = u.Why
	}
	for _, check := range []string{"strength of P a", "strength of N a", "ambiguity of P a", "ambiguity of N a"} {
		if late[check] != "time limit of 1ns" {
			t.Errorf("%s: %q", check, late[check])
		}
	}
	if c.Results[0].Strength != nil || c.Results[0].Ambiguous != nil || c.Results[0].States != 1 {
		t.Errorf("got %#v", c.Results[0])
	}
}

// TestDeclaredStrength: automata that Spot's ltl2tgba has printed are of the strength that
// their headers declare.
func TestDeclaredStrength(t *testing.T) {
	type record struct{ Formula, Tool, Output, Status string }
	met := map[string]int{}
	for r := range corpus.Records[record](t, "recorded.jsonl.gz") {
		if !strings.HasPrefix(r.Tool, "ltl2tgba") || r.Status != "ok" {
			continue
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(r.Output))
		if err != nil {
			t.Fatalf("%s: %s: %v", r.Tool, r.Formula, err)
		}
		s, err := a.Strength(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		z, declared := must.Get(a.Statistics(t.Context())), a.Declared.Properties
		for property, ok := range map[string]bool{
			"terminal":        s.Class() == "terminal",
			"weak":            s.Class() != "strong",
			"very-weak":       z.VeryWeak,
			"inherently-weak": s.Mixed == 0,
			"state-acc":       z.StateMarks,
			"complete":        z.Complete,
			"deterministic":   !z.Nondeterministic,
		} {
			if !slices.Contains(declared, property) {
				continue
			}
			if met[property]++; !ok {
				t.Errorf("%s: %s: declared %s, but found %+v, %+v", r.Tool, r.Formula, property, s, z)
			}
		}
		// ltl2tgba looks for no weaker property than those it declares.
		weak := slices.ContainsFunc(declared, func(p string) bool { return strings.HasSuffix(p, "weak") || p == "terminal" })
		if !weak && s.Class() != "strong" {
			t.Errorf("%s: %s: declared %q, but found %+v", r.Tool, r.Formula, declared, s)
		}
	}
	for _, property := range []string{"terminal", "weak", "very-weak"} {
		if met[property] < 100 {
			t.Errorf("%s is declared by %d automata", property, met[property])
		}
	}
}
