package sums_test

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

func Example() {
	var s sums.Sums
	for i, states := range []int{1, 2, 2, 3, 40} {
		c := outcome.NewCase(i, "a U b", nil)
		c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: "mine"}, Status: outcome.OK, Sizes: omega.Sizes{States: states}})
		if sums.Plain(c) {
			s.Add(c, i+1)
		}
	}
	mine := s.Of("mine")
	fmt.Println(s.Cases, "cases,", mine.States, "states")
	fmt.Printf("median %.2f", mine.Sketches.States.Quantile(0.5))
	// Output:
	// 5 cases, 48 states
	// median 1.99
}
