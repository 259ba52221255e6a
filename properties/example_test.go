package properties_test

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
)

// The header declares three properties. CheckDeclared returns the false one.
func ExampleChecker_CheckDeclared() {
	ctx := context.Background()
	a, _, err := hoa.ReadOne(ctx, []byte(`
		HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		properties: deterministic trans-labels weak
		--BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := properties.Checker{Decider: &productcheck.Decider{Limits: productcheck.DefaultLimits}}
	for _, x := range must.Get(c.CheckDeclared(ctx, a)) {
		fmt.Printf("%s: %t\n%s\n", x.Property, x.Holds, x.Reason)
	}
	// Output:
	// deterministic: false
	// state 0 has two edges on a
}
