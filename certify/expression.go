package certify

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// match finds the truth of {r}, {r}<>->f or {r}[]->f at each position, given the truth of f. For {r}, f is 1.
func (d *derivatives) match(f *ltl.Formula, w *Word, a, list []value) error {
	var letters []*reading
	for p := range list {
		letters = append(letters, &reading{letter: w.at(p), known: map[*ltl.SERE]*ltl.SERE{nil: nil}})
	}
	for p := range list {
		// There are finitely many pairs of a position and a derivative. So the derivatives by the
		// prefixes of the word end with the empty set, or repeat.
		type node struct {
			pos int
			r   *ltl.SERE
		}
		var path numbering[node]
		some, all := no, yes // of the positions of the last letters of words of r: where f holds
		n := node{p, f.SERE()}
		for steps := 0; n.r != nil && path.of(n) == steps; steps++ {
			by := letters[n.pos]
			rest := d.of(n.r, by)
			switch {
			case d.err != nil:
				return d.err
			case by.undecided != "":
				return &OpenError{by.undecided}
			case nullable(rest):
				some, all = max(some, a[n.pos]), min(all, a[n.pos])
			}
			n = node{w.next(n.pos), rest}
		}
		switch f.Op() {
		case ltl.OpClosure: // or no prefix is bad: each can go on to a word of r, since the longest can
			list[p] = max(some, valueOf(!d.same(n.r, nil)))
		case ltl.OpSuffixConjunction:
			list[p] = some
		case ltl.OpSuffixImplication:
			list[p] = all
		}
	}
	return d.err
}

// derivatives makes expressions of its Store. nil is the expression without words. By Brzozowski (1964, Theorem
// 5.2), an expression has finitely many derivatives if unions have each operand once and in one order.
type derivatives struct {
	*ltl.Store
	ctx  context.Context
	work int // expressions that were asked for
	err  error
}

const maxWork = 1 << 21 // for one formula and word

// A reading is a letter that is read, and the derivatives that are known. They mean nothing if the letter leaves
// a proposition undecided on which they depend.
type reading struct {
	letter    Letter
	label     *ltl.Formula // the letter as a formula
	known     map[*ltl.SERE]*ltl.SERE
	undecided string
}

// of returns the words of r that start with the letter, without this letter: Brzozowski,
// "Derivatives of regular expressions" (1964). The result means nothing once d.err is set.
//
// By the letter a&!b, {a;b} becomes {b}, and {a;b}[*] becomes {b;{a;b}[*]}. By a&b, the
// derivative of {a:b} has the empty word: this letter is the end of a and the start of b.
func (d *derivatives) of(r *ltl.SERE, by *reading) *ltl.SERE {
	q, ok := by.known[r]
	if d.work++; !ok && d.err == nil {
		if d.work > maxWork {
			d.err = ErrLarge
		}
		d.err = cmp.Or(d.ctx.Err(), d.err)
		q = d.derive(r, by)
		by.known[r] = q
	}
	return q
}

func (d *derivatives) derive(r *ltl.SERE, by *reading) *ltl.SERE {
	left, right := r.Left(), r.Right()
	low, high := r.Bounds()
	less := high - 1 // the upper bound of an iteration after one word of it
	if high == ltl.Unbounded {
		less = high
	}
	switch r.Op() {
	case ltl.SERELetter:
		switch boolean(r.Letter(), by.letter) {
		case yes:
			return d.EmptyWord()
		case open:
			props := r.Letter().Props()
			by.undecided = props[slices.IndexFunc(props, func(p string) bool { return by.letter.value(p) == open })]
		}
	case ltl.SEREOr:
		return d.union(d.of(left, by), d.of(right, by))
	case ltl.SEREIntersection:
		return d.both(r.Op(), d.of(left, by), d.of(right, by))
	case ltl.SEREAnd:
		rest := d.Star(d.Letter(d.True()), 0, ltl.Unbounded) // r & s is {r && {s;1[*]}} | {{r;1[*]} && s}
		long := d.both(ltl.SEREIntersection, left, d.both(ltl.SEREConcat, right, rest))
		return d.of(d.union(long, d.both(ltl.SEREIntersection, d.both(ltl.SEREConcat, left, rest), right)), by)
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
		if q := d.of(left, by); q != nil && !left.Nullable() {
			return d.FirstMatch(q)
		}
	}
	return nil
}

// fused returns the derivative of r:s, given the derivative q of r. If that has the empty word, the
// letter may be the last one of a word of r, and the first one of s.
func (d *derivatives) fused(q, s *ltl.SERE, by *reading) *ltl.SERE {
	fusion := d.both(ltl.SEREFusion, q, s)
	if nullable(q) {
		fusion = d.union(fusion, d.of(s, by))
	}
	return fusion
}

// nullable reports whether the empty word is a word of the expression.
func nullable(r *ltl.SERE) bool { return r != nil && r.Nullable() }

// both returns a binary operator other than | applied to two expressions.
func (d *derivatives) both(op ltl.SEREOp, q, r *ltl.SERE) *ltl.SERE {
	switch {
	case q == nil || r == nil:
		return nil
	case op == ltl.SEREConcat && q.Op() == ltl.SEREEmpty:
		return r
	case op == ltl.SEREConcat && r.Op() == ltl.SEREEmpty:
		return q
	}
	return d.SEREBinary(op, q, r)
}

// union returns q | r.
func (d *derivatives) union(q, r *ltl.SERE) (all *ltl.SERE) {
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
	d.work += len(list)
	for i, part := range slices.Compact(list) {
		if i == 0 {
			all = part
		} else {
			all = d.SEREBinary(ltl.SEREOr, all, part)
		}
	}
	return all
}

// same reports whether two expressions have the same words, except for the empty word. They do if the derivatives
// by each other word both have the empty word, or both lack it.
func (d *derivatives) same(q, r *ltl.SERE) bool {
	var pairs numbering[[2]*ltl.SERE]
	pairs.of([2]*ltl.SERE{q, r})
	for i := 0; i < len(pairs.list); i++ {
		q, r := pairs.list[i][0], pairs.list[i][1]
		for _, by := range d.letters(q, r) {
			x, y := d.of(q, by), d.of(r, by)
			if nullable(x) != nullable(y) {
				return false
			}
			pairs.of([2]*ltl.SERE{x, y})
		}
	}
	return true
}

// letters returns cubes of letters on which derivatives of the expressions are the same. Together they are all
// letters.
func (d *derivatives) letters(list ...*ltl.SERE) (all []*reading) {
	todo := []*reading{{letter: Letter{}, label: d.True()}}
	for i := 0; i < len(todo) && d.err == nil; i++ {
		by := todo[i]
		by.known = map[*ltl.SERE]*ltl.SERE{nil: nil}
		for _, r := range list {
			d.of(r, by)
		}
		if by.undecided == "" {
			all = append(all, by)
			continue
		}
		literal := d.Prop(by.undecided)
		for _, truth := range []bool{true, false} {
			half := &reading{letter: maps.Clone(by.letter), label: d.And(by.label, literal)}
			half.letter[by.undecided] = truth
			todo, literal = append(todo, half), d.Not(literal)
		}
	}
	return all
}

// boolean returns the truth of a Boolean formula for a letter.
func boolean(f *ltl.Formula, l Letter) value {
	if f == nil {
		return open
	}
	return apply(f.Op(), boolean(f.Left(), l), boolean(f.Right(), l), l.value(f.Name())) // of a proposition, the last one
}
