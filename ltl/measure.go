package ltl

// BooleanSize returns the size of the formula if each Boolean part of it counts as
// one: G((a & !b) -> Fc) has size 5, as G(p -> Fq) has. The Boolean operands of one
// conjunction or disjunction are one part, wherever they stand among the others.
func (f *Formula) BooleanSize() int {
	// What there is of an operator, or of all that are joined by the same one.
	type parts struct {
		size, others int  // of the operands that are not Boolean, and their number
		boolean      bool // there are also Boolean ones
	}
	all := map[*Formula]parts{}
	whole := func(g *Formula) int {
		p := all[g]
		if p.boolean {
			p.size++
			p.others++
		}
		return p.size + max(1, p.others-1)
	}
	if f.ops&^booleanOps == 0 {
		return 1
	}
	for _, g := range f.Subformulas() {
		var p parts
		for _, h := range []*Formula{g.left, g.right} {
			switch joined := h != nil && h == g.left && h.op == g.op && (g.op == OpAnd || g.op == OpOr); {
			case h == nil:
			case h.ops&^booleanOps == 0 && (g.op == OpAnd || g.op == OpOr):
				p.boolean = true
			case h.ops&^booleanOps == 0:
				p.size++
				p.others++
			case joined:
				p = all[h]
			default:
				p.size += whole(h)
				p.others++
			}
		}
		all[g] = p
	}
	return whole(f)
}

// Nesting returns how many operators of the set there are at most on a way from the
// root of the syntax tree to a leaf. A conjunction or disjunction of many operands
// counts as one operator. F(GFa U Gb) has three nested F and G.
func (f *Formula) Nesting(ops OpSet) int {
	depth := newTable(f)
	for _, g := range f.Subformulas() {
		left, right := depth.get(g.left), depth.get(g.right)
		if ops.Has(g.op) && g.left != nil {
			right++
			if g.left.op != g.op || g.op != OpAnd && g.op != OpOr { // which has counted it
				left++
			}
		}
		depth.set(g, max(left, right))
	}
	return int(depth.get(f))
}

// TextSize returns the size of a formula in Spot's syntax, or the length of a text that is none.
func TextSize(text string) int {
	f, err := NewStore().Parse(text, Spot)
	if err != nil {
		return len(text)
	}
	return f.Size()
}
