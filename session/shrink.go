package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Shrinking says how [Shrink] shrinks formulas.
type Shrinking struct {
	Steps    ltl.Steps
	MaxCalls int // maximum number of calls of translators for each formula; 0 means no limit
	// Smaller, if set, gets each smaller formula that fails.
	Smaller func(*ltl.Formula)
}

// A Shrunk is the smallest formula on which the same translators fail in the same way as on a given
// one. It says so if none fails there.
type Shrunk struct {
	Formula string           `json:"formula"` // the formula, in Spot's syntax
	Negated bool             `json:"negated"` // true if its negation was shrunk
	Failure *outcome.Failure `json:"failure"` // who fails and how; null if no translator fails
	// the smallest formula with the same failure
	Smallest string `json:"smallest,omitempty"`
	Size     int    `json:"size"`    // number of operators and propositions of the smallest formula
	Minimal  bool   `json:"minimal"` // true if no formula one step smaller fails
	Steps    int    `json:"steps"`   // number of steps from the formula to the smallest
	Tried    int    `json:"tried"`   // number of formulas that were tried
	Calls    int    `json:"calls"`   // number of calls of translators
	// the word, in Spot's syntax: the letters before the cycle, then the cycle
	Word string `json:"word,omitempty"`
	// true if it is proved that no shorter word shows the same
	Shortest bool `json:"shortest"`
	// the limit that ended the shrinking: "100 calls" or "5m0s"; to go on, shrink the smallest formula
	Limit string `json:"limit,omitempty"`
}

// String returns the answer for people. All lines except the smallest formula are comments.
func (x *Shrunk) String() string {
	if x.Failure == nil {
		return "# " + x.Formula + ": no translator fails"
	}
	var b strings.Builder
	input := x.Formula
	if x.Negated {
		input = "!(" + input + ")"
	}
	class := strings.Join(strings.Fields(report.ClassName(x.Failure.Class)), " ")
	fmt.Fprintf(&b, "# %s: %s: %s\n#   %s tried, %s", input, strings.Join(x.Failure.Translators, ", "), class,
		plural.Of(x.Tried, "formula"), plural.Of(x.Calls, "call"))
	if x.Word != "" {
		fmt.Fprintf(&b, "; word %s", x.Word)
		if x.Shortest {
			b.WriteString(" (shortest)")
		}
	}
	if !x.Minimal {
		fmt.Fprintf(&b, "\n#   not shrunk to the end: %s (to go on, shrink the formula below)", x.Limit)
	}
	b.WriteString("\n" + x.Smallest)
	return b.String()
}

// Shrink runs the tools of a plan on its formulas. It calls emit for each failure of each formula,
// with the smallest formula that shows the failure, and once for a formula without failures. If
// mine crashes on a formula, and yours lacks a word, emit is called twice.
//
// The status is Failed if some tool fails on some formula, and Broken after an internal error or a
// formula that can't be read. Only the formulas, checks and limits of the configuration count.
func Shrink(ctx context.Context, p *Plan, how Shrinking, emit func(*Shrunk) error) (*Result, error) {
	next, _, err := p.Formulas()
	if err != nil {
		return nil, err
	}
	runner, err := p.runner()
	if err != nil {
		return nil, err
	}
	s := &shrinker{Shrinking: how, ctx: ctx, plan: p, options: p.options(runner), emit: emit, grinders: map[string]*cross.Grinder{}}
	err = s.run(next)
	closing, err2 := closeRunner(ctx, runner)
	return &Result{Status: s.status, Closing: closing}, errors.Join(err, err2)
}

// A shrinker is one call of Shrink.
type shrinker struct {
	Shrinking
	ctx      context.Context
	plan     *Plan
	options  cross.Options
	emit     func(*Shrunk) error
	grinders map[string]*cross.Grinder // by their translators
	status   outcome.ExitStatus
	formulas int
}

// maxExhausted bounds the time that shrinking takes for all failures at a limit of time, memory or
// output: each candidate may come to that limit, too.
var maxExhausted = 5 * time.Minute

func (s *shrinker) run(next Inputs) error {
	var cases []*outcome.Case
	in := func() (cross.Input, error) { return next(s.ctx) }
	if err := cross.Run(s.ctx, s.options, in, func(c *outcome.Case) error {
		cases = append(cases, c)
		return nil
	}); err != nil {
		return err
	}
	if len(cases) == 0 {
		return s.plan.noInputs()
	}
	s.formulas = len(cases)
	for _, c := range cases {
		if err := s.formula(c); err != nil {
			return err
		}
	}
	return nil
}

