package ltl

// Holds reports whether the formula is true at the start of a lasso word of
// prefix+cycle positions, in which position prefix+cycle is position prefix
// again (cycle must be at least 1). It asks value for the truth of each
// proposition at each position once.
//
// Every subformula is evaluated at all positions, operands first. For a least
// or greatest fixpoint (U, M, F and R, W, G) two passes backwards are enough: the
// first starts from the bottom or top element and fixes the value at the
// start of the cycle, the second starts from that. Time and memory are
// proportional to |f|·(prefix+cycle).
func (f *Formula) Holds(prefix, cycle int, value func(prop string, pos int) bool) bool {
	n := prefix + cycle
	subs := f.subformulas()
	table := make([]bool, n*len(subs))
	row := make(map[*Formula][]bool, len(subs))
	for i, g := range subs {
		r := table[i*n : (i+1)*n : (i+1)*n]
		row[g] = r
		a, b := row[g.left], row[g.right]
		switch g.op {
		case OpFalse:
		case OpTrue:
			for p := range r {
				r[p] = true
			}
		case OpProp:
			for p := range r {
				r[p] = value(g.name, p)
			}
		case OpNot:
			for p := range r {
				r[p] = !a[p]
			}
		case OpAnd:
			for p := range r {
				r[p] = a[p] && b[p]
			}
		case OpOr:
			for p := range r {
				r[p] = a[p] || b[p]
			}
		case OpImplies:
			for p := range r {
				r[p] = !a[p] || b[p]
			}
		case OpEquiv:
			for p := range r {
				r[p] = a[p] == b[p]
			}
		case OpXor:
			for p := range r {
				r[p] = a[p] != b[p]
			}
		case OpNext:
			copy(r, a[1:])
			r[n-1] = a[prefix]
		case OpFinally:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return a[p] || next })
		case OpGlobally:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return a[p] && next })
		case OpUntil:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpWeakUntil:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpRelease:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		case OpStrongRelease:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		}
	}
	return row[f][0]
}

// fixpoint fills r with the least solution (if start is false) or the greatest
// (if it is true) of r[p] = step(p, r at the position after p).
func fixpoint(r []bool, prefix int, start bool, step func(p int, next bool) bool) {
	next := start
	for p := len(r) - 1; p >= prefix; p-- {
		next = step(p, next)
	}
	for p := len(r) - 1; p >= 0; p-- {
		next = step(p, next)
		r[p] = next
	}
}
