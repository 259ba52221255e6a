package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/input"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// causes finds the causes of the failures of a run.
type causes interface {
	// add takes a case. If it fails, the run ends.
	add(ctx context.Context, c *outcome.Case) error
	// end completes the search after the last case. good is set if nothing has failed before.
	end(ctx context.Context, good bool) error
}

// causes returns what finds the causes of the failures of this run.
func (s *session) causes() causes {
	r := s.reports
	if s.Automata != nil {
		return &automataCauses{session: s, known: map[string]*shrinking{}}
	}
	how := triage.Options{MaxCalls: s.Config.Checks.GrindCalls,
		Grinding: func(translator, formula string, calls int) {
			if p := s.Progress; p != nil {
				p.Aside(fmt.Sprintf("shrinking for %s: %s (call %d)", translator, formula, calls))
			}
		}}
	if s.Config.Checks.Grind {
		how.Grind = &s.options
	}
	t := &formulaCauses{Triage: triage.New(how), plan: s.Plan, summary: r.summary, file: r.smallest,
		cases: make(chan *outcome.Case, maxUngrouped), ended: make(chan struct{})}
	go t.work(s.period)
	return t
}

// formulaCauses are the causes of failures on formulas. They are looked for beside the run: to
// shrink a formula may take a minute, and the other formulas do not wait for that.
type formulaCauses struct {
	*triage.Triage
	plan    *Plan
	summary *report.Summary
	file    io.Writer // for the formulas that were shrunk, or nil

	cases chan *outcome.Case // failing ones, in order
	ended chan struct{}      // closed when no more are taken
	err   error              // why, set before ended is closed
	told  bool               // add has returned err
}

// maxUngrouped is how many failing cases wait for their causes before the run waits, too. Each
// takes a few kilobytes.
const maxUngrouped = 1000

func (t *formulaCauses) add(_ context.Context, c *outcome.Case) error {
	if len(c.Faults()) == 0 {
		return nil
	}
	select {
	case t.cases <- c:
		return nil
	case <-t.ended:
		t.told = true
		return t.err
	}
}

// work groups the cases that come, one after the other.
func (t *formulaCauses) work(ctx context.Context) {
	defer close(t.ended)
	for c := range t.cases {
		causes, err := t.Add(ctx, c)
		if err == nil {
			err = t.write(causes)
		}
		if t.err = err; err != nil {
			return
		}
		if p := t.plan.Progress; p != nil {
			p.Aside("")
			p.Failures(slices.DeleteFunc(t.Known(), func(c outcome.Cause) bool { return !c.Ground }))
		}
	}
}

// write writes new causes that were shrunk to the file.
func (t *formulaCauses) write(causes []*outcome.Cause) error {
	for _, cause := range causes {
		if t.file == nil || !cause.Ground || cause.Formulas > 1 {
			continue
		}
		if _, err := fmt.Fprintln(t.file, cause.Formula); err != nil {
			return fmt.Errorf("writing a shrunk formula: %w", err)
		}
	}
	return nil
}

// end waits for the causes of the cases that have come, and gives all to the reports.
func (t *formulaCauses) end(ctx context.Context, _ bool) error {
	t.plan.phase("finding causes")
	close(t.cases)
	<-t.ended
	failed := t.err
	if t.told { // the run has ended with this error already
		failed = nil
	}
	causes, err := t.Causes(ctx)
	t.summary.Counts.GrindCalls = t.Calls()
	t.summary.Counts.Reach(t.Limits())
	for _, c := range causes {
		c.Command = t.plan.Rerun.command(c)
	}
	t.summary.Causes = append(t.summary.Causes, causes...)
	return errors.Join(failed, err)
}

// tell shows the failures of a case of a new kind as soon as they are known, although the case may wait for other
// answers, or for earlier cases, and its formula for others that are shrunk.
func (p *Plan) tell(c *outcome.Case) error {
	if p.Progress == nil || len(c.Faults()) == 0 {
		return nil
	}
	kinds := triage.New(triage.Options{})
	if _, err := kinds.Add(context.Background(), c); err != nil {
		return err
	}
	p.Progress.Failures(kinds.Known())
	return nil
}

