package reduce

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A duel is a position of the game of delayed simulation: Spoiler is to move from
// p, if move is nil, or else Duplicator is to answer move on the letter.
type duel struct {
	p, q   omega.State
	owing  bool
	letter int
	move   *omega.Edge
}

// delayedByGame solves the game as textbooks do: the positions of the graph that
// Duplicator can't force into one without debt are lost for him, with all from
// which Spoiler can force a lost one. This repeats until no more are lost.
func delayedByGame(a *omega.Automaton) [][]bool {
	next := make(map[duel][]duel)
	letters := sample.TwoProps(a.Alphabet())
	n := a.NumStates()
	for p := range omega.State(n) {
		for q := range omega.State(n) {
			for _, owing := range []bool{false, true} {
				from := duel{p: p, q: q, owing: owing}
				next[from] = nil
				for v, letter := range letters {
					for i, e := range a.Edges(p) {
						if !a.Alphabet().Meet(letter, e.Label) {
							continue
						}
						mid := duel{p, q, owing, v, &a.Edges(p)[i]}
						next[from] = append(next[from], mid)
						next[mid] = nil
						for _, f := range a.Edges(q) {
							if a.Alphabet().Meet(letter, f.Label) {
								next[mid] = append(next[mid], duel{p: e.Dst, q: f.Dst, owing: (owing || e.Marks != 0) && f.Marks == 0})
							}
						}
					}
				}
			}
		}
	}
	// forced returns from where one of the players can force the play, in at least
	// no steps, into goal, where positions outside alive don't exist.
	forced := func(duplicator bool, alive map[duel]bool, goal func(duel) bool) map[duel]bool {
		won := make(map[duel]bool)
		for changed := true; changed; {
			changed = false
			for d := range alive {
				if won[d] {
					continue
				}
				some, all := false, true
				for _, e := range next[d] {
					if alive[e] {
						some, all = some || won[e], all && won[e]
					}
				}
				// Duplicator moves where there is a move to answer. Who can't move
				// has lost.
				mine := (d.move != nil) == duplicator
				if goal(d) || mine && some || !mine && all {
					won[d], changed = true, true
				}
			}
		}
		return won
	}
	alive := make(map[duel]bool)
	for d := range next {
		alive[d] = true
	}
	for {
		good := forced(true, alive, func(d duel) bool { return d.move == nil && !d.owing })
		lost := make(map[duel]bool)
		for d := range alive {
			if !good[d] {
				lost[d] = true
			}
		}
		if len(lost) == 0 {
			break
		}
		for d := range forced(false, alive, func(d duel) bool { return lost[d] }) {
			delete(alive, d)
		}
	}
	by := make([][]bool, n)
	for p := range by {
		for q := range n {
			by[p] = append(by[p], alive[duel{p: omega.State(p), q: omega.State(q)}])
		}
	}
	return by
}

// TestDelayedSimulation compares the two fixpoints with the game.
func TestDelayedSimulation(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	related, direct := 0, 0
	for i := range 600 {
		alphabet := omega.NewAlphabet(sample.Props([]int{2, 7}[i%2])...)
		a := sample.Overlapping(r, alphabet, omega.Buchi(), 1+r.IntN(5))
		name := fmt.Sprintf("seed %d, automaton %d", seed, i)
		got, want, s := simulateDelayed(a, complete(a), budget.Free()), delayedByGame(a), simulate(a, budget.Free())
		for p := range want {
			for q, w := range want[p] {
				p, q := omega.State(p), omega.State(q)
				if got.has(p, q) != w {
					t.Fatalf("%s: %d is simulated by %d: %v, want %v", name, p, q, !w, w)
				}
				if s.simulates(p, q) && !w {
					t.Fatalf("%s: %d is simulated by %d directly, but not with delay", name, p, q)
				}
				if w && p != q {
					related++
					if s.simulates(p, q) {
						direct++
					}
				}
			}
		}
	}
	if related < direct+300 {
		t.Errorf("%d pairs, of which %d simulate each other directly", related, direct)
	}
}

// TestDelayedQuotient compares the quotient with membership.
func TestDelayedQuotient(t *testing.T) {
	const seed = 8
	r := rand.New(rand.NewPCG(seed, 0))
	merged := 0
	for i := range campaign.Inputs(t, 6000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{2, 7}[i%2])...)
		a := sample.Overlapping(r, alphabet, omega.Buchi(), 1+r.IntN(8))
		b := delayed(a, newReducer(context.Background()))
		if b.NumStates() < a.NumStates() {
			merged++
			sameLanguage(t, r, a, b, 20, fmt.Sprintf("seed %d, automaton %d", seed, i))
		}
	}
	if merged < campaign.Inputs(t, 1400) {
		t.Errorf("states were merged in %d automata only", merged)
	}
}

// TestDelayedKnown: a state waits for a and then takes one of two paths of equal
// length back to itself. One path has the mark on each edge, and the other on
// its last edge only. With delay, the paths are equivalent; without, they are
// not.
func TestDelayedKnown(t *testing.T) {
	for _, n := range []int{2, 5, 50} {
		alphabet := omega.NewAlphabet("a", "b")
		p, q := alphabet.Prop(0), alphabet.Prop(1)
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(1 + 2*n)
		b.AddStart(0)
		b.AddEdge(0, alphabet.Not(p), 0, 0)
		b.AddEdge(0, alphabet.And(p, q), 0, 1)
		b.AddEdge(0, alphabet.And(p, alphabet.Not(q)), 0, omega.State(1+n))
		for i := range n - 1 {
			b.AddEdge(omega.State(1+i), alphabet.True(), 1, omega.State(2+i))
			b.AddEdge(omega.State(1+n+i), alphabet.True(), 0, omega.State(2+n+i))
		}
		b.AddEdge(omega.State(n), alphabet.True(), 1, 0)
		b.AddEdge(omega.State(2*n), alphabet.True(), 1, 0)
		a := b.Automaton()
		direct := simulated(quotient(a, unbounded()), unbounded())
		if direct.NumStates() != 2*n {
			t.Errorf("paths of %d: %d states after direct simulation, want %d", n, direct.NumStates(), 2*n)
		}
		got, err := Reduce(context.Background(), a)
		if err != nil || got.NumStates() != n+1 {
			t.Errorf("paths of %d: %v; %d states, want %d", n, err, got.NumStates(), n+1)
		}
	}
}

// simulationByLetters is the definition, letter by letter: what is left of some pairs when those
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
		// Three propositions. One has no bit among the literals.
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
