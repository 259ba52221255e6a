package ltl

import "context"

// An Implication decides whether one formula implies another at every position of every word.
// It uses syntactic rules, so it misses some implications. Both formulas must be in negation
// normal form.
//
// F, G, U, W, R and M are all fixpoints: a formula is equal to exit | (stay & X itself), and
// also to gate & (open | X itself).
//
//	        stay   exit    gate    open
//	F a     1      a       1       a       least
//	G a     a      0       a       0       greatest
//	a U b   a      b       a | b   b       least
//	a W b   a      b       a | b   b       greatest
//	a M b   b      a & b   b       a       least
//	a R b   b      a & b   b       a       greatest
//
// Let f and g be such formulas, and h any formula. The rules are
//
//	a | b => h     if a => h and b => h, and only then
//	h => a & b     if h => a and h => b, and only then
//	a & b => h     if a => h or b => h
//	h => a | b     if h => a or h => b
//	X a => X b     if a => b, and only then
//	X a => h       if a => h and h is a pure eventuality
//	h => X a       if h => a and h is purely universal
//	f => h         if exit(f) => h and stay(f) => h
//	h => g         if h => gate(g) and h => open(g)
//	f => h         if exit(f) => h, f is a least fixpoint and h a pure eventuality
//	h => g         if h => gate(g), g is a greatest fixpoint and h purely universal
//	f => g         if exit(f) => g and stay(f) => gate(g), and not f is a greatest
//	               fixpoint and g a least one
//	f => g         if f => gate(g) and exit(f) => open(g), and not f is a greatest
//	               fixpoint and g a least one
//	f => a | X b   if exit(f) => a | X b and f => b; also without a
//	a & X b => g   if a & X b => gate(g) and b => g; also without a
//
// Each rule comes with its dual, except the one with X on both sides. The two rules for f => g
// are inductions over the positions up to where f exits, if f is least. Otherwise they are
// coinductions. Somenzi and Bloem, "Efficient Büchi Automata from LTL Formulae" (CAV 2000),
// have many of these rules for U and R.
//
// For example, a U b => F b holds by the induction f => g: exit is b => F b, since b => 1 (gate)
// and b => b (open); and stay is a => 1 (gate). G a & F b => a U b is missed.
type Implication struct {
	ctx         context.Context
	s           *Store
	top, bottom *Formula
	known       map[uint64]bool // by both formulas' numbers
	negated     map[*Formula]*Formula
	// fuel is how many more pairs may be looked at. When there is none left, what
	// is not known is not claimed; and neither what needs a deep recursion.
	fuel, depth int
}

// Implications returns an Implication for formulas of s. It examines at most so many
// different pairs of formulas, and none once ctx is done.
func (s *Store) Implications(ctx context.Context, pairs int) *Implication {
	return &Implication{
		ctx: ctx, s: s, top: s.True(), bottom: s.False(),
		known: make(map[uint64]bool), negated: make(map[*Formula]*Formula), fuel: pairs,
	}
}

// Holds reports whether the rules prove f => g. Each rule leads to smaller formulas, so Holds ends.
// Without a limit, it takes time proportional to the product of the numbers of subformulas.
func (m *Implication) Holds(f, g *Formula) bool {
	f, g = m.s.Import(f), m.s.Import(g)
	switch {
	case f == nil || g == nil:
		return false
	case f == g || f.op == OpFalse || g.op == OpTrue:
		return true
	case f.op == OpTrue || g.op == OpFalse || f.literal() && g.literal():
		return false // no rule would prove it
	}
	pair := uint64(f.id)<<32 | uint64(g.id)
	if known, ok := m.known[pair]; ok {
		return known
	}
	if m.fuel <= 0 || m.depth == maxImplicationDepth {
		return false
	}
	if m.fuel%256 == 0 && m.ctx.Err() != nil { // the context is asked now and then
		m.fuel = 0
		return false
	}
	m.fuel--
	m.depth++
	result := m.boolean(f, g)
	m.depth--
	m.known[pair] = result
	return result
}

// maxImplicationDepth bounds the recursion for formulas of great depth.
const maxImplicationDepth = 1000

func (f *Formula) literal() bool {
	return f.op == OpProp || f.op == OpNot && f.left.op == OpProp
}

