package productcheck

import (
	"context"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Again repeats a check of Decide in another way: on the automata as given, with other
// complements, with the sides exchanged, and by another emptiness check. It returns a word
// that is in x and y (or not in them, if inX or inY is false), or nil if there is none. It
// fails with an omega.LimitError and when ctx is done.
func (d *Decider) Again(ctx context.Context, first *Decision, x *omega.Automaton, inX bool, y *omega.Automaton, inY bool) (*omega.Word, error) {
	d = d.bounded()
	if first == nil {
		first = new(Decision)
	}
	used := first.Constructions
	other := func(a *omega.Automaton, in bool) (omega.Source, error) {
		switch {
		case in && a.Alternating():
			return complement.Nondeterministic(ctx, a, d.Limits.Macrostates)
		case in:
			return a, nil
		}
		var by complement.Algorithm
		if len(used) > 0 {
			by, used = used[0], used[1:]
		}
		return complement.Other(ctx, complement.Others(by)[0], a, d.Limits.Macrostates)
	}
	left, err := other(x, inX)
	if err != nil {
		return nil, err
	}
	right, err := other(y, inY)
	if err != nil {
		return nil, err
	}
	by := emptiness.ByTarjan
	switch {
	case left.Acceptance().Condition.HasFin() || right.Acceptance().Condition.HasFin():
		by = emptiness.ByGeneric
	case d.Emptiness == emptiness.ByTarjan:
		by = emptiness.ByCouvreur
	}
	r, err := IntersectBy(ctx, by, right, left, d.Limits.product())
	if err != nil || r.Empty() {
		return nil, err
	}
	return r.Word.Concrete(), nil
}
