package ltl_test

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// generator returns a generator of random formulas over the given propositions.
func generator(t testing.TB, seed uint64, props []string, low, high int) *ltl.Generator {
	t.Helper()
	return must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: low, MaxSize: high, KeepTrivial: true, KeepDuplicates: true}))
}

// pastGenerator has all operators, past operators too.
func pastGenerator(t testing.TB, seed uint64, props []string, low, high int) *ltl.Generator {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: low, MaxSize: high,
		KeepTrivial: true, KeepDuplicates: true, Past: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGeneratorExhausted: there are but two formulas to find.
func TestGeneratorExhausted(t *testing.T) {
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Props: []string{"a", "b"}, MinSize: 1, MaxSize: 1}))
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

// draw returns n formulas of the options.
func draw(t *testing.T, n int, o ltl.RandomOptions) []*ltl.Formula {
	t.Helper()
	g := must.Get(ltl.NewGenerator(o))
	var list []*ltl.Formula
	for range n {
		f := must.Get(g.Next())
		list = append(list, f)
	}
	return list
}

// only returns weights that allow the given operators of the future alone.
func only(ops ...ltl.Op) map[ltl.Op]int {
	weights := map[ltl.Op]int{}
	for op := ltl.OpFalse; op <= ltl.OpStrongRelease; op++ {
		if !slices.Contains(ops, op) {
			weights[op] = 0
		}
	}
	return weights
}

// TestGeneratorStays: the formulas of a seed are the same in every version, as
// people note seeds.
func TestGeneratorStays(t *testing.T) {
	abc := []string{"a", "b", "c"}
	for _, c := range []struct {
		o    ltl.RandomOptions
		want uint64
	}{
		{ltl.RandomOptions{Props: abc, MinSize: 1, MaxSize: 12}, 0x946ddb91de12bd87},
		{ltl.RandomOptions{Seed: 42, Props: abc, MinSize: 5, MaxSize: 40}, 0x75c06e2bf50418be},
		{ltl.RandomOptions{Seed: 1 << 63, Props: abc, MinSize: 3, MaxSize: 20, KeepTrivial: true, KeepDuplicates: true}, 0x3e3cf122baea520c},
		{ltl.RandomOptions{Props: abc, MinSize: 7, MaxSize: 7, Weights: map[ltl.Op]int{ltl.OpNext: 0, ltl.OpXor: 0, ltl.OpUntil: 9}}, 0x646b2c05f6748086},
		{ltl.RandomOptions{Props: abc, MinSize: 4, MaxSize: 9, Weights: only(ltl.OpProp, ltl.OpUntil)}, 0x7bd876abfdfcaf06},
		{ltl.RandomOptions{Props: abc, MinSize: 1, MaxSize: 15, Past: true}, 0x4ab8699cbcd5e6a3},
		{ltl.RandomOptions{Props: abc, MinSize: 5, MaxSize: 15, Boolean: true}, 0xcf951b97a33f8a81},
		{ltl.RandomOptions{Props: abc, MinSize: 1, MaxSize: 15, WeakFairness: true}, 0xe2bafb28774f57fb},
	} {
		h := fnv.New64a()
		for _, f := range draw(t, 1000, c.o) {
			io.WriteString(h, f.String()+"\n")
		}
		if got := h.Sum64(); got != c.want {
			t.Errorf("%+v: the formulas have changed: %#x, want %#x", c.o, got, c.want)
		}
	}
}

// checkFrequencies is a chi-squared test: it fails if frequencies as far from the
// expected ones as these have a probability below 1 in 10,000.
func checkFrequencies(t *testing.T, what string, counts, weights map[string]int) {
	t.Helper()
	total, sum, kinds := 0, 0, 0
	for key, w := range weights {
		total += counts[key]
		sum += w
		if w > 0 {
			kinds++
		}
	}
	stat := 0.0
	for key, w := range weights {
		expected := float64(total) * float64(w) / float64(sum)
		switch {
		case w == 0 && counts[key] > 0:
			t.Errorf("%s: %s occurs %d times, with weight 0", what, key, counts[key])
		case w > 0:
			d := float64(counts[key]) - expected
			stat += d * d / expected
		}
	}
	for key := range counts {
		if _, ok := weights[key]; !ok {
			t.Errorf("%s: there is no %s", what, key)
		}
	}
	// The quantile after Wilson and Hilferty (1931).
	k := float64(kinds - 1)
	v := 2 / (9 * k)
	if limit := k * math.Pow(1-v+3.719*math.Sqrt(v), 3); stat > limit {
		t.Errorf("%s: chi-squared is %.1f, above %.1f: %v for weights %v", what, stat, limit, counts, weights)
	}
}

