package complement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of a construction.
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

// ParseAlgorithm returns the construction of that name, and fails with an error
// that lists them if there is none.
func ParseAlgorithm(name string) (Algorithm, error) {
	if a := Algorithm(name); slices.Contains(Algorithms(), a) {
		return a, nil
	}
	return "", fmt.Errorf("unknown complementation algorithm %q: expected one of %s", name, strings.Join(Names(), ", "))
}

// A Complement is the Source of the words that an automaton rejects, made on
// demand.
type Complement struct {
	omega.Source
	algorithm Algorithm
	allowance *allowance
	ordered   *macrostates // the Source, if all its blocks are deterministic, or nil
}

// Algorithm returns the construction.
func (c *Complement) Algorithm() Algorithm { return c.algorithm }

// Macrostates returns the number of states made so far.
func (c *Complement) Macrostates() int { return c.allowance.macrostates }

// Watch makes the Source fail when ctx is done, instead of the context that it
// was made with.
func (c *Complement) Watch(ctx context.Context) {
	c.allowance.Watch(ctx)
	c.allowance.LimitMemory(c.allowance.MemoryLimit(), c.Memory)
}

// Limit sets the number of macrostates, of those to be made from now on, past which
// the Source fails; 0 is none. ByDeterministic heeds neither limit nor context: it
// makes one state.
func (c *Complement) Limit(macrostates int) {
	c.allowance.limit, c.allowance.before = macrostates, c.allowance.macrostates
}

// Memory returns the bytes that the macrostates take.
func (c *Complement) Memory() int64 {
	if s, ok := c.Source.(omega.Sized); ok {
		return s.Memory()
	}
	return 0
}

// Class returns a number that states have in common only if they accept the same
// words, if the construction knows such: where all blocks are deterministic, what
// is accepted depends on the set of states alone.
func (c *Complement) Class(s omega.State) (class int32, ok bool) {
	if c.ordered == nil {
		return 0, false
	}
	return c.ordered.set(s), true
}

// Weaker reports whether it is known that states of class i accept no word that
// those of class j reject: they stand for more states to refute.
func (c *Complement) Weaker(i, j int32) bool {
	return c.ordered != nil && c.ordered.subsets.covers(i, j)
}

// ErrUnfit says that a construction can't complement an automaton.
var ErrUnfit = errors.New("the construction does not fit the automaton")

// Of returns the complement of a by the construction that fits it best: the
// first that Candidates returns. See With.
func Of(ctx context.Context, a *omega.Automaton, limit int) (*Complement, error) {
	return With(ctx, "", a, limit)
}

// With returns the complement of a by the given construction, or by the one that
// fits best if that is "". The Source fails with an omega.LimitError when it
// would make more than limit macrostates (if limit > 0), and when ctx is done.
// With itself fails with ErrUnfit if the construction can't complement a, with
// omega.ErrNotWeak, and where the Source would.
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
