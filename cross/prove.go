package cross

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
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
	ProveAuto Proving = "auto" // what takes half a second, or three quarters of the run's own time; and what is hard to check
	ProveAll  Proving = "all"
	ProveNone Proving = "none"
)

// ProveAuto limits proofs. A case has proofTime for them. After that, a proof begins only if all proofs of the run
// have taken at most three quarters of its processor time. A check that is hard lifts the limits.
const (
	proofTime   = time.Second / 2
	proofEffort = 1 << 19 // of a proof: see prove.Prover
)

// prove proves that automata accept what their formula says, or the same as the automaton that tools were given.
// It comes before the checks, which automata with a proof do not need; and again, without the limits of ProveAuto,
// where a check is hard. The error is that the run was canceled, or that a proof can't be saved.
func (x *caseRun) prove(ctx context.Context, c *outcome.Case, ch *checker, list []*member, hard bool) error {
	if x.Prove == "" || x.Prove == ProveNone || x.NoChecks || x.quick || x.Unrelated {
		return nil
	}
	x.stage.enter("proofs")
	// A passed check has no certificate: a search that ends too early, or a complement that lacks a word, would
	// hide a disagreement. A proof needs no search to be right, see certify.Proof.
	limited, effort := x.Prove == ProveAuto && !hard, prove.MaxEffort
	if limited {
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
	saving := ctx // whoever saves proofs asks for that: it takes nothing of the time for proofs
	if ok {
		end = end.Add(-time.Until(end) / 2)
		var done context.CancelFunc
		saving, done = context.WithDeadline(ctx, end)
		defer done()
	}
	runtime.LockOSThread() // the kernel counts the time of threads
	defer runtime.UnlockOSThread()
	for _, m := range list {
		switch {
		case m.proved || m.refused != nil && !(hard && m.provable()) || x.given != nil && bool(m.polarity): // a complement has no proof
			continue
		case m.input && len(m.subjects) == 1: // it says what is right, and no result has it
			m.proved = true
			continue
		}
		// Half of the time that is left for proofs is for those that follow.
		limit := time.Duration(math.MaxInt64)
		if !end.IsZero() {
			limit = time.Until(end) / 2
		}
		// A proof that has begun goes on: its effort bounds what it makes.
		if limited && x.proving > proofTime && time.Duration(x.proofs.Load()) > process.Time(false)*3/4 {
			limit = 0
		}
		begin := process.Time(true)
		var proof *certify.Proof
		var err error
		if x.step(ctx, func(ctx context.Context) {
			inner, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			proof, err = find(inner, m)
		}) {
			err = certify.ErrLarge
		}
		took := process.Time(true) - begin
		x.proving += took
		x.proofs.Add(int64(took))
		for i := range c.Results {
			if x.SaveProof == nil || err != nil || !slices.Contains(m.subjects, c.Results[i].Subject) {
				continue
			}
			err = x.SaveProof(saving, c, c.Results[i].Subject, proof)
			// A file that is no proof is an internal error, and the case is not proved.
			var refusal *certify.Refusal
			if err != nil && unproved(err) == outcome.RefusedProof && !errors.As(err, &refusal) && saving.Err() == nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.proved, m.refused, m.tried = m.input || err == nil, err, !limited
		for i := range c.Results {
			if r := &c.Results[i]; slices.Contains(m.subjects, r.Subject) {
				r.Proved, r.Unproved = err == nil, unproved(err)
			}
		}
	}
	return nil
}

// proved reports whether all automata have proofs.
func (c *checker) proved() bool {
	return !slices.ContainsFunc(c.members.all(), func(m *member) bool { return !m.proved })
}

// contested looks at automata that accept more than they should, by the search for a proof, when the
// checks are over. The error is that the run was canceled.
func (x *caseRun) contested(ctx context.Context, c *outcome.Case, ch *checker, alphabet *omega.Alphabet) error {
	for _, m := range ch.members.all() {
		more := errors.Is(m.refused, certify.ErrTooMuch)
		// Without a reference, several tools may be wrong in the same way: then this is how it shows.
		unexplained := func() bool { return len(ch.found)+len(ch.undone)+len(c.Undecided) == 0 }
		if more && unexplained() && c.Reference == "" {
			if err := x.shareWord(ctx, ch, m, alphabet); err != nil {
				return err
			}
		}
		var refusal *certify.Refusal
		if errors.As(m.refused, &refusal) || more && unexplained() {
			c.Errors = append(c.Errors, fmt.Sprintf("internal error: proof of %s: %v; please report this", m.name(), m.refused))
		}
	}
	return nil
}

// unproved returns why there is no proof.
func unproved(err error) outcome.Unproved {
	for _, x := range []struct {
		err error
		why outcome.Unproved
	}{{nil, ""}, {context.DeadlineExceeded, outcome.NoProofTime}, {certify.ErrLarge, outcome.LargeProof},
		{certify.ErrTooMuch, outcome.AcceptsMore}, {omega.ErrAlternating, outcome.AlternatingProof}, {prove.ErrLost, outcome.NoStrategy},
		{prove.ErrLineBreak, outcome.LineBreakProof}} {
		if errors.Is(err, x.err) {
			return x.why
		}
	}
	return outcome.RefusedProof
}

// shareWord checks that an automaton shares no word with our translation of the other polarity. A word is noted in
// ch.found.
func (x *caseRun) shareWord(ctx context.Context, ch *checker, m *member, alphabet *omega.Alphabet) error {
	other := outcome.BothPolarities()[1-m.polarity.Index()]
	s := outcome.Subject{Translator: "builtin", Polarity: other}
	a, err := x.translated(ctx, translate.Of, x.asked(other))
	if err == nil {
		a, err = a.Over(ctx, alphabet)
	}
	if err != nil {
		ch.undone = append(ch.undone, newUndecided(err.Error(), "comparison with %s", s))
		return ctx.Err()
	}
	ch.shared(m, &member{subjects: []outcome.Subject{s}, polarity: other, language: productcheck.NewLanguage(a)})
	return ch.err
}
