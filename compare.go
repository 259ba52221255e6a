package xcheck

import (
	"cmp"
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Verdict says how the languages of two automata A and B are related.
type Verdict uint8

const (
	Undecided    Verdict = iota
	Equal                // they accept the same words
	Subset               // B accepts all words of A, and others
	Superset             // A accepts all words of B, and others
	Incomparable         // each accepts a word that the other rejects
)

// String returns the verdict as the command prints it: "equal", "subset", …
func (v Verdict) String() string {
	switch v {
	case Equal:
		return "equal"
	case Subset:
		return "subset"
	case Superset:
		return "superset"
	case Incomparable:
		return "incomparable"
	}
	return "undecided"
}

// A Comparison has the differences of two automata A and B.
type Comparison struct {
	OnlyInA, OnlyInB *Answer // the words that only one of them accepts
}

// Equal reports whether it is proved that both automata accept the same words.
func (c *Comparison) Equal() bool { return c.Verdict() == Equal }

// Verdict returns how the languages are related. It is Undecided if one of the Answers is.
func (c *Comparison) Verdict() Verdict {
	switch {
	case c.Undecided() != nil:
		return Undecided
	case c.OnlyInA.Empty() && c.OnlyInB.Empty():
		return Equal
	case c.OnlyInA.Empty():
		return Subset
	case c.OnlyInB.Empty():
		return Superset
	}
	return Incomparable
}

// errNotCompared reports the zero Comparison.
var errNotCompared = errors.New("nothing was compared")

// Undecided returns the limit that was hit, or what is not supported, if the verdict is Undecided.
func (c *Comparison) Undecided() error {
	if c.OnlyInA == nil || c.OnlyInB == nil {
		return errNotCompared
	}
	return cmp.Or(c.OnlyInB.Decision.Undecided, c.OnlyInA.Decision.Undecided)
}

// String returns what the command "xcheck compare" prints: the verdict, and a line with a word for
// each difference.
func (c *Comparison) String() string {
	s := c.Verdict().String()
	if err := c.Undecided(); err != nil {
		s += ": " + err.Error()
	}
	if x := c.OnlyInA; x != nil && x.Word != nil {
		s += "\nonly in A: " + x.Word.String()
	}
	if x := c.OnlyInB; x != nil && x.Word != nil {
		s += "\nonly in B: " + x.Word.String()
	}
	return s
}

// Compare returns a Comparison also beside the error of an Undecided verdict: it then has what was found. It
// looks for shortest words that only one of the automata accepts.
//
// If the verdict is Undecided, the error says why, as in [Intersect]. Compare also fails when ctx is
// done.
func Compare(ctx context.Context, a, b *omega.Automaton) (*Comparison, error) {
	return byDefault.Compare(ctx, a, b)
}

// Compare is the function [Compare].
func (c *Checker) Compare(ctx context.Context, a, b *omega.Automaton) (*Comparison, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	x, y, err := languages(ctx, a, b)
	if err != nil {
		return nil, err
	}
	var d Comparison
	if d.OnlyInA, err = c.find(ctx, x, y, false); err != nil {
		return nil, err
	}
	if d.OnlyInB, err = c.find(ctx, y, x, false); err != nil {
		return nil, err
	}
	return &d, undecided(d.Undecided())
}
