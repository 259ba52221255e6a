package emptiness_test

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/runs"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// from is an automaton with other initial states.
type from struct {
	*omega.Automaton
	initial []omega.State
}

func (f from) Initial() []omega.State { return f.initial }

// multigraph is a random automaton with several edges from one state to another.
func multigraph(r *rand.Rand, alphabet *omega.Alphabet, acceptance omega.Acceptance, n int, marks float64) *omega.Automaton {
	b := omega.NewBuilder(alphabet, acceptance)
	b.AddStates(n)
	b.AddStart(0)
	for range 2*n + 1 {
		var list []int
		for i := range acceptance.Sets {
			if r.Float64() < marks {
				list = append(list, i)
			}
		}
		s, t := omega.State(r.IntN(n)), omega.State(r.IntN(n))
		for range 1 + r.IntN(2) {
			b.AddEdge(s, alphabet.True(), b.Marks().Of(list...), t)
			list = nil
		}
	}
	return b.Automaton()
}

// minimizers are the searches that the random tests compare.
func minimizers() []emptiness.Minimizer {
	list := []emptiness.Minimizer{
		{Algorithm: emptiness.ByL2S},
		{Algorithm: emptiness.ByGMZMin},
		{Algorithm: emptiness.ByGMZMin, Fresh: true},
		{Algorithm: emptiness.ByGMZMin, Continue: true},
	}
	for _, forward := range []bool{false, true} {
		list = append(list,
			emptiness.Minimizer{Forward: forward},
			emptiness.Minimizer{Without: emptiness.All, Forward: forward})
		for one := emptiness.FirstRun; one <= emptiness.FewerEntries; one <<= 1 {
			list = append(list,
				emptiness.Minimizer{Without: one, Forward: forward},
				emptiness.Minimizer{Without: emptiness.All &^ one, Forward: forward})
		}
	}
	return list
}

