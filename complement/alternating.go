package complement

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A weak is an alternating automaton in which the cycles of each component are all accepting or all
// rejecting. A run is accepting if none of its branches stays in a rejecting component.
type weak struct {
	budget    *budget.Budget
	held      int64 // bytes of the clauses being made
	alphabet  *omega.Alphabet
	part      []int32
	rejecting []bool // by state
	veryWeak  bool   // each component is one state
	start     [][]int32
	clauses   [][]clause // by state: one of them has to be followed
}

// A clause leads to all states of a sorted set, on each letter of the label.
type clause struct {
	label omega.Label
	to    []int32
}

// newWeak returns an alternating automaton as a weak one. It fails with omega.ErrNotWeak if the
// automaton is not weak, and when ctx is done.
func newWeak(ctx context.Context, a *omega.Automaton) (_ *weak, err error) {
	b := budget.New(ctx)
	defer a.Alphabet().Bind(b).Release(&err)
	c := a.Components()
	kinds, err := a.Kinds(ctx, c)
	if err != nil {
		return nil, err
	}
	w := &weak{budget: b, alphabet: a.Alphabet(), part: c.Of, veryWeak: true}
	members := make([]int, c.Count)
	b.LimitMemory(b.MemoryLimit(), func() int64 { return w.held })
	for q := range omega.State(a.NumStates()) {
		kind := kinds[c.Of[q]]
		if kind == omega.Mixed {
			return nil, omega.ErrNotWeak
		}
		w.rejecting = append(w.rejecting, kind == omega.Rejecting)
		if members[c.Of[q]]++; members[c.Of[q]] > 1 {
			w.veryWeak = false
		}
		var list []clause
		for _, e := range a.Edges(q) {
			list = append(list, w.clause(e.Label, states(a.Universal(e.Dst))))
			if b.Err() != nil {
				return nil, b.Err()
			}
		}
		w.clauses = append(w.clauses, list)
	}
	for _, s := range a.Initial() {
		w.start = append(w.start, states(a.Universal(s)))
	}
	return w, nil
}

// clause returns a clause, and counts its memory.
func (w *weak) clause(label omega.Label, to []int32) clause {
	w.budget.Spend(1 + len(to))
	w.held += int64(32 + 4*cap(to))
	return clause{label, to}
}

