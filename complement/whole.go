package complement

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/omega"
)

// FirstTry is the number of macrostates within which each construction that fits
// is tried before the first of them gets all that a limit allows.
const FirstTry = 1 << 15

// Tries returns the limits of macrostates for the rounds in which count
// constructions are tried one after the other, until one is done: a small one
// first, so that a construction that does badly does not keep the others waiting.
func Tries(count, limit int) []int {
	if count == 1 || limit > 0 && limit <= FirstTry {
		return []int{limit}
	}
	return []int{FirstTry, limit}
}

// Whole returns the complement of a as an explicit automaton, and its
// construction: the given one, or the first of the candidates that is done, see
// Tries. It fails as With does, and with an omega.LimitError when the construction
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
	var first error
	for _, limit := range Tries(len(list), limit) {
		for i, algorithm := range list {
			c, err := s.explore(ctx, algorithm, limit, memory)
			var over *omega.LimitError
			if err == nil || !errors.As(err, &over) {
				return c, algorithm, err
			}
			if i == 0 {
				first = err
			}
		}
	}
	return nil, list[0], first
}

func (s *Subject) explore(ctx context.Context, algorithm Algorithm, limit int, memory int64) (*omega.Automaton, error) {
	src, err := s.Complement(ctx, algorithm, limit)
	if err != nil {
		return nil, err
	}
	src.meter.memory, src.meter.taken = memory, src.Memory
	return omega.Explore(ctx, src, 0)
}
