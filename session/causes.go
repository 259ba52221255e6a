package session

import (
	"context"
	"fmt"
	"io"

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
			s.phase(fmt.Sprintf("shrinking for %s: %s (call %d)", translator, formula, calls))
		}}
	if s.Config.Triage.Grind {
		how.Grind = &s.options
	}
	return &formulaCauses{Triage: triage.New(how), plan: s.Plan, summary: r.summary, file: r.smallest}
}

// formulaCauses are the causes of failures on formulas.
type formulaCauses struct {
	*triage.Triage
	plan    *Plan
	summary *report.Summary
	file    io.Writer // for the formulas that were shrunk, or nil
}

func (t *formulaCauses) add(ctx context.Context, c *outcome.Case) error {
	defer t.plan.phase("")
	causes, err := t.Add(ctx, c)
	if err != nil || t.file == nil {
		return err
	}
	for _, cause := range causes {
		if !cause.Ground || cause.Formulas > 1 {
			continue
		}
		if _, err := fmt.Fprintln(t.file, cause.Formula); err != nil {
			return fmt.Errorf("writing a shrunk formula: %w", err)
		}
	}
	return nil
}

// end gives the causes to the reports.
func (t *formulaCauses) end(ctx context.Context, _ bool) error {
	t.plan.phase("finding causes")
	causes, err := t.Causes(ctx)
	t.summary.Counts.GrindCalls = t.Calls()
	t.summary.Counts.Reach(t.Limits())
	for _, c := range causes {
		t.summary.Causes = append(t.summary.Causes, report.Cause{Cause: c, Command: t.plan.Rerun.command(c)})
	}
	return err
}
