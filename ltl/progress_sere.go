package ltl

import (
	"cmp"
	"slices"
)

// derivatives makes the derivatives of expressions by one letter (Brzozowski, "Derivatives of
// regular expressions", 1964). The derivative of r has the words that are left of the words of r
// that start with the letter, without it. It is nil if there is no such word. Otherwise, with r',
// s' for the derivatives of r, s:
//
//	b                 [*0], if the letter satisfies b
//	r | s             r' | s'
//	r ; s             r';s, and s' if r has the empty word
//	r : s             r':s, and s' if the letter is a word of r
//	r && s            r' && s'
//	r & s             r' & s'; and s' if r has the empty word, r' if s has it
//	r[*i..j]          r';r[*i-1..j-1]
//	r[:*0..j]         [*0], and r':r[:*0..j-1]
//	r[:*i..j]         that of r:r[:*i-1..j-1], if i > 0
//	first_match(r)    [*0] if r' has the empty word, otherwise first_match(r')
//
// For example, by a letter with a and without b:
//
//	a[*];b            a[*];b
//	{a;b}[*]          b;{a;b}[*]
//	a[*2..3]          a[*1..2]
//	b | a;b           b
//
// Each expression is derived only once.
type derivatives struct {
	*Store
	value func(prop string) bool
	known map[*SERE]*SERE
}

// progress is the step for {r}, {r}<>->f and {r}[]->f, where f has become operand.
func (d *derivatives) progress(f, operand *Formula) *Formula {
	q := d.of(f.sere)
	ends, rest := q != nil && q.null, d.nonempty(q)
	g := d.constant(f.op == OpSuffixImplication)
	if rest != nil {
		g = d.make(node{op: f.op, left: f.left, sere: rest})
	}
	switch {
	case !ends:
		return g
	case f.op == OpClosure:
		return d.True()
	case f.op == OpSuffixConjunction:
		return d.fold(OpOr, operand, g)
	}
	return d.fold(OpAnd, operand, g)
}

func (d *derivatives) of(r *SERE) *SERE {
	q, ok := d.known[r]
	if !ok {
		q = d.derive(r)
		d.known[r] = q
	}
	return q
}

func (d *derivatives) derive(r *SERE) *SERE {
	switch r.op {
	case SERELetter:
		holds, err := r.letter.Holds(0, 1, func(prop string, _ int) bool { return d.value(prop) })
		if holds && err == nil {
			return d.EmptyWord()
		}
	case SEREOr:
		return d.union(d.of(r.left), d.of(r.right))
	case SEREConcat:
		q := d.concat(d.of(r.left), r.right)
		if r.left.null {
			q = d.union(q, d.of(r.right))
		}
		return q
	case SEREFusion:
		return d.fusion(d.of(r.left), r.right)
	case SEREIntersection:
		return d.both(r.op, d.of(r.left), d.of(r.right))
	case SEREAnd:
		q := d.both(r.op, d.of(r.left), d.of(r.right))
		if r.left.null {
			q = d.union(q, d.of(r.right))
		}
		if r.right.null {
			q = d.union(q, d.of(r.left))
		}
		return q
	case SEREStar:
		if r.high != 0 {
			return d.concat(d.of(r.left), d.less(r))
		}
	case SEREFusionStar:
		switch {
		case r.low > 0:
			return d.fusion(d.of(r.left), d.less(r))
		case r.high != 0:
			return d.union(d.EmptyWord(), d.fuse(d.of(r.left), d.less(r)))
		}
		return d.EmptyWord()
	case SEREFirstMatch:
		return d.first(r)
	}
	return nil // [*0] and r[*0..0]
}

// first returns the derivative of first_match(r).
func (d *derivatives) first(r *SERE) *SERE {
	if r.null {
		return nil
	}
	q := d.of(r.left)
	if q == nil || q.op == SEREEmpty || q.op == SEREFirstMatch {
		return q
	}
	if q.null {
		return d.EmptyWord()
	}
	return d.FirstMatch(q)
}

// less returns an iteration with one word less, or what may replace it after ; or :.
func (d *derivatives) less(r *SERE) *SERE {
	low, high := max(r.low-1, 0), r.high
	if high != Unbounded {
		high--
	}
	switch {
	case low == 1 && high == 1:
		return r.left
	case r.op == SEREFusionStar:
		return d.FusionStar(r.left, low, high)
	case high == 0:
		return d.EmptyWord()
	}
	return d.Star(r.left, low, high)
}

// fusion returns the derivative of an expression r:s, if that of r is q.
func (d *derivatives) fusion(q, s *SERE) *SERE {
	if q == nil || !q.null {
		return d.fuse(q, s)
	}
	return d.union(d.fuse(q, s), d.of(s))
}

// The following operations take and return nil for the expression without words.

// concat returns q;r.
func (d *derivatives) concat(q, r *SERE) *SERE {
	switch {
	case q == nil:
		return nil
	case q.op == SEREEmpty:
		return r
	case r.op == SEREEmpty:
		return q
	}
	return d.SEREBinary(SEREConcat, q, r)
}

// fuse returns q:s. An empty word can't be fused, and s[:*0..0] are the words of one letter.
func (d *derivatives) fuse(q, s *SERE) *SERE {
	q = d.nonempty(q)
	if q == nil || s.op == SEREFusionStar && s.high == 0 {
		return q
	}
	return d.SEREBinary(SEREFusion, q, s)
}

// both returns q && r or q & r.
func (d *derivatives) both(op SEREOp, q, r *SERE) *SERE {
	switch {
	case q == nil || r == nil:
		return nil
	case q == r:
		return q
	case r.op == SEREEmpty:
		q, r = r, q
	}
	switch {
	case q.op != SEREEmpty:
		return d.SEREBinary(op, q, r)
	case op == SEREAnd:
		return r
	case r.null:
		return q
	}
	return nil
}

// union returns q | r, with each operand once and in a fixed order. So an expression has finitely
// many derivatives (Brzozowski's theorem 5.2).
func (d *derivatives) union(q, r *SERE) *SERE {
	var list []*SERE
	for _, part := range []*SERE{q, r} {
		if part != nil && part.op == SEREOr {
			list = append(list, part.operands()...)
		} else if part != nil {
			list = append(list, part)
		}
	}
	slices.SortFunc(list, func(q, r *SERE) int { return cmp.Compare(q.id, r.id) })
	list = slices.Compact(list)
	for i, part := range list {
		other := func(r *SERE) bool { return r.null && r != part }
		if part.op == SEREEmpty && slices.ContainsFunc(list, other) {
			list = slices.Delete(list, i, i+1)
			break
		}
	}
	return d.join(list)
}

// nonempty returns q, without the operand [*0] if it is a union.
func (d *derivatives) nonempty(q *SERE) *SERE {
	switch {
	case q == nil || q.op == SEREEmpty:
		return nil
	case q.op != SEREOr:
		return q
	}
	empty := func(r *SERE) bool { return r.op == SEREEmpty }
	return d.join(slices.DeleteFunc(q.operands(), empty))
}

func (d *derivatives) join(list []*SERE) *SERE {
	if len(list) == 0 {
		return nil
	}
	q := list[0]
	for _, r := range list[1:] {
		q = d.SEREBinary(SEREOr, q, r)
	}
	return q
}
