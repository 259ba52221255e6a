package cross

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// An exam is a formula with what the tools made of it.
type exam struct {
	*run
	index    int
	seed     *uint64
	polarity Polarity // of the formulas that the tools are asked for
	quick    bool     // no more is looked into than is needed to know the failures
	store    *ltl.Store
	formula  *ltl.Formula
	outputs  []*translators.Output // a tool's positive, its negative, the next's
	errors   []string              // of translations: see Case.Errors
	own      [2]*omega.Automaton   // the reference's, of the formula and of its negation; nil if there is none
}

// examine makes the case of an input: every tool is asked, the automata are checked,
// and those that are blamed though other formulas came before in their process are
// asked for again. The error is trouble of our own, or that ctx is done.
func (r *run) examine(ctx context.Context, index int, in Input) (*Case, error) {
	if in.Err != nil {
		c := newCase(index, in.Text, in.Seed)
		c.Error = strings.ToValidUTF8(in.Err.Error(), "\uFFFD")
		return c, nil
	}
	// Everything of the case is its own: formulas, alphabet, automata.
	x := &exam{run: r, index: index, seed: in.Seed, store: ltl.NewStore()}
	x.formula = x.store.Import(in.Formula)
	if r.NoChecks {
		x.polarity = Positive
	}
	c, err := x.take(ctx, true)
	if err == nil {
		err = x.save(c)
	}
	return c, err
}

// take makes the case. If it is not to be confirmed, what a process says that got
// other formulas before is believed.
func (x *exam) take(ctx context.Context, confirmed bool) (*Case, error) {
	if err := x.ask(ctx); err != nil {
		return nil, err
	}
	if err := x.settle(ctx); err != nil {
		return nil, err
	}
	for {
		c, err := x.check(ctx)
		if err != nil || !confirmed {
			return c, err
		}
		if again, err := x.confirm(ctx, c); err != nil || !again {
			return c, err
		}
	}
}

// save hands the automata of a case in which something is wrong to who has asked for them.
func (x *exam) save(c *Case) error {
	if x.Save == nil || !c.Wrong() {
		return nil
	}
	var automata []*omega.Automaton
	for _, out := range x.outputs {
		automata = append(automata, out.Automaton)
	}
	return x.Save(c, append(automata, x.own[:]...))
}

// newCase returns a case of which nothing is known. Its lists are empty, not nil:
// they are [] in JSON.
func newCase(index int, formula string, seed *uint64) *Case {
	return &Case{Index: index, Formula: strings.ToValidUTF8(formula, "\uFFFD"), Seed: seed, Results: []Result{},
		Checks: []Check{}, Disagreements: []Disagreement{}, Undecided: []Undecided{}, Findings: []Finding{}}
}

// subject returns whose output i is.
func (x *exam) subject(i int) Subject { return Subject{x.Tools[i/2].Name, i%2 == 1} }

// asked returns the formula that output i is for.
func (x *exam) asked(i int) *ltl.Formula {
	if i%2 == 1 {
		return x.store.Not(x.formula)
	}
	return x.formula
}

// ask asks every translator for both polarities at once. But as long as there are other
// formulas, one core is left to these: all translators may be slow on a formula, and it
// must not hold back the rest. (Batches are of many formulas.)
func (x *exam) ask(ctx context.Context) error {
	x.outputs = make([]*translators.Output, 2*len(x.Tools))
	panics := make([]string, len(x.outputs))
	g, inner := errgroup.WithContext(ctx)
	room := make(chan struct{}, max(1, x.cores.Len()-1))
	for i := range x.outputs {
		if !x.polarity.asks(i%2 == 1) {
			x.outputs[i] = notAsked()
			continue
		}
		f := x.asked(i) // here, as a store is not for use by many
		g.Go(func() (err error) {
			if x.Tools[i/2].Mode != translators.Batch {
				select {
				case room <- struct{}{}:
					defer func() { <-room }()
				case <-x.last:
				case <-inner.Done():
					return inner.Err()
				}
			}
			panics[i], err = guarded(func() (err error) {
				x.outputs[i], err = x.translate(inner, x.Tools[i/2], f)
				return err
			})
			if out := x.outputs[i]; out != nil {
				x.flow.holds(x.index, out.Size)
			}
			return err
		})
	}
	err := g.Wait()
	for i, text := range panics {
		if text != "" {
			x.errors = append(x.errors, fmt.Sprintf("internal error: %s: %s", x.subject(i), text))
			x.outputs[i] = unread()
		}
	}
	return err
}

