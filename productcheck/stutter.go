package productcheck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/transform/stutter"
	"github.com/xcheck-ltl/xcheck/omega"
)

// maxStuttering bounds the edges, and the states, of the automata that Stuttering makes.
const maxStuttering = 1 << 20

// A Stuttering says whether a language is stutter-invariant. If it is, the words are nil. If
// not, they are two words that differ only in repetitions of letters: one is in the language,
// and the other is not. Each of their letters is a single valuation.
type Stuttering struct {
	Accepted, Rejected *omega.Word
	Undecided          error // the limit that was hit, or what is not supported
}

// Invariant reports whether the language was proved stutter-invariant.
func (s *Stuttering) Invariant() bool { return s.Undecided == nil && s.Accepted == nil }

// Stuttering decides whether a language is stutter-invariant (Michaud and Duret-Lutz 2015). It
// looks for a word outside the language that results from one inside by removing repetitions
// of letters, and then by adding some. If an automaton of the complement is known (see
// SetDual), it replaces the second search by the first one on the complement. Often the
// structure of the automaton already shows that there is no such word. For example, Xa accepts
// !a; cycle{a}, but not !a; !a; cycle{a}, which repeats a letter. Fa is stutter-invariant.
//
// The word is a shortest one, if the limits allow it. The other word is the shortest
// equivalent that a run of the automaton shows. omega.Automaton.Certify checks both. Results
// are kept with the language and its complement. Stuttering fails when ctx is done, and with
// an internal error.
func (d *Decider) Stuttering(ctx context.Context, l *Language) (*Stuttering, error) {
	if err := lacking(l); err != nil {
		return nil, err
	}
	if l.stuttering != nil {
		return l.stuttering, nil
	}
	if l.dual != nil && l.dual.stuttering != nil && l.dual.stuttering.Invariant() {
		return l.dual.stuttering, nil
	}
	d = d.bounded()
	inner, cancel := d.within(ctx)
	defer cancel()
	s, err := d.stuttering(inner, l)
	var part *undecided
	if ctx.Err() == nil && errors.As(err, &part) {
		return &Stuttering{Undecided: part.why}, nil
	}
	why, err := d.why(ctx, err)
	if err != nil {
		return nil, err
	}
	if why != nil {
		return &Stuttering{Undecided: why}, nil
	}
	l.stuttering = s
	return s, nil
}

// undecided says that a check in a larger one was not decided.
type undecided struct{ why error }

func (u *undecided) Error() string { return u.why.Error() }

// stuttering is Stuttering within a time. What it can't decide is an error.
func (d *Decider) stuttering(ctx context.Context, l *Language) (*Stuttering, error) {
	a, err := l.Reduced(ctx, d.Limits)
	if err != nil {
		return nil, err
	}
	less, err := stutter.Closure(ctx, a, maxStuttering)
	if err != nil {
		return nil, err
	}
	// less accepts what words of the language become when repetitions are removed.
	w, err := d.outside(ctx, l, a, less)
	if err != nil {
		return nil, err
	}
	if w != nil {
		return stutterings(ctx, l, w, false)
	}
	other, side := l, a
	var more *omega.Automaton
	// Adding repetitions leads from inside to outside if and only if removing some leads back.
	if l.dual != nil {
		other = l.dual
		if side, err = other.Reduced(ctx, d.Limits); err == nil {
			more, err = stutter.Closure(ctx, side, maxStuttering)
		}
	} else {
		more, err = stutter.SelfLoops(ctx, a, maxStuttering)
	}
	if err != nil {
		return nil, err
	}
	if w, err = d.outside(ctx, other, side, more); err != nil || w == nil {
		return &Stuttering{}, err
	}
	return stutterings(ctx, l, w, l.dual != nil)
}

// outside returns a word of the automaton more that is not in the language l, or nil if there
// is no such word. It needs no search if more is a, the automaton of the language itself.
func (d *Decider) outside(ctx context.Context, l *Language, a, more *omega.Automaton) (*omega.Word, error) {
	if more == a {
		return nil, nil
	}
	side := NewLanguage(more)
	side.search = more // that it is reduced takes longer than the check
	r, err := d.Decide(ctx, side.In(), l.Out())
	if err != nil {
		return nil, err
	}
	switch {
	case r.Undecided != nil:
		return nil, &undecided{r.Undecided}
	case r.Empty():
		return nil, nil
	}
	shortest, err := d.Shortest(ctx, r.Word.Concrete(), []*Language{side}, []*Language{l})
	if err != nil {
		return nil, err
	}
	return shortest.Word, nil
}

// stutterings returns two stutter-equivalent words: w, and one that the language accepts if and
// only if it does not accept w.
func stutterings(ctx context.Context, l *Language, w *omega.Word, in bool) (_ *Stuttering, err error) {
	defer w.Alphabet.Bind(budget.New(ctx)).Release(&err)
	w = w.Concrete()
	side := l
	if in {
		side = l.dual
	}
	a, err := side.Reduced(ctx, omega.NoLimits())
	if err != nil {
		return nil, err
	}
	// All equivalents of w that the side accepts. A shortest one is easiest to read, but any will
	// do.
	product := NewProduct(stutter.Class(w), a)
	inTime, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	r, err := emptiness.ShortestRun(inTime, product, omega.NoLimits())
	if err != nil && r.Run == nil {
		r, err = emptiness.Check(ctx, product, omega.NoLimits())
	}
	if err != nil && r.Run == nil {
		return nil, err
	}
	if r.Run == nil {
		return nil, fmt.Errorf("%w: productcheck: no equivalent of %s makes the difference", omega.ErrInternal, w)
	}
	v := r.Run.Word(w.Alphabet).Concrete()
	s := &Stuttering{Accepted: v, Rejected: w}
	if in {
		s.Accepted, s.Rejected = w, v
	}
	return s, s.certify(ctx, l)
}

// certify returns an error if the words are not as documented.
func (s *Stuttering) certify(ctx context.Context, l *Language) error {
	if err := l.given.Certify(ctx, s.Accepted, true); err != nil {
		return err
	}
	if err := l.given.Certify(ctx, s.Rejected, false); err != nil {
		return err
	}
	if stutter.Collapse(s.Accepted).String() != stutter.Collapse(s.Rejected).String() {
		return fmt.Errorf("%w: productcheck: %s and %s are not stutter-equivalent", omega.ErrInternal, s.Accepted, s.Rejected)
	}
	return nil
}