func (m *Implication) boolean(f, g *Formula) bool {
	switch {
	case f.op == OpOr: // exact, so no other rule can do better
		return m.Holds(f.left, g) && m.Holds(f.right, g)
	case g.op == OpAnd: // exact as well
		return m.Holds(f, g.left) && m.Holds(f, g.right)
	case f.op == OpAnd && (m.Holds(f.left, g) || m.Holds(f.right, g)):
		return true
	case g.op == OpOr && (m.Holds(f, g.left) || m.Holds(f, g.right)):
		return true
	case f.op == OpNext && g.op == OpNext:
		return m.Holds(f.left, g.left)
	case f.op == OpNext && g.PureEventuality() && m.Holds(f.left, g): // g later implies g now
		return true
	case g.op == OpNext && f.PureUniversality() && m.Holds(f, g.left): // f now implies f later
		return true
	}
	return m.temporal(f, g)
}

// A fixpointForm is a formula seen as exit | (stay & X itself), and as gate & (open | X itself).
type fixpointForm struct {
	stay, exit *Formula
	gate, open *Formula
	greatest   bool
}

// unfold returns f as a fixpoint, by the table at Implication, or false if it is none.
func (m *Implication) unfold(f *Formula) (fixpointForm, bool) {
	a, b := f.left, f.right
	switch f.op {
	case OpFinally:
		return fixpointForm{stay: m.top, exit: a, gate: m.top, open: a}, true
	case OpGlobally:
		return fixpointForm{stay: a, exit: m.bottom, gate: a, open: m.bottom, greatest: true}, true
	case OpUntil, OpWeakUntil:
		return fixpointForm{stay: a, exit: b, gate: m.s.Or(a, b), open: b, greatest: f.op == OpWeakUntil}, true
	case OpStrongRelease, OpRelease:
		return fixpointForm{stay: b, exit: m.s.And(a, b), gate: b, open: a, greatest: f.op == OpRelease}, true
	}
	return fixpointForm{}, false
}

func (m *Implication) temporal(f, g *Formula) bool {
	u, left := m.unfold(f)
	v, right := m.unfold(g)
	if left && m.Holds(u.exit, g) {
		switch {
		case m.Holds(u.stay, g):
			return true
		case !u.greatest && g.PureEventuality():
			return true
		case m.anyOperand(OpOr, g, func(g *Formula) bool { return g.op == OpNext && m.Holds(f, g.left) }):
			return true // a disjunct of g is X h with f => h
		case right && (v.greatest || !u.greatest) && m.Holds(u.stay, v.gate):
			return true
		}
	}
	if right && m.Holds(f, v.gate) {
		switch {
		case m.Holds(f, v.open):
			return true
		case v.greatest && f.PureUniversality():
			return true
		case m.anyOperand(OpAnd, f, func(f *Formula) bool { return f.op == OpNext && m.Holds(f.left, g) }):
			return true // a conjunct of f is X h with h => g
		case left && (v.greatest || !u.greatest) && m.Holds(u.exit, v.open):
			return true
		}
	}
	return false
}

// anyOperand reports whether is holds of f, or if its operator is op of some operand. In
// a long conjunction or disjunction, each operand counts as a pair of formulas.
func (m *Implication) anyOperand(op Op, f *Formula, is func(*Formula) bool) bool {
	const free = 64
	for n := 0; f.op == op; f = f.left {
		if n++; n > free {
			m.fuel--
		}
		if f.right.op == op && m.anyOperand(op, f.right, is) || is(f.right) {
			return true
		}
		if m.fuel < 0 {
			return false
		}
	}
	return is(f)
}

// not returns the negation of a formula in negation normal form, in that form.
func (m *Implication) not(f *Formula) *Formula {
	if g, ok := m.negated[f]; ok {
		return g
	}
	for todo := []*Formula{f}; len(todo) > 0; {
		g := todo[len(todo)-1]
		left, right := m.negated[g.left], m.negated[g.right]
		var h *Formula
		switch {
		case g.op == OpNot || g.op.Arity() == 0:
			h = m.s.negate(g)
		case left == nil:
			todo = append(todo, g.left)
			continue
		case g.right != nil && right == nil:
			todo = append(todo, g.right)
			continue
		default:
			h = m.s.dualWith(g, left, right)
		}
		m.negated[g] = h
		todo = todo[:len(todo)-1]
	}
	return m.negated[f]
}
