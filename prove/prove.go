// Package prove proposes proofs that automata accept exactly the words of a formula. Package certify checks
// them, and shares no code with this package.
//
//	p := prove.New(store, formula)
//	proof, err := p.Prove(ctx, true, automaton.Plain())
//
// A proof is a strategy: see certify.Proof, and strategy in game.go. text.go has its text form, which
// docs/proofs.md describes.
package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/prooftext"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// ErrLost reports an automaton for which there is no strategy. It may be right or wrong.
var ErrLost = errors.New("no strategy found")

// MaxEffort is the default of Prover.Effort.
const MaxEffort = 1 << 21

// A Prover proves automata of one formula and of its negation. It keeps their tableaux. Only one
// goroutine at a time may use it.
type Prover struct {
	// Effort bounds the steps of a tableau. A game and a check may take prooftext.CheckSteps times as many. Zero means
	// MaxEffort.
	Effort int

	store   *ltl.Store
	formula *ltl.Formula
	made    [2]struct { // tableaux of the formula: one that tracks nothing, and one that tracks parts
		tableau *certify.Tableau
		err     error
	}
}

// New returns a Prover for a formula of the store.
func New(s *ltl.Store, f *ltl.Formula) *Prover { return &Prover{store: s, formula: f} }

// Prove returns a checked proof that the automaton accepts the words on which the formula has this
// truth. It fails with ErrLost if it finds none, with certify.ErrTooMuch if the automaton accepts other
// words, with certify.ErrLarge for what has no proof, and when ctx is done.
// A *certify.Refusal is a mistake of this package.
func (p *Prover) Prove(ctx context.Context, truth bool, a *certify.Automaton) (*certify.Proof, error) {
	if a == nil || a.Acceptance == nil {
		return nil, omega.ErrNoAutomaton
	}
	tableau, err := p.tableau(ctx)
	if err != nil {
		return nil, err
	}
	proof, err := p.with(ctx, tableau, truth, a)
	var lost *lostError
	if !errors.As(err, &lost) {
		return proof, err
	}
	// The second player may have to guess. A tableau that tracks more formulas may tell him. Such tableaux are larger,
	// so it is no error if one is past its limit.
	failed := func(err error) bool { return errors.Is(err, ErrLost) || errors.Is(err, certify.ErrLarge) }
	if parts := p.parts(); len(parts) > 0 {
		parted, err := p.tableau(ctx, parts...)
		if err == nil {
			proof, err = p.with(ctx, parted, truth, a)
		}
		if !failed(err) {
			return proof, err
		}
	}
	track := &tracker{Store: p.store, ctx: ctx, a: a, tableau: tableau, labels: map[*certify.Label]*ltl.Formula{}}
	for errors.As(err, &lost) && track.add(lost) {
		if track.tableau, err = certify.NewTableau(ctx, p.formula, p.effort(), track.formulas...); err == nil {
			proof, err = p.with(ctx, track.tableau, truth, a)
		}
		if !failed(err) {
			return proof, err
		}
	}
	return nil, cmp.Or(ctx.Err(), ErrLost)
}

// tableau returns the tableau that tracks nothing, or the one that tracks the parts. It makes each once.
func (p *Prover) tableau(ctx context.Context, parts ...*ltl.Formula) (*certify.Tableau, error) {
	made := &p.made[min(len(parts), 1)]
	if made.tableau != nil || made.err != nil {
		return made.tableau, made.err
	}
	t, err := certify.NewTableau(ctx, p.formula, p.effort(), parts...)
	if errors.Is(err, certify.ErrLarge) {
		err = fmt.Errorf("tableau: %w", err)
		made.err = err
	}
	made.tableau = t
	return t, err
}

// parts returns the operands of Boolean combinations below X: for X(b | Fc), an automaton may guess b or Fc in advance.
func (p *Prover) parts() (parts []*ltl.Formula) {
	combined, operand := map[*ltl.Formula]bool{}, map[*ltl.Formula]bool{}
	for _, f := range slices.Backward(p.formula.Subformulas()) {
		switch boolean := ltl.OpNot <= f.Op() && f.Op() <= ltl.OpXor; {
		case boolean && (combined[f] || operand[f]):
			operand[f.Left()], operand[f.Right()] = true, true
		case operand[f] && f.Op() != ltl.OpTrue && f.Op() != ltl.OpFalse:
			parts = append(parts, f)
		}
		if f.Op() == ltl.OpNext {
			combined[f.Left()] = true
		}
	}
	return parts
}

// with returns a checked proof by this tableau.
func (p *Prover) with(ctx context.Context, t *certify.Tableau, truth bool, a *certify.Automaton) (*certify.Proof, error) {
	nodes, sure, err := strategy(ctx, t.Automata[truth], a, false, prooftext.CheckSteps*p.effort())
	if err != nil {
		return nil, err
	}
	proof := &certify.Proof{Tableau: t, Truth: truth, Automaton: a, Nodes: nodes}
	return proof, checked(sure, proof.Check(ctx, prooftext.CheckSteps*p.effort()))
}

// checked returns the result of a check. A strategy that is not sure may be wrong: the automaton rejects a
// word that it should accept.
func checked(sure bool, err error) error {
	var refusal *certify.Refusal
	if !sure && errors.As(err, &refusal) {
		return ErrLost
	}
	return err
}

// Inclusion returns a checked strategy, which shows that right accepts each word that left accepts. It
// fails as Prover.Prove does.
func Inclusion(ctx context.Context, left, right *certify.Automaton, effort int) (*certify.Strategy, error) {
	nodes, sure, err := strategy(ctx, left, right, false, effort)
	if errors.Is(err, ErrLost) && reflect.DeepEqual(left.Acceptance, right.Acceptance) {
		nodes, sure, err = strategy(ctx, left, right, true, effort)
	}
	if err != nil {
		return nil, err
	}
	s := &certify.Strategy{Left: left, Right: right, Nodes: nodes}
	return s, checked(sure, s.Check(ctx, effort))
}

// Equivalence returns a checked proof that an automaton accepts the same words as a given one. Each direction is as Inclusion.
func Equivalence(ctx context.Context, given, a *certify.Automaton, effort int) (*certify.Proof, error) {
	there, err := Inclusion(ctx, given, a, effort)
	if err != nil {
		return nil, err
	}
	back, err := Inclusion(ctx, a, given, effort)
	if err != nil {
		return nil, err
	}
	return &certify.Proof{Given: given, Automaton: a, Nodes: there.Nodes, Back: back.Nodes}, nil
}

func (p *Prover) effort() int { return cmp.Or(p.Effort, MaxEffort) }
