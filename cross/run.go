package cross

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
	"github.com/xcheck-ltl/xcheck/witness"
)

// Options say what a run does with each formula.
type Options struct {
	Tools  []*translators.Tool
	Runner *translators.Runner // bounds the number of processes
	// Reference makes the automata that those of the tools are compared with first,
	// unless one of the tools is a reference that gave both automata, or Reference is
	// nil. What it says is certified like what the tools say.
	Reference Translation
	Jobs      int // cases checked at the same time
	// AllPairs does every check for itself instead of by classes.
	AllPairs bool
	// Words is the number of random words that each automaton is compared with
	// its formula on.
	Words int
	// Properties tests the properties that automata declare.
	Properties bool
	Limits     productcheck.Limits
	// Complement is the construction for all complements, or "" for the one that
	// fits best.
	Complement complement.Algorithm
	// Emptiness is the check for products that it fits, or "" for the one that
	// fits all.
	Emptiness emptiness.Algorithm
}

// An Input is a formula to check. Seed is set for a random formula.
type Input struct {
	Formula *ltl.Formula
	Seed    *uint64
}

// window is how many cases may be complete, or under way, behind one that is not:
// they wait for it, as cases are emitted in order. A case that has its results
// takes a few kilobytes.
const window = 1000

// Run checks the formulas that next returns until it says io.EOF (or anything
// else, which ends the run with that error), and gives each Case to emit in the
// order of the formulas. Cases are run in parallel; what they contain (apart
// from times) and their order does not depend on how many.
//
// When ctx is done, cases that are not complete are dropped, the others are
// still emitted, and Run returns the context's error. A call of next that is under
// way when the run ends is not waited for: it may be waiting for a user.
func Run(ctx context.Context, o Options, next func() (Input, error), emit func(*Case) error) error {
	jobs := max(1, o.Jobs)
	g, inner := errgroup.WithContext(ctx)
	// How many cases are under way is bounded by underway: enough for translators
	// to be busy while cases are checked. How many wait to be emitted is bounded by
	// pending, which has far more room, so that one slow case does not stop all
	// others.
	underway := make(chan struct{}, 2*jobs)
	checks := make(chan struct{}, jobs)
	pending := make(chan chan *Case, window)
	workers, workersCtx := errgroup.WithContext(inner)
	// The error of a worker is the reason why all others were canceled.
	canceled := func() error {
		if err := workers.Wait(); err != nil {
			return err
		}
		return workersCtx.Err()
	}
	g.Go(func() error {
		defer close(pending)
		for i := 0; ; i++ {
			select {
			case underway <- struct{}{}:
			case <-workersCtx.Done():
				return canceled()
			}
			in, err := ask(workersCtx, next)
			switch {
			case workersCtx.Err() != nil:
				return canceled()
			case err != nil:
				return errors.Join(ignoreEOF(err), workers.Wait())
			}
			done := make(chan *Case, 1)
			select {
			case pending <- done:
			case <-workersCtx.Done():
				return canceled()
			}
			workers.Go(func() error {
				defer func() { <-underway }()
				defer close(done)
				c, err := runCase(workersCtx, &o, i, in, checks)
				if err == nil {
					done <- c
				}
				return err
			})
		}
	})
	g.Go(func() error {
		for done := range pending {
			if c, ok := <-done; ok {
				if err := emit(c); err != nil {
					return err
				}
			}
		}
		return nil
	})
	err := g.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// ask calls next, and waits for it until ctx is done.
func ask(ctx context.Context, next func() (Input, error)) (Input, error) {
	type answer struct {
		in  Input
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		in, err := next()
		answers <- answer{in, err}
	}()
	select {
	case a := <-answers:
		return a.in, a.err
	case <-ctx.Done():
		return Input{}, ctx.Err()
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// runCase asks every translator for both polarities at once (the Runner bounds
// how many processes there are) and then checks the automata; at most as many
// cases are checked at a time as checks has room for.
func runCase(ctx context.Context, o *Options, index int, in Input, checks chan struct{}) (*Case, error) {
	// Everything of the case is its own: formulas, alphabet, automata.
	store := ltl.NewStore()
	formula := store.Import(in.Formula)
	negation := store.Not(formula)
	// Lists are empty, not nil: they are [] in JSON.
	c := &Case{Index: index, Formula: formula.String(), Seed: in.Seed,
		Checks: []Check{}, Disagreements: []Disagreement{}, Undecided: []Undecided{}, Findings: []Finding{}}

	outputs := make([]*translators.Output, 2*len(o.Tools))
	g, inner := errgroup.WithContext(ctx)
	for i, tool := range o.Tools {
		for j, f := range []*ltl.Formula{formula, negation} {
			g.Go(func() error {
				out, err := tool.Translate(inner, o.Runner, f)
				outputs[2*i+j] = out
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	select {
	case checks <- struct{}{}:
		defer func() { <-checks }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return c, c.check(ctx, o, store, formula, outputs)
}

// check fills in the case from what the translators gave.
func (c *Case) check(ctx context.Context, o *Options, store *ltl.Store, formula *ltl.Formula, outputs []*translators.Output) error {
	alphabets := []*omega.Alphabet{omega.NewAlphabet(formula.Props()...)}
	for i, out := range outputs {
		s := Subject{o.Tools[i/2].Name, i%2 == 1}
		c.Results = append(c.Results, newResult(s, out))
		if out.Automaton != nil {
			if err := c.find(ctx, o, s, out, alphabets[0]); err != nil {
				return err
			}
			alphabets = append(alphabets, out.Automaton.Alphabet())
		}
	}
	// One alphabet for all, in which the formula's propositions come first.
	alphabet := omega.Union(alphabets...)
	subjects := make([]Subject, len(outputs))
	automata := make([]*omega.Automaton, len(outputs))
	for i, out := range outputs {
		subjects[i] = c.Results[i].Subject
		if out.Status == translators.OK {
			automata[i] = out.Automaton.Over(alphabet)
		}
	}
	pos, neg := members(subjects, automata, func(i int) bool { return o.Tools[i/2].Reference })
	given := 0
	for _, m := range slices.Concat(pos, neg) {
		given += len(m.subjects)
	}
	if given > 0 {
		subjects, automata, err := c.reference(ctx, o, store, formula)
		if err != nil {
			return err
		}
		for i, a := range automata {
			automata[i] = a.Over(alphabet)
		}
		pos, neg = addReference(pos, neg, subjects, automata)
		given += len(automata)
	}
	c.Checked = given > 1 || given == 1 && o.Words > 0
	ch := &checker{
		ctx:     ctx,
		decider: productcheck.Decider{Limits: o.Limits, Algorithm: o.Complement, Emptiness: o.Emptiness},
		members: slices.Concat(pos, neg),
	}
	var err error
	if o.AllPairs {
		err = ch.allPairs(pos, neg)
	} else {
		err = ch.byClasses(pos, neg)
	}
	if err != nil {
		return err
	}
	j := &judge{formula: formula, members: ch.members, decider: &ch.decider}
	for i, w := range ch.words {
		j.judge(w, &ch.expect[i])
	}
	if len(j.members) > 0 {
		// Words of this case: they depend on nothing but the formula.
		h := fnv.New64a()
		io.WriteString(h, c.Formula)
		if err := j.tryWords(ctx, alphabet, o.Words, rand.New(rand.NewPCG(h.Sum64(), 0))); err != nil {
			return err
		}
	}
	if err := j.shorten(ctx, alphabet, store); err != nil {
		return err
	}
	c.Disagreements = append(c.Disagreements, j.sorted()...)
	c.Undecided = append(append(c.Undecided, ch.undone...), j.undone...)
	c.Checks = append(c.Checks, ch.done...)
	c.Errors = j.errors
	return nil
}

func newResult(s Subject, out *translators.Output) Result {
	r := Result{
		Subject:  s,
		Status:   out.Status.String(),
		Detail:   out.Detail,
		ExitCode: out.ExitCode,
		Command:  out.Command,
		Seconds:  out.Wall.Seconds(),
		CPU:      out.CPU.Seconds(),
		MaxRSS:   out.MaxRSS,
	}
	if r.Failed() {
		r.Stderr = out.Stderr
	}
	if out.Automaton != nil {
		r.measure(out.Automaton)
	}
	return r
}

// find notes what is odd about an automaton that was read. It fails when ctx is
// done.
func (c *Case) find(ctx context.Context, o *Options, s Subject, out *translators.Output, formula *omega.Alphabet) error {
	add := func(class, text string) { c.Findings = append(c.Findings, Finding{s, class, text}) }
	for _, o := range out.Oddities {
		add(o.Class, o.Text)
	}
	for _, p := range out.Automaton.Alphabet().Props() {
		if _, ok := formula.Index(p); !ok {
			add("proposition", fmt.Sprintf("proposition %q is not one of the formula", p))
		}
	}
	if o.Properties {
		for _, text := range out.Automaton.FalseProperties() {
			add("property", text)
		}
		lie, undecided, err := witness.CheckDeclared(ctx, out.Automaton)
		if err != nil {
			return err
		}
		if lie != "" {
			add("property", lie)
		}
		if undecided != nil {
			c.Undecided = append(c.Undecided, Undecided{Check: s.String() + " is tight", Why: undecided.Error()})
		}
	}
	return nil
}
