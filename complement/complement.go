package complement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of a complement construction.
type Algorithm string

const (
	ByDeterministic      Algorithm = "deterministic"       // a sink and the dual condition: Deterministic
	ByDualization        Algorithm = "dualization"         // of alternating automata: their dual, without alternation
	ByBreakpoint         Algorithm = "breakpoint"          // Miyano and Hayashi 1984, for inherently weak automata
	ByNCSB               Algorithm = "ncsb"                // Blahoudek et al. 2016, for limit-deterministic automata
	ByLazyNCSB           Algorithm = "ncsb-lazy"           // Chen et al. 2018, for limit-deterministic automata
	ByJointNCSB          Algorithm = "ncsb-joint"          // Havlena et al. 2023, for limit-deterministic automata
	ByModular            Algorithm = "modular"             // Havlena et al. 2023: each component by what fits it
	ByDeterminization    Algorithm = "determinization"     // Piterman 2007, Redziejowski 2012: one tree
	ByDeterminizationSCC Algorithm = "determinization-scc" // Li et al. 2022: a tree for each component
	ByRanks              Algorithm = "ranks"               // Schewe 2009: tight rankings
)

// Algorithms lists the constructions.
func Algorithms() []Algorithm {
	return []Algorithm{ByDeterministic, ByDualization, ByBreakpoint, ByNCSB, ByLazyNCSB, ByJointNCSB, ByModular, ByDeterminization, ByDeterminizationSCC, ByRanks}
}

// Names lists the names of the constructions.
func Names() []string {
	var names []string
	for _, a := range Algorithms() {
		names = append(names, string(a))
	}
	return names
}

// ParseAlgorithm returns the construction with the given name. The error lists all names.
func ParseAlgorithm(name string) (Algorithm, error) {
	if a := Algorithm(name); slices.Contains(Algorithms(), a) {
		return a, nil
	}
	return "", fmt.Errorf("unknown complementation algorithm %q: expected one of %s", name, strings.Join(Names(), ", "))
}

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

// Limit limits the number of further macrostates; 0 means no limit. ByDeterministic ignores
// limit and context, because it adds only one state.
func (c *Complement) Limit(macrostates int) {
	c.allowance.limit, c.allowance.before = macrostates, c.allowance.macrostates
}

// Memory returns the number of bytes that the macrostates take.
func (c *Complement) Memory() int64 {
	if s, ok := c.Source.(omega.Sized); ok {
		return s.Memory()
	}
	return 0
}

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

// ErrUnfit reports a construction that can't complement the given automaton.
var ErrUnfit = errors.New("the construction does not fit the automaton")

// Of returns the complement of a by the first construction of [Subject.Candidates]. It fails
// as With does.
func Of(ctx context.Context, a *omega.Automaton, limit int) (*Complement, error) {
	return With(ctx, "", a, limit)
}

// With returns the complement of a by the given construction; "" means the one that fits best.
// The Source fails with an omega.LimitError past limit macrostates (if limit > 0), and when
// ctx is done. With itself fails for the same reasons, with ErrUnfit if the construction can't
// complement a, and with omega.ErrNotWeak.
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
