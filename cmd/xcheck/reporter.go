package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// reporter writes the reports of a run.
type reporter struct {
	ctx      context.Context // of the run
	a        *app
	tally    *report.Tally
	triage   *triage
	night    *night            // nil if the run is not stored
	text     *report.Text      // nil if JSON or CSV goes to standard output
	json     *report.JSON      // nil if there is none
	csv      caseWriter        // nil if there is none
	ground   io.Writer         // for formulas that were made small; nil if not asked for
	pages    []page            // those that are written at the end
	bogus    io.Writer         // for formulas or automata on which something is wrong; nil if not asked for
	gallery  *gallery          // of wrong automata; nil if not asked for
	files    []*wholefile.File // of all these
	progress *report.Progress
	rules    rules
}

// A caseWriter writes lines for each case: report.CSV, report.AutomataCSV.
type caseWriter interface {
	Case(*outcome.Case) error
	End() error
}

// create begins a file of the report, as createFile does; "-" is standard output. A file that
// the run reads, or that another report goes to, is left as it is.
func (r *reporter) create(name string) (io.Writer, error) { return r.createBy(createFile, name) }

func (r *reporter) createBy(create func(string) (*wholefile.File, error), name string) (io.Writer, error) {
	if name == "-" {
		return r.a.out, nil
	}
	if err := r.a.taken(name, r.files); err != nil {
		return nil, err
	}
	file, err := create(name)
	if err != nil {
		return nil, err
	}
	r.files = append(r.files, file)
	return file, nil
}

// discard leaves all files as they were.
func (r *reporter) discard() (err error) {
	for _, file := range r.files {
		err = errors.Join(err, file.Discard())
	}
	return err
}

// reporter begins the reports of a run. They are the last that may fail before it: with an
// error, all files are as they were.
func (a *app) reporter(config *configs.Config, f *runFlags, tools []*translators.Tool, total int) (*reporter, error) {
	r, err := a.newReporter(config, f, tools, total)
	if err != nil {
		return nil, errors.Join(err, r.discard())
	}
	return r, nil
}

// newReporter is reporter, and returns with an error what there is so far.
func (a *app) newReporter(config *configs.Config, f *runFlags, tools []*translators.Tool, total int) (*reporter, error) {
	r := &reporter{ctx: a.ctx, a: a, tally: report.NewTally(tools), rules: rules{config.Checks, f.strict, f.ignore, config.History.FailOnNew}}
	r.tally.NoChecks = config.Checks.NoChecks
	color := f.color.colors(a.out)
	r.progress = a.newProgress(f, total)
	if info, err := os.Stat(f.config); err == nil {
		a.inputs = append(a.inputs, info)
	}
	name := a.json
	if name == "" {
		name = config.Output.JSON
	}
	if name == "-" && f.csv == "-" {
		return r, errors.New("JSON and CSV cannot both go to standard output; use --json=FILE or --csv=FILE")
	}
	o := &config.Output
	if name != "" {
		w, err := r.create(name)
		if err != nil {
			return r, err
		}
		r.json = report.NewJSON(w)
	}
	if f.grind != "" && f.grind != "-" {
		w, err := r.create(f.grind)
		if err != nil {
			return r, err
		}
		r.ground = w
	}
	if f.csv != "" {
		w, err := r.create(f.csv)
		if err != nil {
			return r, err
		}
		f.columns.Products, f.columns.Each = config.Checks.Products.Number, config.Checks.Separate
		newCSV := f.newCSV
		if newCSV == nil {
			newCSV = func(w io.Writer, headless bool) caseWriter { return report.NewCSV(w, f.columns, headless) }
		}
		headless, err := continued(f.csv, w, newCSV)
		if err != nil {
			return r, err
		}
		r.csv = newCSV(w, headless)
	}
	if folder := config.Output.SaveAutomata; folder != "" {
		var err error
		if r.gallery, err = newGallery(folder, tools); err != nil {
			return r, err
		}
		r.files = append(r.files, r.gallery.index)
	}
	if err := r.newPages(o); err != nil {
		return r, err
	}
	if name := config.Output.SaveBogus; name != "" {
		w, err := r.createBy(createLive, name)
		if err != nil {
			return r, err
		}
		r.bogus = w
	}
	// The report that people read.
	if name != "-" && f.csv != "-" {
		r.text = &report.Text{W: a.out, Color: color, Verbose: f.verbose, Quiet: f.quiet, AtEnd: true}
	}
	return r, nil
}

