package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/translate"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
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
		{"generalized", "random graphs of 10000 states with 2, 4 and 8 acceptance sets; each component misses one", generalizedGraphs},
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

// arrow is an edge of a digraph.
type arrow struct{ from, to int }

// randomArrows returns d edges from each of n states on average, and the component of each state.
// Each state also has an edge to the next one.
func randomArrows(r *rand.Rand, n int, d float64) (arrows []arrow, component []int32) {
	plain := newDigraph(n, omega.Buchi())
	for s := range n {
		arrows = append(arrows, arrow{s, min(s+1, n-1)}) // so all states are reached
		for k := d; k > 0 && r.Float64() < k; k-- {      // d = 1.5: one edge, and a second one for half of the states
			// Most edges lead on, so there are many components.
			arrows = append(arrows, arrow{s, min(n-1, max(0, s+r.IntN(100)-10))})
		}
	}
	// A search would else always go on along the path.
	r.Shuffle(len(arrows), func(i, j int) { arrows[i], arrows[j] = arrows[j], arrows[i] })
	for _, e := range arrows {
		plain.edge(e.from, e.to, false)
	}
	return arrows, plain.Automaton().Components().Of
}

// randomGraphs makes graphs of 10000 states.
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
				arrows, component := randomArrows(r, n, d)
				marked := newDigraph(n, omega.Buchi())
				for _, e := range arrows {
					// An edge that leaves its component is on no cycle: accepting ones keep the
					// graph empty.
					marked.edge(e.from, e.to, r.IntN(100) == 0 && (!empty || component[e.from] != component[e.to]))
				}
				g.Sources = append(g.Sources, marked.graph("").Sources[0])
			}
			list = append(list, g)
		}
	}
	return list, nil
}

// generalizedGraphs makes graphs of 10000 states with several acceptance sets. Every edge is in
// one, but in each component there is one set without edges.
func generalizedGraphs(_ context.Context, seed uint64, each int) ([]Graph, error) {
	const n = 10000
	r := rand.New(rand.NewPCG(seed, 5))
	var list []Graph
	for _, sets := range []int{2, 4, 8} {
		g := Graph{Name: fmt.Sprintf("%d sets, empty", sets)}
		for range each {
			arrows, component := randomArrows(r, n, 1)
			marked := newDigraph(n, omega.GeneralizedBuchi(sets))
			for _, e := range arrows {
				var m omega.Marks // none where the set is the one that the component lacks
				if set := r.IntN(sets); component[e.from] != component[e.to] || int(component[e.from])%sets != set {
					m = marked.Marks().Of(set)
				}
				marked.AddEdge(omega.State(e.from), marked.all, m, omega.State(e.to))
			}
			g.Sources = append(g.Sources, marked.graph("").Sources[0])
		}
		list = append(list, g)
	}
	return list, nil
}

// structuredGraphs makes single graphs. Those with a rest have ten thousand states.
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
	cycle := func(accepting int) digraph { // of two states
		g := newDigraph(2, omega.Buchi())
		g.edge(0, 1, accepting == 0)
		g.edge(1, 0, accepting == 1)
		return g
	}
	early := newDigraph(n, omega.Buchi()) // Figure 4: the cycle of 0 and 1 comes first
	early.edge(0, 1, false)
	early.edge(1, 0, true)
	early.edge(0, 2, false)
	tree(early, 2)
	// Figure 6: the way from s1 back to s0 comes before the rest. The mark of s1 is on the edge
	// to it, or on those from there.
	const path = 100
	late := func(s1 int, entering bool) digraph {
		g := newDigraph(n, omega.Buchi())
		for s := range path {
			g.edge(s, (s+1)%path, entering && s+1 == s1 || !entering && s == s1)
		}
		g.edge(s1, path, !entering)
		tree(g, path)
		return g
	}
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
		cycle(1).graph("Figure 2 (a)"), cycle(0).graph("Figure 2 (b)"), early.graph("Figure 4"), late(2, true).graph("Figure 6"), late(1, false).graph("Figure 6, marks on leaving edges"), grid.graph("grid, empty"),
		rings(true).graph("rings"), rings(false).graph("rings, empty"),
	}, nil
}

