package certify

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// ErrExpression reports a regular expression with too many derivatives, or with letters over too
// many propositions.
var ErrExpression = errors.New("regular expression too large for naive evaluation")

// match finds the truth of {r}, {r}<>->f or {r}[]->f at each position, given the truth of f. Every letter must
// have the propositions of r.
func (d *derivatives) match(f *ltl.Formula, w *Word, a, list []value) error {
	letters := make([]reading, len(list))
	for _, name := range f.Props() {
		for p := range list {
			if w.at(p).value(name) == open {
				return &OpenError{name}
			}
		}
	}
	for p := range list {
		letters[p] = reading{w.at(p).value, map[*ltl.SERE]*ltl.SERE{}}
	}
	for p := range list {
		// There are finitely many pairs of a position and a derivative. So the derivatives by the
		// prefixes of the word end with the empty set, or repeat.
		type node struct {
			pos int
			r   *ltl.SERE
		}
		var path numbering[node]
		some, all := false, true // of the positions of the last letters of words of r: where f holds
		n := node{p, f.SERE()}
		for n.r != nil && d.err == nil {
			if before := len(path.list); path.of(n) < before {
				break
			}
			rest := d.of(n.r, letters[n.pos])
			if rest != nil && rest.Nullable() {
				here := f.Op() == ltl.OpClosure || a[n.pos] == yes
				some, all = some || here, all && here
			}
			n = node{w.next(n.pos), rest}
		}
		switch f.Op() {
		case ltl.OpClosure: // or no prefix is bad: each can go on to a word of r, since the longest can
			list[p] = valueOf(some || n.r != nil && d.alive(n.r))
		case ltl.OpSuffixConjunction:
			list[p] = valueOf(some)
		case ltl.OpSuffixImplication:
			list[p] = valueOf(all)
		}
		if d.err != nil {
			return d.err
		}
	}
	return nil
}

// derivatives makes expressions of its Store. nil is the expression without words. By Brzozowski
// (1964, Theorem 5.2), an expression has finitely many derivatives if unions have each operand once
// and in one order.
type derivatives struct {
	*ltl.Store
	ctx  context.Context
	work int // expressions that were asked for
	err  error
}

const (
	maxProps = 10      // where all letters are tried
	maxWork  = 1 << 21 // for one formula and word
)

// A reading is a letter that is read: the truth of propositions, and the derivatives that are known.
type reading struct {
	prop  func(name string) value
	known map[*ltl.SERE]*ltl.SERE
}

// of returns the words of r that start with the letter, without this letter: Brzozowski,
// "Derivatives of regular expressions" (1964). The result means nothing once d.err is set.
//
// By the letter a&!b, {a;b} becomes {b}, and {a;b}[*] becomes {b;{a;b}[*]}. By a&b, the
// derivative of {a:b} has the empty word: this letter is the end of a and the start of b.
func (d *derivatives) of(r *ltl.SERE, by reading) *ltl.SERE {
	q, ok := by.known[r]
	if d.work++; !ok && d.err == nil {
		if d.work > maxWork {
			d.err = ErrExpression
		}
		d.err = cmp.Or(d.ctx.Err(), d.err)
		q = d.derive(r, by)
		by.known[r] = q
	}
	return q
}

func (d *derivatives) derive(r *ltl.SERE, by reading) *ltl.SERE {
	left, right := r.Left(), r.Right()
	low, high := r.Bounds()
	less := high - 1 // the upper bound of an iteration after one word of it
	if high == ltl.Unbounded {
		less = high
	}
	switch r.Op() {
	case ltl.SERELetter:
		if boolean(r.Letter(), by.prop) == yes {
			return d.EmptyWord()
		}
	case ltl.SEREOr:
		return d.union(d.of(left, by), d.of(right, by))
	case ltl.SEREIntersection:
		return d.both(r.Op(), d.of(left, by), d.of(right, by))
	case ltl.SEREAnd:
		q, s := d.of(left, by), d.of(right, by)
		both := d.both(r.Op(), q, s)
		if left.Nullable() {
			both = d.union(both, s)
		}
		if right.Nullable() {
			both = d.union(both, q)
		}
		return both
	case ltl.SEREConcat:
		q := d.both(r.Op(), d.of(left, by), right)
		if left.Nullable() {
			q = d.union(q, d.of(right, by))
		}
		return q
	case ltl.SEREFusion:
		return d.fused(d.of(left, by), right, by)
	case ltl.SEREStar:
		if high != 0 {
			return d.both(ltl.SEREConcat, d.of(left, by), d.Star(left, max(low-1, 0), less))
		}
	case ltl.SEREFusionStar:
		// r[:*0..j] is 1 | r:r[:*0..j-1]. A word of r of one letter may be left out of the chain, so
		// that one more letter is read in the first word.
		q := d.of(left, by)
		switch {
		case low > 0:
			return d.fused(q, d.FusionStar(left, low-1, less), by)
		case high != 0:
			return d.union(d.EmptyWord(), d.both(ltl.SEREFusion, q, d.FusionStar(left, 0, less)))
		}
		return d.EmptyWord()
	case ltl.SEREFirstMatch:
		switch q := d.of(left, by); {
		case left.Nullable() || q == nil:
		case q.Nullable():
			return d.EmptyWord()
		default:
			return d.FirstMatch(q)
		}
	}
	return nil
}

