package cross

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// automaton returns the automaton of the words of the paths from the given states.
func (s *space) automaton(starts ...omega.State) *omega.Automaton {
	b := omega.NewBuilder(s.alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStates(len(s.steps))
	for _, i := range starts {
		b.AddStart(i)
	}
	for i, steps := range s.steps {
		for _, step := range steps {
			for _, j := range step.next {
				b.AddEdge(omega.State(i), s.letters[step.letter], b.Marks().Of(), j)
			}
		}
	}
	return b.Automaton()
}

// lassos calls f with the word of each path from a state that goes back to one of its
// states after at most n steps.
func (s *space) lassos(from omega.State, n int, f func(*omega.Word)) {
	path := []omega.State{from}
	var letters []omega.Label // of the path's edges
	var extend func()
	extend = func() {
		for _, step := range s.steps[path[len(path)-1]] {
			letters = append(letters, s.letters[step.letter])
			for _, next := range step.next {
				for i, state := range path {
					if state == next {
						f(omega.NewWord(s.alphabet, slices.Clone(letters[:i]), slices.Clone(letters[i:])))
					}
				}
				if len(path) < n {
					path = append(path, next)
					extend()
					path = path[:len(path)-1]
				}
			}
			letters = letters[:len(letters)-1]
		}
	}
	extend()
}

// TestSpaceProduct: a product says of a state that a word is accepted from there if
// membership, by enumeration of the lassos of the space, says so; and where it does, the
// word that is taken from it is accepted, and one of a path. The sizes equal the sizes of
// an explicit product.
func TestSpaceProduct(t *testing.T) {
	ctx := context.Background()
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	counts := map[string]int{}
	for i := range 250 {
		sets := r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets)},
			random.Options{States: 1 + r.IntN(4), Density: 0.2 + 0.6*r.Float64(), Marks: 0.3, Deterministic: i%3 == 0})
		if i%25 == 0 {
			a = alternating(t, alphabet)
		}
		l := productcheck.NewLanguage(a)
		o := Products{States: 1 + r.IntN(6), Density: 0.3 * r.Float64(), Seed: uint64(i)}
		s := o.newSpace("Ga", 0, alphabet)
		p, err := s.product(ctx, l, productcheck.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		for state := range omega.State(o.States) {
			found := false
			s.lassos(state, 5, func(w *omega.Word) {
				in, err := a.Accepts(context.Background(), w)
				if err != nil {
					t.Fatal(err)
				}
				found = found || in
			})
			if found && !p.live[state] {
				t.Fatalf("seed %d, automaton %d: a word from state %d is accepted, but the product says none is", seed, i, state)
			}
			if p.live[state] {
				counts["accepted"]++
				if err := s.confirmWord(ctx, state, l); err != nil {
					t.Fatalf("seed %d, automaton %d, state %d: %v", seed, i, state, err)
				}
			} else {
				counts["rejected"]++
			}
		}
		if !a.Alternating() {
			whole, err := omega.Explore(ctx, productcheck.NewProduct(s.automaton(0), a), 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := (emptiness.Reached{States: whole.NumStates(), Edges: whole.NumEdges(), Components: whole.Components().Count}); p.size != want {
				t.Errorf("seed %d, automaton %d: size %+v, want %+v", seed, i, p.size, want)
			}
		}
	}
	if counts["accepted"] < 100 || counts["rejected"] < 100 {
		t.Errorf("one-sided: %v", counts)
	}
}

// confirmWord takes a word from the product with the paths from a state: the automaton
// must accept it, and it must be one of these paths.
func (s *space) confirmWord(ctx context.Context, state omega.State, l *productcheck.Language) error {
	w, err := s.accepted(ctx, state, l, productcheck.DefaultLimits)
	if err != nil {
		return err
	}
	if in, err := l.Automaton().Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is not accepted (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), s.path(state)); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", s.path(state), err)
	}
	return nil
}

