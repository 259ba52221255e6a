package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/recent"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/session/input"
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
	return p.formulas(nil, func() {})
}

// formulas is Formulas with the random formulas of a guide, if it is not nil. It calls duplicate
// for each given formula that it leaves out.
func (p *Plan) formulas(guided Inputs, duplicate func()) (next Inputs, total int, err error) {
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
	if r := f.Random; r != nil {
		drawn := guided
		if guided == nil {
			if drawn, err = drawnInputs(r); err != nil {
				return nil, 0, err
			}
		}
		total += max(0, r.Number)
		next = Concat(next, Repeat(r.Number, func(ctx context.Context, _ int) (cross.Input, error) { return drawn(ctx) }))
	}
	if len(f.Files) > 0 || f.Random != nil && f.Random.Number < 0 {
		total = 0
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
		if errors.Is(err, context.DeadlineExceeded) {
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
			return cross.Input{Text: input.Start(text), Err: err}, nil
		}
		return cross.Input{Formula: f}, nil
	}, nil
}

// distinct leaves out formulas that came before, or whose negation did: their automata would be the
// same. If negations are not translated, they are formulas of their own. It knows the last 262,144.
func distinct(next Inputs, negations bool, duplicate func()) Inputs {
	var seen recent.Set
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
			if key == "1" {
				key, negated = "0", !negated
			}
			if negations && negated {
				key = "! " + key // which no text starts with
			}
			if seen.Add(recent.KeyOf(key)) {
				return in, nil
			}
			duplicate()
		}
	}
}
