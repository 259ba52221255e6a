package ltl

// An Implication decides whether a formula implies another one at every position
// of every word, as far as their syntax shows it. Both are in negation normal
// form.
//
// F, G, U, W, R and M are seen alike, as fixpoints that stay for some time and
// then exit, if they are least ones at some time, if they are greatest ones
// perhaps never:
//
//	        stay   exit
//	F a     1      a       least
//	G a     a      0       greatest
//	a U b   a      b       least
//	a W b   a      b       greatest
//	a M b   b      a & b   least
//	a R b   b      a & b   greatest
//
// Each is exit | (stay & X itself). With f and g for such formulas, h for any
// formula, and every premise claimed of smaller formulas, the rules are
//
//	a | b => h      if a => h and b => h, and only then
//	h => a & b      if h => a and h => b, and only then
//	a & b => h      if a => h or b => h
//	h => a | b      if h => a or h => b
//	X a => X b      if a => b, and only then
//	X a => h        if a => h and h is a pure eventuality
//	h => X a        if h => a and h is purely universal
//	f => h          if stay(f) => h and exit(f) => h
//	h => g          if h => exit(g)
//	f => h          if exit(f) => h, f is a least fixpoint and h a pure eventuality
//	h => g          if h => stay(g), g is a greatest fixpoint and h purely universal
//	f => g          if stay(f) => stay(g) and exit(f) => g, unless f is a greatest
//	                fixpoint and g a least one
//	a & X b => g    if a & X b => stay(g) and b => g
//	f => a | X b    if exit(f) => a | X b and f => b
//
// The last but two is an induction along the stay of f. Somenzi and Bloem,
// "Efficient Büchi Automata from LTL Formulae" (CAV 2000), have most of these
// for U and R; each rule comes with its dual here.
type Implication struct {
	s       *Store
	known   map[uint64]bool // by both formulas' numbers
	negated map[*Formula]*Formula
	// fuel is how many more pairs may be looked at. When there is none left, what
	// is not known is not claimed.
	fuel int
}

// NewImplication returns an Implication for formulas of s that looks at so many
// different pairs of them at most.
func NewImplication(s *Store, pairs int) *Implication {
	return &Implication{s: s, known: make(map[uint64]bool), negated: make(map[*Formula]*Formula), fuel: pairs}
}

// Holds reports whether f => g is known. As each rule leads to smaller formulas,
// it ends, and without a limit it takes time proportional to the product of the
// numbers of their subformulas.
func (m *Implication) Holds(f, g *Formula) bool {
	switch {
	case f == g || f.op == OpFalse || g.op == OpTrue:
		return true
	case f.op == OpTrue || g.op == OpFalse || f.literal() && g.literal():
		return false
	}
	pair := uint64(f.id)<<32 | uint64(g.id)
	if known, ok := m.known[pair]; ok {
		return known
	}
	if m.fuel <= 0 {
		return false
	}
	m.fuel--
	result := m.boolean(f, g)
	m.known[pair] = result
	return result
}

func (f *Formula) literal() bool {
	return f.op == OpProp || f.op == OpNot && f.left.op == OpProp
}

func (m *Implication) boolean(f, g *Formula) bool {
	switch {
	case f.op == OpOr:
		return m.Holds(f.left, g) && m.Holds(f.right, g)
	case g.op == OpAnd:
		return m.Holds(f, g.left) && m.Holds(f, g.right)
	case f.op == OpAnd && (m.Holds(f.left, g) || m.Holds(f.right, g)):
		return true
	case g.op == OpOr && (m.Holds(f, g.left) || m.Holds(f, g.right)):
		return true
	case f.op == OpNext && g.op == OpNext:
		return m.Holds(f.left, g.left)
	case f.op == OpNext && g.PureEventuality() && m.Holds(f.left, g):
		return true
	case g.op == OpNext && f.PureUniversality() && m.Holds(f, g.left):
		return true
	}
	return m.temporal(f, g)
}

// A fixpoint is a formula as exit | (stay & X itself).
type fixpointForm struct {
	stay     *Formula
	exit     [2]*Formula // a conjunction
	greatest bool
}

// unfold returns false if f is not a fixpoint.
func (m *Implication) unfold(f *Formula) (fixpointForm, bool) {
	a, b := f.left, f.right
	switch f.op {
	case OpFinally:
		return fixpointForm{m.s.True(), [2]*Formula{a, a}, false}, true
	case OpGlobally:
		return fixpointForm{a, [2]*Formula{m.s.False(), m.s.False()}, true}, true
	case OpUntil, OpWeakUntil:
		return fixpointForm{a, [2]*Formula{b, b}, f.op == OpWeakUntil}, true
	case OpStrongRelease, OpRelease:
		return fixpointForm{b, [2]*Formula{a, b}, f.op == OpRelease}, true
	}
	return fixpointForm{}, false
}

func (m *Implication) temporal(f, g *Formula) bool {
	u, left := m.unfold(f)
	v, right := m.unfold(g)
	if left {
		exits := m.both(u.exit, g)
		switch {
		case exits && m.Holds(u.stay, g):
			return true
		case exits && !u.greatest && g.PureEventuality():
			return true
		case exits && g.op == OpOr && m.entersNext(f, g):
			return true
		}
	}
	if right {
		switch {
		case m.Holds(f, v.exit[0]) && m.Holds(f, v.exit[1]):
			return true
		case v.greatest && f.PureUniversality() && m.Holds(f, v.stay):
			return true
		case f.op == OpAnd && m.leavesNext(f, g) && m.Holds(f, v.stay):
			return true
		}
	}
	return left && right && (v.greatest || !u.greatest) && m.Holds(u.stay, v.stay) && m.both(u.exit, g)
}

// both reports whether a conjunction implies g.
func (m *Implication) both(f [2]*Formula, g *Formula) bool {
	switch {
	case m.Holds(f[0], g) || m.Holds(f[1], g):
		return true
	case f[0] == f[1] || m.fuel <= 0:
		return false
	}
	m.fuel--
	if g.op == OpAnd {
		return m.both(f, g.left) && m.both(f, g.right)
	}
	if g.op == OpOr {
		return m.both(f, g.left) || m.both(f, g.right)
	}
	v, ok := m.unfold(g)
	return ok && m.both(f, v.exit[0]) && m.both(f, v.exit[1])
}

// leavesNext reports whether a conjunct X h of f has h => g.
func (m *Implication) leavesNext(f, g *Formula) bool {
	switch f.op {
	case OpAnd:
		return m.leavesNext(f.left, g) || m.leavesNext(f.right, g)
	case OpNext:
		return m.Holds(f.left, g)
	}
	return false
}

// entersNext reports whether a disjunct X h of g has f => h.
func (m *Implication) entersNext(f, g *Formula) bool {
	switch g.op {
	case OpOr:
		return m.entersNext(f, g.left) || m.entersNext(f, g.right)
	case OpNext:
		return m.Holds(f, g.left)
	}
	return false
}

// not returns the negation of a formula in negation normal form, in that form.
func (m *Implication) not(f *Formula) *Formula {
	if g, ok := m.negated[f]; ok {
		return g
	}
	var g *Formula
	switch {
	case f.op == OpNot || f.op.Arity() == 0:
		g = m.s.negate(f)
	case f.op.Arity() == 1:
		g = m.s.Unary(dualOp(f.op), m.not(f.left))
	default:
		g = m.s.Binary(dualOp(f.op), m.not(f.left), m.not(f.right))
	}
	m.negated[f] = g
	return g
}
