package cross

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/properties"
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
	proved    bool                   // it needs no check
	refused   error                  // why it is not proved
	tried     bool                   // it was, without the limits of ProveAuto
}

// provable reports whether the member has a proof, or may have one that exceeds the limits of ProveAuto.
func (m *member) provable() bool {
	limits := []outcome.Unproved{outcome.NoProofTime, outcome.LargeProof, outcome.NoStrategy}
	return m.proved || !m.tried && slices.Contains(limits, unproved(m.refused))
}

// class returns the member that stands for all members with the same language.
func (m *member) class() *member {
	if m.equal != nil {
		return m.equal
	}
	return m
}

// shouldAccept reports whether the automaton should accept a word on which the formula has that truth.
func (m *member) shouldAccept(truth bool) bool { return truth == (m.polarity == outcome.Formula) }

func (m *member) name() string { return m.subjects[0].String() }

// members are the automata of a case: those for the formula, and those for its negation.
type members [2][]*member

func (l *members) all() []*member { return slices.Concat(l[0], l[1]) }

// add returns the member for the automaton of a subject. Identical automata are one member.
func (l *members) add(s outcome.Subject, a *omega.Automaton) *member {
	id, side := identity(a), &l[s.Polarity.Index()]
	i := slices.IndexFunc(*side, func(m *member) bool { return m.identity == id })
	if i < 0 {
		i = len(*side)
		*side = append(*side, &member{identity: id, language: productcheck.NewLanguage(a), polarity: s.Polarity})
	}
	m := (*side)[i]
	m.subjects = append(m.subjects, s)
	return m
}

// identity returns a string that is the same for automata that are the same up to their names.
func identity(a *omega.Automaton) string {
	k := []byte(a.Acceptance().String())
	state := func(s omega.State) {
		set := a.Universal(s)
		k = binary.AppendUvarint(k, uint64(len(set))) // with lengths, no two automata are the same text
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
			marks = a.Marks().AppendTo(marks[:0], e.Marks) // over one alphabet, equal labels are equal numbers
			k = binary.AppendUvarint(k, uint64(len(marks)))
			for _, i := range marks {
				k = binary.AppendUvarint(k, uint64(i))
			}
		}
	}
	return string(k)
}

// costs estimates for each member how hard it is to complement. Those of a reference come before all others;
// those that can't be complemented, last.
func (c *checker) costs() error {
	for _, m := range c.members.all() {
		m.cost = math.Inf(1)
		if m.reference {
			m.cost = -1
		}
	}
	// If a reference gave both automata, or both have proofs, no other is complemented.
	if p, n := c.members.pivots(); p != nil && (p.reference && n.reference || p.proved && n.proved) {
		return c.ctx.Err()
	}
	for _, m := range c.members.all() {
		if m.reference {
			continue
		}
		c.run.stage.enter("reduction of %s", m.name())
		var err error
		if m.cost, err = c.decider.Cost(c.ctx, m.language); err != nil {
			m.cost = math.Inf(1)
		}
	}
	return c.ctx.Err()
}

// checker does the checks of one case.
type checker struct {
	run       *caseRun
	ctx       context.Context
	decider   productcheck.Decider
	members   members
	given     int                    // how many automata take part
	short     shortWords             // see tryShortWords
	trusts    bool                   // the run's own reference is not checked
	every     bool                   // automata with a proof are checked, too
	tell      func(...*omega.Word)   // is told of each word that a check finds, and certifies it
	prove     func(...*member) error // proves what is hard to check
	err       error                  // a limit of the case, the end of the run, or an internal error: then no more checks are done
	found     []foundWord
	certified int // how many of these are
	done      []outcome.Check
	passed    []intersection
	undone    []outcome.Undecided
}

// An intersection is the intersection of two automata, or of their complements. A check decides
// whether it is empty.
type intersection struct {
	x, y     *member
	inX, inY bool // or else the complement
}

// name returns what JSON has for it: "P a & !(N b)".
func (i *intersection) name() string {
	side := func(m *member, in bool) string {
		if in {
			return m.subjects[0].Symbol()
		}
		return "!(" + m.subjects[0].Symbol() + ")"
	}
	return side(i.x, i.inX) + " & " + side(i.y, i.inY)
}

// text says in words what is so if it is empty.
func (i *intersection) text() string {
	side := func(m *member, in bool) outcome.ContradictionSide {
		return outcome.ContradictionSide{Subject: m.subjects[0], Complement: !in}
	}
	return side(i.x, i.inX).Relation(side(i.y, i.inY))
}

// has reports whether a word is on the side of x, and if so, whether it is on the side of y, by
// package certify.
func (i *intersection) has(ctx context.Context, w *omega.Word) (x, y bool, err error) {
	word, err := certify.ParseWord(w.String())
	if err != nil {
		return false, false, err
	}
	in, err := i.x.accepts(ctx, word)
	if err != nil || in != i.inX {
		return false, false, err
	}
	in, err = i.y.accepts(ctx, word)
	return true, in == i.inY, err
}

