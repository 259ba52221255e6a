package witness_test

import (
	"context"
	"fmt"
	"log"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A shortest word of GFa that is not one of FGa.
func ExampleShortest() {
	gfa, _, err := hoa.ReadOne(context.Background(), []byte(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0)
		--BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`))
	if err != nil {
		log.Fatal(err)
	}
	fga, _, err := hoa.ReadOne(context.Background(), []byte(`HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Fin(0)
		--BODY-- State: 0 [0] 0 [!0] 0 {0} --END--`))
	if err != nil {
		log.Fatal(err)
	}
	sides := []witness.Side{
		{Automaton: gfa, Accept: true},
		{Automaton: must.Get(fga.Over(context.Background(), gfa.Alphabet())), Accept: false},
	}
	r := must.Get(witness.Shortest(context.Background(), sides, nil, omega.Limits{}))
	fmt.Println(r.Word, r.Shortest())
	// Output: cycle{!a; a} true
}
