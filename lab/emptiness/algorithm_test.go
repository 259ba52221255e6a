package emptiness_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/runs"
	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// buchiLike reports whether the condition is a conjunction of disjunctions of
// Inf.
func buchiLike(c *omega.Condition) bool {
	switch c.Op {
	case omega.CondAnd:
		for _, d := range c.Args {
			if d.Op == omega.CondAnd || !buchiLike(d) {
				return false
			}
		}
		return true
	case omega.CondOr:
		for _, d := range c.Args {
			if d.Op != omega.CondInf {
				return false
			}
		}
		return true
	}
	return c.Op != omega.CondFin
}

// fits reports whether an algorithm has to decide a Source.
func fits(by emptiness.Algorithm, src omega.Source, weak bool) bool {
	c := src.Acceptance().Condition
	switch by {
	case emptiness.ByGeneric:
		return true
	case emptiness.ByCouvreur, emptiness.BySECouvreur, emptiness.BySEComponents, emptiness.ByTarjan, emptiness.ByTauriainen:
		return !c.HasFin()
	case emptiness.ByWeak:
		return weak
	}
	return buchiLike(c)
}

// agree runs all algorithms on a Source and compares their verdicts with the known one. Errors name
// the Source by the text what. It counts the verdicts of each algorithm.
func agree(t *testing.T, what string, src omega.Source, weak, terminal, empty bool, decided map[emptiness.Algorithm][2]int) {
	t.Helper()
	for _, by := range emptiness.Algorithms() {
		got, err := by.Check(context.Background(), src, omega.Limits{})
		if errors.Is(err, emptiness.ErrUnfit) && (!fits(by, src, weak) || by == emptiness.ByTerminal && !terminal) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %s: %v", what, by, err)
		}
		if !fits(by, src, weak) {
			t.Fatalf("%s: %s decides %s", what, by, src.Acceptance())
		}
		if got.Empty() != empty {
			t.Fatalf("%s: %s: empty = %v, want %v (%s)", what, by, got.Empty(), empty, src.Acceptance())
		}
		n := decided[by]
		if empty {
			n[0]++
		} else {
			n[1]++
			if err := runs.Replay(src, got.Run); err != nil {
				t.Fatalf("%s: %s: %v", what, by, err)
			}
		}
		decided[by] = n
	}
}

// report fails if some algorithm was hardly tried.
func report(t *testing.T, decided map[emptiness.Algorithm][2]int, least int) {
	t.Helper()
	for _, by := range emptiness.Algorithms() {
		n := decided[by]
		t.Logf("%-10s decided %d: %d empty, %d not", by, n[0]+n[1], n[0], n[1])
		if min(n[0], n[1]) < least {
			t.Errorf("%s: %d empty automata, %d not: the test is one-sided", by, n[0], n[1])
		}
	}
}

