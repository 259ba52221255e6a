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
	made    [2]struct {
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
	prove := func(t *certify.Tableau, err error) (*certify.Proof, error) {
		if err != nil {
			return nil, err
		}
		proof := &certify.Proof{Tableau: t, Truth: truth, Automaton: a}
		nodes, sure, err := strategy(ctx, t.Automata[truth], a, false, prooftext.CheckSteps*p.effort())
		if err != nil {
			return nil, err
		}
		proof.Nodes = nodes
		return proof, checked(sure, proof.Check(ctx, prooftext.CheckSteps*p.effort()))
	}
	proof, err := prove(p.tableau(ctx, plain))
	var lost *lostError // of the plain tableau, to which the tracked formulas are added
	if !errors.As(err, &lost) {
		return proof, err
	}
	// The second player may have to guess. A tableau that tracks more formulas may tell him. Such tableaux are larger,
	// so it is no error if one is past its limit.
	failed := func(err error) bool { return errors.Is(err, ErrLost) || errors.Is(err, certify.ErrLarge) }
	if proof, err = prove(p.tableau(ctx, tracking)); !failed(err) {
		return proof, err
	}
	languages, err := languages(ctx, p.store, a)
	for track := []*ltl.Formula{}; err == nil; {
		var states []int
		if states, err = lost.guesses(); err != nil {
			break
		}
		least := -1
		for _, q := range states {
			if f := languages[q]; f != nil && (least < 0 || f.Size() < languages[least].Size()) {
				least = q
			}
		}
		if least < 0 || len(track) == maxTrack {
			break
		}
		track, languages[least] = append(track, languages[least]), nil
		if proof, err = prove(certify.NewTableau(ctx, p.formula, p.effort()/4, track...)); !failed(err) {
			return proof, err
		}
		if errors.As(err, &lost) {
			err = nil
		}
	}
	if err == nil || failed(err) {
		err = ErrLost
	}
	return nil, err
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

// Equivalence returns a checked proof that an automaton accepts the same words as a given one.
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

// maxTrack is how many languages a tableau tracks at most. Each doubles its states.
const maxTrack = 6

type attempt int

const plain, tracking attempt = 0, 1

// tableau returns the tableau of the formula, or one that tracks the parts of the operands of X: for X(b | Fc), an
// automaton may guess b or Fc in advance.
func (p *Prover) tableau(ctx context.Context, attempt attempt) (*certify.Tableau, error) {
	m := &p.made[attempt]
	if m.tableau != nil || m.err != nil {
		return m.tableau, m.err
	}
	var track []*ltl.Formula
	var parts func(f *ltl.Formula)
	parts = func(f *ltl.Formula) {
		switch {
		case f == nil:
		case f.Op() == ltl.OpFalse || f.Op() == ltl.OpTrue || ltl.OpNot <= f.Op() && f.Op() <= ltl.OpXor: // X of a Boolean combination: track its operands
			parts(f.Left())
			parts(f.Right())
		default:
			track = append(track, f)
		}
	}
	effort := p.effort()
	if attempt == tracking {
		effort /= 4
		for _, g := range p.formula.Subformulas() {
			if g.Op() == ltl.OpNext {
				parts(g.Left())
			}
		}
	}
	t, err := certify.NewTableau(ctx, p.formula, effort, track...)
	switch {
	case errors.Is(err, certify.ErrLarge):
		m.err = fmt.Errorf("tableau: %w", err)
	case err == nil && attempt == tracking && len(t.Kernel) == len(p.made[plain].tableau.Kernel): // no new formulas
		m.err = ErrLost // the same tableau again
	case err == nil:
		m.tableau = t
	default:
		return nil, err
	}
	return m.tableau, m.err
}

// languages returns, by state, a formula for what a run of the automaton guesses when it enters it: the language of
// the state, where its component has one state, and an upper bound of it elsewhere. It is nil if it says nothing.
//
// Take a state with the loop !a&!b and the exit a to a state that accepts all. A run that enters it guesses
// that (!a & !b) U a holds.
//
// It fails with certify.ErrLarge if the automaton has more states or larger labels than a tableau could follow.
func languages(ctx context.Context, s *ltl.Store, a *certify.Automaton) (of []*ltl.Formula, err error) {
	const maxStates, maxParts = 1 << 10, 1 << 16
	names := make([]*ltl.Formula, len(a.Props))
	for i, name := range a.Props {
		names[i] = s.Prop(name)
	}
	of = make([]*ltl.Formula, a.States)
	open := map[int]bool{}
	formulas := map[*certify.Label]*ltl.Formula{} // labels share parts, and would take exponential time
	var label func(l *certify.Label) *ltl.Formula
	label = func(l *certify.Label) (f *ltl.Formula) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return s.True()
		}
		if f := formulas[l]; f != nil {
			return f
		}
		switch l.Op {
		case certify.Prop:
			f = names[l.Prop]
		case certify.Not:
			f = s.Not(label(l.Args[0]))
		case certify.False, certify.Or:
			f = s.False()
			for i, arg := range l.Args {
				if g := label(arg); i == 0 {
					f = g
				} else {
					f = s.Or(f, g)
				}
			}
		default:
			f = s.True()
			for i, arg := range l.Args {
				if g := label(arg); i == 0 {
					f = g
				} else {
					f = s.And(f, g)
				}
			}
		}
		if len(open) > maxStates || len(formulas) > maxParts || f.Size() > maxParts { // chains share no parts
			err = certify.ErrLarge
		}
		formulas[l] = f
		return f
	}
	var language func(q int) *ltl.Formula
	language = func(q int) *ltl.Formula {
		if of[q] != nil {
			return of[q]
		}
		if open[q] || err != nil {
			return s.True() // a larger component
		}
		open[q] = true
		stay, leave := s.False(), s.False()
		for _, e := range a.Edges(q) {
			l := label(e.Label)
			if e.To[0] == q {
				stay = s.Or(stay, l)
			} else {
				leave = s.Or(leave, s.And(l, s.Next(language(e.To[0]))))
			}
		}
		loops := slices.DeleteFunc(slices.Clone(a.Edges(q)), func(e *certify.Edge) bool { return e.To[0] != q })
		op := ltl.OpUntil
		if holds(a.Acceptance, loops) {
			op = ltl.OpWeakUntil
		}
		f := s.Binary(op, stay, leave)
		of[q] = s.Simplify(f)
		return of[q]
	}
	for _, start := range a.Start {
		language(start[0])
	}
	for q, f := range of {
		if f != nil && (f.Op() == ltl.OpTrue || f.Op() == ltl.OpFalse) {
			of[q] = nil
		}
	}
	return of, err
}

// holds reports whether a run that takes all these edges forever satisfies the condition.
func holds(c *certify.Condition, edges []*certify.Edge) bool {
	switch c.Op {
	case certify.Inf, certify.Fin:
		return slices.ContainsFunc(edges, func(e *certify.Edge) bool { return c.Names(e.Marks) }) == (c.Op == certify.Inf)
	case certify.AnyOf:
		return slices.ContainsFunc(c.Args, func(arg *certify.Condition) bool { return holds(arg, edges) })
	case certify.AllOf:
		return !slices.ContainsFunc(c.Args, func(arg *certify.Condition) bool { return !holds(arg, edges) })
	}
	return c.Op == certify.Always
}
