// Package complement complements ω-automata: it makes an automaton that accepts exactly the words
// that another one rejects.
//
// A complement is an [omega.Source]. Its states are called macrostates, and are made on request. A
// product check therefore makes only the macrostates that the other automaton can reach, which are
// usually few. [Prepare] picks constructions, [Subject.Complement] uses one of them, and [Whole]
// returns an explicit automaton.
//
// # Example
//
// This Büchi automaton accepts the words in which a holds only finitely often:
//
//	State: 0  [1] 0   [!a] 1
//	State: 1  [!a] 1 {0}
//
// All cycles through state 1 are accepting. So a word is rejected if every run that enters state 1
// leaves it again. The breakpoint construction tracks that. A macrostate is a pair (S, B). S has
// the states that runs can be in; B has those in which a run may be stuck in state 1:
//
//	({0}, {})     on a to ({0}, {}), mark 0     on !a to ({0,1}, {1}), mark 0
//	({0,1}, {1})  on a to ({0}, {}), mark 0     on !a to ({0,1}, {1})
//
// A letter moves the states of B. If none is left, the edge carries the mark, and B restarts with
// state 1 if that is in S. The only cycle without the mark is the last edge. So the complement
// accepts the words in which a holds infinitely often.
//
// # Choosing a construction
//
// [Prepare] reduces the automaton and classifies it:
//
//   - A deterministic automaton has at most one run on a word. With a sink added, negating the
//     acceptance condition complements it.
//   - An alternating automaton with weak components is dualized. [Nondeterministic] then removes
//     the alternation.
//   - [Buchi] gives any other automaton Büchi acceptance.
//
// In a Büchi automaton, an accepting run finally stays in one strongly connected component. A word
// is rejected if no component has an accepting run that stays. How hard this is depends on the
// component:
//
//   - All cycles accepting: every run must leave. Breakpoints show this (Miyano and Hayashi 1984).
//   - Deterministic: each run that enters has one continuation. It is guessed when the run has seen
//     its last mark (NCSB, Blahoudek et al. 2016).
//   - Neither: runs keep splitting. Either a tree tracks them all (Safra 1988, Piterman 2007), or a
//     ranking is guessed that proves them rejecting (Kupferman and Vardi 2001, Schewe 2009).
//
// Each component goes to a block with its own construction (Havlena et al. 2023). A macrostate has
// the set of reachable states and a part for each block. An [Algorithm] is a rule that assigns
// components to blocks; the older ones put all components into one block.
//
// [Subject.Candidates] orders the constructions by the expected number of macrostates. None is best
// for all automata. So [Whole] and productcheck.Decider let them take turns, with slices of work
// that grow; see [Try].
//
// # Same language, other acceptance
//
// A [Form] says what an automaton is brought to: Büchi acceptance, determinism with parity
// acceptance, marks on states, completeness. It uses parts of the constructions above.
package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Complement is the Source of the words that an automaton rejects, made on request.
type Complement struct {
	omega.Source
	algorithm Algorithm
	allowance *allowance
	ordered   *macrostates // the Source, if all its blocks are deterministic, or nil
}

// Algorithm returns the construction that makes the complement.
func (c *Complement) Algorithm() Algorithm { return c.algorithm }

// Macrostates returns the number of macrostates made so far.
func (c *Complement) Macrostates() int { return c.allowance.macrostates }

// Resume lets another search use the Source, with the macrostates made so far: it now fails when ctx is
// done, and past limits.Macrostates further ones. (A search knows only the Source, which therefore
// keeps the context.) "deterministic" ignores both, because it adds only one state.
func (c *Complement) Resume(ctx context.Context, limits omega.Limits) {
	c.allowance.Watch(ctx)
	c.allowance.LimitMemory(c.allowance.MemoryLimit(), c.Memory)
	c.allowance.limit, c.allowance.before = limits.WithDefaults().Macrostates, c.allowance.macrostates
}

// Memory returns the number of bytes that the macrostates take.
func (c *Complement) Memory() int64 { return omega.MemoryOf(c.Source) }

// Class returns the equivalence class of a state: states of one class accept the same words.
// If the construction has no classes, ok is false. If all blocks are deterministic, the class
// is the set of reachable states.
func (c *Complement) Class(s omega.State) (class int32, ok bool) {
	if c.ordered == nil {
		return 0, false
	}
	return c.ordered.set(s), true
}

// Weaker reports whether states of class i are known to accept only words that states of class
// j accept. They stand for more states whose runs must be rejected.
func (c *Complement) Weaker(i, j int32) bool {
	return c.ordered != nil && c.ordered.subsets.covers(i, j)
}

// Refuted returns the Büchi automaton that c complements. If the states of c do not stand for sets of its runs, ok is
// false.
func (c *Complement) Refuted() (a *omega.Automaton, ok bool) {
	m, ok := c.Source.(*macrostates)
	if !ok {
		return nil, false
	}
	return m.subsets.a, true
}

// Refutes reports whether state s refutes all runs from one of the states in a bit set, of the
// automaton that Refuted returns: it accepts no word that they accept.
func (c *Complement) Refutes(s omega.State, set []uint64) bool {
	m, ok := c.Source.(*macrostates)
	return ok && m.subsets.meets(m.set(s), set)
}

// An allowance is the budget of a construction, with a limit of macrostates. All parts of
// one complement share one.
type allowance struct {
	*budget.Budget
	limit       int // of macrostates; negative: none
	macrostates int // made so far
	before      int // macrostates that the limit does not count
}

func newAllowance(ctx context.Context, limits omega.Limits) *allowance {
	return &allowance{Budget: budget.New(ctx), limit: limits.WithDefaults().Macrostates}
}

// Limits of a macrostate, whatever the limits of the caller. Past them, its edges cannot even be
// listed.
const (
	maxLetters = 1 << 14 // sets of letters that it tells apart
	maxChoices = 1 << 18 // successors on one letter
)

// check fails when the budget has ended or there are too many macrostates.
func (m *allowance) check() error {
	if err := m.Check(); err != nil {
		return err
	}
	return m.within()
}

// poll is check at intervals. Each loop calls it whose length is not bounded by the size of its
// results.
func (m *allowance) poll() error {
	if m.Stop() {
		return m.Err()
	}
	return m.within()
}

// within fails when there are too many macrostates.
func (m *allowance) within() error {
	if m.limit > 0 && m.macrostates-m.before > m.limit {
		return &omega.LimitError{What: "macrostates", Limit: m.limit}
	}
	return nil
}
