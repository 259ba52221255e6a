package ltl

// maxRotated is up to how many operands Binary moves while formulas are rebuilt.
const maxRotated = 64

// rebuild returns what build returns, with all conjunctions and disjunctions as left
// combs.
//
// To make a & (b & (c & d)) from the operands up, Binary would move the operands of
// each conjunction once more than those of the one before: c & d, (b & c) & d,
// ((a & b) & c) & d. That takes quadratic time and memory. So while formulas are
// rebuilt, Binary does not move more than maxRotated operands, and what is irregular
// is put in order at the end, in time linear in the syntax tree of each conjunction.
func (s *Store) rebuild(build func() *Formula) *Formula {
	if s.rebuilding {
		return build()
	}
	s.rebuilding, s.irregular = true, false
	defer func() { s.rebuilding = false }()
	f := build()
	if s.irregular {
		f = s.regular(f)
	}
	return f
}

// regular returns f with all conjunctions and disjunctions as left combs.
//
// What is a conjunction on the right of another one only lends it its operands, and is
// not made regular by itself: in (a & b) & (c & (d & e)), that is c & (d & e) and d & e.
func (s *Store) regular(f *Formula) *Formula {
	subs := f.Subformulas()
	needed := map[*Formula]bool{f: true}
	for i := len(subs) - 1; i >= 0; i-- {
		if g := subs[i]; needed[g] && g.left != nil {
			needed[g.left] = true
			g.eachRight(func(h *Formula) { needed[h] = true })
		}
	}
	made := make(map[*Formula]*Formula, len(needed))
	for _, g := range subs {
		switch {
		case !needed[g]:
		case g.right == nil:
			made[g] = s.make(node{op: g.op, left: made[g.left], name: g.name})
		default:
			h := made[g.left]
			g.eachRight(func(x *Formula) { h = s.make(node{op: g.op, left: h, right: made[x]}) })
			made[g] = h
		}
	}
	return made[f]
}

// eachRight visits the right operand, or if that has the same operator, & or |, the
// operands of which it is made, from left to right.
func (f *Formula) eachRight(visit func(*Formula)) {
	if f.right == nil {
		return
	}
	for stack := []*Formula{f.right}; len(stack) > 0; {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.op == f.op && (g.op == OpAnd || g.op == OpOr) {
			stack = append(stack, g.right, g.left)
		} else {
			visit(g)
		}
	}
}
