package emptiness_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// cycleAndTree is Figure 2(b) of Schwoon and Esparza 2005, whose state 0 is accepting, with a
// binary tree below state 1: state 1 has an edge back to state 0, and then one to the root.
func cycleAndTree(tree int) *omega.Automaton {
	edges := [][2]omega.State{{0, 1}, {1, 0}, {1, 2}}
	for i := range tree {
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < tree {
				edges = append(edges, [2]omega.State{omega.State(2 + i), omega.State(2 + child)})
			}
		}
	}
	return graph(tree+2, []omega.State{0}, edges...)
}

// TestColourLine3: the blue search ends at an accepting state of its path (Gastin, Moro, Zeitoun
// 2004, Algorithm 1, line 3), before it sees the tree.
func TestColourLine3(t *testing.T) {
	a := cycleAndTree(2000)
	for by, most := range map[emptiness.Algorithm]int{emptiness.ByGMZ: 2, emptiness.ByGMZMin: 2, emptiness.ByGMMin: 2} {
		r, err := by.Check(context.Background(), a, emptiness.Limits{})
		if err != nil || r.Run == nil || r.Run.Size() != 2 || r.States > most {
			t.Errorf("%s: %+v, %v; want a run of length 2 and at most %d states", by, r, err, most)
		}
	}
}

