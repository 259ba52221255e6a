package productcheck_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// explicitProduct builds the product of two automata from its definition, by
// trying every pair of edges of every pair of states.
func explicitProduct(a, b *omega.Automaton) *omega.Automaton {
	acceptance := omega.Acceptance{
		Sets:      a.Acceptance().Sets + b.Acceptance().Sets,
		Condition: omega.AllOf(a.Acceptance().Condition, b.Acceptance().Condition.Shift(a.Acceptance().Sets)),
	}
	p := omega.NewBuilder(a.Alphabet(), acceptance)
	n := omega.State(b.NumStates())
	p.AddStates(a.NumStates() * b.NumStates())
	for _, s := range a.Initial() {
		for _, t := range b.Initial() {
			p.AddStart(s*n + t)
		}
	}
	for s := range omega.State(a.NumStates()) {
		for t := range n {
			for _, e := range a.Edges(s) {
				for _, f := range b.Edges(t) {
					list := a.Marks().AppendTo(nil, e.Marks)
					for _, m := range b.Marks().AppendTo(nil, f.Marks) {
						list = append(list, m+a.Acceptance().Sets)
					}
					p.AddEdge(s*n+t, a.Alphabet().And(e.Label, f.Label), p.Marks().Of(list...), e.Dst*n+f.Dst)
				}
			}
		}
	}
	return p.Automaton()
}

func randomAcceptance(r *rand.Rand) omega.Acceptance {
	names := []string{"all", "Buchi", "co-Buchi", "generalized-Buchi 3", "Rabin 2", "Streett 1", "parity min even 4", "generalized-Buchi 40"}
	if i := r.IntN(len(names) + 3); i < len(names) {
		a, _ := omega.NamedAcceptance(names[i])
		return a
	}
	n := 1 + r.IntN(4)
	return omega.Acceptance{Sets: n, Condition: random.Condition(r, n, 0)}
}

func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("p", i)
	}
	return list
}

// replay reports what is wrong with a run on a word: it must be a path of edges from an initial
// state, each of whose labels has all letters at its place, and an accepting cycle.
func replay(a *omega.Automaton, run *emptiness.Run, w *omega.Word) error {
	if len(run.Prefix) != len(w.Prefix) || len(run.Cycle) != len(w.Cycle) || len(run.Cycle) == 0 {
		return fmt.Errorf("%d and %d steps on %s", len(run.Prefix), len(run.Cycle), w)
	}
	steps, letters := slices.Concat(run.Prefix, run.Cycle), slices.Concat(w.Prefix, w.Cycle)
	if !slices.Contains(a.Initial(), steps[0].From) {
		return fmt.Errorf("state %d is not initial", steps[0].From)
	}
	for i, step := range steps {
		next := run.Cycle[0].From
		if i+1 < len(steps) {
			next = steps[i+1].From
		}
		if !slices.Contains(a.Edges(step.From), step.Edge) || step.Edge.Dst != next ||
			a.Alphabet().And(letters[i], step.Edge.Label) != letters[i] {
			return fmt.Errorf("step %d: no edge from %d to %d on this letter of %s", i, step.From, next, w)
		}
	}
	var all omega.Marks
	for _, step := range run.Cycle {
		all = a.Marks().Union(all, step.Edge.Marks)
	}
	if !a.Acceptance().Condition.Eval(a.Marks(), all) {
		return errors.New("the cycle does not accept")
	}
	return nil
}

