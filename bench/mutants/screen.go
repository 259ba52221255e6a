//go:build unix

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	outputs map[string][]byte // of the original, by algorithm: what it prints in the time of screened
}

const (
	// drawn is how many formulas of each distribution there are.
	drawn = 1000
	// screened is how long the original translates them.
	screened = 3 * time.Second
	// patience is how long a mutant may take for as much.
	patience = 10 * screened
)

// newScreen returns a screen with formulas of all distributions in turn, so that it favors none.
// Their seed is none that an experiment uses.
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
	for range drawn {
		for _, draw := range draws {
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
	text, err := s.output(ctx, algorithm)
	if err != nil {
		return false, err
	}
	same := &prefix{rest: text}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s.run(limited, mutant, algorithm, same)
	return len(same.rest) > 0, ctx.Err()
}

// output returns what the original prints, up to the last automaton that is complete.
func (s *screen) output(ctx context.Context, algorithm string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text, ok := s.outputs[algorithm]; ok {
		return text, nil
	}
	limited, cancel := context.WithTimeout(ctx, screened)
	defer cancel()
	var out bytes.Buffer
	s.run(limited, s.original, algorithm, &out)
	const end = "--END--\n"
	last := bytes.LastIndex(out.Bytes(), []byte(end))
	if last < 0 {
		return nil, cmp.Or(ctx.Err(), fmt.Errorf("%s %s: no automaton in %v", s.original, algorithm, screened))
	}
	s.outputs[algorithm] = out.Bytes()[:last+len(end)]
	return s.outputs[algorithm], nil
}

// run runs a program on the formulas, until it or the writer ends.
func (s *screen) run(ctx context.Context, program, algorithm string, w io.Writer) {
	c := exec.CommandContext(ctx, program, algorithm)
	c.Stdin, c.Stdout = bytes.NewReader(s.formulas), w
	c.Run() // how it ends says nothing more than what it printed
}

// A prefix compares what is written to it with a text. It ends the writing when all of the text was
// written, and rest is empty, or when something else was written.
type prefix struct{ rest []byte }

var errCompared = errors.New("no more text is needed")

func (p *prefix) Write(text []byte) (int, error) {
	n := min(len(text), len(p.rest))
	if !bytes.Equal(text[:n], p.rest[:n]) {
		return 0, errCompared
	}
	if p.rest = p.rest[n:]; len(p.rest) == 0 {
		return 0, errCompared
	}
	return n, nil
}
