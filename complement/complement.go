package complement

import (
	"context"

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

// Watch replaces the context of the Source: it now fails when ctx is done.
func (c *Complement) Watch(ctx context.Context) {
	c.allowance.Watch(ctx)
	c.allowance.LimitMemory(c.allowance.MemoryLimit(), c.Memory)
}

// Limit limits the number of further macrostates; 0 means no limit. "deterministic" ignores
// limit and context, because it adds only one state.
func (c *Complement) Limit(macrostates int) {
	c.allowance.limit, c.allowance.before = macrostates, c.allowance.macrostates
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

// Refuted returns the Büchi automaton whose runs the states of the complement refute, if the
// construction follows them: the complement of it is the language of c.
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

// With returns the complement of a by the given construction; "" means the first one of
// [Subject.Candidates]. The Source fails with an omega.LimitError past limit macrostates (if limit
// > 0), and when ctx is done. With itself fails for the same reasons, with ErrUnfit if the
// construction can't complement a, and with omega.ErrNotWeak.
func With(ctx context.Context, algorithm Algorithm, a *omega.Automaton, limit int) (*Complement, error) {
	p, err := Prepare(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	if algorithm == "" {
		algorithm = p.Candidates()[0]
	}
	return p.Complement(ctx, algorithm, limit)
}
