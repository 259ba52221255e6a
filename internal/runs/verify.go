package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Verify checks from the definition that r is a run of the automaton on the word, and
// reports whether it is accepting. The run must start in an initial state. Each step must
// leave the state that the step before leads to, by an edge that matches the next letter. The
// cycle must return to its start. A run without a cycle must be stuck at its end.
func Verify(ctx context.Context, a *omega.Automaton, w *omega.Word, r *Run) (accepting bool, err error) {
	if err := w.Check(); err != nil || r == nil {
		return false, cmp.Or(err, errors.New("no run given"))
	}
	both := omega.Union(a.Alphabet(), w.Alphabet)
	defer both.Bind(budget.New(ctx)).Release(&err)
	if a, err = a.Over(ctx, both); err != nil {
		return false, err
	}
	w = w.Over(both)
	at, pos := r.End, 0
	if r.Size() > 0 {
		at = r.At(0).State
	}
	if !slices.Contains(a.Initial(), at) {
		return false, fmt.Errorf("run starts in state %d, which is not initial", at)
	}
	var seen []int // in the cycle
	loopState, loopPos := at, pos
	for i := range r.Size() {
		if i == len(r.Prefix) {
			loopState, loopPos = at, pos // before the first step of the cycle
		}
		step := r.At(i)
		if step.State != at || step.Letter != pos {
			return false, fmt.Errorf("step %d of the run is in state %d at letter %d, expected state %d at %d", i, step.State, step.Letter, at, pos)
		}
		edges := a.Edges(at)
		if step.Edge < 0 || step.Edge >= len(edges) {
			return false, fmt.Errorf("step %d of the run has edge %d of state %d, which has %d", i, step.Edge, at, len(edges))
		}
		e := edges[step.Edge]
		if !both.Meet(e.Label, w.At(pos)) {
			return false, fmt.Errorf("step %d of the run has an edge that letter %d is not in", i, pos)
		}
		if i >= len(r.Prefix) {
			seen = a.Marks().AppendTo(seen, e.Marks)
		}
		at = e.Dst
		pos = w.Next(pos)
	}
	if len(r.Cycle) > 0 {
		if at != loopState || pos != loopPos {
			return false, fmt.Errorf("cycle of the run leads from state %d at letter %d to state %d at %d", loopState, loopPos, at, pos)
		}
		return satisfied(a.Acceptance().Condition, seen), nil
	}
	if at != r.End {
		return false, fmt.Errorf("run ends in state %d, expected %d", at, r.End)
	}
	// The run must be stuck there.
	for _, e := range a.Edges(at) {
		if both.Meet(e.Label, w.At(pos)) {
			return false, fmt.Errorf("run ends in state %d, but an edge fits the next letter", at)
		}
	}
	return false, nil
}

// satisfied is the definition of an acceptance condition, for the marks that are seen
// infinitely often.
func satisfied(c *omega.Condition, seen []int) bool {
	holds := func(d *omega.Condition) bool { return satisfied(d, seen) }
	switch c.Op {
	case omega.CondInf:
		return slices.Contains(seen, c.Mark)
	case omega.CondFin:
		return !slices.Contains(seen, c.Mark)
	case omega.CondAnd:
		return !slices.ContainsFunc(c.Args, func(d *omega.Condition) bool { return !holds(d) })
	case omega.CondOr:
		return slices.ContainsFunc(c.Args, holds)
	}
	return c.Op == omega.CondTrue
}

// VerifyExplanation checks the result of Explain independently. Accepts must agree, and the
// runs must be accepting or rejecting as stated. If all runs are said to end, no state may
// remain after that many letters.
func VerifyExplanation(ctx context.Context, a *omega.Automaton, w *omega.Word, e *Explanation) error {
	accepts, err := a.Accepts(ctx, w)
	if err != nil || e == nil {
		return cmp.Or(err, errors.New("no explanation given"))
	}
	if accepts != e.Accepted {
		return fmt.Errorf("the explanation says that acceptance is %v, but it is %v", e.Accepted, accepts)
	}
	switch {
	case e.Run == nil:
		if len(a.Initial()) > 0 {
			return errors.New("no run, despite an initial state")
		}
		return nil
	case e.Accepted || len(e.Stays) == 0:
		accepting, err := Verify(ctx, a, w, e.Run)
		if err == nil && accepting != e.Accepted {
			err = fmt.Errorf("the run is marked as accepting: %v", e.Accepted)
		}
		if err != nil || e.Accepted { // of a rejected word, each run must end
			return err
		}
		return verifyStuck(ctx, a, w, e)
	}
	for _, s := range e.Stays {
		if accepting, err := Verify(ctx, a, w, s.Run); err != nil || accepting || len(s.Run.Cycle) == 0 {
			return errors.Join(err, errors.New("a run that stays in a component is not infinite and rejecting"))
		}
		for _, step := range s.Run.Cycle {
			if !slices.Contains(s.States, step.State) || a.Marks().Minus(a.Edges(step.State)[step.Edge].Marks, s.Marks) != 0 {
				return fmt.Errorf("a run that stays in a component leaves it, or sees other marks: at state %d", step.State)
			}
		}
	}
	return nil
}

// verifyStuck follows the sets of states that runs can be in.
func verifyStuck(ctx context.Context, a *omega.Automaton, w *omega.Word, e *Explanation) (err error) {
	both := omega.Union(a.Alphabet(), w.Alphabet)
	b := budget.New(ctx)
	defer both.Bind(b).Release(&err)
	if a, err = a.Over(ctx, both); err != nil {
		return err
	}
	w = w.Over(both)
	set := slices.Clone(a.Initial()) // of states that runs can be in
	pos := 0
	for n := 0; ; n++ {
		slices.Sort(set)
		set = slices.Compact(set)
		var next []omega.State
		in := make([]bool, a.NumStates())
		for _, s := range set {
			for _, edge := range a.Edges(s) {
				if b.Stop() {
					return b.Err()
				}
				if both.Meet(edge.Label, w.At(pos)) && !in[edge.Dst] {
					in[edge.Dst] = true
					next = append(next, edge.Dst)
				}
			}
		}
		if n == len(e.Run.Prefix) {
			if len(next) > 0 || !slices.Equal(set, e.Stuck) || len(set) == 0 {
				return fmt.Errorf("runs stuck after %d letters in states %v are in fact in %v, and can continue to %v", n, e.Stuck, set, next)
			}
			return nil
		}
		if set = next; len(set) == 0 {
			return fmt.Errorf("no run has %d letters", len(e.Run.Prefix))
		}
		pos = w.Next(pos)
	}
}

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
	// A tight run comes back after the cycle to the state in which it began.
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
