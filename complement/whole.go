package complement

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/omega"
)

// firstTry is the number of macrostates that each construction may make in the first round.
// After that, the first construction gets all that the limit allows.
const firstTry = 1 << 15

// Try tries count constructions in turn until one does not fail with an omega.LimitError, and
// returns its index. The first of two rounds has a small limit of macrostates, so a
// construction that does badly does not delay the others. If all fail, Try returns the first
// index and its error.
func Try(count, limit int, try func(i, limit int) error) (int, error) {
	rounds := []int{firstTry, limit}
	if count == 1 || limit > 0 && limit <= firstTry {
		rounds = rounds[1:]
	}
	var first error
	for _, limit := range rounds {
		for i := range count {
			err := try(i, limit)
			var over *omega.LimitError
			if !errors.As(err, &over) {
				return i, err
			}
			if i == 0 {
				first = err
			}
		}
	}
	return 0, first
}

// Whole returns the complement of a as an explicit automaton, and the construction that made
// it. That is the given one, or with "" the first candidate that completes; see Try. Whole
// fails as With does. It also fails with an omega.LimitError if the construction takes more
// than memory bytes (if memory > 0). The automaton itself may take as much again.
func Whole(ctx context.Context, algorithm Algorithm, a *omega.Automaton, limit int, memory int64) (*omega.Automaton, Algorithm, error) {
	s, err := Prepare(ctx, a, limit)
	if err != nil {
		return nil, algorithm, err
	}
	list := []Algorithm{algorithm}
	if algorithm == "" {
		list = s.Candidates()
	}
	var c *omega.Automaton
	done, err := Try(len(list), limit, func(i, limit int) (err error) {
		c, err = s.explore(ctx, list[i], limit, memory)
		return err
	})
	return c, list[done], err
}

func (s *Subject) explore(ctx context.Context, algorithm Algorithm, limit int, memory int64) (*omega.Automaton, error) {
	src, err := s.Complement(ctx, algorithm, limit)
	if err != nil {
		return nil, err
	}
	src.allowance.LimitMemory(memory, src.Memory)
	return omega.Explore(ctx, src, 0)
}
