package complement

import (
	"context"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Try gives count constructions slices of work in turns, and returns the index of the first one
// that does not fail with an omega.LimitError, and its error. A slice is a number of macrostates:
// firstSlice in the first round, and more by a factor of nextSlice in each further round, up to
// limits.Macrostates. A construction that is alone gets all that is left after the first round.
// So the constructions together make at most a constant factor more macrostates than the best one
// for each of them, and which one is done first does not depend on time.
//
// If the first of two constructions makes 5000 macrostates and the second 600, the slices are 256 for
// the first, 256 for the second, and again 1024 for the first. Then the second is done with 1024.
//
// A construction that fails with a limit other than its slice is given up. If all are, Try returns
// the first index and its error.
func Try(count int, limits omega.Limits, try func(i int, slice omega.Limits) error) (int, error) {
	if count < 1 || try == nil {
		return 0, errors.New("no construction given")
	}
	limit := limits.WithDefaults().Macrostates
	failed := make([]error, count)
	left := make([]int, count)
	for i := range left {
		left[i] = i
	}
	for slice := firstSlice; len(left) > 0; slice *= nextSlice {
		if limit > 0 && slice >= limit || slice > firstSlice && len(left) == 1 || slice >= lastSlice {
			slice = limit
		}
		for _, i := range slices.Clone(left) {
			limits.Macrostates = slice
			err := try(i, limits)
			// Only a construction that has met a limit gives way to the next.
			var over *omega.LimitError
			if !errors.As(err, &over) {
				return i, err
			}
			// More macrostates would not help, or are not allowed.
			if failed[i] = err; over.Limit != slice || slice == limit {
				left = slices.DeleteFunc(left, func(k int) bool { return k == i })
			}
		}
	}
	return 0, failed[0]
}

// The sizes of slices, in macrostates. No limit is above the last one.
const (
	firstSlice = 1 << 8
	nextSlice  = 4
	lastSlice  = 1 << 28
)

// Whole returns the complement of a as an explicit automaton, and the construction that made
// it. That is the given one, or with "" the first candidate that completes; see Try. Whole
// fails as Prepare and Subject.Complement do. The construction may take
// limits.Memory, and the automaton itself as much again.
func Whole(ctx context.Context, algorithm Algorithm, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, Algorithm, error) {
	s, err := Prepare(ctx, a, limits)
	if err != nil {
		return nil, algorithm, err
	}
	list := []Algorithm{algorithm}
	if algorithm == "" {
		list = s.Candidates()
	}
	var c *omega.Automaton
	done, err := Try(len(list), limits, func(i int, slice omega.Limits) (err error) {
		c, err = s.explore(ctx, list[i], slice)
		return err
	})
	return c, list[done], err
}

func (s *Subject) explore(ctx context.Context, algorithm Algorithm, limits omega.Limits) (*omega.Automaton, error) {
	src, err := s.Complement(ctx, algorithm, limits)
	if err != nil {
		return nil, err
	}
	src.allowance.LimitMemory(limits.WithDefaults().Memory, src.Memory)
	return omega.Explore(ctx, src, omega.NoLimits())
}