// agreeOnLength checks searches of an automaton with naive, and returns the length.
func agreeOnLength(t *testing.T, src omega.Source, bound int, searches []emptiness.Minimizer) int {
	t.Helper()
	length := runs.Shortest(src)
	want := length
	if bound > 0 && want >= bound {
		want = 0
	}
	for _, m := range searches {
		m.Bound = bound
		last := 0
		var found *emptiness.Run
		m.Found = func(r *emptiness.Run) {
			if last > 0 && r.Size() >= last {
				t.Errorf("%+v: a run of length %d after one of length %d", m, r.Size(), last)
			}
			if err := runs.Replay(src, r); err != nil {
				t.Errorf("%+v: %v", m, err)
			}
			found, last = r, r.Size()
		}
		got, err := m.Run(context.Background(), src)
		if errors.Is(err, emptiness.ErrUnfit) && m.Algorithm == emptiness.ByGMZMin && src.Acceptance().Condition.Op != omega.CondInf {
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		n := 0
		if got.Run != nil {
			n = got.Run.Size()
		}
		if n != want || got.Run != found {
			t.Fatalf("%+v: a run of length %d, want %d", m, n, want)
		}
		if least := got.Least; n > 0 && least != n || n == 0 && least != emptiness.NoRun && (bound == 0 || least != bound) ||
			n == 0 && least == emptiness.NoRun && length > 0 {
			t.Fatalf("%+v: at least %d edges are said to be needed, a shortest run has %d", m, least, length)
		}
	}
	if bound > 0 {
		return want
	}
	got, err := product.ShortestRun(context.Background(), src, omega.Limits{})
	if err != nil || got.Empty() != (want == 0) {
		t.Fatalf("%+v, %v; want a run of length %d", got, err, want)
	}
	if want > 0 {
		if err := runs.Replay(src, got.Run); err != nil || got.Run.Size() != want {
			t.Fatalf("a run of length %d, want %d (%v)", got.Run.Size(), want, err)
		}
	}
	return want
}

// seeded returns the random numbers of a test, their seed, and how many automata it takes.
func seeded(t *testing.T, seed uint64, number int) (*rand.Rand, uint64, int) {
	n, seed := campaign.Seeded(t, number, seed)
	t.Logf("seed %d, %d automata", seed, n)
	return rand.New(rand.NewPCG(seed, 0)), seed, n
}

// TestShortest compares every algorithm, under every option, with what naive says.
func TestShortest(t *testing.T) {
	r, seed, number := seeded(t, 1, 700)
	alphabet := omega.NewAlphabet("a")
	empty, lengths := 0, map[int]int{}
	for i := range number {
		acceptance := runs.Condition(r)
		if r.IntN(3) == 0 {
			acceptance = omega.Buchi()
		}
		n := 1 + r.IntN(9)
		if r.IntN(10) == 0 {
			n += r.IntN(20)
		}
		marks := []float64{0.05, 0.2, 0.5}[r.IntN(3)]
		if acceptance.Sets > 64 {
			n, marks = min(n, 3), 0.95
		}
		density := (0.3 + 1.5*r.Float64()) / float64(n)
		src := from{Automaton: random.Automaton(r, alphabet, acceptance, random.Options{
			States: n, Density: density, Marks: marks, StateMarks: i%3 == 0})}
		if i%4 == 1 {
			src.Automaton = multigraph(r, alphabet, acceptance, n, marks)
		}
		src.initial = []omega.State{0}
		for len(src.initial) < n && r.IntN(4) == 0 {
			if s := omega.State(r.IntN(n)); !slices.Contains(src.initial, s) {
				src.initial = append(src.initial, s)
			}
		}
		length := agreeOnLength(t, src, 0, minimizers())
		if length == 0 {
			empty++
		}
		lengths[length]++
		agreeOnLength(t, src, 1+r.IntN(length+3), minimizers())
		if t.Failed() {
			t.Fatalf("seed %d, automaton %d (%s)", seed, i, acceptance)
		}
	}
	if empty < number/10 || empty > 9*number/10 {
		t.Errorf("seed %d: %d of %d automata are empty: the test is one-sided", seed, empty, number)
	}
	t.Logf("%d automata, %d empty, by length %v", number, empty, lengths)
}

// TestShortestBuchi: the same for Büchi acceptance alone, with few options and on more automata.
func TestShortestBuchi(t *testing.T) {
	r, seed, number := seeded(t, 5, 5000)
	searches := []emptiness.Minimizer{
		{},
		{Without: emptiness.All &^ (emptiness.FirstRun | emptiness.ShorterHead)},
		{Algorithm: emptiness.ByGMZMin},
		{Algorithm: emptiness.ByGMZMin, Continue: true},
		{Algorithm: emptiness.ByL2S},
	}
	found := 0
	for i := range number {
		n := 1 + r.IntN(15)
		src := from{Automaton: random.Automaton(r, omega.NewAlphabet("a"), omega.Buchi(), random.Options{
			States: n, Density: (1 + r.Float64()) / float64(n), Marks: 0.15, StateMarks: i%2 == 0}), initial: []omega.State{0}}
		if r.IntN(4) == 0 {
			src.initial = append(src.initial, omega.State(r.IntN(n)))
		}
		if agreeOnLength(t, src, 0, searches) > 0 {
			found++
		}
		if t.Failed() {
			t.Fatalf("seed %d, automaton %d", seed, i)
		}
	}
	if found < number/5 {
		t.Errorf("seed %d: only %d of %d automata are not empty", seed, found, number)
	}
}

// TestShortestProduct: the same on products that are made on demand.
func TestShortestProduct(t *testing.T) {
	r, seed, number := seeded(t, 2, 200)
	alphabet := omega.NewAlphabet("a")
	found := 0
	for i := range number {
		var sides [2]*omega.Automaton
		for k := range sides {
			acceptance := runs.Condition(r)
			for acceptance.Sets > 6 {
				acceptance = runs.Condition(r)
			}
			if r.IntN(3) == 0 {
				acceptance = omega.Buchi()
			}
			n := 1 + r.IntN(5)
			sides[k] = random.Automaton(r, alphabet, acceptance, random.Options{States: n, Density: 2 / float64(n), Marks: 0.3})
		}
		if agreeOnLength(t, productcheck.NewProduct(sides[0], sides[1]), 0, minimizers()) > 0 {
			found++
		}
		if t.Failed() {
			t.Fatalf("seed %d, pair %d", seed, i)
		}
	}
	if found < number/10 || found > 9*number/10 {
		t.Errorf("seed %d: %d of %d products are not empty: the test is one-sided", seed, found, number)
	}
}

// TestShortestLimits: every search ends where a limit or the context says so, with
// its counts, and with the best run that it has.
func TestShortestLimits(t *testing.T) {
	c := runs.Chain{N: 100000, Over: omega.NewAlphabet()}
	for _, m := range minimizers() {
		m.Limits.ProductStates = 1000
		r, err := m.Run(context.Background(), c)
		var limit *omega.LimitError
		if !errors.As(err, &limit) || limit.What != "states" || r.States != 1000 {
			t.Errorf("%+v: %+v, %v; want the limit of 1000 states", m, r, err)
		}
		m.Limits = omega.Limits{Memory: 20000}
		if _, err := m.Run(context.Background(), c); !errors.As(err, &limit) || limit.What != "memory" {
			t.Errorf("%+v: %v, want the limit of memory", m, err)
		}
		m.Limits = omega.Limits{}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := m.Run(ctx, c); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v, want context.Canceled", m, err)
		}
	}
}

