package omega

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// CondOp is the operator at the top of a Condition.
type CondOp uint8

const (
	CondFalse CondOp = iota // no run is accepting
	CondTrue                // every run is
	CondInf                 // a mark is seen infinitely often
	CondFin                 // a mark is seen only finitely often
	CondAnd                 // all of Args
	CondOr                  // one of Args
)

// A Condition is a positive Boolean formula over Inf(i) and Fin(i). It never changes, so
// conditions can share parts.
type Condition struct {
	Op   CondOp
	Mark int          // of CondInf and CondFin
	Args []*Condition // of CondAnd and CondOr, at least two
}

var (
	condFalse = &Condition{Op: CondFalse}
	condTrue  = &Condition{Op: CondTrue}
)

// Inf returns the condition that mark i is seen infinitely often.
func Inf(i int) *Condition { return &Condition{Op: CondInf, Mark: i} }

// Fin returns the condition that mark i is seen only finitely often.
func Fin(i int) *Condition { return &Condition{Op: CondFin, Mark: i} }

// AllOf returns the conjunction of args; without args, it is true. It flattens nested
// conjunctions and absorbs constants.
func AllOf(args ...*Condition) *Condition { return combine(CondAnd, args) }

// AnyOf returns the disjunction of args; without args, it is false. It flattens nested
// disjunctions and absorbs constants.
func AnyOf(args ...*Condition) *Condition { return combine(CondOr, args) }

func combine(op CondOp, args []*Condition) *Condition {
	unit, zero := condTrue, condFalse
	if op == CondOr {
		unit, zero = zero, unit
	}
	var flat []*Condition
	for _, c := range args {
		if c == nil { // left out by the caller
			continue
		}
		switch c.Op {
		case unit.Op: // changes nothing
		case zero.Op:
			return zero
		case op:
			flat = append(flat, c.Args...) // one level is enough: c is flat itself
		default:
			flat = append(flat, c)
		}
	}
	switch len(flat) {
	case 0:
		return unit
	case 1:
		return flat[0]
	}
	return &Condition{Op: op, Args: flat}
}

// rebuild returns c with each Inf(i) and Fin(i) replaced by what leaf makes of
// it, and with And and Or exchanged if dual is set.
func (c *Condition) rebuild(dual bool, leaf func(*Condition) *Condition) *Condition {
	switch c.Op {
	case CondFalse, CondTrue:
		if dual == (c.Op == CondFalse) { // t and f are each other's dual
			return condTrue
		}
		return condFalse
	case CondInf, CondFin:
		return leaf(c)
	}
	args := make([]*Condition, len(c.Args))
	for i, d := range c.Args {
		args[i] = d.rebuild(dual, leaf)
	}
	if dual == (c.Op == CondAnd) { // De Morgan
		return AnyOf(args...)
	}
	return AllOf(args...)
}

// Dual returns the negation of c: it holds for a set of marks if and only if c does not.
func (c *Condition) Dual() *Condition {
	return c.rebuild(true, func(l *Condition) *Condition {
		if l.Op == CondInf {
			return Fin(l.Mark)
		}
		return Inf(l.Mark)
	})
}

// Shift returns c with by added to the number of each mark.
func (c *Condition) Shift(by int) *Condition {
	return c.Renumber(func(i int) int { return i + by })
}

// Renumber returns c with each mark i replaced by mark to(i).
func (c *Condition) Renumber(to func(int) int) *Condition {
	if to == nil {
		return c
	}
	return c.rebuild(false, func(l *Condition) *Condition {
		return &Condition{Op: l.Op, Mark: to(l.Mark)}
	})
}

// GiveUp returns c with Fin(mark) replaced by false: what remains of c for runs that see the
// mark infinitely often. Inf(mark) stays, because the run must still see the mark: with mark 0,
// Fin(0) & Inf(1) | Inf(0) becomes Inf(0).
func (c *Condition) GiveUp(mark int) *Condition {
	return c.rebuild(false, func(l *Condition) *Condition {
		if l.Op == CondFin && l.Mark == mark {
			return condFalse
		}
		return l
	})
}

