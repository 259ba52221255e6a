package cross

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/prove"
)

// A Proving says which automata of a run are proved. The zero value means none.
type Proving string

const (
	ProveAuto Proving = "auto" // what takes at most a third of the run's own time
	ProveAll  Proving = "all"
	ProveNone Proving = "none"
)

// What proofs may take if they are chosen by ProveAuto.
const (
	proofStart  = 250 * time.Millisecond // all proofs of a run, before it has done anything else
	proofEffort = 1 << 15                // one proof: see prove.Prover
)

// times add up what a run has spent on its cases, and of that on proofs, in nanoseconds.
type times struct{ own, proofs atomic.Int64 }

// prove proves that automata accept what their formula says. A passed check has no certificate: a
// search that ends too early, or a complement that lacks a word, would hide a disagreement. A proof
// needs no search to be right, see certify.Proof. An automaton without a proof is counted.
//
// A proof that is refused is an internal error. So is an automaton that accepts too much by the check of
// its proof, where no check has found or left out anything. The error is that the run was canceled, or that
// a proof can't be saved.
func (x *caseRun) prove(ctx context.Context, c *outcome.Case, ch *checker, began time.Time) error {
	if x.Prove == "" || x.Prove == ProveNone || x.given != nil {
		return nil
	}
	x.spent.own.Add(int64(time.Since(began)))
	prover := prove.New(x.store, x.formula)
	if x.Prove == ProveAuto {
		prover.Effort = proofEffort
	}
	for _, m := range ch.members.all() {
		if m.own && len(m.subjects) == 1 {
			continue // the reference, which no result has
		}
		// Half of the time that the case has left is for what comes after.
		limit := time.Duration(math.MaxInt64)
		if end, ok := ctx.Deadline(); ok {
			limit = time.Until(end) / 2
		}
		if x.Prove == ProveAuto {
			limit = min(limit, proofStart+time.Duration(x.spent.own.Load()/2-x.spent.proofs.Load()))
		}
		at := time.Now()
		inner, cancel := context.WithTimeout(ctx, limit)
		proof, err := prover.Prove(inner, m.polarity == outcome.Formula, m.automaton())
		cancel()
		x.spent.proofs.Add(int64(time.Since(at)))
		why := ""
		var refusal *certify.Refusal
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refusal), errors.Is(err, certify.ErrTooMuch) && len(ch.found)+len(ch.undone) == 0:
			c.Errors = append(c.Errors, fmt.Sprintf("internal error: proof of %s: %v; please report this", m.name(), err))
			why = err.Error()
		case errors.Is(err, context.DeadlineExceeded):
			why = "no time left"
		default:
			why = err.Error()
		}
		for i := range c.Results {
			if r := &c.Results[i]; slices.Contains(m.subjects, r.Subject) {
				r.Proved, r.Unproved = err == nil, why
				if err == nil && x.SaveProof != nil {
					if err := x.SaveProof(c, r.Subject, proof); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