// alternating returns a weak alternating automaton of G(a -> Fb), of two propositions.
func alternating(t *testing.T, alphabet *omega.Alphabet) *omega.Automaton {
	t.Helper()
	text := `HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 1 Fin(0)
--BODY-- State: 0 [!0 | 1] 0 [0 & !1] 0&1 State: 1 {0} [!1] 1 [1] 2 State: 2 [t] 2 --END--`
	for p := range hoa.Split([]byte(text)) {
		a, _, err := p.Automaton(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return must.Get(a.Over(context.Background(), alphabet))
	}
	t.Fatal("no automaton")
	return nil
}

// TestSpace: all states are reached from the first, each has a successor, and a space
// depends on its seed, its number and the formula alone.
func TestSpace(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	o := Products{States: 100, Density: 0.1, Seed: 5}
	edges, letters := 0, map[omega.Label]int{}
	for k := range 20 {
		s := o.newSpace("a U b", k, alphabet)
		whole, err := omega.Explore(context.Background(), s.automaton(0), 0)
		if err != nil || whole.NumStates() != o.States {
			t.Errorf("space %d: %d states are reached of %d (%v)", k, whole.NumStates(), o.States, err)
		}
		edges += whole.NumEdges()
		for i, steps := range s.steps {
			if len(steps) == 0 {
				t.Errorf("space %d: state %d has no successor", k, i)
			}
			met := map[int]bool{}
			for _, step := range steps {
				if met[step.letter] {
					t.Errorf("space %d: state %d has two steps with letter %d", k, i, step.letter)
				}
				met[step.letter] = true
				letters[s.letters[step.letter]] += len(step.next)
			}
		}
		if again := o.newSpace("a U b", k, alphabet); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Errorf("space %d is another one the second time", k)
		}
		other := o
		other.Seed += 1000
		for _, unlike := range []*space{o.newSpace("a U b", k+1, alphabet), o.newSpace("Ga", k, alphabet), other.newSpace("a U b", k, alphabet)} {
			if fmt.Sprint(unlike) == fmt.Sprint(s) {
				t.Errorf("space %d is that of another number, formula or seed", k)
			}
		}
	}
	// 10 successors of each state, and 0.9 more that are there to reach it.
	if mean := float64(edges) / 2000; mean < 10 || mean > 12 {
		t.Errorf("%.2f successors in the mean", mean)
	}
	for l, n := range letters {
		if share := float64(n) / float64(edges); share < 0.2 || share > 0.3 {
			t.Errorf("letter %d is on %.2f of the edges", l, share)
		}
	}
	// The least there can be: one state with a loop, though no edge is likely.
	if s := (&Products{States: 1}).newSpace("1", 0, omega.NewAlphabet()); len(s.steps[0]) != 1 {
		t.Errorf("one state: %v", s.steps)
	}
}

// TestSpaceSizes: as in ltlcross, the products of a formula and of its negation both go on
// from the first state, and G halves the edges.
func TestSpaceSizes(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	size := func(k int, text string) emptiness.Reached {
		for p := range hoa.Split([]byte("HOA: v1 AP: 1 \"a\" Acceptance: 0 t Start: 0 " + text + " --END--")) {
			a, _, err := p.Automaton(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			s := DefaultProducts.newSpace("a", k, alphabet)
			p, err := s.product(context.Background(), productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet))), productcheck.DefaultLimits)
			if err != nil {
				t.Fatal(err)
			}
			return p.size
		}
		t.Fatal("no automaton")
		return emptiness.Reached{}
	}
	for k := range 20 {
		one := size(k, "States: 1 --BODY-- State: 0 [t] 0")
		if one.States != 200 || one.Components != 1 {
			t.Errorf("space %d has %+v", k, one)
		}
		for _, letter := range []string{"0", "!0"} {
			if first := size(k, "States: 2 --BODY-- State: 0 ["+letter+"] 1 State: 1 [t] 1"); first.States != 201 || first.Edges <= one.Edges {
				t.Errorf("space %d: with [%s] first, the product has %+v", k, letter, first)
			}
			half := size(k, "States: 1 --BODY-- State: 0 ["+letter+"] 0")
			if share := float64(half.Edges) / float64(one.Edges); half.States < 195 || share < 0.4 || share > 0.6 {
				t.Errorf("space %d: with [%s] always, the product has %+v of %+v", k, letter, half, one)
			}
		}
	}
}

