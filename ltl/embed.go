package ltl

// maxEmbeddingSteps bounds the time of Embeds: deciding it is NP-hard, by the
// propositions.
const maxEmbeddingSteps = 1 << 16

// Embeds reports whether f can shrink to small: whether f becomes small if some of its
// subformulas are replaced by one of their operands, and its propositions are renamed, perhaps
// several to one. The operands of & | <-> xor may change places. A constant of f matches a
// proposition: a U 0 is an instance of a U b.
//
//	a U b    is embedded in (p & q) U G r, and in X(p U (q & F r)); not in p R q
//	a U a    is embedded in p U q; a U b is not in p U p
//
// These are steps of [Store.Shrink] that bring nothing new into the formula. Embeds may return
// false by mistake if both formulas are large and have many propositions.
func Embeds(small, f *Formula) bool {
	e := &embedding{names: map[string]string{}, steps: maxEmbeddingSteps}
	return small != nil && f != nil && e.within(small, f, func() bool { return true })
}

// An embedding is under way: names has the new names of propositions so far.
type embedding struct {
	names map[string]string
	steps int
}

// within places small somewhere in f, such that rest holds of what is to be placed
// after it.
func (e *embedding) within(small, f *Formula, rest func() bool) bool {
	if e.steps--; e.steps < 0 || small.size > f.size || small.ops&^f.ops&^Ops(OpProp) != 0 {
		return false
	}
	if e.at(small, f, rest) {
		return true
	}
	return f.left != nil && e.within(small, f.left, rest) || f.right != nil && e.within(small, f.right, rest)
}

// at places small such that its top is that of f.
func (e *embedding) at(small, f *Formula, rest func() bool) bool {
	if small.op == OpProp && f.op.Arity() == 0 && f.sere == nil {
		return e.bind(small, f, rest)
	}
	if small.op != f.op {
		return false
	}
	if small.sere != nil {
		return e.expression(small.sere, f.sere, func() bool {
			return small.left == nil && rest() || small.left != nil && e.within(small.left, f.left, rest)
		})
	}
	switch small.op.Arity() {
	case 1:
		return e.within(small.left, f.left, rest)
	case 2:
		if e.both(small, f.left, f.right, rest) {
			return true
		}
		switch small.op {
		case OpAnd, OpOr, OpEquiv, OpXor:
			return e.both(small, f.right, f.left, rest)
		}
		return false
	}
	return rest()
}

// bind gives a leaf of f, a proposition or constant, the name of a proposition.
func (e *embedding) bind(small, f *Formula, rest func() bool) bool {
	leaf := f.name
	if f.op != OpProp {
		leaf = f.op.String() // no proposition has such a name, or it does no harm
	}
	name, ok := e.names[leaf]
	if ok {
		return name == small.name && rest()
	}
	e.names[leaf] = small.name
	if rest() {
		return true
	}
	delete(e.names, leaf)
	return false
}

func (e *embedding) both(small, left, right *Formula, rest func() bool) bool {
	return e.within(small.left, left, func() bool { return e.within(small.right, right, rest) })
}

// expression places an expression such that all operators are those of r, and the letters of
// small are placed in those of r.
func (e *embedding) expression(small, r *SERE, rest func() bool) bool {
	switch {
	case small.op != r.op || small.low != r.low || small.high != r.high:
		return false
	case small.op == SERELetter:
		return e.within(small.letter, r.letter, rest)
	case small.left == nil:
		return rest()
	case small.right == nil:
		return e.expression(small.left, r.left, rest)
	}
	return e.expression(small.left, r.left, func() bool { return e.expression(small.right, r.right, rest) })
}