// automataCauses are the ways in which tools fail or are wrong on automata.
type automataCauses struct {
	session *session
	list    []*shrinking
	known   map[string]*shrinking // by failure
}

// shrinking is a way in which tools fail, with the smallest automaton that shows it.
type shrinking struct {
	outcome.Failure
	first *outcome.Case
}

// maxShrinking is how many ways to fail are shrunk: a tool may fail in ever new ones.
const maxShrinking = 50

func (l *automataCauses) add(_ context.Context, c *outcome.Case) error {
	if l.session.reports.smallest == nil { // nobody wants shrunk automata
		return nil
	}
	size := func(c *outcome.Case) int { return c.Automaton.States + c.Automaton.Edges }
	for _, f := range c.Failures() {
		key := fmt.Sprintf("%s %q", f, f.Translators)
		if x := l.known[key]; x != nil {
			if size(c) < size(x.first) {
				x.first = c // it takes fewer steps from there
			}
		} else if len(l.list) < maxShrinking {
			l.known[key] = &shrinking{f, c}
			l.list = append(l.list, l.known[key])
		} else {
			l.session.reports.summary.Counts.Reach(map[outcome.Limit]int{outcome.Shrunk: 1})
		}
	}
	return nil
}

// end looks for the smallest automaton for each way in which tools fail, and writes it.
func (l *automataCauses) end(ctx context.Context, good bool) error {
	w := l.session.reports.smallest
	if !good || w == nil || ctx.Err() != nil {
		return nil
	}
	l.session.phase("shrinking automata")
	for _, x := range l.list {
		automaton, _, err := hoa.ReadOne(ctx, []byte(x.first.Automaton.HOA)) // it has not been kept
		if err != nil {
			return interrupted(ctx, err)
		}
		ground, err := cross.GrindAutomaton(ctx, l.session.options, cross.Input{Automaton: automaton, Source: x.first.Automaton.Source}, x.Failure)
		if ground != nil {
			if err := writeShrunk(ctx, w, x, ground); err != nil {
				return interrupted(ctx, fmt.Errorf("writing a shrunk automaton: %w", err))
			}
		}
		// An interrupt is no error: what was shrunk so far is written.
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			// It may fail at random.
			l.session.note("grind: %s: %v", x.first.Automaton.Source, err)
		}
	}
	return nil
}

// interrupted returns an error, unless it is that the run was interrupted.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && isCanceled(err) {
		return nil
	}
	return err
}

// writeShrunk writes what was shrunk, with a comment that says what it shows.
func writeShrunk(ctx context.Context, w io.Writer, from *shrinking, g *cross.AutomatonGrindResult) error {
	var b strings.Builder
	start := from.first.Automaton
	fmt.Fprintf(&b, "%s: %s", strings.Join(from.Translators, ", "), cmp.Or(string(from.Kind()), report.ClassName(from.Class)))
	how := "interrupted while it was "
	if g.Case != nil {
		how = ""
		for _, d := range g.Case.Disagreements {
			if d.Kind == from.Kind() {
				fmt.Fprintf(&b, " word %s", d.Word)
				break // a line has room for one word
			}
		}
	}
	fmt.Fprintf(&b, " (%sshrunk from %s, %d states and %d edges)", how, start.Source, start.States, start.Edges)
	// A text may end the comment.
	if _, err := fmt.Fprintf(w, "\n/* %s */\n", strings.ReplaceAll(b.String(), "*/", "* /")); err != nil {
		return err
	}
	return hoa.Write(ctx, w, g.Automaton)
}