// TestShortestAnytime: the best run so far comes with the error of a limit.
func TestShortestAnytime(t *testing.T) {
	const n = 2000
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(n)
	b.AddStart(0)
	// A long way round to the accepting edge comes first, and a short cut last.
	edge := func(s, t omega.State, marks ...int) { b.AddEdge(s, b.Alphabet().True(), b.Marks().Of(marks...), t) }
	for s := range omega.State(n - 1) {
		edge(s, s+1)
	}
	edge(n-1, 0, 0)
	edge(0, n-1)
	a := b.Automaton()
	for _, m := range []emptiness.Minimizer{{Algorithm: emptiness.ByGMZMin}, {}} {
		r, err := m.Run(context.Background(), a)
		if err != nil || r.Run.Size() != 2 || r.Runs < 2 {
			t.Fatalf("%+v: %+v, %v", m, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		m.Found = func(*emptiness.Run) { cancel() }
		r, err = m.Run(ctx, a)
		if !errors.Is(err, context.Canceled) || r.Run == nil || r.Run.Size() != n {
			t.Errorf("%+v: %+v, %v; want the first run, of length %d", m, r, err, n)
		}
	}
}

// closed is a chain whose loop at the end is accepting.
type closed struct{ runs.Chain }

func (c closed) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	buf, err := c.Chain.AppendEdges(buf, s)
	if s == c.N-1 {
		buf[len(buf)-1].Marks = 1
	}
	return buf, err
}

// TestShortestLongChain: nothing recurses over states, and each state's edges are made only a few
// times.
func TestShortestLongChain(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 18))
	const n = 20_000
	empty := runs.Chain{N: n, Over: omega.NewAlphabet()}
	for _, m := range []emptiness.Minimizer{
		{Algorithm: emptiness.ByGMZMin},
		{Algorithm: emptiness.ByGMZMin, Fresh: true},
		{},
		{Without: emptiness.All, Forward: true},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		calls := 5 * n
		r, err := m.Run(ctx, canceling{empty, &calls, cancel})
		if err != nil || !r.Empty() || r.States != n {
			t.Errorf("%+v: %+v, %v", m, r, err)
		}
		r, err = m.Run(ctx, canceling{closed{empty}, &calls, cancel})
		if err != nil || r.Empty() || r.Run.Size() != n {
			t.Errorf("%+v: %+v, %v", m, r, err)
		}
	}
}

// fin is a closed chain with the condition Inf(0) & Fin(1).
type fin struct{ closed }

