// Package xchecktest checks a translator of formulas that is a Go function, in a test of it.
//
//	func TestTranslator(t *testing.T) {
//		if r, err := xchecktest.Check(t.Context(), translate); err != nil || r.Failed() {
//			t.Fatal(r, err)
//		}
//	}
package xchecktest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/random"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	built "github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Options say what [Check] does. The zero value has the defaults.
type Options struct {
	Formulas []*ltl.Formula // to check before the random ones
	// Random is the number of random formulas: 100 if it is 0, none if it is negative.
	Random int
	// Seed chooses the random formulas. If it is 0, go test -shuffle=N is the seed N, and with
	// -shuffle=on each run has a seed of its own.
	Seed uint64
	// Time is the time after which no formula starts: ten seconds if it is 0. A call of translate may
	// take as long.
	Time time.Duration
	// Without are operators that translate does not support. Formulas are rewritten without them.
	Without ltl.OpSet
	Limits  omega.Limits // of each check
}

// A Report has the results of [Check].
type Report struct {
	Summary *report.Summary
	Seed    uint64 // of the random formulas
	text    string
}

// Failed reports whether an automaton is wrong, a call of translate failed, or nothing was checked.
func (r *Report) Failed() bool {
	s := &r.Summary.Counts
	return s.Status != outcome.ExitPassed && (s.Status != outcome.ExitIncomplete || s.Failures > 0 || s.Formulas == s.Unchecked)
}

// String returns the report as the command xcheck run prints it: problems, each with the smallest
// formula and a word, and how the run ended.
func (r *Report) String() string { return r.text }

