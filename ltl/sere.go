package ltl

// A SERE is an immutable sequential extended regular expression of one Store. It describes a set
// of finite words. Two expressions of one Store are equal if and only if their pointers are.
//
// An expression is not a formula. It occurs in formulas as the r of {r}, {r}<>->f and {r}[]->f.
type SERE struct {
	sereNode
	store *Store
	id    int32
	size  int
	ops   OpSet // of the letters
	null  bool
}

type sereNode struct {
	op          SEREOp
	left, right *SERE
	letter      *Formula
	low, high   int
}

// SEREOp is the operator at the top of an expression.
type SEREOp uint8

// The operators of expressions.
const (
	SERELetter       SEREOp = iota // a Boolean formula: the words of one letter that satisfy it
	SEREEmpty                      // [*0], the empty word
	SEREOr                         // r | s, the words of either
	SEREIntersection               // r && s, the words of both
	SEREAnd                        // r & s, the words of one that start with a word of the other
	SEREConcat                     // r;s, a word of r before a word of s
	SEREFusion                     // r:s, the same, but the last letter of one is the first of the other
	SEREStar                       // r[*i..j], from i to j words of r joined by ;
	SEREFusionStar                 // r[:*i..j], from i to j words of r joined by :
	SEREFirstMatch                 // first_match(r), the words of r that start with no shorter one
)

// Unbounded is the upper bound of an iteration that has none.
const Unbounded = -1

// Arity returns the number of operands: 0, 1 or 2.
func (op SEREOp) Arity() int {
	switch op {
	case SERELetter, SEREEmpty:
		return 0
	case SEREStar, SEREFusionStar, SEREFirstMatch:
		return 1
	}
	return 2
}

// Op returns the operator at the top.
func (r *SERE) Op() SEREOp { return r.op }

// Left returns the operand of a unary operator, or the first of a binary one.
func (r *SERE) Left() *SERE { return r.left }

// Right returns the second operand of a binary operator.
func (r *SERE) Right() *SERE { return r.right }

// Letter returns the Boolean formula of a letter, and nil for other expressions.
func (r *SERE) Letter() *Formula { return r.letter }

// Bounds returns the bounds of an iteration. The second one may be Unbounded.
func (r *SERE) Bounds() (low, high int) { return r.low, r.high }

// ID returns the number of the expression in its Store. The Store numbers expressions from 0
// without gaps, operands before the expressions that contain them.
func (r *SERE) ID() int { return int(r.id) }

// Nullable reports whether the empty word is a word of the expression.
func (r *SERE) Nullable() bool { return r.null }

// Letters returns the distinct letters in the order of the text.
func (r *SERE) Letters() []*Formula {
	var list []*Formula
	seen := map[*SERE]bool{}
	for stack := []*SERE{r}; len(stack) > 0; {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if q == nil || seen[q] {
			continue
		}
		seen[q] = true
		if q.op == SERELetter {
			list = append(list, q.letter)
		}
		stack = append(stack, q.right, q.left)
	}
	return list
}

func (s *Store) makeSERE(n sereNode) *SERE {
	if r, ok := s.expressions[n]; ok {
		return r
	}
	left, right, letter := s.importSERE(n.left), s.importSERE(n.right), s.Import(n.letter)
	if left != n.left || right != n.right || letter != n.letter {
		return s.makeSERE(sereNode{n.op, left, right, letter, n.low, n.high})
	}
	if n.op > SEREFirstMatch || (left != nil) != (n.op.Arity() > 0) || (right != nil) != (n.op.Arity() > 1) ||
		(letter != nil) != (n.op == SERELetter) {
		return nil
	}
	r := &SERE{sereNode: n, store: s, id: int32(len(s.expressions)), size: 1, null: n.nullable()}
	if n.letter != nil {
		r.size, r.ops = n.letter.size, n.letter.ops
	}
	for _, q := range []*SERE{n.left, n.right} {
		if q != nil {
			r.size = addBulk(r.size, q.size)
			r.ops |= q.ops
		}
	}
	if s.expressions == nil {
		s.expressions = make(map[sereNode]*SERE)
	}
	s.expressions[n] = r
	return r
}

func (n *sereNode) nullable() bool {
	switch n.op {
	case SEREEmpty:
		return true
	case SEREOr:
		return n.left.null || n.right.null
	case SEREIntersection, SEREAnd, SEREConcat:
		return n.left.null && n.right.null
	case SEREStar:
		return n.low == 0 || n.left.null
	case SEREFirstMatch:
		return n.left.null
	}
	return false
}

// Letter returns the expression for the words of one letter that satisfies f, which must be
// Boolean.
func (s *Store) Letter(f *Formula) *SERE {
	if f == nil || f.ops&^booleanOps != 0 {
		return nil
	}
	return s.makeSERE(sereNode{op: SERELetter, letter: f})
}

// EmptyWord returns the expression [*0].
func (s *Store) EmptyWord() *SERE { return s.makeSERE(sereNode{op: SEREEmpty}) }

// SEREBinary returns a binary operator applied to q and r. Of two letters, | is one letter, and
// so are & and &&: a | b is the same as a text and as a formula.
func (s *Store) SEREBinary(op SEREOp, q, r *SERE) *SERE {
	if q != nil && r != nil && q.op == SERELetter && r.op == SERELetter {
		switch op {
		case SEREOr:
			return s.Letter(s.Or(q.letter, r.letter))
		case SEREIntersection, SEREAnd:
			return s.Letter(s.And(q.letter, r.letter))
		}
	}
	return s.makeSERE(sereNode{op: op, left: q, right: r})
}

// Star returns r[*low..high]. high may be Unbounded.
func (s *Store) Star(r *SERE, low, high int) *SERE { return s.iteration(SEREStar, r, low, high) }

// FusionStar returns r[:*low..high]. high may be Unbounded.
func (s *Store) FusionStar(r *SERE, low, high int) *SERE {
	return s.iteration(SEREFusionStar, r, low, high)
}

func (s *Store) iteration(op SEREOp, r *SERE, low, high int) *SERE {
	if low < 0 || high != Unbounded && high < low {
		return nil
	}
	return s.makeSERE(sereNode{op: op, left: r, low: low, high: high})
}

// FirstMatch returns first_match(r).
func (s *Store) FirstMatch(r *SERE) *SERE {
	return s.makeSERE(sereNode{op: SEREFirstMatch, left: r})
}

// mapSERE returns r, which may come from another store, with each letter replaced by what build
// makes of it.
func (s *Store) mapSERE(r *SERE, build func(letter *Formula) *Formula) *SERE {
	// Letters are rebuilt one by one, each regular: see rebuild.
	rebuilding, irregular := s.rebuilding, s.irregular
	s.rebuilding = false
	defer func() { s.rebuilding, s.irregular = rebuilding, irregular }()
	made := map[*SERE]*SERE{}
	var at func(r *SERE) *SERE
	at = func(r *SERE) *SERE {
		if q, ok := made[r]; ok {
			return q
		}
		var q *SERE
		switch r.op.Arity() {
		case 0:
			q = s.EmptyWord()
			if r.op == SERELetter {
				q = s.Letter(build(r.letter))
			}
		case 1:
			q = s.makeSERE(sereNode{op: r.op, left: at(r.left), low: r.low, high: r.high})
		default:
			q = s.SEREBinary(r.op, at(r.left), at(r.right))
		}
		made[r] = q
		return q
	}
	return at(r)
}

// importSERE returns r as an expression of s.
func (s *Store) importSERE(r *SERE) *SERE {
	if r == nil || r.store == s {
		return r
	}
	return s.mapSERE(r, s.Import)
}
