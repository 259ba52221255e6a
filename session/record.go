package session

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/history"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/internal/version"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// A History is an open history of runs. Several goroutines may use it. A StoredRun describes one
// of its runs.
type (
	History   = history.Store
	StoredRun = history.Info
)

// OpenHistory opens the history in a file, or makes it. Close it after use.
func OpenHistory(ctx context.Context, file string) (*History, error) { return history.Open(ctx, file) }

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
			const database = "SQLite format 3\x00" // as histories start
			start := make([]byte, len(database))
			n, _ := io.ReadFull(in, start)
			if string(start[:n]) == database {
				return false, fmt.Errorf("%s: a history, not a document that xcheck run --json wrote%s", r.Name, spelling.DidYouMean("--history="+r.Name))
			}
			return false, fmt.Errorf("%s: expected a document that xcheck run --json wrote; use --compare for a CSV", r.Name)
		}
		if rest, err = report.Read(in, each); err != nil {
			return false, err
		}
		return rest.Cut, nil
	})
	return rest, err
}

// readStored is Read for a run of a history. One that did not end is like a document that is cut off.
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
	return rest, r.store.Cases(ctx, r.info.Run, each)
}

// Compare adds the record to a comparison.
func (r *Record) Compare(ctx context.Context, c *report.Comparison) error {
	c = cmp.Or(c, report.NewComparison()) // to read it all, if c is nil
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
			return fmt.Errorf("%s:%w", r.Name, at) // at begins with line and column
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
	// Round drops the monotonic clock.
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

// A Merged is the result of a merge.
type Merged struct {
	*history.Merged
	Input string           // what the runs check: "formula" or "automaton"
	Gaps  map[int64]string // what runs that were merged from shards should have done and did not, by their numbers
	// Lacks says which shards of a run are missing or unfinished, by its number: "shard 2 of 4 is missing".
	Lacks map[int64]string
}

// Shards returns the shards that a run was merged from, as text such as "1, 3, 7..1000".
func (m *Merged) Shards(u *history.Union) string {
	shards := make([]int, len(u.Parts))
	for i, part := range u.Parts {
		shards[i] = part.Shard
	}
	return shardList(shards)
}

// Merge adds the runs of some histories to the history in the file into, and creates that file if
// needed. It merges the shards of runs, and does not change runs that are already there. If it
// fails, nothing changes. Merged runs have the same status and totals as if one process had done
// all shards.
func Merge(ctx context.Context, into string, names ...string) (merged *Merged, err error) {
	for _, name := range names { // before there is a new file
		s, err := history.OpenExisting(ctx, name)
		if err == nil {
			err = errors.Join(s.Check(ctx), s.Close())
		}
		if err != nil {
			return nil, err
		}
	}
	store, err := history.Open(ctx, into)
	if err != nil {
		return nil, err
	}
	input, err := sameInput(ctx, "", store)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	merged = &Merged{Gaps: map[int64]string{}, Lacks: map[int64]string{}}
	by := history.Merging{Check: func(other *history.Store) (err error) {
		input, err = sameInput(ctx, input, other)
		return err
	}, Programs: func(info *history.Info) map[string]string {
		set, err := readSettings(info)
		if err != nil { // unite says so
			return nil
		}
		return set.Programs
	}, Finish: func(u *history.Union) (int, []byte, error) {
		summary, err := unite(ctx, u)
		if err != nil {
			return 0, nil, err
		}
		if text := summary.Gaps(); text != "" {
			merged.Gaps[u.Info.Run] = text
		}
		if !u.Whole() {
			merged.Lacks[u.Info.Run] = lacking(u)
		}
		totals, err := json.Marshal(summary.Trailer())
		return int(summary.Counts.Status), totals, err
	}}
	merged.Merged, err = store.Merge(ctx, names, by)
	merged.Input = input
	return merged, errors.Join(err, store.Close())
}

// unite returns the summary that a run merged from shards would have had without shards.
func unite(ctx context.Context, u *history.Union) (*report.Summary, error) {
	set, err := readSettings(&u.Info)
	if err != nil {
		return nil, err
	}
	var parts []*report.Trailer
	for _, part := range u.Parts {
		info := u.Info // a copy with the totals of one shard
		info.Totals = part.Totals
		rest, err := Totals(&info)
		if err != nil {
			return nil, fmt.Errorf("shard %d/%d: %w", part.Shard, part.Shards, err)
		}
		parts = append(parts, rest)
	}
	summary := report.NewSummary(nil)
	summary.Complete(&report.Trailer{Translators: parts[0].Translators}) // in their order
	decided := history.Decided{NoLanguages: set.NoLanguages, NoProperties: set.NoProperties}
	causes, err := unitedCauses(ctx, u, set, parts, func(c *outcome.Case) {
		summary.Automata = summary.Automata || c.Automaton != nil
		summary.Add(c)
		decided.Add(c)
	})
	if err != nil {
		return nil, err
	}
	if !summary.Automata { // a run of automata has no such table
		for _, c := range causes {
			c.Command = set.Rerun.command(c)
		}
		summary.Causes = append(summary.Causes, causes...)
	}
	counts := &summary.Counts
	for _, part := range parts {
		summary.Complete(&report.Trailer{Translators: part.Translators, Provenance: part.Provenance, Counts: part.Counts, Cut: part.Cut})
	}
	counts.Duplicates, counts.Shards = 0, nil // Complete has added the counts of all shards
	for _, part := range parts {
		if part.Counts != nil {
			counts.Duplicates = max(counts.Duplicates, part.Counts.Duplicates) // each shard has seen all formulas
		}
	}
	if err := compareUnion(ctx, u, set, summary, causes, &decided); err != nil {
		return nil, err
	}
	if !u.Whole() {
		counts.Interrupted, counts.Error = true, lacking(u)
	}
	var lost error
	if counts.Error != "" {
		lost = errors.New(counts.Error)
	}
	rules := set.rules()
	rules.decide(summary, lost)
	return summary, nil
}

// compareUnion compares a union of shards with the earlier runs of this history.
func compareUnion(ctx context.Context, u *history.Union, set *settings, summary *report.Summary, causes []*outcome.Cause, decided *history.Decided) error {
	_, gone, err := u.Store.Rename(ctx, u.Info.Run, u.File, u.Tools)
	if err != nil {
		return err
	}
	summary.Counts.Gone = gone
	// Shards without earlier runs replayed nothing. If this history knows failures of their translators, these
	// count as not replayed. If it knows none, this is a first run, and the verdict says so.
	if counts := &summary.Counts; counts.FirstRun {
		if counts.Unreplayed, err = u.Unreplayed(ctx); err != nil {
			return err
		}
		counts.FirstRun = counts.Unreplayed == 0
	}
	if summary.Regression, err = u.Compare(ctx, causes, set.Rerun.command, decided); err != nil {
		return err
	}
	baseline := set.Baseline
	if run, err := u.Store.Other(ctx, baseline, u.Info.Run); err != nil {
		return err
	} else if baseline != "" && run == nil {
		note := fmt.Sprintf("sizes and times not compared with run %s: it is not in this history", baseline)
		summary.Regression.Notes, baseline = append(summary.Regression.Notes, note), ""
	}
	return u.Store.Measure(ctx, summary.Regression, baseline, plural.Word(inputs[summary.Automata]))
}

// unitedCauses returns the causes of the failures of all shards, and calls each for their cases. A
// shard that has shrunk formulas has its causes already, unless it was killed.
func unitedCauses(ctx context.Context, u *history.Union, set *settings, parts []*report.Trailer, each func(*outcome.Case)) ([]*outcome.Cause, error) {
	killed := map[int]bool{}
	for i, part := range u.Parts {
		killed[part.Shard] = parts[i].Cut
	}
	failures := triage.New(triage.Options{})
	err := u.Store.Cases(ctx, u.Info.Run, func(c *outcome.Case) error {
		// Input k belongs to shard 1 + k mod n.
		if each(c); set.Grind && c.Automaton == nil && !killed[c.Index%u.Parts[0].Shards+1] {
			return nil
		}
		_, err := failures.Add(ctx, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	causes, err := failures.Causes(ctx)
	if err != nil || !set.Grind {
		return causes, err
	}
	lists := [][]*outcome.Cause{causes}
	for _, part := range parts {
		lists = append(lists, part.Causes)
	}
	return triage.Unite(lists), nil
}

// lacking says which shards of a union are missing or unfinished:
//
//	shard 2 of 4 is missing; shards 3, 4 of 4 are unfinished
func lacking(u *history.Union) string {
	var parts []string
	for _, x := range []struct {
		shards []int
		one    string
		more   string
	}{{u.Missing, "is missing", "are missing"}, {u.Unfinished, "is unfinished", "are unfinished"}} {
		switch list := shardList(x.shards); len(x.shards) {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("shard %s of %d %s", list, u.Parts[0].Shards, x.one))
		default:
			parts = append(parts, fmt.Sprintf("shards %s of %d %s", list, u.Parts[0].Shards, x.more))
		}
	}
	return strings.Join(parts, "; ")
}

// shardList returns increasing numbers of shards as text, such as "1, 3, 7..1000".
func shardList(shards []int) string {
	var list []string
	for len(shards) > 0 {
		n := 1
		for n < len(shards) && shards[n] == shards[0]+n {
			n++
		}
		if n < 5 { // a range of fewer is harder to read than its numbers
			n = 1
			list = append(list, strconv.Itoa(shards[0]))
		} else {
			list = append(list, fmt.Sprintf("%d..%d", shards[0], shards[n-1]))
		}
		shards = shards[n:]
	}
	return strings.Join(list, ", ")
}

// A Shard is one of the parts of a run, written I/N. It has the inputs with the numbers I-1, I-1+N,
// I-1+2N and so on: 2/4 has 1, 5, 9. The zero Shard has all inputs.
type Shard struct {
	Part, Parts int // Part is from 1 to Parts
}

// Set reads a text such as 1/4.
func (s *Shard) Set(text string) error {
	part, parts, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(part)
	n, err2 := strconv.Atoi(parts)
	if err != nil || err2 != nil || i < 1 || i > n || n > history.MaxShards {
		return fmt.Errorf("expected I/N with I from 1 to N, and N up to %d, such as 1/4", history.MaxShards)
	}
	s.Part, s.Parts = i, n
	return nil
}

// String returns the text that Set reads, "" for the zero Shard.
func (s *Shard) String() string {
	if s.Parts == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Parts)
}

// Type returns what help calls the value.
func (s *Shard) Type() string { return "I/N" }

// Has reports whether the shard has the input with a number.
func (s Shard) Has(number int) bool { return s.Parts == 0 || number%s.Parts == s.Part-1 }

// first returns the number of the first input that the shard has.
func (s Shard) first() int { return max(0, s.Part-1) }

// after returns the number of the input that the shard has after one of its own.
func (s Shard) after(number int) int { return number + max(1, s.Parts) }

// Count returns how many of the first n inputs the shard has: 2/4 has 3 of 10.
func (s Shard) Count(n int) int {
	if s.Parts == 0 {
		return n
	}
	return (n + s.Parts - s.Part) / s.Parts
}

// whole reports whether the shard has all inputs.
func (s Shard) whole() bool { return s.Parts <= 1 }

// A WrittenSite counts the pages of a site. [WriteSite] returns it.
type WrittenSite struct {
	Index   string `json:"index"`     // the page to open first
	Causes  int    `json:"causes"`    // number of causes; one has a page for each of its translators
	Runs    int    `json:"runs"`      // number of runs
	Written int    `json:"written"`   // number of pages that are new or have changed
	Same    int    `json:"unchanged"` // number of pages that are unchanged
	Removed int    `json:"removed"`   // number of pages that were removed
}

// WriteSite writes the pages of a history to a folder, which is created if it is not there. Each page is
// replaced as a whole. If it fails or is interrupted, some may be of before: write them again. Note gets what
// a user should know.
func WriteSite(ctx context.Context, store *History, folder string, note func(text string)) (*WrittenSite, error) {
	index := wholefile.In(folder, report.SiteIndex)
	ours, err := isSite(index) // before a file is written
	if err != nil {
		return nil, err
	}
	site := &report.Site{Name: filepath.Base(store.Path()), Note: note}
	if err := store.Snapshot(ctx, func(s *history.Store) error { return fillSite(ctx, s, site) }); err != nil {
		return nil, err
	}
	w, pages := &WrittenSite{Index: index}, map[string]bool{}
	err = site.Write(ctx, func(name string, page []byte) error {
		pages[name] = true
		path := wholefile.In(folder, filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, page) {
			w.Same++
			return ctx.Err()
		}
		w.Written++
		above, _ := filepath.Split(path) // without filepath.Clean, which takes link/.. for the folder of the link
		if err := os.MkdirAll(above, 0o777); err != nil {
			return err
		}
		err := wholefile.Write(path, func(out io.Writer) error { _, err := out.Write(page); return err })
		return cmp.Or(err, ctx.Err()) // an interrupt ends the site here
	})
	if err != nil {
		return nil, fmt.Errorf("site %s: %w", folder, err)
	}
	w.Causes, w.Runs = len(site.Causes), len(site.Runs)
	if ours { // a new folder has no pages to remove
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
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { // a page may be shorter
		return false, err
	}
	if !new(report.Site).Made(start[:n]) {
		return false, fmt.Errorf("%s: another program wrote this page: name a new folder, or one that xcheck history site wrote", index)
	}
	return true, nil
}

// removePages removes pages of causes that are not in the history any more.
func removePages(folder string, pages map[string]bool) (n int, err error) {
	folder = wholefile.In(folder, report.SiteCauses)
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for _, entry := range list {
		name := entry.Name()
		// Other files are the user's.
		if new(report.Site).HasPage(name) && entry.Type().IsRegular() && !pages[report.SiteCauses+"/"+name] {
			if err := os.Remove(wholefile.In(folder, name)); err != nil {
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
	return explainCauses(ctx, s, site.Causes, runs)
}

// explainCauses sets what the newest run says of each cause on its smallest formula.
func explainCauses(ctx context.Context, s *history.Store, causes []*report.SiteCause, runs []*history.Info) error {
	left := map[string]*report.SiteCause{}
	for _, c := range causes {
		left[c.Key] = c
	}
	for _, run := range slices.Backward(runs) { // the newest run that has a case decides
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
					c.Cause = x
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
