package cross

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A caseRun is a formula, or an automaton, with what the tools made of it.
type caseRun struct {
	*run
	index       int
	seed        *uint64
	formulaOnly bool          // the tools do not get the negation
	timeout     time.Duration // of a call, if it is shorter than the tool's; 0: none
	quick       bool          // no more is looked into than is needed to know the failures
	store       *ltl.Store
	formula     *ltl.Formula
	negation    *ltl.Formula // what is asked as the negation of formula; nil for !formula
	given       *given       // nil if there is a formula
	calls       []call
	read        int64                  // bytes of the answers so far; atomic
	errors      []string               // of translations: see Case.Errors
	own         [2]*omega.Automaton    // of the reference, by polarity; nil without one
	words       map[string]*omega.Word // of the disagreements, by their texts
	stage       *stage
	proving     time.Duration // the time that proofs took
	// abandoned: something goes on with the case that nobody waits for.
	abandoned bool
}

// examine makes the case of an input: every tool is asked, the automata are checked,
// and those that are blamed though other formulas came before in their process are
// asked for again. The error is an internal one, or that ctx is done.
func (r *run) examine(ctx context.Context, index int, in Input) (*outcome.Case, error) {
	if in.Done != nil {
		in.Done.Line = in.Line
		return in.Done, nil
	}
	if in.Err != nil {
		c := outcome.NewCase(index, in.Text, in.Seed)
		if in.Source != "" {
			c.Formula, c.Automaton = "", &outcome.Given{Source: in.Source, HOA: c.Formula}
		}
		c.Error = strings.ToValidUTF8(in.Err.Error(), "\uFFFD")
		return c, nil
	}
	var x *caseRun
	c, err := unlessDone(ctx, func() (_ *outcome.Case, err error) {
		if x, err = r.newCaseRun(ctx, index, in); err != nil {
			return nil, err
		}
		c, err := x.take(ctx, true)
		if err == nil {
			err = x.readings(ctx, c)
		}
		return c, err
	})
	if err == nil {
		c.Replayed, c.Parents, c.Line = in.Replayed, in.Parents, in.Line
		err = x.save(c)
	}
	return c, err
}

// newCaseRun returns the caseRun of an input. It shares no formulas, alphabets or automata with
// other cases.
func (r *run) newCaseRun(ctx context.Context, index int, in Input) (*caseRun, error) {
	x := &caseRun{run: r, index: index, seed: in.Seed, store: ltl.NewStore()}
	if in.Automaton != nil {
		title, err := newGiven(ctx, in)
		if err != nil {
			return nil, err
		}
		x.given = &given{Automaton: in.Automaton, tools: translators.NewAutomaton(in.Automaton, complement.ToBuchi), title: title}
	} else {
		x.formula = x.store.Import(in.Formula)
		if in.Negation != nil {
			x.negation = x.store.Import(in.Negation)
		}
		x.formulaOnly = r.NoChecks
	}
	return x, nil
}

// take makes the case. If it is not to be confirmed, what a process says that got
// other formulas before is believed.
func (x *caseRun) take(ctx context.Context, confirmed bool) (*outcome.Case, error) {
	if x.given != nil && x.given.Alternating() {
		if ok, err := x.given.IsInherentlyWeak(ctx); err != nil {
			return nil, err
		} else if !ok { // nothing can be compared with it, so no tool is asked
			c := x.newCase()
			c.Undecided = append(c.Undecided, newUndecided(omega.ErrNotWeak.Error(), "comparison with %s", outcome.Subject{Translator: inputName}))
			return c, nil
		}
	}
	if err := x.ask(ctx); err != nil {
		return nil, err
	}
	if err := x.settle(ctx); err != nil {
		return nil, err
	}
	for {
		c, err := x.check(ctx)
		if err != nil || !confirmed || x.abandoned {
			return c, err
		}
		if again, err := x.confirm(ctx, c); err != nil || !again {
			return c, err
		}
	}
}

