package reduce

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/internal/dominance"
)

// backwardByLetters is the definition, letter by letter: what is left when pairs that
// fail are taken out until none does.
func backwardByLetters(a *omega.Automaton) [][]bool {
	n := a.NumStates()
	initial := make([]bool, n)
	for _, s := range a.Initial() {
		initial[s] = true
	}
	by := make([][]bool, n)
	for p := range by {
		by[p] = make([]bool, n)
		for q := range by[p] {
			by[p][q] = !initial[p] || initial[q]
		}
	}
	d := dominance.Of(a)
	answered := func(from, to, q omega.State, e omega.Edge, letter omega.Label) bool {
		for s := range omega.State(n) {
			for _, f := range a.Edges(s) {
				if f.Dst == q && by[from][s] && a.Alphabet().Meet(f.Label, letter) && d.Better(f.Marks, e.Marks) {
					return true
				}
			}
		}
		return false
	}
	fails := func(p, q omega.State) bool {
		for s := range omega.State(n) {
			for _, e := range a.Edges(s) {
				for _, letter := range sample.TwoProps(a.Alphabet()) {
					if e.Dst == p && a.Alphabet().Meet(e.Label, letter) && !answered(s, p, q, e, letter) {
						return true
					}
				}
			}
		}
		return false
	}
	return withoutFailures(by, fails)
}

// TestBackward compares the simulation backwards with its definition, and the
// languages before and after on words.
func TestBackward(t *testing.T) {
	const seed = 15
	r := rand.New(rand.NewPCG(seed, 0))
	n, related, merged, fewer := campaign.Inputs(t, 600), 0, 0, 0
	for i := range n {
		alphabet := omega.NewAlphabet(sample.Props([]int{2, 7, 70}[i%3])...)
		acceptance, _ := omega.NamedAcceptance([]string{"Buchi", "co-Buchi", "generalized-Buchi 2", "Rabin 1", "all"}[r.IntN(5)])
		a := sample.Overlapping(r, alphabet, acceptance, 1+r.IntN(7))
		turned := omega.NewBuilderLike(a)
		turn(a, turned, budget.Free())
		s, want := simulateWithin(turned.Automaton(), startingAlike(a), budget.Free()), backwardByLetters(a)
		for p := range want {
			for q, w := range want[p] {
				if s.simulates(omega.State(p), omega.State(q)) != w {
					t.Fatalf("seed %d, automaton %d: %d is simulated backwards by %d: %v, want %v", seed, i, p, q, !w, w)
				}
				if w && p != q {
					related++
				}
			}
		}
		b := backward(a, newReducer(context.Background()))
		if b.NumStates() < a.NumStates() {
			merged++
		}
		if b.NumEdges() < a.NumEdges() {
			fewer++
		}
		what := fmt.Sprintf("seed %d, automaton %d", seed, i)
		sameLanguage(t, r, a, b, 5, what)
		c, err := Backward(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		sameLanguage(t, r, a, c, 5, what)
	}
	if related < n/2 || merged < n/100 || fewer < n/10 {
		t.Errorf("%d pairs simulate each other backwards; %d automata have fewer states then, %d fewer edges", related, merged, fewer)
	}
}

// TestBackwardDeterministic: a deterministic automaton remains one.
func TestBackwardDeterministic(t *testing.T) {
	const seed = 16
	r := rand.New(rand.NewPCG(seed, 0))
	n := 0
	for i := range campaign.Inputs(t, 3000) {
		alphabet := omega.NewAlphabet("a", "b")
		a := sample.Overlapping(r, alphabet, omega.Buchi(), 2+r.IntN(3))
		if !a.IsDeterministic() {
			continue
		}
		n++
		b, err := Backward(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if !b.IsDeterministic() {
			t.Fatalf("seed %d, automaton %d is not deterministic any more", seed, i)
		}
	}
	if n < 20 {
		t.Errorf("only %d automata were deterministic", n)
	}
}
