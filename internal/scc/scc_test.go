package scc_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// TestParts compares components with what paths say.
func TestParts(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 300 {
		n := 1 + r.IntN(8)
		g := &scc.Graph[int]{Nodes: n, Budget: budget.Free()}
		for k := range r.IntN(2 * n) {
			g.Edges = append(g.Edges, scc.Edge[int]{Src: int32(r.IntN(n)), Dst: int32(r.IntN(n)), Tag: k})
		}
		path := make([][]bool, n) // a path with an edge
		for s := range path {
			path[s] = make([]bool, n)
		}
		for _, e := range g.Edges {
			path[e.Src][e.Dst] = true
		}
		for m := range n {
			for s := range n {
				for d := range n {
					path[s][d] = path[s][d] || path[s][m] && path[m][d]
				}
			}
		}
		inner := map[int]int32{} // by tag: a node of the part
		for _, p := range g.Parts() {
			for _, e := range p.Edges {
				inner[e.Tag] = p.Root
				if int(max(e.Src, e.Dst)) >= p.Nodes {
					t.Errorf("seed %d, graph %d: edge %v of a part of %d nodes", seed, i, e, p.Nodes)
				}
			}
		}
		for _, e := range g.Edges {
			root, ok := inner[e.Tag]
			if ok != path[e.Dst][e.Src] || ok && !(path[root][e.Src] && path[e.Src][root]) {
				t.Errorf("seed %d, graph %d: %v: edge %v is in the part of %d: %v", seed, i, g.Edges, e, root, ok)
			}
		}
	}
}

func ExampleFind() {
	first := []int32{0, 1, 3, 3} // 0 → 1, 1 → 0, 1 → 2
	dst := []int32{1, 0, 2}
	fmt.Println(scc.Find(budget.Free(), first, dst))
	// Output: {2 [1 1 0]}
}

func ExampleGraph_Parts() {
	g := &scc.Graph[string]{Nodes: 4, Budget: budget.Free(), Edges: []scc.Edge[string]{{0, 1, "a"}, {1, 2, "b"}, {2, 1, "c"}, {2, 3, "d"}}}
	for _, p := range g.Parts() {
		fmt.Println(p.Root, p.Edges)
	}
	// Output: 1 [{0 1 b} {1 0 c}]
}
