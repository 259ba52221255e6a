package translate

import (
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An expression is an automaton for the words of a regular expression: nondeterministic, on finite
// words, without empty moves. From each state, a final one can be reached. State 0 is initial.
type expression struct {
	steps [][]step // by state; nil: no longer word
	final []bool
	part  []int32 // strongly connected component
	kind  []loops // by state
}

// A step reads a letter of the label.
type step struct {
	label omega.Label
	to    int
}

// loops says how a state of an expression is on cycles.
type loops uint8

const (
	noLoop   loops = iota
	selfLoop       // the only cycle is the edge to itself
	cyclic         // there are cycles through other states
)

// A derivation makes automata of expressions by partial derivatives (Antimirov, "Partial
// derivatives of regular expressions and finite automaton constructions", 1996). What is left of
// the words of r after a letter is a set of expressions, the terms of r:
//
//	r | s                those of r and of s
//	r ; s                q;s for each q of r; and those of s, if r has the empty word
//	r : s                q:s for each q of r; and those of s on the letters that are words of r
//	r && s, r & s        q && t, or q & t, for each q of r and t of s; for &, also those of one
//	                     alone, if the other one has the empty word
//	r[*i..j]             q;r[*i-1..j-1] for each q of r
//	r[:*0..j]            the empty word; and q:r[:*0..j-1] for each q of r
//	r[:*i..j]            those of r:r[:*i-1..j-1], i > 0
//	first_match(r)       first_match(q | …) for all q of r on a letter
//
// For example:
//
//	a[*];b               a[*];b on a, and [*0] on b
//	{a;b}[*]             b;{a;b}[*] on a
//	a[*2..3]             a[*1..2] on a
//	{a;b}:{b;a}          b:{b;a} on a
//	a[*] && {1;b}        a[*] && b on a
//	first_match(a[+])    [*0] on a
type derivation struct {
	*budget.Budget
	s        *ltl.Store
	alphabet *omega.Alphabet
	known    map[*ltl.SERE][]derivative
	unions   map[string]*ltl.SERE // by their operands
	made     map[*ltl.SERE]*expression
}

// A derivative is what is left after a letter of the label.
type derivative struct {
	label omega.Label
	rest  *ltl.SERE
}

func newDerivation(b *budget.Budget, s *ltl.Store, alphabet *omega.Alphabet) *derivation {
	return &derivation{
		Budget: b, s: s, alphabet: alphabet,
		known: make(map[*ltl.SERE][]derivative), unions: make(map[string]*ltl.SERE),
		made: make(map[*ltl.SERE]*expression),
	}
}

// of returns the terms of r. They differ in what is left.
func (d *derivation) of(r *ltl.SERE) []derivative {
	list, ok := d.known[r]
	if !ok && d.Err() == nil {
		list = d.merged(d.derive(r))
		d.known[r] = list
	}
	return list
}

func (d *derivation) derive(r *ltl.SERE) []derivative {
	left, right := r.Left(), r.Right()
	switch r.Op() {
	case ltl.SERELetter:
		label, err := d.alphabet.Formula(r.Letter())
		if err != nil {
			d.Fail(err)
		}
		return d.add(nil, label, d.s.EmptyWord())
	case ltl.SEREOr:
		return slices.Concat(d.of(left), d.of(right))
	case ltl.SEREConcat:
		list := d.each(d.of(left), func(q *ltl.SERE) *ltl.SERE { return d.concat(q, right) })
		if left.Nullable() {
			list = slices.Concat(list, d.of(right))
		}
		return list
	case ltl.SEREFusion:
		list := d.fused(d.of(left), right)
		return slices.Concat(list, d.on(d.word(left), d.of(right)))
	case ltl.SEREIntersection, ltl.SEREAnd:
		return d.pairs(r.Op(), left, right)
	case ltl.SEREStar:
		if _, high := r.Bounds(); high == 0 {
			return nil
		}
		return d.each(d.of(left), func(q *ltl.SERE) *ltl.SERE { return d.concat(q, d.less(r)) })
	case ltl.SEREFusionStar:
		return d.chain(r)
	case ltl.SEREFirstMatch:
		if left.Nullable() {
			return nil // only the empty word
		}
		return d.first(left)
	}
	return nil // the empty word
}

// add appends a term, unless no letter leads to it.
func (d *derivation) add(list []derivative, label omega.Label, rest *ltl.SERE) []derivative {
	if d.Spend(1+d.alphabet.Len()/16) || label == omega.False || rest == nil {
		return list
	}
	return append(list, derivative{label, rest})
}

// each returns the terms of a list with something else left. It leaves out terms for which that is
// nil.
func (d *derivation) each(list []derivative, rest func(q *ltl.SERE) *ltl.SERE) []derivative {
	var result []derivative
	for _, x := range list {
		result = d.add(result, x.label, rest(x.rest))
	}
	return result
}

// merged returns a list with each rest once.
func (d *derivation) merged(list []derivative) []derivative {
	place := make(map[*ltl.SERE]int)
	var result []derivative
	for _, x := range list {
		if i, ok := place[x.rest]; ok {
			d.Spend(1)
			result[i].label = d.alphabet.Or(result[i].label, x.label)
			continue
		}
		place[x.rest] = len(result)
		result = append(result, x)
	}
	return result
}

// on returns the terms on the letters of a label only.
func (d *derivation) on(label omega.Label, list []derivative) []derivative {
	var result []derivative
	for _, x := range list {
		result = d.add(result, d.alphabet.And(label, x.label), x.rest)
	}
	return result
}

// word returns the letters that are words of r.
func (d *derivation) word(r *ltl.SERE) omega.Label {
	label := omega.False
	for _, x := range d.of(r) {
		if x.rest.Nullable() {
			label = d.alphabet.Or(label, x.label)
		}
	}
	return label
}

// concat returns q;r.
func (d *derivation) concat(q, r *ltl.SERE) *ltl.SERE {
	switch {
	case q.Op() == ltl.SEREEmpty:
		return r
	case r.Op() == ltl.SEREEmpty:
		return q
	}
	return d.s.SEREBinary(ltl.SEREConcat, q, r)
}

// fused returns q:r for each q of a list. The empty word can't be fused.
func (d *derivation) fused(list []derivative, r *ltl.SERE) []derivative {
	return d.each(list, func(q *ltl.SERE) *ltl.SERE {
		if q.Op() == ltl.SEREEmpty {
			return nil
		}
		return d.s.SEREBinary(ltl.SEREFusion, q, r)
	})
}

// pairs returns the terms of an intersection.
func (d *derivation) pairs(op ltl.SEREOp, left, right *ltl.SERE) []derivative {
	var list []derivative
	for _, x := range d.of(left) {
		for _, y := range d.of(right) {
			if label := d.alphabet.And(x.label, y.label); label != omega.False {
				list = d.add(list, label, d.both(op, x.rest, y.rest))
			}
			if d.Err() != nil {
				return nil
			}
		}
	}
	if op == ltl.SEREAnd && left.Nullable() {
		list = slices.Concat(list, d.of(right))
	}
	if op == ltl.SEREAnd && right.Nullable() {
		list = slices.Concat(list, d.of(left))
	}
	return list
}

// both returns q && r or q & r, or nil if it has no word.
func (d *derivation) both(op ltl.SEREOp, q, r *ltl.SERE) *ltl.SERE {
	for _, x := range [2][2]*ltl.SERE{{q, r}, {r, q}} {
		switch {
		case x[0].Op() != ltl.SEREEmpty:
		case op == ltl.SEREAnd || x[1].Op() == ltl.SEREEmpty:
			return x[1]
		case x[1].Nullable():
			return x[0]
		default:
			return nil
		}
	}
	if q == r {
		return q
	}
	return d.s.SEREBinary(op, q, r)
}

// less returns an iteration with one word less.
func (d *derivation) less(r *ltl.SERE) *ltl.SERE {
	low, high := r.Bounds()
	if low > 0 {
		low--
	}
	if high != ltl.Unbounded {
		high--
	}
	switch {
	case r.Op() == ltl.SEREFusionStar:
		return d.s.FusionStar(r.Left(), low, high)
	case high == 0:
		return d.s.EmptyWord()
	case low == 1 && high == 1:
		return r.Left()
	}
	return d.s.Star(r.Left(), low, high)
}

// chain returns the terms of r[:*i..j]. A word of one letter leaves what is left to the other
// words.
func (d *derivation) chain(r *ltl.SERE) []derivative {
	var list []derivative
	words, one := d.of(r.Left()), d.word(r.Left())
	on := d.alphabet.True()
	for low, _ := r.Bounds(); low > 0; low-- {
		r = d.less(r)
		list = slices.Concat(list, d.on(on, d.fused(words, r)))
		if on = one; on == omega.False || d.Stop() {
			return list
		}
	}
	list = d.add(list, on, d.s.EmptyWord())
	if _, high := r.Bounds(); high != 0 {
		list = slices.Concat(list, d.on(on, d.fused(words, d.less(r))))
	}
	return list
}

// first returns the terms of first_match(r): one for each set of letters with the same terms of r.
func (d *derivation) first(r *ltl.SERE) []derivative {
	type class struct {
		label omega.Label
		rest  []*ltl.SERE
	}
	classes := []class{{d.alphabet.True(), nil}}
	for _, x := range d.of(r) {
		for i := range len(classes) {
			if d.Spend(1 + len(classes[i].rest)) {
				return nil
			}
			c := classes[i]
			in := d.alphabet.And(c.label, x.label)
			if in == omega.False {
				continue
			}
			if out := d.alphabet.And(c.label, d.alphabet.Not(x.label)); out != omega.False {
				classes = append(classes, class{out, c.rest})
			}
			classes[i] = class{in, append(slices.Clip(c.rest), x.rest)}
		}
	}
	var list []derivative
	for _, c := range classes {
		if len(c.rest) > 0 {
			list = d.add(list, c.label, d.union(c.rest))
		}
	}
	return list
}

// union returns first_match(q | …).
func (d *derivation) union(list []*ltl.SERE) *ltl.SERE {
	// Operands of | are terms of their own, so that there are finitely many sets.
	var terms []*ltl.SERE
	for stack := slices.Clone(list); len(stack) > 0; {
		q := stack[0]
		stack = stack[1:]
		if q.Nullable() {
			return d.s.EmptyWord()
		}
		if q.Op() == ltl.SEREOr {
			stack = append([]*ltl.SERE{q.Left(), q.Right()}, stack...)
		} else if !slices.Contains(terms, q) {
			terms = append(terms, q)
		}
		d.Spend(1 + len(terms))
	}
	var key []byte
	ids := make([]int, len(terms))
	for i, q := range terms {
		ids[i] = q.ID()
	}
	slices.Sort(ids)
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	if r, ok := d.unions[string(key)]; ok {
		return r
	}
	r := terms[0]
	for _, q := range terms[1:] {
		r = d.s.SEREBinary(ltl.SEREOr, r, q)
	}
	if r.Op() != ltl.SEREFirstMatch {
		r = d.s.FirstMatch(r)
	}
	d.unions[string(key)] = r
	return r
}
