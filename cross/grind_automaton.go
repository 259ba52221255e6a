package cross

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/transform/shrink"
	"golang.org/x/sync/errgroup"
)

// An AutomatonGrindResult is an automaton on which the same tools fail in the same way as on the
// given one. They do not fail that way on any automaton that is one step smaller (see
// shrink.Steps).
type AutomatonGrindResult struct {
	Automaton *omega.Automaton
	Case      *outcome.Case // of it; nil if there was no time for it
}

// GrindAutomaton shrinks an automaton as long as the same tools fail in the same way. It calls
// only these tools. It tries candidates in parallel, one per core, and none twice. Of several
// that fail it takes the one of the largest step, so the result does not depend on the number
// of cores. It fails if f is not a failure on the given automaton, and when ctx is done. With
// the error, it returns the smallest automaton so far, if smaller than the given one.
func GrindAutomaton(ctx context.Context, o Options, in Input, f outcome.Failure) (*AutomatonGrindResult, error) {
	switch {
	case o.Runner == nil:
		return nil, errNoRunner
	case in.Automaton == nil:
		return nil, omega.ErrNoAutomaton
	}
	o.AllPairs, o.Early = false, nil // it gives the same failures
	o.Tools = o.only(f.Translators)
	n := o.Runner.Cores().Len()
	g := &automatonGrinder{run: newRun(&o, n+1, func(*outcome.Case) error { return nil }), failure: f, seen: map[[sha256.Size]byte]bool{}, source: in.Source}
	close(g.flow.last) // nobody else needs the cores
	first, err := g.candidate(ctx, in.Automaton, false)
	if err != nil {
		return nil, err
	}
	if !f.In(first) {
		return nil, fmt.Errorf("it did not fail again: %s: %s", strings.Join(f.Translators, ", "), f.Class)
	}
	best := in.Automaton
	for next := best; next != nil; next, err = g.step(ctx, next) {
		best = next
	}
	if err == nil && best != in.Automaton {
		// What candidates show was looked into as far as it takes; this is for people.
		first, err = g.candidate(ctx, best, false)
	}
	switch {
	case err == nil:
		return &AutomatonGrindResult{Automaton: best, Case: first}, nil
	case ctx.Err() != nil && best != in.Automaton:
		return &AutomatonGrindResult{Automaton: best}, err
	}
	return nil, err
}

// An automatonGrinder is one call of GrindAutomaton.
type automatonGrinder struct {
	*run
	source  string
	failure outcome.Failure
	seen    map[[sha256.Size]byte]bool // what was tried: digests of its HOA, which may be large
}

// step returns the first automaton one step smaller that shows the failure, nil if there
// is none.
func (g *automatonGrinder) step(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	batch := make([]*omega.Automaton, 0, max(2, g.cores.Len()))
	for b := range shrink.Steps(ctx, a) {
		text := sha256.New()
		if err := hoa.Write(ctx, text, b); err != nil {
			return nil, err
		}
		digest := [sha256.Size]byte(text.Sum(nil))
		if g.seen[digest] {
			continue
		}
		g.seen[digest] = true
		if batch = append(batch, b); len(batch) < cap(batch) {
			continue
		}
		if b, err := g.first(ctx, batch); b != nil || err != nil {
			return b, err
		}
		batch = batch[:0]
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return g.first(ctx, batch)
}

// first tries automata at once, and returns the first that shows the failure, or nil.
func (g *automatonGrinder) first(ctx context.Context, batch []*omega.Automaton) (*omega.Automaton, error) {
	fails := make([]bool, len(batch))
	workers, inner := errgroup.WithContext(ctx)
	for i, a := range batch {
		workers.Go(func() error {
			c, err := g.candidate(inner, a, true)
			fails[i] = err == nil && g.failure.In(c)
			return err
		})
	}
	if err := errors.Join(workers.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	if i := slices.Index(fails, true); i >= 0 {
		return batch[i], nil
	}
	return nil, nil
}

// candidate makes the case of an automaton; quick is for its failures only.
func (g *automatonGrinder) candidate(ctx context.Context, a *omega.Automaton, quick bool) (c *outcome.Case, err error) {
	err = g.aside(ctx, Input{Automaton: a, Source: g.source}, func(x *caseRun) (err error) {
		x.quick = quick
		c, err = x.take(ctx, true)
		return err
	})
	return c, err
}
