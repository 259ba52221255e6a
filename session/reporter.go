package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
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
	"sync"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/configs"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// reporter writes the reports of a run.
type reporter struct {
	plan     *Plan
	ctx      context.Context // of the run; the other one ends when formulas are given up
	period   *period
	summary  *report.Summary
	rules    rules
	stored   *storedRun // nil if the run is not stored
	files    *files
	outputs  []*output // files
	people   []*output // the caller's
	order    inOrder
	automata *automataDir // of wrong automata, or nil
	smallest io.Writer    // for inputs that were shrunk, or nil
	spelled  bool         // formulas are spelled for the CSV
	causes   causes
	watchers []watcher
	underway map[int]*outcome.Case // that watchers get when it is their turn
}

// A watcher is a report that gets the next case while it is under way, as cross.Options says.
type watcher interface{ Running(*outcome.Case) }

// running takes a case that is under way.
func (r *reporter) running(c *outcome.Case) {
	r.underway[c.Index] = c
	r.watch()
}

// watch shows the next case as far as it is.
func (r *reporter) watch() {
	if c := r.underway[r.order.next]; c != nil && !r.summary.Counts.Stopped {
		for _, w := range r.watchers {
			w.Running(c)
		}
	}
}

type output struct {
	doing string          // in errors
	sink  report.Sink     // nil if it can't be written
	live  bool            // it gets cases as they come, and otherwise in order
	file  *wholefile.File // stays as it was if the report fails; may be nil
}

// failed returns an error of the sink, which gets nothing more.
func (o *output) failed(err error) error {
	o.sink = nil // so that the same error is not met once more at the end
	if o.file != nil {
		o.file.Spoil()
	}
	return fmt.Errorf("%s: %w", o.doing, err)
}

// reporter begins the reports of a run. They are the last that may fail before it: with an
// error, all files are as they were.
func (s *session) reporter(sinks []report.Sink) error {
	p := s.Plan
	r := &reporter{plan: p, ctx: s.ctx, underway: map[int]*outcome.Case{}, period: s.period, summary: report.NewSummary(p.Tools), stored: s.stored, files: p.files(),
		rules: rules{p.Config.Checks, p.StrictFailures, p.IgnoreFailures, p.Config.History.FailOnNew}}
	r.summary.NoChecks = p.Config.Checks.NoChecks
	r.summary.Automata = p.Automata != nil
	r.summary.Counts.Missing = p.Missing
	for _, x := range r.summary.Translators {
		x.ByDefault = slices.Contains(p.byDefault, x.Name)
	}
	if !p.Shard.whole() {
		r.summary.Counts.Shards = []string{p.Shard.String()}
	}
	if s.stored != nil {
		r.summary.Counts.Replaced, r.summary.Counts.Repeated = s.stored.replaced, s.stored.repeated
		r.summary.Provenance = s.stored.processes // a run that resumes has several
	} else if process, err := p.process(&s.options); err == nil {
		r.summary.Provenance = []report.Process{process}
	} else {
		return err
	}
	r.order = inOrder{shard: p.Shard, next: p.Shard.first(), pass: r.report}
	for _, sink := range sinks {
		r.people = append(r.people, &output{"writing the report", sink, p.Config.Output.Verbose, nil})
	}
	if err := r.open(); err != nil {
		return errors.Join(err, r.files.discard())
	}
	if s.reports = r; r.spelled {
		s.feed.speller = &spelling.Speller{}
	}
	return nil
}

