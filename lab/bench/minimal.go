package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Input is a list of automata on which searches for short accepting runs are compared. Each
// of them accepts a word.
type Input struct {
	Name  string
	About string
	Extra bool // takes long, and is measured only if it is asked for
	each  bool // there are as many as are asked for
	make  func(ctx context.Context, r *rand.Rand, g RandomGraphs) (omega.Source, error)
}

// number returns the number of automata, where each is the requested number of random ones.
func (in Input) number(each int) int {
	if in.each {
		return each
	}
	return 1
}

// RandomGraphs says how random automata are made: each state has Degree edges, each to any state,
// and accepts, or bears a mark, with probability Accepting.
type RandomGraphs struct {
	Degree    int
	Accepting float64
}

// DefaultGraphs are sparse.
var DefaultGraphs = RandomGraphs{Degree: 2, Accepting: 0.05}

// accepts draws whether a state, or an edge with a mark, accepts.
func (g RandomGraphs) accepts(r *rand.Rand) bool { return float64(r.Uint32()) < g.Accepting*(1<<32) }

// Inputs returns the inputs of Gastin, Moro and Zeitoun 2004, section 4, some with other
// conditions. It adds one whose only run is long.
func Inputs() []Input {
	list := []Input{
		{"random-20", "random Büchi automata of 20 states, see --degree and --accepting", false, true, randomGraph(20)},
		{"random-100", "the same of 100 states", false, true, randomGraph(100)},
		{"random-1000", "the same of 1000 states", false, true, randomGraph(1000)},
	}
	for _, x := range []struct{ name, acceptance string }{
		{"generalized", "generalized-Buchi 3"},
		{"co-buchi", "co-Buchi"},
		{"streett", "Streett 2"},
	} {
		list = append(list, Input{x.name, "random automata of 1000 states, " + x.acceptance + " (only by name)", true, true, randomMarked(1000, x.acceptance)})
	}
	list = append(list, Input{"ring", "100000 states in a ring, one accepting", false, false, fixed(func() omega.Source { return ring(100000) })})
	list = append(list, Input{"layered", "193 states in layers of 8, with a run of 25 edges among 2^72 (only by name)", true, false, fixed(func() omega.Source { return layered(24, 8) })})
	for _, p := range protocols() {
		list = append(list, Input{p.name, p.about, false, false, fixed(func() omega.Source { return p.source() })})
	}
	return list
}

// fixed makes an input that is not random.
func fixed(source func() omega.Source) func(context.Context, *rand.Rand, RandomGraphs) (omega.Source, error) {
	return func(context.Context, *rand.Rand, RandomGraphs) (omega.Source, error) { return source(), nil }
}

// randomGraph makes random automata that have a run.
func randomGraph(n int) func(context.Context, *rand.Rand, RandomGraphs) (omega.Source, error) {
	return untilRun(n, omega.Buchi(), func(r *rand.Rand, how RandomGraphs, g digraph) {
		for s := range n {
			accepting := how.accepts(r)
			for range how.Degree {
				g.edge(s, r.IntN(n), accepting)
			}
		}
	})
}

// randomMarked makes random automata that have a run, with an acceptance condition
// that has a name.
func randomMarked(n int, name string) func(context.Context, *rand.Rand, RandomGraphs) (omega.Source, error) {
	acceptance, err := omega.NamedAcceptance(name)
	if err != nil {
		panic(err) // Inputs has only known names
	}
	return untilRun(n, acceptance, func(r *rand.Rand, how RandomGraphs, g digraph) {
		for i := range how.Degree * n {
			var marks []int
			for m := range acceptance.Sets {
				if how.accepts(r) {
					marks = append(marks, m)
				}
			}
			g.AddEdge(omega.State(i/how.Degree), g.all, g.Marks().Of(marks...), omega.State(r.IntN(n)))
		}
	})
}

// untilRun makes automata of n states with the edges that are added, until one has a run. It fails
// if a thousand have none.
func untilRun(n int, acceptance omega.Acceptance, add func(*rand.Rand, RandomGraphs, digraph)) func(context.Context, *rand.Rand, RandomGraphs) (omega.Source, error) {
	return func(ctx context.Context, r *rand.Rand, how RandomGraphs) (omega.Source, error) {
		const tries = 1000 // few edges, or few that accept, may never make a run
		for range tries {
			g := newDigraph(n, acceptance)
			add(r, how, g)
			a := g.Automaton()
			found, err := product.Check(ctx, a, omega.Limits{})
			if err != nil {
				return nil, err
			}
			if !found.Empty() {
				return a, nil
			}
		}
		return nil, fmt.Errorf("%d random automata of %d states accept no word: expected a higher degree, or more accepting states", tries, n)
	}
}

