package session

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A period is the time in which a run checks formulas. It may have no end.
type period struct {
	context.Context // ends when formulas are given up
	cancel          context.CancelCauseFunc
	bound           func()          // starts the timer for the end
	random          *configs.Random // nil without random inputs
	drawn           bool            // whether the seed was drawn
	input           string          // "formula" or "automaton"
	begun           atomic.Int64    // formulas
	done            int
}

// period begins one. A formula that is begun before the deadline may go on after it for the time
// limit of one call: with a deadline at 06:00 and a limit of 30 s, until 06:00:30. A run that
// resumes first reports its stored cases, even if that takes until after the deadline.
func (p *Plan) period(ctx context.Context) *period {
	x := &period{random: p.random(), drawn: p.seedDrawn(), input: p.input()}
	x.Context, x.cancel = context.WithCancelCause(ctx)
	x.bound = sync.OnceFunc(func() {
		if deadline := x.deadline(); !deadline.IsZero() {
			left := max(0, time.Until(deadline)) + p.Config.Limits.Timeout
			time.AfterFunc(left, func() { x.cancel(context.DeadlineExceeded) })
		}
	})
	return x
}

// over reports whether formulas have been given up.
func (p *period) over() bool { return context.Cause(p) == context.DeadlineExceeded }

// deadline is when the run stops starting formulas. It is zero for a run without one.
func (p *period) deadline() time.Time {
	if p.random == nil {
		return time.Time{}
	}
	return p.random.Deadline
}

// announce reports the seed at the start of a run that draws one or has a deadline. So the random
// formulas are known even if the run is killed.
func (p *period) announce(tell func(seed uint64, deadline time.Time) error) error {
	if p.deadline().IsZero() && !p.drawn || tell == nil {
		return nil
	}
	return tell(p.random.Seed, p.deadline())
}

// run is cross.Run within the period. Reaching the end of the period is no error.
func (p *period) run(o cross.Options, next func() (cross.Input, error), emit func(*outcome.Case) error) error {
	err := cross.Run(p, o, func() (cross.Input, error) {
		in, err := next()
		if err == nil {
			p.begun.Add(1)
		}
		return in, err
	}, func(c *outcome.Case) error {
		p.done++
		return emit(c)
	})
	if isCanceled(err) && p.over() {
		return nil
	}
	return err
}

// end adds the seed, the deadline and the reason for the end to a summary.
func (p *period) end(s *report.Counts, f *feed) error {
	if p.random == nil {
		return nil
	}
	s.Seed, s.SeedDrawn = &p.random.Seed, p.drawn
	deadline := p.deadline()
	if deadline.IsZero() {
		return nil
	}
	s.Deadline, s.Exhausted = &deadline, f.exhausted.Load()
	if p.over() {
		s.GivenUp = int(p.begun.Load()) - p.done
	}
	s.TimeUp = f.timeUp.Load() || s.GivenUp > 0
	if s.TimeUp && s.Formulas == 0 {
		return fmt.Errorf("no %s finished by %s; allow more time or a shorter --timeout", p.input, deadline.Format(time.DateTime))
	}
	return nil
}
