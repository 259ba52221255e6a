package emptiness_test

import (
	"context"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// sequence returns the lengths of the runs γ0, γ1, … of Gastin, Moro, Zeitoun
// 2004, section 3.3, by definition: of all simple accepting runs in lexicographic
// order, those that are shorter than all before (and than bound, if it is not 0).
func sequence(a *omega.Automaton, bound int) (lengths []int) {
	place := make([]int, a.NumStates())
	var accepting []bool // by edge of the path
	var walk func(s omega.State)
	walk = func(s omega.State) {
		place[s] = len(accepting) + 1
		for _, e := range a.Edges(s) {
			accepting = append(accepting, e.Marks != 0)
			if p := place[e.Dst]; p == 0 {
				walk(e.Dst)
			} else if n := len(accepting); slices.Contains(accepting[p-1:], true) && (bound == 0 || n < bound) {
				lengths, bound = append(lengths, n), n
			}
			accepting = accepting[:len(accepting)-1]
		}
		place[s] = 0
	}
	for _, s := range a.Initial() {
		walk(s)
	}
	return lengths
}

// printed is Algorithm 2 as it is printed, with the bounded variant of section 3.4
// as printed, too. Lengths are counted in states there: that is one more.
func printed(a *omega.Automaton, bound int) (lengths []int) {
	depth := make([]int, a.NumStates())
	place := make([]int, a.NumStates())
	var accepting []bool
	mce := 0
	var visit func(s omega.State, careful bool)
	visit = func(s omega.State, careful bool) {
		cp := len(accepting) + 1
		place[s] = cp
		if depth[s] == 0 || cp < depth[s] {
			depth[s] = cp
		}
		for _, e := range a.Edges(s) {
			t := e.Dst
			if mce == 0 && (bound == 0 || cp+1 < bound+1) || mce > 0 && cp+1 < mce {
				accepting = append(accepting, e.Marks != 0)
				if p := place[t]; p > 0 {
					if slices.Contains(accepting[p-1:], true) {
						mce = cp + 1
						lengths = append(lengths, cp)
					}
				} else if careful || e.Marks != 0 {
					visit(t, true)
				} else if depth[t] == 0 {
					visit(t, careful)
				} else if depth[t] > cp+1 && mce > 0 {
					visit(t, true)
				}
				accepting = accepting[:len(accepting)-1]
			}
		}
		place[s] = 0
	}
	for _, s := range a.Initial() {
		visit(s, false)
	}
	return lengths
}

// TestDFSMinSequence: DFS_MIN finds just the runs that Proposition 6 says, as
// printed and as it is here; with a bound, the one here does.
func TestDFSMinSequence(t *testing.T) {
	r, seed, number := seeded(t, 3, 3000)
	missed, long := 0, 0
	for i := range number {
		n := 1 + r.IntN(7)
		a := random.Automaton(r, omega.NewAlphabet(), omega.Buchi(), random.Options{
			States: n, Density: 1.3 / float64(n), Marks: 0.15, StateMarks: i%2 == 0})
		for bound := range 6 {
			want := sequence(a, bound)
			var got []int
			m := emptiness.Minimizer{Algorithm: emptiness.ByGMZMin, Fresh: true, Bound: bound,
				Found: func(r *emptiness.Run) { got = append(got, r.Size()) }}
			if _, err := m.Run(context.Background(), a); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, automaton %d, bound %d: lengths %v, want %v", seed, i, bound, got, want)
			}
			as := printed(a, bound)
			if bound == 0 && !slices.Equal(as, want) {
				t.Fatalf("seed %d, automaton %d: lengths as printed %v, want %v", seed, i, as, want)
			}
			if len(as) == 0 && len(want) > 0 {
				missed++
			}
			if len(want) > 1 {
				long++
			}
		}
	}
	if missed == 0 || long < number/30 {
		t.Errorf("seed %d: the bounded variant as printed missed %d runs, %d sequences are longer than one", seed, missed, long)
	}
	t.Logf("as printed, a bound lost all runs %d times", missed)
}

// TestPrintedBound is a small automaton on which the bounded variant as printed
// finds nothing: it meets state 2 after state 1, where the bound does not let it
// go on, and does not look at it again after state 0, as there is no run yet.
func TestPrintedBound(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(4)
	b.AddStart(0)
	for _, e := range [][2]omega.State{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 3}} {
		marks := omega.Marks(0)
		if e[0] == 3 {
			marks = b.Marks().Of(0)
		}
		b.AddEdge(e[0], b.Alphabet().True(), marks, e[1])
	}
	a := b.Automaton()
	const bound = 4
	if got := printed(a, bound); len(got) != 0 {
		t.Errorf("as printed: %v", got)
	}
	m := emptiness.Minimizer{Algorithm: emptiness.ByGMZMin, Fresh: true, Bound: bound}
	if r, err := m.Run(context.Background(), a); err != nil || r.Run == nil || r.Run.Size() != 3 {
		t.Errorf("%+v, %v: want a run of length 3", r, err)
	}
}

// printedQueue is Algorithm 7 of Gastin and Moro 2007 as it is printed, on an
// automaton with marks on states: how many entries its queue has in the end.
func printedQueue(a *omega.Automaton, r omega.State, depth []int, maxdepth int) int {
	flag := make([]bool, a.NumStates())
	entries, loop := 0, false
	type entry struct {
		state omega.State
		n     int
	}
	queue := []entry{{r, 0}}
	flag[r] = true
	if depth[r] < maxdepth {
		entries++
	}
	for len(queue) > 0 {
		s, n := queue[0].state, queue[0].n
		queue = queue[1:]
		if n+1 >= maxdepth {
			break
		}
		for _, e := range a.Edges(s) {
			if t := e.Dst; !flag[t] {
				queue = append(queue, entry{t, n + 1})
				flag[t] = true
				if depth[t]+n+1 < maxdepth && depth[t] < depth[s] {
					entries++
				}
				loop = loop || t == r
				if t == r && depth[t]+n+1 < maxdepth {
					maxdepth = depth[t] + n + 1
				}
			}
		}
	}
	if !loop {
		return 0
	}
	return entries
}

// TestPrintedQueue: as printed, the queue is empty even for a state on a cycle, as
// its flag is set before it is met again. So no run is found; here, one is.
func TestPrintedQueue(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(2)
	b.AddStart(0)
	b.AddEdge(0, b.Alphabet().True(), b.Marks().Of(0), 1)
	b.AddEdge(1, b.Alphabet().True(), 0, 0)
	a := b.Automaton()
	if n := printedQueue(a, 0, []int{0, 1}, 100); n != 0 {
		t.Errorf("as printed: %d entries", n)
	}
	r, err := (&emptiness.Minimizer{Without: emptiness.All &^ emptiness.NeedLoop}).Run(context.Background(), a)
	if err != nil || r.Run == nil || r.Run.Size() != 2 || r.Queued == 0 {
		t.Errorf("%+v, %v: want a run of length 2", r, err)
	}
}
