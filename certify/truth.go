package certify

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Holds reports whether the formula is true on the word, from the semantics of each operator.
// It fails with an *OpenError if a letter leaves a proposition of the formula open, and when
// ctx is done.
//
// Every subformula gets a value at each position. For future operators, Holds repeats
// their law until nothing changes: F a = a | X F a starts from false, G a = a & X G a from
// true. Past operators can distinguish as many rounds of the cycle as are nested, and no more
// (Schuppan and Biere 2005, Lemma 2). So the cycle is written out once more for each.
//
// For {r}, {r}<>->f and {r}[]->f, Holds reads the word from each position on by derivatives of r. It
// fails with ErrExpression if there are too many.
func Holds(ctx context.Context, f *ltl.Formula, w *Word) (bool, error) {
	t, err := newTruth(ctx, f, w)
	if err == nil {
		t.closed = true
		err = t.evaluate(t.formula)
	}
	return err == nil && t.at(t.formula)[0] == yes, err
}

// HoldsOnAll reports whether the formula has the given truth on every completion of the word. The
// answer is exact. It fails with ErrLarge past limit steps, with an *OpenError if a letter leaves a
// proposition of {r}, {r}<>->f or {r}[]->f open, with ErrExpression if that may matter although no
// letter does, and when ctx is done.
//
// A value that is not open holds for all completions. If the formula itself is open, HoldsOnAll
// looks for a completion on which it has the other truth, in the formula's tableau. On all completions of cycle{a}, a | Gb
// is true. F b is open there, and so is b: always choosing b false puts F b off forever, so F b is
// false on one completion, and true on others.
func HoldsOnAll(ctx context.Context, f *ltl.Formula, truthOf bool, w *Word, limit int) (bool, error) {
	t, err := newTruth(ctx, f, w)
	if err == nil {
		err = t.evaluate(t.formula)
	}
	if err != nil {
		return false, err
	}
	if v := t.at(t.formula)[0]; v != open {
		return v == valueOf(truthOf), nil
	}
	tableau, err := NewTableau(ctx, t.formula, limit)
	if err != nil {
		return false, err
	}
	return Disjoint(ctx, w.Automaton(), tableau.Automaton(!truthOf), limit)
}

// A value is a truth that may be open (Kleene's three-valued logic). Then a & b is min(a, b), and !a is
// yes-a.
type value uint8

const (
	no value = iota
	open
	yes
)

func valueOf(truth bool) value {
	if truth {
		return yes
	}
	return no
}