// fused returns the derivative of r:s, given the derivative q of r. If that has the empty word, the
// letter may be the last one of a word of r, and the first one of s.
func (d *derivatives) fused(q, s *ltl.SERE, by reading) *ltl.SERE {
	fusion := d.both(ltl.SEREFusion, q, s)
	if q != nil && q.Nullable() {
		fusion = d.union(fusion, d.of(s, by))
	}
	return fusion
}

// both returns a binary operator other than | applied to two expressions.
func (d *derivatives) both(op ltl.SEREOp, q, r *ltl.SERE) *ltl.SERE {
	switch {
	case q == nil || r == nil:
		return nil
	case op == ltl.SEREConcat && q.Op() == ltl.SEREEmpty:
		return r
	case op == ltl.SEREConcat && r.Op() == ltl.SEREEmpty:
		return q
	case op == ltl.SEREFusion && q.Op() == ltl.SEREEmpty:
		return nil
	}
	return d.SEREBinary(op, q, r)
}

// union returns q | r.
func (d *derivatives) union(q, r *ltl.SERE) *ltl.SERE {
	var list []*ltl.SERE
	for _, part := range []*ltl.SERE{q, r} {
		for ; part != nil && part.Op() == ltl.SEREOr; part = part.Left() { // unions are nested to the left
			list = append(list, part.Right())
		}
		list = append(list, part)
	}
	list = slices.DeleteFunc(list, func(part *ltl.SERE) bool { return part == nil })
	// So equal sets are the same expression.
	slices.SortFunc(list, func(a, b *ltl.SERE) int { return cmp.Compare(a.ID(), b.ID()) })
	list = slices.Compact(list)
	if len(list) == 0 {
		return nil
	}
	d.work += len(list)
	all := list[0]
	for _, part := range list[1:] {
		all = d.SEREBinary(ltl.SEREOr, all, part)
	}
	return all
}

// alive reports whether r has a word: whether some word of letters leads to a derivative that has the
// empty word.
func (d *derivatives) alive(r *ltl.SERE) bool {
	var found numbering[*ltl.SERE]
	found.of(r)
	for i := 0; i < len(found.list) && d.err == nil; i++ {
		q := found.list[i]
		if q.Nullable() {
			return true
		}
		var props []string
		for _, l := range first(q) {
			props = append(props, l.Props()...)
		}
		slices.Sort(props)
		if props = slices.Compact(props); len(props) > maxProps {
			d.err = ErrExpression
			return false
		}
		for v := range 1 << len(props) { // all letters over the propositions that q depends on
			prop := func(name string) value { return valueOf(v>>slices.Index(props, name)&1 != 0) }
			if rest := d.of(q, reading{prop, map[*ltl.SERE]*ltl.SERE{}}); rest != nil {
				found.of(rest)
			}
		}
	}
	return false
}

// first returns the letters that the derivatives of r depend on.
func first(r *ltl.SERE) (list []*ltl.Formula) {
	if r == nil {
		return nil
	}
	if r.Op() == ltl.SERELetter {
		list = append(list, r.Letter())
	}
	list = append(list, first(r.Left())...)
	if r.Op() != ltl.SEREConcat || r.Left().Nullable() {
		list = append(list, first(r.Right())...)
	}
	return list
}

// boolean returns the truth of a Boolean formula for a letter.
func boolean(f *ltl.Formula, prop func(name string) value) value {
	if f == nil {
		return open
	}
	if f.Op() == ltl.OpProp {
		return prop(f.Name())
	}
	return apply(f.Op(), boolean(f.Left(), prop), boolean(f.Right(), prop), open)
}
