package complement

import (
	"context"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
)

// GeneralizedBuchi returns a generalized Büchi automaton with the language of a, which may have any
// acceptance condition. An automaton with generalized Büchi acceptance is returned unchanged.
//
// An accepting run finally stays in one strongly connected component. So each component is
// translated separately, by what its own marks leave of the condition:
//
//   - If all runs that stay are accepting, all edges get all marks.
//   - Without Fin, the condition is a conjunction of disjunctions of Inf, with a mark for each.
//   - With Fin, the condition is a disjunction of clauses; each has some Fin and a part
//     without Fin. In the component, the automaton may guess the clause that will hold. From
//     then on, it avoids the marks under Fin and does not leave. There is a copy for each
//     clause, and exponentially many clauses at worst.
//
// For example, with Fin(0)&Inf(1), state 1 of the result is the copy of state 0 that avoids mark 0:
//
//	State: 0  [a] 0 {1}  [!a] 0 {0}
//
// becomes
//
//	State: 0  [a] 0  [a] 1  [!a] 0  [!a] 1
//	State: 1  [a] 1 {0}
//
// GeneralizedBuchi fails with omega.ErrAlternating, with an omega.LimitError past limits.Macrostates
// states, and when ctx is done.
func GeneralizedBuchi(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	if a.Acceptance().IsGeneralizedBuchi() {
		return a, nil
	}
	c := &copies{allowance: newAllowance(ctx, limits), a: a}
	if err := c.plan(ctx); err != nil {
		return nil, err
	}
	for _, s := range a.Initial() {
		c.initial = append(c.initial, c.number(s, c.entry[c.part.Of[s]]))
	}
	return omega.Explore(ctx, c, limits)
}

// Buchi returns a Büchi automaton (one mark) with the language of a, by GeneralizedBuchi and
// convert.Degeneralize. It fails as they do. The automaton a may be small, so an error about a limit of states
// names the states of the Büchi automaton.
func Buchi(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	b, err := GeneralizedBuchi(ctx, a, limits)
	if err == nil && !b.Acceptance().IsBuchi() {
		b, err = convert.Degeneralize(ctx, b, false, limits)
	}
	var over *omega.LimitError
	if errors.As(err, &over) && over.What == "states" {
		err = &omega.LimitError{What: "states with Büchi acceptance", Limit: over.Limit}
	}
	return b, err
}

// copies is the Source of GeneralizedBuchi: pairs of a state of a and a mode.
type copies struct {
	allowance *allowance
	a         *omega.Automaton
	part      omega.Components
	kinds     []omega.Kind
	guesses   [][]int32 // by component: modes that may be guessed
	entry     []int32   // by component: mode of runs that come in
	modes     []mode
	marks     *omega.MarkTable
	all       omega.Marks // of marks
	initial   []omega.State
	table     intern.Lists[int32]
}

// mode says what a run has promised: to avoid some marks, and to see a mark of each clause again
// and again. In mode 0, the run has promised nothing.
type mode struct {
	*branch
	bound bool // to stay in the component
}

// branch is a conjunction: a run sees no mark of avoid, and one mark of each clause infinitely
// often.
type branch struct {
	avoid   omega.Marks
	clauses []omega.Marks
}

// plan finds the modes of each component.
func (c *copies) plan(ctx context.Context) error {
	c.part = c.a.Components()
	var err error
	if c.kinds, err = c.a.Kinds(ctx, c.part); err != nil {
		return err
	}
	c.guesses = make([][]int32, c.part.Count)
	c.entry = make([]int32, c.part.Count)
	c.modes = []mode{{}}
	some, every := c.a.OccurringWithin(c.part, c.allowance.Budget)
	if err := c.allowance.Err(); err != nil {
		return err
	}
	sets := 1
	for i, kind := range c.kinds {
		// All runs that stay in another component are accepting, or all are rejecting: mode 0 will
		// do.
		if kind != omega.Mixed {
			continue
		}
		// A run that stays sees only marks that occur in the component, and again and again those
		// on all of its edges.
		condition := c.a.Acceptance().Condition.Assume(func(m int) int {
			switch {
			case !c.a.Marks().Has(some[i], m):
				return -1
			case c.a.Marks().Has(every[i], m):
				return 1
			}
			return 0
		}).Simplify()
		list, err := c.branches(condition)
		if err != nil {
			return err
		}
		// Without Fin there is one branch, and runs are in it from the time when they enter the
		// component. With Fin, a run may see forbidden marks for a while, so it guesses when it has
		// seen the last.
		bound := condition.HasFin()
		for _, b := range list {
			at := int32(len(c.modes))
			c.modes = append(c.modes, mode{b, bound})
			sets = max(sets, len(b.clauses))
			if bound {
				c.guesses[i] = append(c.guesses[i], at)
			} else {
				c.entry[i] = at
			}
		}
	}
	if sets > omega.MaxMarks {
		return &omega.LimitError{What: "acceptance sets", Limit: omega.MaxMarks}
	}
	c.marks = omega.NewMarkTable(sets)
	for i := range sets {
		c.all = c.marks.Union(c.all, c.marks.Of(i))
	}
	return nil
}

// literals is a disjunct of a condition: marks under Fin, and a condition without Fin.
type literals struct {
	fin  []int
	rest *omega.Condition
}

