package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
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
	how := triage.Options{MaxCalls: s.Config.Triage.MaxCalls,
		Grinding: func(translator, formula string, calls int) {
			if p := s.Progress; p != nil {
				p.Aside(fmt.Sprintf("shrinking for %s: %s (call %d)", translator, formula, calls))
			}
		}}
	if s.Config.Triage.Grind {
		how.Grind = &s.options
	}
	t := &formulaCauses{Triage: triage.New(how), plan: s.Plan, live: s.live, summary: r.summary, file: r.smallest,
		cases: make(chan *outcome.Case, maxUngrouped), ended: make(chan struct{})}
	go t.work(s.period)
	return t
}

// formulaCauses are the causes of failures on formulas. They are looked for beside the run: to
// shrink a formula may take a minute, and the other formulas do not wait for that.
type formulaCauses struct {
	*triage.Triage
	plan    *Plan
	live    *live
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
		t.live.shrunk(t.Known())
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
	if t.told {
		failed = nil
	}
	causes, err := t.Causes(ctx)
	t.summary.Counts.GrindCalls = t.Calls()
	t.summary.Counts.Reach(t.Limits())
	for _, c := range causes {
		t.summary.Causes = append(t.summary.Causes, report.Cause{Cause: c, Command: t.plan.Rerun.command(c)})
	}
	return errors.Join(failed, err)
}

// A live shows the failures of a run while it goes on. A failure of a new kind is shown as soon as
// its case is complete, although the case may wait for earlier ones, and its formula for others
// that are shrunk. Later ones count up. What remains of the formulas takes the place of the first.
type live struct {
	mu       sync.Mutex
	kinds    *triage.Triage  // has all failures, by class
	causes   []outcome.Cause // that were shrunk so far
	progress *report.Progress
}

func (l *live) add(ctx context.Context, c *outcome.Case) error {
	if l == nil || len(c.Faults()) == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.kinds.Add(ctx, c)
	l.show()
	return err
}

func (l *live) shrunk(causes []outcome.Cause) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.causes = slices.DeleteFunc(causes, func(c outcome.Cause) bool { return !c.Ground })
	l.progress.Aside("")
	l.show()
}

// show shows a row for each cause that was shrunk, or for a kind without one. Failures that are not
// grouped yet count for the first row of their kind.
func (l *live) show() {
	var rows []outcome.Cause
	for _, kind := range l.kinds.Known() {
		first, left := len(rows), kind.Formulas
		for _, c := range l.causes {
			if c.Translators[0] == kind.Translators[0] && c.Class.Category() == kind.Class.Category() {
				rows = append(rows, c)
				left -= c.Formulas
			}
		}
		if first == len(rows) {
			kind.Formula = outcome.TitleOf(kind.Formula)
			rows = append(rows, kind)
		} else {
			rows[first].Formulas += max(0, left)
		}
	}
	l.progress.Failures(rows)
}