// TestSpaceProductEnds: limits of states, memory and time, and a context that is done.
func TestSpaceProductEnds(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(100)
	b.AddStart(0)
	for s := range omega.State(100) {
		b.AddEdge(s, alphabet.True(), b.Marks().Of(), (s+1)%100)
	}
	l := productcheck.NewLanguage(b.Automaton())
	s := DefaultProducts.newSpace("Ga", 0, alphabet)
	ctx, cancel := context.WithCancel(context.Background())
	for _, c := range []struct {
		limits productcheck.Limits
		want   string
	}{
		{productcheck.Limits{ProductStates: 10}, "limit of 10 product states"},
		{productcheck.Limits{Memory: 1000}, "memory limit of 1000 bytes"},
		{productcheck.Limits{Time: 1}, "time limit of 1ns"},
	} {
		if _, err := s.product(ctx, l, c.limits); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.limits, err, c.want)
		}
	}
	cancel()
	if _, err := s.product(ctx, l, productcheck.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

// started reports whether case i may start now. It must be the next one.
func (w *flow) started(i int) bool {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	index, err := w.start(ctx)
	return err == nil && index == i
}

// TestFlowBudget: cases that take much are under way alone, and after small ones there
// is room for many.
func TestFlowBudget(t *testing.T) {
	w := newFlow(2, 16, func(*outcome.Case) error { return nil })
	next := 0
	fill := func() (n int) {
		for w.started(next) {
			next++
			n++
		}
		return n
	}
	finish := func(bytes int64) {
		i := w.underway[0].index
		w.holds(i, bytes)
		if err := w.finish(&outcome.Case{Index: i}); err != nil {
			t.Fatal(err)
		}
	}
	if n := fill(); n != 8 {
		t.Errorf("%d cases at the start on 2 cores", n)
	}
	for range 100 {
		finish(1000)
		fill()
	}
	if n := len(w.underway); n != 16 {
		t.Errorf("%d small cases, want as many as there is room for", n)
	}
	// One that has more than the budget stops all others, until it is finished.
	w.holds(w.underway[3].index, textBudget+1)
	finish(1000)
	finish(1000)
	if n := fill(); n != 0 {
		t.Errorf("%d cases more though the budget is used up", n)
	}
	for len(w.underway) > 1 {
		finish(textBudget / 3)
	}
	finish(textBudget / 3)
	if n := fill(); n != 3 {
		t.Errorf("%d cases, where each is expected to take a third", n)
	}
	for range 3 {
		finish(2 * textBudget)
	}
	if n := fill(); n != 1 {
		t.Errorf("%d cases, where each is expected to take more than there is", n)
	}
}

// TestFlowOrder: in order; too many that wait overtake; at the end all that there is.
func TestFlowOrder(t *testing.T) {
	var got []int
	w := newFlow(1, 100, func(c *outcome.Case) error { got = append(got, c.Index); return nil })
	w.window, w.expected = 3, 1
	for i := range 12 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	for _, i := range []int{1, 0, 4, 6, 5, 7, 8, 2, 11, 10} {
		if err := w.finish(&outcome.Case{Index: i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	// 3 and 9 have not come.
	if want := []int{0, 1, 4, 5, 2, 6, 7, 8, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFlowLate: who waits long for one before it overtakes it, though nothing more
// comes; an error of the receiver is told to whoever comes next.
func TestFlowLate(t *testing.T) {
	got := make(chan int, 10)
	full := errors.New("disk full")
	w := newFlow(1, 100, func(c *outcome.Case) error {
		if got <- c.Index; c.Index == 4 {
			return full
		}
		return nil
	})
	w.patience, w.expected = time.Millisecond, 1
	for i := range 7 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	expect := func(list ...int) {
		t.Helper()
		for _, want := range list {
			if c := <-got; c != want {
				t.Errorf("got %d, want %d", c, want)
			}
		}
	}
	for _, i := range []int{2, 1, 0} {
		if err := w.finish(&outcome.Case{Index: i}); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			expect(2) // 0 is slow
		}
	}
	// 1 may have overtaken 0 or not.
	if a, b := <-got, <-got; a+b != 1 {
		t.Errorf("got %d and %d, want 0 and 1", a, b)
	}
	if err := w.finish(&outcome.Case{Index: 4}); err != nil {
		t.Fatal(err)
	}
	expect(4) // 3 is slow
	if err := w.finish(&outcome.Case{Index: 3}); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
	if err := errors.Join(w.finish(&outcome.Case{Index: 6}), w.end()); err != nil || len(got) > 0 {
		t.Errorf("got %v, and %d cases after the failure", err, len(got))
	}
}

// TestFlowWakes: who waits for room is woken, and is not when there is none; an
// error of the receiver is the last call of it.
func TestFlowWakes(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	w := newFlow(2, 2, func(*outcome.Case) error { calls++; return full })
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	second := make(chan error)
	all.Go(func() {
		_, err := w.start(ctx)
		second <- err
		if _, err := w.start(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if err := w.finish(&outcome.Case{Index: 0}); err != full {
		t.Errorf("got %v", err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	cancel()
	all.Wait()
	if err := errors.Join(w.finish(&outcome.Case{Index: 1}), w.end()); err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
