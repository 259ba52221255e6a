package session

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/history"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A Record is what an earlier run has left: a document of JSON, a CSV, or a run of a history.
type Record struct {
	Name string

	open  func(name string) (io.ReadCloser, error) // nil for a run of a history
	note  func(text string)
	store *history.Store
	info  *history.Info
}

// FileRecord returns the record in a file, which open opens. If the record is incomplete, note gets
// a text that says so.
func FileRecord(name string, open func(name string) (io.ReadCloser, error), note func(text string)) *Record {
	return &Record{Name: name, open: open, note: note}
}

// StoredRecords opens a history, and returns the runs that have some names; see
// [history.Store.Find]. Call end after the records are read.
func StoredRecords(ctx context.Context, file string, runs []string, note func(text string)) (list []*Record, end func() error, err error) {
	store, err := history.OpenExisting(ctx, file)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range runs {
		info, err := store.Find(ctx, text)
		if err != nil {
			return nil, nil, errors.Join(err, store.Close())
		}
		list = append(list, &Record{Name: fmt.Sprintf("%s: run %d", file, info.Run), note: note, store: store, info: info})
	}
	return list, store.Close, nil
}

// Read calls each for all cases of the run, in the order of their indexes, and returns what else
// it has. A CSV is an error.
func (r *Record) Read(ctx context.Context, each func(*outcome.Case) error) (rest *report.Trailer, err error) {
	if r.open == nil {
		return r.readStored(ctx, each)
	}
	err = r.file(func(in io.Reader, isCSV bool) (bool, error) {
		if isCSV {
			return false, r.noDocument(in)
		}
		if rest, err = report.Read(in, each); err != nil {
			return false, err
		}
		return rest.Cut, nil
	})
	return rest, err
}

// noDocument returns the error of a text that is no document, and says what to do with it.
func (r *Record) noDocument(in io.Reader) error {
	const database = "SQLite format 3\x00" // as histories start
	start := make([]byte, len(database))
	n, _ := io.ReadFull(in, start)
	if string(start[:n]) == database {
		return fmt.Errorf("%s: a history, not a document that xcheck run --json wrote%s", r.Name, spelling.DidYouMean("--history="+r.Name))
	}
	return fmt.Errorf("%s: expected a document that xcheck run --json wrote; use --compare for a CSV", r.Name)
}

// readStored is Read for a run of a history. One that did not end is like a document that is cut
// off.
func (r *Record) readStored(ctx context.Context, each func(*outcome.Case) error) (*report.Trailer, error) {
	if r.info.Pruned {
		return nil, fmt.Errorf("%s: pruned, so its formulas are gone; xcheck history show %d prints what is left", r.Name, r.info.Run)
	}
	rest, err := Totals(r.info)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	if rest.Cut {
		r.note(r.Name + ": unfinished; showing what it has")
	}
	if rest.Compacted, err = compacted(ctx, r.store, r.info); err != nil {
		return nil, err
	}
	if rest.Compacted != nil {
		n := rest.Compacted.Sums.Cases
		r.note(fmt.Sprintf("%s: compacted: %d of %d cases are in its sums only, and in no table or plot of single formulas", r.Name, n, r.info.Cases))
	}
	return rest, r.store.Cases(ctx, r.info.Run, each)
}

// Compare adds the record to a comparison.
func (r *Record) Compare(ctx context.Context, c *report.Comparison) error {
	c = cmp.Or(c, report.NewComparison(nil))
	c.From(r.Name)
	if r.open == nil {
		_, err := r.readStored(ctx, c.Case)
		return err
	}
	return r.file(func(in io.Reader, isCSV bool) (cut bool, err error) {
		if isCSV {
			return c.CSV(in)
		}
		rest, err := report.Read(in, c.Case)
		return err == nil && rest.Cut, err
	})
}

// file calls read for the content of the file, and says whether that is a CSV. Read reports whether
// it is cut off.
func (r *Record) file(read func(in io.Reader, isCSV bool) (cut bool, err error)) error {
	file, err := r.open(r.Name)
	if err != nil || file == nil {
		return cmp.Or(err, fmt.Errorf("%s: no file given", r.Name))
	}
	b := bufio.NewReaderSize(file, 1<<16)
	cut, err := read(b, isCSV(b))
	if err = errors.Join(err, file.Close()); err != nil {
		var at *report.FormatError
		if errors.As(err, &at) {
			return fmt.Errorf("%s:%w", r.Name, at)
		}
		return err
	}
	if cut {
		r.note(r.Name + ": incomplete; showing what it has")
	}
	return nil
}

// isCSV reports whether a text does not start as JSON does.
func isCSV(b *bufio.Reader) bool {
	for n := 1; ; n++ {
		start, err := b.Peek(n)
		if err != nil || n == b.Size() || !unicode.IsSpace(rune(start[n-1])) {
			return len(start) == n && start[n-1] != '{' && start[n-1] != '['
		}
	}
}

// process returns the provenance of what this process finds, in a run with options o.
func (p *Plan) process(o *cross.Options) (report.Process, error) {
	configuration, err := p.configuration(o)
	x := report.Process{Started: time.Now().UTC().Round(0), Version: version.Own(), Command: p.Command,
		Configuration: p.Rerun.Config, Hash: history.Hash(configuration), Translators: []report.ToolVersion{}}
	x.Host, _ = os.Hostname() // "" if it has no name
	if r := p.random(); r != nil {
		seed := r.Seed
		x.Seed = &seed
	}
	if !p.Shard.whole() {
		x.Shard = p.Shard.String()
	}
	for _, t := range p.Tools {
		x.Translators = append(x.Translators, report.ToolVersion{Name: t.Name, Version: t.Version})
	}
	return x, err
}

// storedProcesses returns the processes that have worked on a stored run.
func storedProcesses(info *history.Info) ([]report.Process, error) {
	set, err := readSettings(info)
	if err != nil {
		return nil, err
	}
	return set.Processes, nil
}

// continued returns the settings of a run that one more process works on.
func continued(settings []byte, list []report.Process) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(settings, &all); err != nil {
		return nil, fmt.Errorf("settings of the run: %w", err)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	all["Processes"] = text
	return json.Marshal(all)
}
