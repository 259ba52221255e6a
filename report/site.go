package report

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Site is a history as pages that link to each other: an index of causes and translators, and a
// page for each cause of each translator. The same history makes the same pages.
type Site struct {
	Name   string // of the history
	Noun   string // what the runs check: "formula" or "automaton"
	Runs   []SiteRun
	Causes []*SiteCause
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
	*failure // the same as reports show it; Write makes it
	// Cause is what a run says of the cause with this formula; nil if no run explains it. Then
	// Failing is a case of the formula in which the translator fails, if there is one.
	Cause   *outcome.Cause
	Failing *outcome.Case
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

// Made reports whether a text is the start of a page of some site.
func (*Site) Made(text []byte) bool { return bytes.Contains(text, []byte(siteMark)) }

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
	for _, c := range s.Causes {
		c.failure = &failure{cause: c.Cause, noun: s.Noun}
		c.failure.Record = outcome.Record{Translators: []string{c.Translator}, Class: c.Class, Formula: c.Formula, Polarity: c.Polarity, Word: c.Word, Key: c.Key}
		if met := c.Met(); len(met) > 0 {
			c.First, c.Last = &met[0].RunID, &met[len(met)-1].RunID
		}
	}
	// The news come first, then what was met last.
	slices.SortStableFunc(s.Causes, func(a, b *SiteCause) int {
		last := func(c *SiteCause) int64 { return cmp.Or(c.Last, &outcome.RunID{}).Run }
		return cmp.Or(cmp.Compare(a.Rank(), b.Rank()), cmp.Compare(last(b), last(a)), cmp.Compare(len(b.Met()), len(a.Met())),
			cmp.Compare(len(a.Formula), len(b.Formula)), cmp.Compare(a.Key, b.Key))
	})
	undrawn := ""
	// One process draws for many causes. The pictures of all at once would need too much memory.
	for list := range slices.Chunk(s.Causes, drawnTogether) {
		var groups []*pageGroup
		for _, c := range list {
			groups = append(groups, c.evidence())
		}
		undrawn = cmp.Or(drawGroups(ctx, s.Graphviz, groups), undrawn)
		if err := ctx.Err(); err != nil { // pictures may be missing
			return err
		}
		for i, c := range list {
			text, err := c.page(s, frame, groups[i])
			if err == nil {
				err = put(c.Page(), []byte(screen.Escape(string(text))))
			}
			if err != nil {
				return err
			}
		}
	}
	if undrawn != "" && s.Note != nil {
		s.Note(undrawn)
	}
	text, err := s.index(frame)
	if err != nil {
		return err
	}
	return put(SiteIndex, []byte(screen.Escape(string(text))))
}

// A siteFrame is what all pages of a site have.
type siteFrame struct {
	frame
	History, Noun string
}

// Page returns the name of the cause's page. It depends on the key alone: the same cause has the
// same page in each night and in each copy of a history.
func (c *SiteCause) Page() string {
	return SiteCauses + "/" + linkName(c.Key) + ".html"
}

