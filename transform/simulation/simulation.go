package simulation

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/internal/dominance"
)

// A Kind says what Duplicator has to achieve.
type Kind uint8

// The kinds of simulation.
const (
	Direct Kind = iota // marks at least as good in each round
	Fair               // an accepting run against each accepting run
)

// Fits reports whether a simulation of this kind between a and b proves inclusion: Direct needs the
// same acceptance condition with at most 64 sets, and Fair needs Büchi acceptance. Neither may be
// alternating.
func (k Kind) Fits(a, b *omega.Automaton) bool {
	switch {
	case omega.Supported(a) != nil || omega.Supported(b) != nil:
		return false
	case k == Fair:
		return a.Acceptance().IsBuchi() && b.Acceptance().IsBuchi()
	}
	return a.Marks().Inline() && b.Marks().Inline() && a.Acceptance().String() == b.Acceptance().String()
}

// Proves looks for a simulation that proves that b accepts each word of a. It returns the least
// lookahead up to the given one that is enough, or 0 if it finds none within so many steps. The
// automata are over one alphabet, and the kind must fit them. Proves fails only when ctx is done.
//
// For n reachable pairs of states and degree d, a lookahead of k makes n·d^k demands. The steps
// count looks at labels and at demands, of some ten nanoseconds each, so the result does not depend
// on time.
func Proves(ctx context.Context, a, b *omega.Automaton, kind Kind, lookahead, steps int) (int, error) {
	if a.Alphabet() != b.Alphabet() || !kind.Fits(a, b) {
		return 0, ctx.Err()
	}
	w := budget.New(ctx)
	found := 0
	ok := a.Alphabet().Attempt(w, steps, func(v *budget.Budget) {
		g := newGame(a, b, kind, v)
		for k := 1; k <= lookahead && v.Err() == nil; k++ {
			if k > 1 && !g.deepen() {
				return
			}
			if g.explore(); g.won() {
				found = k
				return
			}
		}
	})
	if !ok {
		found = 0
	}
	return found, w.Err()
}

// A priority is that of a round, or of several: the greatest.
type priority uint8

// rounds tells how Duplicator's edges answer those of Spoiler.
type rounds struct {
	kind  Kind
	marks dominance.Order
}

// answers reports whether an edge with the marks f may answer one with the marks e, and what
// priority the round then has.
func (r *rounds) answers(e, f omega.Marks) (priority, bool) {
	switch {
	case r.kind == Direct:
		return 0, r.marks.Better(f, e)
	case f != 0:
		return 2, true
	case e != 0:
		return 1, true
	}
	return 0, true
}