// save hands the automata of a case in which something is wrong to who has asked for them.
func (x *caseRun) save(c *outcome.Case) error {
	if x.Save == nil || !c.Wrong() {
		return nil
	}
	automata := map[outcome.Subject]*omega.Automaton{}
	add := func(s outcome.Subject, a *omega.Automaton) {
		if a != nil {
			automata[s] = a
		}
	}
	for i := range x.calls {
		add(x.calls[i].Subject, x.calls[i].out.Automaton)
	}
	if x.given != nil {
		add(outcome.Subject{Translator: c.Reference}, x.given.Automaton)
	}
	for _, p := range outcome.BothPolarities {
		add(outcome.Subject{Translator: c.Reference, Polarity: p}, x.own[p.Index()])
	}
	return x.Save(c, automata)
}

// name returns the formula, or the text of the automaton: all that the words of this
// case depend on.
func (x *caseRun) name() string {
	if x.given != nil {
		return x.given.title.HOA
	}
	return x.formula.String()
}

// newCase returns the case of the input, without results.
func (x *caseRun) newCase() *outcome.Case {
	if x.given == nil {
		return outcome.NewCase(x.index, x.formula.String(), x.seed)
	}
	c := outcome.NewCase(x.index, "", x.seed)
	c.Automaton = x.given.title
	return c
}

// check makes the case of what the translators gave, on a core.
func (x *caseRun) check(ctx context.Context) (*outcome.Case, error) {
	if err := x.acquire(ctx); err != nil {
		return nil, err
	}
	defer x.cores.Release(process.Check)
	c := x.newCase()
	title := c.Title()
	if x.given == nil {
		title = "the formula " + title
	}
	defer x.cores.Begin("", func() string { return title })()
	c.Errors = slices.Clone(x.errors)
	x.words = map[string]*omega.Word{}
	named := c.Formula
	if x.given != nil {
		named = strings.Join(x.given.Alphabet().Props(), " ") // all that messages may quote of it
	}
	for i := range x.calls {
		r := newResult(&x.calls[i], named)
		if x.NoChecks && x.given == nil && r.Polarity == outcome.Negation {
			r.Status = outcome.Unasked
		}
		c.Results = append(c.Results, r)
	}
	c, panicked, err := x.inTime(ctx, c)
	if err != nil && ctx.Err() == nil {
		panicked, err = strings.TrimPrefix(err.Error(), "internal error: "), nil // of this case only, as the run goes on
	}
	if panicked != "" {
		c.Errors = append(c.Errors, "internal error: "+panicked)
		c.Checked = false // nobody knows what has been
	}
	return c, err
}

// specification returns what decides who is wrong.
func (x *caseRun) specification(alphabet *omega.Alphabet, members []*member) specification {
	if x.given != nil {
		i := slices.IndexFunc(members, func(m *member) bool { return m.input })
		return &accepted{members[i], x.given.title.Source}
	}
	return &truths{alphabet: alphabet, store: x.store, formula: x.formula}
}

// find measures the automata and notes what is odd about the outputs. It returns
// one alphabet for all automata, in which the propositions of the formula, or of the
// automaton that was given, come first. The error is that the whole run was canceled.
func (x *caseRun) find(ctx context.Context, c *outcome.Case) (*omega.Alphabet, error) {
	what, own := "formula", []string(nil)
	if x.given != nil {
		what, own = "input", x.given.Alphabet().Props()
	} else {
		own = x.formula.Props()
	}
	known := omega.NewAlphabet(own...)
	if x.given != nil && x.given.Alphabet().Symbols() != nil {
		known = omega.NewSymbolAlphabet(x.given.Alphabet().Symbols()...)
	}
	alphabets := []*omega.Alphabet{known}
	for i := range x.calls {
		s, out := x.calls[i].Subject, x.calls[i].out
		for _, o := range out.Oddities {
			addFinding(c, s, o.Class, o.Text)
		}
		if out.Automaton == nil {
			continue
		}
		x.stage.enter("statistics of %s", s)
		if err := x.statistics(ctx, c, &c.Results[i], out.Automaton); err != nil {
			return nil, err
		}
		if !x.quick {
			var err error
			if c.Results[i].Excess, err = excess(ctx, out.Automaton); err != nil {
				return nil, err
			}
		}
		propositions(c, s, out.Automaton.Alphabet(), known, what)
		if x.given != nil && out.Automaton.Alternating() && !x.given.Alternating() {
			addFinding(c, s, outcome.Alternation, "the automaton is alternating, but the input is not")
		}
		alphabets = append(alphabets, out.Automaton.Alphabet())
	}
	return omega.Union(alphabets...), nil
}

