package emptiness_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestCopiedComponents: of edges that differ in their labels only, the copy of a
// component has one. The ring has a hundred between any two states, which take 6 MB
// while they are on the path of the search; a copy of them all would take 2 MB more.
func TestCopiedComponents(t *testing.T) {
	const n, parallel = 2000, 100
	acceptance, err := omega.NamedAcceptance("Streett 2")
	if err != nil {
		t.Fatal(err)
	}
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "e", "f", "g")
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	for s := range omega.State(n) {
		for i := range parallel {
			letter := make(omega.Letter, alphabet.Len())
			for k := range letter {
				letter[k] = i>>k&1 != 0
			}
			b.AddEdge(s, alphabet.LetterLabel(letter), b.Marks().Of(0), (s+1)%n)
		}
	}
	r, err := emptiness.Check(context.Background(), b.Automaton(), emptiness.Limits{Memory: 6_750_000})
	if err != nil || !r.Empty() {
		t.Errorf("%+v, %v; want an empty automaton", r, err)
	}
}
