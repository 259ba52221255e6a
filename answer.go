package xcheck

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/witness"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// An Answer says whether a set of words is empty, and has one of the words if it is not.
type Answer struct {
	// Word is a word of the set, in which each letter is a single valuation. It is nil if the set
	// is empty.
	Word *omega.Word
	// Least is a lower bound: no word of the set has fewer letters.
	Least int
	// Why is the limit that ended the search for a shorter word, or nil.
	Why error
	// Decision says how it was decided whether there is a word, and at what cost.
	Decision productcheck.Decision
}

// Empty reports whether it is proved that the set is empty.
func (x *Answer) Empty() bool { return x.Word == nil && x.Decision.Undecided == nil }

// Shortest reports whether it is proved that no word of the set is shorter than Word.
func (x *Answer) Shortest() bool { return x.Word != nil && x.Word.Size() == x.Least }

// String returns "empty", or "non-empty" and the word on a second line, or "undecided" and the
// limit that was hit.
func (x *Answer) String() string {
	switch {
	case x.Decision.Undecided != nil:
		return fmt.Sprintf("undecided: %v", x.Decision.Undecided)
	case x.Word == nil:
		return "empty"
	}
	return "non-empty\n" + x.Word.String()
}

// undecided returns the error for a limit, if one was hit.
func undecided(limit error) error {
	if limit == nil {
		return nil
	}
	return fmt.Errorf("undecided: %w", limit)
}

// Empty looks for a shortest word that the automaton accepts. See [Intersect] for errors.
func Empty(ctx context.Context, a *omega.Automaton) (*Answer, error) {
	return byDefault.Empty(ctx, a)
}

// Empty is the function [Empty].
func (c *Checker) Empty(ctx context.Context, a *omega.Automaton) (*Answer, error) {
	return c.Intersect(ctx, a, everything())
}

// everything returns an automaton that accepts all words.
func everything() *omega.Automaton {
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(0))
	s := b.AddState()
	b.AddStart(s)
	b.AddEdge(s, alphabet.True(), 0, s)
	return b.Automaton()
}

// Intersect returns an Answer also beside an error: it then says how far the search came. It looks for
// a shortest word that both automata accept.
//
// If it can't be decided whether there is a word, the error says why: a limit, or an alternating
// automaton with components that are not weak. Intersect also fails when ctx is done.
func Intersect(ctx context.Context, a, b *omega.Automaton) (*Answer, error) {
	return byDefault.Intersect(ctx, a, b)
}

// Intersect is the function [Intersect].
func (c *Checker) Intersect(ctx context.Context, a, b *omega.Automaton) (*Answer, error) {
	return c.answer(ctx, a, b, true)
}

// Difference looks for a shortest word that a accepts and b rejects. If the answer is empty, b
// accepts every word of a. See [Intersect] for errors.
func Difference(ctx context.Context, a, b *omega.Automaton) (*Answer, error) {
	return byDefault.Difference(ctx, a, b)
}

// Difference is the function [Difference].
func (c *Checker) Difference(ctx context.Context, a, b *omega.Automaton) (*Answer, error) {
	return c.answer(ctx, a, b, false)
}

// answer looks for a word that a accepts, and b too (or not, if in is false).
func (c *Checker) answer(ctx context.Context, a, b *omega.Automaton, in bool) (*Answer, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	x, y, err := languages(ctx, a, b)
	if err != nil {
		return nil, err
	}
	found, err := c.find(ctx, x, y, in)
	if err != nil {
		return nil, err
	}
	return found, undecided(found.Decision.Undecided)
}

// find looks for a word that is in x, and in y (or not in y, if in is false). ctx is of within.
func (c *Checker) find(ctx context.Context, x, y *productcheck.Language, in bool) (*Answer, error) {
	d := &productcheck.Decider{Limits: c.Limits, Algorithm: c.Algorithm}
	r, err := d.Decide(ctx, x.In(), productcheck.Side{Language: y, In: in})
	answer := new(Answer)
	if over := overtime(ctx, err); over != nil {
		answer.Decision.Undecided = over
		return answer, nil
	}
	if err != nil {
		return nil, err
	}
	answer.Decision = *r
	if r.Undecided != nil || r.Empty() {
		return answer, nil
	}
	// The word of a check is rarely a shortest one, but bounds the search for that.
	yes, no := []*productcheck.Language{x, y}, []*productcheck.Language(nil)
	if !in {
		yes, no = yes[:1], yes[1:]
	}
	known := r.Word.Concrete()
	w, err := d.Shortest(ctx, known, yes, no)
	// The word that is known stays an answer.
	if over := overtime(ctx, err); over != nil {
		w, err = &witness.Result{Word: known, Least: 1, Why: over}, nil
	}
	if err != nil {
		return nil, err
	}
	answer.Word, answer.Least, answer.Why = w.Word, w.Least, w.Why
	return answer, certify(ctx, w.Word, yes, no)
}
