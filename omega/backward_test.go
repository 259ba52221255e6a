package omega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/campaign"
)

// backwardByLetters is the definition, letter by letter: what is left when pairs that
// fail are taken out until none does.
func backwardByLetters(a *Automaton) [][]bool {
	n := a.NumStates()
	initial := make([]bool, n)
	for _, s := range a.start {
		initial[s] = true
	}
	by := make([][]bool, n)
	for p := range by {
		by[p] = make([]bool, n)
		for q := range by[p] {
			by[p][q] = !initial[p] || initial[q]
		}
	}
	d := a.dominance()
	answered := func(from, to, q State, e Edge, letter Label) bool {
		for s := range State(n) {
			for _, f := range a.Edges(s) {
				if f.Dst == q && by[from][s] && a.alphabet.Meet(f.Label, letter) && d.better(f.Marks, e.Marks) {
					return true
				}
			}
		}
		return false
	}
	fails := func(p, q State) bool {
		for s := range State(n) {
			for _, e := range a.Edges(s) {
				for _, letter := range twoProps(a.alphabet) {
					if e.Dst == p && a.alphabet.Meet(e.Label, letter) && !answered(s, p, q, e, letter) {
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
	n, related, merged, fewer := campaign.Inputs(t, 250), 0, 0, 0
	for i := range n {
		alphabet := NewAlphabet(props([]int{2, 7, 70}[i%3])...)
		acceptance, _ := NamedAcceptance([]string{"Buchi", "co-Buchi", "generalized-Buchi 2", "Rabin 1", "all"}[r.IntN(5)])
		a := overlapping(r, alphabet, acceptance, 1+r.IntN(7))
		turned := NewBuilderLike(a)
		a.turn(turned, budget.Free())
		s, want := turned.Automaton().simulationWithin(a.startingAlike(), budget.Free()), backwardByLetters(a)
		for p := range want {
			for q, w := range want[p] {
				if s.simulates(State(p), State(q)) != w {
					t.Fatalf("seed %d, automaton %d: %d is simulated backwards by %d: %v, want %v", seed, i, p, q, !w, w)
				}
				if w && p != q {
					related++
				}
			}
		}
		b := a.backward(newReducer(context.Background()))
		if b.NumStates() < a.NumStates() {
			merged++
		}
		if b.NumEdges() < a.NumEdges() {
			fewer++
		}
		what := fmt.Sprintf("seed %d, automaton %d", seed, i)
		sameLanguage(t, r, a, b, 5, what)
		c, err := Shrink(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		sameLanguage(t, r, a, c, 5, what)
	}
	if related < n/2 || merged < n/50 || fewer < n/10 {
		t.Errorf("%d pairs simulate each other backwards; %d automata have fewer states then, %d fewer edges", related, merged, fewer)
	}
}

// TestBackwardDeterministic: a deterministic automaton remains one.
func TestBackwardDeterministic(t *testing.T) {
	const seed = 16
	r := rand.New(rand.NewPCG(seed, 0))
	n := 0
	for i := range 3000 {
		alphabet := NewAlphabet("a", "b")
		a := overlapping(r, alphabet, Buchi(), 2+r.IntN(3))
		if !a.IsDeterministic() {
			continue
		}
		n++
		b, err := Shrink(t.Context(), a)
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
