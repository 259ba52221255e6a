package convert

import (
	"cmp"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Clauses returns the condition as a conjunction of disjunctions of Inf, if it has this form.
// Each clause is a set of marks, and an accepting run sees a mark of each clause infinitely
// often. Büchi acceptance is one clause, generalized Büchi several, true none, and false is a
// clause without marks. For example, Inf(0) & (Inf(1) | Inf(2)) has the clauses {0} and {1 2}.
func Clauses(c *omega.Condition, marks *omega.MarkTable) (list []omega.Marks, ok bool) {
	c, marks = cmp.Or(c, omega.AllOf()), cmp.Or(marks, omega.NewMarkTable(0))
	conjuncts := []*omega.Condition{c}
	if c.Op == omega.CondAnd {
		conjuncts = c.Args
	}
	for _, c := range conjuncts {
		switch c.Op {
		case omega.CondTrue:
		case omega.CondFalse:
			list = append(list, 0)
		case omega.CondInf:
			list = append(list, marks.Of(c.Mark))
		case omega.CondOr:
			var any []int
			for _, d := range c.Args {
				if d.Op != omega.CondInf {
					return nil, false
				}
				any = append(any, d.Mark)
			}
			list = append(list, marks.Of(any...))
		default:
			return nil, false
		}
	}
	return list, true
}

// Advance counts clauses. A run at level k waits for a mark of clause k. Advance returns its level
// after an edge with marks m, which may pass several levels. If the edge passes the last one, it
// ends a round, and counts for the next round too: next is then the number of clauses that it
// passes from level 0, which may be all. With the clauses {0} and {1}:
//
//	from level 0, marks {0}    to level 1
//	from level 1, marks {1}    to level 0, ended
//	from level 1, marks {0 1}  to level 2, ended
func Advance(table *omega.MarkTable, clauses []omega.Marks, level int, m omega.Marks) (next int, ended bool) {
	next = passed(table, clauses, level, m)
	if next < len(clauses) {
		return next, false
	}
	return passed(table, clauses, 0, m), true
}

// passed returns the first clause from the given level on that has no mark in m.
func passed(table *omega.MarkTable, clauses []omega.Marks, level int, m omega.Marks) int {
	for uint(level) < uint(len(clauses)) && table.Common(m, clauses[level]) { // unsigned: one check of the bounds
		level++
	}
	return level
}
