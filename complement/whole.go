package complement

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/omega"
)

// FirstTry is the number of macrostates within which each construction that fits
// is tried before the first of them gets all that a limit allows.
const FirstTry = 1 << 15

// Try tries count constructions one after the other, until one does not fail with
// an omega.LimitError, and returns which that is. There are two rounds, the first
// with a small limit of macrostates, so that a construction that does badly does
// not keep the others waiting. If all fail, the first and its error are returned,
// which is expected to be the best.
func Try(count, limit int, try func(i, limit int) error) (int, error) {
	rounds := []int{FirstTry, limit}
	if count == 1 || limit > 0 && limit <= FirstTry {
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

// Whole returns the complement of a as an explicit automaton, and its
// construction: the given one, or the first of the candidates that is done, see
// Try. It fails as With does, and with an omega.LimitError when the construction
// takes more than memory bytes (if memory > 0); the automaton itself may take as
// much again.
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