// TestAlgorithms compares all algorithms on automata of up to 50 states, and
// those on small automata with brute force.
func TestAlgorithms(t *testing.T) {
	n, seed := campaign.Seeded(t, 6000, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	brute := 0
	decided := map[emptiness.Algorithm][2]int{}
	for i := range n {
		acceptance := runs.Condition(r)
		if r.IntN(2) == 0 {
			acceptance = omega.GeneralizedBuchi([]int{0, 1, 1, 1, 1, 2, 3}[r.IntN(7)]) // that more algorithms decide
		}
		size := []int{50, 7, 7, 15}[i%4]
		kind := []runs.Shape{runs.AnyShape, runs.AnyShape, runs.AnyShape, runs.WeakShape, runs.TerminalShape}[r.IntN(5)]
		a := runs.Automaton(r, size, acceptance, kind)
		want := must.Get(product.Check(context.Background(), a, omega.Limits{}))
		if size == 7 && acceptance.Sets <= 8 {
			brute++
			if length := runs.Shortest(a); length > 0 == want.Empty() {
				t.Fatalf("seed %d, automaton %d (%s): a run of %d edges by brute force", seed, i, acceptance, length)
			}
		}
		what := fmt.Sprintf("seed %d, automaton %d", seed, i)
		agree(t, what, a, a.IsWeak(), kind == runs.TerminalShape && buchiLike(acceptance.Condition) && acceptance.Sets > 0, want.Empty(), decided)
	}
	t.Logf("seed %d: %d automata, %d of them by brute force", seed, n, brute)
	report(t, decided, n/50)
}

// TestAlgorithmsOnProducts compares all algorithms on products made on demand with
// the verdict on the explicit product.
func TestAlgorithmsOnProducts(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	decided := map[emptiness.Algorithm][2]int{}
	for i := range n {
		kind := runs.Shape(r.IntN(int(runs.Shapes)))
		var sides [2]*omega.Automaton
		for k := range sides {
			acceptance := runs.Condition(r)
			if r.IntN(3) > 0 || acceptance.Sets > 20 {
				acceptance = omega.GeneralizedBuchi(r.IntN(3))
			}
			sides[k] = runs.Automaton(r, 8, acceptance, kind)
		}
		both := sides[0].Alphabet()
		pairs := func() *productcheck.Product {
			return productcheck.NewProduct(sides[0], must.Get(sides[1].Over(context.Background(), both)))
		}
		whole := must.Get(omega.Explore(context.Background(), pairs(), omega.NoLimits()))
		want := must.Get(product.Check(context.Background(), whole, omega.Limits{}))
		p := pairs()
		weak := sides[0].IsWeak() && sides[1].IsWeak()
		what := fmt.Sprintf("seed %d, pair %d", seed, i)
		agree(t, what, p, weak, false, want.Empty(), decided)
		agree(t, what+", explicit", whole, whole.IsWeak(), false, want.Empty(), decided)
	}
	closing := graph(2, []omega.State{1}, [2]omega.State{0, 1}, [2]omega.State{1, 0})
	for _, by := range emptiness.AllAlgorithms() {
		r, err := by.Check(t.Context(), productcheck.NewProduct(closing, closing), omega.Limits{})
		if err == nil && r.Empty() || err != nil && !errors.Is(err, emptiness.ErrUnfit) {
			t.Errorf("%s on a product: %+v, %v", by, r, err)
		}
	}
	t.Logf("seed %d: %d pairs", seed, n)
	report(t, decided, n/50)
}

// longChain is a path of n states given on demand. Its last state has an edge back
// to the first one; edges with an odd number are accepting if marked is set. It
// says of itself that it is weak.
type longChain struct {
	runs.Chain
	back, marked bool
}

func (c longChain) IsWeak() bool { return true }
func (c longChain) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	e := omega.Edge{Label: c.Over.True(), Dst: s + 1}
	if e.Dst == c.N {
		if e.Dst = 0; !c.back {
			return buf, nil
		}
	}
	if c.marked {
		e.Marks = 1
	}
	return append(buf, e), nil
}

