package productcheck

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// A rival decides whether each word of a is in b without a complement.
type rival struct{ a, b *omega.Automaton }

// forqSteps is how many steps of package forq go into a slice of work for each macrostate. Both
// take some microseconds.
const forqSteps = 1 << 9

// rival returns the check as one that package forq decides: one side needs a complement by a
// construction, and the other one does not. Otherwise it returns nil. It does so too if the
// complement is that of a deterministic automaton, which takes less time.
func (c *contest) rival(ctx context.Context) (*rival, error) {
	if c.Algorithm != "" || c.Emptiness != "" {
		return nil, nil
	}
	for k, o := range c.sides {
		other := c.sides[1-k]
		if o.in || c.by[k][0] == ByNegation || !other.in && c.by[1-k][0] != ByNegation {
			continue
		}
		b, ok := o.subject.Buchi()
		if !ok {
			return nil, nil
		}
		included := other.Language
		if !other.in {
			included = other.dual
		}
		a, err := included.Reduced(ctx, c.Limits.Macrostates)
		return &rival{a, b}, err
	}
	return nil, nil
}

// turn decides the check by the rival, in a slice of work for so many macrostates.
func (c *contest) turn(ctx context.Context, r *rival, macrostates int) error {
	limits := forq.Limits{States: c.Limits.Macrostates, Steps: forqSteps * macrostates}
	if c.Limits.Memory > 0 {
		limits.Memory = max(1, c.Limits.Memory-c.sides[0].Memory()-c.sides[1].Memory())
	}
	err := c.include(ctx, r, limits)
	var over *omega.LimitError
	if errors.As(err, &over) && over.What == "steps" {
		return &omega.LimitError{What: "macrostates", Limit: macrostates}
	}
	return err
}

// include decides the check by the rival.
func (c *contest) include(ctx context.Context, r *rival, limits forq.Limits) error {
	result, err := forq.Check(ctx, r.a, r.b, limits)
	if err != nil {
		return err
	}
	c.decision.By, c.decision.Result, c.decision.Constructions = ByForq, &Result{Word: result.Word}, nil
	return nil
}
