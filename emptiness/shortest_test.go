package emptiness_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
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

// naive returns the least length of an accepting run, 0 if there is none: for each
// state, its distance and a breadth-first search over states and marks from there.
func naive(a omega.Source) int {
	edges := func(s omega.State) []omega.Edge {
		list, err := a.AppendEdges(nil, s)
		if err != nil {
			panic(err)
		}
		return list
	}
	type seen struct {
		state omega.State
		marks omega.Marks
	}
	dist := map[omega.State]int{}
	queue := slices.Clone(a.Initial())
	for _, s := range queue {
		dist[s] = 0
	}
	best := 0
	for i := 0; i < len(queue); i++ {
		start := queue[i]
		for _, e := range edges(start) {
			if _, ok := dist[e.Dst]; !ok {
				dist[e.Dst] = dist[start] + 1
				queue = append(queue, e.Dst)
			}
		}
		loop := map[seen]int{{start, 0}: 0}
		within := []seen{{start, 0}}
		for j := 0; j < len(within); j++ {
			at := within[j]
			n := loop[at] + 1
			for _, e := range edges(at.state) {
				next := seen{e.Dst, a.Marks().Union(at.marks, e.Marks)}
				if next.state == start && a.Acceptance().Condition.Eval(a.Marks(), next.marks) && (best == 0 || dist[start]+n < best) {
					best = dist[start] + n
				}
				if _, ok := loop[next]; !ok {
					loop[next] = n
					within = append(within, next)
				}
			}
		}
	}
	return best
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
	length := naive(src)
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
			if err := replay(src, r); err != nil {
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
	got, err := emptiness.ShortestRun(context.Background(), src, emptiness.Limits{})
	if err != nil || got.Empty() != (want == 0) {
		t.Fatalf("%+v, %v; want a run of length %d", got, err, want)
	}
	if want > 0 {
		if err := replay(src, got.Run); err != nil || got.Run.Size() != want {
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
		acceptance := condition(r)
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
			acceptance := condition(r)
			for acceptance.Sets > 6 {
				acceptance = condition(r)
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
