package random

import "github.com/xcheck-ltl/xcheck/ltl"

// A class is one of the syntactic classes of formulas (Černá and Pelánek 2003) for the hierarchy of
// Manna and Pnueli.
type class uint8

const (
	anything class = iota
	guarantee
	safety
	obligation
	persistence
	recurrence
	reactivity
	numClasses
)

// classes are the weights of the classes. Those above obligation are where marks matter.
var classes = [numClasses]int{anything: 30, guarantee: 5, safety: 8, obligation: 10, persistence: 14, recurrence: 14, reactivity: 19}

const boolean = ltl.OpSet(1<<ltl.OpNot | 1<<ltl.OpAnd | 1<<ltl.OpOr | 1<<ltl.OpImplies)

// operators of each class whose operands are of the same class; operands that are negated are of
// the dual class.
var inside = [numClasses]ltl.OpSet{
	anything:    boolean | temporal | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
	guarantee:   boolean | ltl.Ops(ltl.OpNext, ltl.OpFinally, ltl.OpUntil, ltl.OpStrongRelease),
	safety:      boolean | ltl.Ops(ltl.OpNext, ltl.OpGlobally, ltl.OpRelease, ltl.OpWeakUntil),
	obligation:  boolean | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
	persistence: boolean | ltl.Ops(ltl.OpNext, ltl.OpFinally, ltl.OpUntil, ltl.OpStrongRelease),
	recurrence:  boolean | ltl.Ops(ltl.OpNext, ltl.OpGlobally, ltl.OpRelease, ltl.OpWeakUntil),
	reactivity:  boolean | ltl.Ops(ltl.OpEquiv, ltl.OpXor, ltl.OpNext),
}

// below are the classes that a subformula of a class may be of instead.
var below = [numClasses][]class{
	obligation:  {guarantee, safety},
	persistence: {safety, guarantee, safety},
	recurrence:  {guarantee, safety, guarantee},
	reactivity:  {persistence, recurrence},
}

// dual is the class of the negations.
var dual = [numClasses]class{anything: anything, guarantee: safety, safety: guarantee, obligation: obligation, persistence: recurrence,
	recurrence: persistence, reactivity: reactivity}

// Operators whose operands a class may have of a lower class only, so that it needs them: G over
// guarantee is recurrence.
var core = [numClasses]struct {
	op ltl.Op
	of class
}{
	persistence: {ltl.OpFinally, safety},
	recurrence:  {ltl.OpGlobally, guarantee},
}
