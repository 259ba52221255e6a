package productcheck

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck/forq"
)

// earlyEdges is from how many edges on, of both automata, package forq gets the first turn. Fewer
// edges are reduced in less time.
const earlyEdges = 256

// earlySteps is how many steps of package forq this turn has for each edge. A reduction takes about
// as many.
const earlySteps = 1 << 8

// early tries to decide an inclusion by package forq before anything else is done. Reducing large
// automata, bringing them to Büchi acceptance and choosing constructions may take much longer.
//
// The turn is for automata with a number of edges, and ends after a number of steps for each of
// them, so that no clock decides. It may take a quarter of the memory. There is no such turn if a
// complement is known.
func (c *contest) early(ctx context.Context, edges int) (decided bool, err error) {
	l, r := included(c.sides[0], c.sides[1])
	if c.Algorithm != "" || c.Emptiness != "" || l == nil || len(r.made) > 0 {
		return false, nil
	}
	a, b := l.known(), r.known()
	n := a.NumEdges() + b.NumEdges()
	if n < edges || a.Alternating() || b.Alternating() {
		return false, nil
	}
	limits := forq.Limits{States: 2 * (a.NumStates() + b.NumStates()), Steps: earlySteps * n, Memory: c.Limits.Memory / 4}
	err = c.include(ctx, &rival{a, b}, limits)
	return err == nil, unlimited(err)
}

// known returns the reduced automaton if it has been made, and otherwise the one that was given.
func (l *Language) known() *omega.Automaton {
	if l.search != nil {
		return l.search
	}
	return l.given
}