func states(list []omega.State) []int32 {
	var set []int32
	for _, q := range list {
		set = append(set, int32(q))
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// dual returns the complement: accepting and rejecting components change places, and so do "one of"
// and "all of". (Muller and Schupp 1987, "Alternating automata on infinite trees".) On each set of
// letters on which a state has the same clauses, it gets a clause for each minimal choice of one
// state from each of them.
//
// For example, this automaton accepts the words in which a is false only finitely often:
//
//	State: 0  [1] 0   [a] 1 and 2
//	State: 1  [a] 1 {0}
//	State: 2  [a] 2 {0}   [!a] 1
//
// In the dual, the states 1 and 2 are rejecting: a run must not stay there. On a, it goes from 0 to
// 0 and 1 or to 0 and 2, and from 1 to 1; on !a, it goes from 0 to 0, and nothing is left to do for
// 1. The macrostates of the dual without alternation are the sets of states of its runs. An edge
// has mark 0 if 1 is not in the set or has left itself, and mark 1 if that holds of 2:
//
//	({0}) on !a to ({0}), mark 0 1
//	({0}) on a to ({0,1}), mark 0 1
//	({0}) on a to ({0,2}), mark 0 1
//	({0,1}) on !a to ({0}), mark 0 1
//	({0,1}) on a to ({0,1}), mark 1
//	({0,2}) on !a to ({0,1}), mark 0 1
func (w *weak) dual() (_ *weak, err error) {
	defer w.alphabet.Bind(w.budget).Release(&err)
	d := &weak{budget: w.budget, alphabet: w.alphabet, part: w.part, veryWeak: w.veryWeak}
	for q, list := range w.clauses {
		d.rejecting = append(d.rejecting, !w.rejecting[q])
		clauses, err := w.opposite(list)
		if err != nil {
			return nil, err
		}
		d.clauses = append(d.clauses, clauses)
	}
	// The initial sets are clauses too: all states of one of them must accept.
	var list []clause
	for _, set := range w.start {
		list = append(list, clause{w.alphabet.True(), set})
	}
	start, err := w.opposite(list)
	if err != nil {
		return nil, err
	}
	for _, c := range start {
		d.start = append(d.start, c.to)
	}
	return d, nil
}

// opposite multiplies out the clauses. It begins with the clause without states. For each clause,
// it adds one of its states on the letters of the clause.
func (w *weak) opposite(list []clause) ([]clause, error) {
	all := w.alphabet
	result := []clause{{label: all.True()}}
	before := w.held
	for _, c := range list {
		var next []clause
		for _, r := range result {
			// On other letters, the clause can't be followed, so nothing in it has to reject.
			if out := all.And(r.label, all.Not(c.label)); out != omega.False {
				next = append(next, w.clause(out, r.to))
			}
			in := all.And(r.label, c.label)
			if in == omega.False {
				continue
			}
			// One of its states must reject. Without states, the clause accepts, and the dual has
			// no clause on these letters.
			for _, q := range c.to {
				next = append(next, w.clause(in, with(r.to, q)))
				if w.budget.Err() != nil {
					return nil, w.budget.Err()
				}
			}
		}
		var err error
		if result, err = least(w.budget, all, next); err != nil {
			return nil, err
		}
		w.held = before
		for _, r := range result {
			w.held += int64(32 + 4*cap(r.to))
		}
	}
	return result, nil
}

// least unites clauses with the same states. It removes from each clause the letters on which there
// is one with fewer states.
func least(b *budget.Budget, all *omega.Alphabet, list []clause) ([]clause, error) {
	// Smaller sets first: they remove letters from the larger ones after them.
	slices.SortStableFunc(list, func(x, y clause) int {
		if len(x.to) != len(y.to) {
			return len(x.to) - len(y.to)
		}
		return slices.Compare(x.to, y.to)
	})
	var kept []clause
	for _, c := range list {
		same := -1
		for i := range kept {
			if b.Spend(1 + len(kept[i].to)) {
				return nil, b.Err()
			}
			if len(kept[i].to) == len(c.to) {
				if slices.Equal(kept[i].to, c.to) {
					same = i
				}
			} else if subset(kept[i].to, c.to) {
				c.label = all.And(c.label, all.Not(kept[i].label))
			}
		}
		switch {
		case c.label == omega.False:
		case same >= 0:
			kept[same].label = all.Or(kept[same].label, c.label)
		default:
			if kept = append(kept, c); len(kept) > maxChoices {
				return nil, &omega.LimitError{What: "successors of a set of states", Limit: maxChoices}
			}
		}
	}
	return kept, nil
}

// Nondeterministic returns an automaton without universal branching for an alternating one,
// made on request. A very weak automaton gets generalized Büchi acceptance (Gastin and Oddoux
// 2001, "Fast LTL to Büchi automata translation", section 4). Another weak one gets Büchi
// acceptance (Miyano and Hayashi 1984, "Alternating finite automata on ω-words"). Others fail
// with omega.ErrNotWeak. Nondeterministic also fails with an omega.LimitError past
// limits.Macrostates states, and when ctx is done.
func Nondeterministic(ctx context.Context, a *omega.Automaton, limits omega.Limits) (omega.Source, error) {
	w, err := newWeak(ctx, a)
	if err != nil {
		return nil, err
	}
	m := newAllowance(ctx, limits)
	u := w.nondeterministic(m)
	m.LimitMemory(m.MemoryLimit(), u.Memory)
	return u, nil
}

// dualized returns the complement of an alternating automaton.
func dualized(s *Subject, m *allowance) omega.Source { return s.dual.nondeterministic(m) }

func (w *weak) nondeterministic(m *allowance) *universal {
	u := &universal{weak: w, allowance: m, acceptance: omega.Buchi()}
	if w.veryWeak {
		// A mark for each state that a branch must not stay in: the edge has it
		// if the state is not in the macrostate, or has left itself.
		for q, list := range w.clauses {
			// A branch can't stay in a state without a loop.
			loops := slices.ContainsFunc(list, func(c clause) bool { return contains(c.to, int32(q)) })
			if w.rejecting[q] && loops {
				u.promises = append(u.promises, int32(q))
			}
		}
		u.acceptance = omega.GeneralizedBuchi(len(u.promises))
	}
	u.marks = omega.NewMarkTable(u.acceptance.Sets)
	for _, set := range w.start {
		var due []int32
		u.initial = append(u.initial, u.number(set, due))
	}
	return u
}

// universal is the Source of Nondeterministic. Its states are sets of states that must all accept
// the rest of the word. If the automaton is not very weak, some of them are due: their branches
// have stayed in a rejecting component since the due ones were chosen.
type universal struct {
	weak       *weak
	allowance  *allowance
	promises   []int32
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	initial    []omega.State
	table      intern.Lists[int32]
	key        []int32 // scratch
	held       int64   // bytes of the steps of one state
}

func (u *universal) Alphabet() *omega.Alphabet    { return u.weak.alphabet }
func (u *universal) Acceptance() omega.Acceptance { return u.acceptance }
func (u *universal) Marks() *omega.MarkTable      { return u.marks }
func (u *universal) Initial() []omega.State       { return u.initial }

// Memory returns the bytes that the states take.
func (u *universal) Memory() int64 { return u.table.Memory() + u.held }

// number returns the number of a macrostate. The size of set tells it and due apart.
func (u *universal) number(set, due []int32) omega.State {
	u.key = append(append(append(u.key[:0], int32(len(set))), set...), due...)
	i, fresh := u.table.Number(u.key)
	if fresh {
		u.allowance.macrostates++
	}
	return omega.State(i)
}

// step is a way to satisfy the states of a macrostate that have been examined so far: all of to, on
// the letters of label. The states in due are reached in a rejecting component from due ones. The
// promises in kept have been kept.
type step struct {
	label         omega.Label
	to, due, kept []int32
}

func (u *universal) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if err := u.allowance.check(); err != nil {
		return buf, err
	}
	key := slices.Clone(u.table.At(int32(s)))
	set, due := key[1:1+key[0]], key[1+key[0]:]
	steps := []step{{label: u.weak.alphabet.True()}}
	u.held = 0
	for _, q := range set {
		var err error
		if steps, err = u.satisfy(steps, q, contains(due, q)); err != nil {
			return buf, err
		}
	}
	for _, x := range steps {
		if u.allowance.Spend(1 + len(u.promises) + len(x.to)) {
			return buf, u.allowance.Err()
		}
		var marks []int
		if u.weak.veryWeak {
			for i, p := range u.promises {
				if !contains(set, p) || contains(x.kept, p) {
					marks = append(marks, i)
				}
			}
		} else if len(x.due) == 0 {
			// A breakpoint: all due branches have left. Those that are in rejecting components now
			// are due next.
			marks = append(marks, 0)
			for _, q := range x.to {
				if u.weak.rejecting[q] {
					x.due = append(x.due, q)
				}
			}
		}
		buf = append(buf, omega.Edge{Label: x.label, Marks: u.marks.Of(marks...), Dst: u.number(x.to, x.due)})
	}
	return buf, nil
}

// satisfy extends each step by a clause of state q.
func (u *universal) satisfy(steps []step, q int32, due bool) ([]step, error) {
	w := u.weak
	promise := w.veryWeak && contains(u.promises, q)
	var same intern.Lists[int32] // numbers the steps of next but for their labels
	var next []step
	for _, x := range steps {
		for _, c := range w.clauses[q] {
			if u.allowance.Spend(1 + len(x.to) + len(c.to)) {
				return nil, u.allowance.Err()
			}
			label := w.alphabet.And(x.label, c.label)
			if label == omega.False {
				continue
			}
			y := step{label: label, to: x.to, due: x.due, kept: x.kept}
			y.to = union(y.to, c.to)
			if due {
				// Branches that leave the component, or are in one that accepts, are no longer due.
				y.due = union(y.due, slices.DeleteFunc(slices.Clone(c.to), func(t int32) bool {
					return !w.rejecting[t] || w.part[t] != w.part[q]
				}))
			}
			// The branch at q leaves it. If another one leads to q, that one is new there.
			if promise && !contains(c.to, q) {
				y.kept = with(y.kept, q)
			}
			u.key = append(u.key[:0], int32(len(y.to)), int32(len(y.due)))
			u.key = append(append(append(u.key, y.to...), y.due...), y.kept...)
			// Steps that differ only in their letters become one. Otherwise their number would
			// multiply with each state.
			i, fresh := same.Number(u.key)
			if !fresh {
				next[i].label = w.alphabet.Or(next[i].label, label)
				continue
			}
			u.held += int64(64 + 4*(len(y.to)+len(y.due)+len(y.kept)))
			if next = append(next, y); len(next) > maxChoices {
				return nil, &omega.LimitError{What: "successors of a set of states", Limit: maxChoices}
			}
		}
	}
	return next, nil
}
