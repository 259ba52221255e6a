package triage

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A failure is a Fault with the options that were drawn for its translator.
type failure struct {
	outcome.Fault
	options []string
}

// within reports whether all options of a list are among others.
func within(some, options []string) bool { return len(common(some, options)) == len(some) }

// common returns the options of a list that are among others.
func common(list, others []string) (both []string) {
	for _, option := range list {
		if slices.Contains(others, option) {
			both = append(both, option)
		}
	}
	return both
}

// fewerOptions leaves out options as long as the automaton for the formula reached fails in the same
// category: all of them, then halves, quarters and so on, then single ones until each one that is left is
// needed:
//
//	-B -C --high -U    fails
//	(none)             right
//	--high -U          right
//	-B -C              right
//	-C --high -U       right
//	-B --high -U       fails
//	--high -U, -B -U   right
//	-B --high          fails, and each of the two alone is right
//
// With an error, the options are the fewest so far.
func (l *causeSearch) fewerOptions(ctx context.Context) error {
	for n := len(l.options); n > 1; n /= 2 {
		if _, err := l.without(ctx, n); err != nil {
			return err
		}
	}
	for left := len(l.options) > 0; left; {
		var err error
		if left, err = l.without(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}

// without leaves out parts of n options, one after the other, as long as the failure shows, and reports
// whether some were.
func (l *causeSearch) without(ctx context.Context, n int) (left bool, err error) {
	all := l.options
	for at := 0; at < len(l.options); {
		before := l.options
		l.options = slices.Delete(slices.Clone(before), at, min(at+n, len(before)))
		c, err := l.try(ctx, l.wrong)
		if err != nil || !l.fails(c) {
			l.options = before
			at += n
		}
		if err != nil {
			return false, err
		}
	}
	return len(l.options) < len(all), nil
}
