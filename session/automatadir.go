package session

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/prove"
	"github.com/xcheck-ltl/xcheck/report"
)

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

// newAutomataDir makes the folder, and starts the index. Files of an earlier run stay there,
// unless they are made again; the index does not have them.
func (p *Plan) newAutomataDir(stored bool) (*automataDir, error) {
	folder := p.Config.Output.SaveAutomata
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	index, err := wholefile.Create(filepath.Join(folder, "index.csv"))
	if err != nil {
		return nil, err
	}
	d := &automataDir{folder: folder, stored: stored, own: map[bool]string{false: "reference", true: "input"}[p.Automata != nil], index: index, lines: csv.NewWriter(index), saved: map[int]map[outcome.Subject]string{}}
	d.names = p.fileNames(d.own)
	d.lines.Write([]string{"index", p.input(), "translator", "negated", "file", "verdict", "word"})
	d.lines.Flush()
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
func (p *Plan) proofSaver() (func(*outcome.Case, outcome.Subject, *certify.Proof) error, error) {
	folder, names := p.Config.Output.SaveProofs, p.fileNames("")
	return func(c *outcome.Case, s outcome.Subject, proof *certify.Proof) error {
		file := fmt.Sprintf("%05d-%s-%s.proof", c.Index, s.Polarity, names[s.Translator])
		if c.Automaton != nil {
			file = fmt.Sprintf("%05d-%s.proof", c.Index, names[s.Translator])
		}
		return wholefile.Write(filepath.Join(folder, file), func(w io.Writer) error { return prove.Write(w, proof) })
	}, os.MkdirAll(folder, 0o777)
}

// fileName returns a name that every file system takes, which is like the given one.
func fileName(name string) string {
	const most = 40
	var b strings.Builder
	for _, c := range name {
		switch {
		case b.Len() == most:
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.' && b.Len() > 0:
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if text := strings.Trim(b.String(), "-."); text != "" {
		return text
	}
	return "translator"
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
		if err := wholefile.Write(filepath.Join(d.folder, saved[s]), func(w io.Writer) error { return hoa.Write(context.Background(), w, a) }); err != nil {
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
			errs = append(errs, os.Remove(filepath.Join(d.folder, file)))
		}
	}
	return errors.Join(errs...)
}

// Case adds the automata of a case to the index, after they were saved.
func (d *automataDir) Case(c *outcome.Case, _ report.News) error {
	if !c.Wrong() {
		return nil
	}
	d.mu.Lock()
	saved, ok := d.saved[c.Index]
	delete(d.saved, c.Index)
	d.mu.Unlock()
	if !ok {
		saved = d.there(c)
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
		if _, err := os.Stat(filepath.Join(d.folder, file)); err == nil {
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
	for _, p := range outcome.BothPolarities {
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