func (fin) Acceptance() omega.Acceptance {
	return omega.Acceptance{Sets: 2, Condition: omega.AllOf(omega.Inf(0), omega.Fin(1))}
}
func (fin) Marks() *omega.MarkTable { return omega.NewMarkTable(2) }

// TestShortestRunLimits: where l2s takes too much memory, gm-min does not; and when it is canceled
// there is a run, as one was found first.
func TestShortestRunLimits(t *testing.T) {
	const n = 20000
	src := fin{closed{runs.Chain{N: n, Over: omega.NewAlphabet()}}}
	var over *omega.LimitError
	m := emptiness.Minimizer{Algorithm: emptiness.ByL2S, Limits: omega.Limits{Memory: 16 << 20}}
	if r, err := m.Run(context.Background(), src); !errors.As(err, &over) || r.Run != nil {
		t.Errorf("l2s: %+v, %v; want the limit of memory", r, err)
	}
	r, err := product.ShortestRun(context.Background(), src, omega.Limits{})
	if err != nil || r.Run.Size() != n {
		t.Errorf("%+v, %v; want a run of length %d", r, err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 5 * n / 2 // the first run is found by then, and its length is not proved least
	r, err = product.ShortestRun(ctx, canceling{src, &calls, cancel}, omega.Limits{})
	if !errors.Is(err, context.Canceled) || r.Run == nil || r.Run.Size() != n {
		t.Errorf("%+v, %v; want context.Canceled, and a run of length %d", r, err, n)
	}
}

// canceling cancels a context after some calls.
type canceling struct {
	omega.Source
	calls  *int
	cancel func()
}

func (c canceling) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if *c.calls--; *c.calls == 0 {
		c.cancel()
	}
	return c.Source.AppendEdges(buf, s)
}

// TestShortestAlternating: there are no runs of alternating automata to find.
func TestShortestAlternating(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(2)
	both := b.Universal([]omega.State{0, 1})
	b.AddStart(both)
	b.AddEdge(0, b.Alphabet().True(), 0, both)
	m := emptiness.Minimizer{}
	if _, err := m.Run(context.Background(), b.Automaton()); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("%v", err)
	}
}

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
		r, err := by.Check(context.Background(), a, omega.Limits{})
		if err != nil || r.Run == nil || r.Run.Size() != 2 || r.States > most {
			t.Errorf("%s: %+v, %v; want a run of length 2 and at most %d states", by, r, err, most)
		}
	}
}

// TestBlackStates: no word is accepted from a black state, and its successors are black, too
// (Gastin, Moro, Zeitoun 2004, Lemma 1).
func TestBlackStates(t *testing.T) {
	r, seed, number := seeded(t, 6, 5000)
	found, blacks := 0, 0
	for i := range number {
		n := 1 + r.IntN(15)
		a := random.Automaton(r, omega.NewAlphabet(), omega.Buchi(), random.Options{
			States: n, Density: (0.5 + r.Float64()) / float64(n), Marks: 0.15, StateMarks: i%2 == 0})
		black := must.Get(emptiness.BlackStates(context.Background(), a))
		if len(black) == 0 {
			continue
		}
		blacks++
		if runs.Shortest(a) > 0 {
			found++
		}
		if length := runs.Shortest(from{a, black}); length > 0 {
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
	if found < number/100 || found > 9*blacks/10 {
		t.Errorf("seed %d: %d of %d automata with black states have runs: the test is one-sided", seed, found, blacks)
	}
	t.Logf("%d of %d automata have black states, %d of them runs", blacks, number, found)
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
				if err := runs.Replay(src, run); err != nil || !through {
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
		ctx, cancel := context.WithCancel(context.Background())
		r, err := m.Run(ctx, &counted{Automaton: a, left: 1 << 15, cancel: cancel})
		if !errors.Is(err, context.Canceled) || r.Run == nil || r.Run.Size() != 25 || r.Least != 1 {
			t.Errorf("%+v, %v; want a run of length 25, and that it was canceled", r, err)
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
