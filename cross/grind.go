package cross

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/transform/shrink"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Grinder shrinks formulas on which translators fail, by the steps of [ltl.Store.Shrink]: it goes to the
// first candidate that fails, and repeats until none does. It needs few calls:
//
//   - It tries no formula twice, even for another formula to shrink.
//   - If translating the formula alone shows the failure, it does not translate the negation,
//     and vice versa.
//   - It examines a candidate only until it knows the failures. It does not shorten words or
//     check the reference, and it believes processes that are kept alive. At the end, a fresh
//     process confirms the smallest formula. If that process does not fail, the descent
//     restarts with fresh processes.
//
// One goroutine at a time may use a Grinder.
type Grinder struct {
	// Asking, if not nil, is called before each call of a translator. Several goroutines may call it at once.
	Asking func(translator string, f *ltl.Formula)

	run   *run
	calls atomic.Int64
	known [2]map[trialKey]*trial // of late, and before that
}

// NewGrinder returns a Grinder with the tools of the options. Give it only the tools that fail. The failure
// must show against a reference: the built-in one if the run has none, and for small formulas.
func NewGrinder(o Options) *Grinder {
	// Without these it finds the same failures.
	o.AllPairs, o.Products, o.Save, o.Early, o.Statistics = false, Products{}, nil, nil, Statistics{}
	if o.Reference == nil && !o.NoChecks {
		o.Reference = translate.Of
	}
	if other := o.Reference; other != nil {
		o.Reference = func(ctx context.Context, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
			const small = 10 // of small formulas, larger automata in less time
			if f.Size() <= small && !f.Ops().HasPast() && !f.Ops().HasPSL() {
				return translate.With(ctx, "gastin-oddoux", s, f)
			}
			return other(ctx, s, f)
		}
	}
	return newGrinder(newRun(&o, 1, func(*outcome.Case) error { return nil }))
}

// newGrinder returns a Grinder that does what a run would do, which has no cases of its own.
func newGrinder(r *run) *Grinder {
	g := &Grinder{run: r, known: [2]map[trialKey]*trial{{}, {}}}
	close(r.flow.last) // nobody else needs the cores
	r.translate, r.alone = g.counted(r.translate), g.counted(r.alone)
	return g
}

// counted returns ask, which counts.
func (g *Grinder) counted(ask askFunc) askFunc {
	return func(tool *translators.Tool, ctx context.Context, runner *translators.Runner, f *ltl.Formula, timeout time.Duration) (*translators.Output, error) {
		g.calls.Add(1)
		if g.Asking != nil {
			g.Asking(tool.Name, f)
		}
		return ask(tool, ctx, runner, f, timeout)
	}
}

// usable fails without a runner or a formula.
func (g *Grinder) usable(f *ltl.Formula) error {
	switch {
	case g.run.Runner == nil:
		return errNoRunner
	case f == nil:
		return errors.New("no formula given")
	}
	return nil
}

// Calls returns the number of calls of translators so far.
func (g *Grinder) Calls() int { return int(g.calls.Load()) }

// GrindOptions say how to shrink a formula.
type GrindOptions struct {
	Steps ltl.Steps // kinds of steps
	// MaxCalls limits the calls of translators, apart from calls under way; 0 means no limit.
	MaxCalls int
	// Smaller, if not nil, is called for each smaller formula that fails.
	Smaller func(*ltl.Formula)
}

// A GrindResult is the result of shrinking a formula.
type GrindResult struct {
	Formula *ltl.Formula
	// Negated is set if the negation of the given formula was shrunk, because only its automata
	// show the failure.
	Negated bool
	// Case is the case of Formula, confirmed and with short words. It is nil if no smaller formula fails.
	Case *outcome.Case
	// Minimal is set if no candidate for Formula fails. Otherwise MaxCalls was reached, or the
	// context is done.
	Minimal bool
	Steps   int // from the given formula to this one
	Tried   int // formulas that were examined for this
}

// errCalls is the end of a descent that has made enough calls.
var errCalls = errors.New("limit of calls")

