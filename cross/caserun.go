package cross

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A caseRun is a formula, or an automaton, with what the tools made of it.
type caseRun struct {
	*run
	index       int
	seed        *uint64
	line        *outcome.LogLine
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
	cut         []outcome.Undecided    // that some answers were not awaited
	own         [2]*omega.Automaton    // of the reference, by polarity; nil without one
	words       map[string]*omega.Word // of the disagreements, by their texts
	proving     time.Duration          // processor time of its proofs
	stage       *stage
	// abandoned: something goes on with the case that nobody waits for.
	abandoned bool
}

// examine makes the case of an input: every tool is asked, and the automata are checked. If a process that is
// blamed has served other formulas, a fresh one is asked. A case that is done, or an input that can't be read, is
// only noted. The error is an internal one, or that ctx is done.
func (r *run) examine(ctx context.Context, index int, in Input) (*outcome.Case, error) {
	if in.Done != nil {
		in.Done.Line = in.Line
		return in.Done, nil
	}
	if in.Err != nil {
		c := outcome.NewCase(index, in.Text, in.Seed)
		if in.Source != "" { // the input was to be an automaton
			c.Formula, c.Automaton = "", &outcome.Given{Source: in.Source, HOA: c.Formula}
		}
		c.Error = strings.ToValidUTF8(in.Err.Error(), "\uFFFD") // JSON has no other text
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
		c.Replayed, c.Line = in.Replayed, in.Line
		err = x.save(c)
	}
	return c, err
}

// newCaseRun returns the caseRun of an input. It shares no formulas, alphabets or automata with other cases.
func (r *run) newCaseRun(ctx context.Context, index int, in Input) (*caseRun, error) {
	x := &caseRun{run: r, index: index, seed: in.Seed, line: in.Line, store: ltl.NewStore()}
	if in.Automaton != nil {
		title, err := newGiven(ctx, in, r.Limits.Time)
		if err != nil {
			return nil, err
		}
		x.given = &given{Automaton: in.Automaton, tools: translators.NewAutomaton(in.Automaton), title: title}
	} else {
		x.formula = x.store.Import(in.Formula)
		if in.Negation != nil {
			x.negation = x.store.Import(in.Negation)
		}
		x.formulaOnly = r.NoChecks
	}
	return x, nil
}

// take makes the case. Unless it is confirmed, answers of processes that served other formulas count.
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
	// Confirming may replace answers. Then check again, until no answer is new.
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

// save calls Options.Save with the automata of a case, if something is wrong in it. The automata of an abandoned case
// may still be in use.
func (x *caseRun) save(c *outcome.Case) error {
	if x.Save == nil || x.abandoned || !c.Wrong() {
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
	for _, p := range outcome.BothPolarities() {
		add(outcome.Subject{Translator: c.Reference, Polarity: p}, x.own[p.Index()])
	}
	return x.Save(c, automata)
}

// name returns the formula, or the text of the automaton: all that the words of this case depend on.
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
	answered := make(chan int, len(x.calls))
	for i := range x.calls {
		answered <- i
	}
	// All answers are there. If no core is free for some time, awaited looks for early failures.
	if err := x.awaited(ctx, answered, func() error { return x.cores.Acquire(ctx, process.Check) }); err != nil {
		return nil, err
	}
	defer x.cores.Release(process.Check)
	c := x.newCase()
	title := c.Title()
	if x.given == nil {
		title = "the formula " + title
	}
	defer x.cores.Begin("", func() string { return title })()
	c.Errors, c.Undecided = slices.Clone(x.errors), append(c.Undecided, x.cut...)
	x.words = map[string]*omega.Word{}
	named := c.Formula // its propositions are left out of the signatures of messages
	if x.given != nil {
		named = strings.Join(x.given.Alphabet().Props(), " ")
	}
	for i := range x.calls {
		r := newResult(&x.calls[i], named)
		if x.NoChecks && x.given == nil && r.Polarity == outcome.Negation {
			r.Status = outcome.Unasked // without checks, only the formula is translated
		}
		c.Results = append(c.Results, r)
	}
	c, panicked, err := x.inTime(ctx, c)
	if err != nil && ctx.Err() == nil && overLimit(err) { // of what all checks need
		c.Undecided = append(c.Undecided, outcome.Undecided{Check: outcome.RestOfCase, Why: fmt.Sprintf("%v (%s)", err, x.stage)})
		c.Checked, err = false, nil
	} else if errors.As(err, new(*fs.PathError)) {
		return c, err // a file that can't be written ends the run
	} else if err != nil && ctx.Err() == nil {
		panicked, err = strings.TrimPrefix(err.Error(), "internal error: "), nil // of this case only, as the run goes on
	}
	if panicked != "" {
		c.Errors = append(c.Errors, "internal error: "+panicked)
		c.Checked = false // the checks that were done before are unknown
	}
	return c, err
}

