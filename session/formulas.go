package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// Inputs gives one input after the other, and then io.EOF. It may give up with the context's
// error when that is done.
type Inputs func(context.Context) (cross.Input, error)

// Repeat returns at(0) to at(n-1). A negative n stands for no end.
func Repeat(n int, at func(ctx context.Context, k int) (cross.Input, error)) Inputs {
	k := 0
	return func(ctx context.Context) (cross.Input, error) {
		if k == n {
			return cross.Input{}, io.EOF
		}
		k++
		return at(ctx, k-1)
	}
}

// Concat returns what the lists give, one after the other.
func Concat(lists ...Inputs) Inputs {
	return func(ctx context.Context) (cross.Input, error) {
		for len(lists) > 0 {
			in, err := lists[0](ctx)
			if err != io.EOF {
				return in, err
			}
			lists = lists[1:]
		}
		return cross.Input{}, io.EOF
	}
}

// Formulas returns the formulas of the configuration, in its order, and how many there are, or
// 0 if that is not known. A line of a file that cannot be read is an input that says so.
func (p *Plan) Formulas() (Inputs, int, error) {
	if err := p.ready(); err != nil {
		return nil, 0, err
	}
	return p.formulas(func() {})
}

// formulas is Formulas, and calls duplicate for each given formula that it leaves out.
func (p *Plan) formulas(duplicate func()) (next Inputs, total int, err error) {
	var given []Inputs
	f := &p.Config.Formulas
	for _, text := range f.Inline {
		formula, err := f.Parse(ltl.NewStore(), text, f.Syntax)
		if err != nil {
			return nil, 0, input.Excerpted(fmt.Errorf("formula: %w", err), err)
		}
		total++
		given = append(given, Repeat(1, func(context.Context, int) (cross.Input, error) { return cross.Input{Formula: formula}, nil }))
	}
	for _, text := range f.Patterns {
		request, err := patterns.Parse(text)
		if err != nil {
			return nil, 0, err
		}
		total += request.Len()
		given = append(given, Repeat(request.Len(), func(_ context.Context, k int) (cross.Input, error) {
			return cross.Input{Formula: request.At(k).Formula}, nil
		}))
	}
	for _, file := range f.Files {
		list, err := p.file(file)
		if err != nil {
			return nil, 0, err
		}
		given = append(given, list)
	}
	next = Concat(given...)
	if !f.AllowDups {
		next = distinct(next, p.Config.Checks.NoChecks, duplicate)
	}
	r := p.random()
	if r != nil {
		drawn, err := drawnInputs(r)
		if err != nil {
			return nil, 0, err
		}
		total += max(0, r.Number)
		next = Concat(next, Repeat(r.Number, func(ctx context.Context, _ int) (cross.Input, error) { return drawn(ctx) }))
	}
	if len(f.Files) > 0 || r != nil && r.Number < 0 {
		total = 0 // files are not counted, and random formulas may have no end
	}
	return next, total, nil
}

// drawnInputs returns random formulas without end. Formula k depends on the options and k alone.
func drawnInputs(r *configs.Random) (Inputs, error) {
	draw := random.New(r.Profile, r.Seed).Next
	if r.Profile == "" {
		g, err := ltl.NewGenerator(r.RandomOptions)
		if err != nil {
			return nil, err
		}
		draw = g.NextContext
	}
	seed := r.Seed
	return func(ctx context.Context) (cross.Input, error) {
		f, err := draw(ctx)
		return cross.Input{Formula: f, Seed: &seed}, err
	}, nil
}

// file returns the formulas of a file.
func (p *Plan) file(file configs.File) (Inputs, error) {
	in, err := p.open(file.Path)
	if err != nil {
		return nil, err
	}
	var list input.Reader = input.NewLines(file.Path, in)
	if file.Column != 0 {
		list = input.NewColumn(file.Path, in, file.Column)
	}
	return func(ctx context.Context) (cross.Input, error) {
		where, text, err := list.Next()
		if err == io.EOF {
			in.Close()
			return cross.Input{}, err
		}
		if ended := ctx.Err(); err != nil && ended != nil {
			return cross.Input{}, ended // it is no line
		}
		if errors.Is(err, context.DeadlineExceeded) { // the input was silent until the run had to end
			return cross.Input{}, context.DeadlineExceeded
		}
		var f *ltl.Formula
		if err == nil && !utf8.ValidString(text) {
			err = fmt.Errorf("%s: line is not UTF-8", where)
		} else if err == nil {
			if f, err = p.Config.Formulas.Parse(ltl.NewStore(), text, file.Syntax); err != nil {
				err = input.Located(where, err)
			}
		}
		if err != nil {
			return cross.Input{Text: input.Start(text), Err: err}, nil // an invalid line does not end the run
		}
		return cross.Input{Formula: f}, nil
	}, nil
}

// distinct leaves out formulas that came before, or whose negation did: their automata would be the
// same. With apart, negations are not translated, and are formulas of their own.
func distinct(next Inputs, apart bool, duplicate func()) Inputs {
	var seen recent.Set // of the last 262,144 formulas
	return func(ctx context.Context) (cross.Input, error) {
		for {
			in, err := next(ctx)
			if err != nil || in.Err != nil {
				return in, err
			}
			f, negated := in.Formula, false
			for f.Op() == ltl.OpNot {
				f, negated = f.Left(), !negated
			}
			key := f.String()
			if key == "1" { // the negation of false has no operator
				key, negated = "0", !negated
			}
			if apart && negated {
				key = "! " + key // which no text starts with
			}
			if seen.Add(recent.KeyOf(key)) {
				return in, nil
			}
			duplicate()
		}
	}
}

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

// period begins one. A formula that is begun before the deadline may go on after it for a tenth of the time,
// but not for longer than one call may take.
func (p *Plan) period(ctx context.Context) *period {
	x := &period{random: p.random(), drawn: p.seedDrawn(), input: p.input()}
	x.Context, x.cancel = context.WithCancelCause(ctx)
	// After a night until 06:00 with a limit of 30 s, formulas are given up at 06:00:30, and after 20 s at 22 s.
	// A run that resumes first reports its stored cases, even if that takes until after the deadline.
	x.bound = sync.OnceFunc(func() {
		if deadline := x.deadline(); !deadline.IsZero() {
			left := max(0, time.Until(deadline))
			time.AfterFunc(left+min(p.Config.Limits.Timeout, max(time.Second, left/10)), func() { x.cancel(context.DeadlineExceeded) })
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
		s.GivenUp = int(p.begun.Load()) - p.done // inputs that were begun, and have no result
	}
	s.TimeUp = f.timeUp.Load() || s.GivenUp > 0
	if s.TimeUp && s.Formulas == 0 {
		return fmt.Errorf("no %s finished by %s; allow more time or a shorter --timeout", p.input, deadline.Format(time.DateTime))
	}
	return nil
}