// TestBlackStates: no word is accepted from a black state, and what it leads to is black, too
// (Gastin, Moro, Zeitoun 2004, Lemma 1).
func TestBlackStates(t *testing.T) {
	r, seed, number := seeded(t, 6, 5000)
	runs, blacks := 0, 0
	for i := range number {
		n := 1 + r.IntN(15)
		a := random.Automaton(r, omega.NewAlphabet(), omega.Buchi(), random.Options{
			States: n, Density: (0.5 + r.Float64()) / float64(n), Marks: 0.15, StateMarks: i%2 == 0})
		black, err := emptiness.BlackStates(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if len(black) == 0 {
			continue
		}
		blacks++
		if naive(a) > 0 {
			runs++
		}
		if length := naive(from{a, black}); length > 0 {
			t.Fatalf("seed %d, automaton %d: a run of %d edges from one of the black states %v", seed, i, length, black)
		}
		for _, s := range black {
			for _, e := range a.Edges(s) {
				if !slices.Contains(black, e.Dst) {
					t.Fatalf("seed %d, automaton %d: black state %d leads to state %d, which is not black", seed, i, s, e.Dst)
				}
			}
		}
	}
	if runs < number/100 || runs > 9*blacks/10 {
		t.Errorf("seed %d: %d of %d automata with black states have runs: the test is one-sided", seed, runs, blacks)
	}
	t.Logf("%d of %d automata have black states, %d of them runs", blacks, number, runs)
}

// throughPivots returns the least length of a run that goes through an accepting edge of each
// state, by definition: from an initial state to some state s, to the edge, and back to s.
func throughPivots(a omega.Source, states int) map[omega.State]int {
	const far = 1 << 20
	d := make([][]int, states) // distances
	for s := range d {
		d[s] = slices.Repeat([]int{far}, states)
		d[s][s] = 0
	}
	edges := func(s int) []omega.Edge {
		list, err := a.AppendEdges(nil, omega.State(s))
		if err != nil {
			panic(err)
		}
		return list
	}
	for s := range d {
		for _, e := range edges(s) {
			d[s][e.Dst] = min(d[s][e.Dst], 1)
		}
	}
	for k := range d {
		for s := range d {
			for t := range d {
				d[s][t] = min(d[s][t], d[s][k]+d[k][t])
			}
		}
	}
	lengths := map[omega.State]int{}
	for r := range d {
		for s := range d {
			head := far
			for _, i := range a.Initial() {
				head = min(head, d[i][s])
			}
			for _, e := range edges(r) {
				length := head + d[s][r] + 1 + d[e.Dst][s]
				if e.Marks == 0 || length >= far {
					continue
				}
				if old, ok := lengths[omega.State(r)]; !ok || length < old {
					lengths[omega.State(r)] = length
				}
			}
		}
	}
	return lengths
}

// TestEach: there is a run for each pivot, through an accepting edge of it, and of the length
// that the definition says.
func TestEach(t *testing.T) {
	r, seed, number := seeded(t, 4, 700)
	several := 0
	for i := range number {
		n := 1 + r.IntN(9)
		src := from{Automaton: random.Automaton(r, omega.NewAlphabet("a"), omega.Buchi(), random.Options{
			States: n, Density: 1.4 / float64(n), Marks: 0.3, StateMarks: i%2 == 0}), initial: []omega.State{0}}
		if r.IntN(4) == 0 {
			src.initial = append(src.initial, omega.State(r.IntN(n)))
		}
		want := throughPivots(src, n)
		for _, m := range []emptiness.Minimizer{{}, {Without: emptiness.All}, {Forward: true}, {Bound: 4}} {
			got := map[omega.State]int{}
			result, err := m.Each(context.Background(), src, func(pivot omega.State, run *emptiness.Run) {
				got[pivot] = run.Size()
				through := slices.ContainsFunc(run.Cycle, func(s emptiness.Step) bool { return s.From == pivot && s.Edge.Marks != 0 })
				if err := replay(src, run); err != nil || !through {
					t.Errorf("the run of pivot %d: %v, through the pivot: %t", pivot, err, through)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			wanted, least := map[omega.State]int{}, emptiness.NoRun
			for s, length := range want {
				if m.Bound == 0 || length < m.Bound {
					wanted[s], least = length, min(least, length)
				}
			}
			if !maps.Equal(got, wanted) || result.Empty() != (len(wanted) == 0) || len(wanted) > 0 && result.Least != least {
				t.Fatalf("seed %d, automaton %d, %+v: lengths %v (at least %d), want %v", seed, i, m, got, result.Least, wanted)
			}
		}
		if len(want) > 1 {
			several++
		}
	}
	if several < number/10 {
		t.Errorf("seed %d: only %d of %d automata have several pivots with runs", seed, several, number)
	}
	m := emptiness.Minimizer{Algorithm: emptiness.ByL2S}
	if _, err := m.Each(context.Background(), cycleAndTree(2), nil); !errors.Is(err, emptiness.ErrUnfit) {
		t.Errorf("l2s: %v", err)
	}
}

// TestHeadCutsSearch: a state that the breadth-first search meets earlier than the first run does
// ends that search (Gastin and Moro 2007, Algorithm 6, lines 17 to 20). Here a long way to the
// cycle comes first and a short one last, beside a long tail without a cycle through an accepting
// edge that is nearer.
func TestHeadCutsSearch(t *testing.T) {
	const long, tail = 1000, 5000
	edges := [][2]omega.State{}
	for s := range omega.State(long) {
		edges = append(edges, [2]omega.State{s, s + 1})
	}
	edges = append(edges, [2]omega.State{long, long}, [2]omega.State{0, long + 1})
	for s := omega.State(long + 1); s < long+tail; s++ {
		edges = append(edges, [2]omega.State{s, s + 1})
	}
	edges = append(edges, [2]omega.State{long + tail, long + 1}, [2]omega.State{0, long})
	a := graph(long+tail+1, []omega.State{long}, edges...)
	states := map[emptiness.Improvements]int{}
	for _, with := range []emptiness.Improvements{emptiness.FirstRun, emptiness.FirstRun | emptiness.ShorterHead} {
		m := emptiness.Minimizer{Without: emptiness.All &^ with}
		r, err := m.Run(context.Background(), a)
		if err != nil || r.Run.Size() != 2 {
			t.Errorf("%+v, %v; want a run of length 2", r, err)
		}
		states[with] = r.States
	}
	if states[emptiness.FirstRun] < 2*long || states[emptiness.FirstRun|emptiness.ShorterHead] != long+2 {
		t.Errorf("states: %v", states)
	}
}

// TestLeast: what is proved when a search is stopped is true.
func TestLeast(t *testing.T) {
	a := layered(24, 8)
	for _, m := range []emptiness.Minimizer{
		{Algorithm: emptiness.ByGMZMin}, {Algorithm: emptiness.ByGMMin}, {Algorithm: emptiness.ByL2S},
	} {
		for stop := 100; stop < 6400; stop *= 2 {
			ctx, cancel := context.WithCancel(context.Background())
			src := &counted{Automaton: a, left: stop, cancel: cancel}
			r, err := m.Run(ctx, src)
			if r.Least < 1 || r.Least > 25 || r.Run != nil && r.Run.Size() < 25 || err == nil && r.Least != 25 {
				t.Errorf("%s: %+v, %v; a shortest run has 25 edges", m.Algorithm, r, err)
			}
			cancel()
		}
		if m.Algorithm != emptiness.ByGMZMin {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		r, err := m.Run(ctx, a)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || r.Run == nil || r.Run.Size() != 25 || r.Least != 1 {
			t.Errorf("%+v, %v want a run of length 25 and the end of the time", r, err)
		}
	}
}

// counted cancels a context when the edges of so many states have been asked for.
type counted struct {
	*omega.Automaton
	left   int
	cancel func()
}

func (c *counted) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return c.Automaton.AppendEdges(buf, s)
}

// layered has an initial state, and layers of states that have an edge to every state of the next
// layer, and the last to the first. The states of the first are accepting. A shortest run has an
// edge to the first layer and one for each layer; there are width^layers of them. In the last
// layer, each state but one has first an edge to the next one, so that the first runs found are
// longer.
func layered(layers, width int) *omega.Automaton {
	at := func(layer, i int) omega.State { return omega.State(1 + layer%layers*width + i) }
	var edges [][2]omega.State
	var first []omega.State
	for i := range width {
		edges = append(edges, [2]omega.State{0, at(0, i)})
		first = append(first, at(0, i))
	}
	for layer := range layers {
		for i := range width {
			if layer == layers-1 && i < width-1 {
				edges = append(edges, [2]omega.State{at(layer, i), at(layer, i+1)})
			}
			for j := range width {
				edges = append(edges, [2]omega.State{at(layer, i), at(layer+1, j)})
			}
		}
	}
	return graph(1+layers*width, first, edges...)
}
