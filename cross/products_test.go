package cross_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// products are random state spaces that show most errors in formulas of ten nodes.
var products = cross.Products{Number: 2, States: 60, Density: 0.05, Seed: 1}

// TestProducts: with neither complements nor words nor a reference, the products with
// random state spaces find what a mutant lacks. Only the mutant is blamed, and only where
// its language has changed.
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
		these(t, "a U b", "GFa"))
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

// TestProductLimits: a product that is given up is an undecided check, and the others
// are compared.
func TestProductLimits(t *testing.T) {
	limits := productcheck.DefaultLimits
	limits.ProductStates = 80
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw")}, Products: products, NoComplement: true, Limits: limits}, these(t, "a", "a U (b & X(a U c))"))
	large := cases[1]
	if len(large.Undecided) == 0 || !strings.Contains(large.Undecided[0].Check, "in products with state space 0") || large.Undecided[0].Why != "limit of 80 product states" {
		t.Errorf("undecided: %+v", large.Undecided)
	}
	if len(large.Results[0].ProductStates) != 0 {
		t.Errorf("sizes of a product that was given up: %+v", large.Results[0])
	}
}

// TestSave: the automata of cases in which something is wrong are handed over, those of
// the reference too, and no others.
func TestSave(t *testing.T) {
	saved := make(chan string, 100)
	cases := run(t, cross.Options{Tools: []*translators.Tool{tool(t, "gpvw"), tool(t, "toggle")}, Words: 20, Reference: translate.Of,
		Save: func(c *outcome.Case, automata map[outcome.Subject]*omega.Automaton) error {
			if len(automata) != 6 {
				return fmt.Errorf("%s: automata %v", c.Formula, automata)
			}
			saved <- c.Formula
			return nil
		}}, randomFormulas(t, 13, 20, 8))
	close(saved)
	got := map[string]int{}
	for f := range saved {
		got[f]++
	}
	wrong := 0
	for _, c := range cases {
		want := 0
		if c.Wrong() {
			want = 1
			wrong++
		}
		if got[c.Formula] != want {
			t.Errorf("%s: saved %d times, want %d", c.Formula, got[c.Formula], want)
		}
	}
	if wrong < 3 || wrong > 17 {
		t.Errorf("%d of 20 cases are wrong: the test shows nothing", wrong)
	}
}
