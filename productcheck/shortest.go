package productcheck

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A ShortestWord is a word, and what is proved of its size.
type ShortestWord = witness.Result

// Shortest returns a shortest word that is in all languages of in and in none of out; see
// witness.Shortest. All are over one alphabet. known is such a word. At a limit, or if a
// language is not supported, the result may not be proved shortest. Then it is known, or the
// word of a shortest run found within a second. Shortest fails only when ctx is done, or with
// an internal error.
func (d *Decider) Shortest(ctx context.Context, known *omega.Word, in, out []*Language) (*ShortestWord, error) {
	if err := lacking(slices.Concat(in, out)...); err != nil {
		return nil, err
	}
	d = d.bounded()
	inner, cancel := d.within(ctx)
	defer cancel()
	result, err := d.shortest(inner, known, in, out)
	why, err := d.why(ctx, err)
	if err != nil {
		return nil, err
	}
	if why != nil {
		result = &witness.Result{Word: known, Least: 1, Why: why}
	}
	if !result.Shortest() {
		inner, cancel := context.WithTimeout(inner, time.Second)
		defer cancel()
		// With an error there may be a run nevertheless.
		if run, _ := d.ShortestRun(inner, in, out); run != nil {
			if w := run.Concrete(); w.Size() < result.Word.Size() {
				result.Word = w
			}
		}
	}
	return result, ctx.Err()
}

// ShortestRun returns the shortest run found so far, if any, with an error. Without one, it returns the word of a
// shortest accepting run in the product of the languages in and the complements of the languages out, or nil if
// the product is empty. It fails if a complement does, and as emptiness.ShortestRun does.
func (d *Decider) ShortestRun(ctx context.Context, in, out []*Language) (*omega.Word, error) {
	if err := lacking(slices.Concat(in, out)...); err != nil {
		return nil, err
	}
	d = d.bounded()
	limits := d.Limits
	var product omega.Source
	for i, l := range slices.Concat(in, out) {
		o := Side{l, i < len(in)}
		by, err := o.candidates(ctx, d)
		if err != nil {
			return nil, err
		}
		src, err := o.source(ctx, d, by[0], d.Limits)
		if err != nil {
			return nil, err
		}
		if product == nil {
			product = src
		} else if err := overOne(product, src); err != nil {
			return nil, err
		} else if err := startable(product, src, limits); err != nil {
			return nil, err
		} else {
			product = NewProduct(product, src)
		}
	}
	r, err := emptiness.ShortestRun(ctx, product, limits)
	if r.Run == nil {
		return nil, err
	}
	return r.Run.Word(product.Alphabet()), err
}

func (d *Decider) shortest(ctx context.Context, known *omega.Word, in, out []*Language) (*witness.Result, error) {
	var sides []witness.Side
	list := slices.Concat(in, out)
	for i, l := range list {
		if err := overOne(list[0].given, l.given); err != nil {
			return nil, err
		}
		a, err := l.Reduced(ctx, d.Limits)
		if err != nil {
			return nil, err
		}
		sides = append(sides, witness.Side{Automaton: a, Accept: i < len(in)})
	}
	if err := known.Check(); err != nil {
		return nil, err
	}
	return witness.Shortest(ctx, sides, known, d.Limits)
}

// why divides the errors of a search: undecided is a limit that was met, or what is not supported;
// failed is all else, and that ctx is done.
func (d *Decider) why(ctx context.Context, err error) (undecided, failed error) {
	var limit *omega.LimitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return &budget.TimeError{Limit: d.Limits.Time}, nil
	case errors.As(err, &limit) || errors.Is(err, omega.ErrNotWeak):
		return err, nil
	}
	return nil, err
}

// within returns a context that ends after the time that a check may take, and has its limit
// of memory.
func (d *Decider) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = d.Limits.WithMemory(ctx)
	if d.Limits.Time > 0 {
		return context.WithTimeout(ctx, d.Limits.Time)
	}
	return ctx, func() {}
}
