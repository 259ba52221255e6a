package cross

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A member is an automaton that takes part in the checks of a case. Several
// subjects that gave the identical automaton are one member.
type member struct {
	subjects  []Subject
	negated   bool
	reference bool             // of a translator that is one
	a         *omega.Automaton // reduced
	given     *omega.Automaton // as the translator gave it

	complement omega.Source // made when it is first needed
	err        error        // why it can't be made
}

func (m *member) name() string { return m.subjects[0].String() }

// identity returns a string that is the same for automata that are the same up
// to their names.
func identity(a *omega.Automaton) string {
	k := []byte(a.Acceptance().String())
	for _, s := range a.Initial() {
		k = binary.AppendVarint(k, int64(s))
	}
	var marks []int
	for s := range omega.State(a.NumStates()) {
		k = append(k, ';')
		for _, e := range a.Edges(s) {
			k = binary.LittleEndian.AppendUint64(k, uint64(e.Label))
			k = binary.AppendVarint(k, int64(e.Dst))
			marks = a.Marks().AppendTo(marks[:0], e.Marks)
			k = binary.AppendUvarint(k, uint64(len(marks)))
			for _, i := range marks {
				k = binary.AppendUvarint(k, uint64(i))
			}
		}
	}
	return string(k)
}

// cost estimates how hard it is to complement the automaton. Those of a reference
// come before all others.
func (m *member) cost() int {
	n := m.a.NumStates()
	if m.reference {
		return 0
	}
	if m.a.IsDeterministic() {
		return n
	}
	return 1000 + n*n
}

// A verdict is the answer of one check.
type verdict uint8

const (
	unknown verdict = iota
	passed
	failed
)

// checker does the checks of one case.
type checker struct {
	ctx    context.Context
	limits Limits
	words  []*omega.Word
	expect []expectation // of each word
	undone []Undecided
}

// expectation is what the check that found a word says about it.
type expectation struct {
	x, y         *member
	inX, inY     bool
	certificates string // the name of the check
}

// shared checks that x and y have no word in common.
func (c *checker) shared(x, y *member) (verdict, error) {
	return c.check(x, y, true, true)
}

// minus checks that each word of x is in y.
func (c *checker) minus(x, y *member) (verdict, error) {
	return c.check(x, y, true, false)
}

// gap checks that each word is in x or in y.
func (c *checker) gap(x, y *member) (verdict, error) {
	return c.check(x, y, false, false)
}

// check looks for a word that is in x (or not, if inX is false) and in y (or
// not). It notes the word, or the limit that was hit. The error is that the
// whole run was canceled.
func (c *checker) check(x, y *member, inX, inY bool) (verdict, error) {
	name := sideName(x, inX) + " & " + sideName(y, inY)
	ctx := c.ctx
	if c.limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.limits.Time)
		defer cancel()
	}
	result, err := c.intersect(ctx, x, y, inX, inY)
	switch {
	case c.ctx.Err() != nil:
		return unknown, c.ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		err = c.limits.timeError()
		fallthrough
	case err != nil:
		c.undone = append(c.undone, Undecided{Check: name, Why: err.Error()})
		return unknown, nil
	case result.Empty():
		return passed, nil
	}
	c.words = append(c.words, result.Word.Concrete())
	c.expect = append(c.expect, expectation{x, y, inX, inY, name})
	return failed, nil
}

func sideName(m *member, in bool) string {
	if in {
		return m.name()
	}
	return "!(" + m.name() + ")"
}

func (c *checker) intersect(ctx context.Context, x, y *member, inX, inY bool) (*productcheck.Result, error) {
	left, err := c.side(ctx, x, inX)
	if err != nil {
		return nil, err
	}
	right, err := c.side(ctx, y, inY)
	if err != nil {
		return nil, err
	}
	return productcheck.Intersect(ctx, left, right, c.limits.ProductStates)
}

// side returns the automaton of a member or its complement. A complement is kept
// for the checks to come, so that its macrostates are computed once. It watches
// the run's context; that of the check is watched by the search.
func (c *checker) side(ctx context.Context, m *member, in bool) (omega.Source, error) {
	if in {
		return m.a, nil
	}
	if m.complement == nil && m.err == nil {
		m.complement, _, m.err = complement.Of(c.ctx, m.a, c.limits.Macrostates)
	}
	return m.complement, m.err
}

