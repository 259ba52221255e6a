package ltl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// generator returns a generator of random formulas over the given propositions.
func generator(t testing.TB, seed uint64, props []string, low, high int) *ltl.Generator {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: low, MaxSize: high, KeepTrivial: true, KeepDuplicates: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// pastGenerator has all operators, those of the past too.
func pastGenerator(t testing.TB, seed uint64, props []string, low, high int) *ltl.Generator {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: low, MaxSize: high,
		KeepTrivial: true, KeepDuplicates: true, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGenerator(t *testing.T) {
	all := func(o ltl.RandomOptions, n int) []string {
		g, err := ltl.NewGenerator(o)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for range n {
			f, err := g.Next()
			if err != nil {
				t.Fatal(err)
			}
			if f.Size() < o.MinSize || f.Size() > o.MaxSize {
				t.Fatalf("%s has size %d", f, f.Size())
			}
			list = append(list, f.String())
		}
		return list
	}
	o := ltl.RandomOptions{Seed: 7, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 9}
	long, short := all(o, 1000), all(o, 400)
	if fmt.Sprint(long[:400]) != fmt.Sprint(short) {
		t.Error("formula k depends on the number of formulas")
	}
	seen := map[string]bool{}
	s := ltl.NewStore()
	for _, text := range long {
		if seen[text] {
			t.Errorf("%s came twice", text)
		}
		seen[text] = true
		if op := s.Simplify(parse(t, s, text, ltl.Spot)).Op(); op == ltl.OpTrue || op == ltl.OpFalse {
			t.Errorf("%s is trivial", text)
		}
	}
	o.Seed = 8
	if fmt.Sprint(all(o, 400)) == fmt.Sprint(short) {
		t.Error("the seed does not matter")
	}
	// Weights: only U and propositions, so only odd sizes.
	o.Weights = map[ltl.Op]int{}
	for op := ltl.OpFalse; op <= ltl.OpStrongRelease; op++ {
		o.Weights[op] = 0
	}
	o.Weights[ltl.OpUntil], o.Weights[ltl.OpProp] = 1, 1
	for _, text := range all(o, 100) {
		f := parse(t, s, text, ltl.Spot)
		if f.Ops() != ltl.Ops(ltl.OpUntil, ltl.OpProp) || f.Size()%2 == 0 {
			t.Errorf("%s has size %d and other operators than U", f, f.Size())
		}
	}
	o.MinSize, o.MaxSize = 4, 4
	if _, err := ltl.NewGenerator(o); err == nil || err.Error() != "random formulas: the weights allow no formula of size 4..4" {
		t.Errorf("size 4 with U alone: %v", err)
	}
}

// TestGeneratorExhausted: there are but two formulas to find.
func TestGeneratorExhausted(t *testing.T) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Props: []string{"a", "b"}, MinSize: 1, MaxSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := g.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Next(); err == nil || !strings.Contains(err.Error(), "no new formula in 10000 attempts after 2 formulas") {
		t.Errorf("got %v", err)
	}
}

func TestParseWeights(t *testing.T) {
	w, err := ltl.ParseWeights("X=0, <->=2,ap=7,and=1")
	if err != nil || len(w) != 4 || w[ltl.OpNext] != 0 || w[ltl.OpEquiv] != 2 || w[ltl.OpProp] != 7 || w[ltl.OpAnd] != 1 {
		t.Errorf("got %v, %v", w, err)
	}
	for _, text := range []string{"X", "Q=1", "X=-1", "X=a", "X=1,U=2,X=1"} {
		if _, err := ltl.ParseWeights(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
