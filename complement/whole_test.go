package complement_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestTry: three constructions that need certain numbers of macrostates take turns.
func TestTry(t *testing.T) {
	other := &omega.LimitError{What: "memory", Limit: 7}
	broken := errors.New("broken")
	for _, c := range []struct {
		needs []int // 0: it hits another limit; -1: it is broken
		limit int
		done  int
		err   error
		calls []int
	}{
		{[]int{100, 100}, 0, 0, nil, []int{0, 256}},
		{[]int{300, 200}, 0, 1, nil, []int{0, 256, 1, 256}},
		{[]int{9000, 3000}, 10000, 1, nil, []int{0, 256, 1, 256, 0, 1024, 1, 1024, 0, 4096, 1, 4096}},
		{[]int{9000, 0}, 10000, 0, nil, []int{0, 256, 1, 256, 0, 10000}},
		{[]int{9000}, 0, 0, nil, []int{0, 256, 0, 0}},
		{[]int{9000}, 200, 0, &omega.LimitError{What: "macrostates", Limit: 200}, []int{0, 200}},
		{[]int{0, 0}, 10000, 0, other, []int{0, 256, 1, 256}},
		{[]int{900, -1}, 10000, 1, broken, []int{0, 256, 1, 256}},
		{[]int{900, 900}, 500, 0, &omega.LimitError{What: "macrostates", Limit: 500}, []int{0, 256, 1, 256, 0, 500, 1, 500}},
	} {
		var calls []int
		done, err := complement.Try(len(c.needs), c.limit, func(i, limit int) error {
			calls = append(calls, i, limit)
			switch n := c.needs[i]; {
			case n == 0:
				return other
			case n < 0:
				return broken
			case limit > 0 && n > limit:
				return &omega.LimitError{What: "macrostates", Limit: limit}
			}
			return nil
		})
		same := err == c.err
		if err != nil && c.err != nil {
			same = err.Error() == c.err.Error()
		}
		if done != c.done || !same || !slices.Equal(calls, c.calls) {
			t.Errorf("%v, limit %d: %d, %v after %v, want %d, %v after %v", c.needs, c.limit, done, err, calls, c.done, c.err, c.calls)
		}
	}
}