// TestAlgorithmsOnLongChains: nothing recurses over states, and all algorithms
// obey their limits.
func TestAlgorithmsOnLongChains(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 18))
	const n = 20_000
	alphabet := omega.NewAlphabet()
	for i, by := range emptiness.Algorithms() {
		for _, c := range campaign.Alternate(i, longChain{}, longChain{back: true, marked: true}) {
			c.Chain = runs.Chain{N: n, Over: alphabet}
			r, err := by.Check(context.Background(), c, omega.Limits{})
			if err != nil {
				t.Fatalf("%s: %v", by, err)
			}
			if r.Empty() == c.marked || by != emptiness.ByTerminal && r.States != n {
				t.Errorf("%s: %+v: empty = %v, %d states, depth %d", by, c, r.Empty(), r.States, r.Depth)
			}
			if !r.Empty() && len(r.Run.Prefix)+len(r.Run.Cycle) < n {
				t.Errorf("%s: a run of %d and %d steps", by, len(r.Run.Prefix), len(r.Run.Cycle))
			}
		}
		c := longChain{Chain: runs.Chain{N: n, Over: alphabet}, back: true}
		var limit *omega.LimitError
		r, err := by.Check(context.Background(), c, omega.Limits{ProductStates: 1000})
		if !errors.As(err, &limit) || limit.What != "states" || limit.Limit != 1000 || r.States < 1000 {
			t.Errorf("%s: %+v, %v; want the limit of 1000 states", by, r, err)
		}
		r, err = by.Check(context.Background(), c, omega.Limits{Memory: 1 << 18})
		if !errors.As(err, &limit) || limit.What != "memory" || r.States == 0 {
			t.Errorf("%s: %+v, %v; want the limit of memory", by, r, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if r, err := by.Check(ctx, c, omega.Limits{}); !errors.Is(err, context.Canceled) || r.States == 0 {
			t.Errorf("%s: %+v, %v; want context.Canceled", by, r, err)
		}
	}
}

// TestOneAcceptingEdge: on small graphs with one accepting edge, where there is
// nothing else that an algorithm could find instead, it is found if and only if its
// start can be reached from the initial state and from its end.
func TestOneAcceptingEdge(t *testing.T) {
	n, seed := campaign.Seeded(t, 8000, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet()
	decided := map[emptiness.Algorithm][2]int{}
	for i := range n {
		size := 3 + r.IntN(4)
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(size)
		b.AddStart(0)
		edges := make([][2]int, size+r.IntN(size+1))
		reach := make([][]bool, size)
		for s := range reach {
			reach[s] = make([]bool, size)
			reach[s][s] = true
		}
		only := r.IntN(len(edges))
		for k := range edges {
			edges[k] = [2]int{r.IntN(size), r.IntN(size)}
			reach[edges[k][0]][edges[k][1]] = true
			var m omega.Marks
			if k == only {
				m = 1
			}
			b.AddEdge(omega.State(edges[k][0]), alphabet.True(), m, omega.State(edges[k][1]))
		}
		for k := range size {
			for s := range size {
				for u := range size {
					reach[s][u] = reach[s][u] || reach[s][k] && reach[k][u]
				}
			}
		}
		a := b.Automaton()
		found := reach[0][edges[only][0]] && reach[edges[only][1]][edges[only][0]]
		agree(t, fmt.Sprintf("seed %d, graph %d", seed, i), a, a.IsWeak(), false, !found, decided)
	}
	t.Logf("seed %d: %d graphs", seed, n)
	report(t, decided, n/50)
}

// counting counts how often the edges of each state are asked for.
type counting struct {
	*omega.Automaton
	requests []int
}

func (c counting) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	c.requests[s]++
	return c.Automaton.AppendEdges(buf, s)
}

// TestRequests: on empty automata with generalized Büchi acceptance, no algorithm asks for the
// edges of a state more often than Schwoon and Esparza 2005 say in section 5.2, and each
// does so somewhere (nested searches with two sets at most).
func TestRequests(t *testing.T) {
	number, seed := campaign.Seeded(t, 6000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	nested := func(n int) int { return 2 * n }
	once := func(int) int { return 1 }
	twice := func(int) int { return 2 }
	bounds := map[emptiness.Algorithm]func(sets int) int{
		emptiness.ByCVWY:         nested,
		emptiness.ByHPY:          nested,
		emptiness.ByGMZ:          nested,
		emptiness.BySE:           nested,
		emptiness.ByTauriainen:   func(n int) int { return n + 1 },
		emptiness.ByGV:           func(n int) int { return n },
		emptiness.ByTarjan:       once,
		emptiness.ByCouvreur:     once,
		emptiness.ByGeneric:      once,
		emptiness.ByWeak:         once,
		emptiness.ByTerminal:     func(n int) int { return n },
		emptiness.BySECouvreur:   twice,
		emptiness.BySEComponents: twice,
	}
	type key struct {
		by   emptiness.Algorithm
		sets int
	}
	greatest := map[key]int{}
	for i := range number {
		sets := 1 + i%4
		a := runs.Automaton(r, 15, omega.GeneralizedBuchi(sets), runs.AnyShape)
		for by, bound := range bounds {
			c := counting{a, make([]int, a.NumStates())}
			got, err := by.Check(context.Background(), c, omega.Limits{})
			if errors.Is(err, emptiness.ErrUnfit) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !got.Empty() {
				continue
			}
			k := key{by, sets}
			greatest[k] = max(greatest[k], slices.Max(c.requests))
			if greatest[k] > bound(sets) {
				t.Fatalf("seed %d, automaton %d: %s asks %d times, with %d sets at most %d", seed, i, by, greatest[k], sets, bound(sets))
			}
		}
	}
	for by, bound := range bounds {
		for sets := 1; sets <= 4; sets++ {
			if got := greatest[key{by, sets}]; got != bound(sets) && (sets < 3 || bound(4) < 8) {
				t.Errorf("%s, %d sets: at most %d requests, want that %d occur", by, sets, got, bound(sets))
			}
		}
	}
}

// TestMinimalExploration: se-couvreur and gv visit the same states, and no search in the same
// order visits fewer (Schwoon and Esparza 2005, section 4.3). On weak automata, weak-dfs and
// se-ndfs visit the same ones (section 5.1).
func TestMinimalExploration(t *testing.T) {
	n, seed := campaign.Seeded(t, 6000, 6)
	r := rand.New(rand.NewPCG(seed, 0))
	fewer := 0
	for i := range n {
		a := runs.Automaton(r, 20, omega.Buchi(), []runs.Shape{runs.AnyShape, runs.WeakShape}[i%2])
		states := map[emptiness.Algorithm]int{}
		for _, by := range emptiness.Algorithms() {
			got, err := by.Check(context.Background(), a, omega.Limits{})
			if err == nil {
				states[by] = got.States
			}
		}
		least := states[emptiness.BySECouvreur]
		for _, by := range []emptiness.Algorithm{emptiness.ByCVWY, emptiness.ByHPY, emptiness.ByGMZ, emptiness.BySE,
			emptiness.ByTauriainen, emptiness.ByTarjan, emptiness.ByGV, emptiness.BySEComponents, emptiness.ByWeak} {
			got, ok := states[by]
			same := by == emptiness.ByGV || by == emptiness.ByWeak || by == emptiness.BySE && a.IsWeak()
			if ok && (got < least || same && got != least) {
				t.Fatalf("seed %d, automaton %d: %s visits %d states, se-couvreur %d", seed, i, by, got, least)
			}
			if got > least {
				fewer++
			}
		}
	}
	if fewer == 0 {
		t.Error("all searches visit the same states")
	}
}

// TestColours: of the eight cases that three bits of a state could tell apart, four never occur
// (Schwoon and Esparza 2005, section 3.2). Accepting edges add one.
func TestColours(t *testing.T) {
	n, seed := campaign.Seeded(t, 6000, 8)
	r := rand.New(rand.NewPCG(seed, 0))
	seen := map[emptiness.Colour]int{}
	for range n {
		colours := must.Get(emptiness.SEColours(context.Background(), runs.Automaton(r, 20, omega.Buchi(), runs.AnyShape)))
		for _, c := range colours {
			seen[c]++
		}
	}
	for _, c := range []emptiness.Colour{
		{},                          // white
		{Outer: true, OnPath: true}, // cyan
		{Outer: true, OnPath: true, Accepted: true}, // cyan, and left by an accepting edge
		{Outer: true},              // blue
		{Outer: true, Inner: true}, // red
	} {
		if seen[c] == 0 {
			t.Errorf("no state is %+v", c)
		}
		delete(seen, c)
	}
	if len(seen) > 0 {
		t.Errorf("seed %d: other colours: %+v", seed, seen)
	}
}

// removals records the states that a search says are dead.
type removals struct {
	*omega.Automaton
	states *[]omega.State
}

func (r removals) Dead(states []omega.State) { *r.states = append(*r.states, states...) }
func (r removals) Hopeless(omega.State) bool { return false }

// TestComponents: searches for components complete the components of an automaton, one after
// the other, those first to which others lead (Schwoon and Esparza 2005, section 4.4).
func TestComponents(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 7)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range n {
		a := runs.Automaton(r, 30, omega.Acceptance{Sets: 1, Condition: omega.AnyOf()}, runs.AnyShape)
		c := a.Components()
		for _, by := range []emptiness.Algorithm{emptiness.BySEComponents, emptiness.BySECouvreur, emptiness.ByCouvreur, emptiness.ByTarjan} {
			var states []omega.State
			got, err := by.Check(context.Background(), removals{a, &states}, omega.Limits{})
			if err != nil || !got.Empty() || got.States != len(states) {
				t.Fatalf("seed %d, automaton %d: %s: %+v, %v, %d states removed", seed, i, by, got, err, len(states))
			}
			complete := map[int]bool{}
			for k, s := range states {
				if of := int(c.Of[s]); k == 0 || of != int(c.Of[states[k-1]]) {
					if complete[of] {
						t.Fatalf("seed %d, automaton %d: %s: component %d in two parts", seed, i, by, of)
					}
					complete[of] = true
				}
				for _, e := range a.Edges(s) {
					if !complete[int(c.Of[e.Dst])] {
						t.Fatalf("seed %d, automaton %d: %s: state %d is removed before %d", seed, i, by, s, e.Dst)
					}
				}
			}
		}
	}
}

// TestMemory: the tables take the bytes for each state that the documentation of the algorithms
// says, and up to half as much again.
func TestMemory(t *testing.T) {
	const n = 20_000
	for by, bytes := range map[emptiness.Algorithm]int64{
		emptiness.ByCVWY: 1, emptiness.ByHPY: 1, emptiness.ByGMZ: 1, emptiness.BySE: 1, emptiness.ByWeak: 1, emptiness.ByTerminal: 1,
		emptiness.ByTauriainen: 9, emptiness.ByTarjan: 8, emptiness.ByGV: 8,
		emptiness.ByCouvreur: 4, emptiness.BySECouvreur: 4, emptiness.BySEComponents: 4, emptiness.ByGeneric: 4,
	} {
		got, err := by.Check(context.Background(), longChain{Chain: runs.Chain{N: n, Over: omega.NewAlphabet()}}, omega.Limits{})
		if err != nil || got.Tables < bytes*n || got.Tables > bytes*n*8/5 || got.Memory < got.Tables+48*n {
			t.Errorf("%s: %+v, %v; want tables of %d bytes a state", by, got, err, bytes)
		}
	}
}

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
			r, err := by.Check(context.Background(), test.a, omega.Limits{})
			if err != nil {
				t.Fatalf("%s: %s: %v", test.name, by, err)
			}
			if got := test.what(r); got != want {
				t.Errorf("%s: %s: got %d, want %d (%+v)", test.name, by, got, want, *r)
			}
		}
	}
}

