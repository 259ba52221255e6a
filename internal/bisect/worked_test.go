package bisect

import (
	"context"
	"fmt"
	"testing"
)

// TestWorkedExamples runs the examples in the comments of the package and of halve.
func TestWorkedExamples(t *testing.T) {
	for _, test := range []struct {
		versions       []Verdict
		tested, result string
	}{
		{[]Verdict{Good, Good, Skipped, Bad, Bad, Bad, Good, Good}, "[7 0 4 2 1 3 6 5]", "&{1 3} &{5 6}"},
		{[]Verdict{Good, Skipped, Skipped, Skipped, Skipped, Skipped, Skipped, Skipped, Bad}, "[8 0 4 2 6 1 5 3 7]", "&{0 8} <nil>"},
	} {
		var tested []int
		r, err := Search(t.Context(), len(test.versions), -1, func(_ context.Context, i int) (Verdict, error) {
			tested = append(tested, i)
			return test.versions[i], nil
		})
		if err != nil || fmt.Sprint(tested) != test.tested || fmt.Sprint(r.Broke, " ", r.Fixed) != test.result {
			t.Errorf("tested %d: %v %v, %v", tested, r.Broke, r.Fixed, err)
		}
	}
}
