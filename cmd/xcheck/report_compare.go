package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// compareReports compares the translators in the files.
func (a *app) compareReports(f *reportFlags, records []*session.Record) error {
	var measures []report.Measure
	for _, name := range f.measures {
		i := slices.Index(measureNames(), name)
		if i < 0 {
			return fmt.Errorf("--measure %q%s", name, spelling.Of(name, measureNames()))
		}
		measures = append(measures, report.Measures[i])
	}
	c := report.NewComparison(measures)
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
	if f.svg != "" {
		if err := f.plots(pairs, c.Cactuses()); err != nil {
			return err
		}
	}
	if a.json != "" {
		return a.answer("", pairsAnswer{pairs})
	}
	if f.format == "csv" {
		return report.WriteComparisonCSV(a.out, pairs)
	}
	return report.WriteComparison(a.out, pairs)
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

// plots writes the scatter plots of the pairs, and to a folder also cactus plots.
func (f *reportFlags) plots(pairs []*report.Pair, all []*report.Cactus) error {
	if filepath.Ext(f.svg) == ".svg" {
		if len(pairs) != 1 {
			return fmt.Errorf("--svg %q: cannot write %d plots to one file; name a folder, or choose one with --x, --y and --measure", f.svg, len(pairs))
		}
		return pairs[0].WritePlot(f.svg)
	}
	return report.WritePlots(f.svg, pairs, all)
}
