package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A gallery is a folder of the automata of formulas on which some automaton is wrong. Each
// is a file in HOA format, as the translator gave it, but for the names of propositions if
// it was given others. index.csv has a line for each: what it is of, and what is wrong.
type gallery struct {
	folder string
	names  []string // of the tools in files' names; no two are the same
	index  *wholefile.File
	lines  *csv.Writer

	mu    sync.Mutex
	saved map[int][]bool // by the index of a case that is not listed yet: which automata there are
}

// newGallery makes the folder, and starts the index. Files of an earlier run stay there,
// unless they are made again; the index does not have them.
func newGallery(folder string, tools []*translators.Tool) (*gallery, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	index, err := wholefile.Create(filepath.Join(folder, "index.csv"))
	if err != nil {
		return nil, err
	}
	g := &gallery{folder: folder, index: index, lines: csv.NewWriter(index), saved: map[int][]bool{}}
	taken := map[string]bool{"reference": true}
	for _, tool := range tools {
		name := fileName(tool.Name)
		for base, n := name, 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		g.names = append(g.names, name)
	}
	g.lines.Write([]string{"index", "formula", "translator", "negated", "file", "verdict", "word"})
	g.lines.Flush()
	if err := g.lines.Error(); err != nil {
		return nil, errors.Join(err, index.Discard())
	}
	return g, nil
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

// file returns the name of the file of automaton i of a case: a tool's positive, its
// negative, the next's, and last those of the reference.
func (g *gallery) file(c *outcome.Case, i int) string {
	name := "reference"
	if i/2 < len(g.names) {
		name = g.names[i/2]
	}
	return fmt.Sprintf("%05d-%s-%s.hoa", c.Index, [...]string{"formula", "negation"}[i%2], name)
}

// save writes the automata of a case. It is called by many goroutines.
func (g *gallery) save(c *outcome.Case, automata []*omega.Automaton) error {
	saved := make([]bool, len(automata))
	for i, a := range automata {
		if saved[i] = a != nil; !saved[i] {
			continue
		}
		name := filepath.Join(g.folder, g.file(c, i))
		if err := wholefile.Write(name, func(w io.Writer) error { return hoa.Write(context.Background(), w, a) }); err != nil {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.saved[c.Index] = saved
	return nil
}

// end removes what was saved of cases that were not listed, as the run ended before.
func (g *gallery) end() error {
	var errs []error
	for index, saved := range g.saved {
		for i, there := range saved {
			if there {
				errs = append(errs, os.Remove(filepath.Join(g.folder, g.file(&outcome.Case{Index: index}, i))))
			}
		}
	}
	return errors.Join(errs...)
}

// list adds the automata of a case to the index, after they were saved.
func (g *gallery) list(c *outcome.Case) error {
	g.mu.Lock()
	saved, ok := g.saved[c.Index]
	delete(g.saved, c.Index)
	g.mu.Unlock()
	if !ok {
		saved = g.there(c)
	}
	for i, there := range saved {
		if !there {
			continue
		}
		subject := outcome.Subject{Translator: c.Reference, Negated: i%2 == 1}
		if i < len(c.Results) {
			subject = c.Results[i].Subject
		}
		verdict, word := verdictOn(c, subject)
		g.lines.Write([]string{strconv.Itoa(c.Index), c.Formula, subject.Translator, strconv.FormatBool(subject.Negated), g.file(c, i), verdict, word})
	}
	g.lines.Flush()
	return g.lines.Error()
}

// there returns which automata were saved of a case that was done before the run was killed:
// those that it has, of which there is a file.
func (g *gallery) there(c *outcome.Case) []bool {
	saved := make([]bool, len(c.Results)+2)
	for i := range saved {
		if i < len(c.Results) && c.Results[i].Status != "ok" && c.Results[i].Status != "unsupported" {
			continue // what there is may be of another run
		}
		_, err := os.Stat(filepath.Join(g.folder, g.file(c, i)))
		saved[i] = err == nil
	}
	return saved
}

// verdictOn says what is wrong with an automaton, and on which word.
func verdictOn(c *outcome.Case, s outcome.Subject) (verdict, word string) {
	for _, d := range c.Disagreements {
		for _, b := range d.Blamed {
			if b == s {
				return "wrong: " + d.Kind + " word", d.Word
			}
		}
	}
	for _, f := range c.Findings {
		if f.Subject == s && f.Class == "property" {
			return "false property: " + f.Text, ""
		}
	}
	return "right", ""
}
