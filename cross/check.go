package cross

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A member is an automaton that takes part in the checks of a case. Several
// subjects that gave the identical automaton are one member.
type member struct {
	subjects  []outcome.Subject
	identity  string // see identity
	polarity  outcome.Polarity
	reference bool                   // of a translator that is one
	own       bool                   // the last of subjects is the run's own reference
	input     bool                   // the first of subjects is the automaton that tools were given
	language  *productcheck.Language // of the automaton as the translator gave it
	cost      float64                // see costs
	plain     *certify.Automaton     // see accepts
	equal     *member                // one found before, of the same language; or nil
}

// class returns the member that stands for those of the same language.
func (m *member) class() *member {
	if m.equal != nil {
		return m.equal
	}
	return m
}

// shouldAccept reports whether the automaton should accept a word on which the formula has that truth.
func (m *member) shouldAccept(truth bool) bool { return truth == (m.polarity == outcome.Formula) }

func (m *member) name() string { return m.subjects[0].String() }

// identity returns a string that is the same for automata that are the same up
// to their names.
func identity(a *omega.Automaton) string {
	k := []byte(a.Acceptance().String())
	state := func(s omega.State) {
		set := a.Universal(s)
		k = binary.AppendUvarint(k, uint64(len(set)))
		for _, t := range set {
			k = binary.AppendUvarint(k, uint64(t))
		}
	}
	k = binary.AppendUvarint(k, uint64(len(a.Initial())))
	for _, s := range a.Initial() {
		state(s)
	}
	var marks []int
	for s := range omega.State(a.NumStates()) {
		k = binary.AppendUvarint(k, uint64(len(a.Edges(s))))
		for _, e := range a.Edges(s) {
			k = binary.LittleEndian.AppendUint64(k, uint64(e.Label))
			state(e.Dst)
			marks = a.Marks().AppendTo(marks[:0], e.Marks)
			k = binary.AppendUvarint(k, uint64(len(marks)))
			for _, i := range marks {
				k = binary.AppendUvarint(k, uint64(i))
			}
		}
	}
	return string(k)
}

// costs estimates for each member how hard it is to complement. Those of a
// reference come before all others; those that can't be complemented, last.
func (c *checker) costs(members []*member) error {
	for _, m := range members {
		if m.reference {
			m.cost = -1
			continue
		}
		c.stage.enter("reduction of %s", m.name())
		var err error
		if m.cost, err = c.decider.Cost(c.ctx, m.language); err != nil {
			m.cost = math.Inf(1)
		}
	}
	return c.ctx.Err()
}

// checker does the checks of one case.
type checker struct {
	ctx     context.Context
	stage   *stage
	decider productcheck.Decider
	members []*member
	trusts  bool // the run's own reference is not checked
	words   []*omega.Word
	expect  []expectation // of each word
	done    []outcome.Check
	passed  []passedCheck
	undone  []outcome.Undecided
}

// A passedCheck is one that has passed, with how it was decided.
type passedCheck struct {
	x, y     *member
	inX, inY bool
	first    *productcheck.Decision
	done     int // where it stands among those that were done
}

// text says in words what has passed.
func (p *passedCheck) text() string { return outcome.Relation(p.x.name(), p.y.name(), p.inX, p.inY) }

// expectation is what the check that found a word says about it.
type expectation struct {
	x, y         *member
	inX, inY     bool
	certificates string // the name of the check
	text         string // the check in words
}

// shared checks that x and y have no word in common.
func (c *checker) shared(x, y *member) (outcome.Verdict, error) {
	return c.check(x, y, true, true)
}

// minus checks that each word of x is in y.
func (c *checker) minus(x, y *member) (outcome.Verdict, error) {
	return c.check(x, y, true, false)
}

// gap checks that each word is in x or in y.
func (c *checker) gap(x, y *member) (outcome.Verdict, error) {
	return c.check(x, y, false, false)
}

