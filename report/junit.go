package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/screen"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// writeJUnit writes a run as JUnit XML, for continuous integration.
//
// The run is a test suite, and so is each translator. The test cases are the kinds of checks,
// and the groups of failures:
//
//   - A failure is something wrong. Each cause of it is one, however many formulas show it.
//   - An error is something that could not be done, such as a call that crashed.
//   - Groups that are fixed have passed.
//   - Groups that could not be decided, or do not count for the exit status, are skipped.
//
// Names of test cases are the same in all runs of a history.
//
// JUnit has several dialects. The output follows the schema of Jenkins' xUnit plugin
// (junit-10); other programs read a subset of it. All text is valid in XML.
func writeJUnit(w io.Writer, t *Summary) error {
	t = cmp.Or(t, NewSummary(nil))
	j := &junit{summary: t, groups: t.serious(), suites: map[string]*junitSuite{}, used: map[[2]string]bool{}}
	j.run()
	for _, x := range t.Translators {
		j.translator(x)
	}
	for _, f := range j.groups {
		for _, name := range f.Translators {
			j.group(name, f)
		}
	}
	return j.write(w)
}

type junit struct {
	summary *Summary
	groups  []*failure
	list    []*junitSuite
	suites  map[string]*junitSuite // by the name of the translator
	used    map[[2]string]bool     // names of classes and of their test cases
}

// suite adds a suite. Engines take what is before the last dot in the name of a class for
// a package, so the name of a translator has none there.
func (j *junit) suite(name, class string, seconds float64) *junitSuite {
	s := &junitSuite{Name: stable(name), class: class, seconds: seconds}
	if r := j.summary.Regression; r != nil && !r.Started.IsZero() {
		s.Timestamp = r.Started.UTC().Format(junitTime)
	}
	if list := j.summary.Provenance; len(list) > 0 {
		s.Host = list[0].Host
		if s.Timestamp == "" {
			s.Timestamp = list[0].Started.UTC().Format(junitTime)
		}
	}
	j.list = append(j.list, s)
	return s
}

// of returns the suite of a translator: one that is not in this run may still have groups.
func (j *junit) of(name string, seconds float64) *junitSuite {
	s := j.suites[name]
	if s == nil {
		s = j.suite(name, "xcheck."+strings.ReplaceAll(stable(name), ".", "_"), seconds)
		j.suites[name] = s
	}
	return s
}

// test adds a test case that has passed. Engines tell test cases apart by their names, so
// that there may not be two of one name.
func (j *junit) test(s *junitSuite, name string, seconds float64) *junitCase {
	unique := name
	for n := 2; j.used[[2]string{s.class, unique}]; n++ {
		unique = fmt.Sprintf("%s (%d)", name, n)
	}
	j.used[[2]string{s.class, unique}] = true
	c := &junitCase{Name: unique, Class: s.class, Time: decimal(seconds)}
	s.Cases = append(s.Cases, c)
	return c
}

const undone = false // not wrong: see failed

// failed says that a test case has not passed: it has failed if something is wrong, and
// otherwise is undone. What does not count is skipped.
func (j *junit) failed(c *junitCase, wrong, counts bool, r junitResult) {
	r.Text = lines(r.Text)
	switch {
	case !counts || j.summary.Counts.Status == outcome.ExitPassed:
		r.Message = "ignored: " + r.Message
		c.Skipped = &r
	case wrong:
		c.Failure = &r
	default:
		c.Error = &r
	}
}

// run is the suite of what is no translator's.
func (j *junit) run() {
	t := j.summary
	s := &t.Counts
	suite := j.suite("xcheck", "xcheck", 0)
	if r := t.Regression; r != nil {
		suite.property("run", strconv.FormatInt(r.Run, 10))
		suite.property("name", r.Name)
		suite.property("baseline", runName(r.Baseline))
	}
	for i := range t.Provenance {
		suite.process(i, &t.Provenance[i])
	}
	suite.property("seed", plural.Seed(s.Seed))
	suite.property(t.plural(), strconv.Itoa(s.Formulas))
	suite.property("exit_status", strconv.Itoa(int(s.Status)))
	suite.Out = out(t.Verdict().Line())
	for _, check := range []struct {
		name    string
		n       int
		always  bool // it counts also if only new failures do
		message string
	}{
		{"readable input", s.Unreadable, true, t.unreadable(s.Unreadable)},
		{"something to compare", s.Unchecked - s.Unexplained, false, fmt.Sprintf("%s not checked (%s)", t.inputs(s.Unchecked-s.Unexplained), noAutomata)}, // Gaps has the others
		{"decided checks", s.Undecided, false, plural.Of(s.Undecided, "undecided check")},
		{"no internal error", s.Errors, true, plural.Of(s.Errors, "internal error") + " of xcheck: please report it"},
	} {
		if c := j.test(suite, check.name, 0); check.n > 0 {
			r := junitResult{Type: check.name, Message: check.message}
			if check.name == "decided checks" {
				for i := range t.open {
					r.Text += fmt.Sprintf("%s: %s: %s\n", t.open[i].Input, t.open[i].Title(), t.open[i].Why)
				}
			}
			j.failed(c, undone, check.always || !s.FailOnNew, r)
		}
	}
	c := j.test(suite, "end of the run", 0)
	// A test case has one result, so the worst reason alone.
	if s.Error != "" {
		j.failed(c, undone, true, junitResult{Type: "error", Message: "ended by an error: " + line(s.Error, 400)})
	} else if s.Interrupted {
		j.failed(c, undone, true, junitResult{Type: "interrupted", Message: "interrupted"})
	} else if gaps := t.Gaps(); gaps != "" {
		j.failed(c, undone, true, junitResult{Type: "incomplete", Message: gaps})
	}
}

