package productcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/internal/transform/simulation"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
)

// A Decider decides checks.
type Decider struct {
	Limits omega.Limits // of each check
	// Algorithm is the complement construction. If it is "", those that fit take turns.
	Algorithm complement.Algorithm
}

// bounded returns a Decider with the limits that its checks obey.
func (d *Decider) bounded() *Decider {
	return &Decider{Limits: d.Limits.WithDefaults(), Algorithm: d.Algorithm}
}

// A Decision is the answer of a check. Exactly one of Result and Undecided is set.
type Decision struct {
	*Result
	By            Step                   // what decided it; "" if it is undecided
	Undecided     error                  // the limit that was hit, or what is not supported
	Constructions []complement.Algorithm // of the complements, by side, in the attempt that decided
	Macrostates   int                    // made for this check
	ProductStates int                    // visited, in all attempts
}

// A Step names what decided a check. For a complement that was made, it is the name of the
// construction, or two of them joined by "+".
type Step string

// The steps besides complements.
const (
	ByProduct   Step = "product"   // no complement was needed
	ByIdentity  Step = "identical" // the reduced automata are isomorphic
	ByKept      Step = "kept"      // complements of earlier checks had all macrostates
	ByDirect    Step = "direct"    // direct simulation
	ByFair      Step = "fair"      // fair simulation
	ByLookahead Step = "lookahead" // simulation with lookahead
	ByDelayed   Step = "delayed"   // delayed simulation, when a complement was not soon enough
)

// ByNegation replaces the construction if no complement was made, because an automaton of the
// complement is known: the one for the negation.
const ByNegation complement.Algorithm = "negation"

// A Side is the words of a language or, if In is false, the words that are not in it.
type Side struct {
	*Language
	In bool
}

// In is the Side of the words in the language.
func (l *Language) In() Side { return Side{l, true} }

// Out is the Side of the words that are not in the language.
func (l *Language) Out() Side { return Side{l, false} }

// Decide looks for a word that is on both sides. Decide fails only when ctx is done, with ErrAlphabet, or with an
// omega.ErrInternal.
//
// A complement is explored only as far as the other side leads. Several constructions take turns,
// with slices of work that grow; see complement.Try. If a check before has spent its limits on the same complement, this one gets a small share
// of them.
func (d *Decider) Decide(ctx context.Context, x, y Side) (*Decision, error) {
	if err := overOne(x.Automaton(), y.Automaton()); err != nil {
		return nil, err
	}
	d = d.bounded()
	sides := [2]Side{x, y}
	limits, before, again := d.allowed(sides)
	if !again {
		return &Decision{Undecided: before}, ctx.Err()
	}
	c := newContest(&Decider{Limits: limits, Algorithm: d.Algorithm}, sides)
	inner, cancel := c.within(ctx)
	defer cancel()
	decided, err := c.withoutComplement(inner)
	if !decided && err == nil {
		err = c.turns(inner)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, omega.ErrInternal):
		return nil, err
	case errors.Is(err, context.DeadlineExceeded):
		err = &budget.TimeError{Limit: d.Limits.Time}
	}
	// With a share of the limits only, the limit that was spent before says more.
	if err != nil && before != nil {
		err = before
	} else if err != nil {
		d.spend(err, sides[:]...)
	}
	c.decision.Undecided = err
	return c.decision, nil
}

// A contest is a check that several attempts try to decide.
type contest struct {
	*Decider
	decision *Decision
	sides    [2]Side
	by       [2][]complement.Algorithm // what the sides may be complemented by
	a, b     *Language                 // no word is in both sides if and only if b includes a; or nil
	started  int                       // attempts by complements
	implied  *implied                  // what known has computed, or nil
}