// A foundWord is a word that a check has found.
type foundWord struct {
	*omega.Word
	intersection
	check string // its name
	text  string // in words
	space int    // number of the state space in which it was found, from 1; 0: in none
}

// decided reports whether some check was decided.
func (c *checker) decided() bool {
	return len(c.found) > 0 || slices.ContainsFunc(c.done, func(d outcome.Check) bool { return d.Verdict != outcome.NotDecided })
}

// shared checks that x and y have no word in common.
func (c *checker) shared(x, y *member) outcome.Verdict {
	return c.check(intersection{x, y, true, true})
}

// minus checks that each word of x is in y.
func (c *checker) minus(x, y *member) outcome.Verdict {
	return c.check(intersection{x, y, true, false})
}

// gap checks that each word is in x or in y.
func (c *checker) gap(x, y *member) outcome.Verdict { return c.check(intersection{x, y, false, false}) }

// easyMemory is what a check may take, in about a second, before proofs are tried that make it superfluous.
const easyMemory = 6 << 20

// check looks for a word in an intersection. It notes the word, or the limit that was hit.
func (c *checker) check(i intersection) outcome.Verdict {
	if c.err != nil {
		return outcome.NotDecided
	}
	if i.x.proved && i.y.proved && !c.every {
		return outcome.Passed // no right automata fail any check
	}
	name, text := i.name(), i.text()
	by, most := c.decider, c.decider.Limits.Memory
	easy := i.x.provable() && i.y.provable() && !c.every && (most <= 0 || most > easyMemory)
	if easy {
		by.Limits.Memory = easyMemory
	}
	var d *productcheck.Decision
	var err error
	ended := c.run.step(c.ctx, func(ctx context.Context) {
		c.run.stage.enter("%s", text)
		d, err = by.Decide(ctx, productcheck.Side{Language: i.x.language, In: i.inX}, productcheck.Side{Language: i.y.language, In: i.inY})
	})
	if err != nil && ended && c.ctx.Err() == nil {
		d, err = &productcheck.Decision{Undecided: errors.New(c.run.room.full())}, nil
	}
	if err != nil {
		c.err = cmp.Or(c.ctx.Err(), err)
		return outcome.NotDecided
	}
	if easy && d.Undecided != nil {
		c.err = c.prove(i.x, i.y)
		return c.check(i)
	}
	v := outcome.Failed
	switch {
	case d.Undecided != nil:
		v = outcome.NotDecided
		c.undone = append(c.undone, outcome.Undecided{Check: name, Text: text, Why: d.Undecided.Error()})
	case d.Empty():
		v = outcome.Passed
		c.passed = append(c.passed, i)
	default:
		c.found = append(c.found, foundWord{d.Word.Concrete(), i, name, text, 0})
		if c.tell != nil {
			c.tell(c.found[len(c.found)-1].Word)
		}
	}
	constructions := []string{}
	for _, by := range d.Constructions {
		constructions = append(constructions, string(by))
	}
	c.done = append(c.done, outcome.Check{
		Check: name, Verdict: v, DecidedBy: string(d.By), Constructions: constructions,
		Macrostates: d.Macrostates, ProductStates: d.ProductStates,
	})
	c.forget()
	return v
}

// forget drops the complements and indexes that are kept for the checks to come when
// they take much of the memory that a check may have.
func (c *checker) forget() {
	kept := int64(0)
	for _, m := range c.members.all() {
		kept += m.language.Memory()
	}
	if kept <= c.decider.Limits.Memory/4 || c.decider.Limits.Memory <= 0 {
		return
	}
	for _, m := range c.members.all() {
		m.language.Forget()
	}
}

// allPairs does every check for itself.
func (c *checker) allPairs() error {
	c.between(c.members[0], c.members[1], true)
	for _, side := range c.members {
		for _, x := range side {
			for _, y := range side {
				if x != y {
					c.minus(x, y)
				}
			}
		}
	}
	return c.err
}

// between checks automata for the formula with those for its negation. Without gaps, no complement is needed.
func (c *checker) between(pos, neg []*member, gaps bool) error {
	for _, p := range pos {
		for _, n := range neg {
			c.shared(p, n)
			if gaps {
				c.gap(p, n)
			}
		}
	}
	return c.err
}

// byClasses does the checks by classes of equal automata.
func (c *checker) byClasses() error {
	c.unite()
	if c.proved() {
		return nil
	}
	if err := c.costs(); err != nil {
		return err
	}
	p, n := c.members.pivots()
	// If the pivots are complements of each other, a word that is not in the one is in the other.
	own := p != nil && p.own && n.own
	dual := own && c.trusts || p != nil && p.proved && n.proved
	if p != nil && !dual {
		a, b := c.shared(p, n), c.gap(p, n)
		// The reference is believed where its own check takes too much, which is then reported as undecided.
		dual = a == outcome.Passed && (b == outcome.Passed || b == outcome.NotDecided && own)
	}
	if c.err != nil {
		return c.err
	}
	if dual {
		p.language.SetDual(n.language)
		n.language.SetDual(p.language)
	} else {
		p, n = nil, nil
	}
	pos, neg := c.classes(c.members[0], p, n), c.classes(c.members[1], n, p)
	if dual {
		pos, neg = pos[1:], neg[1:] // for the classes of the pivots, it follows from what is known
	}
	return c.between(pos, neg, true)
}

