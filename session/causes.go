package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
		if t.err = t.live.shrunk(t.Known()); t.err != nil {
			return
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
// it is known, although its case may wait for other answers, or for earlier cases, and its formula for
// others that are shrunk. Later ones count up. What remains of the formulas takes the place of the first.
type live struct {
	mu       sync.Mutex
	kinds    *triage.Triage        // has all failures of complete cases, by class
	early    map[int]*outcome.Case // others, by their indexes
	causes   []outcome.Cause       // that were shrunk so far
	progress *report.Progress
}

// add takes a complete case.
func (l *live) add(c *outcome.Case) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, told := l.early[c.Index]
	delete(l.early, c.Index)
	if !told && len(c.Faults()) == 0 {
		return nil
	}
	if _, err := l.kinds.Add(context.Background(), c); err != nil {
		return err
	}
	return l.show()
}

// tell takes a case that is not complete.
func (l *live) tell(c *outcome.Case) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.early[c.Index] = c
	l.show() // an error comes again with the complete case
}

func (l *live) shrunk(causes []outcome.Cause) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.causes = slices.DeleteFunc(causes, func(c outcome.Cause) bool { return !c.Ground })
	l.progress.Aside("")
	return l.show()
}

// show shows a row for each cause that was shrunk, or for a kind without one. Failures that are not
// grouped yet count for the first row of their kind.
func (l *live) show() error {
	kinds := l.kinds.Known()
	early := triage.New(triage.Options{})
	for _, index := range slices.Sorted(maps.Keys(l.early)) {
		if _, err := early.Add(context.Background(), l.early[index]); err != nil {
			return err
		}
	}
	same := func(a, b *outcome.Cause) bool {
		return a.Translators[0] == b.Translators[0] && a.Class.Category() == b.Class.Category()
	}
	for _, kind := range early.Known() {
		if !slices.ContainsFunc(kinds, func(other outcome.Cause) bool { return same(&kind, &other) }) {
			kinds = append(kinds, kind)
		}
	}
	var rows []outcome.Cause
	for _, kind := range kinds {
		first, left := len(rows), kind.Formulas
		for _, c := range l.causes {
			if same(&c, &kind) {
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
	return nil
}
