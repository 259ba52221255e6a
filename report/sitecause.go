package report

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// siteOccurrences is how many runs the table of a cause has: the newest.
const siteOccurrences = 400

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
	Others    []*siteCell // the cause of other translators
	Picture   template.HTML
	Rows      []causeRun
	Earlier   int
	Versions  []causeVersion
	Evidence  *pageGroup // nil if no run has any
}

// A causeRun is a run that had the translator, with what became of the cause.
type causeRun struct {
	*SiteRun
	Version string              // of the translator
	Told    *outcome.Occurrence // nil if the run could not tell
}

// A causeVersion is a version of the translator, with how many runs met the cause.
type causeVersion struct {
	Version     string
	First, Last *outcome.RunID
	Runs, Met   int
	State       outcome.State // in the last of them that could tell; "" if none could
}

// source returns the case that shows the failure, nil if none is known.
func (c *SiteCause) source() *outcome.Case {
	if c.Cause != nil && c.Cause.Case != nil {
		return c.Cause.Case
	}
	return c.Failing
}

// command returns one that shows the failure, or else the call of the translator; "" if neither is
// known.
func (c *SiteCause) command() string {
	if from := c.source(); c.Command == "" && from != nil {
		for i := range from.Results {
			if r := &from.Results[i]; r.Translator == c.Translator && r.Command != "" {
				return r.Command
			}
		}
	}
	return c.Command
}

// evidence returns what is known of the failure: words with runs, failed calls, findings.
func (c *SiteCause) evidence() *pageGroup {
	g := &pageGroup{class: c.Class, Word: c.Word}
	from := c.source()
	if from == nil {
		return g
	}
	if g.fill(from, []string{c.Translator}, c.Class.Words); !g.tells() && c.Cause != nil {
		g.fill(from, c.Cause.Translators, c.Class.Words) // the case belongs to one of them
	}
	return g
}

// tells reports whether the group has something beside its formula.
func (g *pageGroup) tells() bool { return len(g.Words)+len(g.Calls)+len(g.Findings) > 0 }

func (c *SiteCause) page(s *Site, frame siteFrame, rows []*siteRow, evidence *pageGroup) ([]byte, error) {
	title, text, _ := outcome.CutText(c.Formula)
	p := &causePage{siteFrame: frame, Cause: c, Level: "bad", Formula: input(c.Formula, c.Polarity), Automaton: text, Command: c.command(), Replays: c.replays()}
	if c.Polarity == outcome.Formula {
		p.Formula = title
	}
	p.Heading = fmt.Sprintf("%s: %s", line(c.Translator, 60), line(ClassName(c.Class), 100))
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
	for _, row := range rows {
		if slices.ContainsFunc(row.Cells, func(x *siteCell) bool { return x != nil && x.cause == c }) {
			p.Others = slices.DeleteFunc(slices.Clone(row.Cells), func(x *siteCell) bool { return x == nil || x.cause == c })
		}
	}
	runs := s.runsOf(c)
	if p.Versions = causeVersions(runs); len(p.Versions) == 1 && p.Versions[0].Version == "" {
		p.Versions = nil // nothing that the other facts don't say
	}
	p.Picture = occurrencePicture(runs, s.Noun)
	p.facts(runs)
	for _, run := range slices.Backward(runs) {
		if run.Told != nil {
			p.Rows = append(p.Rows, run)
		}
	}
	p.Earlier = max(0, len(p.Rows)-siteOccurrences)
	p.Rows = p.Rows[:len(p.Rows)-p.Earlier]
	var b bytes.Buffer
	err := siteTemplate().ExecuteTemplate(&b, "cause", p)
	return b.Bytes(), err
}

// replays returns the formulas by which the cause is looked for, except the smallest.
func (c *SiteCause) replays() (list []string) {
	for _, text := range c.Replays {
		if text != c.Formula {
			list = append(list, outcome.TitleOf(text))
		}
	}
	return list
}

// runsOf returns the runs that had the translator.
func (s *Site) runsOf(c *SiteCause) (list []causeRun) {
	told := map[int64]*outcome.Occurrence{}
	for i := range c.Occurrences {
		told[c.Occurrences[i].Run] = &c.Occurrences[i]
	}
	for i := range s.Runs {
		run := &s.Runs[i]
		if version, ok := run.Versions[c.Translator]; ok {
			list = append(list, causeRun{run, version, told[run.Run]})
		}
	}
	return list
}

// met reports whether the run met the cause.
func (r *causeRun) met() bool { return r.Told != nil && r.Told.State != outcome.StateFixed }

// title names the run, with the version of the translator.
func (r *causeRun) title() string {
	if r.Version == "" {
		return runWithDay(&r.RunID)
	}
	return runWithDay(&r.RunID) + ", version " + line(r.Version, 60)
}

// facts sets what is known of the cause in all runs.
func (p *causePage) facts(runs []causeRun) {
	in := map[outcome.State][]string{}
	var met []string
	most := 0
	for i := range runs {
		run := &runs[i]
		if run.met() {
			met = append(met, run.title())
			most = max(most, run.Told.Formulas)
		}
		if run.Told != nil {
			in[run.Told.State] = append(in[run.Told.State], run.title())
		}
	}
	if n := len(met); n > 0 {
		p.Facts.add("first seen", met[0])
		p.Facts.add("last seen", met[n-1])
		p.Facts.add("met in", fmt.Sprintf("%d of %s", n, plural.Of(len(runs), "run")))
		p.Facts.add("most in a run", plural.Of(most, p.Noun))
	}
	for _, state := range []outcome.State{outcome.StateFixed, outcome.StateBackAgain} {
		list := in[state]
		text := strings.Join(list[max(0, len(list)-1):], "")
		if n := len(list); n > 1 {
			text = fmt.Sprintf("%d times, last in %s", n, text)
		}
		p.Facts.add(string(state), text)
	}
	if c := p.Cause.Cause; c != nil {
		p.Facts.code("options", c.DrawnOptions())
		if c.Ground && c.Original != c.Formula {
			p.Facts.code("shrunk from", outcome.TitleOf(c.Original))
		}
		if c.Unfinished {
			p.Facts.add("limit", "reached while it was shrunk, so this may not be the smallest")
		}
	}
}

// causeVersions returns the versions of the translator in the order of the runs. A version that
// comes again after another one is listed again.
func causeVersions(runs []causeRun) (list []causeVersion) {
	for i := range runs {
		run := &runs[i]
		if n := len(list); n == 0 || list[n-1].Version != run.Version {
			list = append(list, causeVersion{Version: run.Version, First: &run.RunID})
		}
		v := &list[len(list)-1]
		v.Last = &run.RunID
		v.Runs++
		if run.Told != nil {
			v.State = run.Told.State
		}
		if run.met() {
			v.Met++
		}
	}
	return list
}