// specification returns what decides who is wrong.
func (x *caseRun) specification(alphabet *omega.Alphabet) specification {
	if x.given != nil {
		return &accepted{x.given.member, x.given.title.Source}
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
		if !x.quick { // not for an early look at some answers
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
		// EqualFold takes all invalid bytes for the same.
		i := slices.IndexFunc(known.Props(), func(q string) bool { return utf8.ValidString(p) && strings.EqualFold(p, q) })
		if i >= 0 {
			addFinding(c, s, outcome.PropositionCase, fmt.Sprintf("unknown proposition %q: the %s has %q%s", p, what, known.Props()[i], more))
		} else {
			addFinding(c, s, outcome.UnknownProposition, fmt.Sprintf("unknown proposition %q: the %s does not have it%s", p, what, more))
		}
	}
}

// members returns the automata of tools that take part in the checks, over one alphabet, and
// how many there are: identical ones are one member. The automaton that tools were given is the first one.
func (x *caseRun) members(ctx context.Context, c *outcome.Case, alphabet *omega.Alphabet) (list members, given int, err error) {
	x.own = [2]*omega.Automaton{} // of an earlier check
	if x.given != nil {
		own, err := x.given.Over(ctx, alphabet)
		if err != nil {
			return list, 0, err
		}
		if x.Unrelated { // then the input says who is wrong, and is compared with nothing
			x.given.member = (&members{}).add(outcome.Subject{}, own)
		} else {
			c.Reference = x.unused(inputName, "the input")
			x.given.member = list.add(outcome.Subject{Translator: c.Reference}, own)
			x.given.member.reference, x.given.member.input = true, true
			given++
		}
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
			m := list.add(call.Subject, a) // may be the member of an earlier, identical automaton
			m.reference = m.reference || call.tool.Reference && x.given == nil
		}
	}
	return list, given, nil
}

// unused returns a name, or the other one if a tool has it.
func (o *Options) unused(name, other string) string {
	if slices.ContainsFunc(o.Tools, func(t *translators.Tool) bool { return t.Name == name }) {
		return other
	}
	return name
}

// over returns an automaton over the alphabet of the case, or nil if its labels are too large there: then it
// is compared with nothing, and the case says so. It fails when ctx is done.
func over(ctx context.Context, c *outcome.Case, s outcome.Subject, a *omega.Automaton, alphabet *omega.Alphabet) (*omega.Automaton, error) {
	b, err := a.Over(ctx, alphabet)
	if err != nil && ctx.Err() == nil {
		c.Undecided = append(c.Undecided, newUndecided(err.Error(), "comparison with %s", s))
		return nil, nil
	}
	return b, err
}

