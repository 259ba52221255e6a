package ltl

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
)

// labels is a Boolean algebra of sets of letters. Its zero value is the empty set, and no other
// value is.
type labels[L comparable] interface {
	Letter(f *Formula) L // the letters that satisfy a Boolean formula
	And(x, y L) L
	Or(x, y L) L
	Not(x L) L
	// Spend counts steps. Once it returns true, results mean nothing.
	Spend(n int) bool
}

// A derivation makes automata of expressions by partial derivatives (Antimirov, "Partial
// derivatives of regular expressions and finite automaton constructions", 1996). After a letter, a
// set of expressions remains of r, its terms. A word of r is a letter and a word of one of them:
//
//	b                the empty word, on the letters that satisfy b
//	r | s            the terms of r and of s
//	r ; s            q;s for each term q of r; and the terms of s, if r has the empty word
//	r : s            q:s for each term q of r; and the terms of s on the letters that are words of r
//	r && s, r & s    q && t, or q & t, for all terms q of r and t of s; for &, also the terms of one
//	                 alone, if the other one has the empty word
//	r[*i..j]         q;r[*i-1..j-1] for each term q of r
//	r[:*0..j]        the empty word; and q:r[:*0..j-1] for each term q of r
//	r[:*i..j]        the terms of r:r[:*i-1..j-1], if i > 0
//	first_match(r)   first_match(q | …) for all terms q of r on a letter
//
// For example:
//
//	a[*];b               a[*];b on a, and [*0] on b
//	{a;b}[*]             b;{a;b}[*] on a
//	a[*2..3]             a[*1..2] on a
//	{a;b}:{b;a}          b:{b;a} on a
//	a[*] && {1;b}        a[*] && b on a
//	first_match(a[+])    [*0] on a
//
// Package translate derives by sets of letters, Formula.Holds and Store.Progress by one letter.
type derivation[L comparable] struct {
	store  *Store
	labels labels[L]
	known  map[*SERE][]derivative[L]
	unions map[string]*SERE // by the terms
	place  map[*SERE]int    // scratch
}

// A derivative is a term, and the letters after which it remains.
type derivative[L comparable] struct {
	On   L
	Rest *SERE
}

// newDerivation returns a derivation of the expressions of s.
func newDerivation[L comparable](s *Store, labels labels[L]) *derivation[L] {
	return &derivation[L]{s, labels, make(map[*SERE][]derivative[L]), make(map[string]*SERE), make(map[*SERE]int)}
}

// Derive returns a function for the terms of an expression of s, each once, with the letters after
// which it remains, as a set of letters of the algebra. Derived terms are kept.
func Derive[L comparable](s *Store, algebra labels[L]) func(r *SERE) iter.Seq2[L, *SERE] {
	if s == nil || algebra == nil {
		return func(*SERE) iter.Seq2[L, *SERE] { return func(func(L, *SERE) bool) {} }
	}
	d := newDerivation(s, algebra)
	return func(r *SERE) iter.Seq2[L, *SERE] {
		return func(yield func(L, *SERE) bool) {
			for _, x := range d.of(r) {
				if !yield(x.On, x.Rest) {
					return
				}
			}
		}
	}
}

// of returns the terms of r, each once. The result must not be changed.
func (d *derivation[L]) of(r *SERE) []derivative[L] {
	list, ok := d.known[r]
	if ok || d.labels.Spend(0) {
		return list
	}
	all := d.derive(r)
	clear(d.place)
	for _, x := range all {
		if i, ok := d.place[x.Rest]; ok { // one term for each rest
			d.labels.Spend(1)
			list[i].On = d.labels.Or(list[i].On, x.On)
			continue
		}
		d.place[x.Rest] = len(list)
		list = append(list, x)
	}
	d.known[r] = list
	return list
}

// derive returns the terms of r. The same one may occur more than once.
func (d *derivation[L]) derive(r *SERE) (list []derivative[L]) {
	s, op := d.store, r.op
	switch op {
	case SERELetter:
		return d.add(nil, d.labels.Letter(r.letter), s.EmptyWord())
	case SEREOr:
		for _, q := range r.operands(op) {
			list = append(list, d.of(q)...)
		}
	case SEREConcat:
		for _, x := range d.of(r.left) {
			list = d.add(list, x.On, s.concat(x.Rest, r.right))
		}
		if r.left.null {
			list = append(list, d.of(r.right)...)
		}
	case SEREFusion:
		list = d.fusion(r.left, r.right)
	case SEREIntersection, SEREAnd:
		for _, x := range d.of(r.left) {
			for _, y := range d.of(r.right) {
				if both := s.both(op, x.Rest, y.Rest); both != nil {
					list = d.add(list, d.labels.And(x.On, y.On), both)
				}
				if d.labels.Spend(0) {
					return nil
				}
			}
		}
		if op == SEREAnd && r.left.null {
			list = append(list, d.of(r.right)...)
		}
		if op == SEREAnd && r.right.null {
			list = append(list, d.of(r.left)...)
		}
	case SEREStar:
		// Empty words of r need no derivatives: they may also come last, where r[*i-1..j-1] has them.
		if r.high != 0 {
			for _, x := range d.of(r.left) {
				list = d.add(list, x.On, s.concat(x.Rest, s.less(r)))
			}
		}
	case SEREFusionStar:
		if r.low > 0 {
			return d.fusion(r.left, s.less(r))
		}
		list = d.add(nil, d.all(), s.EmptyWord()) // the words of one letter
		if r.high != 0 {
			list = d.fuse(list, d.of(r.left), s.less(r))
		}
	case SEREFirstMatch:
		if !r.left.null { // otherwise it has only the empty word
			list = d.first(r.left)
		}
	}
	return list // of [*0] there are none
}

