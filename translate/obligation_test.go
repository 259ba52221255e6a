package translate

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// meet reports whether two automata have a word in common.
func meet(t *testing.T, a, b omega.Source) bool {
	t.Helper()
	r, err := productcheck.Intersect(t.Context(), a, b, emptiness.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return !r.Empty()
}

// from returns a with one initial state.
func from(a *omega.Automaton, s omega.State) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for p := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(p) {
			b.AddEdge(p, e.Label, e.Marks, e.Dst)
		}
	}
	b.AddStart(s)
	return b.Automaton()
}

// TestMinimalWeak checks minimal weak automata of formulas of all kinds: that they are
// deterministic, complete and weak, and that no two states accept the same words. They
// must be those of the formulas that are obligations by their form, and asObligation
// must tell of all others whether they are.
func TestMinimalWeak(t *testing.T) {
	n, seed := campaign.Seeded(t, 400, 1)
	s := ltl.NewStore()
	byForm, byMeaning, others, merged := 0, 0, 0, 0
	for i, f := range randomFormulas(t, s, seed, n, 2, 3, 12) {
		f = s.NNF(f)
		a := translate(t, "gastin-oddoux", s, f)
		m, err := minimalWeak(t.Context(), a, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if !m.IsDeterministic() || !m.IsComplete() || !m.IsWeak() {
			t.Fatalf("seed %d, formula %d, %s: the automaton is not deterministic, complete and weak\n%s", seed, i, f, dump(m))
		}
		for p := range omega.State(m.NumStates()) {
			for q := range p {
				x, y := from(m, p), from(m, q)
				if !meet(t, x, must.Get(complement.With(t.Context(), "deterministic", y, 0))) && !meet(t, y, must.Get(complement.With(t.Context(), "deterministic", x, 0))) {
					t.Fatalf("seed %d, formula %d, %s: states %d and %d accept the same words\n%s", seed, i, f, q, p, dump(m))
				}
			}
		}
		if m.NumStates() < a.NumStates() {
			merged++
		}
		negation := must.Get(translate(t, "gpvw", s, s.Not(f)).Over(context.Background(), m.Alphabet()))
		if meet(t, a, must.Get(complement.With(t.Context(), "deterministic", m, 0))) {
			t.Fatalf("seed %d, formula %d, %s: a word is missing\n%s", seed, i, f, dump(m))
		}
		equal := !meet(t, m, negation)
		reduced, err := reduce.Backward(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		o, err := asObligation(t.Context(), s, f, reduced)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case isObligation(f) && !equal:
			t.Fatalf("seed %d, formula %d, %s: an obligation by its form is not one\n%s", seed, i, f, dump(m))
		case (o != nil) != equal:
			t.Fatalf("seed %d, formula %d, %s: is an obligation: %v, want %v", seed, i, f, o != nil, equal)
		case o != nil && o.NumStates() != m.NumStates():
			t.Fatalf("seed %d, formula %d, %s: %d states, of a reduced automaton %d", seed, i, f, m.NumStates(), o.NumStates())
		case isObligation(f):
			byForm++
		case equal:
			byMeaning++
		default:
			others++
		}
	}
	if byForm < n/8 || byMeaning < n/20 || others < n/20 || merged < n/20 {
		t.Errorf("%d obligations by form, %d by meaning, %d others; %d have fewer states", byForm, byMeaning, others, merged)
	}
}

func TestIsObligation(t *testing.T) {
	s := ltl.NewStore()
	for text, want := range map[string]bool{
		"a": true, "Xa": true, "Ga": true, "Fa": true, "a U b": true, "a W b": true, "a M b": true, "a R b": true,
		"Ga | Fb": true, "X(Ga & Fb)": true, "Ga U Fb": true, "(Ga | Fb) U c": true, "a W (Gb | Fc)": true,
		"(Fa & Gb) R c": true, "Fa M (Gb | Fc)": true, "G(a | Xb) & F(a & XFb)": true,
		"GFa": false, "FGa": false, "G(a -> Fb)": false, "a U Gb": false, "Fa W b": false, "Ga R Fb": false,
		"Ga M b": false, "F(a & Gb)": false, "(a U b) W c": false, "a R (b U c)": false,
	} {
		if got := isObligation(s.NNF(parse(t, s, text))); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
