package report

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Site is a history as pages that link to each other: an index of causes and translators, and a
// page for each cause of each translator. The same history makes the same pages.
type Site struct {
	Name   string // of the history
	Noun   string // what the runs check: "formula" or "automaton"
	Runs   []SiteRun
	Causes []*SiteCause
	Fixed  *FixedCurves // nil if there are none
	// Graphviz is the program that draws automata; "" means dot. Without it, automata are tables,
	// and Note, if set, is told why.
	Graphviz string
	Note     func(text string)
}

// A SiteRun is a run of the history. Runs are ordered by their starts.
type SiteRun struct {
	outcome.RunID
	Ended         string // how it ended, in words
	Cases, Failed int
	Versions      map[string]string // of its translators, by name; "" for an unknown one
}

// A SiteCause is a cause of failures of one translator.
type SiteCause struct {
	*outcome.Timeline
	// Cause is what a run says of the cause with this formula; nil if no run explains it. Then
	// Failing is a case of the formula in which the translator fails, if there is one.
	Cause   *outcome.Cause
	Failing *outcome.Case
}

// FixedCurves are curves over runs on the same formulas.
type FixedCurves struct {
	File     string // of the configuration; "" for none
	Formulas int
	Runs     []outcome.Trend
}

//go:embed page/site.html
var siteText string

//go:embed page/site.js
var siteOwnScript string

var siteScript = commonScript + siteOwnScript

// siteTemplate returns the templates of the pages, with the parts of a run's page.
var siteTemplate = sync.OnceValue(func() *template.Template { return parseTemplates(frameText, pageText, siteText) })

// siteMark is in the first lines of each page.
const siteMark = `<meta name="generator" content="xcheck history site">`

// IsSite reports whether a text is the start of a page of a site.
func IsSite(text []byte) bool { return bytes.Contains(text, []byte(siteMark)) }

// SiteIndex is the name of the first page, and SiteCauses the folder with the pages of causes.
const SiteIndex, SiteCauses = "index.html", "causes"

// drawnTogether is how many causes have their automata drawn by one process.
const drawnTogether = 50

// Write calls put for each page, the index last. Names are relative to the index.
func (s *Site) Write(ctx context.Context, put func(name string, page []byte) error) error {
	if put == nil {
		return errors.New("no folder given")
	}
	frame := siteFrame{frame: newFrame(siteScript), History: s.Name, Noun: s.Noun}
	frame.Mark = siteMark
	rows := s.rows()
	undrawn := ""
	for list := range slices.Chunk(s.Causes, drawnTogether) {
		var groups []*pageGroup
		for _, c := range list {
			groups = append(groups, c.evidence())
		}
		undrawn = cmp.Or(drawGroups(ctx, s.Graphviz, groups), undrawn)
		if err := ctx.Err(); err != nil {
			return err
		}
		for i, c := range list {
			text, err := c.page(s, frame, rows, groups[i])
			if err == nil {
				err = put(c.Page(), text)
			}
			if err != nil {
				return err
			}
		}
	}
	if undrawn != "" && s.Note != nil {
		s.Note(undrawn)
	}
	text, err := s.index(frame, rows)
	if err != nil {
		return err
	}
	return put(SiteIndex, text)
}

// A siteFrame is what all pages of a site have.
type siteFrame struct {
	frame
	History, Noun string
}

// Page returns the name of the cause's page. It depends on the key alone: the same cause has the
// same page in each night and in each copy of a history.
func (c *SiteCause) Page() string {
	sum := sha256.Sum256([]byte(c.Key))
	return SiteCauses + "/" + slug(c.Key, 48) + "-" + hex.EncodeToString(sum[:8]) + ".html"
}

// IsPage reports whether a file in the folder of the causes has the name of a page.
func IsPage(name string) bool {
	name, ok := strings.CutSuffix(name, ".html")
	i := strings.LastIndexByte(name, '-')
	return ok && i > 0 && len(name)-i == 17 && strings.Trim(name[i+1:], "0123456789abcdef") == ""
}

