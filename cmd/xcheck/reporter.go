package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// reporter writes the reports of a run.
type reporter struct {
	a        *app
	tally    *report.Tally
	triage   *triage
	text     *report.Text // nil if JSON or CSV goes to standard output
	json     *report.JSON // nil if there is none
	csv      *report.CSV  // nil if there is none
	files    []*os.File   // of json and csv
	progress *report.Progress
}

// create opens a file of the report; "-" is standard output.
func (r *reporter) create(name string) (io.Writer, error) {
	if name == "-" {
		return r.a.out, nil
	}
	file, err := os.Create(name)
	if err == nil {
		r.files = append(r.files, file)
	}
	return file, err
}

func (a *app) reporter(config *configs.Config, f *runFlags, tools []*translators.Tool, total int) (*reporter, error) {
	r := &reporter{a: a, tally: report.NewTally(tools)}
	name := a.json
	if name == "" {
		name = config.Output.JSON
	}
	if name == "-" && f.csv == "-" {
		return nil, errors.New("only one of JSON and CSV can go to standard output")
	}
	if name != "" {
		w, err := r.create(name)
		if err != nil {
			return nil, err
		}
		r.json = report.NewJSON(w)
	}
	if f.csv != "" {
		w, err := r.create(f.csv)
		if err != nil {
			return nil, err
		}
		r.csv = report.NewCSV(w)
	}
	// The report that people read.
	if name != "-" && f.csv != "-" {
		r.text = &report.Text{W: a.out, Color: wanted(f.color, a.out) && (f.color == "always" || os.Getenv("NO_COLOR") == ""),
			Verbose: f.verbose, Quiet: f.quiet}
	}
	if wanted(f.progress, a.err) && !f.quiet {
		r.progress = &report.Progress{W: a.err, Total: total}
	}
	return r, nil
}

// wanted decides a flag that is auto, always or never: auto is for terminals.
func wanted(flag string, w io.Writer) bool {
	if flag != "auto" {
		return flag == "always"
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// add reports a case. A report that can't be written is given up, so that it is
// not tried, and the same error not met, once more at the end.
func (r *reporter) add(c *cross.Case) error {
	news := r.tally.Add(c)
	if r.json != nil {
		if err := r.json.Case(c); err != nil {
			r.json = nil
			return fmt.Errorf("writing the JSON report: %w", err)
		}
	}
	if r.csv != nil {
		if err := r.csv.Case(c); err != nil {
			r.csv = nil
			return fmt.Errorf("writing the CSV report: %w", err)
		}
	}
	if err := r.triage.add(r.a.ctx, c, &news); err != nil {
		return err
	}
	if r.text != nil {
		if r.progress != nil {
			r.progress.Clear()
		}
		if err := r.text.Case(c, news); err != nil {
			r.text = nil
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if r.progress != nil {
		r.progress.Update(r.tally)
	}
	return nil
}

// end completes the reports, whatever ended the run, and returns the run's
// status.
func (r *reporter) end(err error, f *runFlags) error {
	if r.progress != nil {
		r.progress.Clear()
	}
	// The reports say how the run ended, so each can tell only of what has failed
	// before it: that for people comes last.
	s := &r.tally.Summary
	failed := func(what string, e error) {
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", what, e))
		}
		if s.Status = int(f.status(s, err)); err != nil {
			s.Error = err.Error()
		}
	}
	s.Interrupted = r.a.ctx.Err() != nil
	failed("", nil)
	if r.csv != nil {
		failed("writing the CSV report", r.csv.End())
	}
	if r.json != nil {
		failed("writing the JSON report", r.json.End(r.tally))
	}
	for _, file := range r.files {
		failed("closing a report", file.Close())
	}
	if r.text != nil {
		failed("writing the report", r.text.End(r.tally))
	}
	if err != nil {
		return err
	}
	return status(s.Status).err()
}

// status decides how the run ends: what it has found counts for more than what it
// could not do, but for an error of its own.
func (f *runFlags) status(s *report.Summary, err error) status {
	switch {
	case s.Interrupted:
		return statusInterrupted
	case err != nil || s.Errors > 0:
		return statusTrouble
	case s.Disagreements+s.FalseProps > 0:
		return statusOther
	case s.Unreadable > 0:
		return statusTrouble
	case s.Failures+s.Unstable+s.Undecided+s.Unchecked == 0:
		return statusGood
	case f.ignore && s.Unchecked < s.Formulas:
		// Even so, a run that has compared nothing is not good.
		return statusGood
	case f.strict:
		return statusOther
	}
	return statusFailures
}
