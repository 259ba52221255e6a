package random_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
)

func Example() {
	g := random.New(random.Default, 1)
	for range 5 {
		f, err := g.Next(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(f)
	}
	// Output:
	// p4 U p0 U !p4
	// p1 M (p1 & !p3)
	// X(p0 W X(p0 & p1))
	// p1 | p4 W (p2 | p0) & p0
	// (p3 & p1) U p0 U (p2 & p0)
}

// first returns the first n formulas of a generator.
func first(t *testing.T, p random.Profile, seed uint64, n int) (list []*ltl.Formula) {
	t.Helper()
	g := random.New(p, seed)
	for range n {
		f := must.Get(g.Next(context.Background()))
		list = append(list, f)
	}
	return list
}

// A formula depends on the profile, the seed and its number alone.
func TestSameSeed(t *testing.T) {
	for _, p := range random.Profiles() {
		short, long := first(t, p, 7, 50), first(t, p, 7, 100)
		other := first(t, p, 8, 50)
		same := 0
		for k, f := range short {
			if f.String() != long[k].String() {
				t.Errorf("%s: formula %d is %v, and %v in a longer list", p, k, f, long[k])
			}
			if f.String() == other[k].String() {
				same++
			}
		}
		if same > 25 {
			t.Errorf("%s: another seed gives %d of 50 formulas again", p, same)
		}
	}
}

// No formula is trivial, or like an earlier one.
func TestNew(t *testing.T) {
	n := campaign.Inputs(t, 3000)
	for _, p := range random.Profiles() {
		seen := map[[16]byte]*ltl.Formula{}
		constants := 0
		for k, f := range first(t, p, 1, n) {
			if was := seen[random.Key(f)]; was != nil {
				t.Fatalf("%s: formula %d, %v, is like %v", p, k, f, was)
			}
			seen[random.Key(f)] = f
			if f.Ops().Has(ltl.OpTrue) || f.Ops().Has(ltl.OpFalse) {
				constants++
			} else if random.Trivial(f) {
				t.Errorf("%s: formula %d, %v, is trivial", p, k, f)
			}
		}
		if constants*10 > n {
			t.Errorf("%s: %d of %d formulas have constants, expected a few", p, constants, n)
		}
	}
}

// The formulas cross the thresholds that the package names.
func TestSpread(t *testing.T) {
	sizes, props, ops := map[int]int{}, map[int]int{}, map[ltl.Op]int{}
	for _, f := range first(t, random.Default, 1, 3000) {
		sizes[f.Size()/10]++
		props[len(f.Props())]++
		for op := ltl.OpNot; op <= ltl.OpStrongRelease; op++ {
			if f.Ops().Has(op) {
				ops[op]++
			}
		}
	}
	for _, tens := range []int{0, 1, 2, 3} {
		if sizes[tens] < 30 {
			t.Errorf("%d formulas have sizes from %d to %d", sizes[tens], 10*tens, 10*tens+9)
		}
	}
	for n := 1; n <= 6; n++ {
		if props[n] < 20 {
			t.Errorf("%d formulas have %d propositions", props[n], n)
		}
	}
	for op := ltl.OpNot; op <= ltl.OpStrongRelease; op++ {
		if ops[op] < 150 || ops[op] > 2850 {
			t.Errorf("%d of 3000 formulas have the operator %v", ops[op], op)
		}
	}
}

// Formulas that differ in names, negation or trivial rewriting have the same key.
func TestKey(t *testing.T) {
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{"GFa", "GFb", true},
		{"GFa", "!GFa", true},
		{"GFa", "FG!a", true},
		{"GFa", "FGa", false},
		{"a U b", "b U a", true},
		{"a & a", "c", true},
		{"a U b", "a W b", false},
		{"G(a -> Fb)", "G(!a | Fb)", true},
	} {
		s := ltl.NewStore()
		a, err1 := s.Parse(x.a, ltl.Spot)
		b, err2 := s.Parse(x.b, ltl.Spot)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if same := random.Key(a) == random.Key(b); same != x.same {
			t.Errorf("%s and %s have the same key: %t", x.a, x.b, same)
		}
	}
}
