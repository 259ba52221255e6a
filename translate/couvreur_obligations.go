package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// obligations are the demands that may have to hold next, in order of occurrence, and the promises.
type obligations struct {
	list        []demand
	number      map[*ltl.Formula]int // of each formula that may have to hold next
	promise     map[*ltl.Formula]int // by what is promised
	promises    int                  // those, and one of each recurrence
	recurrences map[*ltl.Formula]*recurrence

	bindings    map[*ltl.Formula]*binding
	firstMarked int   // the number of the first marked obligation
	unmarked    []int // by marked obligation, from the first on: the number of the same one, unmarked
	sets        int   // promises, and the breakpoints if there are any
}

// A demand is a formula, or the words that an automaton accepts from a state.
type demand struct {
	formula *ltl.Formula // that the automaton is of, or that is expanded by its operator
	by      *recurrence  // has the automaton, or is nil
	of      *binding     // has the automaton, or is nil
	state   omega.State  // of by or of
	marked  bool         // see binding
}

// newObligations returns the obligations of f, in negation normal form. Those of its subformulas
// that have a recurrence or an expression are its states.
func newObligations(f *ltl.Formula, r map[*ltl.Formula]*recurrence, b map[*ltl.Formula]*binding) *obligations {
	o := &obligations{number: make(map[*ltl.Formula]int), promise: make(map[*ltl.Formula]int), recurrences: r, bindings: b}
	o.collect(f, make(map[*ltl.Formula]bool))
	o.mark()
	for g, x := range r {
		x.again = startsAgain(f, g)
	}
	return o
}

// collect adds those of f, in negation normal form.
func (o *obligations) collect(f *ltl.Formula, seen map[*ltl.Formula]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	if r := o.recurrences[f]; r != nil {
		o.recur(f, r)
		return
	}
	if b := o.bindings[f]; b != nil {
		o.bound(b)
		if f.Op() != ltl.OpNot {
			o.collect(f.Left(), seen)
		}
		return
	}
	switch f.Op() {
	case ltl.OpNext:
		o.add(f.Left())
	case ltl.OpGlobally, ltl.OpWeakUntil, ltl.OpRelease:
		o.add(f)
	case ltl.OpFinally, ltl.OpStrongRelease:
		o.add(f)
		o.promised(f.Left())
	case ltl.OpUntil:
		o.add(f)
		o.promised(f.Right())
	}
	o.collect(f.Left(), seen)
	o.collect(f.Right(), seen)
}

// add adds the conjuncts of f.
func (o *obligations) add(f *ltl.Formula) {
	if f.Op() == ltl.OpAnd {
		o.add(f.Left())
		o.add(f.Right())
		return
	}
	if b := o.bindings[f]; b != nil && b.by != nil {
		o.bound(b)
		return
	}
	if _, ok := o.number[f]; !ok && o.recurrences[f] == nil {
		o.number[f] = len(o.list)
		o.list = append(o.list, demand{formula: f})
	}
}

// recur adds the states of a recurrence, of f, and its promise.
func (o *obligations) recur(f *ltl.Formula, r *recurrence) {
	r.first = len(o.list)
	o.number[f] = r.first + int(r.automaton.Initial()[0])
	for s := range omega.State(r.automaton.NumStates()) {
		o.list = append(o.list, demand{formula: f, by: r, state: s})
	}
	r.promise = o.promises
	o.promises++
}

func (o *obligations) promised(goal *ltl.Formula) {
	if _, ok := o.promise[goal]; !ok {
		o.promise[goal] = o.promises
		o.promises++
	}
}

// couvreurImplications is how many pairs of formulas are looked at for implications
// between obligations.
const couvreurImplications = 1 << 14

// couvreurOrder is the number of obligations past which they are not compared.
const couvreurOrder = 512

// order tells a table which obligations imply which.
func (o *obligations) order(ctx context.Context, s *ltl.Store, t *termTable) {
	t.keepMarked(o.firstMarked, o.unmarked)
	for _, r := range o.recurrences {
		t.keepOne(r.first, r.automaton.NumStates(), int(r.automaton.Initial()[0]))
	}
	if len(o.list) > couvreurOrder {
		return
	}
	known := ltl.NewImplication(ctx, s, couvreurImplications)
	t.imply(len(o.list), func(i, j int) bool {
		x, y := o.list[i], o.list[j]
		return x.by == nil && y.by == nil && x.of == nil && y.of == nil && known.Holds(x.formula, y.formula)
	})
}
