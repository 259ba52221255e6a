package witness

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/omega/runs"
)

// NotTight returns a shortest word that shows that an automaton is not tight. The automaton
// accepts this lasso u·v^ω, but no accepting run is in the same state after u and after u·v
// (see runs.Tight). Each letter is a single valuation. If the search is complete
// and there is no such word, Word and Why are nil, and the automaton is tight in the sense of
// Schuppan and Biere 2005.
//
// Take [t] 1 from state 0, and [t] 1 {0} from state 1. The only run on cycle{1} is in state 0 at the
// start and in state 1 after one letter, so this word shows that the automaton is not tight.
//
// The search is that of [Shortest], with the automaton on both sides. On the rejecting side,
// only cycles of a single arc of the profile count. The profile determines the states from
// which the cycle is accepted, and those to which it leads back at once. So the search is
// complete when there are no new prefixes and profiles.
//
// NotTight costs what Shortest does, and fails as it does. At a limit it tries random words
// for up to a second. A word found that way may not be shortest.
func NotTight(ctx context.Context, a *omega.Automaton, limits Limits) (*Result, error) {
	s := newSearch(ctx, limits)
	s.tight = true
	r, err := s.shortest(ctx, []Side{{a, true}, {a, false}})
	if err != nil || r.Why == nil {
		return r, err
	}
	inTime, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r.Word, err = tryTight(inTime, a, r.Least)
	if errors.Is(err, context.DeadlineExceeded) {
		err = ctx.Err()
	}
	return r, err
}

// randomWords is how many words are tried where a search was given up.
const randomWords = 1000

// tryTight looks for a word as NotTight does among random ones of about a size.
func tryTight(ctx context.Context, a *omega.Automaton, size int) (*omega.Word, error) {
	r := rand.New(rand.NewPCG(1, 0))
	for range randomWords {
		w := random.Word(r, a.Alphabet(), size+2, size+2).Concrete()
		in, err := a.Accepts(ctx, w)
		if err == nil && in {
			in, err = runs.Tight(ctx, a, w)
			if err == nil && !in {
				return w, nil
			}
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// atOnce adds to set the states to which the loop with the given rows leads back
// through marks that satisfy the condition.
func (t *side) atOnce(rows, set []uint64) {
	for s := range t.states {
		row := rows[s*t.words : (s+1)*t.words]
		for i, marks := range t.sets {
			b := s*len(t.sets) + i
			if bitset.Has(row, b) && t.condition.Eval(t.table, marks) {
				bitset.Add(set, s)
			}
		}
	}
}
