package cross

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// maxKnown is how many trials are remembered at least. One takes a few kilobytes.
const maxKnown = 20_000

// A trialKey is what is tried.
type trialKey struct {
	formula string
	both    bool // the negation, too
}

// A trial is a case that is made, or was.
type trial struct {
	done      chan struct{} // closed when it is
	result    *outcome.Case
	calls     []call // of a case with failures
	confirmed bool   // nothing is only believed
	err       error
	whole     atomic.Pointer[outcome.Case] // with words, as the result of a descent
	// making is held while a whole case is made of the calls: their automata are for one
	// goroutine at a time.
	making sync.Mutex
}

// trial returns the trial of a formula, and whether it has just been begun.
func (g *Grinder) trial(ctx context.Context, key trialKey, f *ltl.Formula, timeout time.Duration, careful bool, begun *sync.WaitGroup) (t *trial, fresh bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t = g.lookup(key); t != nil {
		return t, false
	}
	t = &trial{done: make(chan struct{}), confirmed: careful}
	g.remember(key, t)
	begun.Go(func() {
		defer close(t.done)
		t.err = g.examine(ctx, f, key.both, timeout, t)
	})
	return t, true
}

// lookup returns the trial that is known, or nil.
func (g *Grinder) lookup(key trialKey) *trial {
	if t := g.known[0][key]; t != nil {
		return t
	}
	t := g.known[1][key]
	if t != nil {
		g.remember(key, t)
	}
	return t
}

// remember keeps a trial as a recent one. It keeps at least the last maxKnown trials, and
// less than twice as many.
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

// refute replaces a trial of which the whole case does not show the failure by that case, so
// that another descent does not come to it.
func (g *Grinder) refute(key trialKey) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if old := g.lookup(key); old != nil && old.whole.Load() != nil {
		t := &trial{done: make(chan struct{}), result: old.whole.Load(), confirmed: true}
		t.whole.Store(t.result)
		close(t.done)
		g.remember(key, t)
	}
}

// examine makes the case of a trial.
func (g *Grinder) examine(ctx context.Context, f *ltl.Formula, both bool, timeout time.Duration, t *trial) error {
	return g.run.aside(ctx, Input{Formula: f}, func(x *caseRun) error {
		x.formulaOnly, x.timeout, x.quick = !both, timeout, true
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

// aside calls do with the caseRun of an input that only a descent asks for.
func (r *run) aside(ctx context.Context, in Input, do func(*caseRun) error) error {
	i, err := r.flow.start(ctx)
	if err != nil {
		return err
	}
	x, err := r.newCaseRun(ctx, i, in)
	if err == nil {
		err = do(x)
	}
	return errors.Join(err, r.flow.finish(&outcome.Case{Index: i}))
}

// complete makes the whole case of a formula that was tried. Answers of processes that
// got other formulas as well are replaced.
func (g *Grinder) complete(ctx context.Context, f *ltl.Formula, both bool, calls []call) (c *outcome.Case, err error) {
	err = g.run.aside(ctx, Input{Formula: f}, func(x *caseRun) (err error) {
		x.formulaOnly = !both
		if x.calls = calls; calls == nil {
			if x.calls, err = x.newCalls(); err != nil {
				return err
			}
		}
		c, err = unlessDone(ctx, func() (*outcome.Case, error) {
			if err := x.renew(ctx); err != nil {
				return nil, err
			}
			return x.check(ctx)
		})
		return err
	})
	return c, err
}

// Try returns a case of the formula, without its negation. Only its Failures are reliable:
// words are any that were found, and processes that are kept alive are believed. A formula is
// tried only once. timeout limits a call, unless it is 0. The error is internal, or ctx is
// done.
func (g *Grinder) Try(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*outcome.Case, error) {
	t, err := g.tryOne(ctx, f, timeout)
	if err != nil {
		return nil, err
	}
	return t.result, nil
}

// Tried reports whether Try returns the case of a formula without a call.
func (g *Grinder) Tried(f *ltl.Formula) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return f != nil && g.lookup(trialKey{f.String(), false}) != nil
}

func (g *Grinder) tryOne(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*trial, error) {
	if err := g.usable(f); err != nil {
		return nil, err
	}
	d := &descent{Grinder: g, GrindRequest: GrindRequest{Timeout: timeout}, result: &GrindResult{}}
	defer d.trials.Wait()
	c := d.start(ctx, f, false)
	return c.trial, d.wait(ctx, c)
}

// Case returns the full case of the formula and its negation. It reuses the outputs of trials.
// The error is internal, or ctx is done.
func (g *Grinder) Case(ctx context.Context, f *ltl.Formula) (*outcome.Case, error) {
	t, err := g.tryOne(ctx, f, 0)
	if err != nil {
		return nil, err
	}
	t.making.Lock()
	defer t.making.Unlock()
	calls := slices.Clone(t.calls)
	for i := range calls {
		if calls[i].Polarity == outcome.Negation {
			calls[i].out = nil // it was not asked for
		}
	}
	return g.complete(ctx, f, true, calls)
}

// renew asks for the outputs that are missing, and again for outputs of processes that got
// other formulas as well.
func (x *caseRun) renew(ctx context.Context) (err error) {
	for i := range x.calls {
		if c := &x.calls[i]; c.out == nil || !c.out.Alone {
			if c.out, err = x.fresh(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}