// formula shrinks a formula for each of its failures.
func (s *shrinker) formula(c *outcome.Case) error {
	for _, e := range append(slices.Clone(c.Errors), c.Error) {
		if e != "" {
			s.plan.note("%s", e)
			s.status = outcome.ExitBroken
		}
	}
	if c.Error != "" {
		return nil
	}
	failures := c.Failures()
	if len(failures) == 0 {
		return s.emit(&Shrunk{Formula: c.Formula})
	}
	s.status = max(s.status, outcome.ExitFailed)
	for _, failure := range failures {
		if err := s.failure(c, failure, maxExhausted/time.Duration(s.formulas*len(failures))); err != nil {
			return err
		}
	}
	return nil
}

func (s *shrinker) failure(c *outcome.Case, failure outcome.Failure, exhausted time.Duration) error {
	grinder, err := s.grinder(failure, c)
	if err != nil {
		return err
	}
	before := grinder.Calls()
	ctx, cancel := context.WithCancel(s.ctx) // no deadline: it would be taken for the limit of a check
	defer cancel()
	limit := plural.Of(s.MaxCalls, "call")
	if failure.Class.Exhausted() {
		defer time.AfterFunc(exhausted, cancel).Stop()
	}
	got, err := grinder.Grind(ctx, c, failure, cross.GrindOptions{Steps: s.Steps, MaxCalls: s.MaxCalls, Smaller: s.Smaller})
	if ctx.Err() != nil && s.ctx.Err() == nil && errors.Is(err, context.Canceled) {
		limit, err = exhausted.String(), nil
	}
	if err != nil {
		return err
	}
	x := &Shrunk{
		Formula: c.Formula, Negated: got.Negated, Failure: &failure,
		Smallest: got.Formula.String(), Size: got.Formula.Size(), Minimal: got.Minimal,
		Steps: got.Steps, Tried: got.Tried, Calls: grinder.Calls() - before,
	}
	if !x.Minimal {
		x.Limit = limit
	}
	if got.Case != nil {
		c = got.Case
	}
	for _, d := range c.Disagreements {
		if d.Kind == failure.Kind() && (x.Word == "" || len(d.Word) < len(x.Word)) {
			x.Word, x.Shortest = d.Word, d.Shortest
		}
	}
	return s.emit(x)
}

// grinder returns the Grinder for the translators of a failure, with the options that they have in
// a case.
func (s *shrinker) grinder(failure outcome.Failure, c *outcome.Case) (*cross.Grinder, error) {
	property := failure.Class.IsProperty()
	key := fmt.Sprint(property, failure.Translators)
	for _, t := range s.options.Tools {
		key += fmt.Sprintf(" %q", c.Options(t.Name))
	}
	if s.grinders[key] == nil {
		o := s.options
		o.Properties = property
		var err error
		// References decide what the others should accept, so they take part.
		o.Tools, err = o.Select(func(t *translators.Tool) bool { return t.Reference || slices.Contains(failure.Translators, t.Name) }, c.Options)
		if err != nil {
			return nil, err
		}
		s.grinders[key] = cross.NewGrinder(o)
	}
	return s.grinders[key], nil
}

// Mutating says which smaller formulas [Mutations] returns.
type Mutating struct {
	Steps  ltl.Steps
	Times  int  // how many steps smaller
	Most   int  // how many; 0: all
	Sorted bool // the smallest first; then all are found before the first are taken
}

// Mutations returns the formulas that are some steps smaller than f. The error comes from ctx.
func Mutations(ctx context.Context, f *ltl.Formula, how Mutating) ([]*ltl.Formula, error) {
	store := ltl.NewStore()
	list := []*ltl.Formula{store.Import(f)}
	for i := range how.Times {
		var smaller []*ltl.Formula
		seen := map[*ltl.Formula]bool{}
		last := i == how.Times-1 && !how.Sorted
	all:
		for _, g := range list {
			for h := range store.Shrink(g, how.Steps) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if seen[h] {
					continue
				}
				seen[h] = true
				if smaller = append(smaller, h); last && len(smaller) == how.Most {
					break all
				}
			}
		}
		list = smaller
	}
	if how.Sorted {
		slices.SortStableFunc(list, func(a, b *ltl.Formula) int { return cmp.Compare(a.Size(), b.Size()) })
	}
	if n := how.Most; n > 0 && len(list) > n {
		list = list[:n]
	}
	return list, nil
}
