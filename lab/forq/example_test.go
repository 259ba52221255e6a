package forq_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/lab/forq"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Is every word in which a is true infinitely often one in which it is true from some letter on?
func ExampleCheck() {
	ctx := context.Background()
	r := hoa.NewReader(strings.NewReader(`
		HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [0] 0 {0} [!0] 0 --END--
		HOA: v1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [t] 0 [0] 1 State: 1 [0] 1 {0} --END--`))
	often := must.Get(r.Next(ctx))
	finally := must.Get(must.Get(r.Next(ctx)).Over(ctx, often.Alphabet()))

	result, err := forq.Check(ctx, often, finally, omega.Limits{})
	fmt.Println(result.Word == nil, result.Word, err)
	result, err = forq.Check(ctx, finally, often, omega.Limits{})
	fmt.Println(result.Word == nil, err)
	// Output:
	// false cycle{a; !a} <nil>
	// true <nil>
}