func (r *reporter) open() error {
	p := r.plan
	o := &p.Config.Output
	var known, kinds, flags []string
	for _, f := range report.Written() {
		if known = append(known, f.Name); o.Reports[f.Name] == "-" {
			kinds, flags = append(kinds, f.Kind), append(flags, "--"+f.Name+"=FILE")
		}
	}
	if len(kinds) > 1 {
		return fmt.Errorf("%s cannot both go to standard output; use %s", strings.Join(kinds, " and "), strings.Join(flags, " or "))
	}
	for name := range o.Reports {
		if !slices.Contains(known, name) {
			return fmt.Errorf("unknown format %q of a report: expected one of %s", name, strings.Join(known, ", "))
		}
	}
	for _, f := range report.Written() {
		if err := r.format(&f, o.Reports[f.Name]); err != nil {
			return err
		}
	}
	if p.Smallest != "" {
		var err error
		if r.smallest, err = r.files.create(wholefile.Create, p.Smallest); err != nil {
			return err
		}
	}
	if o.SaveAutomata != "" {
		var err error
		if r.automata, err = p.newAutomataDir(r.stored != nil); err != nil {
			return err
		}
		r.files.list = append(r.files.list, r.automata.index)
		r.outputs = append(r.outputs, &output{"saving automata", r.automata, false, nil})
	}
	if o.SaveBogus == "" {
		return nil
	}
	// It is written over at once, so it comes last.
	w, err := r.files.create(wholefile.Overwrite, o.SaveBogus)
	if err != nil {
		return err
	}
	what := map[string]string{"formula": "saving a formula", "automaton": "saving an automaton"}[p.input()]
	r.outputs = append(r.outputs, &output{what, &failing{w, &r.rules}, true, nil})
	return nil
}

// format adds a report in a format, unless it has no name.
func (r *reporter) format(f *report.Format, name string) error {
	if name == "" {
		return nil
	}
	w, err := r.files.create(wholefile.Create, name)
	if err != nil {
		return err
	}
	o := report.Options{Automata: r.plan.Automata != nil, Note: r.plan.Note}
	o.Columns = o.Columns.Have(&outcome.Case{CSV: r.plan.listing()}) // as each case of the run will say
	if f.Lines {
		r.spelled = r.spelled || !o.Automata
		if o.Headless, err = continues(name, w, f, o); err != nil {
			return err
		}
	}
	file, ok := w.(*wholefile.File)
	live := f.Stdout && !(ok && file.Whole()) // somebody may read it now
	r.outputs = append(r.outputs, &output{"writing " + f.Title, f.New(w, o), live, file})
	return nil
}

// failing is a file of the inputs on which something is wrong.
type failing struct {
	w     io.Writer
	rules *rules
}

func (f *failing) Case(c *outcome.Case, _ report.News) error {
	if !f.rules.wrong(c) || c.Error != "" {
		return nil
	}
	text := c.Formula + "\n"
	if c.Automaton != nil {
		text = c.Automaton.HOA
	}
	_, err := io.WriteString(f.w, text)
	return err
}

func (f *failing) End(*report.Summary) error { return nil }

// errStopped ends a run that is to stop with the first error, or the first automaton on which a tool fails.
var errStopped = errors.New("stopped on the first error")

// add takes a case that is complete. What is live gets it at once, all else in order.
func (r *reporter) add(c *outcome.Case) error {
	unknown := report.News{Results: make([]bool, len(c.Results)), Findings: make([]bool, len(c.Findings))}
	delete(r.underway, c.Index)
	err := errors.Join(give(r.outputs, true, c, unknown), give(r.people, true, c, unknown), r.order.add(c))
	r.watch()
	if p := r.plan.Progress; p != nil {
		p.Update(r.summary, len(r.order.waiting))
	}
	if err == nil && r.summary.Counts.Stopped {
		return errStopped
	}
	return err
}

// report reports a case, unless the run has stopped on an earlier one.
func (r *reporter) report(c *outcome.Case) error {
	if r.summary.Counts.Stopped {
		return nil
	}
	news := r.summary.Add(c)
	r.summary.Counts.Stopped = r.rules.StopOnError && r.rules.wrong(c)
	var err error
	if r.stored != nil {
		err = r.stored.add(r.period, c, r.rules.StopOnError)
	}
	err = errors.Join(err, give(r.outputs, false, c, news))
	if e := r.plan.saveContradictions(c); e != nil {
		err = errors.Join(err, fmt.Errorf("saving a contradiction: %w", e))
	}
	err = errors.Join(err, r.causes.add(r.period, c))
	for i := range c.Results {
		if r.plan.Config.Output.Quiet && r.rules.ignored(c.Results[i].Status) {
			news.Results[i] = false
		}
	}
	return errors.Join(err, give(r.people, false, c, news))
}