// automata returns the automata of a plan, and how many there are, or 0 if that is not known.
func (p *Plan) automata() (next Inputs, total int, err error) {
	var given []Inputs
	files := p.Config.Formulas.Files
	for _, file := range files {
		list, err := p.Automata.Open(file.Path)
		if err != nil {
			return nil, 0, err
		}
		given = append(given, list)
	}
	r := p.random()
	if r == nil {
		return Concat(given...), 0, nil
	}
	o, seed := *p.Automata.Random, r.Seed // copied, so that the plan does not change
	o.Seed = seed
	g, err := random.NewGenerator(o)
	if err != nil {
		return nil, 0, err
	}
	given = append(given, Repeat(r.Number, func(ctx context.Context, k int) (cross.Input, error) {
		x, err := g.Next(ctx)
		return cross.Input{Automaton: x, Source: fmt.Sprintf("random %d", k), Seed: &seed}, err
	}))
	if len(files) == 0 { // how many automata a file has is not known
		total = max(0, r.Number)
	}
	return Concat(given...), total, nil
}

// span returns the lines and columns of the first and the last character of an automaton.
func span(p *hoa.Piece) string {
	text := strings.TrimRight(string(p.Text), " \t\r\n")
	line, column := p.Line+strings.Count(text, "\n"), utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
	if line == p.Line {
		return fmt.Sprintf("%d.%d-%d", line, p.Column, p.Column+column-1)
	}
	return fmt.Sprintf("%d.%d-%d.%d", p.Line, p.Column, line, column)
}

// AutomataFile returns the automata that a reader has, of a file with a name, which is closed after the last.
// What is no automaton, or can't be read, is an input that says so, and the next one follows.
func AutomataFile(name string, file io.Closer, r *hoa.Reader) Inputs {
	s, closed := input.NewAutomata(name, r), false
	return func(ctx context.Context) (cross.Input, error) {
		if closed {
			return cross.Input{}, io.EOF
		}
		p, err := s.Next(ctx)
		if err == nil {
			in := cross.Input{Automaton: p.Automaton, Source: fmt.Sprintf("%s:%d", s.File(p), p.Line), Span: span(p.Piece)}
			if p.Format != nil && p.Format.Name == "hoa" {
				in.Line = &outcome.LogLine{Text: string(p.Text)}
			}
			if p.Err != nil {
				in.Text, in.Err = input.Start(string(p.Text)), s.At(p, p.Err)
			}
			return in, nil
		}
		closed = true // after an error, too: what follows can't be found
		file.Close()
		if err == io.EOF {
			return cross.Input{}, io.EOF
		}
		return cross.Input{Source: name, Err: err}, nil // an error of this input, not of the run
	}
}

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
	class := strings.Join(strings.Fields(report.ClassName(x.Failure.Class)), " ") // a comment has one line
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
	// All formulas are checked before one is shrunk: their number decides how long each may take.
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
	s.status = max(s.status, outcome.ExitFailed) // an error counts more than a failure
	for _, failure := range failures {
		if err := s.shrink(c, failure, maxExhausted/time.Duration(s.formulas*len(failures))); err != nil {
			return err
		}
	}
	return nil
}

// shrink makes the formula of one failure small, within the time exhausted if each step may take a call's limit.
func (s *shrinker) shrink(c *outcome.Case, failure outcome.Failure, exhausted time.Duration) error {
	grinder, err := s.grinder(failure, c)
	if err != nil {
		return err
	}
	before := grinder.Calls()                // failures may share a grinder
	ctx, cancel := context.WithCancel(s.ctx) // no deadline: it would be taken for the limit of a check
	defer cancel()
	limit := plural.Of(s.MaxCalls, "call")
	if failure.Class.Exhausted() { // each step may take as long as the limit of a call
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
		c = got.Case // of the smallest formula
	}
	letters := 0
	for _, d := range c.Disagreements {
		if d.Kind == failure.Kind() && (x.Word == "" || d.Size < letters) {
			x.Word, x.Shortest, letters = d.Word, d.Shortest, d.Size
		}
	}
	return s.emit(x)
}

// grinder returns the Grinder for the translators of a failure, with the options that they have in a case.
func (s *shrinker) grinder(failure outcome.Failure, c *outcome.Case) (*cross.Grinder, error) {
	property := failure.Class.IsProperty()
	key := fmt.Sprint(property, failure.Translators)
	for _, t := range s.options.Tools {
		key += fmt.Sprintf(" %q", c.Options(t.Name))
	}
	if s.grinders[key] == nil {
		o := s.options
		o.Properties = property // other failures do not need them
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