// unite notes what proofs say. Proved automata of one side are equal, and the smallest of them stands for all. Those
// of the other side are its complement. Checks of properties use this, too.
func (c *checker) unite() {
	var smallest [2]*member
	for i, side := range c.members {
		for _, m := range side {
			if m.proved && (smallest[i] == nil || m.language.Automaton().NumStates() < smallest[i].language.Automaton().NumStates()) {
				smallest[i] = m
			}
		}
	}
	for i, side := range c.members {
		for _, m := range side {
			if m.proved && m != smallest[i] {
				m.equal = smallest[i]
				m.equal.language.AddEqual(m.language)
			}
			if other := smallest[1-i]; m.proved && other != nil {
				m.language.SetDual(other.language)
			}
		}
	}
}

// pivots returns an automaton of each side, or nil. It prefers two proved automata. Otherwise one of them is proved, or
// is the automaton that tools were given, or both are of one translator. Of such pairs, it takes the one of least cost.
func (l *members) pivots() (p, n *member) {
	best := 0.0
	for _, x := range l[0] {
		for _, y := range l[1] {
			if x.equal != nil || y.equal != nil {
				continue
			}
			if x.proved && y.proved {
				return x, y
			}
			same := x.input || x.proved || y.proved || slices.ContainsFunc(x.subjects, func(s outcome.Subject) bool {
				return slices.ContainsFunc(y.subjects, func(t outcome.Subject) bool { return s.Translator == t.Translator })
			})
			if cost := x.cost + y.cost; same && (p == nil || cost < best) {
				p, n, best = x, y, cost
			}
		}
	}
	return p, n
}

// classes returns one member of each class of equal languages. The pivot, if there is one, comes first;
// dual is its complement, an automaton of the other side. A member that no decided check shows to be
// equal to another one is a class of its own.
func (c *checker) classes(side []*member, pivot, dual *member) []*member {
	var found []*member
	if pivot != nil {
		found = append(found, pivot)
	}
next:
	for _, m := range side {
		if m == pivot || m.equal != nil {
			continue
		}
		for _, rep := range found {
			// The languages are equal if m has no word that rep lacks, and lacks none. For the pivot,
			// the first takes no complement: m shares no word with the dual.
			var more outcome.Verdict
			if rep == pivot {
				more = c.shared(m, dual)
			} else {
				more = c.minus(m, rep)
			}
			// The second check is also made if the first one failed: a report has words of both kinds.
			if less := c.minus(rep, m); more == outcome.Passed && less == outcome.Passed {
				// Checks of rep may use the automaton of m from now on.
				m.equal = rep
				rep.language.AddEqual(m.language)
				if rep == pivot {
					m.language.SetDual(dual.language)
				}
				continue next
			}
		}
		found = append(found, m)
	}
	return found
}

// newUndecided returns a check that was given up. The format has a %s for its subject.
func newUndecided(why, format string, s outcome.Subject) outcome.Undecided {
	return outcome.Undecided{Check: fmt.Sprintf(format, s.Symbol()), Text: fmt.Sprintf(format, s.String()), Why: why}
}

// properties decides what the automata declare. It fails when ctx is done, and with an internal error.
func (x *caseRun) properties(ctx context.Context, c *outcome.Case, ch *checker) error {
	// After the checks it is known which languages are equal and which are complements of each other: whether
	// words may be stuttered is a question to ask once for all of them, and needs no other complement.
	for i := range x.calls {
		s, out := x.calls[i].Subject, x.calls[i].out
		if out.Automaton == nil {
			continue
		}
		x.stage.enter("properties of %s", s)
		by := properties.Checker{Decider: &ch.decider}
		for _, m := range ch.members.all() {
			if slices.Contains(m.subjects, s) {
				by.Language = m.class().language
			}
		}
		answers, err := by.CheckDeclared(ctx, out.Automaton)
		for _, a := range answers {
			if a.Undecided != nil {
				c.Undecided = append(c.Undecided, newUndecided(a.Undecided.Error(), "%s is "+a.Property, s))
			} else {
				c.Findings = append(c.Findings, outcome.Finding{Subject: s, Class: outcome.FalseProperty, Property: a.Property, Text: a.Message()})
			}
		}
		if err != nil {
			return err
		}
	}
	// Findings about one output stand together.
	place := func(f outcome.Finding) int {
		return slices.IndexFunc(x.calls, func(c call) bool { return c.Subject == f.Subject })
	}
	slices.SortStableFunc(c.Findings, func(f, g outcome.Finding) int { return place(f) - place(g) })
	return nil
}
