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

// simulationByLetters is the definition, letter by letter: what is left when pairs
// that fail are taken out until none does.
func simulationByLetters(a *omega.Automaton) [][]bool {
	n := a.NumStates()
	by := make([][]bool, n)
	for p := range by {
		by[p] = make([]bool, n)
		for q := range by[p] {
			by[p][q] = true
		}
	}
	d := dominance.Of(a)
	fails := func(p, q omega.State) bool {
		for _, v := range sample.TwoProps(a.Alphabet()) {
			for _, e := range a.Edges(p) {
				ok := !a.Alphabet().Meet(e.Label, v)
				for _, f := range a.Edges(q) {
					if a.Alphabet().Meet(f.Label, v) && by[e.Dst][f.Dst] && d.Better(f.Marks, e.Marks) {
						ok = true
					}
				}
				if !ok {
					return true
				}
			}
		}
		return false
	}
	return withoutFailures(by, fails)
}

// withoutFailures takes pairs that fail out of a relation until none does.
func withoutFailures(by [][]bool, fails func(p, q omega.State) bool) [][]bool {
	for changed := true; changed; {
		changed = false
		for p := range omega.State(len(by)) {
			for q := range omega.State(len(by)) {
				if by[p][q] && fails(p, q) {
					by[p][q], changed = false, true
				}
			}
		}
	}
	return by
}

// TestSimulation compares the worklist with the definition.
func TestSimulation(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	related := 0
	for i := range campaign.Inputs(t, 1000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{2, 7, 70}[i%3])...)
		acceptance, _ := omega.NamedAcceptance([]string{"Buchi", "co-Buchi", "generalized-Buchi 2", "Rabin 1", "all"}[r.IntN(5)])
		a := sample.Overlapping(r, alphabet, acceptance, 1+r.IntN(9))
		s, want := simulate(a, budget.Free()), simulationByLetters(a)
		for p := range want {
			for q, w := range want[p] {
				if s.simulates(omega.State(p), omega.State(q)) != w {
					t.Fatalf("seed %d, automaton %d: %d is simulated by %d: %v, want %v", seed, i, p, q, !w, w)
				}
				if w && p != q {
					related++
				}
			}
		}
		w := newReducer(context.Background())
		sameLanguage(t, r, a, simulated(a, w), 5, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
	if related < 1000 {
		t.Errorf("only %d pairs simulate each other", related)
	}
}

// TestAnswered compares the glances at labels with what the labels are, for
// labels that are cubes and others.
func TestAnswered(t *testing.T) {
	const seed = 6
	r := rand.New(rand.NewPCG(seed, 0))
	yes := 0
	for i := range campaign.Inputs(t, 20000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{3, 8, 66}[i%3])...)
		// Three propositions, of which one has no bit among the literals.
		random := func() omega.Label {
			l := omega.False
			for range 1 + r.IntN(2) {
				cube := alphabet.True()
				for _, p := range []int{0, 1, alphabet.Len() - 1} {
					switch r.IntN(4) {
					case 0:
						cube = alphabet.And(cube, alphabet.Prop(p))
					case 1:
						cube = alphabet.And(cube, alphabet.Not(alphabet.Prop(p)))
					}
				}
				l = alphabet.Or(l, cube)
			}
			return l
		}
		var o answered
		edge, sum, plain := random(), omega.False, false
		o.open(alphabet, edge)
		for range r.IntN(6) {
			l := random()
			sum = alphabet.Or(sum, l)
			plain = o.add(l)
			if plain {
				break
			}
		}
		want := alphabet.And(edge, alphabet.Not(sum)) == omega.False
		if o.all() != want || plain && !want {
			t.Fatalf("seed %d, %d: all letters answered: %v, want %v", seed, i, o.all(), want)
		}
		if want {
			yes++
		}
	}
	if yes < campaign.Inputs(t, 4000) || yes > campaign.Inputs(t, 16000) {
		t.Errorf("%d are answered: the test is one-sided", yes)
	}
}

// TestSimulationBudget: when the budget is used up, there is no result, and that is
// no error.
func TestSimulationBudget(t *testing.T) {
	a := Path(100)
	w := newReducer(context.Background())
	if w.attempt(a, 1000, func(v *budget.Budget) { simulate(a, v) }) || w.Err() != nil {
		t.Errorf("%v", w.Err())
	}
}

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
