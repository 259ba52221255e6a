package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A Graph is one Source to search, or several of a kind. Each search gets a new one.
type Graph struct {
	Name    string
	Sources []func() omega.Source
}

// A GraphFamily is a list of graphs that depends only on a seed.
type GraphFamily struct {
	Name  string
	About string
	// Make returns the graphs. Those that are random have as many Sources as
	// each says.
	Make func(ctx context.Context, seed uint64, each int) ([]Graph, error)
}

// GraphFamilies returns the families.
func GraphFamilies() []GraphFamily {
	return []GraphFamily{
		{"leader-same", "an election in a ring of 6 processes that the same one always wins (Chang and Roberts 1979), with the negations of properties", elections(false)},
		{"leader-turns", "the same where each process has its turn", elections(true)},
		{"random", "random graphs of 10000 states; a hundredth of the edges accepts, or only edges between components do (empty)", randomGraphs},
		{"structured", "examples of Schwoon and Esparza 2005 with a large rest, a grid, and rings in a row", structuredGraphs},
	}
}

// properties are what the models of elections are checked for.
var properties = []string{
	"GF elected",
	"GF leader1",
	"G(leader0 -> F leader1)",
	"G(elected -> leader0)",
	"GF leader0 -> GF leader1",
	"GF leader0 -> FG !leader1",
}

// elections makes the products of a model with what gastin-oddoux makes of the
// negations of the properties.
func elections(turns bool) func(context.Context, uint64, int) ([]Graph, error) {
	return func(ctx context.Context, _ uint64, _ int) ([]Graph, error) {
		var list []Graph
		for _, text := range properties {
			store := ltl.NewStore()
			f, err := store.Parse("!("+text+")", ltl.Spot)
			if err != nil {
				return nil, err
			}
			a, err := translate.With(ctx, "gastin-oddoux", store, f)
			if err != nil {
				return nil, err
			}
			list = append(list, Graph{text, []func() omega.Source{func() omega.Source {
				ring := NewRing(6, turns)
				over, err := a.Over(context.Background(), ring.Alphabet())
				if err != nil {
					panic(err) // an automaton of a few small labels
				}
				return productcheck.NewProduct(ring, over)
			}}})
		}
		return list, nil
	}
}

// digraph builds an automaton over no propositions, whose mark 0 is on the accepting edges.
type digraph struct {
	*omega.Builder
	all omega.Label
}

func newDigraph(n int, acceptance omega.Acceptance) digraph {
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	return digraph{b, alphabet.True()}
}

func (g digraph) edge(s, t int, accepting bool) {
	var m omega.Marks
	if accepting {
		m = g.Marks().Of(0)
	}
	g.AddEdge(omega.State(s), g.all, m, omega.State(t))
}

func (g digraph) graph(name string) Graph {
	a := g.Automaton()
	return Graph{name, []func() omega.Source{func() omega.Source { return a }}}
}

// randomGraphs makes graphs of n states with d edges from each on average, which
// mostly lead on, so that there are many components; and an edge from each state to
// the next, so that there is much to see.
func randomGraphs(_ context.Context, seed uint64, each int) ([]Graph, error) {
	const n = 10000
	r := rand.New(rand.NewPCG(seed, 4))
	var list []Graph
	for _, d := range []float64{0.5, 1, 2} {
		for _, empty := range []bool{false, true} {
			g := Graph{Name: fmt.Sprintf("%.1f edges a state", 1+d)}
			if empty {
				g.Name += ", empty"
			}
			for range each {
				type edge struct{ from, to int }
				var edges []edge
				plain, marked := newDigraph(n, omega.Buchi()), newDigraph(n, omega.Buchi())
				for s := range n {
					edges = append(edges, edge{s, min(s+1, n-1)})
					for k := d; k > 0 && r.Float64() < k; k-- {
						edges = append(edges, edge{s, min(n-1, max(0, s+r.IntN(100)-10))})
					}
				}
				r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
				for _, e := range edges {
					plain.edge(e.from, e.to, false)
				}
				c := plain.Automaton().Components()
				for _, e := range edges {
					marked.edge(e.from, e.to, r.IntN(100) == 0 && (!empty || c.Of[e.from] != c.Of[e.to]))
				}
				g.Sources = append(g.Sources, marked.graph("").Sources[0])
			}
			list = append(list, g)
		}
	}
	return list, nil
}