// TestGeneratorFrequencies: sizes are uniform, propositions are, and operators
// come as often as their weights say, at the root among those with operands, and
// at the leaves.
func TestGeneratorFrequencies(t *testing.T) {
	abcd := []string{"a", "b", "c", "d"}
	n := campaign.Inputs(t, 10000)
	for _, c := range []struct {
		name string
		o    ltl.RandomOptions
	}{
		{"default", ltl.RandomOptions{}},
		{"past", ltl.RandomOptions{Past: true}},
		{"Boolean", ltl.RandomOptions{Boolean: true}},
		{"weights", ltl.RandomOptions{Weights: map[ltl.Op]int{ltl.OpUntil: 5, ltl.OpXor: 0, ltl.OpTrue: 3, ltl.OpProp: 9, ltl.OpNot: 2}}},
		{"past weights", ltl.RandomOptions{Past: true, Weights: map[ltl.Op]int{ltl.OpSince: 5, ltl.OpOnce: 0, ltl.OpFalse: 0}}},
		{"a weight of the past", ltl.RandomOptions{Weights: map[ltl.Op]int{ltl.OpYesterday: 4}}},
	} {
		o := c.o
		o.Seed, o.Props, o.KeepTrivial, o.KeepDuplicates = 3, abcd, true, true
		o.MinSize, o.MaxSize = 9, 9
		g := must.Get(ltl.NewGenerator(o))
		inner, leaf, props := map[string]int{}, map[string]int{}, map[string]int{}
		for op, w := range g.Weights() {
			if op.Arity() == 0 {
				leaf[op.String()] = w
			} else {
				inner[op.String()] = w
			}
		}
		for _, p := range abcd {
			props[p] = 1
		}
		roots, leaves, names := map[string]int{}, map[string]int{}, map[string]int{}
		for _, f := range draw(t, n, o) {
			roots[f.Op().String()]++
			for f.Op().Arity() > 0 {
				f = f.Left()
			}
			leaves[f.Op().String()]++
			if f.Op() == ltl.OpProp {
				names[f.Name()]++
			}
		}
		checkFrequencies(t, c.name+": operators", roots, inner)
		checkFrequencies(t, c.name+": leaves", leaves, leaf)
		checkFrequencies(t, c.name+": propositions", names, props)

		o.MinSize, o.MaxSize = 4, 11
		sizes, uniform := map[string]int{}, map[string]int{}
		for size := 4; size <= 11; size++ {
			uniform[strings.Repeat("I", size)] = 1
		}
		for _, f := range draw(t, n, o) {
			sizes[strings.Repeat("I", f.Size())]++
		}
		checkFrequencies(t, c.name+": sizes", sizes, uniform)
	}
}

// TestGeneratorKinds: what each option promises holds for all formulas, and what
// it allows occurs.
func TestGeneratorKinds(t *testing.T) {
	abc := []string{"a", "b", "c"}
	booleans := ltl.Ops(ltl.OpFalse, ltl.OpTrue, ltl.OpProp, ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor)
	used := func(list []*ltl.Formula) (ops ltl.OpSet, props []string) {
		for _, f := range list {
			ops |= f.Ops()
			for _, p := range f.Props() {
				if !slices.Contains(props, p) {
					props = append(props, p)
				}
			}
		}
		slices.Sort(props)
		return ops, props
	}
	for _, c := range []struct {
		name string
		o    ltl.RandomOptions
		ops  ltl.OpSet
	}{
		{"future", ltl.RandomOptions{}, 1<<16 - 1},
		{"past", ltl.RandomOptions{Past: true}, 1<<22 - 1},
		{"Boolean", ltl.RandomOptions{Boolean: true, Weights: map[ltl.Op]int{ltl.OpNext: 7, ltl.OpOnce: 1}}, booleans},
		{"fair", ltl.RandomOptions{WeakFairness: true}, 1<<16 - 1},
		{"simplified", ltl.RandomOptions{Simplify: ltl.LevelImplications}, (1<<16 - 1) &^ ltl.Ops(ltl.OpFalse, ltl.OpTrue, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor)},
	} {
		c.o.Seed, c.o.Props, c.o.MinSize, c.o.MaxSize = 11, abc, 4, 12
		list := draw(t, campaign.Inputs(t, 1500), c.o)
		ops, props := used(list)
		if ops&^c.ops != 0 || (c.ops&^ops != 0) {
			t.Errorf("%s: operators %v, want %v", c.name, ops, c.ops)
		}
		if !slices.Equal(props, abc) {
			t.Errorf("%s: propositions %v", c.name, props)
		}
		seen := map[string]bool{}
		for _, f := range list {
			if seen[f.String()] {
				t.Errorf("%s: %s comes twice", c.name, f)
			}
			seen[f.String()] = true
			if g := ltl.NewStore().Simplify(f); g.Op() == ltl.OpFalse || g.Op() == ltl.OpTrue {
				t.Errorf("%s: %s is trivial", c.name, f)
			}
		}
	}
}

