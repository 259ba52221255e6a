package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Model is an automaton on which algorithms are compared. Each has a name of its own, of letters,
// digits and hyphens.
type Model struct {
	Name   string
	About  string
	Source omega.Source
}

// numbered returns the name of the i-th model of several.
func numbered(name string, i, of int) string {
	if of == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, i+1)
}

// Models passes to emit the automata that Minimal searches. It fails if emit does, and when ctx is
// done.
func (o MinimalOptions) Models(ctx context.Context, emit func(Model) error) error {
	for _, in := range o.Inputs {
		each := in.number(o.Each)
		r := rand.New(rand.NewPCG(o.Seed, 1))
		for i := range each {
			src, err := in.make(ctx, r, o.Random)
			if err != nil {
				return err
			}
			if err := emit(Model{numbered(in.Name, i, each), in.About, src}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Models passes to emit the graphs that Emptiness searches. It fails if emit does, and when ctx is
// done.
func (o EmptinessOptions) Models(ctx context.Context, emit func(Model) error) error {
	for _, f := range o.Families {
		graphs, err := f.Make(ctx, o.Seed, o.Each)
		if err != nil {
			return err
		}
		for i, g := range graphs {
			for k, source := range g.Sources {
				name := numbered(numbered(f.Name, i, len(graphs)), k, len(g.Sources))
				if err := emit(Model{name, g.Name, source()}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Models passes to emit the models of Tight, as automata that accept the words of all runs. It
// fails if emit does, and when ctx is done.
func (o TightOptions) Models(ctx context.Context, emit func(Model) error) error {
	for _, spec := range o.Specifications {
		violations, err := spec.violations(ctx, o.Seed, o.Each)
		if err != nil {
			return err
		}
		for i, v := range violations {
			model, err := v.model(ctx, v.alphabet)
			if err != nil {
				return err
			}
			about := "violates " + negated(v.store, v.negation).String()
			if err := emit(Model{numbered(spec.Name, i, len(violations)), about, model}); err != nil {
				return err
			}
		}
	}
	return nil
}
