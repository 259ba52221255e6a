package runs

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Tight reports whether the automaton accepts the word by a run that is as short as the
// word. Such a run is in the same state after the prefix and after one round of the cycle. The
// marks between satisfy the condition. An automaton is tight (Schuppan and Biere 2005,
// Definition 2 and Theorem 1) if and only if Tight holds for every lasso that it accepts. If
// letters leave propositions open, one word of the set suffices.
//
// With 0 -a-> 1 {0} and 1 -1-> 1 {0}, the run on cycle{a} is 0 1 1 …, which is not tight: the
// prefix leads to 0, and the first round to 1. On a; cycle{a}, it is.
//
// Tight takes as long as Accepts, times the number of states after the prefix, times the
// number of sets of marks that a walk along the cycle may see. That number is exponential in
// the marks at worst. Tight fails when ctx is done, and with ErrAlternating.
func Tight(ctx context.Context, a *omega.Automaton, w *omega.Word) (_ bool, err error) {
	if err := w.Check(); err != nil {
		return false, err
	}
	if a.Alternating() {
		return false, omega.ErrAlternating
	}
	both := omega.Union(a.Alphabet(), w.Alphabet)
	b := budget.New(ctx)
	defer both.Bind(b).Release(&err)
	if a, err = a.Over(ctx, both); err != nil {
		return false, err
	}
	w = w.Over(both)
	t := &tightness{a: a, budget: b, hasFin: a.Acceptance().Condition.HasFin()}
	var used []int
	a.Acceptance().Condition.Leaves(func(leaf *omega.Condition) { used = append(used, leaf.Mark) })
	t.used = a.Marks().Of(used...)
	t.seen = make([][]omega.Marks, a.NumStates())
	for _, s := range a.Initial() {
		t.add(s, 0)
	}
	for _, letter := range w.Prefix {
		if err := t.read(letter, false); err != nil {
			return false, err
		}
	}
	for _, s := range t.take() {
		t.add(s, 0)
		for _, letter := range w.Cycle {
			if err := t.read(letter, true); err != nil {
				return false, err
			}
		}
		for _, m := range t.seen[s] {
			if a.Acceptance().Condition.Eval(a.Marks(), m) {
				return true, nil
			}
		}
		t.take()
	}
	return false, nil
}

// tightness is a set of states that a word may have led to, with the sets of marks
// seen on the way.
type tightness struct {
	a      *omega.Automaton
	budget *budget.Budget
	used   omega.Marks // the marks in the condition
	hasFin bool
	states []omega.State   // those with marks seen
	seen   [][]omega.Marks // by state
}

// take empties the set, and returns the states that were in it.
func (t *tightness) take() []omega.State {
	states := t.states
	t.states = nil
	for _, s := range states {
		t.seen[s] = t.seen[s][:0]
	}
	return states
}

// add adds a state with the marks seen on the way to it, unless others are as good:
// without Fin, those that include them.
func (t *tightness) add(s omega.State, m omega.Marks) {
	kept := t.seen[s][:0]
	for i, k := range t.seen[s] {
		if k == m || !t.hasFin && t.a.Marks().Minus(m, k) == 0 {
			return // nothing was left out before it, as the kept ones are incomparable
		}
		if t.hasFin || t.a.Marks().Minus(k, m) != 0 {
			kept = append(kept, t.seen[s][i])
		}
	}
	if len(t.seen[s]) == 0 {
		t.states = append(t.states, s)
	}
	t.seen[s] = append(kept, m)
}

// read replaces the set by what a letter leads to.
func (t *tightness) read(letter omega.Label, marks bool) error {
	from := t.states
	seen := make([][]omega.Marks, len(from))
	for i, s := range from {
		seen[i] = append(seen[i], t.seen[s]...)
	}
	t.take()
	for i, s := range from {
		for _, e := range t.a.Edges(s) {
			if t.budget.Stop() {
				return t.budget.Err()
			}
			if !t.a.Alphabet().Meet(e.Label, letter) {
				continue
			}
			m := omega.Marks(0)
			if marks {
				m = t.a.Marks().Minus(e.Marks, t.a.Marks().Minus(e.Marks, t.used))
			}
			for _, k := range seen[i] {
				if t.budget.Spend(1 + len(t.seen[e.Dst])) {
					return t.budget.Err()
				}
				t.add(e.Dst, t.a.Marks().Union(k, m))
			}
		}
	}
	return nil
}
