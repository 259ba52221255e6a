package cross

import (
	"context"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Try returns a case of the formula that is good for its Failures, and not for more:
// words are any that were found, and answers of kept-alive processes are believed.
// What was tried before is not tried again. The error is that ctx is done, or trouble of
// our own.
func (g *Grinder) Try(ctx context.Context, f *ltl.Formula) (*Case, error) {
	t, err := g.try(ctx, f)
	if err != nil {
		return nil, err
	}
	return t.result, nil
}

func (g *Grinder) try(ctx context.Context, f *ltl.Formula) (*trial, error) {
	var begun sync.WaitGroup
	key := trialKey{f.String(), Both}
	defer begun.Wait()
	for {
		t, _ := g.trial(ctx, key, f, false, &begun)
		select {
		case <-t.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if t.err == nil {
			return t, nil
		}
		g.forget(key, t)
		if !t.givenUp() || ctx.Err() != nil {
			return nil, t.err
		}
	}
}

// Case returns the case of the formula as a run has it. The error is that of Try.
func (g *Grinder) Case(ctx context.Context, f *ltl.Formula) (*Case, error) {
	t, err := g.try(ctx, f)
	if err != nil {
		return nil, err
	}
	return g.complete(ctx, f, Both, t)
}
