package cross

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A call is the question to a tool for one automaton, with the answer.
type call struct {
	outcome.Subject
	tool *translators.Tool
	out  *translators.Output // nil until there is one; see newCalls
	// renamed: it was made again with other names of propositions.
	renamed bool
}

// newCalls returns the calls of a case, in the order of its results: a tool's for the formula, its for
// the negation, the next tool's. If there is no formula, a tool has one. Those that are not needed have
// an output that says so. The options of the tools are drawn for the formula.
func (x *caseRun) newCalls() (calls []call, err error) {
	for _, tool := range x.Tools {
		if x.given == nil {
			if tool, err = tool.Draw(x.formula.String()); err != nil { // the same options for its negation
				return nil, err
			}
		}
		polarities := outcome.BothPolarities()
		if x.given != nil {
			polarities = []outcome.Polarity{outcome.Polarity(x.Complemented)} // tools complement the input, or not
		}
		for _, p := range polarities {
			c := call{Subject: outcome.Subject{Translator: tool.Name, Polarity: p}, tool: tool}
			if x.formulaOnly && p == outcome.Negation {
				c.out = instead(outcome.Skipped, "not asked for")
			}
			calls = append(calls, c)
		}
	}
	return calls, nil
}

// asked returns the formula of a polarity; nil if there is an automaton instead.
func (x *caseRun) asked(p outcome.Polarity) *ltl.Formula {
	switch {
	case x.given != nil:
		return nil
	case p == outcome.Negation && x.negation != nil:
		return x.negation
	case p == outcome.Negation:
		return x.store.Not(x.formula)
	}
	return x.formula
}

// fresh makes a call again, in a process of its own.
func (x *caseRun) fresh(ctx context.Context, c *call) (out *translators.Output, err error) {
	panicked, err := guard.Call(func() (err error) {
		if x.given != nil {
			out, err = c.tool.TransformAlone(ctx, x.Runner, x.given.tools)
		} else {
			out, err = x.alone(c.tool, ctx, x.Runner, x.asked(c.Polarity), x.timeout)
		}
		return err
	})
	if panicked != "" {
		out = x.unread(c, panicked)
	}
	return out, err
}

// ask asks every translator for both polarities at once.
func (x *caseRun) ask(ctx context.Context) (err error) {
	if x.calls, err = x.newCalls(); err != nil {
		return err
	}
	panics := make([]string, len(x.calls))
	own, leave := x.room.enter(x.Limits.WithMemory(ctx), asking, &x.read)
	defer leave()
	g, inner := errgroup.WithContext(own)
	// As long as there are other formulas, one core is left to these: all translators may be slow on a formula,
	// and it must not hold back the rest.
	room := make(chan struct{}, max(1, x.cores.Len()-1))
	answered := make(chan int, len(x.calls))
	underway := x.newCase()
	underway.Line = x.line
	for i := range x.calls {
		r := outcome.Result{Subject: x.calls[i].Subject}
		if x.calls[i].out != nil {
			r.Status = outcome.Unasked
		}
		underway.Results = append(underway.Results, r)
	}
	show := func(i int, r outcome.Result) {
		x.flow.mu.Lock()
		defer x.flow.mu.Unlock()
		underway.Results[i] = r
		c := *underway
		c.Results = slices.Clone(c.Results)
		x.Running(&c)
	}
	for _, p := range outcome.BothPolarities() { // the formula first, as in a log of ltlcross
		for i := range x.calls {
			c := &x.calls[i]
			if c.Polarity != p || c.out != nil { // of the other polarity, out may be in the making
				continue
			}
			f := x.asked(c.Polarity) // here, as a store is not for use by many
			tool, begun := c.tool, make(chan struct{})
			begin := sync.OnceFunc(func() { close(begun) })
			if x.Running != nil {
				one := *c.tool
				one.Started = func(ran string) {
					show(i, outcome.Result{Subject: c.Subject, Ran: ran})
					begin()
				}
				tool = &one
			}
			g.Go(func() (err error) {
				defer begin()
				select {
				case room <- struct{}{}:
					defer func() { <-room }()
				case <-x.flow.last:
				case <-inner.Done():
					return inner.Err()
				}
				panics[i], err = guard.Call(func() (err error) {
					if x.given != nil {
						c.out, err = tool.Transform(inner, x.Runner, x.given.tools)
					} else {
						c.out, err = x.translate(tool, inner, x.Runner, f, x.timeout)
					}
					return err
				})
				if c.out != nil {
					x.flow.holds(x.index, c.out.Size)
					atomic.AddInt64(&x.read, c.out.Size)
					answered <- i
					if x.Running != nil {
						show(i, newResult(c, underway.Formula))
					}
				}
				return err
			})
			if x.Running != nil {
				<-begun // the next one is below it in the log
			}
		}
	}
	err = x.awaited(own, answered, g.Wait)
	for i, text := range panics {
		if text != "" {
			x.calls[i].out = x.unread(&x.calls[i], text)
		}
	}
	if err != nil && late(own) && ctx.Err() == nil {
		x.stage = new(stage)
		x.stage.enter("answers")
		x.cut = []outcome.Undecided{x.undecided(own, "")}
		for i := range x.calls {
			if c := &x.calls[i]; c.out == nil {
				c.out = instead(outcome.Skipped, "not awaited: memory limit reached") // whichever tool is to blame
			}
		}
		return nil
	}
	return err
}

// settle looks whether kept-alive processes have printed more than they were asked for since they answered.
func (x *caseRun) settle(ctx context.Context) error {
	for i := range x.calls {
		c := &x.calls[i]
		panicked, err := guard.Call(func() error { return c.out.Settle(ctx) })
		if err != nil {
			return err
		}
		if panicked != "" {
			c.out = x.unread(c, panicked)
		}
	}
	return nil
}

// instead returns what stands for an output that was not asked or waited for, or not read.
func instead(status outcome.Status, detail string) *translators.Output {
	return &translators.Output{Alone: true, Outcome: translators.Outcome{Status: status, Detail: detail}}
}

// unread stands for an output that was not read, through no fault of the tool: xcheck panicked.
func (x *caseRun) unread(c *call, panicked string) *translators.Output {
	x.errors = append(x.errors, fmt.Sprintf("internal error: %s: %s", c.Subject, panicked))
	return instead(outcome.Unsupported, "internal error: cannot read the output")
}

func newResult(c *call, formula string) outcome.Result {
	out := c.out
	r := outcome.Result{
		Subject: c.Subject, Options: c.tool.Drawn, Status: out.Status, Detail: out.Detail, ExitCode: out.ExitCode, Command: out.Command,
		Ran: out.Ran, Said: out.Stderr, Seconds: out.Wall.Seconds(), CPU: out.CPU.Seconds(), MaxRSS: out.MaxRSS,
	}
	if r.Failed() {
		r.Stderr = out.Stderr
		r.Failure = out.Signature(formula)
	}
	return r
}
