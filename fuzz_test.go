package xcheck_test

import (
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// FuzzCompare: no text of two automata makes a comparison panic, or fail with an internal error.
func FuzzCompare(f *testing.F) {
	f.Add(gfa, gfa)
	for _, text := range hostile() {
		if len(text) < 1000 {
			f.Add(gfa, text)
			f.Add(text, `HOA: v1 States: 1 Start: 0 AP: 1 "b" Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`)
		}
	}
	checker := xcheck.Checker{Limits: productcheck.Limits{
		Macrostates: 2000, ProductStates: 20_000, Memory: 64 << 20, Time: 100 * time.Millisecond, WordSteps: 200_000}}
	f.Fuzz(func(t *testing.T, left, right string) {
		a, err := xcheck.ReadHOA(strings.NewReader(left))
		if err != nil {
			return
		}
		b, err := xcheck.ReadHOA(strings.NewReader(right))
		if err != nil {
			return
		}
		c, err := checker.Compare(t.Context(), a, b)
		if err != nil && strings.Contains(err.Error(), "internal error") {
			t.Fatal(err)
		}
		if (c == nil || c.Verdict() == xcheck.Undecided) != (err != nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}