// branches returns conjunctions. The condition is their disjunction.
func (c *copies) branches(condition *omega.Condition) ([]*branch, error) {
	list, err := c.disjuncts(condition)
	if err != nil {
		return nil, err
	}
	var branches []*branch
	for _, l := range list {
		if err := c.allowance.poll(); err != nil {
			return nil, err
		}
		avoid := c.a.Marks().Of(l.fin...)
		rest := l.rest.Assume(func(m int) int {
			if c.a.Marks().Has(avoid, m) {
				return -1
			}
			return 0
		}).Simplify()
		// Every way to satisfy the rest needs a mark that is avoided.
		if rest.Op == omega.CondFalse {
			continue
		}
		b := &branch{avoid: avoid}
		clauses, err := c.clauses(rest)
		if err != nil {
			return nil, err
		}
		for _, marks := range clauses {
			b.clauses = append(b.clauses, c.a.Marks().Of(marks...))
		}
		branches = append(branches, b)
	}
	return branches, nil
}

// disjuncts writes a condition as a disjunction in which Fin stands only beside a conjunction:
//
//	Inf(0) & (Fin(1) | Inf(2))  =  Fin(1) & Inf(0)  |  Inf(0) & Inf(2)
func (c *copies) disjuncts(condition *omega.Condition) ([]literals, error) {
	switch {
	case !condition.HasFin():
		return []literals{{rest: condition}}, nil
	case condition.Op == omega.CondFin:
		return []literals{{fin: []int{condition.Mark}, rest: omega.AllOf()}}, nil
	case condition.Op == omega.CondOr:
		var all []literals
		free := omega.AnyOf()
		for _, d := range condition.Args {
			// Disjuncts without Fin stay together: none of them has to be guessed.
			if !d.HasFin() {
				free = omega.AnyOf(free, d)
				continue
			}
			list, err := c.disjuncts(d)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		if free.Op != omega.CondFalse {
			all = append(all, literals{rest: free})
		}
		return all, nil
	}
	all := []literals{{rest: omega.AllOf()}}
	for _, d := range condition.Args {
		list, err := c.disjuncts(d)
		if err != nil {
			return nil, err
		}
		all, err = product(c.allowance, all, list, func(x, y literals) literals {
			return literals{slices.Concat(x.fin, y.fin), omega.AllOf(x.rest, y.rest)}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// clauses returns the clauses of a condition without Fin. Each is a set of marks, and a run must
// see one of them infinitely often:
//
//	Inf(0) | Inf(1) & Inf(2)  has the clauses  {0 1} and {0 2}
func (c *copies) clauses(condition *omega.Condition) ([][]int, error) {
	switch condition.Op {
	case omega.CondTrue:
		return nil, nil
	case omega.CondInf:
		return [][]int{{condition.Mark}}, nil
	case omega.CondAnd:
		var all [][]int
		for _, d := range condition.Args {
			list, err := c.clauses(d)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
		return all, nil
	}
	all := [][]int{nil}
	for _, d := range condition.Args {
		list, err := c.clauses(d)
		if err != nil {
			return nil, err
		}
		if all, err = product(c.allowance, all, list, func(x, y []int) []int { return slices.Concat(x, y) }); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// product joins each element of one list with each element of the other.
func product[T any](m *allowance, xs, ys []T, join func(x, y T) T) ([]T, error) {
	var all []T
	for _, x := range xs {
		for _, y := range ys {
			if err := m.poll(); err != nil {
				return nil, err
			}
			all = append(all, join(x, y))
		}
	}
	if len(all) > maxChoices {
		return nil, &omega.LimitError{What: "conjunctions in the acceptance condition", Limit: maxChoices}
	}
	return all, nil
}

func (c *copies) number(s omega.State, mode int32) omega.State {
	i, _ := c.table.Number([]int32{int32(s), mode})
	return omega.State(i)
}

func (c *copies) Alphabet() *omega.Alphabet    { return c.a.Alphabet() }
func (c *copies) Acceptance() omega.Acceptance { return omega.GeneralizedBuchi(c.marks.Sets()) }
func (c *copies) Marks() *omega.MarkTable      { return c.marks }
func (c *copies) Initial() []omega.State       { return c.initial }

func (c *copies) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	pair := c.table.At(int32(s))
	state, at := omega.State(pair[0]), pair[1]
	part, m := c.part.Of[state], c.modes[at]
	for _, e := range c.a.Edges(state) {
		to := c.part.Of[e.Dst]
		out := omega.Edge{Label: e.Label}
		switch {
		case to != part && m.bound: // the run has promised to stay
		case to != part:
			out.Dst = c.number(e.Dst, c.entry[to])
			buf = append(buf, out)
		case m.branch != nil:
			if c.a.Marks().Common(e.Marks, m.avoid) {
				continue
			}
			out.Marks = c.all
			for i, clause := range m.clauses {
				if !c.a.Marks().Common(e.Marks, clause) {
					out.Marks = c.marks.Minus(out.Marks, c.marks.Of(i))
				}
			}
			out.Dst = c.number(e.Dst, at)
			buf = append(buf, out)
		default:
			// The run goes on without a promise, or makes one now.
			if c.kinds[part] == omega.Accepting {
				out.Marks = c.all
			}
			out.Dst = c.number(e.Dst, 0)
			buf = append(buf, out)
			out.Marks = 0
			for _, mode := range c.guesses[part] {
				out.Dst = c.number(e.Dst, mode)
				buf = append(buf, out)
			}
		}
	}
	return buf, nil
}
