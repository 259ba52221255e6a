package productcheck_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
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
	return omega.Acceptance{Sets: n, Condition: random.Condition(r, n)}
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
		want, err := emptiness.Check(context.Background(), explicitProduct(a, b), emptiness.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := productcheck.Intersect(context.Background(), a, b, emptiness.Limits{})
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

// TestProductSource explores the product as a Source and compares it with the
// explicit one: as many reachable states, edges and the same labels.
func TestProductSource(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for i := range 300 {
		alphabet := omega.NewAlphabet(names(1 + i%8)...)
		o := random.Options{States: 6, Density: 1, Marks: 0.3}
		a := random.Automaton(r, alphabet, omega.Buchi(), o)
		b := random.Automaton(r, alphabet, omega.Buchi(), o)
		want, err := omega.Explore(context.Background(), explicitProduct(a, b), 0)
		if err != nil {
			t.Fatal(err)
		}
		got, err := omega.Explore(context.Background(), productcheck.NewProduct(a, b), 0)
		if err != nil {
			t.Fatal(err)
		}
		if got.NumStates() != want.NumStates() || got.NumEdges() != want.NumEdges() || got.Transitions() != want.Transitions() {
			t.Fatalf("pair %d: %d states, %d edges, %v transitions; want %d, %d, %v", i,
				got.NumStates(), got.NumEdges(), got.Transitions(), want.NumStates(), want.NumEdges(), want.Transitions())
		}
	}
}

func TestLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	alphabet := omega.NewAlphabet("a")
	none, _ := omega.NamedAcceptance("none")
	a := random.Automaton(r, alphabet, none, random.Options{States: 50, Density: 0.2})
	_, err := productcheck.Intersect(context.Background(), a, a, emptiness.Limits{States: 100})
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.What != "product states" {
		t.Errorf("got %v, want a limit of product states", err)
	}
}

// TestLimitOfInitial: pairs of initial states count, before there are any.
func TestLimitOfInitial(t *testing.T) {
	build := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Condition: omega.AllOf()})
	build.AddStates(1000)
	for s := range 1000 {
		build.AddStart(omega.State(s))
	}
	a := build.Automaton()
	for want, limits := range map[string]emptiness.Limits{"product states": {States: 999999}, "memory": {Memory: 1 << 20}, "": {States: 2000000}} {
		_, err := productcheck.Intersect(context.Background(), a, a, limits)
		var limit *omega.LimitError
		if errors.As(err, &limit); (want == "") != (err == nil) || err != nil && (limit == nil || limit.What != want) {
			t.Errorf("got %v, want a limit of %q", err, want)
		}
	}
}

// BenchmarkIntersect checks two random automata of 500 states, density 7.5 %, 16
// marks of generalized Büchi acceptance (Gillard 2019, section 4.7.1), over 10
// propositions (decision diagrams) and over 4 (truth tables). Of the pairs of
// automata, the first is taken that has a product of some size; "empty" are the
// same automata without marks, so that all reachable pairs are visited.
func BenchmarkIntersect(b *testing.B) {
	for _, n := range []int{4, 10} {
		for _, kind := range []string{"non-empty", "empty"} {
			b.Run(fmt.Sprintf("%d props/%s", n, kind), func(b *testing.B) {
				left, right := sizeable(b, n, map[string]float64{"non-empty": 0.2}[kind])
				pairs := 0
				for b.Loop() {
					result, err := productcheck.Intersect(context.Background(), left, right, emptiness.Limits{})
					if err != nil || result.Empty() != (kind == "empty") {
						b.Fatal(result, err)
					}
					pairs += result.Pairs
				}
				b.ReportMetric(float64(pairs)/float64(b.N), "pairs/op")
				b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}

// sizeable returns two random automata with a product of more than 1000 states.
func sizeable(b *testing.B, props int, marks float64) (left, right *omega.Automaton) {
	b.Helper()
	r := rand.New(rand.NewPCG(5, 0))
	alphabet := omega.NewAlphabet(names(props)...)
	for {
		var pair [2]*omega.Automaton
		for i := range pair {
			pair[i] = random.Automaton(r, alphabet, omega.GeneralizedBuchi(16), random.Options{States: 500, Density: 0.075, Marks: marks})
		}
		if _, err := omega.Explore(context.Background(), productcheck.NewProduct(pair[0], pair[1]), 1000); err != nil {
			return pair[0], pair[1] // more than the limit
		}
	}
}