func addFinding(c *outcome.Case, s outcome.Subject, class outcome.FindingClass, text string) {
	c.Findings = append(c.Findings, outcome.Finding{Subject: s, Class: class, Text: text})
}

// maxPropositions is how many findings there are about the propositions of an automaton:
// a tool that makes up names may make up a thousand for each formula.
const maxPropositions = 5

// propositions reports the propositions of an automaton that the formula, or the input, does not have.
// What says which of the two it is.
func propositions(c *outcome.Case, s outcome.Subject, automaton, known *omega.Alphabet, what string) {
	foreign := slices.DeleteFunc(slices.Clone(automaton.Props()), func(p string) bool {
		_, ok := known.Index(p)
		return ok
	})
	for k, p := range foreign[:min(len(foreign), maxPropositions)] {
		more := ""
		if left := len(foreign) - maxPropositions; k == maxPropositions-1 && left > 0 {
			more = fmt.Sprintf(" (and %d more)", left)
		}
		i := slices.IndexFunc(known.Props(), func(q string) bool { return utf8.ValidString(p) && strings.EqualFold(p, q) })
		if i >= 0 {
			addFinding(c, s, outcome.PropositionCase, fmt.Sprintf("unknown proposition %q: the %s has %q%s", p, what, known.Props()[i], more))
		} else {
			addFinding(c, s, outcome.UnknownProposition, fmt.Sprintf("unknown proposition %q: the %s does not have it%s", p, what, more))
		}
	}
}

// members returns the automata that take part in the checks, over one alphabet, and
// how many there are: identical ones are one member. The automaton that tools were given is the first one.
func (x *caseRun) members(ctx context.Context, c *outcome.Case, alphabet *omega.Alphabet) (list members, given int, err error) {
	x.own = [2]*omega.Automaton{}
	if x.given != nil {
		c.Reference = x.unused(inputName, "the input")
		own, err := x.given.Over(ctx, alphabet)
		if err != nil {
			return list, 0, err
		}
		m := list.add(outcome.Subject{Translator: c.Reference}, own)
		m.reference, m.input = true, true
		given++
	}
	for i := range x.calls {
		call := &x.calls[i]
		if call.out.Status != outcome.OK {
			continue
		}
		given++
		if a, err := over(ctx, c, call.Subject, call.out.Automaton, alphabet); err != nil {
			return list, 0, err
		} else if a != nil {
			m := list.add(call.Subject, a)
			m.reference = m.reference || call.tool.Reference && x.given == nil
		}
	}
	if x.given != nil || given == 0 || x.NoChecks {
		return list, given, nil
	}
	made, err := x.addReference(ctx, c, alphabet, &list)
	return list, given + made, err
}

// unused returns a name, or the other one if a tool has it.
func (o *Options) unused(name, other string) string {
	if slices.ContainsFunc(o.Tools, func(t *translators.Tool) bool { return t.Name == name }) {
		return other
	}
	return name
}

// over returns an automaton over the alphabet of the case, or nil if its labels are too
// large there: then it is compared with nothing, and the case says so. It fails when ctx is
// done.
func over(ctx context.Context, c *outcome.Case, s outcome.Subject, a *omega.Automaton, alphabet *omega.Alphabet) (*omega.Automaton, error) {
	b, err := a.Over(ctx, alphabet)
	if err != nil && ctx.Err() == nil {
		c.Undecided = append(c.Undecided, newUndecided(err.Error(), "comparison with %s", s))
		return nil, nil
	}
	return b, err
}
