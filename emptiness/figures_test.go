package emptiness_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// graph is an automaton of n states whose edges of accepting states are accepting.
func graph(n int, accepting []omega.State, edges ...[2]omega.State) *omega.Automaton {
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(n)
	b.AddStart(0)
	for _, e := range edges {
		var m omega.Marks
		for _, s := range accepting {
			if s == e[0] {
				m = 1
			}
		}
		b.AddEdge(e[0], alphabet.True(), m, e[1])
	}
	return b.Automaton()
}

// TestFigures: the examples by which Schwoon and Esparza 2005 and Gastin, Moro and
// Zeitoun 2004 tell the algorithms apart do so.
func TestFigures(t *testing.T) {
	type counts map[emptiness.Algorithm]int
	for _, test := range []struct {
		name  string
		a     *omega.Automaton
		what  func(*emptiness.Result) int
		wants counts
	}{
		{
			// The inner search from state 1 may end at 0, and need not come back to 1.
			"Figure 2 (a)",
			graph(2, []omega.State{1}, [2]omega.State{0, 1}, [2]omega.State{1, 0}),
			func(r *emptiness.Result) int { return r.Edges },
			counts{emptiness.ByCVWY: 3, emptiness.ByHPY: 2, emptiness.ByGMZ: 2, emptiness.BySE: 2, emptiness.ByCouvreur: 2, emptiness.BySECouvreur: 2},
		},
		{
			// The edge back to state 0, which is accepting, closes a cycle; the inner
			// search is not needed.
			"Figure 2 (b)",
			graph(2, []omega.State{0}, [2]omega.State{0, 1}, [2]omega.State{1, 0}),
			func(r *emptiness.Result) int { return r.Edges },
			counts{emptiness.ByCVWY: 3, emptiness.ByHPY: 3, emptiness.ByGMZ: 2, emptiness.BySE: 2, emptiness.ByGV: 2, emptiness.ByCouvreur: 2},
		},
		{
			// Tarjan's algorithm sees the rest (2, 3, 4) before it looks at 0, 1.
			"Figure 4",
			graph(5, []omega.State{1}, [2]omega.State{0, 1}, [2]omega.State{1, 0}, [2]omega.State{0, 2}, [2]omega.State{2, 3}, [2]omega.State{3, 4}),
			func(r *emptiness.Result) int { return r.States },
			counts{emptiness.ByHPY: 2, emptiness.BySE: 2, emptiness.ByGV: 2, emptiness.ByCouvreur: 2, emptiness.BySECouvreur: 2,
				emptiness.ByTarjan: 5, emptiness.BySEComponents: 5},
		},
		{
			// State 2 is s1, and accepting; the edge to it carries the mark. The way from
			// there back to state 0 comes before the rest.
			"Figure 6",
			graph(7, []omega.State{1}, [2]omega.State{0, 1}, [2]omega.State{1, 2}, [2]omega.State{2, 3}, [2]omega.State{3, 0}, [2]omega.State{2, 4}, [2]omega.State{4, 5}, [2]omega.State{5, 6}),
			func(r *emptiness.Result) int { return r.States },
			counts{emptiness.ByCVWY: 7, emptiness.ByHPY: 7, emptiness.ByGMZ: 7, emptiness.BySE: 7, emptiness.ByTarjan: 7, emptiness.BySEComponents: 7,
				emptiness.ByGV: 4, emptiness.ByCouvreur: 4, emptiness.BySECouvreur: 4},
		},
		{
			// The same with the mark on the edges from s1, here state 1. An inner search
			// starts after each, before the other edge is followed.
			"Figure 6, marks on leaving edges",
			graph(6, []omega.State{1}, [2]omega.State{0, 1}, [2]omega.State{1, 2}, [2]omega.State{2, 0}, [2]omega.State{1, 3}, [2]omega.State{3, 4}, [2]omega.State{4, 5}),
			func(r *emptiness.Result) int { return r.States },
			counts{emptiness.ByHPY: 3, emptiness.BySE: 3, emptiness.ByGV: 3, emptiness.ByCouvreur: 3, emptiness.BySECouvreur: 3, emptiness.ByTarjan: 6},
		},
		{
			// An edge back to state 0, which the path leaves by an accepting edge.
			"an accepting cycle before the rest",
			graph(6, []omega.State{0}, [2]omega.State{0, 1}, [2]omega.State{1, 2}, [2]omega.State{2, 1}, [2]omega.State{2, 0}, [2]omega.State{1, 3}, [2]omega.State{3, 4}, [2]omega.State{4, 5}),
			func(r *emptiness.Result) int { return r.States },
			counts{emptiness.ByHPY: 6, emptiness.BySE: 3, emptiness.ByGV: 3, emptiness.ByCouvreur: 3, emptiness.ByTarjan: 6},
		},
		{
			// Section 2.1 of Gastin, Moro and Zeitoun: below state 1 is a tree that
			// ends; it is black when the inner search from 2 comes to it.
			"black states",
			graph(6, []omega.State{2}, [2]omega.State{0, 1}, [2]omega.State{0, 2}, [2]omega.State{2, 1}, [2]omega.State{1, 3}, [2]omega.State{1, 4}, [2]omega.State{4, 5}),
			func(r *emptiness.Result) int { return r.Edges },
			counts{emptiness.ByCVWY: 9, emptiness.ByHPY: 9, emptiness.BySE: 9, emptiness.ByGMZ: 6, emptiness.ByTarjan: 6},
		},
	} {
		for by, want := range test.wants {
			r, err := by.Check(context.Background(), test.a, emptiness.Limits{})
			if err != nil {
				t.Fatalf("%s: %s: %v", test.name, by, err)
			}
			if got := test.what(r); got != want {
				t.Errorf("%s: %s: got %d, want %d (%+v)", test.name, by, got, want, *r)
			}
		}
	}
}