// give gives a case to reports: those that are live, or the others.
func give(list []*output, live bool, c *outcome.Case, news report.News) (err error) {
	for _, out := range list {
		if out.sink == nil || out.live != live {
			continue
		}
		if e := out.sink.Case(c, news); e != nil {
			err = errors.Join(err, out.failed(e))
		}
	}
	return err
}

// end completes the reports, whatever ended the run, and returns what has failed.
func (r *reporter) end(err error, duplicates int) error {
	if p := r.plan.Progress; p != nil {
		p.Stop()
	}
	// The reports say how the run ended, so each can tell only of what has failed
	// before it: that for people comes last.
	s := &r.summary.Counts
	failed := func(what string, e error) {
		if e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", what, e))
		}
		r.rules.decide(r.summary, err)
	}
	s.Interrupted = r.ctx.Err() != nil
	s.Duplicates = duplicates
	if r.stored != nil {
		failed("comparing with earlier runs", r.stored.compare(r.summary))
	}
	failed("", nil) // decides the status, which the reports tell
	end := func(list []*output) {
		for _, out := range list {
			if out.sink == nil {
				continue
			}
			e := out.sink.End(r.summary)
			if failed(out.doing, e); e != nil {
				out.failed(e)
			}
		}
	}
	end(r.outputs)
	for _, file := range r.files.list {
		failed("closing a report", file.Close())
	}
	finished := err == nil && !s.Interrupted
	end(r.people) // whoever reads them may have seen enough
	// Last, so that a run that is killed before its reports are whole resumes, and writes them.
	if r.stored != nil {
		failed("storing how the run ended", r.stored.end(r.summary, finished))
	}
	return err
}

// rules decide what counts as an error, of a formula and of a run.
type rules struct {
	configs.Checks
	strict, ignore bool // --strict-failures, --ignore-failures
	onlyNew        bool // --fail-on-new
}

// wrong reports whether something is wrong with a formula: a disagreement, a false property, an
// unstable answer, an invalid line, or a failure that counts. An undecided check does not count.
func (l *rules) wrong(c *outcome.Case) bool {
	if c.Wrong() || c.Error != "" || len(c.Errors) > 0 {
		return true
	}
	for _, f := range c.Findings {
		if f.Class == outcome.Unstable {
			return true
		}
	}
	for i := range c.Results {
		r := &c.Results[i]
		// A timeout counts only with --fail-on-timeout, as in ltlcross.
		timeout := r.Status.TimedOut() && l.Timeouts != configs.TimeoutsError
		if r.Failed() && !l.ignored(r.Status) && !timeout {
			return true
		}
	}
	return false
}

// ignored reports whether failures of a status never count.
func (l *rules) ignored(status outcome.Status) bool {
	if status.TimedOut() && l.Timeouts != configs.TimeoutsFail {
		return l.Timeouts == configs.TimeoutsIgnore
	}
	return l.ignore || l.IgnoreExecutionFailures && (status == outcome.Exit || status == outcome.Crash)
}

// decide sets the exit status of the run. The error, if any, has ended the run early.
func (l *rules) decide(t *report.Summary, err error) {
	s := &t.Counts
	if err != nil {
		s.Error = err.Error()
	}
	s.FailOnNew, s.Ignored = l.onlyNew, nil // decide is called again when a report fails
	for _, x := range t.Translators {
		for status := range x.Statuses {
			if status.Failed() && l.ignored(status) && !slices.Contains(s.Ignored, status) {
				s.Ignored = append(s.Ignored, status)
			}
		}
	}
	slices.Sort(s.Ignored)
	s.FailOnTimeout = l.Timeouts == configs.TimeoutsError
	s.StrictFailures, s.IgnoreFailures = l.strict, l.ignore
	t.Decide()
}

