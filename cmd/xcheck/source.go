package main

import (
	"io"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// source returns a function that gives one formula after the other, and how many
// there are, or 0 if that is not known.
func (a *app) source(config *configs.Config) (next func() (cross.Input, error), total int, err error) {
	var sources []func() (cross.Input, error)
	known := true
	for _, text := range config.Formulas.Inline {
		formula, err := ltl.NewStore().Parse(text, config.Formulas.Syntax)
		if err != nil {
			return nil, 0, formulaError("formula", err)
		}
		done := false
		total++
		sources = append(sources, func() (cross.Input, error) {
			if done {
				return cross.Input{}, io.EOF
			}
			done = true
			return cross.Input{Formula: formula}, nil
		})
	}
	for _, text := range config.Formulas.Patterns {
		request, err := patterns.Parse(text)
		if err != nil {
			return nil, 0, err
		}
		total += request.Len()
		k := 0
		sources = append(sources, func() (cross.Input, error) {
			if k == request.Len() {
				return cross.Input{}, io.EOF
			}
			k++
			return cross.Input{Formula: request.At(k - 1).Formula}, nil
		})
	}
	for _, file := range config.Formulas.Files {
		known = false
		lines, err := a.lineSource(file)
		if err != nil {
			return nil, 0, err
		}
		sources = append(sources, lines)
	}
	if r := config.Formulas.Random; r != nil {
		g, err := ltl.NewGenerator(r.RandomOptions)
		if err != nil {
			return nil, 0, err
		}
		left := r.Number
		total += r.Number
		seed := r.Seed
		sources = append(sources, func() (cross.Input, error) {
			if left == 0 {
				return cross.Input{}, io.EOF
			}
			left--
			formula, err := g.NextContext(a.ctx)
			return cross.Input{Formula: formula, Seed: &seed}, err
		})
	}
	if !known {
		total = 0
	}
	return func() (cross.Input, error) {
		for len(sources) > 0 {
			in, err := sources[0]()
			if err != io.EOF {
				return in, err
			}
			sources = sources[1:]
		}
		return cross.Input{}, io.EOF
	}, total, nil
}

// lineSource gives the formulas of a file, one a line.
func (a *app) lineSource(file configs.File) (func() (cross.Input, error), error) {
	in, err := a.open(file.Path)
	if err != nil {
		return nil, err
	}
	lines := newLineReader(file.Path, in)
	return func() (cross.Input, error) {
		where, text, err := lines.next()
		if err != nil {
			in.Close()
			return cross.Input{}, err
		}
		f, err := ltl.NewStore().Parse(text, file.Syntax)
		if err != nil {
			return cross.Input{}, formulaError(where, err)
		}
		return cross.Input{Formula: f}, nil
	}, nil
}