// allPairs does every check for itself.
func (c *checker) allPairs(pos, neg []*member) error {
	for _, p := range pos {
		for _, n := range neg {
			if _, err := c.shared(p, n); err != nil {
				return err
			}
			if _, err := c.gap(p, n); err != nil {
				return err
			}
		}
	}
	for _, side := range [][]*member{pos, neg} {
		for i, x := range side {
			for j, y := range side {
				if i == j {
					continue
				}
				if _, err := c.minus(x, y); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// byClasses does the checks by classes of equal automata.
func (c *checker) byClasses(pos, neg []*member) error {
	p, n := pivots(pos, neg)
	// If the pivots are complements of each other, a word that is not in the one
	// is in the other.
	dual := false
	if p != nil && n != nil {
		a, err := c.shared(p, n)
		if err != nil {
			return err
		}
		b, err := c.gap(p, n)
		if err != nil {
			return err
		}
		dual = a == passed && b == passed
	}
	if !dual {
		p, n = nil, nil
	}
	posClasses, err := c.classes(pos, p, n)
	if err != nil {
		return err
	}
	negClasses, err := c.classes(neg, n, p)
	if err != nil {
		return err
	}
	// What is left is between the classes: for those of the pivots, it follows
	// from what is known if these are complements.
	for _, x := range posClasses {
		for _, y := range negClasses {
			if dual && (x == p || y == n) {
				continue
			}
			if _, err := c.shared(x, y); err != nil {
				return err
			}
			if _, err := c.gap(x, y); err != nil {
				return err
			}
		}
	}
	return nil
}

// pivots returns the automata of the translator that is a reference, or whose
// automata are easiest to complement; nil if no translator gave both.
func pivots(pos, neg []*member) (p, n *member) {
	best := 0
	for _, x := range pos {
		for _, y := range neg {
			same := slices.ContainsFunc(x.subjects, func(s Subject) bool {
				return slices.ContainsFunc(y.subjects, func(t Subject) bool { return s.Translator == t.Translator })
			})
			if cost := x.cost() + y.cost(); same && (p == nil || cost < best) {
				p, n, best = x, y, cost
			}
		}
	}
	return p, n
}

// classes returns one member of each class of equal languages, the pivot first
// (if there is one, then with its complement, an automaton of the other side).
// Members of which it is not known whether they are equal are in classes of
// their own.
func (c *checker) classes(side []*member, pivot, dual *member) ([]*member, error) {
	var found []*member
	if pivot != nil {
		found = append(found, pivot)
	}
next:
	for _, m := range side {
		if m == pivot {
			continue
		}
		for _, rep := range found {
			var more, less verdict
			var err error
			if rep == pivot {
				more, err = c.shared(m, dual)
			} else {
				more, err = c.minus(m, rep)
			}
			if err != nil {
				return nil, err
			}
			if less, err = c.minus(rep, m); err != nil {
				return nil, err
			}
			if more == passed && less == passed {
				continue next
			}
		}
		found = append(found, m)
	}
	return found, nil
}

// members unites identical automata. The automata are in the order of their
// subjects; reference says of each whether its translator is one.
func members(ctx context.Context, subjects []Subject, automata []*omega.Automaton, reference func(i int) bool) (pos, neg []*member, err error) {
	known := map[string]*member{}
	for i, a := range automata {
		if a == nil {
			continue
		}
		key := fmt.Sprint(subjects[i].Negated) + identity(a)
		m := known[key]
		if m == nil {
			reduced, err := omega.Reduce(ctx, a)
			if err != nil {
				return nil, nil, err
			}
			m = &member{a: reduced, given: a, negated: subjects[i].Negated}
			known[key] = m
			if m.negated {
				neg = append(neg, m)
			} else {
				pos = append(pos, m)
			}
		}
		m.subjects = append(m.subjects, subjects[i])
		m.reference = m.reference || reference(i)
	}
	return pos, neg, nil
}