// settle looks whether kept-alive processes have printed more than they were asked for
// since they answered.
func (x *exam) settle(ctx context.Context) error {
	for i, out := range x.outputs {
		panicked, err := guarded(func() error { return out.Settle(ctx) })
		if err != nil {
			return err
		}
		if panicked != "" {
			x.errors = append(x.errors, fmt.Sprintf("internal error: %s: %s", x.subject(i), panicked))
			x.outputs[i] = unread()
		}
	}
	return nil
}

// notAsked stands for the output for a formula of a polarity that nobody wants.
func notAsked() *translators.Output {
	return &translators.Output{Alone: true, Outcome: translators.Outcome{Status: translators.Skipped, Detail: "not asked for"}}
}

// unread stands for an output that was not read, through no fault of the tool.
func unread() *translators.Output {
	return &translators.Output{Alone: true, Outcome: translators.Outcome{
		Status: translators.Unsupported, Detail: "internal error: reading the output failed"}}
}

// guarded calls f. If it panics, that is returned, and where.
func guarded(f func() error) (panicked string, err error) {
	defer func() {
		if p := recover(); p != nil {
			// What comes after the call of panic are the functions that were active.
			_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
			lines := strings.SplitAfter(stack, "\n")
			panicked = fmt.Sprintf("panic: %v\n%s", p, strings.Join(lines[min(2, len(lines)):min(10, len(lines))], ""))
		}
	}()
	return "", f()
}

// check makes the case of what the translators gave, on a core.
func (x *exam) check(ctx context.Context) (*Case, error) {
	if err := x.cores.Acquire(ctx, true); err != nil {
		return nil, err
	}
	defer x.cores.Release()
	c := newCase(x.index, x.formula.String(), x.seed)
	c.Errors = slices.Clone(x.errors)
	for i, out := range x.outputs {
		r := newResult(x.subject(i), out, c.Formula)
		if x.NoChecks && r.Negated {
			r.Status = "unasked"
		}
		c.Results = append(c.Results, r)
	}
	panicked, err := guarded(func() error { return x.fill(ctx, c) })
	if err != nil && ctx.Err() == nil {
		panicked, err = err.Error(), nil // of this case only, as the run goes on
	}
	if panicked != "" {
		c.Errors = append(c.Errors, "internal error: "+panicked)
		c.Checked = false // nobody knows what has been
	}
	return c, err
}

// fill does the checks. The error is that the whole run was canceled.
func (x *exam) fill(ctx context.Context, c *Case) error {
	alphabet, err := x.find(ctx, c)
	if err != nil {
		return err
	}
	pos, neg, given, err := x.members(ctx, c, alphabet)
	if err != nil {
		return err
	}
	ch := &checker{
		ctx:     ctx,
		decider: productcheck.Decider{Limits: x.Limits, Algorithm: x.Complement, Emptiness: x.Emptiness},
		members: slices.Concat(pos, neg),
		trusts:  x.quick,
	}
	switch {
	case x.NoChecks:
	case x.NoComplement:
		err = ch.intersections(pos, neg)
	case x.AllPairs:
		err = ch.allPairs(pos, neg)
	default:
		err = ch.byClasses(pos, neg)
	}
	if err == nil {
		err = ch.byProducts(c, &x.Products, alphabet, !x.NoChecks)
	}
	if err != nil {
		return err
	}
	if x.NoChecks {
		c.Undecided = append(c.Undecided, ch.undone...)
		return nil
	}
	if x.Properties {
		if err := x.properties(ctx, c, ch); err != nil {
			return err
		}
	}
	c.Checked = given > 1 || given == 1 && x.Words > 0
	j := &judge{formula: x.formula, members: ch.members, decider: &ch.decider}
	for i, w := range ch.words {
		j.judge(w, &ch.expect[i])
	}
	if len(j.members) > 0 && (!x.quick || len(ch.undone) > 0) {
		// Words of this case: they depend on nothing but the formula.
		h := fnv.New64a()
		io.WriteString(h, c.Formula)
		if err := j.tryWords(ctx, alphabet, x.Words, rand.New(rand.NewPCG(h.Sum64(), 0))); err != nil {
			return err
		}
	}
	if x.quick {
		c.Disagreements = append(c.Disagreements, j.sorted()...)
	} else if err := x.elaborate(ctx, c, j, alphabet); err != nil {
		return err
	}
	c.Undecided = append(append(c.Undecided, ch.undone...), j.undone...)
	c.Checks = append(c.Checks, ch.done...)
	c.Errors = append(c.Errors, j.errors...)
	return nil
}

