package emptiness

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Each finds a shortest run for every pivot of gm-min, nearest first, and passes it to found
// (Gastin and Moro 2007, section 5: the bound of one pivot does not hold for the others). For
// Büchi acceptance, the pivots are the states that an accepting edge leaves, and the run takes
// such an edge. For other conditions, see Minimizer. A pivot that is on no accepting run has
// none.
//
// The Run of the result is one of the shortest of all. Each fails as Run does, and if the
// Algorithm is not gm-min. What it has passed to found before an error is right. Improvements
// that bound runs by those of other pivots do not apply, and Found is not called.
func (m *Minimizer) Each(ctx context.Context, src omega.Source, found func(pivot omega.State, r *Run)) (result *Minimal, err error) {
	h := newHunt(ctx, src, m)
	h.found = nil
	switch err := omega.Supported(src); {
	case err != nil:
		return &h.result, err
	case m.Algorithm != ByGMMin && m.Algorithm != "":
		return &h.result, fmt.Errorf("%w: %s finds no run for each pivot: use gm-min", ErrUnfit, m.Algorithm)
	}
	h.budget.LimitMemory(h.limits.Memory, h.memory)
	defer src.Alphabet().Bind(h.budget).Release(&err)
	err = h.eachPivot(All&^m.Without&^(FirstRun|ShorterHead), m.Forward, found)
	h.end(err)
	return &h.result, err
}

func (h *hunt) eachPivot(use Improvements, forward bool, found func(omega.State, *Run)) error {
	b, err := h.preparePivots(use, forward)
	bound := h.bound
	var best *Run
	for i := 0; i < len(b.pivots) && err == nil; i++ {
		r := b.pivots[i]
		if best == nil {
			h.least = int(b.dist[r])
		}
		h.bound, h.result.Run = bound, nil
		if err = b.around(r); err == nil && h.result.Run != nil {
			if found != nil {
				found(r, h.result.Run)
			}
			if best == nil || h.result.Run.Size() < best.Size() {
				best = h.result.Run
			}
		}
	}
	h.bound, h.result.Run = bound, best
	if best != nil {
		h.bound = best.Size()
	}
	return err
}
