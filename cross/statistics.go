package cross

import (
	"context"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Statistics says what a run computes for automata besides their sizes.
type Statistics struct {
	Strength  bool // strength of the components; see Strength
	Ambiguous bool
	Automata  bool // keep the text
}

func measure(ctx context.Context, r *outcome.Result, a *omega.Automaton) error {
	s, err := a.Statistics(ctx)
	r.Props, r.Sets = a.Alphabet().Len(), a.Acceptance().Sets
	r.States, r.Unreachable = s.States, s.Unreachable
	r.Edges, r.Universal, r.Transitions = s.Edges, s.Universal, s.Transitions
	r.Components, r.Largest = s.Components, s.Largest
	r.Nondet, r.NondetEdges = s.NondetStates, s.NondetEdges
	r.Deterministic, r.Complete = !s.Nondeterministic && !a.Alternating(), s.Complete
	r.StateMarks, r.VeryWeak, r.Alternating = s.StateMarks, s.VeryWeak, a.Alternating()
	if r.Acceptance = a.Acceptance().Name(); r.Acceptance == "" {
		r.Acceptance = a.Acceptance().String()
	}
	return err
}

// statistics fills in what o asks for of the automaton of a result. What takes longer than
// a check may is undecided. The error is that the whole run was canceled.
func (o *Options) statistics(ctx context.Context, c *outcome.Case, r *outcome.Result, a *omega.Automaton) error {
	if err := measure(ctx, r, a); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		c.Undecided = append(c.Undecided, newUndecided(err.Error(), "statistics of %s", r.Subject))
		return nil
	}
	if o.Statistics.Automata {
		var text strings.Builder
		if err := hoa.Write(ctx, &text, a); err != nil {
			return err
		}
		r.Automaton = strings.ReplaceAll(strings.TrimSuffix(text.String(), "\n"), "\n", " ")
	}
	try := func(wanted bool, what string, find func(context.Context) error) error {
		if !wanted || a.Alternating() {
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
	err := try(o.Statistics.Strength, "strength", func(ctx context.Context) error {
		s, err := a.Strength(ctx)
		if err == nil {
			r.Strength = &outcome.Strength{Class: s.Class(), Nonaccepting: s.Nonaccepting, Terminal: s.Terminal,
				Weak: s.Weak, Strong: s.Strong, Transient: s.Transient, Mixed: s.Mixed}
		}
		return err
	})
	if err != nil {
		return err
	}
	return try(o.Statistics.Ambiguous, "ambiguity", func(ctx context.Context) error {
		unambiguous, err := a.IsUnambiguous(ctx)
		if err == nil {
			ambiguous := !unambiguous
			r.Ambiguous = &ambiguous
		}
		return err
	})
}
