// Package bisect finds the version of a program in which a bug came, and the one in which it went.
//
// Versions have numbers from 0, the oldest, and each is good, bad, or can't be tested:
//
//	0     1     2     3     4     5     6     7
//	good  good  skip  bad   bad   bad   good  good
//
// [Search] tests the newest version and the oldest one, and then halves the range between a good
// and a bad version until there is nothing left to test in it. For the versions above it says that
// the bug came in 2 or 3, and went in 6.
package bisect

import (
	"context"
	"math/bits"
)

// A Verdict is what a test says of a version.
type Verdict uint8

const (
	Untested Verdict = iota
	Good
	Bad
	Skipped // it can't be tested
)

func (v Verdict) String() string { return [...]string{"untested", "good", "bad", "skipped"}[v] }

// A Change is a place where the verdict changes.
type Change struct {
	Before int // the last version that is known to be as before; -1 if there is none
	At     int // the first version that is known to have changed
}

// Open returns how many versions between Before and At have no verdict: the change may be in each
// of them, or in At.
func (c *Change) Open() int { return c.At - c.Before - 1 }

// A Result is what a search has found.
type Result struct {
	Verdicts []Verdict // of all versions
	Tests    int       // that were made
	// Broke is where the bug came. Before is -1 if no version before At is known to be good.
	// It is nil if no version is known to be bad.
	Broke *Change
	// Fixed is where it went after that, nil if the newest version that can be tested is bad.
	Fixed *Change
}

// A Test tells whether a version is good. An error ends the search.
type Test func(ctx context.Context, version int) (Verdict, error)

// Search tests some of n versions. If only the newest versions are bad, these are at most
// ⌈log₂(n-1)⌉+2 of them, and at most two more for each that can't be tested. bad is a version that
// is said to be bad, or -1. It is needed where a bug came and went, unless the versions that were
// looked at by chance show it: Search looks at ⌈log₂ n⌉ of them, evenly spread.
//
// If the verdict changes more than twice, the changes that are found are some of them: Before is
// good and At is bad for Broke, and the other way round for Fixed.
//
// After an error, the result is what is known so far.
func Search(ctx context.Context, n, bad int, test Test) (*Result, error) {
	s := &search{ctx: ctx, test: test, Result: &Result{Verdicts: make([]Verdict, n)}}
	err := s.run(bad)
	return s.Result, err
}

type search struct {
	*Result
	ctx  context.Context
	test Test
}

func (s *search) run(bad int) error {
	if bad >= 0 {
		v, err := s.verdict(bad)
		if err != nil {
			return err
		}
		if v == Bad {
			s.Broke = &Change{-1, bad}
		}
	}
	newest, err := s.newest()
	if newest < 0 || err != nil {
		return err
	}
	if s.Broke == nil && s.Verdicts[newest] == Bad {
		s.Broke = &Change{-1, newest}
	}
	oldest, err := s.verdict(0)
	if err != nil {
		return err
	}
	switch {
	case oldest == Bad:
		s.Broke = &Change{-1, 0}
	case s.Broke == nil:
		found, err := s.look(newest)
		if found < 0 || err != nil {
			return err
		}
		s.Broke = &Change{-1, found}
	}
	if s.Verdicts[newest] == Good {
		s.Fixed = &Change{s.Broke.At, newest}
	}
	if err := s.halve(s.Broke, Good); err != nil || s.Fixed == nil {
		return err
	}
	return s.halve(s.Fixed, Bad)
}

// verdict returns that of a version, which it tests if that was not done before.
func (s *search) verdict(i int) (Verdict, error) {
	if s.Verdicts[i] != Untested {
		return s.Verdicts[i], nil
	}
	if err := s.ctx.Err(); err != nil {
		return Untested, err
	}
	s.Tests++
	v, err := s.test(s.ctx, i)
	if err != nil {
		return Untested, err
	}
	s.Verdicts[i] = v
	return v, nil
}

// newest returns the newest version that can be tested, -1 if there is none.
func (s *search) newest() (int, error) {
	for i := len(s.Verdicts) - 1; i >= 0; i-- {
		if v, err := s.verdict(i); v != Skipped || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// look tests versions before the newest one until one is bad, and returns it; -1 if none of
// ⌈log₂ n⌉ is.
func (s *search) look(newest int) (int, error) {
	for k := range bits.Len(uint(len(s.Verdicts) - 1)) {
		list := s.open(-1, newest)
		if len(list) == 0 {
			break
		}
		i := list[int(spread(k)*float64(len(list)))]
		if v, err := s.verdict(i); v == Bad || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// halve makes a change from a verdict smaller until there is nothing left to test in it.
func (s *search) halve(c *Change, before Verdict) error {
	for i := c.Before + 1; i < c.At; i++ {
		switch s.Verdicts[i] {
		case before:
			c.Before = i
		case Good + Bad - before:
			c.At = i // which ends the loop
		}
	}
	for skipped := 0; ; {
		list := s.open(c.Before, c.At)
		if len(list) == 0 {
			return nil
		}
		i := list[int(spread(skipped)*float64(len(list)))]
		switch v, err := s.verdict(i); {
		case err != nil:
			return err
		case v == Skipped:
			skipped++ // its neighbours are likely to be as broken
			continue
		case v == before:
			c.Before = i
		default:
			c.At = i
		}
		skipped = 0
	}
}

// open returns the untested versions between two.
func (s *search) open(from, to int) (list []int) {
	for i := from + 1; i < to; i++ {
		if s.Verdicts[i] == Untested {
			list = append(list, i)
		}
	}
	return list
}

// spread returns 1/2, 1/4, 3/4, 1/8, 5/8, 3/8, … (van der Corput's sequence).
func spread(k int) float64 {
	return float64(bits.Reverse32(uint32(k+1))) / (1 << 32)
}
