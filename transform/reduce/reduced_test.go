package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// TestReducedTwice: what Reduce and Backward return is reduced, and Reduce returns it
// without what its text said; the results of other reductions it still reduces.
func TestReducedTwice(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	ctx, alphabet := context.Background(), omega.NewAlphabet("a", "b")
	edges := func(a *omega.Automaton) (text string) {
		text = fmt.Sprint(a.Initial(), a.Acceptance())
		for s := range omega.State(a.NumStates()) {
			text += fmt.Sprint(s, a.Edges(s))
		}
		return text
	}
	for range 300 {
		a := sample.Named(r, alphabet, r.IntN(3) == 0, "Buchi", "generalized-Buchi 2", "co-Buchi", "Rabin 1", "parity min even 3")
		for name, smaller := range map[string]func(context.Context, *omega.Automaton) (*omega.Automaton, error){
			"Reduce": reduce.Reduce, "Shrink": reduce.Backward} {
			b, err := smaller(ctx, a)
			if err != nil {
				t.Fatal(err)
			}
			b.Name, b.Declared.AccName = "name", "Buchi"
			c, err := reduce.Reduce(ctx, b)
			if err != nil {
				t.Fatal(err)
			}
			if edges(b) != edges(c) || c.Name != "" || c.Declared.AccName != "" || b.Name != "name" {
				t.Errorf("seed %d: %s: reduced again it is another automaton", seed, name)
			}
		}
	}
}