// structuredGraphs makes single graphs, of ten thousand states or so.
func structuredGraphs(context.Context, uint64, int) ([]Graph, error) {
	const n = 10000
	// A rest without cycles: a binary tree of the states from first on.
	tree := func(g digraph, first int) {
		for s := first; s < n; s++ {
			for child := 2*(s-first) + 1; child <= 2*(s-first)+2; child++ {
				if first+child < n {
					g.edge(s, first+child, false)
				}
			}
		}
	}
	early := newDigraph(n, omega.Buchi()) // Figure 4: the cycle of 0 and 1 comes first
	early.edge(0, 1, false)
	early.edge(1, 0, true)
	early.edge(0, 2, false)
	tree(early, 2)
	late := newDigraph(n, omega.Buchi()) // Figure 6: 0 is accepting, but left for 1 first
	const path = 100
	late.edge(0, 1, true)
	for s := 1; s < path; s++ {
		late.edge(s, (s+1)%path, false)
	}
	late.edge(1, path, false)
	tree(late, path)
	const k = 100
	grid := newDigraph(k*k, omega.Buchi()) // right and down, accepting; the last state stays
	for i := range k {
		for j := range k {
			if i+1 < k {
				grid.edge(k*i+j, k*i+k+j, true)
			}
			if j+1 < k {
				grid.edge(k*i+j, k*i+j+1, true)
			}
		}
	}
	grid.edge(k*k-1, k*k-1, false)
	rings := func(last bool) digraph { // 100 of 100 states each, accepting edges between them
		g := newDigraph(k*k, omega.Buchi())
		for i := range k {
			for j := range k {
				g.edge(k*i+j, k*i+(j+1)%k, last && i == k-1 && j == k/2)
				if i+1 < k && j%10 == 0 {
					g.edge(k*i+j, k*i+k+j, true)
				}
			}
		}
		return g
	}
	return []Graph{
		early.graph("Figure 4"), late.graph("Figure 6"), grid.graph("grid, empty"),
		rings(true).graph("rings"), rings(false).graph("rings, empty"),
	}, nil
}

// An EmptinessRow has the results of an algorithm on a graph: the counts of Table 1 of Schwoon
// and Esparza 2005, as in emptiness.Result.
type EmptinessRow struct {
	Family    string              `json:"family"`
	Graph     string              `json:"graph"`
	Algorithm emptiness.Algorithm `json:"algorithm"`
	Sources   int                 `json:"sources"` // of the graph
	Fits      int                 `json:"fits"`    // that the algorithm can decide
	Done      int                 `json:"done"`    // within the time
	Empty     int                 `json:"empty"`   // of these
	// Medians over those done.
	States int `json:"states"`
	Edges  int `json:"edges"`
	Depth  int `json:"depth"`
	Live   int `json:"live"`
	Roots  int `json:"roots"`
	Run    int `json:"run"` // steps of the accepting run
	// Time of all together.
	Seconds float64 `json:"seconds"`
}

// EmptinessOptions are the options of Emptiness.
type EmptinessOptions struct {
	Families   []GraphFamily
	Algorithms []emptiness.Algorithm
	Seed       uint64
	Each       int
	Time       time.Duration // for each search
}

// Emptiness searches the graphs of each family by each algorithm, and passes each row to emit.
// It fails when ctx is done, and if two algorithms disagree.
func Emptiness(ctx context.Context, o EmptinessOptions, emit func(EmptinessRow) error) error {
	for _, f := range o.Families {
		graphs, err := f.Make(ctx, o.Seed, o.Each)
		if err != nil {
			return err
		}
		for _, g := range graphs {
			verdicts := make([]string, len(g.Sources))
			for _, by := range o.Algorithms {
				row, err := o.row(ctx, by, g, verdicts)
				if err != nil {
					return err
				}
				row.Family = f.Name
				if err := emit(row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// row searches the Sources of a graph. The verdicts of other algorithms, and then
// those of this one, are in verdicts.
func (o *EmptinessOptions) row(ctx context.Context, by emptiness.Algorithm, g Graph, verdicts []string) (EmptinessRow, error) {
	row := EmptinessRow{Graph: g.Name, Algorithm: by, Sources: len(g.Sources)}
	var states, edges, depth, live, roots, run []int
	for i, source := range g.Sources {
		src := source()
		var r *emptiness.Result
		took, done, err := measured(ctx, o.Time, func(limited context.Context) (err error) {
			r, err = by.Check(limited, src, emptiness.Limits{})
			return err
		})
		switch {
		case errors.Is(err, emptiness.ErrUnfit):
			continue
		case err != nil:
			return row, err
		}
		row.Fits++
		row.Seconds += took.Seconds()
		if !done {
			continue
		}
		verdict := "empty"
		if !r.Empty() {
			verdict = "not empty"
			run = append(run, len(r.Run.Prefix)+len(r.Run.Cycle))
		} else {
			row.Empty++
		}
		if verdicts[i] != "" && verdicts[i] != verdict {
			return row, fmt.Errorf("internal error: %s says that a graph (%s) is %s, another algorithm that it is %s: please report", by, g.Name, verdict, verdicts[i])
		}
		verdicts[i] = verdict
		row.Done++
		states, edges, depth = append(states, r.States), append(edges, r.Edges), append(depth, r.Depth)
		live, roots = append(live, r.Live), append(roots, r.Roots)
	}
	row.States, row.Edges, row.Depth = median(states), median(edges), median(depth)
	row.Live, row.Roots, row.Run = median(live), median(roots), median(run)
	return row, nil
}
