package certify

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// HoldsOnAll reports whether the formula has the given truth on every completion of the word. The
// answer is exact. It fails with ErrLarge past limit steps, with an *OpenError if a letter leaves a
// proposition of {r}, {r}<>->f or {r}[]->f open, and when ctx is done.
//
// First, each subformula gets a value at each position that may be open, as letters have it: yes
// and no hold for all completions. If the formula itself is open, HoldsOnAll searches for a
// completion on which it has the other truth. It chooses the open propositions and the open
// operators of the future, position by position. A choice for f U g or G f must agree with its law,
// at the next position, and must not put off forever what it promises: a tableau, of what is open
// only.
//
// On all completions of cycle{a}, a | Gb is true. F b is open there, and so is b: always choosing b
// false puts F b off forever, so F b is false on one completion, and true on others.
func HoldsOnAll(ctx context.Context, f *ltl.Formula, truthOf bool, w *Word, limit int) (bool, error) {
	if err := w.check(); err != nil || f == nil {
		return false, cmp.Or(err, errNoFormula)
	}
	o := &openTruth{truth: truth{ctx: ctx, word: w, nesting: map[*ltl.Formula]int{}, known: map[*ltl.Formula][]bool{}},
		place: map[*ltl.Formula]int{}, limit: limit}
	o.rounds = 1 + o.pastDepth(f)
	if err := o.evaluate(f); err != nil {
		return false, err
	}
	if v := o.values[o.place[f]][0]; v != open {
		return v == valueOf(truthOf), nil
	}
	return o.refute(f, valueOf(!truthOf))
}

func valueOf(truth bool) value {
	if truth {
		return yes
	}
	return no
}

// openTruth is the truth of a formula on the completions of a word.
type openTruth struct {
	truth  // of the parts that no letter leaves open
	parts  []*ltl.Formula
	place  map[*ltl.Formula]int // of each part: its operands are before it
	values [][]value            // by part and position
	limit  int

	nodes numbering[string] // the position, and the truth of each part there
	arcs  []arc
}

// spend fails when the limit is used up, or ctx is done.
func (o *openTruth) spend() error {
	if o.limit--; o.limit < 0 {
		return ErrLarge
	}
	return o.ctx.Err()
}

// evaluate sets the values of f and its parts.
func (o *openTruth) evaluate(f *ltl.Formula) error {
	if _, ok := o.place[f]; f == nil || ok {
		return nil
	}
	for _, part := range []*ltl.Formula{f.Left(), f.Right()} {
		if err := o.evaluate(part); err != nil {
			return err
		}
	}
	list := make([]value, o.positions())
	switch op := f.Op(); {
	case op == ltl.OpClosure || op == ltl.OpSuffixConjunction || op == ltl.OpSuffixImplication:
		truths, err := o.truth.values(f)
		if err != nil {
			return err
		}
		for p := range list {
			list[p] = valueOf(truths[p])
		}
	case op == ltl.OpProp:
		for p := range list {
			list[p] = o.letter(f.Name(), p)
		}
	case ltl.PastOps.Has(op):
		for p := range list {
			a, b, last := o.at(f.Left(), p), o.at(f.Right(), p), open
			if p > 0 {
				last = o.last(f, list[p-1], p-1)
			}
			list[p] = past(op, p, a, b, last)
		}
	case op == ltl.OpNext:
		for p := range list {
			list[p] = o.at(f.Left(), o.next(p))
		}
	case fixpoint(op):
		for p := range list {
			list[p] = valueOf(greatest(op))
		}
		for changed := true; changed; {
			changed = false
			for p, old := range slices.Backward(list) {
				list[p] = future(op, o.at(f.Left(), p), o.at(f.Right(), p), list[o.next(p)])
				changed = changed || list[p] != old
			}
		}
	default:
		for p := range list {
			list[p] = connective(op, o.at(f.Left(), p), o.at(f.Right(), p))
		}
	}
	o.place[f] = len(o.parts)
	o.parts, o.values = append(o.parts, f), append(o.values, list)
	return o.ctx.Err()
}

// at returns the value of a part at a position.
func (o *openTruth) at(f *ltl.Formula, p int) value {
	if f == nil {
		return open
	}
	return o.values[o.place[f]][p]
}

// last returns what an operator of the past needs from position p before it: the truth of its
// operand, or its own, which is given.
func (o *openTruth) last(f *ltl.Formula, own value, p int) value {
	if f.Op() == ltl.OpYesterday || f.Op() == ltl.OpWeakYesterday {
		return o.at(f.Left(), p)
	}
	return own
}

// letter returns the truth of a proposition at a position.
func (o *openTruth) letter(name string, p int) value {
	if before := len(o.word.Prefix); p >= before {
		p = before + (p-before)%len(o.word.Cycle)
	}
	truth, ok := o.word.at(p)[name]
	if !ok {
		return open
	}
	return valueOf(truth)
}

func not(a value) value {
	switch a {
	case no:
		return yes
	case yes:
		return no
	}
	return open
}

func and(a, b value) value {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return open
}

func or(a, b value) value { return not(and(not(a), not(b))) }

// connective returns the value of a formula with an operator that looks at one position only.
func connective(op ltl.Op, a, b value) value {
	switch op {
	case ltl.OpFalse:
		return no
	case ltl.OpTrue:
		return yes
	case ltl.OpNot:
		return not(a)
	case ltl.OpAnd:
		return and(a, b)
	case ltl.OpOr:
		return or(a, b)
	case ltl.OpImplies:
		return or(not(a), b)
	case ltl.OpEquiv:
		return or(and(a, b), and(not(a), not(b)))
	case ltl.OpXor:
		return or(and(a, not(b)), and(not(a), b))
	}
	panic("certify: unknown operator " + op.String())
}

// fixpoint reports whether the operator is one of the future with a law for the next position.
func fixpoint(op ltl.Op) bool {
	switch op {
	case ltl.OpFinally, ltl.OpGlobally, ltl.OpUntil, ltl.OpWeakUntil, ltl.OpRelease, ltl.OpStrongRelease:
		return true
	}
	return false
}

// greatest reports whether the operator is true where it is put off forever.
func greatest(op ltl.Op) bool {
	return op == ltl.OpGlobally || op == ltl.OpWeakUntil || op == ltl.OpRelease
}

// future returns the value that the law of an operator gives, if next is that at the next position.
func future(op ltl.Op, a, b, next value) value {
	switch op {
	case ltl.OpFinally:
		return or(a, next)
	case ltl.OpGlobally:
		return and(a, next)
	case ltl.OpUntil, ltl.OpWeakUntil:
		return or(b, and(a, next))
	}
	return and(b, or(a, next))
}

// past returns the value of an operator of the past at position p, if last is what it needs from the
// position before.
func past(op ltl.Op, p int, a, b, last value) value {
	if p == 0 {
		last = valueOf(op == ltl.OpWeakYesterday || op == ltl.OpHistorically || op == ltl.OpTriggered)
	}
	switch op {
	case ltl.OpYesterday, ltl.OpWeakYesterday:
		return last
	case ltl.OpOnce:
		return or(a, last)
	case ltl.OpHistorically:
		return and(a, last)
	case ltl.OpSince:
		return or(b, and(a, last))
	case ltl.OpTriggered:
		return and(b, or(a, last))
	}
	panic("certify: unknown operator " + op.String())
}