// HasPage reports whether a file in the folder of the causes has the name of a page.
func (*Site) HasPage(name string) bool {
	name, ok := strings.CutSuffix(name, ".html")
	i := strings.LastIndexByte(name, '-')
	return ok && i > 0 && len(name)-i == 17 && strings.Trim(name[i+1:], "0123456789abcdef") == ""
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

// Met returns the runs in which the cause was met.
func (c *SiteCause) Met() (list []*outcome.Occurrence) {
	for i := range c.Occurrences {
		if x := &c.Occurrences[i]; x.State != outcome.StateFixed {
			list = append(list, x)
		}
	}
	return list
}

// Most returns on how many inputs of a run the cause was met, at most.
func (c *SiteCause) Most() (most int) {
	for _, x := range c.Occurrences {
		most = max(most, x.Formulas)
	}
	return most
}

// Rank orders states: those that want to be looked at come first.
func (c *SiteCause) Rank() int { return slices.Index(outcome.States(), c.State()) }

// shared is the part of the key that the same cause of other translators has.
func (c *SiteCause) shared() string {
	return strings.TrimPrefix(c.Key, c.Translator+" | ")
}

// Bounds of the index.
const (
	siteRuns = 400 // rows of a table of runs: the newest
	siteNews = 6   // causes that are named in one of them
)

// A siteIndex is the index of a site.
type siteIndex struct {
	siteFrame
	Level, Verdict string
	Facts          facts
	Rows           []*SiteCause
	Standing       []siteStanding
	Runs           []siteRunRow
	Earlier        int // runs that are not listed
}

// A siteStanding is how many causes have a state; "open" is all but fixed.
type siteStanding struct {
	State string
	Count int
}

// A siteRunRow is a run, with what is new in it.
type siteRunRow struct {
	*SiteRun
	News  []siteNew
	More  int // news that are not named
	Known int // causes that are known
}

// A siteNew is a cause with what became of it in a run.
type siteNew struct {
	*SiteCause
	Then outcome.State
}

// About names the cause in a line.
func (x siteNew) About() string {
	return line(x.Translator, 30) + ": " + line(x.Name(), 40) + ": " + line(x.Input(), 60)
}

func (s *Site) index(frame siteFrame) ([]byte, error) {
	frame.Title = "xcheck: " + line(s.Name, 60)
	x := &siteIndex{siteFrame: frame, Rows: s.Causes}
	in := map[outcome.State]int{}
	for _, c := range s.Causes {
		in[c.State()]++
	}
	open := len(s.Causes) - in[outcome.StateFixed]
	x.Standing = []siteStanding{{"open", open}}
	for _, state := range outcome.States() {
		if in[state] > 0 {
			x.Standing = append(x.Standing, siteStanding{string(state), in[state]})
		}
	}
	x.Level = "good"
	switch news := in[outcome.StateNew] + in[outcome.StateBackAgain]; {
	case news > 0:
		x.Level, x.Verdict = "bad", fmt.Sprintf("%s open: %d new or back again", plural.Of(open, "cause"), news)
	case open > 0:
		x.Level, x.Verdict = "poor", fmt.Sprintf("%s open: none new", plural.Of(open, "cause"))
	case len(s.Causes) > 0:
		x.Verdict = fmt.Sprintf("No open causes, %d fixed", len(s.Causes))
	default:
		x.Verdict = "No failures in any run"
	}
	if n := len(s.Runs); n > 0 {
		x.Facts.add("runs", fmt.Sprintf("%d, from %s to %s", n, day(&s.Runs[0].RunID), day(&s.Runs[n-1].RunID)))
		x.Facts.add("last run", fmt.Sprintf("%s: %s", runTitle(&s.Runs[n-1].RunID), s.Runs[n-1].Ended))
	}
	x.Earlier = max(0, len(s.Runs)-siteRuns)
	x.Runs = s.runRows()[x.Earlier:]
	// The newest run is what readers look for.
	slices.Reverse(x.Runs)
	var b bytes.Buffer
	err := siteTemplate().ExecuteTemplate(&b, "index", x)
	return b.Bytes(), err
}

// runRows returns the runs, each with the causes that are new or back again, or fixed.
func (s *Site) runRows() []siteRunRow {
	list := make([]siteRunRow, len(s.Runs))
	place := map[int64]*siteRunRow{}
	for i := range s.Runs {
		list[i] = siteRunRow{SiteRun: &s.Runs[i]}
		place[s.Runs[i].Run] = &list[i]
	}
	for _, c := range s.Causes {
		for _, o := range c.Occurrences {
			run := place[o.Run]
			switch {
			case run == nil: // the site does not show that run
			case o.State == outcome.StateKnown:
				run.Known++
			// The others are new, back again or fixed in this run.
			case len(run.News) == siteNews:
				run.More++
			default:
				run.News = append(run.News, siteNew{c, o.State})
			}
		}
	}
	return list
}

// A causePage is the page of a cause.
type causePage struct {
	siteFrame
	Cause     *SiteCause
	Heading   string
	Level     string
	Facts     facts
	Formula   string
	Automaton string // of an input that is an automaton
	Word      string
	WordAbout string
	Command   string
	Replays   []string
	Others    []*SiteCause // the cause of other translators
	Rows      []causeRun
	Earlier   int
	Evidence  *pageGroup // nil if no run has any
}

// A causeRun is a run that had the translator, with what became of the cause.
type causeRun struct {
	*SiteRun
	Version string              // of the translator
	Told    *outcome.Occurrence // nil if the run could not tell
}

// source returns the case that shows the failure, nil if none is known.
func (c *SiteCause) source() *outcome.Case {
	if c.Cause != nil && c.Cause.Case != nil {
		return c.Cause.Case
	}
	return c.Failing
}

// evidence returns what is known of the failure: words with runs, failed calls, findings.
func (c *SiteCause) evidence() *pageGroup {
	f := *c.failure
	g := &pageGroup{failure: &f}
	from := c.source()
	if from == nil {
		return g
	}
	if g.fill(from); !g.tells() && c.Cause != nil {
		g.Translators = c.Cause.Translators // the case belongs to one of them
		g.fill(from)
	}
	return g
}

// tells reports whether the group has something beside its formula.
func (g *pageGroup) tells() bool { return len(g.Words)+len(g.Calls)+len(g.Findings) > 0 }

func (c *SiteCause) page(s *Site, frame siteFrame, evidence *pageGroup) ([]byte, error) {
	title, text, _ := screen.CutText(c.Formula)
	p := &causePage{siteFrame: frame, Cause: c, Level: "bad", Formula: c.Input(), Automaton: text, Command: c.Command, Replays: c.replays()}
	if c.Polarity == outcome.Formula {
		p.Formula = title
	}
	p.Heading = fmt.Sprintf("%s: %s", line(c.Translator, 60), line(c.Name(), 100))
	p.Title = fmt.Sprintf("%s: %s", p.Heading, line(p.Formula, 60))
	if !c.Open() {
		p.Level = "good"
	} else if c.State() == outcome.StateKnown {
		p.Level = "poor"
	}
	p.Word = c.Word
	for _, w := range evidence.Words {
		if w.Word == c.Word {
			p.WordAbout = w.About
		}
	}
	if evidence.tells() {
		p.Evidence = evidence
	}
	for _, x := range s.Causes {
		if x != c && x.shared() == c.shared() {
			p.Others = append(p.Others, x)
		}
	}
	n := 0                                   // runs that had the translator
	for i := range slices.Backward(s.Runs) { // the newest first
		run := &s.Runs[i]
		version, had := run.Versions[c.Translator]
		if !had {
			continue
		}
		n++
		if k := slices.IndexFunc(c.Occurrences, func(x outcome.Occurrence) bool { return x.Run == run.Run }); k >= 0 {
			p.Rows = append(p.Rows, causeRun{run, version, &c.Occurrences[k]})
		}
	}
	p.facts(n)
	p.Earlier = max(0, len(p.Rows)-siteRuns)
	p.Rows = p.Rows[:len(p.Rows)-p.Earlier]
	var b bytes.Buffer
	err := siteTemplate().ExecuteTemplate(&b, "cause", p)
	return b.Bytes(), err
}

// replays returns the formulas by which the cause is looked for, except the smallest.
func (c *SiteCause) replays() (list []string) {
	for _, text := range c.Replays {
		if text != c.Formula {
			list = append(list, screen.TitleOf(text))
		}
	}
	return list
}

// facts sets what is known of the cause in all runs.
func (p *causePage) facts(runs int) {
	if met := p.Cause.Met(); len(met) > 0 {
		p.Facts.add("first seen", runWithDay(&met[0].RunID))
		p.Facts.add("last seen", runWithDay(&met[len(met)-1].RunID))
		p.Facts.add("met in", fmt.Sprintf("%d of %s", len(met), plural.Of(runs, "run")))
		p.Facts.add("most in a run", plural.Of(p.Cause.Most(), p.Noun))
	}
	p.Facts = append(p.Facts, p.Cause.origin()...)
}
