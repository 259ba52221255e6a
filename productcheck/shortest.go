package productcheck

import (
	"context"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/witness"
)

// Shortest returns a shortest word that is in all languages of in and in none of
// out, which are over one alphabet; known is such a word. See witness.Shortest:
// with a limit, or where a language is not supported, the word may be known itself
// and not proved to be shortest. It fails only when ctx itself is done, or with an
// internal error.
func (d *Decider) Shortest(ctx context.Context, known *omega.Word, in, out []*Language) (*witness.Result, error) {
	inner, cancel := d.within(ctx)
	defer cancel()
	result, err := d.shortest(inner, known, in, out)
	var limit *omega.LimitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("limit of %v time", d.Limits.Time)
	case err != nil && !errors.As(err, &limit) && !errors.Is(err, omega.ErrNotWeak):
		return nil, err
	}
	if err != nil {
		result = &witness.Result{Word: known, Least: 1, Why: err}
	}
	return result, nil
}

func (d *Decider) shortest(ctx context.Context, known *omega.Word, in, out []*Language) (*witness.Result, error) {
	var sides []witness.Side
	for i, languages := range [][]*Language{in, out} {
		for _, l := range languages {
			a, err := l.Reduced(ctx, d.Limits.Macrostates)
			if err != nil {
				return nil, err
			}
			sides = append(sides, witness.Side{Automaton: a, Accept: i == 0})
		}
	}
	return witness.Shortest(ctx, sides, known, witness.Limits{Steps: d.Limits.WordSteps, Memory: d.Limits.Memory / 2})
}

// within returns a context that ends after the time that a check may take.
func (d *Decider) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if d.Limits.Time > 0 {
		return context.WithTimeout(ctx, d.Limits.Time)
	}
	return ctx, func() {}
}
