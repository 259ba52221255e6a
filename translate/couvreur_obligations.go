package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// obligations are the formulas that may have to hold next, in order of occurrence,
// and the promises.
type obligations struct {
	formulas []*ltl.Formula
	number   map[*ltl.Formula]int // inverse of formulas
	promise  map[*ltl.Formula]int // by what is promised
}

// collect adds those of f, in negation normal form.
func (o *obligations) collect(f *ltl.Formula, seen map[*ltl.Formula]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
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
	if _, ok := o.number[f]; !ok {
		o.number[f] = len(o.formulas)
		o.formulas = append(o.formulas, f)
	}
}

func (o *obligations) promised(goal *ltl.Formula) {
	if _, ok := o.promise[goal]; !ok {
		o.promise[goal] = len(o.promise)
	}
}

// couvreurImplications is how many pairs of formulas are looked at for implications
// between obligations.
const couvreurImplications = 1 << 14

// couvreurOrder is the number of obligations past which they are not compared.
const couvreurOrder = 512

// order tells a table which obligations imply which.
func (o *obligations) order(ctx context.Context, s *ltl.Store, t *termTable) {
	if len(o.formulas) > couvreurOrder {
		return
	}
	known := ltl.NewImplication(ctx, s, couvreurImplications)
	t.imply(len(o.formulas), func(i, j int) bool { return known.Holds(o.formulas[i], o.formulas[j]) })
}