func (d *derivation[L]) none() (empty L) { return empty }
func (d *derivation[L]) all() L          { return d.labels.Not(d.none()) }

// add appends a term, unless no letter leads to it.
func (d *derivation[L]) add(list []derivative[L], on L, rest *SERE) []derivative[L] {
	if d.labels.Spend(1) || on == d.none() {
		return list
	}
	return append(list, derivative[L]{on, rest})
}

// on appends the terms of a second list, on some letters only.
func (d *derivation[L]) on(list []derivative[L], on L, terms []derivative[L]) []derivative[L] {
	for _, x := range terms {
		list = d.add(list, d.labels.And(on, x.On), x.Rest)
	}
	return list
}

// fusion returns the terms of q:r.
func (d *derivation[L]) fusion(q, r *SERE) []derivative[L] {
	words := d.none() // the letters that are words of q
	for _, x := range d.of(q) {
		if x.Rest.null { // the word may end after this letter
			words = d.labels.Or(words, x.On)
		}
	}
	return d.on(d.fuse(nil, d.of(q), r), words, d.of(r))
}

// fuse appends q:r for each term q. The empty word can't be fused. If r is s[:*0..0], which has the
// words of one letter, q may stay, with an empty word that the caller adds anyway.
func (d *derivation[L]) fuse(list, terms []derivative[L], r *SERE) []derivative[L] {
	for _, x := range terms {
		switch {
		case x.Rest.op == SEREEmpty:
		case r.op == SEREFusionStar && r.high == 0:
			list = d.add(list, x.On, x.Rest)
		default:
			list = d.add(list, x.On, d.store.SEREBinary(SEREFusion, x.Rest, r))
		}
	}
	return list
}

// first returns the terms of first_match(r): one for each set of letters with the same terms of r
// (Rabin and Scott 1959).
func (d *derivation[L]) first(r *SERE) (list []derivative[L]) {
	type class struct {
		on    L
		terms []*SERE
	}
	classes := []class{{d.all(), nil}} // the letters with the same terms so far
	for _, x := range d.of(r) {
		for i := range len(classes) { // those that are added lack x.On
			if d.labels.Spend(1 + len(classes[i].terms)) {
				return nil
			}
			c := classes[i]
			in := d.labels.And(c.on, x.On)
			if in == d.none() {
				continue
			}
			if out := d.labels.And(c.on, d.labels.Not(x.On)); out != d.none() {
				classes = append(classes, class{out, c.terms})
			}
			classes[i] = class{in, append(slices.Clip(c.terms), x.Rest)} // out has c.terms, too
		}
	}
	for _, c := range classes {
		if len(c.terms) > 0 {
			list = d.add(list, c.on, d.firstOf(c.terms))
		}
	}
	return list
}

// firstOf returns first_match(q | …). The same terms always give the same expression, so that there
// are finitely many.
func (d *derivation[L]) firstOf(list []*SERE) *SERE {
	list = flatten(list)
	d.labels.Spend(len(list))
	if slices.ContainsFunc(list, func(q *SERE) bool { return q.null }) {
		return d.store.EmptyWord() // a word has ended: the first match
	}
	var key []byte
	for _, q := range slices.SortedFunc(slices.Values(list), byID) {
		key = binary.LittleEndian.AppendUint32(key, uint32(q.id))
	}
	r, ok := d.unions[string(key)]
	if !ok {
		if r = d.store.union(list); r.op != SEREFirstMatch { // first_match of first_match changes nothing
			r = d.store.FirstMatch(r)
		}
		d.unions[string(key)] = r
	}
	return r
}

func byID(q, r *SERE) int { return cmp.Compare(q.id, r.id) }

// flatten returns the operands of a union, each once.
func flatten(list []*SERE) (operands []*SERE) {
	met := make(map[*SERE]bool)
	for _, r := range list {
		for _, q := range r.operands(SEREOr) {
			if !met[q] {
				met[q] = true
				operands = append(operands, q)
			}
		}
	}
	return operands
}

// operands returns the operands of a union or a sequence, whose operators may be nested, or r itself
// if it has another operator.
func (r *SERE) operands(op SEREOp) (list []*SERE) {
	for stack := []*SERE{r}; len(stack) > 0; {
		q := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if q.op == op {
			stack = append(stack, q.right, q.left) // the left one comes first
		} else {
			list = append(list, q)
		}
	}
	return list
}

// union returns q | … for a list that is not empty.
func (s *Store) union(list []*SERE) *SERE {
	r := list[0]
	for _, q := range list[1:] {
		r = s.SEREBinary(SEREOr, r, q)
	}
	return r
}

// concat returns q;r.
func (s *Store) concat(q, r *SERE) *SERE {
	switch {
	case q.op == SEREEmpty:
		return r
	case r.op == SEREEmpty:
		return q
	}
	return s.SEREBinary(SEREConcat, q, r)
}

// both returns q && r or q & r, or nil for [*0] && r if r lacks the empty word.
func (s *Store) both(op SEREOp, q, r *SERE) *SERE {
	if r.op == SEREEmpty {
		q, r = r, q
	}
	switch {
	case q == r || q.op == SEREEmpty && op == SEREAnd: // [*0] & r is r
		return r
	case q.op != SEREEmpty:
		return s.SEREBinary(op, q, r)
	case r.null: // [*0] && r
		return q
	}
	return nil
}

// less returns an iteration with one word less.
func (s *Store) less(r *SERE) *SERE {
	low, high := max(r.low-1, 0), r.high
	if high != Unbounded {
		high--
	}
	switch {
	case low == 1 && high == 1:
		return r.left // r[*1]
	case high == 0 && r.op == SEREStar:
		return s.EmptyWord()
	}
	return s.iteration(r.op, r.left, low, high)
}
