package main

import (
	"fmt"
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
		formula, err := ltl.NewStore().Parse(text, f.Syntax)
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
		lines, err := a.lineSource(file)
		if err != nil {
			return nil, 0, err
		}
		sources = append(sources, lines)
	}
	if r := f.Random; r != nil {
		g, err := ltl.NewGenerator(r.RandomOptions)
		if err != nil {
			return nil, 0, err
		}
		total += r.Number
		seed := r.Seed
		sources = append(sources, upTo(r.Number, func(int) (cross.Input, error) {
			formula, err := g.NextContext(a.ctx)
			return cross.Input{Formula: formula, Seed: &seed}, err
		}))
	}
	if len(f.Files) > 0 {
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

// lineSource gives the formulas of a file, one a line. A line that is none is an
// input that says so.
func (a *app) lineSource(file configs.File) (inputs, error) {
	in, err := a.open(file.Path)
	if err != nil {
		return nil, err
	}
	lines := newLineReader(file.Path, in)
	return func() (cross.Input, error) {
		where, text, err := lines.next()
		if err == io.EOF {
			in.Close()
			return cross.Input{}, err
		}
		var f *ltl.Formula
		if err == nil && !utf8.ValidString(text) {
			err = fmt.Errorf("%s: the line is not UTF-8", where)
		} else if err == nil {
			if f, err = ltl.NewStore().Parse(text, file.Syntax); err != nil {
				err = lineError(where, err)
			}
		}
		if err != nil {
			return cross.Input{Text: start(text), Err: err}, nil
		}
		return cross.Input{Formula: f}, nil
	}, nil
}

// start returns text, or the start of it if it is long.
func start(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