// newContest finds out whether the check is an inclusion: one side is the complement of b, and no
// complement has to be made for the other side.
func newContest(d *Decider, sides [2]Side) *contest {
	c := &contest{Decider: d, decision: &Decision{}, sides: sides}
	// The language of a side that needs no construction.
	known := func(o Side) *Language {
		if o.In {
			return o.Language
		}
		return o.dual
	}
	x, y := sides[0], sides[1]
	switch {
	case !y.In && y.dual == nil && known(x) != nil:
		c.a, c.b = known(x), y.Language
	case !x.In && x.dual == nil && known(y) != nil:
		c.a, c.b = known(y), x.Language
	}
	return c
}

// An attempt may decide an inclusion without a complement. It fits some automata only, and takes a
// share of the work that does not depend on a clock. With a limit, it has not decided.
type attempt struct {
	fits bool
	try  func() (Step, error) // "": not decided
}

const (
	maxLookahead    = 4
	simulationSteps = 1 << 17 // some two milliseconds
	// buchiStates bounds automata with Büchi acceptance that are made for a simulation. Larger ones
	// would exceed simulationSteps.
	buchiStates = 1 << 12
)

// withoutComplement tries to decide an inclusion in less time than a complement takes. It tries
// nothing if an earlier check has made a complement of b, or if the Decider prescribes how to decide.
func (c *contest) withoutComplement(ctx context.Context) (decided bool, err error) {
	if c.Algorithm != "" || c.a == nil || len(c.b.made) > 0 {
		return false, nil
	}
	// Proofs take reduced automata. If a reduction exceeds a limit, nothing is decided here, and
	// turns will report the limit.
	for _, l := range []*Language{c.a, c.b} {
		if _, err := l.Reduced(ctx, c.Limits); err != nil {
			return false, unlimited(err)
		}
	}
	for _, x := range c.proofs(ctx) {
		if !x.fits {
			continue
		}
		by, err := x.try()
		if err = unlimited(err); err != nil {
			return false, err
		}
		if by != "" {
			c.decision.By, c.decision.Result = by, &Result{} // a proof of inclusion has no word
			return true, nil
		}
	}
	return false, nil
}

// proofs are the ways to prove that the reduced automaton b includes a, in the order in which they are
// tried. To add one, add a row.
func (c *contest) proofs(ctx context.Context) []attempt {
	a, b := c.a.search, c.b.search
	// A deterministic automaton is complemented in less time than simulations take.
	hard := !b.IsDeterministic()
	return []attempt{
		{a.NumStates() == b.NumStates() && a.NumEdges() == b.NumEdges(), func() (Step, error) {
			if same, err := isomorphic.Equal(ctx, a, b); !same {
				return "", err
			}
			return ByIdentity, nil
		}},
		// For conditions that fair simulation needs another automaton for.
		{hard && !simulation.Fair.Fits(a, b) && simulation.Direct.Fits(a, b), func() (Step, error) {
			if k, err := simulation.Proves(ctx, a, b, simulation.Direct, 1, simulationSteps); k == 0 {
				return "", err
			}
			return ByDirect, nil
		}},
		{hard, func() (Step, error) {
			x, err := c.a.withBuchi(ctx)
			if err != nil {
				return "", err
			}
			y, err := c.b.withBuchi(ctx)
			if err != nil {
				return "", err
			}
			switch k, err := simulation.Proves(ctx, x, y, simulation.Fair, maxLookahead, simulationSteps); k {
			case 0:
				return "", err
			case 1:
				return ByFair, err
			default:
				return ByLookahead, err
			}
		}},
	}
}

// unlimited returns the error, or nil if it reports a limit, because then there is only no proof.
func unlimited(err error) error {
	if errors.As(err, new(*omega.LimitError)) || errors.Is(err, omega.ErrNotWeak) {
		return nil
	}
	return err
}

// withBuchi returns the reduced automaton with Büchi acceptance.
func (l *Language) withBuchi(ctx context.Context) (*omega.Automaton, error) {
	if l.buchi == nil {
		a, err := complement.Buchi(ctx, l.search, omega.Limits{Macrostates: buchiStates})
		if err != nil {
			return nil, err
		}
		if a, err = reduce.Reduce(ctx, a); err != nil {
			return nil, err
		}
		l.buchi = a
	}
	return l.buchi, nil
}

