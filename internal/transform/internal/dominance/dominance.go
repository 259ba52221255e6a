// Package dominance orders sets of marks by how they serve an acceptance condition.
package dominance

import "github.com/xcheck-ltl/xcheck/omega"

// An Order orders sets of marks by how they serve acceptance. The set m is at least as good as l
// if it has all marks of l that occur under Inf, and no other marks that occur under Fin. A
// condition is monotone in these. So a run that sees better sets all along is accepting if the
// worse one is.
//
// For Inf(0)&Fin(1), the best set is {0}, the worst {1}. Between them are {} and {0 1}, which can't be
// compared.
type Order struct {
	table    *omega.MarkTable
	inf, fin omega.Marks
}

// Of returns the order for the acceptance condition of a.
func Of(a *omega.Automaton) Order {
	var inf, fin []int
	a.Acceptance().Condition.Leaves(func(l *omega.Condition) {
		if l.Op == omega.CondInf {
			inf = append(inf, l.Mark)
		} else {
			fin = append(fin, l.Mark)
		}
	})
	return Order{a.Marks(), a.Marks().Of(inf...), a.Marks().Of(fin...)}
}

// Better reports whether m is at least as good as l.
func (d *Order) Better(m, l omega.Marks) bool {
	switch {
	case m == l:
		return true
	case d.table.Inline(): // the bits of Marks are the marks
		return (l&^m)&d.inf|(m&^l)&d.fin == 0
	}
	return !d.table.Common(d.table.Minus(l, m), d.inf) && !d.table.Common(d.table.Minus(m, l), d.fin)
}