// TestIntersect compares the check on pairs with the explicit product, replays the runs of both
// sides, and certifies each common word on both by omega's membership test.
func TestIntersect(t *testing.T) {
	rounds, seed := campaign.Seeded(t, 1500, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	empty := 0
	for i := range rounds {
		alphabet := omega.NewAlphabet(names([]int{1, 2, 3, 8}[r.IntN(4)])...)
		automaton := func() *omega.Automaton {
			acceptance := randomAcceptance(r)
			n := 1 + r.IntN(9)
			marks := []float64{0.1, 0.4}[r.IntN(2)]
			if acceptance.Sets > 8 {
				marks = 0.9
			}
			// With more propositions, more edges, so that some meet.
			return random.Automaton(r, alphabet, acceptance, random.Options{States: n,
				Density: min(1, float64(1+r.IntN(3))*float64(alphabet.Len())/float64(n)), Marks: marks})
		}
		a, b := automaton(), automaton()
		if i%4 == 0 {
			a, b = widen(a), widen(b)
		}
		want := must.Get(emptiness.Check(context.Background(), explicitProduct(a, b), omega.Limits{}))
		got, err := productcheck.Intersect(context.Background(), a, b, omega.Limits{})
		if err != nil {
			t.Fatalf("seed %d, pair %d: %v", seed, i, err)
		}
		if got.Empty() != want.Empty() {
			t.Fatalf("seed %d, pair %d: empty = %v, want %v", seed, i, got.Empty(), want.Empty())
		}
		if got.Empty() {
			empty++
			continue
		}
		for _, side := range []struct {
			a   *omega.Automaton
			run *emptiness.Run
		}{{a, got.Left}, {b, got.Right}} {
			// Every letter that the word leaves open must be accepted: take one.
			for _, w := range []*omega.Word{got.Word, got.Word.Concrete()} {
				if ok, err := side.a.Accepts(context.Background(), w); err != nil || !ok {
					t.Fatalf("seed %d, pair %d: one side does not accept %s", seed, i, w)
				}
			}
			if err := replay(side.a, side.run, got.Word); err != nil {
				t.Fatalf("seed %d, pair %d: the run of one side: %v", seed, i, err)
			}
		}
	}
	t.Logf("seed %d: %d pairs, %d share no word", seed, rounds, empty)
	if empty < rounds/10 || empty > rounds*9/10 {
		t.Errorf("%d of %d pairs share no word: the test is one-sided", empty, rounds)
	}
}

// widen gives each edge a label of many letters.
func widen(a *omega.Automaton) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			cubes, _ := a.Alphabet().Cover(e.Label)
			cube := cubes[0]
			i := int(s+e.Dst) % len(cube)
			l := a.Alphabet().Prop(cube[i].Prop())
			if cube[i].Negated() {
				l = a.Alphabet().Not(l)
			}
			if i > 0 {
				l = a.Alphabet().Or(l, a.Alphabet().Not(a.Alphabet().Prop(cube[i-1].Prop())))
			}
			b.AddEdge(s, l, b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), e.Dst)
		}
	}
	return b.Automaton()
}

// TestLimitOfInitial: pairs of initial states count, before there are any.
func TestLimitOfInitial(t *testing.T) {
	build := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Condition: omega.AllOf()})
	build.AddStates(1000)
	for s := range 1000 {
		build.AddStart(omega.State(s))
	}
	a := build.Automaton()
	for want, limits := range map[string]omega.Limits{"product states": {ProductStates: 999999}, "memory": {Memory: 1 << 20}, "": {ProductStates: 2000000}} {
		_, err := productcheck.Intersect(context.Background(), a, a, limits)
		var limit *omega.LimitError
		if errors.As(err, &limit); (want == "") != (err == nil) || err != nil && (limit == nil || limit.What != want) {
			t.Errorf("got %v, want a limit of %q", err, want)
		}
	}
}

// gillard returns automata as in Gillard 2019, section 4.7.1: 500 states, an edge
// between two of them with probability 7.5 %, 16 sets of generalized Büchi
// acceptance, and single letters of 10 propositions as labels.
func gillard(n int, marks float64) []*omega.Automaton {
	r := rand.New(rand.NewPCG(471, 0))
	alphabet := omega.NewAlphabet(names(10)...)
	var list []*omega.Automaton
	for range n {
		list = append(list, random.Automaton(r, alphabet, omega.GeneralizedBuchi(16), random.Options{States: 500, Density: 0.075, Marks: marks}))
	}
	return list
}

// labelled returns an automaton of n states with about degree edges each. The function label makes
// the labels.
func labelled(r *rand.Rand, alphabet *omega.Alphabet, n, degree int, label func() omega.Label) *omega.Automaton {
	b := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(3))
	b.AddStates(n)
	b.AddStart(0)
	for s := range n {
		edges := 2 * degree
		if s > 0 {
			edges = r.IntN(edges + 1)
		}
		for range edges {
			var marks []int
			if r.IntN(4) == 0 {
				marks = append(marks, r.IntN(3))
			}
			b.AddEdge(omega.State(s), label(), b.Marks().Of(marks...), omega.State(r.IntN(n)))
		}
	}
	return b.Automaton()
}

// labels are ways to make random labels over an alphabet.
var labels = []struct {
	name string
	make func(r *rand.Rand, a *omega.Alphabet) func() omega.Label
}{
	{"letters", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return literals(r, a, 0, a.Len()) }
	}},
	{"letters of the last ten propositions", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return literals(r, a, max(0, a.Len()-10), a.Len()) }
	}},
	{"letters of every second proposition", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label {
			l := a.True()
			for i := 0; i < a.Len(); i += 2 {
				l = a.And(l, literals(r, a, i, i+1))
			}
			return l
		}
	}},
	{"letters of every second proposition, something of the others", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label {
			l, m := a.True(), omega.False
			for i := range a.Len() {
				if i%2 == 0 {
					l = a.And(l, literals(r, a, i, i+1))
				} else if r.IntN(4) > 0 {
					m = a.Or(m, literals(r, a, i, i+1))
				}
			}
			return a.And(l, a.Or(m, literals(r, a, 1, 2)))
		}
	}},
	{"letters and a few wide labels", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label {
			if r.IntN(10) == 0 {
				return some(r, a, 2)
			}
			return literals(r, a, 0, a.Len())
		}
	}},
	{"cubes of three literals", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return some(r, a, 3) }
	}},
	{"cubes of two thirds of the literals", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return some(r, a, 2*a.Len()/3) }
	}},
	{"wide labels", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return a.Not(some(r, a, 2)) }
	}},
	{"unions of two letters", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return a.Or(literals(r, a, 0, a.Len()), literals(r, a, 0, a.Len())) }
	}},
	{"unions of three cubes", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		return func() omega.Label { return a.Or(some(r, a, 4), a.Or(some(r, a, 4), some(r, a, 4))) }
	}},
	{"few labels", func(r *rand.Rand, a *omega.Alphabet) func() omega.Label {
		list := []omega.Label{a.True(), some(r, a, 2), literals(r, a, 0, a.Len()), literals(r, a, 0, a.Len())}
		return func() omega.Label { return list[r.IntN(len(list))] }
	}},
}