// turns gives the constructions turns, with larger and larger slices of work, until the check is
// decided.
func (c *contest) turns(ctx context.Context) error {
	count := 0
	for i, o := range c.sides {
		list, err := o.candidates(ctx, c.Decider)
		if err != nil {
			return err
		}
		c.by[i] = list
		count = max(count, len(list))
	}
	// At the end of a slice, complement fails with an omega.LimitError, and the next one has its turn.
	_, err := complement.Try(count, c.Limits, func(i int, slice omega.Limits) error { return c.complement(ctx, i, slice) })
	return err
}

// candidates returns the constructions that may be tried, for a language itself
// just one that means nothing.
func (o Side) candidates(ctx context.Context, d *Decider) ([]complement.Algorithm, error) {
	if o.In {
		return []complement.Algorithm{""}, nil
	}
	if d.Algorithm != "" {
		return []complement.Algorithm{d.Algorithm}, nil
	}
	// Its own automaton could not be reduced, so only the known complement is left.
	if o.dual != nil && o.unreduced != nil {
		return []complement.Algorithm{ByNegation}, nil
	}
	s, err := o.prepare(ctx, d.Limits)
	if o.dual != nil {
		negation, failed := o.dual.Reduced(ctx, d.Limits)
		// The known complement is explicit. A construction makes only what the product visits, but
		// at worst as many states as its cost says.
		if failed == nil && (err != nil || math.Log2(float64(negation.NumStates())) < s.Cost()) {
			return []complement.Algorithm{ByNegation}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return s.Candidates(), nil
}

// complement searches the product with the construction i for each side, or the last one that it has.
func (c *contest) complement(ctx context.Context, i int, slice omega.Limits) error {
	decision := c.decision
	decision.Constructions = nil
	var sources [2]omega.Source
	for k, o := range c.sides {
		// A side with fewer constructions stays with its last one.
		by := c.by[k][min(i, len(c.by[k])-1)]
		src, err := o.source(ctx, c.Decider, by, slice)
		if err != nil {
			return err
		}
		sources[k] = src
		if by != "" {
			decision.Constructions = append(decision.Constructions, by)
		}
	}
	known, empty, err := c.known(ctx, sources, slice.Macrostates)
	if err != nil {
		return err
	}
	if empty {
		decision.By, decision.Result, decision.Constructions = ByDelayed, &Result{}, nil
		return nil
	}
	before, limits := macrostates(sources), c.Limits
	if limits.Memory > 0 {
		// What the complements take that wait for their turn counts as memory.
		waiting := c.sides[0].Memory() + c.sides[1].Memory()
		for _, src := range sources {
			waiting -= omega.MemoryOf(src)
		}
		limits.Memory = max(1, limits.Memory-max(0, waiting))
	}
	result, err := intersect(ctx, sources[0], sources[1], known, limits)
	decision.Macrostates += macrostates(sources) - before
	decision.ProductStates += result.Pairs
	if err != nil {
		var over *omega.LimitError
		if errors.As(err, &over) && over.What == "memory" && over.Limit == int(limits.Memory) {
			// The user has set the whole limit, and knows nothing of the part for this product.
			err = &omega.LimitError{What: "memory", Limit: int(c.Limits.Memory)}
		}
		if c.Limits.Memory > 0 && c.sides[0].Memory()+c.sides[1].Memory() > c.Limits.Memory/4 {
			// What this check has made would leave too little memory for the next ones.
			c.sides[0].Forget()
			c.sides[1].Forget()
		}
		return err
	}
	decision.Result = result
	var names []string
	for _, by := range slices.Compact(slices.Clone(decision.Constructions)) {
		names = append(names, string(by))
	}
	switch decision.By = Step(strings.Join(names, "+")); {
	case len(names) == 0:
		decision.By = ByProduct
	case decision.Macrostates == 0 && decision.By != Step(ByNegation):
		decision.By = ByKept
	}
	return nil
}

// source returns what the search runs on. The complement may make slice.Macrostates more.
func (o Side) source(ctx context.Context, d *Decider, algorithm complement.Algorithm, slice omega.Limits) (omega.Source, error) {
	switch {
	case o.In:
		return o.Language.source(ctx, d.Limits)
	case algorithm == ByNegation:
		return o.dual.source(ctx, d.Limits)
	}
	return o.complemented(ctx, algorithm, slice)
}

// macrostates returns how many macrostates the complements among the sources have,
// which may be one and the same.
func macrostates(sources [2]omega.Source) int {
	n := 0
	for i, src := range sources {
		if c, ok := src.(*complement.Complement); ok && (i == 0 || src != sources[0]) {
			n += c.Macrostates()
		}
	}
	return n
}

// spent is a limit that a check has hit because of a language: it could not be reduced, or it could
// not be complemented as far as the check needed it.
type spent struct {
	limits omega.Limits
	err    error
}

// spentShare is the share of its limits that a check gets if an earlier one has spent all of them
// on the same complement. Easier checks are still decided, and hard ones cost little.
const spentShare = 16

// allowed returns the limits of a check with the given sides, and the limit that an earlier check
// has spent on the same side, if any. If that side could not even be reduced, again is false,
// because another attempt would fail too.
func (d *Decider) allowed(sides [2]Side) (limits omega.Limits, before error, again bool) {
	limits = d.Limits
	for _, o := range sides {
		// A side that must be reduced. If it is to be complemented, a known complement does
		// instead.
		if s := o.unreduced; s != nil && s.limits == d.Limits && (o.In || o.dual == nil) {
			return limits, fmt.Errorf("%w spent before on the same automaton", s.err), false
		}
	}
	for _, o := range sides {
		if s := o.uncomplemented; !o.In && s != nil && s.limits == d.Limits {
			limits.Macrostates = share(limits.Macrostates)
			limits.ProductStates = share(limits.ProductStates)
			limits.Time = share(limits.Time)
			return limits, fmt.Errorf("%w spent before on the same complement", s.err), true
		}
	}
	return limits, nil, true
}

// share returns a part of a limit, which may be none.
func share[N ~int | ~int64](limit N) N {
	if limit <= 0 {
		return limit
	}
	return (limit + spentShare - 1) / spentShare
}

// spend notes the side on which a check has spent its limits: the one that was not reduced, or the
// complement that is expected to be larger.
func (d *Decider) spend(err error, sides ...Side) {
	if !errors.As(err, new(*omega.LimitError)) && !errors.Is(err, context.DeadlineExceeded) {
		return
	}
	var worst *Language
	most := math.Inf(-1)
	for _, o := range sides {
		if o.failed {
			o.unreduced = &spent{d.Limits, err}
			return
		}
		// Without a subject, not even preparing it was within the limits.
		cost := math.Inf(1)
		if o.subject != nil {
			cost = o.subject.Cost()
		}
		if !o.In && cost > most {
			worst, most = o.Language, cost
		}
	}
	if worst != nil {
		worst.uncomplemented = &spent{d.Limits, err}
	}
}

// Cost estimates how hard a language is to complement, within the limits of a check; see
// [Language.Cost].
func (d *Decider) Cost(ctx context.Context, l *Language) (float64, error) {
	if err := lacking(l); err != nil {
		return 0, err
	}
	d = d.bounded()
	inner, cancel := d.within(ctx)
	defer cancel()
	cost, err := l.Cost(inner, d.Limits)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = &budget.TimeError{Limit: d.Limits.Time}
	}
	if err != nil && ctx.Err() == nil {
		d.spend(err, Side{l, false})
	}
	return cost, err
}
