package productcheck

import (
	"context"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Language is an automaton with everything computed for it: an equivalent automaton to
// search, the index of its edges, and the explored parts of its complements. Only one
// goroutine at a time may use a Language.
type Language struct {
	given   *omega.Automaton
	search  *omega.Automaton // without alternation, reduced
	failed  bool             // the last attempt to make search
	buchi   *omega.Automaton // the same with Büchi acceptance, once a simulation needed it
	indexed *Indexed         // search, once a product needed it
	subject *complement.Subject
	made    map[complement.Algorithm]*complement.Complement
	dual    *Language
	equal   []*Language

	unreduced, uncomplemented *spent // or nil

	stuttering *Stuttering // once it is decided
}

// NewLanguage returns the language of an automaton, which may be alternating.
func NewLanguage(a *omega.Automaton) *Language {
	return &Language{given: a, made: make(map[complement.Algorithm]*complement.Complement)}
}

// Automaton returns the automaton that was given to NewLanguage.
func (l *Language) Automaton() *omega.Automaton {
	if l == nil {
		return nil
	}
	return l.given
}

// lacking fails with omega.ErrNoAutomaton if there are no languages, or if one has no automaton.
func lacking(languages ...*Language) error {
	for _, l := range languages {
		if l.Automaton().Alphabet() == nil {
			return omega.ErrNoAutomaton
		}
	}
	if len(languages) == 0 {
		return omega.ErrNoAutomaton
	}
	return nil
}

// SetDual declares that m is the complement of l. Checks then use m instead of a construction.
func (l *Language) SetDual(m *Language) { l.dual = m }

// AddEqual declares that m and l are equal. Checks of l may then use m.
func (l *Language) AddEqual(m *Language) { l.equal = append(l.equal, m) }

// Reduced returns an equivalent reduced automaton without alternation. It fails with
// omega.ErrNotWeak for alternating automata that are not weak, with an omega.LimitError past
// limits.Macrostates states, and when ctx is done.
func (l *Language) Reduced(ctx context.Context, limits omega.Limits) (*omega.Automaton, error) {
	if l.search != nil {
		return l.search, nil
	}
	a, err := complement.Nonalternating(ctx, l.given, limits)
	if err == nil {
		a, err = reduce.Reduce(ctx, a)
	}
	if l.failed = err != nil; l.failed {
		return nil, err
	}
	l.search = a
	return a, nil
}

// source returns the reduced automaton for a product, with the index that products
// before have made.
func (l *Language) source(ctx context.Context, limits omega.Limits) (omega.Source, error) {
	a, err := l.Reduced(ctx, limits)
	if err != nil {
		return nil, err
	}
	if l.indexed == nil {
		l.indexed = NewIndexed(a)
	}
	return l.indexed, nil
}

// prepare finds out how the language can be complemented.
func (l *Language) prepare(ctx context.Context, limits omega.Limits) (*complement.Subject, error) {
	if l.subject != nil {
		return l.subject, nil
	}
	// Alternating automata are complemented by dualizing, which needs no reduction.
	a := l.given
	if !a.Alternating() {
		var err error
		if a, err = l.Reduced(ctx, limits); err != nil {
			return nil, err
		}
	}
	s, err := complement.Prepare(ctx, a, limits)
	if err == nil {
		l.subject = s
	}
	return s, err
}

// Cost estimates how hard the language is to complement: the binary logarithm of an upper
// bound on the number of macrostates. It fails as the complement would.
func (l *Language) Cost(ctx context.Context, limits omega.Limits) (float64, error) {
	s, err := l.prepare(ctx, limits)
	if err != nil {
		return 0, err
	}
	return s.Cost(), nil
}

// complemented returns the complement by the algorithm, as far as it has been
// explored by now, with a new context, and a new limit on the macrostates made
// from now on. An earlier check that came to its limit does not count.
func (l *Language) complemented(ctx context.Context, algorithm complement.Algorithm, limits omega.Limits) (*complement.Complement, error) {
	c := l.made[algorithm]
	if c == nil {
		s, err := l.prepare(ctx, limits)
		if err != nil {
			return nil, err
		}
		if c, err = s.Complement(ctx, algorithm, limits); err != nil {
			return nil, err
		}
		l.made[algorithm] = c
		return c, nil
	}
	c.Resume(ctx, limits)
	return c, nil
}

// Memory returns the number of bytes of the complements and the index that are kept for
// further checks.
func (l *Language) Memory() int64 {
	n := int64(0)
	for _, c := range l.made {
		n += c.Memory()
	}
	if l.indexed != nil {
		n += l.indexed.Memory()
	}
	return n
}

// Forget drops the complements and the index.
func (l *Language) Forget() {
	clear(l.made)
	l.indexed = nil
}
