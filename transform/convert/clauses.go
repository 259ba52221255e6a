package convert

import (
	"cmp"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Clauses is [omega.Condition.Clauses] with each clause as a set of marks. A condition that is nil is
// true.
func Clauses(c *omega.Condition, marks *omega.MarkTable) (list []omega.Marks, ok bool) {
	marks = cmp.Or(marks, omega.NewMarkTable(0))
	clauses, ok := cmp.Or(c, omega.AllOf()).Clauses()
	for _, clause := range clauses {
		list = append(list, marks.Of(clause...))
	}
	return list, ok
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
