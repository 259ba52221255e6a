package cross

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/translate"
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

// times add up the processor time that a run has spent on proofs, and otherwise on its cases, in nanoseconds.
type times struct{ own, proofs atomic.Int64 }

// account measures one check of a case. When the function that it returns is called, it adds the
// processor time since then, without proofs, and the time of built-in translators.
func (x *caseRun) account() func() {
	runtime.LockOSThread()               // the kernel counts the time of threads
	began := processorTime() - x.proving // proofs of earlier checks are over, and do not count
	return func() {
		own := processorTime() - x.proving - began
		runtime.UnlockOSThread()
		for i := range x.calls {
			// A case is checked again after a call is confirmed.
			if c := &x.calls[i]; c.tool.Builtin != nil && c.out != nil && !c.counted {
				own += c.out.CPU
				c.counted = true
			}
		}
		x.spent.own.Add(int64(own))
	}
}

// processorTime returns the processor time of the thread. Where nobody counts it, it returns the
// time since some start.
func processorTime() time.Duration {
	if t := process.ThreadTime(); t > 0 {
		return t
	}
	return time.Since(processStart)
}

var processStart = time.Now()

// prove proves that automata accept what their formula says, or the same as the automaton that tools were given.
// An automaton without a proof is counted. The error is that the run was canceled, or that a proof can't be
// saved.
func (x *caseRun) prove(ctx context.Context, c *outcome.Case, ch *checker, alphabet *omega.Alphabet) error {
	if x.Prove == "" || x.Prove == ProveNone {
		return nil
	}
	// A passed check has no certificate: a search that ends too early, or a complement that lacks a word, would
	// hide a disagreement. A proof needs no search to be right, see certify.Proof.
	effort := prove.MaxEffort
	if x.Prove == ProveAuto {
		effort = proofEffort
	}
	find := func(ctx context.Context, m *member) (*certify.Proof, error) {
		return prove.Equivalence(ctx, ch.members[outcome.Formula.Index()][0].automaton(), m.automaton(), effort)
	}
	if x.given == nil {
		prover := prove.New(x.store, x.formula)
		prover.Effort = effort
		find = func(ctx context.Context, m *member) (*certify.Proof, error) {
			return prover.Prove(ctx, m.polarity == outcome.Formula, m.automaton())
		}
	}
	// Half of the time that the case has left is for what comes after.
	end, ok := ctx.Deadline()
	if ok {
		end = end.Add(-time.Until(end) / 2)
	}
	for _, m := range ch.members.all() {
		if (m.own || m.input) && len(m.subjects) == 1 || x.given != nil && bool(m.polarity) {
			continue // the reference, or the input, which no result has; or a complement, for which there is no proof
		}
		// Half of the time that is left for proofs is for those that follow.
		limit := time.Duration(math.MaxInt64)
		if !end.IsZero() {
			limit = time.Until(end) / 2
		}
		if x.Prove == ProveAuto {
			limit = min(limit, proofStart+time.Duration(x.spent.own.Load()/2-x.spent.proofs.Load()))
		}
		at := processorTime()
		inner, cancel := context.WithTimeout(ctx, limit)
		proof, err := find(inner, m)
		cancel()
		took := processorTime() - at
		x.spent.proofs.Add(int64(took))
		x.proving += took
		// Without a reference, several tools may be wrong in the same way: then this is how it shows.
		if errors.Is(err, certify.ErrTooMuch) && len(ch.found)+len(ch.undone) == 0 && c.Reference == "" {
			if err := x.shareWord(ctx, ch, m, alphabet); err != nil {
				return err
			}
		}
		var refusal *certify.Refusal
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refusal), errors.Is(err, certify.ErrTooMuch) && len(ch.found)+len(ch.undone) == 0:
			c.Errors = append(c.Errors, fmt.Sprintf("internal error: proof of %s: %v; please report this", m.name(), err))
		}
		for i := range c.Results {
			if r := &c.Results[i]; slices.Contains(m.subjects, r.Subject) {
				r.Proved, r.Unproved = err == nil, unproved(err)
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

// unproved returns why there is no proof.
func unproved(err error) outcome.Unproved {
	for _, x := range []struct {
		err error
		why outcome.Unproved
	}{{nil, ""}, {context.DeadlineExceeded, outcome.NoProofTime}, {certify.ErrLarge, outcome.LargeProof}, {certify.ErrExpression, outcome.NoTableau},
		{certify.ErrTooMuch, outcome.AcceptsMore}, {prove.ErrAlternating, outcome.AlternatingProof}, {prove.ErrLost, outcome.NoStrategy}} {
		if errors.Is(err, x.err) {
			return x.why
		}
	}
	return outcome.RefusedProof
}

// shareWord checks an automaton against our translation of what it must not accept.
func (x *caseRun) shareWord(ctx context.Context, ch *checker, m *member, alphabet *omega.Alphabet) error {
	other := outcome.BothPolarities[1-m.polarity.Index()]
	a, err := translate.Of(ctx, x.store, x.asked(other))
	if err == nil {
		a, err = a.Over(ctx, alphabet)
	}
	if err == nil {
		ch.shared(m, &member{subjects: []outcome.Subject{{Translator: "builtin", Polarity: other}}, polarity: other, language: productcheck.NewLanguage(a)})
		err = ch.err
	}
	return err
}
