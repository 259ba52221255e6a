package productcheck

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/witness"
)

// Limits limit a single check. Zero means the limit of DefaultLimits, and a negative number none.
type Limits struct {
	Macrostates   int // of one complement, made for the check
	ProductStates int
	Memory        int64 // bytes, of the product and the complements
	Time          time.Duration
	WordSteps     int // of a search for a shortest word; see witness.Limits
}

// DefaultLimits keep two checks at a time below 4 GiB in total.
var DefaultLimits = Limits{Macrostates: 1000000, ProductStates: 10000000, Memory: 512 << 20, Time: time.Minute,
	WordSteps: witness.DefaultLimits.Steps}

// NoLimits has no limit.
var NoLimits = Limits{-1, -1, -1, -1, -1}

// Or returns l with the limits of m where l has 0.
func (l Limits) Or(m Limits) Limits {
	return Limits{cmp.Or(l.Macrostates, m.Macrostates), cmp.Or(l.ProductStates, m.ProductStates),
		cmp.Or(l.Memory, m.Memory), cmp.Or(l.Time, m.Time), cmp.Or(l.WordSteps, m.WordSteps)}
}

// product returns the limits of one product.
func (l Limits) product() emptiness.Limits {
	return emptiness.Limits{States: l.ProductStates, Memory: l.Memory}
}

// WithMemory returns a context that carries the memory limit to all computations under it,
// checks or not.
func (l Limits) WithMemory(ctx context.Context) context.Context {
	if l.Memory <= 0 {
		return ctx
	}
	return budget.WithMemory(ctx, l.Memory)
}

// A Decider decides checks.
type Decider struct {
	Limits Limits
	// Algorithm is the complement construction. If it is "", those that fit take turns.
	Algorithm complement.Algorithm
	// Emptiness is the emptiness check to use where it applies. For other products, and if it
	// is "", emptiness.Check is used.
	Emptiness emptiness.Algorithm
}

// A Decision is the answer of a check. Exactly one of Result and Undecided is set.
type Decision struct {
	*Result
	By            Step                   // what decided it; "" if it is undecided
	Undecided     error                  // the limit that was hit, or what is not supported
	Constructions []complement.Algorithm // of the complements, by side, in the attempt that decided
	Macrostates   int                    // made for this check
	ProductStates int                    // visited, in all attempts
	Emptiness     emptiness.Algorithm    // the Decider's if it fitted, or ""
}

// bounded returns a Decider with the limits that its checks obey.
func (d *Decider) bounded() *Decider {
	return &Decider{Limits: d.Limits.Or(DefaultLimits), Algorithm: d.Algorithm, Emptiness: d.Emptiness}
}

// ByNegation replaces the construction if no complement was made, because an automaton of the
// complement is known: the one for the negation.
const ByNegation complement.Algorithm = "negation"

// Decide looks for a word that is in x and in y. If inX is false, the word must not be in x,
// and likewise for inY. Decide fails only when ctx is done, with ErrAlphabet, or with an
// emptiness.ErrInternal.
//
// A complement is explored only as far as the other side leads. Several constructions take turns,
// with slices of work that grow; see complement.Try. Where one complement is needed, package forq
// is one of them, and the second in each round. With large automata, it also has a turn before all
// else. If a check before has spent its limits on the same complement, this one gets a small share
// of them.
func (d *Decider) Decide(ctx context.Context, x *Language, inX bool, y *Language, inY bool) (*Decision, error) {
	if err := overOne(x.Automaton(), y.Automaton()); err != nil {
		return nil, err
	}
	d = d.bounded()
	sides := [2]operand{{x, inX}, {y, inY}}
	limits, before, again := d.allowed(sides)
	if !again {
		return &Decision{Undecided: before}, ctx.Err()
	}
	e := &Decider{Limits: limits, Algorithm: d.Algorithm, Emptiness: d.Emptiness}
	inner, cancel := e.within(ctx)
	defer cancel()
	decision := &Decision{}
	c := &contest{Decider: e, decision: decision, sides: sides}
	err := c.decide(inner)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, emptiness.ErrInternal) {
		return nil, err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = &budget.TimeError{Limit: d.Limits.Time}
	}
	if err != nil && before != nil {
		err = before
	} else if err != nil {
		d.spend(err, sides[:]...)
	}
	decision.Undecided = err
	return decision, nil
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
	cost, err := l.Cost(inner, d.Limits.Macrostates)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = &budget.TimeError{Limit: d.Limits.Time}
	}
	if err != nil && ctx.Err() == nil {
		d.spend(err, operand{l, false})
	}
	return cost, err
}

// operand is a language, or the complement of it.
type operand struct {
	*Language
	in bool
}

