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
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
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
	results := run(t, o, these("GFa"))[0].Results
	for i := range results[:6] {
		a, err := hoa.NewReader(strings.NewReader(results[i].Automaton)).Next(t.Context())
		if err != nil || strings.Contains(results[i].Automaton, "\n") {
			t.Fatalf("%v: %v in %q", results[i].Subject, err, results[i].Automaton)
		}
		if a.Name != "two lines" || a.NumStates() != 3 {
			t.Errorf("%v: got %s", results[i].Subject, results[i].Automaton)
		}
	}
	weak, branches, alternating, none := results[0], results[2], results[4], results[6]
	if weak.States != 2 || weak.Unreachable != 1 || weak.Edges != 3 || weak.Transitions != 4 || weak.NondetStates != 1 || weak.NondetEdges != 2 || !weak.Nondeterministic() ||
		weak.Strength == nil || *weak.Strength != (omega.Strength{Class: "weak", Nonaccepting: 1, Weak: 1}) || weak.Ambiguous == nil || !*weak.Ambiguous {
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
	for _, r := range run(t, o, these("GFa"))[0].Results {
		if r.Strength != nil || r.Ambiguous != nil || r.Automaton != "" {
			t.Errorf("not asked for: %#v", r)
		}
	}
}

// TestStatisticsLate: what takes too long is undecided, and the run goes on.
func TestStatisticsLate(t *testing.T) {
	limits := omega.Limits{Time: time.Nanosecond}
	a := printing(t, "a", "HOA: v1 States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0 [0] 0 {0} --END--")
	c := run(t, cross.Options{Tools: []*translators.Tool{a}, Limits: limits, CaseTime: -1, Statistics: cross.Statistics{Strength: true, Ambiguous: true}}, these("GFa"))[0]
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
		s := must.Get(a.Strength(t.Context()))
		z, declared := must.Get(a.Statistics(t.Context())), a.Declared.Properties
		for property, ok := range map[string]bool{
			"terminal":        s.Class == "terminal",
			"weak":            s.Class != "strong",
			"very-weak":       z.VeryWeak,
			"inherently-weak": s.Mixed == 0,
			"state-acc":       z.StateMarks,
			"complete":        z.Complete,
			"deterministic":   z.Deterministic,
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
		if !weak && s.Class != "strong" {
			t.Errorf("%s: %s: declared %q, but found %+v", r.Tool, r.Formula, declared, s)
		}
	}
	for _, property := range []string{"terminal", "weak", "very-weak"} {
		if met[property] < 100 {
			t.Errorf("%s is declared by %d automata", property, met[property])
		}
	}
}

// TestProducts: with neither complements nor words nor a reference, the products with random state spaces
// find what a mutant lacks. Only the mutant is blamed, and only where its language has changed.
func TestProducts(t *testing.T) {
	t.Parallel()
	const seed = 11
	for _, alone := range []bool{false, true} {
		for _, mutation := range []string{"drop", "negate"} {
			tools := []*translators.Tool{streamed(t, mutation)}
			if !alone {
				tools = append(tools, streamed(t, "gpvw"))
			}
			missing, byProducts := 0, 0
			for _, c := range run(t, cross.Options{Tools: tools, NoComplement: true, Products: products}, randomFormulas(t, seed, campaign.Inputs(t, 100), 8)) {
				if len(c.Errors) > 0 || len(c.Undecided) > 0 {
					t.Errorf("%s: %v %v", c.Formula, c.Errors, c.Undecided)
				}
				failed := false
				for _, check := range c.Checks {
					if strings.Contains(check.Check, "!") {
						t.Errorf("%s: check %s needs a complement", c.Formula, check.Check)
					}
					if strings.HasPrefix(check.Check, "products") && check.Verdict == "failed" {
						failed = true
						byProducts++
					}
				}
				if failed && len(c.Disagreements) == 0 {
					t.Errorf("%s: products differ, but there is no disagreement", c.Formula)
				}
				for _, d := range c.Disagreements {
					checkDisagreement(t, c, &d)
					for _, b := range d.Blamed {
						if b.Translator != mutation || !changed(t, mutation, c.Formula, bool(b.Polarity)) {
							t.Errorf("seed %d, %s: %s is blamed", seed, c.Formula, b)
						}
					}
					if d.Kind == "missing" {
						missing++
					}
				}
			}
			if missing < 3 || byProducts < 3 {
				t.Errorf("%s, alone %v: %d missing words, products have shown %d disagreements: too few to say anything", mutation, alone, missing, byProducts)
			}
		}
	}
}

// TestProductSizes: the sizes are there for each automaton and space, also without checks;
// then the negations are not asked for.
func TestProductSizes(t *testing.T) {
	for _, c := range run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "gastin-oddoux")}, Products: products}, randomFormulas(t, 12, 10, 8)) {
		for _, r := range c.Results {
			if len(r.ProductStates) != 2 || len(r.ProductTransitions) != 2 || len(r.ProductSCC) != 2 {
				t.Errorf("%s: %+v", c.Formula, r)
			}
		}
	}
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "drop")}, Products: products, NoChecks: true, Words: 20, Properties: true},
		these("a U b", "GFa"))
	for _, c := range cases {
		if c.Checked || len(c.Checks)+len(c.Disagreements)+len(c.Findings)+len(c.Undecided)+len(c.Errors) > 0 {
			t.Errorf("%s: something was checked: %+v", c.Formula, c)
		}
		for _, r := range c.Results {
			want := []string{"ok", "unasked"}[r.Polarity.Index()]
			negated := r.Polarity == outcome.Negation
			if string(r.Status) != want || r.Failed() || r.Asked() == negated || (len(r.ProductStates) == 2) == negated || (r.States > 0) == negated {
				t.Errorf("%s: %+v", c.Formula, r)
			}
		}
	}
}

// TestProductLimits: a product that is given up is an undecided check, and the others are compared.
func TestProductLimits(t *testing.T) {
	limits := omega.Limits{ProductStates: 80}
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Products: products, NoComplement: true, Limits: limits}, these("a", "a U (b & X(a U c))"))
	large := cases[1]
	if len(large.Undecided) == 0 || !strings.Contains(large.Undecided[0].Check, "in products with state space 0") || large.Undecided[0].Why != "limit of 80 product states" {
		t.Errorf("undecided: %+v", large.Undecided)
	}
	if len(large.Results[0].ProductStates) != 0 {
		t.Errorf("sizes of a product that was given up: %+v", large.Results[0])
	}
}