// check looks for a word that is in x (or not, if inX is false) and in y (or
// not). It notes the word, or the limit that was hit. The error is that the
// whole run was canceled.
func (c *checker) check(x, y *member, inX, inY bool) (outcome.Verdict, error) {
	name := sideName(x, inX) + " & " + sideName(y, inY)
	text := outcome.Relation(x.name(), y.name(), inX, inY)
	c.stage.enter("%s", text)
	d, err := c.decider.Decide(c.ctx, x.language, inX, y.language, inY)
	if err != nil {
		return outcome.NotDecided, err
	}
	v := outcome.Failed
	switch {
	case d.Undecided != nil:
		v = outcome.NotDecided
		c.undone = append(c.undone, outcome.Undecided{Check: name, Text: text, Why: d.Undecided.Error()})
	case d.Empty():
		v = outcome.Passed
	default:
		c.words = append(c.words, d.Word.Concrete())
		c.expect = append(c.expect, expectation{x, y, inX, inY, name, text})
	}
	constructions := []string{}
	for _, by := range d.Constructions {
		constructions = append(constructions, string(by))
	}
	if v == outcome.Passed {
		c.passed = append(c.passed, passedCheck{x, y, inX, inY, d, len(c.done)})
	}
	c.done = append(c.done, outcome.Check{
		Check:         name,
		Verdict:       v,
		Constructions: constructions,
		Macrostates:   d.Macrostates,
		ProductStates: d.ProductStates,
		Emptiness:     string(d.Emptiness),
	})
	c.forget()
	return v, nil
}

// decided reports whether a check has been decided.
func (c *checker) decided() bool {
	return slices.ContainsFunc(c.done, func(d outcome.Check) bool { return d.Verdict != outcome.NotDecided })
}

// forget drops the complements and indexes that are kept for the checks to come when
// they take much of the memory that a check may have.
func (c *checker) forget() {
	kept := int64(0)
	for _, m := range c.members {
		kept += m.language.Memory()
	}
	if kept <= c.decider.Limits.Memory/4 || c.decider.Limits.Memory == 0 {
		return
	}
	for _, m := range c.members {
		m.language.Forget()
	}
}

// sideName returns the side of a check as JSON has it: "P a", or "!(P a)" for its complement.
func sideName(m *member, in bool) string {
	if in {
		return m.subjects[0].Symbol()
	}
	return "!(" + m.subjects[0].Symbol() + ")"
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

// intersections does the checks for which no complement is needed.
func (c *checker) intersections(pos, neg []*member) error {
	for _, p := range pos {
		for _, n := range neg {
			if _, err := c.shared(p, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// byClasses does the checks by classes of equal automata.
func (c *checker) byClasses(pos, neg []*member) error {
	if err := c.costs(c.members); err != nil {
		return err
	}
	p, n := pivots(pos, neg)
	// If the pivots are complements of each other, a word that is not in the one
	// is in the other.
	dual := false
	if p != nil && n != nil && c.trusts && p.own && n.own {
		dual = true
	} else if p != nil && n != nil {
		a, err := c.shared(p, n)
		if err != nil {
			return err
		}
		b, err := c.gap(p, n)
		if err != nil {
			return err
		}
		// The reference is believed where its own check takes too much, which is
		// then reported as undecided.
		dual = a == outcome.Passed && (b == outcome.Passed || b == outcome.NotDecided && p.own && n.own)
	}
	if dual {
		p.language.SetDual(n.language)
		n.language.SetDual(p.language)
	} else {
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
// automata are easiest to complement; nil if no translator gave both. The automaton
// that tools were given is a pivot with the easiest of theirs.
func pivots(pos, neg []*member) (p, n *member) {
	best := 0.0
	for _, x := range pos {
		for _, y := range neg {
			same := x.input || slices.ContainsFunc(x.subjects, func(s outcome.Subject) bool {
				return slices.ContainsFunc(y.subjects, func(t outcome.Subject) bool { return s.Translator == t.Translator })
			})
			if cost := x.cost + y.cost; same && (p == nil || cost < best) {
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
			var more, less outcome.Verdict
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
			if more == outcome.Passed && less == outcome.Passed {
				m.equal = rep
				if rep == pivot {
					m.language.SetDual(dual.language)
				}
				continue next
			}
		}
		found = append(found, m)
	}
	return found, nil
}

// members unites identical automata. The automata are in the order of their
// subjects; reference says of each whether its translator is one.
func members(subjects []outcome.Subject, automata []*omega.Automaton, reference func(i int) bool) (pos, neg []*member) {
	for i, a := range automata {
		if a == nil {
			continue
		}
		side := &pos
		if subjects[i].Polarity == outcome.Negation {
			side = &neg
		}
		m := find(*side, identity(a))
		if m == nil {
			m = newMember(a, subjects[i].Polarity)
			*side = append(*side, m)
		}
		m.subjects = append(m.subjects, subjects[i])
		m.reference = m.reference || reference(i)
	}
	return pos, neg
}

func newMember(a *omega.Automaton, p outcome.Polarity) *member {
	return &member{identity: identity(a), language: productcheck.NewLanguage(a), polarity: p}
}

// find returns the member with that identity, or nil.
func find(side []*member, identity string) *member {
	for _, m := range side {
		if m.identity == identity {
			return m
		}
	}
	return nil
}