// candidates returns the constructions that may be tried, for a language itself
// just one that means nothing.
func (o operand) candidates(ctx context.Context, d *Decider) ([]complement.Algorithm, error) {
	if o.in {
		return []complement.Algorithm{""}, nil
	}
	if d.Algorithm != "" {
		return []complement.Algorithm{d.Algorithm}, nil
	}
	if o.dual != nil && o.unreduced != nil {
		return []complement.Algorithm{ByNegation}, nil
	}
	s, err := o.prepare(ctx, d.Limits.Macrostates)
	if o.dual != nil {
		negation, failed := o.dual.Reduced(ctx, d.Limits.Macrostates)
		if failed == nil && (err != nil || math.Log2(float64(negation.NumStates())) < s.Cost()) {
			return []complement.Algorithm{ByNegation}, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return s.Candidates(), nil
}

// source returns what the search runs on. The complement may make so many macrostates more.
func (o operand) source(ctx context.Context, d *Decider, algorithm complement.Algorithm, macrostates int) (omega.Source, error) {
	switch {
	case o.in:
		return o.Language.source(ctx, d.Limits.Macrostates)
	case algorithm == ByNegation:
		return o.dual.source(ctx, d.Limits.Macrostates)
	}
	return o.complemented(ctx, algorithm, macrostates)
}

// A contest is a check that several constructions try to decide, in turns.
type contest struct {
	*Decider
	decision *Decision
	sides    [2]operand
	by       [2][]complement.Algorithm // what the sides may be complemented by
	started  int                       // attempts
	implied  *implied                  // what known has computed, or nil
}

// decide gives package forq its early turn, proves that no word is found, or runs the check.
func (c *contest) decide(ctx context.Context) error {
	if decided, err := c.early(ctx, earlyEdges); decided || err != nil {
		return err
	}
	by, err := c.proved(ctx, c.sides[0], c.sides[1])
	if by == "" && err == nil {
		return c.run(ctx)
	}
	if err == nil {
		c.decision.By, c.decision.Result = by, &Result{}
	}
	return err
}

// run runs the check with several constructions in turns until it is decided.
func (c *contest) run(ctx context.Context) error {
	count := 0
	for i, o := range c.sides {
		list, err := o.candidates(ctx, c.Decider)
		if err != nil {
			return err
		}
		c.by[i] = list
		count = max(count, len(list))
	}
	rival, err := c.rival(ctx)
	if err != nil {
		return err
	}
	if rival != nil {
		count++ // it is the second one
	}
	_, err = complement.Try(count, c.Limits.Macrostates, func(i, macrostates int) error {
		switch {
		case rival == nil || i == 0:
			return c.attempt(ctx, i, macrostates)
		case i == 1:
			return c.turn(ctx, rival, macrostates)
		}
		return c.attempt(ctx, i-1, macrostates)
	})
	return err
}

// attempt runs the check with the construction i for each side, or the last one that it has.
func (c *contest) attempt(ctx context.Context, i, limit int) error {
	decision := c.decision
	decision.Constructions = nil
	var sources [2]omega.Source
	for k, o := range c.sides {
		by := c.by[k][min(i, len(c.by[k])-1)]
		src, err := o.source(ctx, c.Decider, by, limit)
		if err != nil {
			return err
		}
		sources[k] = src
		if by != "" {
			decision.Constructions = append(decision.Constructions, by)
		}
	}
	known, empty, err := c.known(ctx, sources, limit)
	if err != nil {
		return err
	}
	if empty {
		decision.By, decision.Result, decision.Constructions = ByDelayed, &Result{}, nil
		return nil
	}
	before := macrostates(sources)
	limits := c.productLimits(sources)
	decision.Emptiness = c.Emptiness
	result, err := intersect(ctx, c.Emptiness, sources[0], sources[1], known, limits)
	if errors.Is(err, emptiness.ErrUnfit) {
		decision.Emptiness = ""
		decision.ProductStates += result.Pairs
		result, err = intersect(ctx, "", sources[0], sources[1], known, limits)
	}
	decision.Macrostates += macrostates(sources) - before
	decision.ProductStates += result.Pairs
	if err != nil {
		var over *omega.LimitError
		if errors.As(err, &over) && over.What == "memory" && over.Limit == int(limits.Memory) {
			err = &omega.LimitError{What: "memory", Limit: int(c.Limits.Memory)}
		}
		if c.Limits.Memory > 0 && c.sides[0].Memory()+c.sides[1].Memory() > c.Limits.Memory/4 {
			c.sides[0].Forget()
			c.sides[1].Forget()
		}
		return err
	}
	decision.Result = result
	decision.By = decision.step()
	return nil
}

// productLimits returns the limits of a product. What the complements take that wait for their
// turn counts as memory.
func (c *contest) productLimits(sources [2]omega.Source) emptiness.Limits {
	limits := c.Limits.product()
	if limits.Memory > 0 {
		waiting := c.sides[0].Memory() + c.sides[1].Memory()
		for _, src := range sources {
			waiting -= omega.MemoryOf(src)
		}
		limits.Memory = max(1, limits.Memory-max(0, waiting))
	}
	return limits
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