// Assume returns what remains of c when some marks are known. known(i) is 1 if mark i is seen
// infinitely often, -1 if it is not, and 0 if that is open. If 0 is seen and 1 is not, Inf(0) &
// Fin(2) | Inf(1) becomes Fin(2).
func (c *Condition) Assume(known func(i int) int) *Condition {
	if known == nil {
		return c
	}
	return c.rebuild(false, func(l *Condition) *Condition {
		k := known(l.Mark)
		switch {
		case k == 0:
			return l
		case (k > 0) == (l.Op == CondInf):
			return condTrue
		default:
			return condFalse
		}
	})
}

// Eval reports whether c holds for a run that sees exactly the marks of m infinitely often. A table
// that is nil has no marks.
func (c *Condition) Eval(t *MarkTable, m Marks) bool {
	if t == nil {
		t = NewMarkTable(0)
	}
	return c.eval(t, m)
}

func (c *Condition) eval(t *MarkTable, m Marks) bool {
	switch c.Op {
	case CondFalse:
		return false
	case CondTrue:
		return true
	case CondInf:
		return t.Has(m, c.Mark)
	case CondFin:
		return !t.Has(m, c.Mark)
	case CondAnd:
		for _, d := range c.Args {
			if !d.eval(t, m) {
				return false
			}
		}
		return true
	default:
		for _, d := range c.Args {
			if d.eval(t, m) {
				return true
			}
		}
		return false
	}
}

// HasFin reports whether c contains a Fin.
func (c *Condition) HasFin() bool {
	return c.Op == CondFin || slices.ContainsFunc(c.Args, (*Condition).HasFin)
}

// Leaves calls f for each Inf and Fin in c, from left to right.
func (c *Condition) Leaves(f func(leaf *Condition)) {
	if f != nil && (c.Op == CondInf || c.Op == CondFin) {
		f(c)
	}
	for _, d := range c.Args {
		d.Leaves(f)
	}
}

// Clauses returns c as a conjunction of disjunctions of Inf, if it has this form: the marks of each
// clause. An accepting run sees a mark of each clause infinitely often. Büchi acceptance is one
// clause, generalized Büchi several, true none, and false is a clause without marks. For example,
// Inf(0) & (Inf(1) | Inf(2)) has the clauses {0} and {1 2}.
func (c *Condition) Clauses() (list [][]int, ok bool) {
	conjuncts := []*Condition{c}
	if c.Op == CondAnd || c.Op == CondTrue {
		conjuncts = c.Args
	}
	for _, d := range conjuncts {
		inf := []*Condition{d}
		if d.Op == CondOr || d.Op == CondFalse {
			inf = d.Args
		}
		var clause []int
		for _, l := range inf {
			if l.Op != CondInf {
				return nil, false
			}
			clause = append(clause, l.Mark)
		}
		list = append(list, clause)
	}
	return list, true
}

// Size returns the number of operators and leaves.
func (c *Condition) Size() int {
	n := 1
	for _, d := range c.Args {
		n += d.Size()
	}
	return n
}

// Used returns one more than the greatest mark in c, or 0 if c has no marks.
func (c *Condition) Used() int {
	n := 0
	c.Leaves(func(l *Condition) { n = max(n, l.Mark+1) })
	return n
}

