package cross

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// maxKnown is how many trials are remembered at least. One takes a few kilobytes.
const maxKnown = 20_000

// A trialKey is what is tried.
type trialKey struct {
	formula    string
	polarities Polarities
}

// A trial is a case that is made, or was.
type trial struct {
	done      chan struct{} // closed when it is
	result    *outcome.Case
	calls     []call        // of a case with failures
	confirmed bool          // nothing is only believed
	whole     *outcome.Case // with words, as the result of a descent
	err       error
	// making is held while a whole case is made of the calls: their automata are for one
	// goroutine at a time.
	making *sync.Mutex
}

// givenUp reports whether the trial's error is that the context was done of who began it.
func (t *trial) givenUp() bool {
	return errors.Is(t.err, context.Canceled) || errors.Is(t.err, context.DeadlineExceeded)
}

// trial returns that of a formula, and whether it has just been begun.
func (g *Grinder) trial(ctx context.Context, key trialKey, f *ltl.Formula, timeout time.Duration, careful bool, begun *sync.WaitGroup) (t *trial, fresh bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, known := range g.known {
		if t = known[key]; t != nil {
			if i > 0 {
				g.remember(key, t)
			}
			return t, false
		}
	}
	t = &trial{done: make(chan struct{}), confirmed: careful, making: new(sync.Mutex)}
	g.remember(key, t)
	begun.Go(func() {
		defer close(t.done)
		t.err = g.examine(ctx, f, key.polarities, timeout, t)
	})
	return t, true
}

// examine makes the case of a trial.
func (g *Grinder) examine(ctx context.Context, f *ltl.Formula, p Polarities, timeout time.Duration, t *trial) error {
	return g.caseRun(ctx, f, p, func(x *caseRun) error {
		x.timeout = timeout
		c, err := unlessDone(ctx, func() (*outcome.Case, error) { return x.take(ctx, t.confirmed) })
		if err != nil {
			return err
		}
		t.result = &outcome.Case{Formula: c.Formula}
		if len(c.Failures()) > 0 {
			t.result, t.calls = c, x.calls
		}
		return nil
	})
}

// caseRun calls do with the caseRun of a formula.
func (g *Grinder) caseRun(ctx context.Context, f *ltl.Formula, p Polarities, do func(*caseRun) error) error {
	g.starting.Lock()
	i := g.started
	g.started++
	err := g.run.flow.start(ctx, i)
	g.starting.Unlock()
	if err != nil {
		return err
	}
	x := &caseRun{run: g.run, index: i, polarities: p, quick: true, store: ltl.NewStore()}
	x.formula = x.store.Import(f)
	err = do(x)
	return errors.Join(err, g.run.flow.finish(&outcome.Case{Index: i}))
}

// complete makes the whole case of a formula that was tried. Answers of processes that
// got other formulas as well are replaced.
func (g *Grinder) complete(ctx context.Context, f *ltl.Formula, p Polarities, t *trial) (*outcome.Case, error) {
	t.making.Lock()
	defer t.making.Unlock()
	g.mu.Lock()
	calls, c := t.calls, t.whole
	g.mu.Unlock()
	if c != nil {
		return c, nil
	}
	err := g.caseRun(ctx, f, p, func(x *caseRun) error {
		x.quick = false
		if x.calls = calls; calls == nil {
			x.calls = x.newCalls()
		}
		made, err := unlessDone(ctx, func() (*outcome.Case, error) {
			if err := x.renew(ctx); err != nil {
				return nil, err
			}
			return x.check(ctx)
		})
		c = made
		return err
	})
	if err == nil {
		g.mu.Lock()
		t.whole = c
		g.mu.Unlock()
	}
	return c, err
}

// remember puts a trial among those of late, of which there are at most maxKnown.
func (g *Grinder) remember(key trialKey, t *trial) {
	if len(g.known[0]) >= maxKnown {
		g.known[0], g.known[1] = map[trialKey]*trial{}, g.known[0]
	}
	g.known[0][key] = t
}

// forget drops a trial that is of no use.
func (g *Grinder) forget(key trialKey, t *trial) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, known := range g.known {
		if known[key] == t {
			delete(known, key)
		}
	}
}

// attempt returns a case of the formula, without its negation. Only its Failures are reliable:
// words are any that were found, and processes that are kept alive are believed. A formula is
// tried only once. timeout limits a call, unless it is 0. The error is internal, or ctx is
// done.
func (g *Grinder) attempt(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*outcome.Case, error) {
	t, err := g.try(ctx, f, timeout)
	if err != nil {
		return nil, err
	}
	return t.result, nil
}

// tried reports whether attempt returns the case of a formula without a call.
func (g *Grinder) tried(f *ltl.Formula) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := trialKey{f.String(), OnlyFormula}
	return g.known[0][key] != nil || g.known[1][key] != nil
}

func (g *Grinder) try(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*trial, error) {
	var begun sync.WaitGroup
	key := trialKey{f.String(), OnlyFormula}
	defer begun.Wait()
	for {
		t, _ := g.trial(ctx, key, f, timeout, false, &begun)
		select {
		case <-t.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if t.err == nil {
			return t, nil
		}
		g.forget(key, t)
		if !t.givenUp() || ctx.Err() != nil {
			return nil, t.err
		}
	}
}

// Case returns the full case of the formula and its negation. It reuses the outputs of trials.
// The error is internal, or ctx is done.
func (g *Grinder) Case(ctx context.Context, f *ltl.Formula) (*outcome.Case, error) {
	t, err := g.try(ctx, f, 0)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	calls := slices.Clone(t.calls)
	g.mu.Unlock()
	for i := range calls {
		if calls[i].Polarity == outcome.Negation {
			calls[i].out = nil // it was not asked for
		}
	}
	return g.complete(ctx, f, Both, &trial{calls: calls, making: t.making})
}

// renew asks for the outputs that are missing, and again for those of processes that got
// other formulas as well.
func (x *caseRun) renew(ctx context.Context) error {
	for i := range x.calls {
		c := &x.calls[i]
		if !x.polarities.has(c.Polarity) {
			c.out = notAsked()
			continue
		}
		if c.out != nil && c.out.Alone {
			continue
		}
		panicked, err := guarded(func() (err error) {
			c.out, err = x.getAlone(ctx, c)
			return err
		})
		if err != nil {
			return err
		}
		if panicked != "" {
			x.unread(c, panicked)
		}
	}
	return nil
}
