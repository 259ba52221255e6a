package ltlformat

import (
	"context"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestFormulaClass: formulas of each class, those with which Manna and Pnueli (1990)
// define them among them.
func TestFormulaClass(t *testing.T) {
	for class, list := range map[ltl.Class][]string{
		ltl.Bottom:      {"1", "0", "a", "Xa & !b", "XX(a -> Xb)", "a | Xb | Ga & F!a"},
		ltl.Safety:      {"Ga", "a W b", "a R b", "G(a -> O b)", "Ga & XGb", "G(a -> Xb)"},
		ltl.Guarantee:   {"Fa", "a U b", "a M b", "F(a & O b)", "Fa & XFb", "a & XFb"},
		ltl.Obligation:  {"Ga | Fb", "Ga & Fb", "Fa -> Fb", "(a W b) & Fa"},
		ltl.Recurrence:  {"GFa", "G(a -> Fb)", "GFa & GFb", "GFa | GFb", "GFa & Fb"},
		ltl.Persistence: {"FGa", "F(a & Gb)", "FGa | FGb", "FGa & Gb", "FG(a -> O b)"},
		ltl.Reactivity:  {"GFa | FGb", "GFa -> GFb", "GFa & FGb", "(GFa -> GFb) & Gc"},
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
	dual := map[ltl.Class]ltl.Class{ltl.Safety: ltl.Guarantee, ltl.Guarantee: ltl.Safety,
		ltl.Recurrence: ltl.Persistence, ltl.Persistence: ltl.Recurrence}
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 10, KeepDuplicates: true, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	class := func(f *ltl.Formula) ltl.Class {
		c, err := Class(context.Background(), f)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, f, err)
		}
		return c
	}
	last, lastClass := ltl.NewStore().True(), ltl.Bottom
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

// TestSyntacticClass: formulas of each class, by their operators.
func TestSyntacticClass(t *testing.T) {
	for class, list := range map[ltl.Class][]string{
		ltl.Bottom:      {"1", "a & O b", "Xa <-> !b", "{a;b[*2]}", "!{a:b}", "{a;b}[]->Xc"},
		ltl.Safety:      {"Ga", "a W Xb", "!(a U b)", "G(a -> O b)", "H G a", "Ga S Gb", "{a[*];b}", "{a[*];b}[]->Gc", "{a;b}<>->Gc"},
		ltl.Guarantee:   {"Fa", "a M Fb", "!(a R b)", "Ga -> Fb", "!{a[*];b}", "{a[*];b}<>->Fc"},
		ltl.Obligation:  {"Ga | Fb", "Ga xor Xb", "Ga U Fb", "(Fa & Gb) R Gc", "Ga W (Fb & Gc)", "{a[*];b}! | {a[*];b}", "{a;b}[]->(Fa | Gb)"},
		ltl.Recurrence:  {"GFa", "G(a -> Fb)", "GFa U b", "a M GFb", "GFa W GFb", "G(Y Fa | H Fb)", "{a[*];b}[]->Fc", "G({a[*];b}<>->Fc)"},
		ltl.Persistence: {"FGa", "!GFa", "a W FGb", "FGa R b", "FGa M FGb", "{a[*];b}<>->Gc", "F({a[*];b}[]->Gc)"},
		ltl.Reactivity:  {"GFa | FGb", "GFa <-> b & Fc", "GFa U FGb", "{a[*];b}<>->GFc"},
	} {
		for _, text := range list {
			f, err := ltl.NewStore().Parse(text, ltl.Spot)
			if err != nil {
				t.Fatal(err)
			}
			if got := f.SyntacticClass(); got != class {
				t.Errorf("%s: %v, want %v", text, got, class)
			}
		}
	}
}

// TestSyntacticClassBound: the class of a language is within the class that the syntax shows.
func TestSyntacticClassBound(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 1)
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 9, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	exact := 0
	for range n {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Class(context.Background(), f)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, f, err)
		}
		syntactic := f.SyntacticClass()
		if !slices.Contains(got.Within(), syntactic) {
			t.Errorf("seed %d: %s is %v, but syntactically %v", seed, f, got, syntactic)
		}
		if got == syntactic {
			exact++
		}
	}
	if exact < n/2 {
		t.Errorf("seed %d: the class of only %d of %d formulas is that of their syntax", seed, exact, n)
	}
}
