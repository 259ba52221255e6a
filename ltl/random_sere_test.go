package ltl_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// pslGenerator makes formulas with expressions, constants and trivial ones included.
func pslGenerator(t *testing.T, seed uint64, low, high int) *ltl.Generator {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: seed, Props: []string{"a", "b", "c"}, MinSize: low, MaxSize: high, PSL: true, KeepTrivial: true,
		Weights: map[ltl.Op]int{ltl.OpClosure: 3, ltl.OpSuffixConjunction: 4, ltl.OpSuffixImplication: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRandomPSL: formulas have the sizes that were asked for, all kinds of expressions occur, and
// every notation is read as the formula that was written.
func TestRandomPSL(t *testing.T) {
	const seed = 2
	g := pslGenerator(t, seed, 1, 30)
	var ops ltl.OpSet
	kinds := map[ltl.SEREOp]int{}
	for i := range campaign.Inputs(t, 1000) {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		if f.Size() > 30 {
			t.Errorf("seed %d, formula %d: size %d: %s", seed, i, f.Size(), f)
		}
		ops |= f.Ops()
		for _, h := range f.Subformulas() {
			if r := h.SERE(); r != nil {
				countSERE(r, kinds)
			}
		}
		s := ltl.NewStore()
		want := s.Import(f)
		for _, text := range []string{f.String(), f.Text(ltl.UTF8, false), f.Text(ltl.Letters, true)} {
			if g, err := s.Parse(text, ltl.Spot); err != nil || g != want {
				t.Fatalf("seed %d, formula %d: %s is read as %v, %v", seed, i, text, g, err)
			}
		}
	}
	if ops&ltl.PSLOps != ltl.PSLOps || len(kinds) != 10 {
		t.Errorf("seed %d: operators %s, %d operators of expressions", seed, ops, len(kinds))
	}
}

func countSERE(r *ltl.SERE, kinds map[ltl.SEREOp]int) {
	kinds[r.Op()]++
	for _, q := range []*ltl.SERE{r.Left(), r.Right()} {
		if q != nil {
			countSERE(q, kinds)
		}
	}
}

func TestSEREWeights(t *testing.T) {
	only, err := ltl.ParseSEREWeights("eword=0, fstar=0,fstar_b=0,star_b=0,first_match=0,and=0,andNLM=0,or=0,fusion=0")
	if err != nil {
		t.Fatal(err)
	}
	o := ltl.RandomOptions{Props: []string{"a"}, MinSize: 10, MaxSize: 10, PSL: true, SEREWeights: only}
	g, err := ltl.NewGenerator(o)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[ltl.SEREOp]int{}
	for range 200 {
		f, _ := g.Next()
		for _, h := range f.Subformulas() {
			if r := h.SERE(); r != nil {
				countSERE(r, kinds)
			}
		}
	}
	want := []ltl.SEREOp{ltl.SERELetter, ltl.SEREConcat, ltl.SEREStar}
	if got := slices.Sorted(maps.Keys(kinds)); !slices.Equal(got, want) {
		t.Errorf("got the operators %v, want %v", got, want)
	}
	for _, text := range []string{"x=1", "star", "star=-1", "star=1,star=2"} {
		if _, err := ltl.ParseSEREWeights(text); err == nil || !strings.Contains(err.Error(), "weight") {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, o := range []ltl.RandomOptions{
		{Props: []string{"a"}, MinSize: 1, MaxSize: 5, SEREWeights: only},
		{Props: []string{"a"}, MinSize: 1, MaxSize: 5, Weights: map[ltl.Op]int{ltl.OpClosure: 1}},
		{Props: []string{"a"}, MinSize: 1, MaxSize: 5, PSL: true, Boolean: true},
		{MinSize: 1, MaxSize: 5, PSL: true, Weights: map[ltl.Op]int{ltl.OpFalse: 0, ltl.OpTrue: 0},
			SEREWeights: map[ltl.SEREKind]int{ltl.RandomEmptyWord: 0}},
	} {
		if _, err := ltl.NewGenerator(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
