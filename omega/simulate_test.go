package omega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/campaign"
)

// overlapping returns a random automaton with labels that are any function of two
// propositions, the first and the last of the alphabet.
func overlapping(r *rand.Rand, alphabet *Alphabet, acceptance Acceptance, n int) *Automaton {
	b := NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	b.AddStart(State(r.IntN(n)))
	density, marked := 0.5+1.5*r.Float64(), 0.1+0.5*r.Float64()
	for s := range State(n) {
		for t := range State(n) {
			if t != s+1 && r.Float64()*float64(n) > density {
				continue
			}
			label := alphabet.True()
			if r.IntN(3) > 0 {
				label = False
				for _, v := range twoProps(alphabet) {
					if r.IntN(2) == 0 {
						label = alphabet.Or(label, v)
					}
				}
			}
			var list []int
			for i := range acceptance.Sets {
				if r.Float64() < marked {
					list = append(list, i)
				}
			}
			b.AddEdge(s, label, b.Marks().Of(list...), t)
		}
	}
	return b.Automaton()
}

// twoProps returns the labels of the four valuations of the first proposition and
// the last.
func twoProps(alphabet *Alphabet) (list []Label) {
	p, q := alphabet.Prop(0), alphabet.Prop(alphabet.Len()-1)
	for v := range 4 {
		l, m := p, q
		if v&1 == 0 {
			l = alphabet.Not(l)
		}
		if v&2 == 0 {
			m = alphabet.Not(m)
		}
		list = append(list, alphabet.And(l, m))
	}
	return list
}

// simulationByLetters is the definition, letter by letter: what is left when pairs
// that fail are taken out until none does.
func simulationByLetters(a *Automaton) [][]bool {
	n := a.NumStates()
	by := make([][]bool, n)
	for p := range by {
		by[p] = make([]bool, n)
		for q := range by[p] {
			by[p][q] = true
		}
	}
	d := a.dominance()
	fails := func(p, q State) bool {
		for _, v := range twoProps(a.alphabet) {
			for _, e := range a.Edges(p) {
				ok := !a.alphabet.Meet(e.Label, v)
				for _, f := range a.Edges(q) {
					if a.alphabet.Meet(f.Label, v) && by[e.Dst][f.Dst] && d.better(f.Marks, e.Marks) {
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
func withoutFailures(by [][]bool, fails func(p, q State) bool) [][]bool {
	for changed := true; changed; {
		changed = false
		for p := range State(len(by)) {
			for q := range State(len(by)) {
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
		alphabet := NewAlphabet(props([]int{2, 7, 70}[i%3])...)
		acceptance, _ := NamedAcceptance([]string{"Buchi", "co-Buchi", "generalized-Buchi 2", "Rabin 1", "all"}[r.IntN(5)])
		a := overlapping(r, alphabet, acceptance, 1+r.IntN(9))
		s, want := a.simulation(budget.Free()), simulationByLetters(a)
		for p := range want {
			for q, w := range want[p] {
				if s.simulates(State(p), State(q)) != w {
					t.Fatalf("seed %d, automaton %d: %d is simulated by %d: %v, want %v", seed, i, p, q, !w, w)
				}
				if w && p != q {
					related++
				}
			}
		}
		w := newReducer(context.Background())
		sameLanguage(t, r, a, a.simulated(w), 5, fmt.Sprintf("seed %d, automaton %d", seed, i))
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
	for i := range 20000 {
		alphabet := NewAlphabet(props([]int{3, 8, 66}[i%3])...)
		// Three propositions, of which one has no bit among the literals.
		random := func() Label {
			l := False
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
		edge, sum, plain := random(), False, false
		o.open(alphabet, edge)
		for range r.IntN(6) {
			l := random()
			sum = alphabet.Or(sum, l)
			plain = o.add(l)
			if plain {
				break
			}
		}
		want := alphabet.And(edge, alphabet.Not(sum)) == False
		if o.all() != want || plain && !want {
			t.Fatalf("seed %d, %d: all letters answered: %v, want %v", seed, i, o.all(), want)
		}
		if want {
			yes++
		}
	}
	if yes < 4000 || yes > 16000 {
		t.Errorf("%d of 20000 are answered: the test is one-sided", yes)
	}
}

// TestSimulationBudget: when the budget is used up, there is no result, and that is
// no error.
func TestSimulationBudget(t *testing.T) {
	a := path(100)
	w := newReducer(context.Background())
	if w.attempt(a, 1000, func(v *budget.Budget) { a.simulation(v) }) || w.Err() != nil {
		t.Errorf("%v", w.Err())
	}
}
