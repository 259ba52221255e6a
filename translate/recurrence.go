package translate

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A recurrence is an automaton of GF g, where g is a guarantee, that looks for one g at a time.
//
// Expanded as F g & X GF g, the formula starts to look for g at each position. A state then has
// what is left of many starts: for GF(a <-> X^n a), one of 3^n sets. One start at a time is enough.
// Take an automaton of F g whose only accepting component is a state that accepts every word, and
// let the edges to this state lead back to the initial one, with a mark:
//
//	F(a & Xb):   0 --t--> 0,  0 --a--> 1,  1 --b--> all,    all --t--> all
//	GF(a & Xb):  0 --t--> 0,  0 --a--> 1,  1 --b {0}--> 0
//
// A run with infinitely many marks has found g infinitely often, each time from a later position
// on. Where GF g holds, F g holds everywhere, so there is a run from the initial state to the next
// mark, whenever the last one was. (Esparza, Křetínský and Sickert, LICS 2018, restart the
// deterministic automaton of g in this way.)
type recurrence struct {
	automaton *omega.Automaton // Büchi, with one initial state
	first     int              // the number of its first state among the obligations
	promise   int              // is kept where an edge has the mark
	again     bool             // the formula occurs where it may be expanded again
}

// Limits of what is tried for each GF g.
const (
	recurrenceStates = 256     // of an automaton before it is reduced
	recurrenceMemory = 4 << 20 // bytes
	maxRecurrences   = 64      // subformulas GF g of a formula
)

// booleanOps are the operators of formulas, in negation normal form, that are about one letter.
const booleanOps ltl.OpSet = 1<<ltl.OpTrue | 1<<ltl.OpFalse | 1<<ltl.OpProp | 1<<ltl.OpNot | 1<<ltl.OpAnd | 1<<ltl.OpOr

// preparedFor prepares f, in negation normal form, and returns the recurrences of the result.
func preparedFor(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) (*ltl.Formula, map[*ltl.Formula]*recurrence, error) {
	known := ltl.Classifier{}
	if slices.ContainsFunc(f.Subformulas(), func(g *ltl.Formula) bool { return isGoal(g, known) }) {
		g := prepare(ctx, s, f, known)
		if r, err := recurrences(ctx, s, alphabet, g); err != nil || len(r) > 0 {
			return g, r, err
		}
	}
	return prepare(ctx, s, f, nil), nil, nil
}

// recurrences returns automata for those subformulas of f, in negation normal form, that have
// goals, and more states when they are expanded.
func recurrences(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) (map[*ltl.Formula]*recurrence, error) {
	found := make(map[*ltl.Formula]*recurrence)
	known := ltl.Classifier{}
	tried := 0
	for _, g := range f.Subformulas() {
		list := goals(g, known)
		if list == nil {
			continue
		}
		if tried++; tried > maxRecurrences {
			break
		}
		states := 1 << 30 // many
		a, err := expanded(ctx, s, alphabet, g, nil, recurrenceStates)
		if err == nil {
			states = a.NumStates()
		} else if err = unlessLimit(err); err != nil {
			return nil, err
		}
		if states <= 2 {
			continue // a recurrence has no fewer
		}
		a, err = oneByOne(ctx, s, alphabet, list)
		if err = unlessLimit(err); err != nil {
			return nil, err
		}
		if a != nil && a.NumStates() < states {
			found[g] = &recurrence{automaton: a}
		}
	}
	return found, nil
}

// oneByOne returns the smallest automaton for a recurrence of f, with the given goals, that it
// finds, or nil.
func oneByOne(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, goals []*ltl.Formula) (best *omega.Automaton, err error) {
	var parts, list []*omega.Automaton
	for _, g := range goals {
		a, err := expanded(ctx, s, alphabet, g, nil, recurrenceStates)
		if err != nil {
			return nil, err
		}
		m, err := minimalWeak(ctx, a, weakSets(a.NumStates()))
		if err == nil {
			m = trimmed(m)
			list = append(list, restarted(m), overlapped(m))
		} else if err = unlessLimit(err); err != nil {
			return nil, err
		}
		// The reduced automaton may be better than the minimal one of the guarantee, which is
		// deterministic.
		list = append(list, overlapped(a))
		if _, ok := ending(a); !ok || m != nil && m.NumStates() < a.NumStates() {
			a = m
		}
		parts = append(parts, a)
	}
	// Automata of single goals are no recurrence of all.
	if len(goals) > 1 {
		list = nil
	}
	for _, b := range append(list, restarted(parts...)) {
		if b == nil {
			continue
		}
		if b, err = reduce.Backward(ctx, b); err != nil {
			return nil, err
		}
		if len(b.Initial()) == 1 && b.Acceptance().IsBuchi() && (best == nil || omega.CompareSizes(b, best) < 0) {
			best = b
		}
	}
	return best, nil
}

// expanded returns the reduced automaton of f, in negation normal form, with recurrences for some of
// its subformulas. It fails with an omega.LimitError past limit states before the reduction.
func expanded(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula, r map[*ltl.Formula]*recurrence, limit int) (*omega.Automaton, error) {
	src, err := couvreurOf(ctx, s, alphabet, f, r, recurrenceMemory)
	if err != nil {
		return nil, err
	}
	a, err := omega.Explore(ctx, src, limit)
	if err != nil {
		return nil, err
	}
	return reduce.Backward(ctx, a)
}

