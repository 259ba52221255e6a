package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/report"
)

// A WrittenSite counts the pages of a site. [WriteSite] returns it.
type WrittenSite struct {
	Index   string `json:"index"`     // the page to open first
	Causes  int    `json:"causes"`    // number of causes; one has a page for each of its translators
	Runs    int    `json:"runs"`      // number of runs
	Written int    `json:"written"`   // number of pages that are new or have changed
	Same    int    `json:"unchanged"` // number of pages that are unchanged
	Removed int    `json:"removed"`   // number of pages that were removed
}

// fixedRuns is how many runs the curves of a site have at most.
const fixedRuns = 90

// WriteSite writes the pages of a history to a folder, which is created if it is not there. If it
// fails or is interrupted while it makes them, the folder is as it was. Note gets what a user should know.
func WriteSite(ctx context.Context, store *history.Store, folder string, note func(text string)) (*WrittenSite, error) {
	index := filepath.Join(folder, report.SiteIndex)
	ours, err := isSite(index)
	if err != nil {
		return nil, err
	}
	site := &report.Site{Name: filepath.Base(store.Path()), Note: note}
	if err := store.Snapshot(ctx, func(s *history.Store) error { return fillSite(ctx, s, site) }); err != nil {
		return nil, err
	}
	out, err := wholefile.CreateFolder(folder)
	if err != nil {
		return nil, fmt.Errorf("site %s: %w", folder, err)
	}
	pages := map[string]bool{}
	err = site.Write(ctx, func(name string, page []byte) error {
		pages[name] = true
		return errors.Join(out.Put(name, page), ctx.Err())
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("site %s: %w", folder, err), out.Discard())
	}
	w := &WrittenSite{Index: index, Causes: site.Distinct(), Runs: len(site.Runs), Written: out.Written(), Same: out.Same()}
	if err := out.Commit(); err != nil {
		return nil, fmt.Errorf("site %s: %w", folder, err)
	}
	if ours {
		if w.Removed, err = removePages(folder, pages); err != nil {
			return nil, fmt.Errorf("site %s: %w", folder, err)
		}
	}
	return w, nil
}

// isSite reports whether a file is the index of a site. It fails if it is another file, which the
// user may want to keep.
func isSite(index string) (bool, error) {
	file, err := os.Open(index)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	start := make([]byte, 1<<10)
	n, err := io.ReadFull(file, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	if !report.IsSite(start[:n]) {
		return false, fmt.Errorf("%s: another program wrote this page: name a new folder, or one that xcheck history site wrote", index)
	}
	return true, nil
}

// removePages removes pages of causes that are not in the history any more.
func removePages(folder string, pages map[string]bool) (n int, err error) {
	folder = filepath.Join(folder, report.SiteCauses)
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, entry := range list {
		name := entry.Name()
		if report.IsPage(name) && entry.Type().IsRegular() && !pages[report.SiteCauses+"/"+name] {
			if err := os.Remove(filepath.Join(folder, name)); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// fillSite reads what the pages show.
func fillSite(ctx context.Context, s *history.Store, site *report.Site) (err error) {
	if site.Noun, err = Input(ctx, s); err != nil {
		return err
	}
	runs, err := s.Runs(ctx)
	if err != nil {
		return err
	}
	for _, x := range runs {
		run := report.SiteRun{RunID: x.RunID, Ended: x.State(), Cases: x.Cases, Failed: x.Failed, Versions: map[string]string{}}
		for _, tool := range x.Tools {
			run.Versions[tool.Name] = tool.Version
		}
		site.Runs = append(site.Runs, run)
	}
	lines, err := s.Timelines(ctx)
	if err != nil {
		return err
	}
	for _, t := range lines {
		if len(t.Occurrences) > 0 {
			site.Causes = append(site.Causes, &report.SiteCause{Timeline: t})
		}
	}
	if err := explainCauses(ctx, s, site.Causes, runs); err != nil {
		return err
	}
	fixed, err := s.FixedTrend(ctx, fixedRuns)
	if fixed != nil {
		site.Fixed = &report.FixedCurves{File: fixed.File, Formulas: fixed.Formulas, Runs: fixed.Runs}
	}
	return err
}

// explainCauses sets what the newest run says of each cause on its smallest formula.
func explainCauses(ctx context.Context, s *history.Store, causes []*report.SiteCause, runs []*history.Info) error {
	left := map[string]*report.SiteCause{}
	for _, c := range causes {
		left[c.Key] = c
	}
	for _, run := range slices.Backward(runs) {
		if err := ctx.Err(); err != nil || len(left) == 0 {
			return err
		}
		rest, err := Totals(run)
		if err != nil {
			return fmt.Errorf("%s: run %d: %w", s.Path(), run.Run, err)
		}
		for _, x := range rest.Causes {
			for _, key := range x.Keys() {
				c := left[key]
				if c != nil && x.Case != nil && x.Formula == c.Formula && x.Polarity == c.Polarity {
					c.Cause = x.Cause
					delete(left, c.Key)
				}
			}
		}
	}
	for _, c := range causes {
		if left[c.Key] == nil {
			continue
		}
		var err error
		if c.Failing, err = s.FailingCase(ctx, c.Formula, c.Translator); err != nil {
			return err
		}
	}
	return nil
}
