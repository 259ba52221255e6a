// Package bisect finds the version of a program in which a bug came, and the one in which it went.
//
// Versions have numbers from 0, the oldest, and each is good, bad, or can't be tested:
//
//	0     1     2     3     4     5     6     7
//	good  good  skip  bad   bad   bad   good  good
//
// [Search] tests the newest version and the oldest one, and then halves the range between a good
// and a bad version until nothing is left to test in it. For the versions above it says that the
// bug came in 2 or 3, and went in 6. It tests 7, 0 and 4, which shows the bug. Between 0 and 4 it
// tests 2, 1 and 3, and between 4 and 7 it tests 6 and 5.
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
	Before int // the last version known to be without the change, or -1
	At     int // the first version known to have changed
}

// Open returns how many versions between Before and At have no verdict: the change may be in each
// of them, or in At.
func (c *Change) Open() int { return c.At - c.Before - 1 }

// A Result is the result of a search.
type Result struct {
	Verdicts []Verdict // of all versions
	Tests    int       // how many tests were made
	// Broke is where the bug came, or nil if no version is known to be bad. Its Before is -1 if
	// no version before At is known to be good.
	Broke *Change
	// Fixed is where the bug went, or nil if the newest version that can be tested is bad.
	Fixed *Change
}

// A Test tells whether a version is good. An error ends the search.
type Test func(ctx context.Context, version int) (Verdict, error)

// Search tests some of n versions. If only the newest versions are bad, it makes at most
// ⌈log₂(n-1)⌉+2 tests, and two more for each version that can't be tested.
//
// The argument bad is a version that the caller believes to be bad, or -1. It helps where a bug
// came and went. Without it, Search looks for a bad version among ⌈log₂ n⌉ versions, evenly spread.
//
// If the verdict changes more than twice, Search finds some of the changes. Broke is then a change
// from good to bad, and Fixed one from bad to good.
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

// verdict returns the verdict of a version. It tests each version once.
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

// newest returns the newest version that can be tested, or -1.
func (s *search) newest() (int, error) {
	for i := len(s.Verdicts) - 1; i >= 0; i-- {
		if v, err := s.verdict(i); v != Skipped || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// look tests ⌈log₂ n⌉ versions before the newest one, until one is bad. It returns that version,
// or -1.
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

// halve narrows a change down until nothing is left to test in it. It tests the middle. A version
// that can't be tested has neighbours that are likely to be as broken, so halve goes on far from
// it. If 0 is good, 8 is bad, and nothing else can be tested, it tries 4 2 6 1 5 3 7.
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
			skipped++
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