// restarted returns an automaton of GF g & GF h & … from automata of F g, F h, …. The edges to the
// state that accepts every word lead to the initial state of the next automaton. From the last
// automaton they lead to the first, with a mark. It returns nil if an automaton is nil, has other
// accepting components, or has several initial states.
func restarted(parts ...*omega.Automaton) *omega.Automaton {
	var b *omega.Builder
	for i, a := range parts {
		end, ok := ending(a)
		if !ok {
			return nil
		}
		if i == 0 {
			b = omega.NewBuilder(a.Alphabet(), omega.Buchi())
			b.AddStart(a.Initial()[0])
		}
		next, mark := parts[0].Initial()[0], b.Marks().Of(0)
		first := omega.State(b.NumStates())
		b.AddStates(b.NumStates() + a.NumStates())
		if i+1 < len(parts) {
			if parts[i+1] == nil {
				return nil
			}
			next, mark = first+omega.State(a.NumStates())+parts[i+1].Initial()[0], 0
		}
		for s := range omega.State(a.NumStates()) {
			for _, e := range a.Edges(s) {
				if e.Dst == end {
					b.AddEdge(first+s, e.Label, mark, next)
				} else {
					b.AddEdge(first+s, e.Label, 0, first+e.Dst)
				}
			}
		}
	}
	return b.Automaton()
}

// overlapped is restarted for a deterministic automaton: the letter that ends one g may belong to
// the next one. So the edges to the end lead where the initial state has an edge on the same
// letter, if that is not the end. Positions from which g is found still grow without bound. All
// states of the result accept the words of GF g, so it starts in one from which the others are
// reached again.
func overlapped(a *omega.Automaton) *omega.Automaton {
	end, ok := ending(a)
	if !ok || !a.IsDeterministic() {
		return nil
	}
	all, initial := a.Alphabet(), a.Initial()[0]
	b := omega.NewBuilder(all, omega.Buchi())
	mark := b.Marks().Of(0)
	b.AddStates(a.NumStates())
	start := initial
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if e.Dst != end {
				b.AddEdge(s, e.Label, 0, e.Dst)
				continue
			}
			for _, next := range a.Edges(initial) {
				label := all.And(e.Label, next.Label)
				// Both end on this letter: one g, and the next one at once.
				if next.Dst == end {
					next.Dst = initial
				}
				if b.AddEdge(s, label, mark, next.Dst); label != omega.False && s != end {
					start = next.Dst
				}
			}
		}
	}
	b.AddStart(start)
	return b.Automaton()
}

// ending returns the state of a that accepts every word. It is not ok if a has other accepting
// components, or not one initial state.
func ending(a *omega.Automaton) (end omega.State, ok bool) {
	if a == nil || len(a.Initial()) != 1 {
		return 0, false
	}
	c := a.Components()
	members := c.Members()
	kinds, _ := a.KindsWithin(c, budget.Free(), budget.Unlimited) // a few marks
	for i, kind := range kinds {
		if kind == omega.Rejecting || kind == omega.Transient {
			continue
		}
		// A second accepting component, or one that is not a single state.
		if ok || len(members[i]) != 1 {
			return 0, false
		}
		end, ok = members[i][0], true
		if e := a.Edges(end); kind != omega.Accepting || len(e) != 1 || e[0].Label != a.Alphabet().True() || e[0].Dst != end {
			return 0, false
		}
	}
	return end, ok && end != a.Initial()[0]
}

// start returns the expansion of a formula that has a recurrence. If it may start again, it starts
// with the next letter, without a promise:
//
//	GF g  =  x(GF g)
//
// Then a term has one state of the recurrence at most, because its initial state is left out beside
// another one (termTable.both). The result still accepts only words of GF g. A second start in
// another state would put off the promise that both share.
func (c *couvreur) start(f *ltl.Formula, r *recurrence) expansion {
	if r.again {
		return c.later(f)
	}
	return c.step(r, r.automaton.Initial()[0])
}

// startsAgain reports whether g, a subformula of f, occurs twice, or below a temporal operator,
// which may look at it again.
func startsAgain(f, g *ltl.Formula) bool {
	times := map[*ltl.Formula]int{f: 1}
	for _, h := range slices.Backward(f.Subformulas()) { // operands after h
		n := times[h]
		if h.Op() != ltl.OpAnd && h.Op() != ltl.OpOr {
			// A temporal operator may look at its operands again.
			n = 2
		}
		times[h.Left()] = min(times[h.Left()]+n, 2)
		times[h.Right()] = min(times[h.Right()]+n, 2)
	}
	return times[g] > 1
}

// step returns the expansion of what a recurrence accepts from a state.
func (c *couvreur) step(r *recurrence, s omega.State) expansion {
	x := never
	for _, e := range r.automaton.Edges(s) {
		y := c.and(c.letter(e.Label), c.leaf([]term{c.bit(c.next + r.first + int(e.Dst))}))
		if e.Marks == 0 {
			// No g ends here, so the promise is put off.
			y = c.and(y, c.leaf([]term{c.bit(r.promise)}))
		}
		x = c.or(x, y)
	}
	return x
}

// letter returns the expansion to nothing on the letters of a label.
func (c *couvreur) letter(l omega.Label) expansion {
	switch l {
	case omega.False:
		return never
	case c.Over.True():
		return always
	}
	i, lo, hi := c.Over.Split(l)
	return c.or(c.and(c.literal(i, 1), c.letter(lo)), c.and(c.literal(i, 0), c.letter(hi)))
}
