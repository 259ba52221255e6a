package ltlformat

import (
	"context"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/hierarchy"
)

// TestFormulaClass: formulas of each class, those with which Manna and Pnueli (1990)
// define them among them.
func TestFormulaClass(t *testing.T) {
	for class, list := range map[hierarchy.Class][]string{
		hierarchy.Bottom:      {"1", "0", "a", "Xa & !b", "XX(a -> Xb)", "a | Xb | Ga & F!a"},
		hierarchy.Safety:      {"Ga", "a W b", "a R b", "G(a -> O b)", "Ga & XGb", "G(a -> Xb)"},
		hierarchy.Guarantee:   {"Fa", "a U b", "a M b", "F(a & O b)", "Fa & XFb", "a & XFb"},
		hierarchy.Obligation:  {"Ga | Fb", "Ga & Fb", "Fa -> Fb", "(a W b) & Fa"},
		hierarchy.Recurrence:  {"GFa", "G(a -> Fb)", "GFa & GFb", "GFa | GFb", "GFa & Fb"},
		hierarchy.Persistence: {"FGa", "F(a & Gb)", "FGa | FGb", "FGa & Gb", "FG(a -> O b)"},
		hierarchy.Reactivity:  {"GFa | FGb", "GFa -> GFb", "GFa & FGb", "(GFa -> GFb) & Gc"},
	} {
		for _, text := range list {
			f, err := ltl.NewStore().Parse(text, ltl.Spot)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Class(context.Background(), f); err != nil || got != class {
				t.Errorf("%s: %v, %v, want %v", text, got, err, class)
			}
		}
	}
}

// TestFormulaClassDual: the negation of a formula is in the dual class, and
// conjunctions and disjunctions stay in classes that both formulas are within.
func TestClassDual(t *testing.T) {
	const seed = 1
	dual := map[hierarchy.Class]hierarchy.Class{hierarchy.Safety: hierarchy.Guarantee, hierarchy.Guarantee: hierarchy.Safety,
		hierarchy.Recurrence: hierarchy.Persistence, hierarchy.Persistence: hierarchy.Recurrence}
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 10, KeepDuplicates: true, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	class := func(f *ltl.Formula) hierarchy.Class {
		c, err := Class(context.Background(), f)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, f, err)
		}
		return c
	}
	last, lastClass := ltl.NewStore().True(), hierarchy.Bottom
	for range 150 {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		store := ltl.NewStore()
		f, last = store.Import(f), store.Import(last)
		c := class(f)
		want := c
		if d, ok := dual[c]; ok {
			want = d
		}
		if got := class(store.Not(f)); got != want {
			t.Fatalf("seed %d: %s is %v, and its negation %v", seed, f, c, got)
		}
		for _, h := range []*ltl.Formula{store.And(f, last), store.Or(f, last)} {
			joined := class(h)
			for _, d := range lastClass.Within() {
				if slices.Contains(c.Within(), d) && !slices.Contains(joined.Within(), d) {
					t.Fatalf("seed %d: %s and %s are %v, but %s is not: it is %v", seed, f, last, d, h, joined)
				}
			}
		}
		last, lastClass = f, c
	}
}
