package prove_test

import (
	"context"
	"fmt"
	"os"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
)

func Example() {
	ctx := context.Background()
	s := ltl.NewStore()
	f, _ := s.Parse("F a", ltl.Spot)
	a, _ := translate.Of(ctx, s, f)
	proof, err := prove.New(s, f).Prove(ctx, true, a.Plain())
	if err != nil {
		fmt.Println(err)
		return
	}
	prove.Write(context.Background(), os.Stdout, proof)
	// Output:
	// xcheck-proof: 1
	// formula: Fa
	// truth: true
	// kernel: Fa
	// HOA: v1
	// States: 2
	// Start: 0
	// AP: 1 "a"
	// Acceptance: 1 Inf(0)
	// --BODY--
	// State: 0
	// [!0] 0
	// [0] 1
	// State: 1
	// [t] 1 {0}
	// --END--
	// node 0: start
	//   to 0: edge 1, node 1, on 1
	//   to 1: edge 1, node 2, on a
	//   to 1: edge 0, node 3, on 1
	// node 1: 0, state 1
	//   to 0: edge 2, node 1, on 1
	// node 2: 1, state 1
	//   to 0: edge 2, node 1, on 1
	//   to 1: edge 2, node 2, on 1
	// node 3: 1, state 0
	//   to 0: edge 1, node 1, on 1
	//   to 1: edge 1, node 2, on a
	//   to 1: edge 0, node 3, on 1
	// end
}
