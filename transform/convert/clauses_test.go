package convert

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// TestClauses checks the examples in the comments of Clauses and Advance.
func TestClauses(t *testing.T) {
	marks := omega.NewMarkTable(3)
	inf := func(i int) *omega.Condition { return &omega.Condition{Op: omega.CondInf, Mark: i} }
	list, ok := Clauses(omega.AllOf(inf(0), omega.AnyOf(inf(1), inf(2))), marks)
	if !ok || len(list) != 2 || list[0] != marks.Of(0) || list[1] != marks.Of(1, 2) {
		t.Errorf("clauses %v", list)
	}
	two := []omega.Marks{marks.Of(0), marks.Of(1)}
	for _, x := range []struct {
		level, next int
		marks       omega.Marks
		ended       bool
	}{{0, 1, marks.Of(0), false}, {1, 0, marks.Of(1), true}, {1, 2, marks.Of(0, 1), true}} {
		if next, ended := Advance(marks, two, x.level, x.marks); next != x.next || ended != x.ended {
			t.Errorf("from level %d: level %d, ended %t", x.level, next, ended)
		}
	}
}