// process adds properties with the provenance of the results. The seed and the versions have
// others.
func (s *junitSuite) process(i int, p *Process) {
	for _, f := range p.facts() {
		name := strings.ReplaceAll(f.Name, " ", "_")
		switch {
		case i > 0:
			s.property(fmt.Sprintf("process_%d_%s", i+1, name), f.Text)
		case name != "seed" && name != "translators":
			s.property(name, f.Text)
		}
	}
}

func (s *junitSuite) property(name, value string) {
	if value != "" {
		s.Properties = append(s.Properties, junitProperty{name, excerpt(value)})
	}
}

// translator adds the suite of a translator, with the kinds of checks.
func (j *junit) translator(x *ToolStats) {
	t := j.summary
	suite := j.of(x.Name, x.Seconds)
	suite.property("command", x.Command)
	suite.property("version", x.Version)
	suite.property("states", strconv.Itoa(x.States))
	suite.property("edges", strconv.Itoa(x.Edges))
	// Each cause is a test case of its own. So the kind of check fails only without causes.
	check := func(name string, seconds float64, n int, kind func(outcome.Class) bool, wrong bool, r junitResult) *junitCase {
		c := j.test(suite, name, seconds)
		below := 0
		for _, f := range j.groups {
			if f.Level != past && slices.Contains(f.Translators, x.Name) && kind(f.Class) {
				below++
			}
		}
		switch {
		case below > 0:
			c.Skipped = &junitResult{Message: plural.Of(below, "cause") + ": see the other test cases"}
		case n > 0:
			j.failed(c, wrong, true, r)
		}
		return c
	}
	c := check("agreement", 0, x.WrongP+x.WrongN, func(c outcome.Class) bool { return c.Words }, true, junitResult{"disagreement", j.wrong(x), ""})
	switch {
	case x.WrongP+x.WrongN > 0:
	case x.Statuses[outcome.OK] == 0: // neither passed nor failed: nothing was compared
		c.Skipped = &junitResult{Message: "no automata"}
	case t.NoChecks:
		c.Skipped = &junitResult{Message: "checks are turned off"}
	}
	n := x.failures()
	c = check("calls", x.Seconds, n, func(c outcome.Class) bool { return c.IsCall() && c.Finding == "" }, false, junitResult{"failed calls", fmt.Sprintf("%d of %s failed", n, plural.Of(x.Formulas, "call")), ""})
	if n == 0 && x.Statuses[outcome.Skipped] == x.Formulas {
		c.Skipped = &junitResult{Message: "no calls"}
		if x.Formulas > 0 {
			c.Skipped.Message = "all calls were skipped: " + line(x.Skip, 200)
		}
	}
	check("declared properties", 0, 0, outcome.Class.IsProperty, true, junitResult{})
	check("stable answers", 0, x.Unstable, func(c outcome.Class) bool { return c.Finding == outcome.Unstable }, false,
		junitResult{"unstable", plural.Of(x.Unstable, "answer") + " that a fresh process does not give", ""})
	note := t.common(x)
	if note != "" {
		note += "\n"
	}
	for _, f := range t.failures() { // the others have test cases
		if f.Level == minor && slices.Contains(f.Translators, x.Name) {
			detail, _ := f.detail()
			note += j.headline(f) + ": " + line(detail, 400) + "\n"
		}
	}
	suite.Out = out(note)
}

