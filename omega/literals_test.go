package omega_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// TestLiterals: a label has the literals that it implies.
func TestLiterals(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for _, n := range []int{0, 1, 4, 6, 7, 12} {
		var props []string
		for i := range n {
			props = append(props, fmt.Sprint("p", i))
		}
		a := omega.NewAlphabet(props...)
		for range 200 {
			l := omega.False
			for range r.IntN(4) {
				pos := r.Uint64() & (1<<n - 1)
				l = a.Or(l, a.Cube(pos, r.Uint64()&(1<<n-1)&^pos))
			}
			pos, neg := a.Literals(l)
			for i := range n {
				if pos>>i&1 != 0 != a.Implies(l, a.Prop(i)) || neg>>i&1 != 0 != a.Implies(l, a.Not(a.Prop(i))) {
					t.Fatalf("seed %d, %d propositions: literals %b and %b do not fit proposition %d", seed, n, pos, neg, i)
				}
			}
		}
	}
}