// TestWeakFairness: behind a formula of the size that was asked for there are one
// to three conditions GF of different Boolean formulas.
func TestWeakFairness(t *testing.T) {
	o := ltl.RandomOptions{Seed: 4, Props: []string{"a", "b"}, MinSize: 5, MaxSize: 8, WeakFairness: true}
	counts := [4]int{}
	for _, f := range draw(t, 2000, o) {
		// A conjunction that was drawn may end with such conditions itself, so as few
		// are taken off as leave a size that was asked for.
		g, n := f, 0
		for ; g.Size() > o.MaxSize || n == 0; n++ {
			c := g.Right()
			if g.Op() != ltl.OpAnd || c.Op() != ltl.OpGlobally || c.Left().Op() != ltl.OpFinally {
				t.Fatalf("%s has no condition in %s", f, g)
			}
			b := c.Left().Left()
			if b.Ops()&^ltl.Ops(ltl.OpProp, ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor) != 0 || b.Size() > 5 {
				t.Fatalf("%s has the condition %s", f, c)
			}
			g = g.Left()
		}
		if n > 3 || g.Size() < o.MinSize {
			t.Fatalf("%s: %d conditions on %s", f, n, g)
		}
		counts[n]++
	}
	if counts[1] < 500 || counts[2] < 500 || counts[3] < 300 {
		t.Errorf("1, 2, 3 conditions: %v", counts[1:])
	}
}

// TestGeneratorSimplify: formula k is the one of the same seed, reduced.
func TestGeneratorSimplify(t *testing.T) {
	o := ltl.RandomOptions{Seed: 4, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 16, KeepTrivial: true, KeepDuplicates: true}
	plain := draw(t, campaign.Inputs(t, 1000), o)
	for level := ltl.LevelIdentities; level <= ltl.LevelImplications; level++ {
		o.Simplify = level
		for k, f := range draw(t, len(plain), o) {
			s := ltl.NewStore()
			if want := reduce(t, s, plain[k], level); s.Import(f) != want {
				t.Fatalf("level %d: formula %d is %s, want %s, of %s", level, k, f, want, plain[k])
			}
		}
	}
}

// TestGeneratorErrors: options that exclude each other, or have no formula.
func TestGeneratorErrors(t *testing.T) {
	for _, c := range []struct {
		o    ltl.RandomOptions
		want string
	}{
		{ltl.RandomOptions{Boolean: true, Past: true}, "Boolean formulas have no past operators"},
		{ltl.RandomOptions{Boolean: true, WeakFairness: true}, "Boolean formulas have no weak fairness conditions"},
		{ltl.RandomOptions{Simplify: 4}, "unknown simplification level 4: expected 0 to 3"},
		{ltl.RandomOptions{WeakFairness: true, Props: []string{}}, "weak fairness conditions need at least one proposition"},
		{ltl.RandomOptions{WeakFairness: true, Weights: map[ltl.Op]int{ltl.OpProp: 0}}, "weak fairness conditions need at least one proposition"},
		{ltl.RandomOptions{MinSize: -1}, "bad range of sizes -1..3"},
		{ltl.RandomOptions{MinSize: 2, MaxSize: 2, Weights: only(ltl.OpProp, ltl.OpUntil)}, "the weights allow no formula of size 2..2"},
	} {
		if c.o.Props == nil {
			c.o.Props = []string{"a"}
		}
		if c.o.MinSize == 0 {
			c.o.MinSize = 1
		}
		c.o.MaxSize = cmp.Or(c.o.MaxSize, 3)
		if _, err := ltl.NewGenerator(c.o); err == nil || err.Error() != "random formulas: "+c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestGeneratorStops: it can be ended while there is nothing to find.
func TestGeneratorStops(t *testing.T) {
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{MinSize: 10000, MaxSize: 10000}))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if f, err := g.NextContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", f, err)
	}
}

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
		f := must.Get(g.Next())
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
	only := must.Get(ltl.ParseSEREWeights("eword=0, fstar=0,fstar_b=0,star_b=0,first_match=0,and=0,andNLM=0,or=0,fusion=0"))
	o := ltl.RandomOptions{Props: []string{"a"}, MinSize: 10, MaxSize: 10, PSL: true, SEREWeights: only}
	g := must.Get(ltl.NewGenerator(o))
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
