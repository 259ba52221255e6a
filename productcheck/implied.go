package productcheck

import (
	"context"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// implied has what simulation says about an automaton x and a Büchi automaton y, whose complement
// is the other side of a product: which states of y accept all words of a state of x. No word is
// accepted from this state of x with a macrostate that stands for one of these states of y, because
// the macrostate accepts none of its words. (Abdulla, Chen, Holík, Mayr, Vojnar 2010, "When
// simulation meets antichains", for automata on finite words.)
//
// For example, let x and y be these two, where the run of y has to guess whether a holds for ever:
//
//	x:  State: 0  [1] 0   [a] 1      y:  State: 0  [a] 0   [!a] 0   [a] 1
//	    State: 1  [a] 1 {0}              State: 1  [a] 1 {0}
//
// State 1 of y accepts all words of state 1 of x. So nothing is accepted from (1, {0,1}).
type implied struct {
	side  int // of the complement: 0 is the left one
	co    *complement.Complement
	of    *omega.Automaton // y
	by    [][]uint64       // by state of x: a set of states of y; or nil
	tried int              // the number of steps that were not enough; or 0
}

// maxImplied is the number of steps that a simulation may take.
const maxImplied = 1 << 28

// hopeless reports whether no word is accepted from a pair of states.
func (k *implied) hopeless(left, right omega.State) bool {
	if k.side == 0 {
		left, right = right, left
	}
	return k.co.Refutes(right, k.by[left])
}

// known computes what simulation says about the sides of an attempt, or nil if it says nothing. It
// may also find that the sides share no word. It starts when the first slice of work was not
// enough, and again with a larger slice if it was given up.
func (c *contest) known(ctx context.Context, sources [2]omega.Source, slice int) (k *implied, empty bool, err error) {
	// Many checks are decided in the first slice, in less time than a simulation takes.
	if c.started++; c.started == 1 {
		return nil, false, nil
	}
	for side, src := range sources {
		co, ok := src.(*complement.Complement)
		x, also := sources[1-side].(*Indexed)
		if !ok || !also {
			continue
		}
		y, ok := co.Refuted()
		if !ok {
			continue
		}
		// A step takes some ten nanoseconds, so this takes about as long as a slice of macrostates.
		steps := maxImplied
		if slice > 0 {
			steps = min(max(slice, 1<<10)<<12, maxImplied)
		}
		if old := c.implied; old == nil || old.of != y || old.tried > 0 && steps > old.tried {
			if c.implied, empty, err = c.imply(ctx, side, x.Automaton, y, steps); empty || err != nil {
				return nil, empty, err
			}
		}
		if c.implied.by == nil {
			return nil, false, nil
		}
		return &implied{side: side, co: co, of: y, by: c.implied.by}, false, nil
	}
	return nil, false, nil
}

// imply computes simulation between the automata x and y. If that does not show that y accepts all
// words of x, it tries other automata with the language of x, too.
func (c *contest) imply(ctx context.Context, side int, x, y *omega.Automaton, steps int) (k *implied, empty bool, err error) {
	k = &implied{side: side, of: y}
	simulated := func(a *omega.Automaton) (by [][]uint64, err error) {
		if by, err = superiors(ctx, a, y, steps); errors.Is(err, reduce.ErrSteps) {
			k.tried, err = steps, nil
		}
		empty = err == nil && covers(a, y, by)
		return by, err
	}
	// Only x itself is in the product. Other automata can still show that the product is empty.
	if k.by, err = simulated(x); empty || err != nil || !c.sides[1-side].In {
		return k, empty, err
	}
	for _, l := range c.sides[1-side].equal {
		other, err := l.Reduced(ctx, c.Limits)
		if err != nil {
			return nil, false, err
		}
		if _, err = simulated(other); empty || err != nil {
			return k, empty, err
		}
	}
	return k, false, nil
}

// covers reports whether some initial state of y accepts all words of x, for each initial state of
// x.
func covers(x, y *omega.Automaton, by [][]uint64) bool {
	if by == nil {
		return false
	}
	for _, s := range x.Initial() {
		if !slices.ContainsFunc(y.Initial(), func(t omega.State) bool { return bitset.Has(by[s], t) }) {
			return false
		}
	}
	return true
}

// superiors returns, for each state of x, states of the Büchi automaton y that are known to accept
// all of its words, as bit sets. It knows them by delayed simulation in one automaton of both. It
// returns nil if the condition of x has Fin, and if there are too many states. It fails with
// reduce.ErrSteps after so many steps, and when ctx is done.
func superiors(ctx context.Context, x, y *omega.Automaton, steps int) ([][]uint64, error) {
	clauses, ok := convert.Clauses(x.Acceptance().Condition, x.Marks())
	if !ok {
		return nil, nil
	}
	// One automaton with both: first the states of y, then the states of x with their levels.
	levels, m := max(1, len(clauses)), y.NumStates()
	w := budget.New(ctx)
	b := omega.NewBuilder(x.Alphabet(), omega.Buchi())
	b.AddStates(m + levels*x.NumStates())
	if err := addDuplicator(ctx, b, y, w); err != nil {
		return nil, err
	}
	addSpoiler(b, x, clauses, w)
	if w.Err() != nil {
		return nil, w.Err()
	}
	order, err := reduce.NewDelayed(ctx, b.Automaton(), omega.State(m), steps)
	if order == nil || err != nil {
		return nil, err
	}
	words := bitset.Words(m)
	var by [][]uint64
	for s := range x.NumStates() {
		set := make([]uint64, words)
		// The language of a state of x does not depend on its level, so what simulates any of its
		// copies counts.
		for k := range levels {
			for i, v := range order.Simulators(omega.State(m + levels*s + k))[:words] {
				set[i] |= v
			}
		}
		// The last word also has bits of the first copies of x.
		if m%64 != 0 {
			set[words-1] &= 1<<(m%64) - 1
		}
		by = append(by, set)
	}
	return by, nil
}

// addDuplicator adds the edges of a Büchi automaton. It adds marks where they do not change its
// language: on edges between components, and in components whose cycles all have the mark.
func addDuplicator(ctx context.Context, b *omega.Builder, y *omega.Automaton, w *budget.Budget) error {
	parts := y.ComponentsWithin(w)
	kinds, err := y.Kinds(ctx, parts)
	if err != nil {
		return err
	}
	for s := range omega.State(y.NumStates()) {
		part := parts.Of[s]
		for _, e := range y.Edges(s) {
			if w.Stop() {
				return w.Err()
			}
			marks := omega.Marks(0)
			// More marks for Duplicator make more pairs similar.
			if e.Marks != 0 || parts.Of[e.Dst] != part || kinds[part] == omega.Accepting {
				marks = b.Marks().Of(0)
			}
			b.AddEdge(s, e.Label, marks, e.Dst)
		}
	}
	return nil
}

// addSpoiler adds the edges of an automaton with generalized Büchi acceptance after the states of
// Duplicator, by pairs of a state and a level; see convert.Advance. Edges between components have
// no mark.
func addSpoiler(b *omega.Builder, x *omega.Automaton, clauses []omega.Marks, w *budget.Budget) {
	levels := max(1, len(clauses))
	first := b.NumStates() - levels*x.NumStates()
	number := func(s omega.State, level int) omega.State { return omega.State(first + levels*int(s) + level) }
	parts := x.ComponentsWithin(w)
	if w.Err() != nil {
		return
	}
	for s := range omega.State(x.NumStates()) {
		for _, e := range x.Edges(s) {
			for k := range levels {
				if w.Stop() {
					return
				}
				next, marks := 0, omega.Marks(0)
				if parts.Of[s] == parts.Of[e.Dst] { // only cycles within a component count
					var ended bool
					if next, ended = convert.Advance(x.Marks(), clauses, k, e.Marks); ended {
						next, marks = min(next, levels-1), b.Marks().Of(0)
					}
				}
				b.AddEdge(number(s, k), e.Label, marks, number(e.Dst, next))
			}
		}
	}
}