// ring makes n states, each with an edge to the next, the last of them accepting.
func ring(n int) omega.Source {
	g := newDigraph(n, omega.Buchi())
	for s := range n {
		g.edge(s, (s+1)%n, s == n-1)
	}
	return g.Automaton()
}

// layered has a state before layers of states that have an edge to every state of the next layer,
// and the last to the first, whose states are accepting. In the last layer, each state but one
// first has an edge to the next one of the layer, so that the first runs found are longer. With two
// layers of two states:
//
//	0→1, 0→2   1→3 {0}, 1→4 {0}   2→3 {0}, 2→4 {0}   3→4, 3→1, 3→2   4→1, 4→2
func layered(layers, width int) omega.Source {
	g := newDigraph(1+layers*width, omega.Buchi())
	for i := range width {
		g.edge(0, 1+i, false)
	}
	for s := range layers * width {
		layer := s / width
		if layer == layers-1 && s%width < width-1 {
			g.edge(1+s, 2+s, false)
		}
		for i := range width {
			g.edge(1+s, 1+(layer+1)%layers*width+i, layer == 0)
		}
	}
	return g.Automaton()
}

// A Search looks for a short accepting run.
type Search struct {
	Name  string
	About string
	exact bool // always finds a shortest run
	run   func(ctx context.Context, src omega.Source, limits omega.Limits) (*emptiness.Minimal, error)
}

// Searches returns the searches. All except spin-i and spin-i-cycles find a shortest run.
func Searches() []Search {
	list := []Search{
		{"spin-i", "nested depth-first search as SPIN -i does it", false, bySpin(spinning{})},
		{"spin-i-cycles", "the same, and the outer search closes all cycles", false, bySpin(spinning{cycles: true})},
		{"nested+gmz-min", "gmz-min after the first run of a nested depth-first search", true, afterNested},
		{"gmz-min", "gmz-min after the colour DFS", true, minimizer(emptiness.Minimizer{Algorithm: emptiness.ByGMZMin})},
		{"gmz-continue", "gmz-min from the path of the colour DFS", true, minimizer(emptiness.Minimizer{Algorithm: emptiness.ByGMZMin, Continue: true})},
		{"l2s", "breadth-first search over a saved state", true, minimizer(emptiness.Minimizer{Algorithm: emptiness.ByL2S})},
		{"gm-plain", "gm-min without improvements", true, minimizer(emptiness.Minimizer{Without: emptiness.All})},
	}
	for _, x := range improvements {
		list = append(list, Search{"gm-" + x.name, "one improvement: " + x.about, true, minimizer(emptiness.Minimizer{Without: emptiness.All &^ (x.adds | x.needs)})})
	}
	return append(list,
		Search{"gm-min", "gm-min with all improvements", true, minimizer(emptiness.Minimizer{})},
		Search{"gm-plain-forward", "gm-plain without back pointers", true, minimizer(emptiness.Minimizer{Without: emptiness.All, Forward: true})},
		Search{"gm-min-forward", "gm-min without back pointers", true, minimizer(emptiness.Minimizer{Forward: true})})
}

func bySpin(how spinning) func(context.Context, omega.Source, omega.Limits) (*emptiness.Minimal, error) {
	return func(ctx context.Context, src omega.Source, limits omega.Limits) (*emptiness.Minimal, error) {
		return spin(ctx, src, limits, how)
	}
}

func minimizer(m emptiness.Minimizer) func(context.Context, omega.Source, omega.Limits) (*emptiness.Minimal, error) {
	return func(ctx context.Context, src omega.Source, limits omega.Limits) (*emptiness.Minimal, error) {
		m := m
		m.Limits = limits
		return m.Run(ctx, src)
	}
}

// afterNested is DFS_MIN with the length of the run of a nested depth-first search as a bound.
func afterNested(ctx context.Context, src omega.Source, limits omega.Limits) (*emptiness.Minimal, error) {
	first, err := spin(ctx, src, limits, spinning{once: true})
	if first.Run == nil || err != nil {
		return first, err
	}
	// The first search leaves only a bound, and no colours, so gmz-min starts fresh.
	m := emptiness.Minimizer{Algorithm: emptiness.ByGMZMin, Fresh: true, Bound: first.Run.Size(), Limits: limits}
	r, err := m.Run(ctx, src)
	if r.Run == nil { // no run is shorter
		r.Run = first.Run
	}
	r.Runs++ // the run of the nested search
	r.Matched += first.Matched
	r.Edges += first.Edges
	r.States = max(r.States, first.States) // searches go over the same states
	r.Memory = max(r.Memory, first.Memory)
	return r, err
}

