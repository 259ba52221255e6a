package main

import (
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/session"
)

// A storedRun is a run of a history that is read as the documents of report are.
type storedRun struct {
	store *history.Store
	info  *history.Info
	name  string
}

// openRuns opens a history, and returns the names that stand for some of its runs, among those
// of documents.
func (a *app) openRuns(file string, runs []string) (names []string, end func() error, err error) {
	store, err := history.OpenExisting(a.ctx, file)
	if err != nil {
		return nil, nil, err
	}
	a.stored = map[string]*storedRun{}
	for _, text := range runs {
		info, err := store.Find(a.ctx, text)
		if err != nil {
			return nil, nil, errors.Join(err, store.Close())
		}
		name := fmt.Sprintf("%s: run %d", file, info.Run)
		names = append(names, name)
		a.stored[name] = &storedRun{store, info, name}
	}
	return names, store.Close, nil
}

// read calls each for all cases of the run, in the order of their indexes, and returns what
// else it has. A run that did not end is like a document that is cut off.
func (r *storedRun) read(a *app, each func(*outcome.Case) error) (*report.Rest, error) {
	if r.info.Pruned {
		return nil, fmt.Errorf("%s: pruned, so its formulas are gone; xcheck history show %d prints what is left", r.name, r.info.Run)
	}
	rest, err := session.Totals(r.info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	if rest.Cut {
		fmt.Fprintf(a.err, "xcheck: %s: unfinished; showing what it has\n", r.name)
	}
	return rest, r.store.Cases(a.ctx, r.info.Run, each)
}