// Grind shrinks the formula of a case, or its negation, as long as the translators fail in the same
// way. A call for a candidate that takes much longer than for the case does not count as failing. The
// error is internal, or ctx is done. Then the GrindResult is the result so far, and its Case may be nil.
func (g *Grinder) Grind(ctx context.Context, c *outcome.Case, failure outcome.Failure, how GrindOptions) (*GrindResult, error) {
	c = cmp.Or(c, &outcome.Case{})
	s := ltl.NewStore()
	f, err := s.Parse(c.Formula, ltl.Spot)
	if err != nil {
		return nil, err
	}
	of := func(s outcome.Subject) bool { return slices.Contains(failure.Translators, s.Translator) }
	r := GrindRequest{GrindOptions: how, Formula: f, Fails: failure.In, Timeout: CandidateTimeout(c, of)}
	negated := false
	if !failure.InPolarity(c, outcome.Formula) {
		negated = failure.InPolarity(c, outcome.Negation)
		r.both = !negated // it takes both to fail
	}
	if negated {
		r.Formula = s.Not(f)
	}
	got, err := g.Shrink(ctx, r)
	got.Negated = negated
	return got, err
}

// CandidateTimeout returns the timeout of calls for formulas smaller than the formula of a case:
// ten times as long as the slowest of some of its calls took, but no less than two seconds.
func CandidateTimeout(c *outcome.Case, of func(outcome.Subject) bool) time.Duration {
	seconds := 0.2
	if c == nil || of == nil {
		return 2 * time.Second
	}
	for i := range c.Results {
		if r := &c.Results[i]; of(r.Subject) {
			seconds = max(seconds, r.Seconds)
		}
	}
	return time.Duration(10 * min(seconds, 1e6) * float64(time.Second))
}

// A GrindRequest is a formula to shrink, with its own notion of failing.
type GrindRequest struct {
	GrindOptions
	Formula *ltl.Formula // it fails, which is not tried
	// Fails reports whether a case shows the failure. It may depend only on the case's
	// Failures: the words are any that were found.
	Fails   func(*outcome.Case) bool
	Wants   func(*ltl.Formula) bool // if not nil: which formulas are candidates
	Timeout time.Duration           // of a call for a candidate, if it is shorter than the translator's own
	both    bool                    // candidates are negated, too
}

// Shrink shrinks the formula of a request, without its negation, as long as the formula Fails. The
// errors are as for Grind.
func (g *Grinder) Shrink(ctx context.Context, r GrindRequest) (*GrindResult, error) {
	if err := g.usable(r.Formula); err != nil {
		return &GrindResult{}, err
	}
	if r.Fails == nil {
		r.Fails = func(*outcome.Case) bool { return false }
	}
	d := &descent{Grinder: g, GrindRequest: r, store: ltl.NewStore(), result: &GrindResult{}}
	d.Formula = d.store.Import(r.Formula)
	for {
		err := d.descend(ctx)
		if err != nil && err != errCalls {
			return d.result, err
		}
		d.result.Minimal = err == nil // otherwise calls are used up
		ok, err := d.confirm(ctx)
		if ok || err != nil {
			return d.result, err
		}
		// It fails only after other formulas. Go on without it, and believe only fresh processes.
		d.best.result, d.best.calls, d.best.confirmed = d.best.whole, nil, true
		d.careful = true
	}
}

// A descent is the grinding of one formula.
type descent struct {
	*Grinder
	GrindRequest
	store   *ltl.Store
	result  *GrindResult
	best    *trial // of result.Formula; nil if that is the given one
	careful bool   // answers of kept-alive processes are confirmed at once
}

// descend shrinks the formula until no candidate fails.
func (d *descent) descend(ctx context.Context) error {
	d.result.Formula, d.best, d.result.Steps = d.Formula, nil, 0
	for {
		f, t, err := d.firstFailing(ctx)
		if f == nil {
			return err
		}
		d.result.Formula, d.best = f, t
		d.result.Steps++
		if d.Smaller != nil {
			d.Smaller(f)
		}
	}
}