// elaborate makes the words of the disagreements short, and explains them.
func (x *exam) elaborate(ctx context.Context, c *Case, j *judge, alphabet *omega.Alphabet) error {
	truths := j.truths(ctx, alphabet, x.store)
	if err := j.shorten(ctx, truths); err != nil {
		return err
	}
	c.Disagreements = append(c.Disagreements, j.sorted()...)
	return x.explain(ctx, c, j, truths)
}

// find measures the automata and notes what is odd about the outputs. It returns
// one alphabet for all automata, in which the formula's propositions come first. The error
// is that the whole run was canceled.
func (x *exam) find(ctx context.Context, c *Case) (*omega.Alphabet, error) {
	formula := omega.NewAlphabet(x.formula.Props()...)
	alphabets := []*omega.Alphabet{formula}
	for i, out := range x.outputs {
		for _, o := range out.Oddities {
			c.add(x.subject(i), o.Class, o.Text)
		}
		if out.Automaton == nil {
			continue
		}
		if err := c.statistics(ctx, x.Options, &c.Results[i], out.Automaton); err != nil {
			return nil, err
		}
		c.propositions(x.subject(i), out.Automaton.Alphabet(), formula)
		alphabets = append(alphabets, out.Automaton.Alphabet())
	}
	return omega.Union(alphabets...), nil
}

func (c *Case) add(s Subject, class, text string) {
	c.Findings = append(c.Findings, Finding{Subject: s, Class: class, Text: text})
}

// maxPropositions is how many findings there are about the propositions of an automaton:
// a tool that makes up names may make up a thousand for each formula.
const maxPropositions = 5

// propositions finds those of an automaton that the formula does not have.
func (c *Case) propositions(s Subject, automaton, formula *omega.Alphabet) {
	var foreign []string
	for _, p := range automaton.Props() {
		if _, ok := formula.Index(p); !ok {
			foreign = append(foreign, p)
		}
	}
	for k, p := range foreign {
		more := ""
		if left := len(foreign) - maxPropositions; k == maxPropositions-1 && left > 0 {
			more = fmt.Sprintf(", nor are %d others", left)
		} else if k >= maxPropositions {
			return
		}
		i := slices.IndexFunc(formula.Props(), func(q string) bool { return utf8.ValidString(p) && strings.EqualFold(p, q) })
		if i >= 0 {
			c.add(s, "proposition-case", fmt.Sprintf("proposition %q is not one of the formula, which has %q%s", p, formula.Props()[i], more))
		} else {
			c.add(s, "proposition", fmt.Sprintf("proposition %q is not one of the formula%s", p, more))
		}
	}
}

// members returns the automata that take part in the checks, over one alphabet, and
// how many there are: identical ones are one member.
func (x *exam) members(ctx context.Context, c *Case, alphabet *omega.Alphabet) (pos, neg []*member, given int, err error) {
	subjects := make([]Subject, len(x.outputs))
	automata := make([]*omega.Automaton, len(x.outputs))
	for i, out := range x.outputs {
		subjects[i] = x.subject(i)
		if out.Status == translators.OK {
			automata[i] = out.Automaton.Over(alphabet)
			given++
		}
	}
	pos, neg = members(subjects, automata, func(i int) bool { return x.Tools[i/2].Reference })
	x.own = [2]*omega.Automaton{}
	if given == 0 || x.NoChecks {
		return pos, neg, given, nil
	}
	subjects, automata, err = c.reference(ctx, x.Options, x.store, x.formula)
	for i, a := range automata {
		automata[i] = a.Over(alphabet)
		x.own[polarity(subjects[i].Negated)] = automata[i]
	}
	pos, neg = addReference(pos, neg, subjects, automata)
	return pos, neg, given + len(automata), err
}

func newResult(s Subject, out *translators.Output, formula string) Result {
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
		r.Group = out.Signature(formula)
	}
	return r
}