// literals returns a random conjunction of literals of the propositions from lo to
// hi.
func literals(r *rand.Rand, a *omega.Alphabet, lo, hi int) omega.Label {
	l := a.True()
	for i := min(hi, a.Len()) - 1; i >= lo; i-- {
		p := a.Prop(i)
		if r.IntN(2) == 0 {
			p = a.Not(p)
		}
		l = a.And(p, l)
	}
	return l
}

// some returns a random conjunction of up to n literals.
func some(r *rand.Rand, a *omega.Alphabet, n int) omega.Label {
	l := a.True()
	for range min(n, a.Len()) {
		i := r.IntN(a.Len())
		if m := a.And(l, literals(r, a, i, i+1)); m != omega.False {
			l = m
		}
	}
	return l
}

// onDemand hides that a Source is an Automaton.
type onDemand struct{ omega.Source }

// TestEveryPair compares the edges of products, and their order, with those that are found by trying
// every pair, for many kinds of labels. Some products share the indexes of their sides, and some sides
// are made on demand. The products of all automata over an alphabet, also with themselves, are explored
// all at the same time.
func TestEveryPair(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 1))
	total := 0
	for _, kind := range slices.Repeat(labels, campaign.Inputs(t, 10)) {
		alphabet := omega.NewAlphabet(names([]int{0, 1, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 16, 20, 30, 40, 70}[r.IntN(18)])...)
		var automata, sources []omega.Source
		for i := range 5 {
			if i == 3 {
				kind = labels[r.IntN(len(labels))]
			}
			x := labelled(r, alphabet, 1+r.IntN(12), []int{2, 4, 10, 20}[r.IntN(4)], kind.make(r, alphabet))
			indexed := productcheck.NewIndexed(x)
			automata, sources = append(automata, x), append(sources, []omega.Source{x, onDemand{x}, indexed, indexed}[r.IntN(4)])
		}
		type pair struct {
			got  *productcheck.Product
			want *productcheck.EveryPair
		}
		var pairs []pair
		for i := range sources {
			for j := range sources {
				pairs = append(pairs, pair{
					productcheck.NewProduct(sources[i], sources[j]),
					productcheck.NewEveryPair(automata[i], automata[j]),
				})
			}
		}
		for range 300 {
			p := pairs[r.IntN(len(pairs))]
			if r.IntN(50) == 0 {
				i, j := r.IntN(5), r.IntN(5)
				p.got, p.want = productcheck.NewProduct(sources[i], sources[j]), productcheck.NewEveryPair(automata[i], automata[j])
				pairs[r.IntN(len(pairs))] = p
			}
			s := omega.State(r.IntN(p.want.NumStates()))
			a := must.Get(p.got.AppendEdges(nil, s))
			b := must.Get(p.want.AppendEdges(nil, s))
			if !slices.Equal(a, b) {
				t.Fatalf("%d propositions: state %d has the edges\n%v, want\n%v", alphabet.Len(), s, a, b)
			}
			total += len(a)
		}
	}
	if total < 10000 {
		t.Errorf("only %d edges compared", total)
	}
}

// TestProductMemory: Memory counts what a product holds, edges, indexes and pairs.
func TestProductMemory(t *testing.T) {
	automata := gillard(6, 0)
	for _, y := range automata[1:] {
		x := automata[0]
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p := productcheck.NewProduct(onDemand{x}, onDemand{y})
		empty := p.Memory()
		var buf []omega.Edge
		for s := 0; s < p.NumStates(); s++ {
			buf = must.Get(p.AppendEdges(buf[:0], omega.State(s)))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		held := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		counted := p.Memory() - empty
		if p.NumStates() < 100000 {
			continue
		}
		if counted < held*8/10 || counted > held*12/10 {
			t.Errorf("%d bytes counted for %d pairs, but %d are held", counted, p.NumStates(), held)
		}
		return
	}
	t.Error("no large product")
}
