package ltl

// bulks say which of two formulas is the smaller one: the bulk of a formula is the
// sum over the nodes of its syntax tree, and of two with equal bulks the one with
// fewer propositions is smaller. They are chosen so that each step of Shrink goes
// down: an operator has more than those that it is replaced by, <-> as much more as
// to pay for the negations of !a & !b, and a negation more than two duals differ.
var bulks = [numOps]int{
	OpFalse: 1, OpTrue: 1,
	OpProp: 2, OpNext: 2,
	OpAnd: 3, OpOr: 3, OpFinally: 3, OpGlobally: 3, OpYesterday: 3,
	OpNot: 4, OpWeakYesterday: 4,
	OpWeakUntil: 5, OpOnce: 5, OpHistorically: 5,
	OpImplies: 6, OpRelease: 6,
	OpUntil: 7, OpTriggered: 7,
	OpStrongRelease: 8,
	OpSince:         9,
	OpEquiv:         12,
	OpXor:           13,

	// Of these, without the expression: see bulkOf.
	OpClosure: 1, OpSuffixImplication: 7, OpSuffixConjunction: 8,
}

// simpler gives formulas with the operands of f and a simpler operator, and of which
// kind the step to them is.
func (s *Store) simpler(f *Formula, give func(Steps, ...*Formula)) {
	a, b := f.left, f.right
	switch f.op {
	case OpNot:
		if a.op.Arity() > 0 {
			give(LowerOp, s.dualWith(a, a.left, a.right))
		}
	case OpImplies:
		give(LowerOp, s.Not(a), s.Or(a, b))
	case OpEquiv:
		give(SplitOp, s.And(a, b), s.Implies(a, b), s.Implies(b, a), s.And(s.Not(a), s.Not(b)))
		give(LowerOp, s.Not(a), s.Not(b))
	case OpXor:
		give(SplitOp, s.And(s.Not(a), b), s.And(a, s.Not(b)), s.Or(a, b), s.Or(s.Not(a), s.Not(b)))
		give(LowerOp, s.Not(a), s.Not(b), s.Equiv(a, b))
	case OpFinally, OpGlobally:
		give(LowerOp, s.Next(a))
	case OpWeakUntil:
		give(LowerOp, s.Globally(a), s.Finally(b), s.Or(a, b))
	case OpRelease:
		give(RewriteOp, s.WeakUntil(b, a))
		give(LowerOp, s.Finally(a), s.Globally(b), s.And(a, b))
	case OpUntil:
		give(RewriteOp, s.WeakUntil(a, b))
		give(LowerOp, s.Globally(a), s.Finally(b), s.Or(a, b), s.Release(a, b))
	case OpStrongRelease:
		give(RewriteOp, s.Release(a, b), s.Until(b, a))
		give(LowerOp, s.Finally(a), s.Globally(b), s.And(a, b))
	case OpYesterday:
		give(LowerOp, s.Next(a))
	case OpWeakYesterday:
		give(LowerOp, s.Unary(OpYesterday, a))
	case OpOnce:
		give(LowerOp, s.Unary(OpYesterday, a), s.Finally(a))
	case OpHistorically:
		give(LowerOp, s.Unary(OpWeakYesterday, a), s.Globally(a))
	case OpTriggered:
		give(RewriteOp, s.Release(a, b))
		give(LowerOp, s.Unary(OpOnce, a), s.Unary(OpHistorically, b), s.And(a, b))
	case OpClosure:
		if b := f.sere.letter; b != nil {
			give(LowerOp, b)
		}
	case OpSuffixImplication:
		give(LowerOp, s.Closure(f.sere))
		if b := f.sere.letter; b != nil {
			give(LowerOp, s.Implies(b, a), s.Or(b, a))
		}
	case OpSuffixConjunction:
		give(LowerOp, s.Closure(f.sere), s.SuffixImplication(f.sere, a), s.Not(s.Closure(f.sere)))
		if b := f.sere.letter; b != nil {
			give(LowerOp, s.And(b, a))
		}
	case OpSince:
		give(RewriteOp, s.Binary(OpTriggered, a, b), s.Until(a, b))
		give(LowerOp, s.Unary(OpHistorically, a), s.Unary(OpOnce, b), s.Or(a, b))
	}
}
