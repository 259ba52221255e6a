package certify

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Holds reports whether the formula is true on the word, from the semantics of each operator. It fails with an
// *OpenError if a letter leaves a proposition of the formula open, and when ctx is done.
//
// Every subformula gets a value at each position. For future operators, Holds repeats
// their law until nothing changes: F a = a | X F a starts from false, G a = a & X G a from
// true. Past operators can distinguish as many rounds of the cycle as are nested, and no more
// (Schuppan and Biere 2005, Lemma 2). So the cycle is written out once more for each past operator.
//
// For {r}, {r}<>->f and {r}[]->f, Holds reads the word from each position on by derivatives of r. It
// fails with ErrLarge if there are too many.
func Holds(ctx context.Context, f *ltl.Formula, w *Word) (bool, error) {
	v, err := truth(ctx, f, w, true)
	return v == yes, err
}

// HoldsOnAll reports whether the formula has the given truth on every completion of the word. The answer is
// exact. It fails with ErrLarge past limit steps, with an *OpenError if a letter leaves a proposition of r open
// in {r}, {r}<>->f or {r}[]->f, and when ctx is done.
//
// A value that is not open holds for all completions. If the formula itself is open, its tableau tells whether
// some completion has the other truth. On all completions of cycle{a}, a | Gb is true. F b is open there, and so
// is b: always choosing b false puts F b off forever, so F b is false on one completion, and true on others.
func HoldsOnAll(ctx context.Context, f *ltl.Formula, truthOf bool, w *Word, limit int) (bool, error) {
	v, err := truth(ctx, f, w, false)
	if err != nil || v != open {
		return err == nil && v == valueOf(truthOf), err
	}
	tableau, err := NewTableau(ctx, f, limit)
	if err != nil {
		return false, err
	}
	return Disjoint(ctx, w.Automaton(), tableau.Automata[!truthOf], limit)
}

// A value is a truth that may be open (Kleene's three-valued logic). Then a & b is min(a, b), and !a is yes-a.
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
// before: of the operand for Y and Z, and of the formula for others. For X and propositions, other is the value.
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
	case ltl.OpProp, ltl.OpNext, ltl.OpYesterday, ltl.OpWeakYesterday:
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

// fixpoints are the operators of the future with a law for the next position. Operators of always are
// true if they are put off forever, like G, or before the first position, like H.
var (
	fixpoints = ltl.Ops(ltl.OpFinally, ltl.OpGlobally, ltl.OpUntil, ltl.OpWeakUntil, ltl.OpRelease, ltl.OpStrongRelease)
	always    = ltl.Ops(ltl.OpGlobally, ltl.OpWeakUntil, ltl.OpRelease, ltl.OpWeakYesterday, ltl.OpHistorically, ltl.OpTriggered)
)

// truth returns the truth of a formula on all completions of a word, or open. If closed, a letter that leaves
// a proposition open is an error.
func truth(ctx context.Context, f *ltl.Formula, w *Word, closed bool) (value, error) {
	if err := w.check(); err != nil || f == nil {
		return no, cmp.Or(err, errNoFormula)
	}
	d := &derivatives{Store: ltl.NewStore(), ctx: ctx}
	if f.Ops().HasPSL() { // derivatives are made in a store of their own
		f = d.Import(f)
	}
	parts, nested := f.Subformulas(), map[*ltl.Formula]int{}
	for _, g := range parts {
		if nested[g] = max(nested[g.Left()], nested[g.Right()]); ltl.PastOps.Has(g.Op()) {
			nested[g]++ // its truth repeats one round later
		}
	}
	w = &Word{slices.Concat(w.Prefix, slices.Repeat(w.Cycle, nested[f])), w.Cycle}
	values := map[*ltl.Formula][]value{nil: slices.Repeat([]value{yes}, w.size())} // by position
	for _, g := range parts {
		a, b := values[g.Left()], values[g.Right()]
		list, op := make([]value, w.size()), g.Op()
		switch {
		case g.SERE() != nil:
			if err := d.match(g, w, a, list); err != nil {
				return no, err
			}
		case op == ltl.OpProp:
			for p := range list {
				if list[p] = w.at(p).value(g.Name()); list[p] == open && closed {
					return no, &OpenError{g.Name()}
				}
			}
		case op == ltl.OpNext:
			for p := range list {
				list[p] = a[w.next(p)]
			}
		case fixpoints.Has(op):
			for p := range list {
				list[p] = valueOf(always.Has(op))
			}
			for changed := true; changed; {
				changed = false
				for p, old := range slices.Backward(list) {
					list[p] = apply(op, a[p], b[p], list[w.next(p)])
					changed = changed || list[p] != old
				}
			}
		default: // of the past, or of one position
			last := valueOf(always.Has(op))
			for p := range list {
				list[p] = apply(op, a[p], b[p], last)
				if last = list[p]; op == ltl.OpYesterday || op == ltl.OpWeakYesterday {
					last = a[p]
				}
			}
		}
		if values[g] = list; ctx.Err() != nil {
			return no, ctx.Err()
		}
	}
	return values[f][0], nil
}