// slug returns what is readable of a text in file names of all systems: "mine | words | Fa" is
// "mine-words-fa".
func slug(text string, most int) string {
	var b strings.Builder
	gap := false
	for _, r := range text {
		r = unicode.ToLower(r)
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
		if b.Len() >= most {
			break
		}
	}
	return cmp.Or(b.String(), "cause")
}

// State returns what became of the cause in the last run that could tell.
func (c *SiteCause) State() outcome.State {
	if len(c.Occurrences) == 0 {
		return outcome.StateUnseen
	}
	return c.Occurrences[len(c.Occurrences)-1].State
}

// Open reports whether the cause is not fixed.
func (c *SiteCause) Open() bool { return c.State() != outcome.StateFixed }

// met returns the runs in which the cause was met.
func (c *SiteCause) met() (list []*outcome.Occurrence) {
	for i := range c.Occurrences {
		if x := &c.Occurrences[i]; x.State != outcome.StateFixed {
			list = append(list, x)
		}
	}
	return list
}

// shared is the part of the key that the same cause of other translators has.
func (c *SiteCause) shared() string {
	return strings.TrimPrefix(c.Key, c.Translator+" | ")
}

// siteRank orders states: those that want to be looked at come first.
func siteRank(state outcome.State) int { return slices.Index(outcome.States, state) }

// A siteRow is a cause, with what became of it for each translator.
type siteRow struct {
	Class, Formula string
	Cells          []*siteCell // by translator, nil where it was never met
	Rank           int         // of the state that comes first
	Last           int64       // the number of the last run that met it
	Met            int         // times that a run has met it
}

// A siteCell is a cause of one translator, in a row of others.
type siteCell struct {
	Translator, Page, About string
	State                   outcome.State
	Met                     int
	cause                   *SiteCause
}

// Translators returns the names of the translators that have a cause, sorted.
func (s *Site) Translators() (names []string) {
	for _, c := range s.Causes {
		names = append(names, c.Translator)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Distinct returns how many causes there are, each once for all its translators.
func (s *Site) Distinct() int {
	keys := map[string]bool{}
	for _, c := range s.Causes {
		keys[c.shared()] = true
	}
	return len(keys)
}

// rows puts causes of the same key into one row. The news come first, then what was met last.
func (s *Site) rows() []*siteRow {
	names := s.Translators()
	byKey := map[string]*siteRow{}
	var list []*siteRow
	for _, c := range s.Causes {
		key := c.shared()
		row := byKey[key]
		if row == nil {
			row = &siteRow{Class: ClassName(c.Class), Formula: input(c.Formula, c.Polarity), Cells: make([]*siteCell, len(names)), Rank: len(outcome.States)}
			byKey[key] = row
			list = append(list, row)
		}
		if class := ClassName(c.Class); class != row.Class {
			row.Class = ClassName(c.Class.Category())
		}
		if text := input(c.Formula, c.Polarity); len(text) < len(row.Formula) {
			row.Formula = text
		}
		met := c.met()
		cell := &siteCell{Translator: c.Translator, Page: c.Page(), State: c.State(), Met: len(met), cause: c}
		cell.About = fmt.Sprintf("%s: %s, met in %s", c.Translator, cell.State, plural.Of(len(met), "run"))
		if len(met) > 0 {
			last := &met[len(met)-1].RunID
			cell.About += ", last in " + runWithDay(last)
			row.Last = max(row.Last, last.Run)
		}
		row.Rank = min(row.Rank, siteRank(cell.State))
		row.Met += cell.Met
		i, _ := slices.BinarySearch(names, c.Translator)
		row.Cells[i] = cell
	}
	slices.SortStableFunc(list, func(a, b *siteRow) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(b.Last, a.Last), cmp.Compare(b.Met, a.Met),
			cmp.Compare(len(a.Formula), len(b.Formula)), cmp.Compare(a.Formula, b.Formula))
	})
	return list
}