// newGiven describes an automaton as far as its labels and the time limit allow. It fails when ctx is done.
func newGiven(ctx context.Context, in Input, limit time.Duration) (*outcome.Given, error) {
	inner, cancel := within(ctx, limit)
	defer cancel()
	var text strings.Builder
	var s omega.Statistics
	err := hoa.Write(inner, &text, in.Automaton)
	if err == nil {
		s, err = in.Automaton.Statistics(inner)
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &outcome.Given{Source: in.Source, Span: in.Span, Name: strings.ToValidUTF8(in.Automaton.Name, "\uFFFD"), HOA: text.String(),
		Props: s.Props, States: s.States, Edges: s.Edges, Transitions: s.Transitions, Sets: s.Sets,
		Components: s.Components, Nondet: s.NondetStates, Deterministic: s.Deterministic, Alternating: s.Alternating, Acceptance: s.Acceptance}, nil
}

// inputName is the translator that the input of a case of an automaton is ascribed to in checks and answers.
const inputName = "input"

// A given is the automaton of a caseRun, which has no formula then.
type given struct {
	*omega.Automaton
	tools  *translators.Automaton
	title  *outcome.Given // of the case
	member *member        // see members
}

// accepted is the specification of an automaton: the words that it accepts.
type accepted struct {
	*member
	title string
}

func (a *accepted) holds(ctx context.Context, w *certify.Word) (bool, error) {
	return a.accepts(ctx, w)
}

func (a *accepted) quick(ctx context.Context, w *omega.Word) (bool, error) {
	return a.language.Automaton().Accepts(ctx, w)
}

func (a *accepted) languages(_ context.Context, truth bool) (in, out []*productcheck.Language, err error) {
	if truth {
		return []*productcheck.Language{a.language}, nil, nil
	}
	return nil, []*productcheck.Language{a.language}, nil
}

func (a *accepted) String() string { return "automaton " + a.title }

// A Translation translates a formula of the store within the process.
type Translation func(context.Context, *ltl.Store, *ltl.Formula) (*omega.Automaton, error)

// referenceTime is how long the reference may take for each of a formula and its negation, unless a check has
// less. An automaton that takes longer to make would not be quickly compared.
const referenceTime = 10 * time.Second

// addReference adds the automata of the run's reference, for the formula and for its negation, and returns
// how many it made. The error is that the whole run was canceled.
func (x *caseRun) addReference(ctx context.Context, c *outcome.Case, alphabet *omega.Alphabet, list *members) (made int, err error) {
	// A tool that is the reference and gave both automata needs no other.
	for _, tool := range x.Tools {
		failed := func(r outcome.Result) bool { return r.Translator == tool.Name && r.Status != outcome.OK }
		if tool.Reference && !slices.ContainsFunc(c.Results, failed) {
			c.Reference = tool.Name
			return 0, nil
		}
	}
	if x.Reference == nil {
		return 0, nil
	}
	name := x.unused("builtin", "built-in reference")
	for _, p := range outcome.BothPolarities() {
		s := outcome.Subject{Translator: name, Polarity: p}
		a, err := x.translated(ctx, x.Reference, x.asked(p))
		if ctx.Err() != nil {
			return made, ctx.Err()
		}
		if err != nil {
			c.Undecided = append(c.Undecided, newUndecided(err.Error(), "comparison with %s", s))
			continue
		}
		c.Reference = name
		made++
		if a, err = over(ctx, c, s, a, alphabet); err != nil {
			return made, err
		}
		if x.own[p.Index()] = a; a != nil {
			m := list.add(s, a)
			m.reference, m.own = true, true
		}
	}
	return made, nil
}

// translated returns a reference's automaton of f. It fails when it takes too long.
func (x *caseRun) translated(ctx context.Context, reference Translation, f *ltl.Formula) (*omega.Automaton, error) {
	limit := referenceTime
	if x.Limits.Time > 0 {
		limit = min(limit, x.Limits.Time)
	}
	inTime, cancel := within(ctx, limit)
	defer cancel()
	a, err := reference(inTime, x.store, f)
	return a, timeLimit(inTime, err)
}

// fill does the checks, as long as ctx allows, which is run or ends before it. At the time limit of
// the case, it keeps what was found by then, and says what was under way. The error is that
// the whole run was canceled, that the time limit was reached, or an internal one.
//
// It has two halves: search finds words on which automata may be wrong, and the certifier makes
// disagreements of those that are confirmed.
func (x *caseRun) fill(run, ctx context.Context, c *outcome.Case) error {
	ctx = x.Limits.WithMemory(ctx)
	ch := &checker{run: x, ctx: ctx, decider: productcheck.Decider{Limits: x.Limits, Algorithm: x.Complement}, trusts: x.quick, every: x.AllPairs}
	alphabet, err := x.find(ctx, c)
	if err == nil {
		ch.members, ch.given, err = x.members(ctx, c, alphabet)
	}
	if err != nil { // nothing was checked yet
		if late(ctx) {
			c.Undecided = append(c.Undecided, x.undecided(ctx, ""))
		}
		return err
	}
	j := &certifier{words: x.words, specification: x.specification(alphabet), members: ch.members.all(), decider: &ch.decider}
	if err = x.search(ctx, c, ch, j, alphabet); err != nil && !late(ctx) {
		return err
	}
	if err != nil { // from here on, an error says that the time is up
		ch.undone = append(ch.undone, x.undecided(ctx, ""))
	}
	if x.NoChecks {
		c.Undecided = append(c.Undecided, ch.undone...)
		return err
	}
	if err != nil {
		c.Checked = ch.short.size > 0 || ch.decided()
		inTime, cancel := context.WithTimeout(run, certifying) // a word that was found late is certified all the same
		defer cancel()
		x.certify(inTime, ch, j)
		x.addShortWords(inTime, c, ch, j, &ch.short)
		c.Disagreements = append(c.Disagreements, j.sorted()...)
		finish(c, ch, j)
		return err
	}
	// One automaton alone is checked by words. Without a formula, nothing says which words are right.
	c.Checked = ch.given > 1 || ch.given == 1 && (x.Words > 0 || ch.short.size > 0 || ch.proved()) && x.given == nil
	x.certify(ctx, ch, j)
	if err = x.checkWords(ctx, c, j, alphabet, ch, &ch.short); err != nil && !late(ctx) {
		return err
	} else if err != nil {
		ch.undone = append(ch.undone, x.undecided(ctx, ""))
	}
	finish(c, ch, j)
	return err
}

// search looks for proofs, and then for words on which automata are wrong: among all short ones, and by the
// checks. The error is as for fill; what was found stays in ch.
func (x *caseRun) search(ctx context.Context, c *outcome.Case, ch *checker, j *certifier, alphabet *omega.Alphabet) error {
	if err := x.prove(ctx, c, ch, ch.members.all(), false); err != nil {
		return err
	}
	// Proved automata are compared with nothing. What tools make of an automaton is compared with that automaton.
	if x.given == nil && !x.NoChecks && (x.AllPairs || !ch.proved()) {
		x.stage.enter("reference translation")
		made, err := x.addReference(ctx, c, alphabet, &ch.members)
		ch.given += made
		j.members = ch.members.all()
		if err == nil {
			err = x.prove(ctx, c, ch, j.members, false)
		}
		if err != nil {
			return err
		}
	}
	ch.prove = func(hard ...*member) error { return x.prove(ctx, c, ch, hard, true) }
	var err error
	if ch.short, err = x.tryShortWords(ctx, c, ch.members.all(), alphabet); err != nil {
		return err
	}
	x.tell(ctx, c, ch, ch.short.words())
	ch.tell = func(words ...*omega.Word) {
		x.certify(ctx, ch, j)
		x.keep(c, ch, j, x.stage.String()) // the checks to come may take too long
		x.tell(ctx, c, ch, words)
	}
	return x.compare(ctx, c, ch, alphabet)
}

// finish adds what the checks and the words have shown, but for the disagreements.
func finish(c *outcome.Case, ch *checker, j *certifier) {
	c.Undecided = append(c.Undecided, ch.undone...)
	for _, w := range ch.found[ch.certified:] {
		c.Undecided = append(c.Undecided, outcome.Undecided{Check: w.check, Text: w.text, Why: "no time left to certify the word " + w.String()})
	}
	c.Undecided = append(c.Undecided, j.undone...)
	c.Checks = append(c.Checks, ch.done...)
	c.Errors = append(c.Errors, j.errors...)
	c.Witnesses = j.witnesses
}

// keep notes what the case would be if it ended now, and enters a stage.
func (x *caseRun) keep(c *outcome.Case, ch *checker, j *certifier, stage string) {
	k := *c
	k.Checked = c.Checked || ch.decided()
	k.Results = slices.Clone(c.Results) // these still change
	k.Undecided, k.Checks, k.Errors = slices.Clip(c.Undecided), slices.Clip(c.Checks), slices.Clip(c.Errors)
	k.Findings = slices.Clone(c.Findings)
	k.Disagreements = append([]outcome.Disagreement{}, j.sorted()...)
	finish(&k, ch, j)
	x.stage.kept.Store(&k)
	x.stage.enter("%s", stage)
}

// compare does the checks of automata with each other, and of what they declare.
func (x *caseRun) compare(ctx context.Context, c *outcome.Case, ch *checker, alphabet *omega.Alphabet) (err error) {
	switch {
	case x.NoChecks:
	case x.NoComplement:
		err = ch.between(ch.members[0], ch.members[1], false)
	case x.AllPairs:
		err = ch.allPairs()
	default:
		err = ch.byClasses()
	}
	if err == nil {
		ch.tell()
		x.stage.enter("products with state spaces")
		err = ch.byProducts(c, &x.Products, alphabet, !x.NoChecks)
	}
	if err == nil && x.Properties && !x.NoChecks {
		err = x.properties(ctx, c, ch)
	}
	if err == nil {
		err = x.contested(ctx, c, ch, alphabet)
	}
	return err
}

// certify certifies the words that the checks have found, until ctx is done.
func (x *caseRun) certify(ctx context.Context, ch *checker, j *certifier) {
	for ctx.Err() == nil && ch.certified < len(ch.found) && j.certify(ctx, &ch.found[ch.certified]) == nil {
		ch.certified++
	}
}

// checkWords takes the short words, tries random ones, and makes disagreements of all that are wrong.
// The error is that ctx is done, or an internal one.
func (x *caseRun) checkWords(ctx context.Context, c *outcome.Case, j *certifier, alphabet *omega.Alphabet, ch *checker, short *shortWords) (err error) {
	// Each stage keeps the results so far: the time limit may end it at any point.
	x.keep(c, ch, j, "certification of short words")
	err = x.addShortWords(ctx, c, ch, j, short)
	if err == nil && !ch.proved() && (!x.quick || len(ch.undone) > 0) {
		x.stage.enter("random words")
		// Words of this case: they depend on nothing but the formula, or the automaton.
		err = j.tryWords(ctx, alphabet, x.Words, rand.New(rand.NewPCG(hash(x.name()), 0)))
	}
	if err == nil && !x.quick {
		x.keep(c, ch, j, "shortest words")
		err = j.shorten(ctx)
	}
	if err == nil {
		short.agree(j)
	}
	c.Disagreements = append(c.Disagreements, j.sorted()...)
	if err == nil && !x.quick {
		x.keep(c, ch, j, "propositions that play no part")
		err = j.generalize(ctx, c.Disagreements)
	}
	if err == nil && !x.quick {
		x.keep(c, ch, j, "explanations")
		err = x.explain(ctx, c, j)
	}
	return err
}

// hash returns the FNV hash of a text.
func hash(text string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	return h.Sum64()
}