// firstFailing returns the first candidate for the formula reached that fails, or nil.
func (d *descent) firstFailing(ctx context.Context) (*ltl.Formula, *trial, error) {
	for f := range d.store.Shrink(d.result.Formula, d.Steps) {
		if d.Wants != nil && !d.Wants(f) {
			continue
		}
		if d.MaxCalls > 0 && d.calls() >= d.MaxCalls {
			return nil, nil, errCalls
		}
		t, err := d.trial(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		if d.Fails(t.result) {
			return f, t, nil
		}
	}
	return nil, nil, nil
}

// calls returns how many calls the trials of this descent take.
func (d *descent) calls() int {
	each := len(d.run.Tools)
	if d.both {
		each *= 2
	}
	return each * d.result.Tried
}

// trial returns the trial of a formula, which is made unless it is known.
func (d *descent) trial(ctx context.Context, f *ltl.Formula) (*trial, error) {
	key := trialKey{f.String(), d.both}
	if t := d.lookup(key); t != nil && (!d.careful || t.confirmed || !d.Fails(t.result)) {
		return t, ctx.Err()
	}
	d.result.Tried++
	t := &trial{confirmed: d.careful}
	if err := d.examine(ctx, f, d.both, d.Timeout, t); err != nil {
		return nil, err
	}
	d.remember(key, t)
	return t, nil
}

// confirm makes the case of the formula reached, from what a process says that got no
// other formula, and reports whether it still fails.
func (d *descent) confirm(ctx context.Context) (bool, error) {
	t := d.best
	if t == nil {
		return true, nil
	}
	c := t.whole // another descent may have reached the same formula
	if c == nil {
		var err error
		if c, err = d.complete(ctx, d.result.Formula, d.both, t.calls); err != nil {
			return false, err
		}
		t.whole = c
	}
	if !d.Fails(c) {
		return false, nil
	}
	d.result.Case = c
	return true, nil
}

// maxKnown is how many trials are remembered at least. One takes a few kilobytes.
const maxKnown = 20_000

// A trialKey is what is tried.
type trialKey struct {
	formula string
	both    bool // the negation, too
}

// A trial is a case that was made.
type trial struct {
	result    *outcome.Case
	calls     []call        // of a case with failures
	confirmed bool          // nothing is only believed
	whole     *outcome.Case // with words, as the result of a descent; or nil
}

// lookup returns the trial that is known, or nil.
func (g *Grinder) lookup(key trialKey) *trial {
	if t := g.known[0][key]; t != nil {
		return t
	}
	t := g.known[1][key]
	if t != nil {
		g.remember(key, t)
	}
	return t
}

// remember keeps a trial as a recent one. It keeps at least the last maxKnown trials, and
// less than twice as many.
func (g *Grinder) remember(key trialKey, t *trial) {
	if len(g.known[0]) >= maxKnown {
		g.known[0], g.known[1] = map[trialKey]*trial{}, g.known[0]
	}
	g.known[0][key] = t
}

// examine makes the case of a trial.
func (g *Grinder) examine(ctx context.Context, f *ltl.Formula, both bool, timeout time.Duration, t *trial) error {
	return g.run.aside(ctx, Input{Formula: f}, func(x *caseRun) error {
		x.formulaOnly, x.timeout, x.quick = !both, timeout, true
		c, err := unlessDone(ctx, func() (*outcome.Case, error) { return x.take(ctx, t.confirmed) })
		if err != nil {
			return err
		}
		t.result = &outcome.Case{Formula: c.Formula}
		if len(c.Failures()) > 0 {
			t.result, t.calls = c, x.calls
		}
		return nil
	})
}

// aside calls do with the caseRun of an input that only a descent asks for.
func (r *run) aside(ctx context.Context, in Input, do func(*caseRun) error) error {
	i, err := r.flow.start(ctx)
	if err != nil {
		return err
	}
	x, err := r.newCaseRun(ctx, i, in)
	if err == nil {
		err = do(x)
	}
	return errors.Join(err, r.flow.finish(&outcome.Case{Index: i}))
}

// complete makes the whole case of a formula that was tried. Answers of processes that
// got other formulas as well are replaced.
func (g *Grinder) complete(ctx context.Context, f *ltl.Formula, both bool, calls []call) (c *outcome.Case, err error) {
	err = g.run.aside(ctx, Input{Formula: f}, func(x *caseRun) (err error) {
		x.formulaOnly = !both
		if x.calls = calls; calls == nil {
			if x.calls, err = x.newCalls(); err != nil {
				return err
			}
		}
		c, err = unlessDone(ctx, func() (*outcome.Case, error) {
			if err := x.renew(ctx); err != nil {
				return nil, err
			}
			return x.check(ctx)
		})
		return err
	})
	return c, err
}

// Try returns a case of the formula, without its negation. Only its Failures are reliable: words are any that
// were found, and processes that are kept alive are believed. A formula is tried only once. timeout limits a
// call, unless it is 0. The error is internal, or ctx is done.
func (g *Grinder) Try(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*outcome.Case, error) {
	t, err := g.tryOne(ctx, f, timeout)
	if err != nil {
		return nil, err
	}
	return t.result, nil
}

// Tried reports whether Try returns the case of a formula without a call.
func (g *Grinder) Tried(f *ltl.Formula) bool {
	return f != nil && g.lookup(trialKey{f.String(), false}) != nil
}

func (g *Grinder) tryOne(ctx context.Context, f *ltl.Formula, timeout time.Duration) (*trial, error) {
	if err := g.usable(f); err != nil {
		return nil, err
	}
	d := &descent{Grinder: g, GrindRequest: GrindRequest{Timeout: timeout}, result: &GrindResult{}}
	return d.trial(ctx, f)
}

// Case returns the full case of the formula and its negation. It reuses the outputs of trials.
// The error is internal, or ctx is done.
func (g *Grinder) Case(ctx context.Context, f *ltl.Formula) (*outcome.Case, error) {
	t, err := g.tryOne(ctx, f, 0)
	if err != nil {
		return nil, err
	}
	calls := slices.Clone(t.calls)
	for i := range calls {
		if calls[i].Polarity == outcome.Negation {
			calls[i].out = nil // it was not asked for
		}
	}
	return g.complete(ctx, f, true, calls)
}

// renew asks for the outputs that are missing, and again for outputs of processes that got
// other formulas as well.
func (x *caseRun) renew(ctx context.Context) (err error) {
	for i := range x.calls {
		if c := &x.calls[i]; c.out == nil || !c.out.Alone {
			if c.out, err = x.fresh(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// An AutomatonGrindResult is an automaton on which the same tools fail in the same way as on the given one.
// They do not fail that way on any automaton that is one step smaller (see shrink.Steps).
type AutomatonGrindResult struct {
	Automaton *omega.Automaton
	Case      *outcome.Case // of it; nil if there was no time for it
}

// GrindAutomaton shrinks an automaton as long as the same tools, which alone are called, fail in the same
// way. It tries no candidate twice. It fails if f is not a failure on the given automaton, and when ctx is
// done. With the error, it returns the smallest automaton so far, if smaller than the given one.
func GrindAutomaton(ctx context.Context, o Options, in Input, f outcome.Failure) (*AutomatonGrindResult, error) {
	switch {
	case o.Runner == nil:
		return nil, errNoRunner
	case in.Automaton == nil:
		return nil, omega.ErrNoAutomaton
	}
	o.AllPairs, o.Early = false, nil // it gives the same failures
	o.Tools = slices.DeleteFunc(slices.Clone(o.Tools), func(t *translators.Tool) bool { return !slices.Contains(f.Translators, t.Name) })
	r := newRun(&o, 1, func(*outcome.Case) error { return nil })
	close(r.flow.last) // nobody else needs the cores
	try := func(ctx context.Context, a *omega.Automaton, quick bool) (c *outcome.Case, err error) {
		err = r.aside(ctx, Input{Automaton: a, Source: in.Source}, func(x *caseRun) (err error) {
			x.quick = quick
			c, err = x.take(ctx, true)
			return err
		})
		return c, err
	}
	c, err := try(ctx, in.Automaton, false)
	if err != nil {
		return nil, err
	}
	if !f.In(c) {
		return nil, fmt.Errorf("it did not fail again: %s: %s", strings.Join(f.Translators, ", "), f.Class)
	}
	seen := map[[sha256.Size]byte]bool{} // digests of the HOA of what was tried, which may be large
	step := func(a *omega.Automaton) (*omega.Automaton, error) {
		for b := range shrink.Steps(ctx, a) {
			text := sha256.New()
			if err := hoa.Write(ctx, text, b); err != nil {
				return nil, err
			}
			digest := [sha256.Size]byte(text.Sum(nil))
			if seen[digest] {
				continue
			}
			seen[digest] = true
			if c, err := try(ctx, b, true); err != nil {
				return nil, err
			} else if f.In(c) {
				return b, nil
			}
		}
		return nil, ctx.Err()
	}
	best := in.Automaton
	for next := best; next != nil; next, err = step(next) {
		best = next
	}
	if err == nil && best != in.Automaton {
		// What candidates show was looked into as far as it takes; this is for people.
		c, err = try(ctx, best, false)
	}
	switch {
	case err == nil:
		return &AutomatonGrindResult{Automaton: best, Case: c}, nil
	case ctx.Err() != nil && best != in.Automaton:
		return &AutomatonGrindResult{Automaton: best}, err
	}
	return nil, err
}
