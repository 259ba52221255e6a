package omega

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// A LimitError says that a computation was given up because it would have exceeded a
// limit.
type LimitError = budget.LimitError

// A Binding makes the operations on the labels of an alphabet, and Sources over it, obey a
// budget; see Alphabet.Bind.
type Binding struct {
	budget *budget.Budget // of the caller
	part   *budget.Budget // of the operations: a part of that
	slot   *bound
	before *Binding
	ended  bool // the panic that is under way is that of the end of part
}

// bound is what an alphabet is bound to at present.
type bound struct{ *Binding }

// spend takes steps. If the budget ends with them, so does the function that has called
// Bind.
func (b *bound) spend(n int) {
	if b.Binding != nil && b.part.Spend(n) {
		b.end()
	}
}

// end ends the function that has called Bind.
func (b *bound) end() {
	b.ended = true
	panic(b.Binding)
}

// Spend takes n steps of the budget that the alphabet is bound to, if it is: for Sources,
// in what AppendEdges does for edges that may be many. If the budget ends with them,
// Spend does not return; see Bind.
func (a *Alphabet) Spend(n int) { a.bound.spend(n) }

// Bind makes operations on labels, and Sources, take steps of b, until the binding is
// released. An operation in which the budget ends does not return: it ends the function
// that has called Bind, which must be written like this, with a named result:
//
//	func f(…) (err error) {
//		b := budget.New(ctx)
//		defer alphabet.Bind(b).Release(&err)
//		…
//
// Labels that are decision diagrams may not take more memory than the budget's context
// allows either; if that sets no limit, no more than defaultLabels bytes beyond what they
// take now. Bindings nest: the last one counts.
func (a *Alphabet) Bind(b *budget.Budget) *Binding {
	part := b.Part(budget.Unlimited)
	if a.dd != nil {
		limit := b.MemoryLimit()
		if limit == 0 {
			limit = a.Memory() + defaultLabels
		}
		part.LimitMemory(limit, a.Memory)
	}
	return a.bound.bind(b, part)
}

// defaultLabels is how many bytes the labels of an alphabet may grow by in one computation
// that has no limit of memory.
const defaultLabels = 256 << 20

// bind makes operations take steps of a part of b.
func (slot *bound) bind(b, part *budget.Budget) *Binding {
	slot.Binding = &Binding{budget: b, part: part, slot: slot, before: slot.Binding}
	return slot.Binding
}

// Release ends the binding, and sets err if the budget has ended. It must be deferred.
func (x *Binding) Release(err *error) {
	x.slot.Binding = x.before
	ended := x.budget.Err()
	if x.ended {
		recover()
		ended = x.part.Err()
	}
	if ended != nil {
		*err = ended
	}
}

// freshNodes is how many nodes an attempt may make in the diagrams of labels: they are
// kept as long as the alphabet, and large diagrams are slow.
const freshNodes = 1 << 19

// BindNodes is Bind for diagrams that may get so many nodes more.
func (a *Alphabet) BindNodes(b *budget.Budget, nodes int) *Binding {
	part := b.Part(budget.Unlimited)
	a.limitNodes(part, nodes)
	return a.bound.bind(b, part)
}

func (a *Alphabet) limitNodes(b *budget.Budget, nodes int) {
	if a.dd != nil {
		b.Limit("nodes of decision diagrams", int64(len(a.dd.nodes)+nodes), func() int64 { return int64(len(a.dd.nodes)) })
	}
}

// Attempt does a part of a computation on a budget of its own, and reports whether it has
// a result. It has none if it would take more steps than that, or make more than
// freshNodes nodes of the diagrams of labels, or if w ends.
func (a *Alphabet) Attempt(w *budget.Budget, steps int, part func(v *budget.Budget)) bool {
	return a.try(w.Part(steps), freshNodes, part) == nil
}

// try calls part on the budget v, within which the diagrams of labels may get so many
// nodes more, and returns why v has ended, if it has.
func (a *Alphabet) try(v *budget.Budget, nodes int, part func(v *budget.Budget)) (err error) {
	a.limitNodes(v, nodes)
	defer a.bound.bind(v, v).Release(&err)
	part(v)
	return v.Err()
}
