package ltl

// sereBulks are the bulks of operators of expressions: see bulks. Those of iterations are without
// the bounds, and those of letters come from their formulas.
var sereBulks = [...]int{
	SERELetter: 0, SEREEmpty: 2, SEREOr: 3, SEREConcat: 3, SEREFusion: 4, SEREIntersection: 4, SEREAnd: 5,
	SEREStar: 3, SEREFusionStar: 4, SEREFirstMatch: 3,
}

// bulkOfSERE returns the bulk of an expression. It takes time linear in its syntax tree.
func (sh *shrinking) bulkOfSERE(r *SERE) int {
	c := sereBulks[r.op]
	switch r.op {
	case SERELetter:
		return sh.bulkOf(r.letter)
	case SEREStar, SEREFusionStar:
		c += r.low + 1
		if r.high != Unbounded {
			c += r.high + 1
		}
	}
	for _, q := range []*SERE{r.left, r.right} {
		if q != nil {
			c = addBulk(c, sh.bulkOfSERE(q))
		}
	}
	return c
}

// maxShrunkSERE is the size of the largest expression in which each place is looked at.
const maxShrunkSERE = 1 << 8

// addExpressions adds the formulas that differ from g, {r}, {r}<>->f or {r}[]->f, by a simpler r.
func (sh *shrinking) addExpressions(place int, g *Formula, count int) {
	bulk := sh.bulkOfSERE(g.sere)
	seen := map[*SERE]bool{g.sere: true}
	sh.s.smallerSEREs(g.sere, g.sere.size <= maxShrunkSERE, func(kind Steps, r *SERE) {
		if !seen[r] && sh.bulkOfSERE(r) < bulk {
			seen[r] = true
			sh.add(place, g, count, kind, sh.s.make(node{op: g.op, left: g.left, sere: r}))
		}
	})
}

// smallerSEREs gives expressions that are r with one change, and of which kind the change is: r
// itself is replaced, or if deep is set any of its parts. Some may have a larger bulk than r.
func (s *Store) smallerSEREs(r *SERE, deep bool, give func(Steps, *SERE)) {
	if r.op == SERELetter {
		s.smallerLetters(r.letter, func(kind Steps, f *Formula) { give(kind, s.Letter(f)) })
		return
	}
	give(ToConst, s.Letter(s.False()))
	give(ToConst, s.Letter(s.True()))
	give(ToConst, s.EmptyWord())
	kind := RemoveOp
	if r.op == SEREOr || r.op == SEREIntersection || r.op == SEREAnd || r.op == SEREConcat || r.op == SEREFusion {
		kind = DropOperand
	}
	for _, q := range []*SERE{r.left, r.right} {
		if q != nil {
			give(kind, q)
		}
	}
	s.lowerSEREs(r, func(q *SERE) { give(LowerOp, q) })
	if !deep || r.left == nil {
		return
	}
	s.smallerSEREs(r.left, true, func(kind Steps, q *SERE) { give(kind, s.sereWith(r, q, r.right)) })
	if r.right != nil {
		s.smallerSEREs(r.right, true, func(kind Steps, q *SERE) { give(kind, s.sereWith(r, r.left, q)) })
	}
}

// sereWith returns r with other operands.
func (s *Store) sereWith(r, left, right *SERE) *SERE {
	if right != nil {
		return s.SEREBinary(r.op, left, right)
	}
	return s.makeSERE(sereNode{op: r.op, left: left, low: r.low, high: r.high})
}

// lowerSEREs gives expressions with the operands of r and a simpler operator or lower bounds.
func (s *Store) lowerSEREs(r *SERE, give func(*SERE)) {
	switch r.op {
	case SEREAnd:
		give(s.SEREBinary(SEREIntersection, r.left, r.right))
		give(s.SEREBinary(SEREConcat, r.left, r.right))
	case SEREIntersection:
		give(s.SEREBinary(SEREOr, r.left, r.right))
	case SEREFusion:
		give(s.SEREBinary(SEREConcat, r.left, r.right))
	case SEREStar, SEREFusionStar:
		give(s.Star(r.left, r.low, r.high))
		give(s.iteration(r.op, r.left, 0, Unbounded))
		give(s.iteration(r.op, r.left, min(1, r.low), Unbounded))
		for _, low := range []int{0, r.low / 2, r.low - 1} {
			if low >= 0 && low < r.low {
				give(s.iteration(r.op, r.left, low, r.high))
			}
		}
		if r.high == Unbounded {
			return
		}
		give(s.iteration(r.op, r.left, r.low, r.low))
		for _, high := range []int{r.high / 2, r.high - 1} {
			if high >= r.low {
				give(s.iteration(r.op, r.left, r.low, high))
			}
			if high >= 0 {
				give(s.iteration(r.op, r.left, min(r.low, high), high))
			}
		}
	}
}

// smallerLetters gives Boolean formulas that are f with one change. The syntax trees of letters are
// small, or else only f itself is replaced.
func (s *Store) smallerLetters(f *Formula, give func(Steps, *Formula)) {
	switch f.op {
	case OpFalse, OpTrue:
		return
	case OpProp:
		give(PropToConst, s.False())
		give(PropToConst, s.True())
		return
	}
	give(ToConst, s.False())
	give(ToConst, s.True())
	kind := RemoveOp
	if f.op == OpAnd || f.op == OpOr {
		kind = DropOperand
	}
	for _, g := range []*Formula{f.left, f.right} {
		if g != nil {
			give(kind, g)
		}
	}
	s.simpler(f, func(kind Steps, list ...*Formula) {
		for _, g := range list {
			give(kind, g)
		}
	})
	if f.size > maxShrunkSERE {
		return
	}
	s.smallerLetters(f.left, func(kind Steps, g *Formula) { give(kind, s.WithOperands(f, g, f.right)) })
	if f.right != nil {
		s.smallerLetters(f.right, func(kind Steps, g *Formula) { give(kind, s.WithOperands(f, f.left, g)) })
	}
}

// mergedIn returns the expression of f, with one proposition instead of another.
func (sh *shrinking) mergedIn(f, from, to *Formula) *SERE {
	return sh.s.mapSERE(f.sere, func(letter *Formula) *Formula {
		return sh.s.transform(letter, func(g, left, right *Formula) *Formula {
			if g == from {
				return to
			}
			return sh.s.WithOperands(g, left, right)
		})
	})
}
