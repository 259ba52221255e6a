package suite

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// maxMacrostates is the largest complement that xcheck prints.
const maxMacrostates = 1000000

// include decides an inclusion.
func (s *Suite) include(ctx context.Context, p *Problem, r *solution) error {
	list, err := s.read(ctx, p)
	if err != nil {
		return err
	}
	if len(list) != 2 {
		return fmt.Errorf("an inclusion has 2 automata, not %d", len(list))
	}
	x, y := list[0], list[1]
	if x, y, err = x.OneAlphabet(ctx, y); err != nil {
		return err
	}
	// The first is included unless it shares a word with the complement of the second.
	d := productcheck.Decider{Limits: omega.Limits{Memory: s.Memory}.Or(omega.NoLimits())}
	decision, err := d.Decide(ctx, productcheck.NewLanguage(x).In(), productcheck.NewLanguage(y).Out())
	if err != nil {
		return err
	}
	if decision.Undecided != nil {
		return decision.Undecided
	}
	r.Answer, r.DecidedBy, r.States = answerOf(decision.Empty()), decision.By, decision.ProductStates
	return nil
}

// complement makes the smallest complement that xcheck finds, as the command "xcheck complement".
func (s *Suite) complement(ctx context.Context, p *Problem, r *solution) error {
	list, err := s.read(ctx, p)
	if err != nil {
		return err
	}
	r.input = list[0]
	c, _, err := complement.Smallest(ctx, "", r.input, omega.Limits{Macrostates: maxMacrostates, Memory: s.Memory})
	if err != nil {
		return err
	}
	r.complement, r.States = c, max(1, c.NumStates())
	return nil
}

// checks are the numbers of the random words that a complement is checked with, and of the letters
// in each of their two parts.
const checks, letters = 20, 5

// check looks for errors of a complement: a word that it shares with the automaton, and random
// words that neither accepts. It says so in the result.
func (s *Suite) check(ctx context.Context, r *solution) error {
	limited, cancel := s.limited(ctx)
	defer cancel()
	// A complement that is too large to look at in the time of the limit passes.
	message, err := mistake(limited, r.input, r.complement, omega.Limits{Memory: s.Memory}.Or(omega.NoLimits()))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && limited.Err() == nil && statusOf(err) == Failed:
		return err
	}
	r.Message, r.Wrong = message, message != ""
	return nil
}

// mistake says why c is not the complement of a, or "" if it finds no reason.
func mistake(ctx context.Context, a, c *omega.Automaton, limits omega.Limits) (string, error) {
	a, c, err := a.OneAlphabet(ctx, c)
	if err != nil {
		return "", err
	}
	shared, err := productcheck.Intersect(ctx, a, c, limits)
	if err != nil {
		return "", err
	}
	if !shared.Empty() {
		return "the complement accepts a word of the automaton", nil
	}
	// The words are the same for each tool.
	r := rand.New(rand.NewPCG(1, 1))
	plain := [...]*certify.Automaton{a.Plain(), c.Plain()}
	// A word that both accept was found if there is one. For a word that neither accepts, there are
	// only tries.
	for range checks {
		word := random.Word(r, a.Alphabet(), letters, letters)
		w, err := certify.ParseWord(word.String())
		if err != nil {
			return "", err
		}
		some := false
		for _, x := range plain {
			accepted, err := certify.Accepts(ctx, x, w)
			if err != nil {
				return "", err
			}
			some = some || accepted
		}
		if !some {
			return "neither the automaton nor its complement accepts " + word.String(), nil
		}
	}
	return "", nil
}