// saveContradictions writes what reproduces the contradictions of a case, each into a new
// folder, and tells how.
func (p *Plan) saveContradictions(c *outcome.Case) error {
	for i := range c.Contradictions {
		x := &c.Contradictions[i]
		text, failed := json.MarshalIndent(c, "", "  ")
		name := fmt.Sprintf("xcheck-internal-error-%d", c.Index+1)
		folder := name
		err := cmp.Or(failed, os.Mkdir(folder, 0o777))
		for n := 2; errors.Is(err, fs.ErrExist); n++ { // an earlier run has saved the same case
			folder = fmt.Sprintf("%s-%d", name, n)
			err = os.Mkdir(folder, 0o777)
		}
		for file, data := range map[string]string{"left.hoa": x.Left.HOA, "right.hoa": x.Right.HOA, "case.json": string(text) + "\n"} {
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, file), []byte(data), 0o666)
			}
		}
		if err != nil {
			return fmt.Errorf("saving the automata of an internal error: %w", err)
		}
		p.note("internal error: %v\n  saved in %s; reproduce with: %s", x, folder, reproduction(folder, x))
	}
	return nil
}

// reproduction returns the command that decides the check alone.
func reproduction(folder string, x *outcome.Contradiction) string {
	left, right := translators.Quote(filepath.Join(folder, "left.hoa")), translators.Quote(filepath.Join(folder, "right.hoa"))
	switch {
	case !x.Left.Complement && !x.Right.Complement:
		return fmt.Sprintf("xcheck intersect %s %s", left, right)
	case x.Left.Complement && x.Right.Complement:
		return fmt.Sprintf("xcheck complement %s | xcheck compare - %s", left, right)
	}
	return fmt.Sprintf("xcheck compare %s %s", left, right)
}

// files are the files of the reports.
type files struct {
	stdout io.Writer     // of "-"
	reads  []os.FileInfo // what the run reads, which no report may overwrite
	list   []*wholefile.File
}

// files returns the files of a run. None is open.
func (p *Plan) files() *files {
	f := &files{stdout: p.Stdout, reads: p.Reads}
	names := []string{p.Rerun.Config, p.Config.History.File}
	for _, file := range p.Config.Formulas.Files {
		names = append(names, file.Path)
	}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && name != "-" {
			f.reads = append(f.reads, info)
		}
	}
	return f
}

// create begins a file: one that is replaced when it is closed, or one that is written at once. If its name is
// given as >>FILE, what is written comes at once behind what it has, on a line of its own. "-" is standard
// output.
func (f *files) create(create func(string) (*wholefile.File, error), name string) (io.Writer, error) {
	if name == "-" {
		return f.stdout, nil
	}
	path, more := appended(name)
	if err := f.taken(path); err != nil {
		return nil, err
	}
	if more {
		create = wholefile.Append
	}
	file, err := create(path)
	if err != nil {
		return nil, err
	}
	if more {
		if err := file.EndLine(); err != nil { // a killed run may have left half a line
			return nil, errors.Join(err, file.Close())
		}
	}
	f.list = append(f.list, file)
	return file, nil
}

// appended returns the name of a file, and whether it was given as >>FILE.
func appended(name string) (path string, more bool) {
	path, more = strings.CutPrefix(name, ">>")
	return strings.TrimSpace(path), more
}

// taken returns an error if a file to be written is also read, or is written already.
func (f *files) taken(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil // it has nothing to lose
	}
	for _, in := range f.reads {
		if err == nil && os.SameFile(info, in) {
			return fmt.Errorf("cannot write to %q: this command reads it; name another file", name)
		}
	}
	for _, file := range f.list {
		if file.Is(name) {
			return fmt.Errorf("cannot write two reports to %q; name a file for each", name)
		}
	}
	return nil
}

// discard leaves all files as they were.
func (f *files) discard() (err error) {
	for _, file := range f.list {
		err = errors.Join(err, file.Discard())
	}
	return err
}

