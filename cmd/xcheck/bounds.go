package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// bound bounds what the command takes from now on: the time of each answer, and memory in all.
// Most of what takes long obeys these limits by itself, and can then say what was found until
// then. What does not is abandoned, with the process.
func (a *app) bound(limits productcheck.Limits) {
	a.limits = limits
	memory.Bound(limits.Memory, 1)
	if limits.Memory > 0 {
		go memory.Watch(a.ctx, limits.Memory, func() {
			a.abandon(outcome.ExitBroken, fmt.Sprintf("memory limit of %s reached, work abandoned; raise --max-memory", memory.Size(limits.Memory)))
		})
	}
}

// bounded adds the flags of limits to a command that has no checks; it obeys them then.
func (a *app) bounded(c *cobra.Command) *cobra.Command {
	type limits = productcheck.Limits
	s := &settings[limits]{flags: c.Flags()}
	parsed(s, "max-memory", "", "4GiB", "stop when memory exceeds `SIZE`",
		orNone(configs.ParseBytes), func(l *limits) *int64 { return &l.Memory })
	parsed(s, "max-time", "", "no limit", "give up an answer after `DURATION`",
		orNone(configs.ParseDuration), func(l *limits) *time.Duration { return &l.Time })
	work := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		l := limits{Memory: 4 << 30}
		if err := s.override(&l); err != nil {
			return err
		}
		a.bound(l)
		return work(c, args)
	}
	return c
}

// reader returns a reader of the automata of a file. A quarter of the memory is for the text of
// one.
func (a *app) reader(name string, in io.Reader) *hoa.Reader {
	r := hoa.NewReader(a.ctx, in)
	r.BA, r.Unlisted = hoa.NamedBA(name), a.unlisted
	r.MaxText = a.limits.Memory / 4
	return r
}

// respite is the time after the limit of an answer in which it may end by itself.
const respite = 300 * time.Millisecond

// each calls f, which gives one answer. a.ctx ends with the time that it may take, or a moment
// later, so that a limit of the same length which f has set can end it first.
func (a *app) each(f func() error) error {
	limit := a.limits.Time
	if limit <= 0 {
		return f()
	}
	before := a.ctx
	ctx, cancel := context.WithTimeout(before, limit+respite/3)
	defer cancel()
	a.ctx = ctx
	defer func() { a.ctx = before }()
	defer a.deadline("").Stop()
	err := f()
	if errors.Is(err, context.DeadlineExceeded) && before.Err() == nil {
		err = fmt.Errorf("%w reached; raise --max-time", a.timeLimit())
	}
	return err
}

// timeLimit says that an answer has reached its time limit.
func (a *app) timeLimit() error { return &budget.TimeError{Limit: a.limits.Time} }

// outOfTime reports whether the answer has reached its time limit. If it is, err need not be more
// than that.
func (a *app) outOfTime() bool { return errors.Is(a.ctx.Err(), context.DeadlineExceeded) }

// deadline returns a timer that ends the process a moment after the time for an answer.
func (a *app) deadline(doing string) *time.Timer {
	return time.AfterFunc(a.limits.Time+respite, func() {
		a.abandon(outcome.ExitBroken, fmt.Sprintf("time limit of %v reached%s, work abandoned; raise --max-time", a.limits.Time, doing))
	})
}

// clocked is a reader of a command that has a limit of time: from one read to the next, and to
// stop, it may not take longer. How long it waits for what is read does not count.
type clocked struct {
	io.Reader
	app   *app
	name  string
	timer *time.Timer
}

func (c *clocked) Read(p []byte) (int, error) {
	c.stop()
	n, err := c.Reader.Read(p)
	if c.app.limits.Time > 0 {
		c.timer = c.app.deadline(" while reading " + c.name)
	}
	return n, err
}

func (c *clocked) stop() {
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
}
