package productcheck_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// from returns an automaton with another initial state.
func from(a *omega.Automaton, s omega.State) *omega.Automaton {
	b := omega.NewBuilderLike(a)
	b.AddStates(a.NumStates())
	for q := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(q) {
			b.AddEdge(q, e.Label, e.Marks, e.Dst)
		}
	}
	b.AddStart(s)
	return b.Automaton()
}

// TestSuperiors: a state that is said to accept all words of another one does, by the complement.
func TestSuperiors(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	pairs := 0
	for i := range 600 {
		sets := r.IntN(4)
		all := []*omega.Condition{}
		for k := range sets {
			all = append(all, omega.Inf(k))
		}
		acceptance := omega.Acceptance{Sets: sets, Condition: omega.AllOf(all...)}
		n := 1 + r.IntN(5)
		x := random.Automaton(r, letters, acceptance, random.Options{States: n, Density: (0.3 + r.Float64()) / float64(n), Marks: 0.3})
		m := 1 + r.IntN(5)
		y := random.Automaton(r, letters, omega.Buchi(), random.Options{States: m, Density: (1 + 2*r.Float64()) / float64(m), Marks: 0.4})
		by, err := productcheck.Superiors(t.Context(), x, y, 1<<22)
		if err != nil || len(by) != n {
			t.Fatalf("pair %d: %d sets of states, %v", i, len(by), err)
		}
		for p := range omega.State(n) {
			for q := range omega.State(m) {
				if by[p][0]>>q&1 == 0 {
					continue
				}
				pairs++
				co, err := complement.With(t.Context(), "determinization", from(y, q), 0)
				if err != nil {
					t.Fatal(err)
				}
				got, err := productcheck.Intersect(t.Context(), from(x, p), co, emptiness.Limits{})
				if err != nil || !got.Empty() {
					t.Fatalf("pair %d: state %d of y does not accept the word %v of state %d of x (%v)", i, q, got.Word, p, err)
				}
			}
		}
	}
	t.Logf("%d pairs of states", pairs)
	if pairs < 1000 {
		t.Error("the test is not worth much")
	}
}

// similarPair returns two random automata, of which the second has most edges of the first.
func similarPair(r *rand.Rand) (x, y *omega.Automaton) {
	n := 5 + r.IntN(6)
	sets := 1 + r.IntN(2)
	acceptance := omega.Acceptance{Sets: sets, Condition: omega.AllOf(omega.Inf(0), omega.Inf(sets-1))}
	y = random.Automaton(r, letters, acceptance, random.Options{States: n, Density: 2 / float64(n), Marks: 0.2})
	b := omega.NewBuilderLike(y)
	b.AddStates(n)
	for q := range omega.State(n) {
		for _, e := range y.Edges(q) {
			if r.IntN(8) > 0 {
				b.AddEdge(q, e.Label, e.Marks, e.Dst)
			}
		}
	}
	for _, s := range y.Initial() {
		b.AddStart(s)
	}
	for range r.IntN(3) {
		b.AddEdge(omega.State(r.IntN(n)), letters.Prop(r.IntN(2)), 0, omega.State(r.IntN(n)))
	}
	return b.Automaton(), y
}

// TestDecideLate: simulation between the sides changes no answer. Each pair is decided by one
// construction, or in a campaign by three.
func TestDecideLate(t *testing.T) {
	n, seed := campaign.Seeded(t, 1500, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	known, empty, before, after := 0, 0, 0, 0
	for i := range n {
		x, y := similarPair(r)
		left, right := productcheck.NewLanguage(x), productcheck.NewLanguage(y)
		for _, algorithm := range campaign.Alternate(i, complement.Algorithm(""), "modular", "ncsb-joint") {
			d := productcheck.Decider{Algorithm: algorithm}
			want, err := d.Decide(t.Context(), left, true, right, false)
			if err != nil {
				t.Fatal(err)
			}
			got, used, err := d.DecideLate(t.Context(), left, true, right, false)
			if errors.Is(err, complement.ErrUnfit) {
				continue
			}
			if err != nil || got.Empty() != want.Empty() {
				t.Fatalf("pair %d, %s: empty %v, want %v (%v)", i, algorithm, got.Empty(), want.Empty(), err)
			}
			if used {
				known++
			}
			if got.Empty() && algorithm != "" { // otherwise, it may have been proved before
				empty++
				before, after = before+want.Pairs, after+got.Pairs
			}
		}
	}
	t.Logf("%d answers with simulation, %d empty: %d pairs of states without it, %d with it", known, empty, before, after)
	if known < n/5 || after >= before {
		t.Error("the test is not worth much")
	}
}

// TestSuperiorsCanceled ends the simulation wherever it looks at its context.
func TestSuperiorsCanceled(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	x := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 30, Density: 0.1, Marks: 0.3})
	y := random.Automaton(r, letters, omega.Buchi(), random.Options{States: 30, Density: 0.2, Marks: 0.3})
	for k := 0; ; k++ {
		by, err := productcheck.Superiors(canceled.At(t.Context(), k+1), x, y, 1<<28)
		if err == nil {
			if k < 10 || by == nil {
				t.Errorf("done after %d looks", k)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || by != nil {
			t.Fatalf("canceled at look %d: %v", k, err)
		}
		if by, err = productcheck.Superiors(t.Context(), x, y, 256*k); by != nil || err == nil {
			continue // it is done by then
		} else if !errors.Is(err, reduce.ErrSteps) {
			t.Fatalf("after %d steps: %v", 256*k, err)
		}
	}
}

// TestEqual: an automaton with the language of another one can take its place. Here it has to guess
// the next letter, as y has.
func TestEqual(t *testing.T) {
	b := omega.NewBuilder(letters, omega.Buchi())
	b.AddStates(3)
	b.AddStart(0)
	a := letters.Prop(0)
	b.AddEdge(0, letters.True(), 0, 1)
	b.AddEdge(0, letters.True(), 0, 2)
	b.AddEdge(1, a, b.Marks().Of(0), 0)
	b.AddEdge(2, letters.Not(a), b.Marks().Of(0), 0)
	guesses := b.Automaton()
	x, y := universal(), productcheck.NewLanguage(guesses)
	d := productcheck.Decider{}
	got, _, err := d.DecideLate(t.Context(), x, true, y, false)
	if err != nil || !got.Empty() || got.ProductStates == 0 {
		t.Fatalf("%+v (%v)", got, err)
	}
	x.AddEqual(productcheck.NewLanguage(guesses))
	if got, _, err = d.DecideLate(t.Context(), x, true, y, false); err != nil || !got.Empty() || got.ProductStates != 0 {
		t.Errorf("%+v (%v)", got, err)
	}
}
