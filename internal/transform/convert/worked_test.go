package convert_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	worked.Check(t, "statebased.go", "1 Fin(0)", "State: 0 [a] 0 [!a] 0 {0}",
		"State: 0 [a] 1 {0} [!a] 0 {0} State: 1 [a] 1 [!a] 0",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return convert.StateBased(ctx, a, omega.Limits{})
		})
	worked.Check(t, "degeneralize.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 1 {0} [!a] 0 State: 1 [t] 0 {1}",
		"State: 0 [a] 1 {0} [!a] 0 State: 1 [t] 0 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return convert.Degeneralize(ctx, a, false, omega.Limits{})
		})
	worked.Check(t, "complete.go", "1 Fin(0)", "State: 0 [a] 0", "State: 0 [a] 0 [!a] 1 State: 1 [t] 1 {0}", convert.Complete)
}

// TestClauses checks the examples in the comments of Clauses and Advance.
func TestClauses(t *testing.T) {
	marks := omega.NewMarkTable(3)
	inf := func(i int) *omega.Condition { return &omega.Condition{Op: omega.CondInf, Mark: i} }
	list, ok := convert.Clauses(omega.AllOf(inf(0), omega.AnyOf(inf(1), inf(2))), marks)
	if !ok || len(list) != 2 || list[0] != marks.Of(0) || list[1] != marks.Of(1, 2) {
		t.Errorf("clauses %v", list)
	}
	two := []omega.Marks{marks.Of(0), marks.Of(1)}
	for _, x := range []struct {
		level, next int
		marks       omega.Marks
		ended       bool
	}{{0, 1, marks.Of(0), false}, {1, 0, marks.Of(1), true}, {1, 2, marks.Of(0, 1), true}} {
		if next, ended := convert.Advance(marks, two, x.level, x.marks); next != x.next || ended != x.ended {
			t.Errorf("from level %d: level %d, ended %t", x.level, next, ended)
		}
	}
}
