package emptiness_test

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestShortestLimits: every search ends where a limit or the context says so, with
// its counts, and with the best run that it has.
func TestShortestLimits(t *testing.T) {
	c := chain{100000, omega.NewAlphabet()}
	for _, m := range minimizers() {
		m.Limits.States = 1000
		r, err := m.Run(context.Background(), c)
		var limit *omega.LimitError
		if !errors.As(err, &limit) || limit.What != "states" || r.States != 1000 {
			t.Errorf("%+v: %+v, %v; want the limit of 1000 states", m, r, err)
		}
		m.Limits = emptiness.Limits{Memory: 20000}
		if _, err := m.Run(context.Background(), c); !errors.As(err, &limit) || limit.What != "memory" {
			t.Errorf("%+v: %v, want the limit of memory", m, err)
		}
		m.Limits = emptiness.Limits{}
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
type closed struct{ chain }

func (c closed) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	buf, err := c.chain.AppendEdges(buf, s)
	if s == c.n-1 {
		buf[len(buf)-1].Marks = 1
	}
	return buf, err
}

// TestShortestLongChain: nothing recurses over states, and each state's edges are made only a few
// times.
func TestShortestLongChain(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 18))
	const n = 20_000
	empty := chain{n, omega.NewAlphabet()}
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

// fin is a closed chain with another condition, of which Büchi is a part.
type fin struct{ closed }

func (fin) Acceptance() omega.Acceptance {
	return omega.Acceptance{Sets: 2, Condition: omega.AllOf(omega.Inf(0), omega.Fin(1))}
}
func (fin) Marks() *omega.MarkTable { return omega.NewMarkTable(2) }

// TestShortestRunLimits: where l2s takes too much memory, gm-min goes on; and with a
// limit there is a run, as one was found first.
func TestShortestRunLimits(t *testing.T) {
	const n = 20000
	src := fin{closed{chain{n, omega.NewAlphabet()}}}
	var over *omega.LimitError
	m := emptiness.Minimizer{Algorithm: emptiness.ByL2S, Limits: emptiness.Limits{Memory: 16 << 20}}
	if r, err := m.Run(context.Background(), src); !errors.As(err, &over) || r.Run != nil {
		t.Errorf("l2s: %+v, %v; want the limit of memory", r, err)
	}
	r, err := emptiness.ShortestRun(context.Background(), src, emptiness.Limits{})
	if err != nil || r.Run.Size() != n {
		t.Errorf("%+v, %v; want a run of length %d", r, err, n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	calls := 5 * n // Check is done by then, and l2s is not
	r, err = emptiness.ShortestRun(ctx, canceling{src, &calls, cancel}, emptiness.Limits{})
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