func (j *junit) wrong(x *ToolStats) string {
	var parts []string
	if x.WrongP > 0 {
		parts = append(parts, "for "+j.summary.inputs(x.WrongP))
	}
	if x.WrongN > 0 {
		parts = append(parts, "for the negations of "+j.summary.inputs(x.WrongN))
	}
	return "wrong " + strings.Join(parts, ", ")
}

// headline says in a line what a group is.
func (j *junit) headline(g *failure) string {
	text := fmt.Sprintf("%s on %s", g.Name(), g.Input())
	if g.Word != "" {
		text += ", word " + g.Word
	}
	if n := g.Count(); n != "" {
		text += " (" + n + ")"
	}
	if g.State != "" {
		text = string(g.State) + ": " + text
	}
	return line(text, 400)
}

// group adds the test case of a group of failures to the suite of a translator.
func (j *junit) group(translator string, f *failure) {
	c := j.test(j.of(translator, 0), name(f), 0)
	var b strings.Builder
	list, about := f.facts()
	for _, x := range append(list, about...) {
		fmt.Fprintf(&b, "%-12s%s\n", x.Name+":", excerpt(x.Text))
	}
	if f.Command != "" {
		fmt.Fprintf(&b, "%-12s%s\n", "command:", excerpt(f.Command))
	}
	switch f.State {
	case outcome.StateFixed:
		c.Out = out(string(f.State) + "\n" + b.String()) // it has passed
	case outcome.StateUnseen:
		c.Skipped = &junitResult{Message: j.headline(f) + ": its " + j.summary.plural() + " were not checked", Text: lines(b.String())}
	default:
		j.failed(c, !f.Class.IsCall(), j.summary.counts(&f.Group), junitResult{line(f.Name(), 200), j.headline(f), b.String()})
	}
}

// name returns the name of a group's test case: its key, without the translator, and with the name
// of a signal. Of a document without keys it is what is wrong.
func name(g *failure) string {
	name := cmp.Or(g.Key, g.Class.String())
	for _, translator := range g.Translators {
		if key, ok := strings.CutPrefix(g.Key, translator+" | "); ok && key != "" {
			name = key
			break
		}
	}
	if g.Class.Status == outcome.Crash {
		name = strings.Replace(name, g.Class.String(), ClassName(g.Class), 1)
	}
	return stable(name)
}

// stable returns a text as a name in a line. Different texts have different names, and the
// same always the same.
func stable(text string) string {
	name := line(text, 200)
	if name == text && name != "" {
		return name
	}
	h := fnv.New32a()
	io.WriteString(h, text)
	return strings.TrimSpace(fmt.Sprintf("%s [%08x]", name, h.Sum32()))
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Time   string        `xml:"time,attr"`
	Suites []*junitSuite `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr,omitempty"`
	Host       string          `xml:"hostname,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []*junitCase    `xml:"testcase"`
	Out        *junitText      `xml:"system-out"`

	class   string
	seconds float64
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     *junitText   `xml:"system-out"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",innerxml"`
}

// A junitText is text that has been made fit for XML.
type junitText struct {
	Text string `xml:",innerxml"`
}

// junitTime is how a suite says when it started, in UTC.
const junitTime = "2006-01-02T15:04:05"

// maxText bounds a text within a test case: commands may hold large automata.
const maxText = 16 << 10

// excerpt returns a text, without its middle if it is long.
func excerpt(text string) string {
	if len(text) <= maxText {
		return text
	}
	head, tail := text[:maxText/2], text[len(text)-maxText/4:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n… (%d bytes left out)\n", len(text)-len(head)-len(tail)) + strings.ToValidUTF8(tail, "")
}

// lines returns a text in XML, on lines of its own. What XML can't have is replaced.
func lines(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte("\n"+strings.TrimSuffix(excerpt(text), "\n")+"\n"))
	return plainLines.Replace(b.String())
}

// plainLines undoes what is necessary in attributes only.
var plainLines = strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t", "&#39;", "'", "&#34;", `"`)

// out returns what a suite or test case prints, nil if that is nothing.
func out(text string) *junitText {
	if text == "" {
		return nil
	}
	return &junitText{lines(text)}
}

func decimal(seconds float64) string { return strconv.FormatFloat(max(0, seconds), 'f', 3, 64) }

func (j *junit) write(w io.Writer) error {
	all := junitSuites{Name: "xcheck", Suites: j.list}
	var total float64
	for _, s := range j.list {
		s.Time = decimal(s.seconds)
		total += max(0, s.seconds)
		for _, c := range s.Cases {
			s.Tests++
			switch {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	all.Time = decimal(total)
	b := bytes.NewBufferString(xml.Header)
	e := xml.NewEncoder(b)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(guard.Writer(w), screen.Escape(b.String()+"\n"))
	return err
}
