package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/columns"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// rehearse does what run --dry-run is for: it prints what a run would do, and the report of one on
// a trivial formula if a translator fails on that. The exit status is as after a run.
func (a *app) rehearse(f *runFlags, plan *session.Plan) error {
	var failures strings.Builder
	text := &report.Text{W: &failures, Color: f.color.colors(a.out), Verbose: f.verbose, Quiet: true, AtEnd: true}
	r, err := plan.Rehearse(a.ctx, text)
	if r == nil {
		return err
	}
	a.complete = !r.Summary.Counts.Interrupted
	a.status = r.Status
	var b strings.Builder
	for _, invalid := range r.Invalid {
		fmt.Fprintf(&b, "invalid formula: %v\n", invalid)
	}
	b.WriteString(columns.Format(toolRows(r.Tools), 3, 4))
	for _, row := range f.prospects(plan, r) {
		fmt.Fprintf(&b, "%-10s  %s\n", row[0], row[1])
	}
	b.WriteString(failures.String())
	switch {
	case a.status != outcome.ExitPassed:
	case len(r.Invalid) > 0:
		a.status = outcome.ExitBroken
		fmt.Fprintf(&b, "ERROR: dry run: %s\n", plural.Of(len(r.Invalid), "invalid formula"))
	default:
		fmt.Fprintf(&b, "DONE: dry run: %s gave automata, nothing written\n", plural.Of(len(r.Tools), f.kind.tool))
	}
	if _, e := io.WriteString(a.out, b.String()); e != nil {
		return e
	}
	return err
}

// toolRows is the table of translators of a run.
func toolRows(list []*session.Known) [][]string {
	rows := [][]string{{"translator", "version", "mode", "time limit", "memory limit", "command"}}
	for _, k := range list {
		memory := "-"
		if k.Limits.Memory > 0 {
			memory = mebibytes(k.Limits.Memory)
		}
		version := k.Version
		if version == "" {
			version = "-"
		}
		rows = append(rows, []string{k.Name, version, k.Mode, k.Limits.Timeout.String(), memory, k.Command})
	}
	return rows
}

// mebibytes writes a limit of memory.
func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", n>>20) }

// prospects says what the run would check, within which limits, and what it would write.
func (f *runFlags) prospects(plan *session.Plan, r *session.Rehearsal) [][2]string {
	c := plan.Config
	check := "each check " + c.Limits.Check.Time.String() + " and " + mebibytes(c.Limits.Check.Memory)
	if c.Checks.NoChecks {
		check = "none"
	}
	var reports []string
	add := func(what, file string) {
		if file == "-" {
			reports = append(reports, what+" on standard output")
		} else if file != "" {
			reports = append(reports, what+" to "+file)
		}
	}
	if len(c.Output.Stdout()) == 0 {
		add("text", "-")
	}
	for _, format := range report.Written() {
		add(format.Kind, c.Output.Reports[format.Name])
	}
	add("failing formulas", c.Output.SaveBogus)
	add("automata", c.Output.SaveAutomata)
	add("small formulas", plan.Smallest)
	rows := [][2]string{{"formulas", strings.Join(formulaCounts(c.Formulas.Random, r), ", ")}, {"limits", check},
		{"reports", strings.Join(reports, ", ")}}
	if file := c.History.File; file != "" {
		state := "would be created"
		if _, err := os.Stat(file); err == nil {
			state = "exists: its failures would be replayed first"
		}
		rows = append(rows, [2]string{"history", file + " " + state})
	}
	return rows
}

// formulaCounts says how many formulas a run would check.
func formulaCounts(random *configs.Random, r *session.Rehearsal) (list []string) {
	if r.Given > 0 || random == nil {
		list = append(list, fmt.Sprintf("%d given", r.Given))
	}
	if r.Duplicates > 0 {
		list = append(list, plural.Of(r.Duplicates, "duplicate")+" ignored")
	}
	switch {
	case random == nil:
	case !random.Deadline.IsZero() && random.Number < 0:
		list = append(list, "random ones until "+random.Deadline.Format(time.DateTime))
	case random.Number > 0 || len(list) == 0:
		text := fmt.Sprintf("%d random", random.Number)
		if !random.Deadline.IsZero() {
			text += ", until " + random.Deadline.Format(time.DateTime) + " at most"
		}
		list = append(list, text)
	}
	return list
}
