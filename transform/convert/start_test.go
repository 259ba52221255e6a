package convert_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// TestOneStart: one initial state, and the same words.
func TestOneStart(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	for i := range 200 {
		n := 1 + r.IntN(5)
		sets := r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)}
		from := random.Automaton(r, alphabet, acceptance, random.Options{States: n, Density: 0.5, Marks: 0.4})
		b := omega.NewBuilder(alphabet, acceptance)
		b.AddStates(n)
		for s := range omega.State(n) {
			if r.IntN(2) == 0 {
				b.AddStart(s)
			}
			for _, e := range from.Edges(s) {
				b.AddEdge(s, e.Label, e.Marks, e.Dst)
			}
		}
		a := b.Automaton()
		one, err := convert.OneStart(a)
		if err != nil || len(one.Initial()) != 1 {
			t.Fatalf("seed %d, automaton %d: initial states %v (%v)", seed, i, one.Initial(), err)
		}
		for range 30 {
			w := random.Word(r, alphabet, 3, 3)
			x, _ := a.Accepts(context.Background(), w)
			y, _ := one.Accepts(context.Background(), w)
			if x != y {
				t.Fatalf("seed %d, automaton %d: word %s: %v with one initial state, %v with %d", seed, i, w, y, x, len(a.Initial()))
			}
		}
	}
}