// A MinimalRow has the results of a search on an input.
type MinimalRow struct {
	Input    string  `json:"input" table:"input"`       // the inputs that are searched
	Search   string  `json:"search" table:"search"`     // name of the search
	Automata int     `json:"automata" table:"automata"` // number of automata
	Done     int     `json:"done" table:"done,ends"`    // number that ended within the limits
	Length   float64 `json:"length" table:"length,1"`   // average length of the shortest run
	States   float64 `json:"states" table:"states,0"`   // average number of states visited
	Matched  float64 `json:"matched" table:"matched,0"` // average number of edges that led to a known state
	// average number of runs found, each shorter than the one before
	Runs    float64 `json:"runs" table:"runs,1"`
	Queued  float64 `json:"queued" table:"queued,0"`   // average number of entries of priority queues
	Memory  float64 `json:"memory" table:"KiB,1"`      // average memory in bytes, without the automaton
	Seconds float64 `json:"seconds" table:"seconds,4"` // average time in seconds
}

// SearchOptions are the options of Minimal, Orders and Effects.
type SearchOptions struct {
	Inputs   []Input
	Searches []Search     // not of Effects
	Random   RandomGraphs // zero: DefaultGraphs
	Orders   int          // of the edges of each automaton, for Orders
	Seed     uint64
	Each     int           // random automata of each size
	Time     time.Duration // for each search
	Memory   int64         // bytes; 0: no limit
}

// automata gives the automata of an input. They are the same for each search.
func (o *SearchOptions) automata(ctx context.Context, in Input) iter.Seq2[omega.Source, error] {
	return func(yield func(omega.Source, error) bool) {
		r := rand.New(rand.NewPCG(o.Seed, 1))
		for range in.number(o.Each) {
			src, err := in.make(ctx, r, cmp.Or(o.Random, DefaultGraphs))
			if !yield(src, err) || err != nil {
				return
			}
		}
	}
}

// run runs a search within the limits. It is not done if it met one.
func (o *SearchOptions) run(ctx context.Context, s Search, src omega.Source) (got *emptiness.Minimal, took time.Duration, done bool, err error) {
	took, done, err = measured(ctx, o.Time, func(limited context.Context) (err error) {
		got, err = s.run(limited, src, omega.Limits{Memory: o.Memory}.Or(omega.NoLimits()))
		return err
	})
	return got, took, done, err
}

// Minimal runs each search on each input, and passes each row to emit. It fails when ctx is
// done, and if two exact searches differ.
func Minimal(ctx context.Context, o SearchOptions, emit func(MinimalRow) error) error {
	for _, in := range o.Inputs {
		lengths := make([]int, in.number(o.Each)) // shortest, as an exact search said
		err := emitEach(o.Searches, emit, func(s Search) (MinimalRow, error) { return o.row(ctx, in, s, lengths) })
		if err != nil {
			return err
		}
	}
	return nil
}

// errLengths cannot happen unless a search is wrong.
var errLengths = errors.New("internal error: two searches for shortest runs differ: please report")

func (o *SearchOptions) row(ctx context.Context, in Input, s Search, lengths []int) (MinimalRow, error) {
	row := MinimalRow{Input: in.Name, Search: s.Name, Automata: len(lengths)}
	i := -1 // the automaton, of all that are tried
	for src, err := range o.automata(ctx, in) {
		if err != nil {
			return row, err
		}
		i++
		got, took, done, err := o.run(ctx, s, src)
		switch {
		case err != nil && !errors.Is(err, emptiness.ErrUnfit):
			return row, err
		case !done:
			continue
		}
		n := got.Run.Size()
		if s.exact {
			// Searches take different ways, and have to find runs of the same length.
			if lengths[i] != 0 && lengths[i] != n {
				return row, errLengths
			}
			lengths[i] = n
		}
		row.Done++
		row.Length += float64(n)
		row.States += float64(got.States)
		row.Matched += float64(got.Matched)
		row.Runs += float64(got.Runs)
		row.Queued += float64(got.Queued)
		row.Memory += float64(got.Memory)
		row.Seconds += took.Seconds()
	}
	average(row.Done, &row.Length, &row.States, &row.Matched, &row.Runs, &row.Queued, &row.Memory, &row.Seconds)
	return row, nil
}
