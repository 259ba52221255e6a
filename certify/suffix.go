package certify

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A suffix is a formula {r}<>->b, or !{r} where b is nil. It is the least solution of laws by derivatives of r:
//
//	{a[*];b}<>->c  is  (a & X({a[*];b}<>->c)) | (b & c)
//	!{a;b}         is  !a | (a & X!{b})
//
// {r}[]->b is !({r}<>->!b). No suffix is true that the laws put off forever. Each mutual recursion would need
// a mark, so one breakpoint serves all: see addSuffixes.
type suffix struct {
	formula, b *ltl.Formula
	r          *ltl.SERE
	moves      []move
}

// A move makes a suffix true on some letters: if now is true, or suffix number next at the next position. There is
// no next if it is negative. The letters and now are laws.
type move struct{ letters, now, next int }

// addSuffixes adds the suffixes of a formula, with their laws, and a mark that comes again and again if no suffix
// is put off forever.
//
// The memory has pending suffixes. Each becomes its next, until its now is true. When none is pending,
// there is a mark, and all suffixes that are true become pending (Miyano and Hayashi 1984).
func (t *Tableau) addSuffixes(f *ltl.Formula) {
	for _, g := range f.Subformulas() { // before their derivatives, so that these expressions are in the text of proofs
		if g.SERE() != nil {
			t.ofSuffix(g)
		}
	}
	for i := 0; i < len(t.suffixes); i++ { // the list grows
		t.expand(i)
	}
	pending, some := make([]int, len(t.suffixes)), 0
	for i, x := range t.suffixes {
		pending[i] = t.laws.of(law{op: ltl.OpYesterday, from: inMemory, bit: len(t.memory) + i}) // the memory grows no more before kept
		some = t.law(ltl.OpOr, some, pending[i])
		t.Memory = append(t.Memory, x.formula)
	}
	none, kept := t.law(ltl.OpNot, some, 0), make([]int, len(t.suffixes))
	for i, x := range t.suffixes {
		here := t.law(ltl.OpOr, pending[i], t.law(ltl.OpAnd, none, t.place[x.formula]))
		for _, m := range x.moves {
			if m.next >= 0 {
				late := t.law(ltl.OpAnd, m.letters, t.law(ltl.OpNot, m.now, 0))
				kept[m.next] = t.law(ltl.OpOr, kept[m.next], t.law(ltl.OpAnd, here, late))
			}
		}
	}
	t.memory = append(t.memory, kept...)
	if len(kept) > 0 {
		t.promises = append(t.promises, none)
	}
}

// suffixOf returns the number of {r}<>->b, or of !{r}. If one with the same words was there, that is it.
func (t *Tableau) suffixOf(r *ltl.SERE, b *ltl.Formula) int {
	i := slices.IndexFunc(t.suffixes, func(x suffix) bool { return x.b == b && t.same(x.r, r) })
	if i >= 0 {
		return i
	}
	f := t.SuffixConjunction(r, b)
	if b == nil {
		f = t.Not(t.Closure(r))
	}
	if t.suffixes = append(t.suffixes, suffix{formula: f, b: b, r: r}); len(t.suffixes) > maxBits {
		t.err = ErrLarge
	}
	return len(t.suffixes) - 1
}

// ofSuffix returns the law of {r}, {r}<>->b or {r}[]->b.
func (t *Tableau) ofSuffix(f *ltl.Formula) law {
	b, op := f.Left(), ltl.OpNot
	switch f.Op() {
	case ltl.OpSuffixConjunction:
		op = ltl.OpOr // of this suffix alone, which may be of another expression with the same words
	case ltl.OpSuffixImplication:
		b = t.Not(b)
	}
	return law{op: op, left: t.place[t.suffixes[t.suffixOf(f.SERE(), b)].formula]}
}

// expand finds the moves of a suffix, and its law.
func (t *Tableau) expand(i int) {
	x, all := t.suffixes[i], 0
	for _, by := range t.letters(x.r) {
		r, m := t.of(x.r, by), move{t.lawOf(by.label), 0, -1}
		ends, over := nullable(r), t.same(r, nil) // same is true after an error, which NewTableau returns
		switch {
		case x.b != nil && ends:
			m.now = t.lawOf(x.b) // its suffixes have their laws: Subformulas has operands first
		case x.b == nil && over && !ends: // no word of r begins like this
			m.now = t.lawOf(t.True())
		}
		truth := m.now
		if !over && (x.b != nil || !ends) {
			m.next = t.suffixOf(r, x.b)
			truth = t.law(ltl.OpOr, truth, t.laws.of(law{op: ltl.OpNext, from: inNext, bit: t.kernel.of(t.suffixes[m.next].formula)}))
		}
		all = t.law(ltl.OpOr, all, t.law(ltl.OpAnd, m.letters, truth))
		x.moves = append(x.moves, m)
	}
	t.suffixes[i], t.place[x.formula] = x, all
}
