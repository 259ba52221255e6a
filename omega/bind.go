package omega

import (
	"cmp"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// A LimitError reports a computation that was given up at a limit.
type LimitError = budget.LimitError

// A binding makes operations on the labels of an alphabet, and Sources over it, obey a budget;
// see [Alphabet.Bind].
type binding struct {
	budget *budget.Budget // of the caller
	part   *budget.Budget // of the operations: a part of that
	slot   *bound
	before *binding
	ended  bool // the current panic comes from the end of part, or from the lack of an alphabet
}

// bound is the current binding of an alphabet.
type bound struct{ *binding }

// spend takes steps. If the budget ends with them, so does the function that has called
// Bind.
func (b *bound) spend(n int) {
	if b != nil && b.binding != nil && b.part.Spend(n) {
		b.end()
	}
}

// end ends the function that has called Bind.
func (b *bound) end() {
	b.ended = true
	panic(b.binding)
}

// Spend takes n steps from the budget that the alphabet is bound to, if any. Sources call it
// in AppendEdges if a state may have many edges. If the budget ends, Spend does not return;
// see Bind.
func (a *Alphabet) Spend(n int) { a.bound.spend(n) }

// Bind makes operations on labels, and Sources, take steps from b until the binding is
// released. If the budget ends during an operation, the operation does not return. Instead,
// the function that called Bind returns the error. It must have this form, with a named
// result:
//
//	func f(…) (err error) {
//		b := budget.New(ctx)
//		defer alphabet.Bind(b).Release(&err)
//		…
//
// If the alphabet is nil, the function returns ErrNoAutomaton, wherever it panics for lack of it.
//
// Decision diagrams also obey the memory limit of the budget's context. Bindings nest: the last one
// counts.
func (a *Alphabet) Bind(b *budget.Budget) *binding {
	b = b.OrFree()
	part := b.Part(budget.Unlimited)
	if a == nil {
		// Operations panic for lack of an alphabet. Since ended is set, Release makes this the error.
		part.Fail(ErrNoAutomaton)
		x := new(bound).bind(b, part)
		x.ended = true
		return x
	}
	if a.dd != nil {
		limit := b.MemoryLimit()
		// Without a limit, one computation could fill the memory: diagrams are kept as long as the alphabet.
		if limit == 0 {
			limit = a.Memory() + defaultLabels
		}
		part.LimitMemory(limit, a.Memory)
	}
	return a.binds().bind(b, part)
}

// binds returns what the alphabet is bound to. The zero alphabet has nothing that can be bound.
func (a *Alphabet) binds() *bound {
	if a.bound == nil {
		return &bound{}
	}
	return a.bound
}

// defaultLabels is how many bytes the labels of an alphabet may grow by in one computation
// that has no limit of memory.
const defaultLabels = 256 << 20

// bind makes operations take steps of a part of b.
func (slot *bound) bind(b, part *budget.Budget) *binding {
	slot.binding = &binding{budget: b, part: part, slot: slot, before: slot.binding}
	return slot.binding
}

// Release ends the binding, and sets err if the budget has ended. Always defer it.
func (x *binding) Release(err *error) {
	x.slot.binding = x.before
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

// BindNodes is Bind with a limit: diagrams may get this many more nodes.
func (a *Alphabet) BindNodes(b *budget.Budget, nodes int) *binding {
	b = b.OrFree()
	part := b.Part(budget.Unlimited)
	a.limitNodes(part, nodes)
	return a.binds().bind(b, part)
}

func (a *Alphabet) limitNodes(b *budget.Budget, nodes int) {
	if a.dd != nil {
		b.Limit("nodes of decision diagrams", int64(len(a.dd.nodes)+nodes), func() int64 { return int64(len(a.dd.nodes)) })
	}
}

// Attempt runs a part of a computation on a budget of its own, and reports whether it
// completed. The part ends early if it exceeds steps, makes more than freshNodes new nodes of
// diagrams, or if w ends.
func (a *Alphabet) Attempt(w *budget.Budget, steps int, part func(v *budget.Budget)) bool {
	return part == nil || a.try(w.OrFree().Part(steps), freshNodes, part) == nil
}

// try calls part on the budget v, within which the diagrams of labels may get so many
// nodes more, and returns why v has ended, if it has.
func (a *Alphabet) try(v *budget.Budget, nodes int, part func(v *budget.Budget)) (err error) {
	a.limitNodes(v, nodes)
	defer a.binds().bind(v, v).Release(&err)
	part(v)
	return v.Err()
}

// A Translation maps labels of one alphabet to another, by the names of the propositions.
type Translation struct {
	from, to *Alphabet
	prop     []Label // of each proposition of from, in to; False: to does not have it
	memo     map[Label]Label
}

// To returns a Translation to an alphabet that may lack propositions. A letter is in the
// result if some valuation of the missing propositions puts it into the original label. Without b,
// a&b | !b&c becomes a | c. An alphabet that is nil has no propositions.
func (from *Alphabet) To(to *Alphabet) *Translation {
	from, to = cmp.Or(from, NewAlphabet()), cmp.Or(to, NewAlphabet())
	t := &Translation{from: from, to: to, memo: make(map[Label]Label)}
	for _, p := range from.props {
		label := False
		if i, ok := to.index[p]; ok {
			label = to.Prop(i)
		}
		t.prop = append(t.prop, label)
	}
	t.memo[False] = False
	t.memo[from.True()] = to.True()
	return t
}

// Label returns the translation of l.
func (t *Translation) Label(l Label) Label {
	if m, ok := t.memo[l]; ok {
		return m
	}
	i, lo, hi := t.from.Split(l)
	m, n := t.Label(hi), t.Label(lo)
	if p := t.prop[i]; p != False {
		m, n = t.to.And(p, m), t.to.And(t.to.Not(p), n)
	}
	m = t.to.Or(m, n)
	t.memo[l] = m
	return m
}
