package disjuncts_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
)

// TestCommentDisjuncts: the example of a condition.
func TestCommentDisjuncts(t *testing.T) {
	inf := func(i int) *certify.Condition { return &certify.Condition{Op: certify.Inf, Mark: i} }
	c := &certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{
		{Op: certify.Fin, Mark: 0},
		{Op: certify.AnyOf, Args: []*certify.Condition{inf(1), inf(2)}},
	}}
	list, ok := disjuncts.Of(c)
	if !ok || len(list) != 2 {
		t.Fatalf("%v, %v", list, ok)
	}
	for i, d := range list {
		if len(d.Fin) != 1 || d.Fin[0].Mark != 0 || len(d.Inf) != 1 || d.Inf[0].Mark != i+1 {
			t.Errorf("disjunct %d is %v", i, d)
		}
	}
}