// TestCorpus compares the verdicts of all algorithms on automata of all acceptance conditions with
// the verdicts of other tools.
func TestCorpus(t *testing.T) {
	n := 0
	checker := properties.Checker{Decider: &productcheck.Decider{}}
	decided := map[emptiness.Algorithm][2]int{}
	for c := range corpus.Records[struct {
		ID    any
		HOA   string
		Empty bool
	}](t, "automata.jsonl.gz") {
		a, err := hoa.NewReader(strings.NewReader(c.HOA)).Next(t.Context())
		if err != nil {
			t.Fatalf("%v: %v", c.ID, err)
		}
		n++
		agree(t, fmt.Sprint(c.ID), a, a.IsWeak(), must.Get(checker.Decide(context.Background(), a, "terminal")).Holds, c.Empty, decided)
	}
	t.Logf("%d automata", n)
	report(t, decided, 1)
}

// BenchmarkAlgorithms searches automata that accept nothing, with up to 8 acceptance sets, the last
// of them empty.
func BenchmarkAlgorithms(b *testing.B) {
	for _, sets := range []int{1, 2, 4, 8} {
		r := rand.New(rand.NewPCG(1, 0))
		alphabet := omega.NewAlphabet()
		builder := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(sets))
		const n = 50000
		builder.AddStates(n)
		builder.AddStart(0)
		for s := range n {
			for range 4 {
				var m omega.Marks
				if i := r.IntN(sets); i < sets-1 {
					m = builder.Marks().Of(i)
				}
				builder.AddEdge(omega.State(s), alphabet.True(), m, omega.State(min(n-1, max(0, s+r.IntN(100)-10))))
			}
		}
		a := builder.Automaton()
		for _, by := range emptiness.Algorithms() {
			if by == emptiness.ByWeak || by == emptiness.ByTerminal {
				continue
			}
			b.Run(fmt.Sprintf("%d/%s", sets, by), func(b *testing.B) {
				for b.Loop() {
					if r, err := by.Check(context.Background(), a, omega.Limits{}); err != nil || !r.Empty() {
						b.Fatal(r, err)
					}
				}
			})
		}
	}
}
