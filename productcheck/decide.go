package productcheck

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/witness"
)

// Limits limit a single check. Zero means no limit.
type Limits struct {
	Macrostates   int // of one complement, made for the check
	ProductStates int
	Memory        int64 // bytes, of the product and the complements
	Time          time.Duration
	WordSteps     int // of a search for a shortest word; see witness.Limits
}

// DefaultLimits keep two checks at a time below 4 GiB in total.
var DefaultLimits = Limits{Macrostates: 1000000, ProductStates: 10000000, Memory: 512 << 20, Time: time.Minute,
	WordSteps: witness.DefaultLimits.Steps}

// product returns the limits of one product.
func (l Limits) product() emptiness.Limits {
	return emptiness.Limits{States: l.ProductStates, Memory: l.Memory}
}

// WithMemory returns a context that carries the memory limit to all computations under it,
// checks or not.
func (l Limits) WithMemory(ctx context.Context) context.Context {
	if l.Memory <= 0 {
		return ctx
	}
	return budget.WithMemory(ctx, l.Memory)
}

// A Decider decides checks.
type Decider struct {
	Limits Limits
	// Algorithm is the complement construction. If it is "", the best one is tried first, and
	// the next best when it hits a limit.
	Algorithm complement.Algorithm
	// Emptiness is the emptiness check to use where it applies. For other products, and if it
	// is "", emptiness.Check is used.
	Emptiness emptiness.Algorithm
}

// A Decision is the answer of a check. Exactly one of Result and Undecided is set.
type Decision struct {
	*Result
	Undecided     error                  // the limit that was hit, or what is not supported
	Constructions []complement.Algorithm // of the complements, by side, in the attempt that decided
	Macrostates   int                    // made for this check
	ProductStates int                    // visited, in all attempts
	Emptiness     emptiness.Algorithm    // the Decider's if it fitted, or ""
}

// ByNegation replaces the construction if no complement was made, because an automaton of the
// complement is known: the one for the negation.
const ByNegation complement.Algorithm = "negation"

// Decide looks for a word that is in x and in y. If inX is false, the word must not be in x,
// and likewise for inY. Decide fails only when ctx is done, with ErrAlphabet, or with an
// emptiness.ErrInternal.
//
// A complement is explored only as far as the other side leads. If one construction makes many
// macrostates, the next one is tried. If all do, each of them continues up to the limit.
func (d *Decider) Decide(ctx context.Context, x *Language, inX bool, y *Language, inY bool) (*Decision, error) {
	if err := overOne(x.given, y.given); err != nil {
		return nil, err
	}
	inner, cancel := d.within(ctx)
	defer cancel()
	decision := &Decision{}
	err := d.attempts(inner, decision, operand{x, inX}, operand{y, inY})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, emptiness.ErrInternal) {
		return nil, err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &budget.TimeError{Limit: d.Limits.Time}
	}
	decision.Undecided = err
	return decision, nil
}

// Cost estimates how hard a language is to complement, within the limits of a check; see
// [Language.Cost].
func (d *Decider) Cost(ctx context.Context, l *Language) (float64, error) {
	inner, cancel := d.within(ctx)
	defer cancel()
	return l.Cost(inner, d.Limits.Macrostates)
}

// operand is a language, or the complement of it.
type operand struct {
	*Language
	in bool
}

// candidates returns the constructions that may be tried, for a language itself
// just one that means nothing.
func (o operand) candidates(ctx context.Context, d *Decider) ([]complement.Algorithm, error) {
	if o.in {
		return []complement.Algorithm{""}, nil
	}
	if d.Algorithm != "" {
		return []complement.Algorithm{d.Algorithm}, nil
	}
	s, err := o.prepare(ctx, d.Limits.Macrostates)
	if o.dual != nil {
		negation, failed := o.dual.Reduced(ctx, d.Limits.Macrostates)
		if failed == nil && (err != nil || math.Log2(float64(negation.NumStates())) < s.Cost()) {
			return []complement.Algorithm{ByNegation}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return s.Candidates(), nil
}

// source returns what the search runs on.
func (o operand) source(ctx context.Context, algorithm complement.Algorithm, limit int) (omega.Source, error) {
	switch {
	case o.in:
		return o.Language.source(ctx, limit)
	case algorithm == ByNegation:
		return o.dual.source(ctx, limit)
	}
	return o.complemented(ctx, algorithm, limit)
}

// attempts runs the check with one construction after the other until it is
// decided.
func (d *Decider) attempts(ctx context.Context, decision *Decision, x, y operand) error {
	left, err := x.candidates(ctx, d)
	if err != nil {
		return err
	}
	right, err := y.candidates(ctx, d)
	if err != nil {
		return err
	}
	count := max(len(left), len(right))
	_, err = complement.Try(count, d.Limits.Macrostates, func(i, limit int) error {
		return d.attempt(ctx, decision, x, left[min(i, len(left)-1)], y, right[min(i, len(right)-1)], limit)
	})
	return err
}

// attempt runs the check with the given constructions.
func (d *Decider) attempt(ctx context.Context, decision *Decision, x operand, byX complement.Algorithm, y operand, byY complement.Algorithm, limit int) error {
	decision.Constructions = nil
	var sources [2]omega.Source
	for i, o := range []operand{x, y} {
		by := []complement.Algorithm{byX, byY}[i]
		src, err := o.source(ctx, by, limit)
		if err != nil {
			return err
		}
		sources[i] = src
		if by != "" {
			decision.Constructions = append(decision.Constructions, by)
		}
	}
	before := macrostates(sources)
	limits := d.Limits.product()
	decision.Emptiness = d.Emptiness
	result, err := IntersectBy(ctx, d.Emptiness, sources[0], sources[1], limits)
	if errors.Is(err, emptiness.ErrUnfit) {
		decision.Emptiness = ""
		decision.ProductStates += result.Pairs
		result, err = Intersect(ctx, sources[0], sources[1], limits)
	}
	decision.Macrostates += macrostates(sources) - before
	decision.ProductStates += result.Pairs
	if err != nil {
		if d.Limits.Memory > 0 && x.Memory()+y.Memory() > d.Limits.Memory/4 {
			x.Forget()
			y.Forget()
		}
		return err
	}
	decision.Result = result
	return nil
}

// macrostates returns how many macrostates the complements among the sources have,
// which may be one and the same.
func macrostates(sources [2]omega.Source) int {
	n := 0
	for i, src := range sources {
		if c, ok := src.(*complement.Complement); ok && (i == 0 || src != sources[0]) {
			n += c.Macrostates()
		}
	}
	return n
}
