package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/internal/cli"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

type reportFlags struct {
	history string
	runs    []string
	format  string
	settings
	color when

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
Measures: ` + strings.Join(report.MeasureNames(), ", ") + ".",
		Example: `  xcheck report result.json
  xcheck report --format html result.json > page.html
  xcheck report --history xcheck.db --fail-on-new
  xcheck report --compare --measure time --format csv result.json
  xcheck report --compare --by-file old.csv new.csv
  xcheck report --compare --measure time --svg plots result.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && f.history == "" {
				return errors.New("nothing to show: name a document that xcheck run --json=FILE wrote, or --history FILE")
			}
			return a.notOver(append(slices.Clone(args), f.history))
		},
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
				defer end() // records are read from the open history
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
	f.flags = fs
	f.add(kind{input: "formula"}, "strength ambiguous automata omit-missing csv-more quiet verbose fail-on-new")
	f.describe("fail-on-new", "false", "exit 1 after new or returned failures")
	fs.Var(&f.color, "color", colorHelp)
	fs.BoolVar(&f.compare, "compare", false, "compare the translators with each other")
	fs.StringSliceVar(&f.measures, "measure", report.DefaultMeasures(), "compare by `MEASURE`")
	fs.StringVar(&f.x, "x", "", "compare only the translator `NAME`")
	fs.StringVar(&f.y, "y", "", "compare it only with the translator `NAME`")
	fs.BoolVar(&f.byFile, "by-file", false, "tell apart equal names in different files")
	fs.StringVar(&f.svg, "svg", "", "write plots to `FOLDER`, or a scatter plot to FILE.svg")
	exclusive(c, "quiet", "verbose")
	return c
}

// formats are what a report can be written as, besides JSON, which has a flag of its own.
func formats() []string {
	names := cli.Names(report.Formats(), func(f report.Format) string { return f.Name })
	return slices.DeleteFunc(names, func(name string) bool { return name == "json" })
}

// notOver fails if the output would overwrite an input.
func (a *app) notOver(names []string) error {
	out, err := os.Stat(a.json)
	if err != nil {
		return nil // there is no such file before the output is written
	}
	for _, name := range names {
		if in, err := os.Stat(name); err == nil && os.SameFile(in, out) {
			return fmt.Errorf("--json=%q would overwrite the input %q; name another file", a.json, name)
		}
	}
	return nil
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
	wrong := cli.NoneOf(c.Flags(), "--%s needs --compare", "measure", "x", "y", "by-file", "svg")
	if f.compare {
		wrong = cli.NoneOf(c.Flags(), "--%s cannot be combined with --compare", "strength", "ambiguous", "automata", "omit-missing", "csv-more", "fail-on-new")
	}
	if wrong != nil {
		return wrong
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
	config := &configs.Config{}
	if err := f.override(config); err != nil {
		return err
	}
	out, failOnNew := &config.Output, config.History.FailOnNew
	format, w := f.format, a.out
	if a.json != "" {
		format = "json"
		if a.file != nil {
			w = a.file
		}
	}
	sink := report.FormatOf(format).New(w, report.Options{Columns: out.Columns(), Late: true, Color: f.color.colors(a.out), Width: columnsOf(a.out), Verbose: out.Verbose, Quiet: out.Quiet, Note: a.note})
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
		if rest.Regression == nil && silent == nil { // one such run is enough
			silent = fmt.Errorf("--fail-on-new: %q does not say what is new; it needs a finished run that is stored in a history", r.Name)
		}
	}
	if format == "text" && len(summary.Causes) == 0 { // a run that is cut off has no causes
		causes, err := failures.Causes(a.ctx)
		if err != nil {
			return err
		}
		summary.Causes = append(summary.Causes, causes...)
	}
	a.status = summary.Show(failOnNew)
	// The report is complete also if some run can't say what is new: that is an error beside it.
	err := sink.End(summary)
	if failOnNew {
		err = cmp.Or(err, silent)
	}
	return err
}

// compareReports compares the translators in the files.
func (a *app) compareReports(f *reportFlags, records []*session.Record) error {
	for _, name := range f.measures {
		if !slices.Contains(report.MeasureNames(), name) {
			return fmt.Errorf("--measure %q%s", name, spelling.Of(name, report.MeasureNames()))
		}
	}
	// Pairs are counted while the records are read: a document may have more cases than fit into memory.
	c := report.NewComparison(f.measures...)
	c.Plot, c.Joined = f.svg != "", f.byFile
	if f.x != "" {
		c.Rows(f.x)
	}
	for _, r := range records {
		if err := r.Compare(a.ctx, c); err != nil {
			return err
		}
	}
	pairs, err := f.wanted(c.Pairs())
	if err != nil {
		return err
	}
	switch {
	case f.svg == "":
	case filepath.Ext(f.svg) != ".svg": // a folder, which gets cactus plots as well
		err = c.WritePlots(f.svg, pairs)
	case len(pairs) != 1:
		err = fmt.Errorf("--svg %q: cannot write %d plots to one file; name a folder, or choose one with --x, --y and --measure", f.svg, len(pairs))
	default:
		err = pairs[0].WritePlot(f.svg)
	}
	if err != nil {
		return err
	}
	if a.json != "" {
		return a.answer("", pairsAnswer{pairs})
	}
	if f.format == "csv" {
		return c.WriteCSV(a.out, pairs)
	}
	return c.Write(a.out, pairs, columnsOf(a.out))
}

// wanted returns the pairs that --x and --y ask for.
func (f *reportFlags) wanted(pairs []*report.Pair) (list []*report.Pair, err error) {
	var tools []string
	for _, p := range pairs {
		for _, name := range []string{p.Row, p.Column} {
			if !slices.Contains(tools, name) {
				tools = append(tools, name)
			}
		}
	}
	if len(pairs) == 0 {
		return nil, errors.New("nothing to compare: no two translators ran on the same formulas")
	}
	// A name that no pair has is a misspelling, and not an empty comparison.
	for _, flag := range []struct{ name, tool string }{{"x", f.x}, {"y", f.y}} {
		if flag.tool != "" && !slices.Contains(tools, flag.tool) {
			return nil, fmt.Errorf("--%s %q%s", flag.name, flag.tool, spelling.Of(flag.tool, tools))
		}
	}
	for _, p := range pairs {
		if (f.x == "" || p.Row == f.x) && (f.y == "" || p.Column == f.y) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("nothing to compare: %q and %q have no formula in common", f.x, f.y)
	}
	return list, nil
}
