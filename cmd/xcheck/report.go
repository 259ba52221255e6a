package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

type reportFlags struct {
	history        string
	runs           []string
	format         string
	columns        report.Columns
	quiet, verbose bool
	color          when
	failOnNew      bool

	compare  bool
	measures []string
	x, y     string
	byFile   bool
	svg      string
}

func (a *app) reportCommand() *cobra.Command {
	f := &reportFlags{}
	c := &cobra.Command{
		Use: "report [flags] [DOCUMENT…]",
		Long: `Shows the results of earlier runs: documents that 'xcheck run --json=FILE' wrote,
or the runs of a history.

With --compare, it counts for each pair of translators how often one is smaller or
faster than the other. This also reads CSV files, such as ltlcross's.
Measures: ` + strings.Join(measureNames(), ", ") + ".",
		Example: `  xcheck report result.json
  xcheck report --format html result.json > page.html
  xcheck report --history xcheck.db --fail-on-new
  xcheck report --compare --measure time --format csv result.json
  xcheck report --compare --by-file old.csv new.csv
  xcheck report --compare --measure time --svg plots result.json`,
		Args: cobra.MatchAll(f.something, func(c *cobra.Command, args []string) error {
			return a.notOver(c, append(slices.Clone(args), f.history))
		}),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			var records []*session.Record
			if f.history != "" {
				runs, end, err := session.StoredRecords(a.ctx, f.history, f.runs, a.note)
				if err != nil {
					return err
				}
				defer end()
				records = runs
			}
			for _, name := range args {
				records = append(records, session.FileRecord(name, a.open, a.note))
			}
			if f.compare {
				return a.compareReports(f, records)
			}
			return a.showReports(f, records)
		},
	}
	fs := c.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.history, "history", "", "show a run from the history in `FILE`")
	fs.StringArrayVar(&f.runs, "run", []string{"last"}, "show run `RUN`: its number, its name, or last")
	fs.StringVar(&f.format, "format", "text", "print `FORMAT`: "+strings.Join(formats(), ", "))
	addColumns(fs, &f.columns)
	fs.BoolVarP(&f.quiet, "quiet", "q", false, quietHelp)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every formula and every failure")
	fs.Var(&f.color, "color", colorHelp)
	fs.BoolVar(&f.failOnNew, "fail-on-new", false, "exit 1 after new or returned failures")
	fs.BoolVar(&f.compare, "compare", false, "compare the translators with each other")
	fs.StringSliceVar(&f.measures, "measure", report.DefaultMeasures, "compare by `MEASURE`")
	fs.StringVar(&f.x, "x", "", "compare only the translator `NAME`")
	fs.StringVar(&f.y, "y", "", "compare it only with the translator `NAME`")
	fs.BoolVar(&f.byFile, "by-file", false, "distinguish equal names in different files")
	fs.StringVar(&f.svg, "svg", "", "write plots to `FOLDER`, or a scatter plot to FILE.svg")
	exclusive(c, "quiet", "verbose")
	return c
}

// formats are what a report can be written as, besides JSON, which has a flag of its own.
func formats() (list []string) {
	for _, f := range report.Formats {
		if f.Name != "json" {
			list = append(list, f.Name)
		}
	}
	return list
}

// something sees to it that there is something to read.
func (f *reportFlags) something(_ *cobra.Command, args []string) error {
	if len(args) == 0 && f.history == "" {
		return errors.New("nothing to show: name a document that xcheck run --json=FILE wrote, or --history FILE")
	}
	return nil
}

// notOver sees to it that no file is written over that is to be read: it is asked before
// the file of --json is made.
func (a *app) notOver(_ *cobra.Command, names []string) error {
	out, err := os.Stat(a.json)
	if err != nil {
		return nil // it is no file yet
	}
	for _, name := range names {
		if in, err := os.Stat(name); err == nil && os.SameFile(in, out) {
			return fmt.Errorf("--json=%q would overwrite the input %q; name another file", a.json, name)
		}
	}
	return nil
}

func measureNames() (list []string) {
	for _, m := range report.Measures {
		list = append(list, m.Name)
	}
	return list
}

// check finds flags that make no sense together.
func (f *reportFlags) check(c *cobra.Command) error {
	given := c.Flags().Changed
	if f.format == "json" {
		return errors.New("--format json: use --json or --json=FILE")
	}
	if !slices.Contains(formats(), f.format) {
		return fmt.Errorf("--format %q%s", f.format, spelling.Of(f.format, formats()))
	}
	for _, name := range []string{"measure", "x", "y", "by-file", "svg"} {
		if given(name) && !f.compare {
			return fmt.Errorf("--%s needs --compare", name)
		}
	}
	for _, name := range []string{"strength", "ambiguous", "automata", "omit-missing", "csv-more", "fail-on-new"} {
		if given(name) && f.compare {
			return fmt.Errorf("--%s cannot be combined with --compare", name)
		}
	}
	if f.compare && f.format != "text" && f.format != "csv" {
		return fmt.Errorf("--format %q cannot be combined with --compare; use csv or --json", f.format)
	}
	if given("format") && given("json") {
		return errors.New("--format and --json cannot be combined")
	}
	if given("run") && f.history == "" {
		return errors.New("--run needs --history")
	}
	if f.y != "" && f.x == "" {
		return errors.New("--y needs --x")
	}
	return nil
}

// showReports writes earlier results in another form.
func (a *app) showReports(f *reportFlags, records []*session.Record) error {
	format, w := f.format, a.out
	if a.json != "" {
		format = "json"
		if a.file != nil {
			w = a.file
		}
	}
	sink := report.FormatOf(format).New(w, report.Options{Columns: f.columns, Late: true, Color: f.color.colors(a.out), Verbose: f.verbose, Quiet: f.quiet, Note: a.note})
	summary := report.NewSummary(nil)
	failures := triage.New(triage.Options{})
	add := func(c *outcome.Case) error {
		summary.Automata = summary.Automata || c.Automaton != nil
		news := summary.Add(c)
		if format == "text" && c.Automaton == nil {
			if _, err := failures.Add(a.ctx, c); err != nil {
				return err
			}
		}
		return sink.Case(c, news)
	}
	var silent error
	for _, r := range records {
		rest, err := r.Read(a.ctx, add)
		if err != nil {
			return err
		}
		summary.Complete(rest)
		if rest.Regression == nil && silent == nil {
			silent = fmt.Errorf("--fail-on-new: %q does not say what is new; it needs a finished run that is stored in a history", r.Name)
		}
	}
	if format == "text" {
		if err := a.addCauses(summary, failures); err != nil {
			return err
		}
	}
	a.status = summary.Show(f.failOnNew)
	err := sink.End(summary)
	if f.failOnNew {
		err = cmp.Or(err, silent)
	}
	return err
}

// addCauses gives a report the causes that its documents do not have: a run that is cut off has
// none.
func (a *app) addCauses(summary *report.Summary, failures *triage.Triage) error {
	if len(summary.Causes) > 0 {
		return nil
	}
	causes, err := failures.Causes(a.ctx)
	for _, c := range causes {
		summary.Causes = append(summary.Causes, report.Cause{Cause: c})
	}
	return err
}