// Check compares a translator of formulas with their semantics, on random formulas and their
// negations. It proves what it can in a third of its own time; the report says the share. Translate
// gets a formula, or its text in Spot's syntax, and returns an automaton, or text in a format of
// package hoa.
//
// Check shrinks formulas on which translate fails. It calls translate from one goroutine at a time.
// An error or a panic of translate is a failure of that call. So is a call without an answer in
// time: it stays behind, and Check ends with it. Any number of goroutines may call Check.
//
// Only the first of the options applies. The error is internal, or ctx is done.
func Check[In string | *ltl.Formula, Out string | *omega.Automaton](ctx context.Context, translate func(In) (Out, error), options ...Options) (*Report, error) {
	if translate == nil {
		return nil, errors.New("no translator")
	}
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	if slices.Contains(o.Formulas, nil) {
		return nil, errors.New("no formula given")
	}
	if o.Random == 0 {
		o.Random = 100
	}
	if o.Time <= 0 {
		o.Time = 10 * time.Second
	}
	if shuffle := flag.Lookup("test.shuffle"); shuffle != nil && o.Seed == 0 {
		// It is a number, or on, or off.
		if n, err := strconv.ParseInt(shuffle.Value.String(), 10, 64); err == nil {
			o.Seed = uint64(n)
		} else if shuffle.Value.String() == "on" {
			o.Seed = uint64(time.Now().UnixNano())
		}
	}
	// Only one core, because translate need not be safe for goroutines, and go test runs other
	// tests beside.
	runner, err := translators.NewRunner(1, "")
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	command, err := translators.ParseCommand("translate %f", translators.Spawn)
	if err != nil {
		return nil, err
	}
	// A call can't be ended from outside. What it does later must not disturb the next one, so the
	// check ends with it.
	var left atomic.Bool // a call that did not end
	tool := &translators.Tool{Name: "translate", Command: command, Without: o.Without, Limits: translators.Limits{Timeout: o.Time}}
	tool.Builtin = func(ctx context.Context, text string, out io.Writer) error {
		if left.Load() {
			return errLeft
		}
		var in In
		f, err := ltl.NewStore().Parse(text, ltl.Spot)
		if err == nil {
			in, err = argument[In](f)
		}
		if err != nil {
			return err
		}
		type answer struct {
			out Out
			err error
		}
		answered := make(chan answer, 1)
		go func() {
			var a answer
			panicked, err := guard.Call(func() (err error) {
				a.out, err = translate(in)
				return err
			})
			if a.err = err; panicked != "" {
				a.err = errors.New(panicked)
			}
			answered <- a
		}()
		select {
		case <-ctx.Done():
			left.Store(true)
			return ctx.Err()
		case a := <-answered:
			if a.err != nil {
				return a.err
			}
			if text, ok := any(a.out).(string); ok {
				_, err = io.WriteString(out, text)
				return err
			}
			automaton := any(a.out).(*omega.Automaton)
			if automaton.Alphabet() == nil {
				return omega.ErrNoAutomaton
			}
			return hoa.Write(ctx, out, automaton)
		}
	}
	// There is no second translator: the reference takes its place.
	limits := o.Limits.WithDefaults()
	how := cross.Options{Tools: []*translators.Tool{tool}, Runner: runner, Reference: built.Of, Words: 20, Exhaustive: cross.Cheap,
		Prove: cross.ProveAuto, Properties: true, Limits: limits, CaseTime: o.Time}

	// A formula may start until the deadline, and then take as long again.
	deadline := time.Now().Add(o.Time)
	inner, cancel := context.WithDeadline(limits.WithMemory(ctx), deadline.Add(o.Time))
	defer cancel()
	sum := report.NewSummary(how.Tools)
	causes := triage.New(triage.Options{Grind: &how, MaxCalls: triage.DefaultCalls})
	var b strings.Builder
	text := &report.Text{W: &b, NoTotals: true}
	draw, k := random.New(random.Default, o.Seed), 0
	err = cross.Run(inner, how, func() (in cross.Input, err error) {
		k++
		switch {
		case left.Load():
			err = io.EOF
		case time.Now().After(deadline):
			sum.Counts.TimeUp, err = true, io.EOF
		case k <= len(o.Formulas):
			in.Formula = o.Formulas[k-1]
		case k <= len(o.Formulas)+o.Random:
			in.Formula, err = draw.Next(inner)
		default:
			err = io.EOF
		}
		return in, err
	}, func(c *outcome.Case) error {
		uncommanded(c)
		news := sum.Add(c)
		_, err := causes.Add(inner, c)
		return cmp.Or(err, text.Case(c, news))
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if inner.Err() != nil {
		sum.Counts.TimeUp, err = true, nil
	}
	if sum.Counts.TimeUp {
		sum.Counts.Deadline = &deadline
	}
	sum.Counts.Seed, sum.Counts.SeedDrawn = &o.Seed, o.Seed != 0
	// Even past the deadline, the causes found so far are told.
	found, err2 := causes.Causes(ctx)
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	for _, c := range found {
		uncommanded(c.Case)
	}
	sum.Causes = append(sum.Causes, found...)
	sum.Decide()
	err = text.End(sum)
	return &Report{Summary: sum, Seed: o.Seed, text: strings.TrimSpace(b.String())}, err
}

// uncommanded leaves out what is no use to those who call a function: how to run a command, and calls that
// were not made after one that did not end.
func uncommanded(c *outcome.Case) {
	for i := range c.Results {
		r := &c.Results[i]
		r.Command = ""
		if r.Detail == errLeft.Error() {
			r.Status, r.Failure = outcome.Skipped, outcome.Class{} // the call before it is the cause
		}
	}
}

// errLeft is why translate is not called again.
var errLeft = errors.New("an earlier call has not ended")

// argument returns a formula as a translator takes it. A text has parentheses around each operand,
// so that it means the same with other precedences.
func argument[In string | *ltl.Formula](f *ltl.Formula) (in In, err error) {
	switch in := any(&in).(type) {
	case *string:
		*in, err = f.Parenthesized(ltl.Spot, ltl.Every)
	case **ltl.Formula:
		*in = f
	}
	return in, err
}