// continues reports whether a report is appended to an earlier one: its name begins with >>, and
// the file is not empty. Both must start with the same line of column names.
func continues(name string, w io.Writer, format *report.Format, o report.Options) (bool, error) {
	file, ok := w.(*wholefile.File)
	if _, more := appended(name); !ok || !more || file.Size() == 0 {
		return false, nil
	}
	earlier, err := os.Open(file.Path())
	if err != nil {
		return true, nil // it can be written, but not be read
	}
	defer earlier.Close()
	names, err := format.Header(o)
	if err != nil {
		return true, err
	}
	there := make([]byte, min(int64(len(names)), file.Size()))
	if _, err := io.ReadFull(earlier, there); err != nil {
		return true, err
	}
	if !bytes.Equal(there, names) {
		return true, fmt.Errorf("appending to %q: this run has other columns; use the same flags or another file", file.Path())
	}
	return true, nil
}

// An automataDir is a folder of the automata of inputs on which some automaton is wrong. Each
// is a file in HOA format, as the translator gave it, but for the names of propositions if
// it was given others. index.csv has a line for each: what it is of, and what is wrong.
type automataDir struct {
	folder string
	stored bool              // the run can resume
	own    string            // what the names of the files have for what is of no tool: the reference, or the input
	names  map[string]string // of the tools in files' names; no two are the same
	index  *wholefile.File
	lines  *csv.Writer

	mu    sync.Mutex
	saved map[int]map[outcome.Subject]string // by the index of a case that is not listed yet: the files of its automata
}

// newAutomataDir makes the folder of --save-automata, and starts the index. Files of an earlier run stay there,
// unless they are made again; the index does not have them.
func (p *Plan) newAutomataDir(stored bool) (*automataDir, error) {
	folder := p.Config.Output.SaveAutomata
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	index, err := wholefile.Create(wholefile.In(folder, "index.csv"))
	if err != nil {
		return nil, err
	}
	d := &automataDir{folder: folder, stored: stored, own: map[bool]string{false: "reference", true: "input"}[p.Automata != nil], index: index,
		lines: csv.NewWriter(index), saved: map[int]map[outcome.Subject]string{}}
	d.names = p.fileNames(d.own)
	d.lines.Write([]string{"index", p.input(), "translator", "negated", "file", "verdict", "word"})
	d.lines.Flush() // a file that can't be written fails before the run
	if err := d.lines.Error(); err != nil {
		return nil, errors.Join(err, index.Discard())
	}
	return d, nil
}

// fileNames returns a name of each tool for files. No two are the same, or the given one.
func (p *Plan) fileNames(own string) map[string]string {
	names, taken := map[string]string{}, map[string]bool{own: true}
	for _, tool := range p.Tools {
		name := fileName(tool.Name)
		for base, n := name, 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		names[tool.Name] = name
	}
	return names
}

// proofSaver makes the folder for proofs, and returns a function that writes one. Many goroutines call it.
func (p *Plan) proofSaver() (func(context.Context, *outcome.Case, outcome.Subject, *certify.Proof) error, error) {
	folder, names := p.Config.Output.SaveProofs, p.fileNames("")
	return func(ctx context.Context, c *outcome.Case, s outcome.Subject, proof *certify.Proof) error {
		file := fmt.Sprintf("%05d-%s-%s.proof", c.Index, s.Polarity, names[s.Translator])
		if c.Automaton != nil {
			file = fmt.Sprintf("%05d-%s.proof", c.Index, names[s.Translator])
		}
		return wholefile.Write(wholefile.In(folder, file), func(w io.Writer) error { return prove.Write(ctx, w, proof) })
	}, os.MkdirAll(folder, 0o777)
}

