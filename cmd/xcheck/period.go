package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// periodFlags say when a run ends, however many formulas there are.
type periodFlags struct {
	length, until string
}

func (p *periodFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&p.length, "for", "", "keep generating formulas for `DURATION` (8h)")
	c.Flags().StringVar(&p.until, "until", "", "keep generating formulas until `TIME` (06:00)")
	exclusive(c, "for", "until")
}

// override sets what the flags say of the time: it takes the place of the number, unless that is
// given as a flag too.
func (p *periodFlags) override(given func(string) bool, r *configs.Random) (err error) {
	switch {
	case given("for"):
		r.Until = ""
		if r.For, err = configs.ParseDuration(p.length); err != nil {
			return fmt.Errorf("--for: %w", err)
		}
	case given("until"):
		r.For = 0
		if r.Until, err = configs.ParseUntil(p.until); err != nil {
			return fmt.Errorf("--until: %w", err)
		}
	default:
		return nil
	}
	if !given("number") {
		r.Number = -1
	}
	return nil
}

// seedDrawn reports whether the seed of random formulas is drawn for this run: that of a run
// that ends at some time, or is stored, unless a seed was asked for. Each night has other
// formulas then.
func seedDrawn(config *configs.Config) bool {
	r := config.Formulas.Random
	return r != nil && !r.Seeded && (r.Timed() || config.History.File != "")
}

// begin starts the time of a run that has a bounded one, and draws its seed. That is the seed
// of all that is random, as if it had been given. If a run may be resumed, its time may be in the
// past, and is that of the run: there is no deadline then.
func (f *nightFlags) begin(config *configs.Config) error {
	r := config.Formulas.Random
	if r == nil {
		return nil
	}
	if err := r.Begin(time.Now()); err != nil && f.resume {
		r.Deadline = time.Time{}
	} else if err != nil {
		return fmt.Errorf("until: %w", err)
	}
	switch {
	case !seedDrawn(config):
		return nil
	case f.shard.parts <= 1:
		r.DrawSeed()
	case config.History.Name != "":
		r.SeedFrom(config.History.Name) // all parts have it
	default:
		return errors.New("--shard: the shards of a run need the same seed; set --seed or --name")
	}
	config.Checks.Products.Seed = r.Seed
	return nil
}

// inTime gives inputs until the deadline, and ends when there are no more random formulas. The
// deadline does not keep a run that goes on from what was begun before it was killed.
func (a *app) inTime(next inputs, deadline time.Time) inputs {
	if deadline.IsZero() {
		return next
	}
	return func() (cross.Input, error) {
		in, err := next()
		switch {
		case err == io.EOF:
		case !a.redone && !time.Now().Before(deadline) || errors.Is(err, context.DeadlineExceeded):
			a.timeUp.Store(true)
			return cross.Input{}, io.EOF
		case errors.Is(err, ltl.ErrExhausted):
			a.exhausted.Store(true)
			return cross.Input{}, io.EOF
		}
		return in, err
	}
}

// A period is the time in which a run checks formulas. It may have no end.
type period struct {
	context.Context // until formulas are given up
	cancel          context.CancelCauseFunc
	bound           func()          // begins the time that is left
	random          *configs.Random // nil if there are none
	drawn           bool            // the seed
	redone          func() bool
	begun           atomic.Int64 // formulas
	done            int
}

// period begins one. Formulas that are begun before the deadline have as much time after it as
// one translator has for one. A run that goes on reports first what it has, however long that
// takes, and perhaps after the deadline.
func (a *app) period(config *configs.Config) *period {
	p := &period{random: config.Formulas.Random, drawn: seedDrawn(config), redone: func() bool { return a.redone }}
	p.Context, p.cancel = context.WithCancelCause(a.ctx)
	p.bound = sync.OnceFunc(func() {
		if deadline := p.deadline(); !deadline.IsZero() {
			left := max(0, time.Until(deadline)) + config.Limits.Timeout
			time.AfterFunc(left, func() { p.cancel(context.DeadlineExceeded) })
		}
	})
	return p
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

// run is cross.Run within the period. Reaching the end of the period is no error.
func (p *period) run(o cross.Options, next inputs, emit func(*outcome.Case) error) error {
	err := cross.Run(p, o, func() (cross.Input, error) {
		in, err := next()
		if !p.redone() {
			p.bound()
		}
		if err == nil {
			p.begun.Add(1)
		}
		return in, err
	}, func(c *outcome.Case) error {
		p.done++
		return emit(c)
	})
	if errors.Is(err, context.Canceled) && p.over() {
		return nil
	}
	return err
}

// end tells the report of what was random, and how the time ended.
func (p *period) end(out *reporter) error {
	s := &out.tally.Summary
	if p.random == nil {
		return nil
	}
	s.Seed, s.SeedDrawn = &p.random.Seed, p.drawn
	deadline := p.deadline()
	if deadline.IsZero() {
		return nil
	}
	s.Deadline, s.Exhausted = &deadline, out.a.exhausted.Load()
	if p.over() {
		s.GivenUp = int(p.begun.Load()) - p.done
	}
	s.TimeUp = out.a.timeUp.Load() || s.GivenUp > 0
	if s.TimeUp && s.Formulas == 0 {
		return fmt.Errorf("no formula finished by %s; allow more time or a shorter --timeout", deadline.Format(time.DateTime))
	}
	return nil
}

// announce shows the seed at the start of a run that draws one or ends at some time: if the run
// is killed, its random formulas are known.
func (p *period) announce(out *reporter) error {
	if p.deadline().IsZero() && !p.drawn || out.text == nil || out.text.Quiet {
		return nil
	}
	until := ""
	if deadline := p.deadline(); !deadline.IsZero() {
		until = " until " + deadline.Format(time.DateTime)
	}
	_, err := fmt.Fprintf(out.text.W, "random formulas with --seed %d%s\n", p.random.Seed, until)
	return err
}