// Simplify returns an equivalent condition. Each argument of a conjunction or disjunction
// occurs once, and absorbed arguments are gone. A mark in an argument that is a single Inf or
// Fin does not occur in the other arguments.
//
//	Inf(0) | Inf(0) & Fin(1)       =  Inf(0)
//	Fin(0) & (Inf(0) | Inf(1))     =  Fin(0) & Inf(1)
func (c *Condition) Simplify() *Condition {
	if c.Op != CondAnd && c.Op != CondOr {
		return c
	}
	// From the inside out, so that arguments have no constants and no single operands.
	args := make([]*Condition, len(c.Args))
	for i, d := range c.Args {
		args[i] = d.Simplify()
	}
	s := combine(c.Op, args)
	// Constants have absorbed the rest, or one argument is left.
	if s.Op != c.Op {
		return s.Simplify()
	}
	// In a conjunction each single literal may be assumed in the others; in a
	// disjunction its opposite may.
	fixed := make(map[int]CondOp)
	var singles, others []*Condition
	for _, d := range s.Args {
		if d.Op != CondInf && d.Op != CondFin {
			others = append(others, d)
			continue
		}
		if op, ok := fixed[d.Mark]; !ok {
			fixed[d.Mark] = d.Op
			singles = append(singles, d)
		} else if op != d.Op { // Inf(i) and Fin(i) exclude each other
			return combine(c.Op, []*Condition{combine(opposite(c.Op), nil)})
		}
	}
	changed := false
	for i, d := range others {
		others[i] = d.Assume(func(mark int) int {
			op, ok := fixed[mark]
			if !ok {
				return 0
			}
			changed = true
			if (op == CondInf) == (c.Op == CondAnd) {
				return 1
			}
			return -1
		})
	}
	others = absorb(c.Op, others)
	s = combine(c.Op, append(singles, others...))
	// A new constant or literal may simplify more. Each round loses a leaf, so this ends.
	if changed {
		return s.Simplify()
	}
	return s
}

func opposite(op CondOp) CondOp {
	if op == CondAnd {
		return CondOr
	}
	return CondAnd
}

// absorb drops from the arguments of op those that another makes superfluous:
// in x | (x & y), the second.
func absorb(op CondOp, args []*Condition) []*Condition {
	if len(args) > 1000 {
		return args // each is compared with each
	}
	parts := make([]map[string]bool, len(args))
	for i, d := range args {
		parts[i] = make(map[string]bool)
		if d.Op == opposite(op) {
			for _, e := range d.Args {
				parts[i][e.String()] = true
			}
		} else {
			parts[i][d.String()] = true
		}
	}
	kept := args[:0:0]
next:
	for i := range args {
		for j := range args {
			// Fewer parts say more in a disjunction of conjunctions, and the dual. Of equal
			// arguments the first stays.
			if i != j && subset(parts[j], parts[i]) && (len(parts[j]) < len(parts[i]) || j < i) {
				continue next
			}
		}
		kept = append(kept, args[i])
	}
	return kept
}

func subset(a, b map[string]bool) bool {
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

// String returns c in HOA syntax, with the fewest parentheses: Inf(0) & (Fin(1) | Inf(2)).
func (c *Condition) String() string {
	var b strings.Builder
	c.write(&b)
	return b.String()
}

func (c *Condition) write(b *strings.Builder) {
	switch c.Op {
	case CondFalse:
		b.WriteByte('f')
	case CondTrue:
		b.WriteByte('t')
	case CondInf, CondFin:
		b.WriteString(map[CondOp]string{CondInf: "Inf(", CondFin: "Fin("}[c.Op])
		b.WriteString(strconv.Itoa(c.Mark))
		b.WriteByte(')')
	default:
		for i, d := range c.Args {
			if i > 0 {
				b.WriteString(map[CondOp]string{CondAnd: " & ", CondOr: " | "}[c.Op])
			}
			if c.Op == CondAnd && d.Op == CondOr { // & binds tighter than |
				b.WriteByte('(')
				d.write(b)
				b.WriteByte(')')
			} else {
				d.write(b)
			}
		}
	}
}

// An Acceptance says which runs of an automaton are accepting. Edges may carry the marks 0 to
// Sets-1, and Condition must hold for the marks seen infinitely often. The condition need not
// use all marks.
//
// The zero Acceptance accepts all.
type Acceptance struct {
	Sets      int
	Condition *Condition
}

// condition returns the condition, which is not nil.
func (a Acceptance) condition() *Condition {
	if a.Condition == nil {
		return AllOf()
	}
	return a.Condition
}

// String returns the value of the header item Acceptance of HOA: "2 Inf(0) & Fin(1)".
func (a Acceptance) String() string {
	return fmt.Sprintf("%d %s", a.Sets, a.condition())
}

// Dual returns the condition that accepts exactly the runs that a rejects.
func (a Acceptance) Dual() Acceptance {
	return Acceptance{a.Sets, a.condition().Dual()}
}