// An EmptinessRow has the results of an algorithm on a graph: the counts of Table 1 of Schwoon
// and Esparza 2005.
type EmptinessRow struct {
	Family    string              `json:"family" table:"family"`       // family of the inputs
	Graph     string              `json:"graph" table:"graph"`         // kind of state space
	Algorithm emptiness.Algorithm `json:"algorithm" table:"algorithm"` // name of the algorithm
	Sources   int                 `json:"sources" table:"graphs"`      // number of state spaces
	Weak      int                 `json:"weak" table:"weak"`           // number of state spaces that are weak
	Fits      int                 `json:"fits"`                        // number of state spaces that the algorithm can decide
	Done      int                 `json:"done" table:"done"`           // number that ended within the limits
	Empty     int                 `json:"empty" table:"empty"`         // number of state spaces without an accepting run
	States    int                 `json:"states" table:"states"`       // median number of states visited
	Edges     int                 `json:"edges" table:"edges"`         // median number of edges explored
	// the most times that the edges of one state were asked for
	Visits     int     `json:"visits" table:"visits"`
	Depth      int     `json:"depth" table:"depth"`                 // median of the greatest depth of the search
	Live       int     `json:"live" table:"live"`                   // median of the most states whose component was not complete
	Roots      int     `json:"roots" table:"roots"`                 // median of the most components that were not complete
	Run        int     `json:"run" table:"run"`                     // median number of edges of the accepting run
	StateBytes float64 `json:"state_bytes" table:"bytes a state,1"` // bytes of tables for each visited state
	Bytes      int     `json:"bytes" table:"bytes"`                 // bytes that all searches took
	Seconds    float64 `json:"seconds" table:"seconds,2"`           // time in seconds
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
			err := emitEach(o.Algorithms, emit, func(by emptiness.Algorithm) (EmptinessRow, error) { return o.row(ctx, f.Name, by, g, verdicts) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// visits counts how often the edges of each state of a Source are asked for.
type visits struct {
	omega.Source
	times []int32 // by state
}

func (v *visits) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	for int(s) >= len(v.times) {
		v.times = append(v.times, 0)
	}
	v.times[s]++
	return v.Source.AppendEdges(buf, s)
}

// IsWeak reports whether the Source is known to be weak.
func (v *visits) IsWeak() bool {
	w, ok := v.Source.(interface{ IsWeak() bool })
	return ok && w.IsWeak()
}

// row searches the Sources of a graph. It compares its verdicts with the verdicts of other
// algorithms, and adds its own to verdicts.
func (o *EmptinessOptions) row(ctx context.Context, family string, by emptiness.Algorithm, g Graph, verdicts []string) (EmptinessRow, error) {
	row := EmptinessRow{Family: family, Graph: g.Name, Algorithm: by, Sources: len(g.Sources)}
	var states, edges, depth, live, roots, run, most, tables, bytes []int
	for i, source := range g.Sources {
		src := &visits{Source: source()}
		if src.IsWeak() {
			row.Weak++
		}
		var r *emptiness.Result
		took, done, err := measured(ctx, o.Time, func(limited context.Context) (err error) {
			r, err = by.Check(limited, src, omega.Limits{})
			return err
		})
		switch {
		case errors.Is(err, emptiness.ErrUnfit):
			continue // the algorithm is for other automata
		case err != nil:
			return row, err
		}
		row.Fits++ // also if a limit ended it: the time counts, but no sizes
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
			// A search that finds a run ends early, and says nothing of how often it comes back.
			most = append(most, int(slices.Max(src.times)))
		}
		if verdicts[i] != "" && verdicts[i] != verdict {
			return row, fmt.Errorf("internal error: %s says that a graph (%s) is %s, another algorithm that it is %s: please report", by, g.Name, verdict, verdicts[i])
		}
		verdicts[i] = verdict
		row.Done++
		states, edges, depth = append(states, r.States), append(edges, r.Edges), append(depth, r.Depth)
		live, roots = append(live, r.Live), append(roots, r.Roots)
		tables, bytes = append(tables, int(r.Tables)), append(bytes, int(r.Memory))
	}
	row.States, row.Edges, row.Depth = median(states), median(edges), median(depth)
	row.Live, row.Roots, row.Run = median(live), median(roots), median(run)
	row.Visits, row.Bytes = median(most), median(bytes)
	row.StateBytes = float64(median(tables)) / float64(max(1, row.States)) // 0 if no search has finished
	return row, nil
}
