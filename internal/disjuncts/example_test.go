package disjuncts_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
)

func Example() {
	inf := func(i int) *certify.Condition { return &certify.Condition{Op: certify.Inf, Mark: i} }
	list, ok := disjuncts.Of(&certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{
		{Op: certify.Fin, Mark: 0},
		{Op: certify.AnyOf, Args: []*certify.Condition{inf(1), inf(2)}},
	}})
	for _, d := range list {
		fmt.Println("Fin", d.Fin[0].Mark, "Inf", d.Inf[0].Mark)
	}
	fmt.Println(ok)
	// Output:
	// Fin 0 Inf 1
	// Fin 0 Inf 2
	// true
}
