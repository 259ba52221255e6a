package bench_test

import (
	"context"
	"fmt"
	"time"

	"github.com/xcheck-ltl/xcheck/bench"
	"github.com/xcheck-ltl/xcheck/complement"
)

// Two constructions on Michel's automata.
func ExampleComplement() {
	var families []bench.Family
	for _, f := range bench.Families() {
		if f.Name == "michel" {
			families = append(families, f)
		}
	}
	o := bench.ComplementOptions{Families: families, Seed: 1, Each: 1, Macrostates: 1000, Time: time.Minute, Jobs: 1,
		Algorithms: []complement.Algorithm{"determinization", "ranks"}}
	err := bench.Complement(context.Background(), o, func(r bench.Row) error {
		fmt.Printf("%s, %s: %d of %d done, median %d states\n", r.Family, r.Algorithm, r.Done, r.Automata, r.States)
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// michel, determinization: 2 of 4 done, median 15 states
	// michel, ranks: 2 of 4 done, median 80 states
}