// fileName returns a name that every file system takes, which is like the given one.
func fileName(name string) string {
	const most = 40
	var b strings.Builder
	for _, c := range name {
		switch {
		case b.Len() == most:
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.' && b.Len() > 0: // no hidden files
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if text := strings.Trim(b.String(), "-."); text != "" {
		return text
	}
	return "translator" // no character is left
}

// file returns the name of the file of an automaton of a case: of a tool, or of the reference.
func (d *automataDir) file(c *outcome.Case, s outcome.Subject) string {
	name := cmp.Or(d.names[s.Translator], d.own)
	if c.Automaton != nil {
		return fmt.Sprintf("%05d-%s.hoa", c.Index, name)
	}
	return fmt.Sprintf("%05d-%s-%s.hoa", c.Index, s.Polarity, name)
}

// save writes the automata of a case. It is called by many goroutines.
func (d *automataDir) save(c *outcome.Case, automata map[outcome.Subject]*omega.Automaton) error {
	saved := map[outcome.Subject]string{}
	for s, a := range automata {
		saved[s] = d.file(c, s)
		if err := wholefile.Write(wholefile.In(d.folder, saved[s]), func(w io.Writer) error { return hoa.Write(context.Background(), w, a) }); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saved[c.Index] = saved
	return nil
}

// End removes what was saved of cases that were not listed, as the run ended before. A run that
// can resume needs the automata of what is stored.
func (d *automataDir) End(t *report.Summary) error {
	if s := &t.Counts; d.stored && (s.Interrupted || s.Error != "") {
		return nil
	}
	var errs []error
	for _, saved := range d.saved {
		for _, file := range saved {
			errs = append(errs, os.Remove(wholefile.In(d.folder, file)))
		}
	}
	return errors.Join(errs...)
}

// Case adds the automata of a case to the index, after they were saved.
func (d *automataDir) Case(c *outcome.Case, _ report.News) error {
	if !c.Wrong() {
		return nil
	}
	d.mu.Lock() // the goroutines of cases call save
	saved, ok := d.saved[c.Index]
	delete(d.saved, c.Index)
	d.mu.Unlock()
	if !ok {
		saved = d.there(c) // the case was done before the run was killed
	}
	for _, s := range subjects(c) {
		if file := saved[s]; file != "" {
			verdict, word := verdictOn(c, s)
			d.lines.Write([]string{strconv.Itoa(c.Index), c.Title(), s.Translator, strconv.FormatBool(bool(s.Polarity)), file, verdict, word})
		}
	}
	d.lines.Flush()
	return d.lines.Error()
}

// there returns which automata were saved of a case that was done before the run was killed:
// those that it has, of which there is a file.
func (d *automataDir) there(c *outcome.Case) map[outcome.Subject]string {
	saved := map[outcome.Subject]string{}
	for _, s := range subjects(c) {
		file := d.file(c, s)
		if _, err := os.Stat(wholefile.In(d.folder, file)); err == nil {
			saved[s] = file
		}
	}
	for i := range c.Results {
		if r := &c.Results[i]; r.Status != outcome.OK && r.Status != outcome.Unsupported {
			delete(saved, r.Subject) // what there is may be of another run
		}
	}
	return saved
}

// subjects returns the automata that a case may have: the automata of its results, and the
// automaton of the reference or the input.
func subjects(c *outcome.Case) (list []outcome.Subject) {
	for i := range c.Results {
		list = append(list, c.Results[i].Subject)
	}
	for _, p := range outcome.BothPolarities() {
		if s := (outcome.Subject{Translator: c.Reference, Polarity: p}); !slices.Contains(list, s) && (c.Automaton == nil || p == outcome.Formula) {
			list = append(list, s)
		}
	}
	return list
}

// verdictOn says what is wrong with an automaton, and on which word.
func verdictOn(c *outcome.Case, s outcome.Subject) (verdict, word string) {
	for _, d := range c.Disagreements {
		for _, b := range d.Blamed {
			if b == s {
				return "wrong: " + string(d.Kind) + " word", d.Word
			}
		}
	}
	for _, f := range c.Findings {
		if f.Subject == s && f.Class == outcome.FalseProperty {
			return "false property: " + f.Text, ""
		}
	}
	return "right", ""
}
