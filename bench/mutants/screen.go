package main

import (
	"bytes"
	"context"
	"os/exec"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
)

// A screen finds out which mutants print something else than the original on some formula. The
// others are of no use: nothing can find them, or hardly anything.
type screen struct {
	original string // the program
	formulas []byte // one per line

	mu      sync.Mutex
	outputs map[string][]byte // by algorithm
}

// screened is how many formulas of each distribution a mutant gets.
const screened = 1000

// patience is how long it may take for all of them; the original takes a second.
const patience = 10 * time.Second

// newScreen returns a screen with formulas of all distributions, so that it favors none. Their
// seed is none that an experiment uses.
func newScreen(ctx context.Context, original string) (*screen, error) {
	const seed = 1 << 40
	s := &screen{original: original, outputs: map[string][]byte{}}
	uniform, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"p0", "p1", "p2", "p3"}, MinSize: 1, MaxSize: 20})
	if err != nil {
		return nil, err
	}
	draws := []func(context.Context) (*ltl.Formula, error){uniform.NextContext}
	for _, p := range random.Profiles() {
		draws = append(draws, random.New(p, seed).Next)
	}
	for _, draw := range draws {
		for range screened {
			f, err := draw(ctx)
			if err != nil {
				return nil, err
			}
			s.formulas = append(append(s.formulas, f.String()...), '\n')
		}
	}
	return s, nil
}

// keeps reports whether the mutant of an algorithm prints something else than the original, fails,
// or takes long.
func (s *screen) keeps(ctx context.Context, mutant, algorithm string) (bool, error) {
	s.mu.Lock()
	want, ok := s.outputs[algorithm]
	if !ok {
		var err error
		if want, err = s.answers(ctx, s.original, algorithm, time.Minute); err != nil {
			s.mu.Unlock()
			return false, err
		}
		s.outputs[algorithm] = want
	}
	s.mu.Unlock()
	got, err := s.answers(ctx, mutant, algorithm, patience)
	return err != nil || !bytes.Equal(got, want), ctx.Err()
}

// answers returns what a program prints for the formulas.
func (s *screen) answers(ctx context.Context, program, algorithm string, limit time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, program, algorithm)
	c.Stdin = bytes.NewReader(s.formulas)
	return c.Output()
}
