package productcheck

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/xcheck-ltl/xcheck/omega"
)

// spent is a limit that a check has hit because of a language: it could not be reduced, or it could
// not be complemented as far as the check needed it.
type spent struct {
	limits Limits
	err    error
}

// spentShare is the share of its limits that a check gets if an earlier one has spent all of them
// on the same complement. Easier checks are still decided, and hard ones cost little.
const spentShare = 16

// allowed returns the limits of a check with the given sides, and the limit that an earlier check
// has spent on the same side, if any. If that side could not even be reduced, again is false,
// because another attempt would fail too.
func (d *Decider) allowed(sides [2]operand) (limits Limits, before error, again bool) {
	limits = d.Limits
	for _, o := range sides {
		if s := o.unreduced; s != nil && s.limits == d.Limits && (o.in || o.dual == nil) {
			return limits, fmt.Errorf("%w spent before on the same automaton", s.err), false
		}
	}
	for _, o := range sides {
		if s := o.uncomplemented; !o.in && s != nil && s.limits == d.Limits {
			limits.Macrostates = share(limits.Macrostates)
			limits.ProductStates = share(limits.ProductStates)
			limits.Time = share(limits.Time)
			return limits, fmt.Errorf("%w spent before on the same complement", s.err), true
		}
	}
	return limits, nil, true
}

// share returns a part of a limit, which may be none.
func share[N ~int | ~int64](limit N) N {
	if limit <= 0 {
		return limit
	}
	return (limit + spentShare - 1) / spentShare
}

// spend notes the side on which a check has spent its limits: the one that was not reduced, or the
// complement that is expected to be larger.
func (d *Decider) spend(err error, sides ...operand) {
	var over *omega.LimitError
	if !errors.As(err, &over) && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	var worst *Language
	most := math.Inf(-1)
	for _, o := range sides {
		if o.failed {
			o.unreduced = &spent{d.Limits, err}
			return
		}
		cost := math.Inf(1)
		if o.subject != nil {
			cost = o.subject.Cost()
		}
		if !o.in && cost > most {
			worst, most = o.Language, cost
		}
	}
	if worst != nil {
		worst.uncomplemented = &spent{d.Limits, err}
	}
}
