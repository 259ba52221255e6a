package cross

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/witness"
)

// Bounds of the search for the excess length, which is made for every automaton. They count work,
// so the answer is the same on every machine, but for what takes longer than excessTime.
const (
	excessStates = 200
	excessSteps  = 1_000_000 // about five milliseconds
	excessMemory = 16 << 20  // bytes
	excessTime   = time.Second
)

// excess returns by how many letters the shortest accepting run of an automaton is longer than the
// shortest word that it accepts: by how much a shortest counterexample of a model checker that uses
// the automaton may be longer than need be (Schuppan and Biere 2005). It is 0 for tight automata. It
// returns nil if the automaton accepts nothing, is alternating, or a limit is met. The error is that
// ctx is done.
//
// With [t] 1 from state 0 and [t] 1 {0} from state 1, the shortest run has two edges, and the shortest
// word, cycle{1}, has one letter. So the excess is 1.
func excess(ctx context.Context, a *omega.Automaton) (*int, error) {
	if a.Alternating() || a.NumStates() > excessStates {
		return nil, nil
	}
	inner, cancel := context.WithTimeout(ctx, excessTime)
	defer cancel()
	longer, err := longerRun(inner, a)
	if limit := (*omega.LimitError)(nil); errors.As(err, &limit) || errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return longer, cmp.Or(ctx.Err(), err)
}

// longerRun is excess without its limit of time. It fails at a limit.
func longerRun(ctx context.Context, a *omega.Automaton) (*int, error) {
	r, err := emptiness.ShortestRun(ctx, a, emptiness.Limits{States: excessStates, Memory: excessMemory})
	if err != nil || r.Run == nil {
		return nil, err
	}
	longer := len(r.Run.Prefix) + len(r.Run.Cycle)
	word := r.Run.Word(a.Alphabet()).Concrete()
	if word.Size() > 1 {
		w, err := witness.Shortest(ctx, []witness.Side{{Automaton: a, Accept: true}}, word,
			witness.Limits{Steps: excessSteps, Memory: excessMemory})
		if err != nil || !w.Shortest() {
			return nil, err
		}
		word = w.Word
	}
	longer -= word.Size()
	return &longer, nil
}
