package cross

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Statistics says what a run computes for automata besides their sizes.
type Statistics struct {
	Strength  bool // strength of the components; see Strength
	Ambiguous bool
	Automata  bool // keep the text
}

// statistics fills in what o asks for of the automaton of a result. What takes longer than
// a check may is undecided. The error is that the whole run was canceled.
func (o *Options) statistics(ctx context.Context, c *outcome.Case, r *outcome.Result, a *omega.Automaton) error {
	inner, cancel := within(ctx, o.Limits.Time/4) // there are other automata, and checks to do
	defer cancel()
	found, err := a.Statistics(inner)
	r.Sizes, r.Shape = found.Sizes, found.Shape
	var text strings.Builder
	if err == nil && o.Statistics.Automata {
		err = hoa.Write(inner, &text, a)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		c.Undecided = append(c.Undecided, newUndecided(timeLimit(inner, err).Error(), "statistics of %s", r.Subject))
		return nil
	}
	r.Automaton = strings.ReplaceAll(strings.TrimSuffix(text.String(), "\n"), "\n", " ")
	try := func(wanted bool, what string, find func(context.Context) error) error {
		if !wanted || a.Alternating() { // its runs are trees
			return nil
		}
		inner, cancel := within(o.Limits.WithMemory(ctx), o.Limits.Time)
		defer cancel()
		err := timeLimit(inner, find(inner))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.Undecided = append(c.Undecided, newUndecided(err.Error(), what+" of %s", r.Subject))
		}
		return nil
	}
	err = try(o.Statistics.Strength, "strength", func(ctx context.Context) error {
		s, err := a.Strength(ctx)
		if err == nil {
			r.Strength = &s
		}
		return err
	})
	if err != nil {
		return err
	}
	return try(o.Statistics.Ambiguous, "ambiguity", func(ctx context.Context) error {
		unambiguous, err := witness.Unambiguous(ctx, a)
		if err == nil {
			ambiguous := !unambiguous
			r.Ambiguous = &ambiguous
		}
		return err
	})
}

// Bounds of the search for the excess length, which is made for every automaton. They count work,
// so the answer is the same on every machine, but for what takes longer than excessTime.
const (
	excessStates = 200
	excessSteps  = 1_000_000 // about five milliseconds
	excessMemory = 16 << 20  // bytes
	excessTime   = time.Second
)

// excess returns by how many letters the shortest accepting run of an automaton is longer than the shortest
// word that it accepts: by how much a shortest counterexample of a model checker that uses the automaton may
// be longer than need be (Schuppan and Biere 2005). It is 0 for tight automata. It returns nil if the
// automaton accepts nothing, is alternating, or a limit is met. The error is that ctx is done.
//
// With [t] 1 from state 0 and [t] 1 {0} from state 1, the shortest run has two edges, and the shortest
// word, cycle{1}, has one letter. So the excess is 1.
func excess(ctx context.Context, a *omega.Automaton) (*int, error) {
	if a.Alternating() || a.NumStates() > excessStates {
		return nil, nil
	}
	inner, cancel := context.WithTimeout(ctx, excessTime)
	defer cancel()
	limited := func(err error) error {
		if overLimit(err) {
			err = nil
		}
		return cmp.Or(ctx.Err(), err)
	}
	r, err := emptiness.ShortestRun(inner, a, omega.Limits{ProductStates: excessStates, Memory: excessMemory})
	if err != nil || r.Run == nil {
		return nil, limited(err)
	}
	longer := len(r.Run.Prefix) + len(r.Run.Cycle)
	word := r.Run.Word(a.Alphabet()).Concrete()
	if word.Size() > 1 { // one letter can't be shortened
		w, err := witness.Shortest(inner, []witness.Side{{Automaton: a, Accept: true}}, word,
			omega.Limits{WordSteps: excessSteps, Memory: excessMemory})
		if err != nil || !w.Shortest() {
			return nil, limited(err)
		}
		word = w.Word
	}
	longer -= word.Size()
	return &longer, nil
}
