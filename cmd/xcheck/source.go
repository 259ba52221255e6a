package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// inputs gives one formula after the other, and then io.EOF.
type inputs func() (cross.Input, error)

// source returns the formulas of a configuration, in its order, and how many there
// are, or 0 if that is not known.
func (a *app) source(config *configs.Config) (next inputs, total int, err error) {
	var sources []inputs
	f := &config.Formulas
	for _, text := range f.Inline {
		formula, err := f.Parse(ltl.NewStore(), text, f.Syntax)
		if err != nil {
			return nil, 0, formulaError(err)
		}
		total++
		sources = append(sources, upTo(1, func(int) (cross.Input, error) { return cross.Input{Formula: formula}, nil }))
	}
	for _, text := range f.Patterns {
		request, err := patterns.Parse(text)
		if err != nil {
			return nil, 0, err
		}
		total += request.Len()
		sources = append(sources, upTo(request.Len(), func(k int) (cross.Input, error) {
			return cross.Input{Formula: request.At(k).Formula}, nil
		}))
	}
	for _, file := range f.Files {
		lines, err := a.fileSource(file, f.Parse)
		if err != nil {
			return nil, 0, err
		}
		sources = append(sources, lines)
	}
	if !f.AllowDups {
		sources = []inputs{a.distinct(concatenated(sources))}
	}
	if r := f.Random; r != nil {
		g, err := ltl.NewGenerator(r.RandomOptions)
		if err != nil {
			return nil, 0, err
		}
		total += max(0, r.Number)
		seed := r.Seed
		sources = append(sources, upTo(r.Number, func(int) (cross.Input, error) {
			ctx, cancel := a.ctx, context.CancelFunc(func() {})
			if !r.Deadline.IsZero() && !a.redone {
				ctx, cancel = context.WithDeadline(a.ctx, r.Deadline)
			}
			defer cancel()
			formula, err := g.NextContext(ctx)
			return cross.Input{Formula: formula, Seed: &seed}, err
		}))
	}
	if len(f.Files) > 0 || f.Random != nil && f.Random.Number < 0 {
		total = 0
	}
	return concatenated(sources), total, nil
}

// upTo gives at(0) to at(n-1).
func upTo(n int, at func(k int) (cross.Input, error)) inputs {
	k := 0
	return func() (cross.Input, error) {
		if k == n {
			return cross.Input{}, io.EOF
		}
		k++
		return at(k - 1)
	}
}

// concatenated gives what the sources give, one behind the other.
func concatenated(sources []inputs) inputs {
	return func() (cross.Input, error) {
		for len(sources) > 0 {
			in, err := sources[0]()
			if err != io.EOF {
				return in, err
			}
			sources = sources[1:]
		}
		return cross.Input{}, io.EOF
	}
}

// A parser reads a formula in a syntax.
type parser func(*ltl.Store, string, ltl.Syntax) (*ltl.Formula, error)

// texts gives one text after the other, each with its place, and then io.EOF. With any
// other error, the text is what there is of it.
type texts interface {
	next() (where, text string, err error)
}

// fileSource gives the formulas of a file. A line that is none is an input that says so.
func (a *app) fileSource(file configs.File, parse parser) (inputs, error) {
	in, err := a.open(file.Path)
	if err != nil {
		return nil, err
	}
	var list texts = newLineReader(file.Path, in)
	if file.Column != 0 {
		list = newColumnReader(file.Path, in, file.Column)
	}
	return func() (cross.Input, error) {
		where, text, err := list.next()
		if err == io.EOF {
			in.Close()
			return cross.Input{}, err
		}
		if ended := a.ctx.Err(); err != nil && ended != nil {
			return cross.Input{}, ended // it is no line
		}
		if errors.Is(err, context.DeadlineExceeded) {
			return cross.Input{}, context.DeadlineExceeded
		}
		var f *ltl.Formula
		if err == nil && !utf8.ValidString(text) {
			err = fmt.Errorf("%s: line is not UTF-8", where)
		} else if err == nil {
			if f, err = parse(ltl.NewStore(), text, file.Syntax); err != nil {
				err = lineError(where, err)
			}
		}
		if err != nil {
			return cross.Input{Text: start(text), Err: err}, nil
		}
		return cross.Input{Formula: f}, nil
	}, nil
}

// distinct leaves out formulas that came before, or the negation of which did: their
// automata would be the same ones. What is kept of each is 16 bytes.
func (a *app) distinct(next inputs) inputs {
	seen := map[[16]byte]bool{}
	return func() (cross.Input, error) {
		for {
			in, err := next()
			if err != nil || in.Err != nil {
				return in, err
			}
			f := in.Formula
			for f.Op() == ltl.OpNot {
				f = f.Left()
			}
			h := fnv.New128a()
			io.WriteString(h, f.String())
			key := [16]byte(h.Sum(nil))
			if !seen[key] {
				seen[key] = true
				return in, nil
			}
			a.duplicates.Add(1)
		}
	}
}

// start returns text, or the start of it if it is long.
func start(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
