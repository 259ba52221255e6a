package patterns_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

func ExampleParse() {
	for _, text := range []string{"dac 2..3", "go-theta 1..2", "ms-example 2 1..2", "go-tetha 3"} {
		r, err := patterns.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		for f := range r.All() {
			fmt.Printf("%s: %s\n", f.Name(), f)
		}
	}
	// Output:
	// dac 2: Fp0 -> !p1 U p0
	// dac 3: G(p0 -> G!p1)
	// go-theta 1: !(GFp1 -> G(q -> Fr))
	// go-theta 2: !(GFp1 & GFp2 -> G(q -> Fr))
	// ms-example 2 1: GF(a1 & Xa2) & Fb1
	// ms-example 2 2: GF(a1 & Xa2) & F(b1 & Fb2)
	// patterns "go-tetha 3": at 1: no list or family of formulas named "go-tetha"; did you mean go-theta?
}