// apply returns the value of a formula, given the values of its operands. For F, G, U, W, R and M, other
// is its own value at the next position; for past operators, other is a value at the position
// before: of the operand for Y and Z, and of the formula for others.
func apply(op ltl.Op, a, b, other value) value {
	switch op {
	case ltl.OpFalse:
		return no
	case ltl.OpTrue:
		return yes
	case ltl.OpNot:
		return yes - a
	case ltl.OpAnd:
		return min(a, b)
	case ltl.OpOr:
		return max(a, b)
	case ltl.OpImplies:
		return max(yes-a, b)
	case ltl.OpEquiv:
		return max(min(a, b), min(yes-a, yes-b))
	case ltl.OpXor:
		return max(min(a, yes-b), min(yes-a, b))
	case ltl.OpYesterday, ltl.OpWeakYesterday:
		return other
	case ltl.OpFinally, ltl.OpOnce:
		return max(a, other)
	case ltl.OpGlobally, ltl.OpHistorically:
		return min(a, other)
	case ltl.OpUntil, ltl.OpWeakUntil, ltl.OpSince:
		return max(b, min(a, other))
	case ltl.OpRelease, ltl.OpStrongRelease, ltl.OpTriggered:
		return min(b, max(a, other))
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

// endless returns the truth of a future operator that is put off forever: no for F, yes for G. For a past
// operator, it is the truth before the first position: no for O, yes for H.
func endless(op ltl.Op) value {
	switch op {
	case ltl.OpGlobally, ltl.OpWeakUntil, ltl.OpRelease, ltl.OpWeakYesterday, ltl.OpHistorically, ltl.OpTriggered:
		return yes
	}
	return no
}

// truth is the truth of a formula on the completions of a word.
type truth struct {
	ctx    context.Context
	word   *Word
	closed bool // a letter that leaves a proposition open is an error
	rounds int  // how often the cycle is written out; the last round repeats

	formula *ltl.Formula
	store   *ltl.Store     // of the formula, if it has regular expressions
	parts   []*ltl.Formula // operands before the formulas that they are in
	place   map[*ltl.Formula]int
	values  [][]value // by part and position

	derivatives *derivatives
}

func newTruth(ctx context.Context, f *ltl.Formula, w *Word) (*truth, error) {
	if err := w.check(); err != nil || f == nil {
		return nil, cmp.Or(err, errNoFormula)
	}
	nesting := map[*ltl.Formula]int{nil: 0} // operators of the past in each other
	var depth func(f *ltl.Formula) int
	depth = func(f *ltl.Formula) int {
		n, ok := nesting[f]
		if !ok {
			n = max(depth(f.Left()), depth(f.Right()))
			if ltl.PastOps.Has(f.Op()) {
				n++
			}
			nesting[f] = n
		}
		return n
	}
	t := &truth{ctx: ctx, word: w, rounds: 1 + depth(f), formula: f, place: map[*ltl.Formula]int{}}
	if f.Ops().HasPSL() { // derivatives are made in a store of their own
		t.store = ltl.NewStore()
		t.formula = t.store.Import(f)
	}
	return t, ctx.Err()
}

// positions is how many there are: after the last comes the first of the last round.
func (t *truth) positions() int { return len(t.word.Prefix) + t.rounds*len(t.word.Cycle) }

func (t *truth) next(p int) int {
	if p+1 == t.positions() {
		return p + 1 - len(t.word.Cycle)
	}
	return p + 1
}

// letter returns the value of a proposition at a position.
func (t *truth) letter(name string, p int) value {
	if before := len(t.word.Prefix); p >= before {
		p = before + (p-before)%len(t.word.Cycle)
	}
	return t.word.at(p).value(name)
}

// at returns the values of a part by position, and of none for no part.
func (t *truth) at(f *ltl.Formula) []value {
	if f == nil {
		return make([]value, t.positions())
	}
	return t.values[t.place[f]]
}

// evaluate finds the truth of f and of all its parts, operands first.
func (t *truth) evaluate(f *ltl.Formula) error {
	if _, ok := t.place[f]; f == nil || ok {
		return t.ctx.Err()
	}
	for _, g := range []*ltl.Formula{f.Left(), f.Right()} {
		if err := t.evaluate(g); err != nil {
			return err
		}
	}
	a, b := t.at(f.Left()), t.at(f.Right())
	list, op := make([]value, t.positions()), f.Op()
	switch {
	case f.SERE() != nil:
		if err := t.match(f, list); err != nil {
			return err
		}
	case op == ltl.OpProp:
		for p := range list {
			if list[p] = t.letter(f.Name(), p); list[p] == open && t.closed {
				return &OpenError{f.Name()}
			}
		}
	case op == ltl.OpNext:
		for p := range list {
			list[p] = a[t.next(p)]
		}
	case fixpoint(op):
		for p := range list {
			list[p] = endless(op)
		}
		for changed := true; changed; {
			changed = false
			for p, old := range slices.Backward(list) {
				list[p] = apply(op, a[p], b[p], list[t.next(p)])
				changed = changed || list[p] != old
			}
		}
	default: // of the past, or of one position
		last := endless(op)
		for p := range list {
			list[p] = apply(op, a[p], b[p], last)
			if last = list[p]; op == ltl.OpYesterday || op == ltl.OpWeakYesterday {
				last = a[p]
			}
		}
	}
	t.place[f] = len(t.parts)
	t.parts, t.values = append(t.parts, f), append(t.values, list)
	return t.ctx.Err()
}
