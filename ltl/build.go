package ltl

// A tree is a formula as it was written. Formulas are made of it only when it is
// complete: made bottom up, a & (b & (c & …)) would be turned into a left comb
// again at each step.
type tree struct {
	op          Op
	left, right *tree
	name        string
	sere        *sereTree
	bounds      *bounds // of X[n], F[n:m] or G[n:m]
}

// build makes the formula, without recursion. It returns nil if that is nested too deep.
func (s *Store) build(t *tree) *Formula {
	stack := []building{{t: t, todo: t.operands(nil)}}
	for {
		top := &stack[len(stack)-1]
		if n := len(top.todo); n > 0 {
			u := top.todo[n-1]
			top.todo = top.todo[:n-1]
			if len(stack) > maxDepth {
				return nil
			}
			stack = append(stack, building{t: u, todo: u.operands(nil)})
			continue
		}
		f := top.f
		switch {
		case top.t.op == OpProp:
			f = s.Prop(top.t.name)
		case top.t.sere != nil:
			f = s.make(node{op: top.t.op, left: f, sere: s.buildSERE(top.t.sere)})
		case top.t.bounds != nil:
			f = s.unrolled(top.t.op, *top.t.bounds, f)
		case top.t.op.Arity() < 2:
			f = s.apply(top.t.op, f, nil)
		}
		if stack = stack[:len(stack)-1]; len(stack) == 0 {
			return f
		}
		if top = &stack[len(stack)-1]; top.f == nil {
			top.f = f
		} else {
			top.f = s.Binary(top.t.op, top.f, f)
		}
	}
}

// A building is a formula that is being made from its operands.
type building struct {
	t    *tree
	f    *Formula // of the operands that are made; nil if none is
	todo []*tree  // the others, the last one first
}

// operands appends the operands, the last one first: all that a conjunction or
// disjunction has, however it is nested.
func (t *tree) operands(list []*tree) []*tree {
	if t.op != OpAnd && t.op != OpOr {
		for _, u := range []*tree{t.right, t.left} {
			if u != nil {
				list = append(list, u)
			}
		}
		return list
	}
	for stack := []*tree{t}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.op == t.op {
			stack = append(stack, u.left, u.right)
		} else {
			list = append(list, u)
		}
	}
	return list
}