// add reports a case. A report that can't be written is given up, so that it is
// not tried, and the same error not met, once more at the end. The others get the case all
// the same.
func (r *reporter) add(c *outcome.Case) (err error) {
	news := r.tally.Add(c)
	failed := func(what string, e error) bool {
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", what, e))
		}
		return e != nil
	}
	if r.json != nil && failed("writing the JSON report", r.json.Case(c)) {
		r.json = nil
	}
	if r.csv != nil && failed("writing the CSV report", r.csv.Case(c)) {
		r.csv = nil
	}
	if r.night != nil {
		r.night.add(c, r.rules.StopOnError)
	}
	for i := range r.pages {
		if add := r.pages[i].add; add != nil && failed("writing the report as "+r.pages[i].what, add(c)) {
			r.pages[i].add = nil
		}
	}
	failed("saving a contradiction", r.a.saveContradictions(c))
	wrong := r.rules.wrong(c)
	if wrong {
		err = errors.Join(err, r.save(c))
	}
	if r.triage != nil { // it is for formulas
		err = errors.Join(err, r.triage.add(r.ctx, c))
	}
	if r.text != nil {
		for i := range c.Results {
			if r.text.Quiet && r.rules.ignored(c.Results[i].Status) {
				news.Results[i] = false
			}
		}
		if failed("writing the report", r.text.Case(c, news)) {
			r.text = nil
		}
	}
	if r.progress != nil {
		r.progress.Update(r.tally)
	}
	if err == nil && wrong && r.rules.StopOnError {
		r.tally.Summary.Stopped = true
		return errStopped
	}
	return err
}

// leftUnread looks whether there is something on standard input that was not checked. If the
// inputs were given otherwise, that is a note; if the run went on without it, an error.
func (r *reporter) leftUnread() error {
	if r.a.unreadStdin() {
		r.tally.Summary.Unread = true
		fmt.Fprintf(r.a.err, "xcheck: standard input was not read; add -F - to check it as well\n")
	}
	return r.a.lateStdin()
}

// save writes what is asked for of a case in which something is wrong.
func (r *reporter) save(c *outcome.Case) (err error) {
	if r.bogus != nil && c.Error == "" {
		what, text := "a formula", c.Formula+"\n"
		if c.Automaton != nil {
			what, text = "an automaton", c.Automaton.HOA
		}
		if _, e := io.WriteString(r.bogus, text); e != nil {
			r.bogus = nil
			err = errors.Join(err, fmt.Errorf("saving %s: %w", what, e))
		}
	}
	if r.gallery != nil && c.Wrong() {
		if e := r.gallery.list(c); e != nil {
			r.gallery = nil
			err = errors.Join(err, fmt.Errorf("saving automata: %w", e))
		}
	}
	return err
}

// errStopped ends a run that is to stop with the first error, or the first automaton on
// which a tool fails.
var errStopped = errors.New("stopped on the first error")

// saver returns what saves the automata of a case; nil if that is not asked for.
func (r *reporter) saver() func(*outcome.Case, []*omega.Automaton) error {
	if r.gallery == nil {
		return nil
	}
	return r.gallery.save
}

// end completes the reports, whatever ended the run, and returns the run's
// status.
func (r *reporter) end(err error) error {
	if r.progress != nil {
		r.progress.Stop()
	}
	// The reports say how the run ended, so each can tell only of what has failed
	// before it: that for people comes last.
	s := &r.tally.Summary
	failed := func(what string, e error) {
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", what, e))
		}
		r.rules.decide(r.tally, err)
	}
	s.Interrupted = r.a.ctx.Err() != nil
	r.a.complete = !s.Interrupted
	s.Duplicates = int(r.a.duplicates.Load())
	finished := err == nil && !s.Interrupted
	if r.night != nil {
		failed("comparing with earlier runs", r.night.compare(r.tally))
	}
	failed("", nil)
	if r.csv != nil {
		failed("writing the CSV report", r.csv.End())
	}
	if r.json != nil {
		failed("writing the JSON report", r.json.End(r.tally))
	}
	// A run that can go on needs the automata of what is stored.
	if r.gallery != nil && (r.night == nil || finished) {
		failed("saving automata", r.gallery.end())
	}
	for _, page := range r.pages {
		failed("writing the report as "+page.what, page.end(r.tally))
	}
	for _, file := range r.files {
		failed("closing a report", file.Close())
	}
	finished = finished && err == nil
	if r.text != nil {
		failed("writing the report", r.text.End(r.tally)) // whoever reads it may have seen enough
	}
	// Last, so that a run that is killed before its reports are whole goes on to write them.
	if r.night != nil {
		failed("storing how the run ended", r.night.end(r.tally, finished))
	}
	if err != nil {
		return err
	}
	return status(s.Status).err()
}
