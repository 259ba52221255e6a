package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/explain"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// What the tests of package report_test need.
var (
	Line          = jsonLine
	NewHTML       = newHTML
	NewJSON       = newJSON
	NewLaTeX      = newLaTeX
	NewLTLCross   = newLTLCross
	WriteJUnit    = writeJUnit
	WriteMarkdown = writeMarkdown
)

func (p *Pair) WriteScatter(w io.Writer) error { return p.scatter.Write(w) }

func (c *Comparison) WriteCactus(w io.Writer) error { return c.cactuses()[0].Write(w) }

// wrongUntil accepts a U b, and the words on which neither is true once.
const wrongUntil = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 \"a U b\"\n[0&!1] 0\n[1] 1\n[!0&!1] 1\nState: 1\n[t] 1 {0}\n--END--\n"

// explained returns a case in which a translator called mine has an automaton that is wrong on
// a word, with the explanation that a run would have.
func explained(t *testing.T, formula, text, word string) *outcome.Case {
	t.Helper()
	a := must.First(hoa.ReadOne(context.Background(), []byte(text)))
	w := must.Get(omega.ParseWord(context.Background(), word))
	e := must.Get(explain.Acceptance(context.Background(), a, w))
	mine := outcome.Subject{Translator: "mine"}
	e.Automata, e.HOA = []outcome.Subject{mine}, text
	kind := map[bool]string{true: "extra", false: "missing"}[e.Accepts]
	seed := uint64(42)
	return &outcome.Case{Formula: formula, Seed: &seed, Checked: true, Reference: "builtin",
		Results: []outcome.Result{{Subject: mine, Status: "ok", Sizes: omega.Sizes{States: a.NumStates(), Edges: a.NumEdges()}, Seconds: 0.5},
			{Subject: outcome.Subject{Translator: "other"}, Status: "ok", Sizes: omega.Sizes{States: 1, Edges: 2}, Seconds: 0.25}},
		Disagreements: []outcome.Disagreement{{Word: word, Size: 1, Shortest: true, Kind: outcome.Kind(kind), Truth: !e.Accepts,
			Accepts: []outcome.Answer{{Subject: mine, Accepts: e.Accepts}, {Subject: outcome.Subject{Translator: "other"}, Accepts: !e.Accepts, Right: true}},
			Blamed:  []outcome.Subject{mine}, Explanations: []outcome.Explanation{*e},
			Table: &outcome.TruthTable{Letters: []string{"!a&!b"}, Rows: []outcome.TruthRow{{Formula: "a", Truth: "0"}, {Formula: formula, Truth: "0"}}}}}}
}

// causeOf returns the cause that a run finds for such a case.
func causeOf(c *outcome.Case) *outcome.Cause {
	d := c.Disagreements[0]
	return &outcome.Cause{Record: outcome.Record{Translators: []string{"mine"}, Class: d.Kind.Class(), Formula: c.Formula, Word: d.Word, Size: d.Size, Shortest: d.Shortest, Formulas: 3, Command: "xcheck run --only mine -f '" + c.Formula + "'"}, Original: c.Formula, Seed: c.Seed, Case: c}
}

// written returns the page of a run, made with this program instead of Graphviz's, and why automata are not drawn.
func written(t *testing.T, program string, summary *Summary, cases ...*outcome.Case) (text, undrawn string) {
	t.Helper()
	var b bytes.Buffer
	h := newHTML(&b)
	h.Graphviz = program
	h.Note = func(why string) { undrawn = why }
	for _, c := range cases {
		if summary.cases < len(cases) {
			summary.Add(c)
		}
		must.Do(h.Case(c, News{}))
	}
	must.Do(h.End(summary))
	return b.String(), undrawn
}

// absent is the name of a program that there is not.
const absent = "no-such-program"

// TestHTML: what a page shows of a run with a wrong automaton.
func TestHTML(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	c.Disagreements[0].Opposite = &outcome.Explanation{Automata: []outcome.Subject{{Translator: "other", Polarity: outcome.Negation}},
		Accepts: true, Why: "accepting run of the other side"}
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{causeOf(c)}
	summary.Counts.Status = 1
	seven := uint64(7)
	text, undrawn := written(t, absent, summary, c, &outcome.Case{Index: 1, Formula: "a", Seed: &seven, Checked: true})
	for _, want := range []string{
		`<h1 class="verdict bad"><span class="badge">FAIL</span> 2 formulas checked, disagreement on 1 formula</h1>`, "<title>FAIL 1 – xcheck</title>", `<div class="tile bad"><dt>wrong</dt><dd>1</dd></div>`,
		"wrong: mine", "<dt>exit status</dt><dd>1</dd>",
		`data-translators="mine&#10;"`, "extra words", `<code class="formula">a U b</code>`, "shortest: 1 letter", "3 formulas",
		"xcheck run --only mine -f &#39;a U b&#39;", `data-kind="extra&#10;"`, `mine: <span class="class">extra</span>`, "accepts, wrong", "the word does not satisfy the formula", "<h4>mine</h4>", "<h4>other (negation), right</h4>\n<p>accepting run of the other side</p>", "accepting run sees {0} infinitely often",
		`<tr class="prefix" data-step="1">`, `<tr class="cycle" data-step="2">`, `0 → 1`, "Inf(0)", "The automaton in HOA format",
		// Without Graphviz, the edges, edges of the run first.
		`<tr class="prefix t1"><td>→ 0 a U b<td class="code">!a&amp;!b<td>1<td><td>1</tr>`, `<tr class="cycle t2"><td>1<td class="code">1<td>1<td>{0}<td>2*</tr>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if undrawn == "" || !strings.Contains(text, "automata are shown as tables") {
		t.Errorf("that nothing is drawn: %q", undrawn)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// TestHTMLAlone: a page asks for nothing, and runs no script but its own. What begins an
// element ends it, too.
func TestHTMLAlone(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{causeOf(c)}
	text, _ := written(t, absent, summary, c)
	if found := regexp.MustCompile(`(?:src|href|action|url)\s*[=(]\s*["']?(?:[a-z]+:)?//`).FindString(text); found != "" {
		t.Errorf("it refers to another page: %s", found)
	}
	if found := regexp.MustCompile(`<[^>]*\son[a-z]+\s*=`).FindString(text); found != "" {
		t.Errorf("an element has a script: %s", found)
	}
	for _, part := range []string{pageScript, pageStyle} {
		if !strings.Contains(text, ">"+part+"<") || !strings.Contains(text, strings.NewReplacer("+", "&#43;").Replace(hashOf(part))) {
			t.Error("the policy does not allow what is on the page")
		}
	}
	for _, tag := range []string{"details", "section", "table", "div", "script", "figure", "template", "pre", "dl", "ol"} {
		begins, ends := len(regexp.MustCompile("<"+tag+"[ >]").FindAllString(text, -1)), strings.Count(text, "</"+tag+">")
		if begins != ends {
			t.Errorf("<%s> begins %d times and ends %d times", tag, begins, ends)
		}
	}
}

// TestHTMLStates: the states of groups, what has changed, and the runs.
func TestHTMLStates(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{causeOf(c)}
	summary.Causes[0].Translators, summary.Causes[0].Key = []string{"mine", "yours"}, "words | a U b"
	begun := time.Date(2026, 11, 2, 22, 0, 0, 0, time.UTC)
	before := &outcome.RunID{Run: 6, Started: begun.AddDate(0, 0, -1)}
	summary.Regression = &outcome.Regression{RunID: outcome.RunID{Run: 7, Started: begun}, Baseline: before,
		Groups: []outcome.Group{
			// One cause may have different states for its translators; the formula may come from an
			// earlier run.
			{State: outcome.StateBackAgain, Record: outcome.Record{Translators: []string{"mine"}, Key: "mine | words | a U b", Class: outcome.ParseClass("extra words"), Formula: "b", Formulas: 3, Command: "again b"}, First: before, Last: before},
			{State: outcome.StateKnown, Record: outcome.Record{Translators: []string{"yours"}, Key: "yours | words | a U b", Class: outcome.ParseClass("extra words"), Formula: "b", Formulas: 3, Command: "again b"}, First: before, Last: before},
			{State: outcome.StateFixed, Record: outcome.Record{Translators: []string{"gone"}, Class: outcome.ParseClass("missing words"), Formula: "Fa", Word: "cycle{a}", Size: 1, Command: "xcheck run -f Fa"}},
			{State: outcome.StateUnseen, Record: outcome.Record{Translators: []string{"gone"}, Class: outcome.ParseClass("timeout"), Formula: "Ga"}},
		},
		Changes: []outcome.Change{{Translator: "mine", Measure: "time", Formulas: 900, Before: 10, After: 11.5, Ratio: 1.12, P: 1e-9, VersionBefore: "1.0", VersionAfter: "1.1"}},
		Notes:   []string{"the machine is slower"}}
	text, _ := written(t, absent, summary, c)
	groups := regexp.MustCompile(`(?s)<details class="group ([a-z]+)" id="[^"]*" data-state="([^"]*)".*?<code class="formula">([^<]*)<`).FindAllStringSubmatch(text, -1)
	var got []string
	for _, g := range groups {
		got = append(got, strings.Join(g[1:], " "))
	}
	want := []string{"bad back again b", "bad known b", "past fixed Fa", "past unseen Ga"}
	if !slices.Equal(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
	for _, want := range []string{"<dt>wrong, new on 1 formula</dt>", "1 back again", "1 known", "1 fixed", "1 unseen", `<a href="#mine-words-a-u-b-`, `shown on <span class="code">a U b</span>`, "&#43;12.0 %", "900", "1.1, before: 1.0", "the machine is slower",
		`aria-label="command to reproduce the first new failure">again b<`, "first seen <span>2026-11-01 (run 6)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	// The news come before all else, and say how many there are.
	if news, about := strings.Index(text, `id="new"`), strings.Index(text, `class="rest"`); news < 0 || news > about {
		t.Errorf("the news are at %d, and the other sentences at %d", news, about)
	}
	for i := range pageNews {
		summary.Regression.Groups = append(summary.Regression.Groups, outcome.Group{State: outcome.StateNew, Record: outcome.Record{Translators: []string{"new"}, Class: outcome.ParseClass("crash 11"), Formula: fmt.Sprint("p", i)}})
	}
	if text, _ := written(t, absent, summary, c); !strings.Contains(text, `12 of 13: see <a href="#failures">all of them</a>`) {
		t.Error("the page does not say that 12 of 13 news are shown")
	}
}

// TestHTMLNothing: a run in which all is well, or of nothing at all, has a page, too.
func TestHTMLNothing(t *testing.T) {
	text, _ := written(t, absent, NewSummary(nil))
	if !strings.Contains(text, `class="verdict poor"`) || strings.Contains(text, "not drawn") {
		t.Error("the page of nothing: ", text)
	}
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	c.Disagreements, c.Checks = nil, []outcome.Check{{Check: "P good & N good", Verdict: outcome.Passed}}
	text, _ = written(t, absent, NewSummary(nil), c)
	if !strings.Contains(text, `<h1 class="verdict good"><span class="badge">PASS</span> 1 formula checked, no disagreement</h1>`) || strings.Contains(text, "Failures") || !strings.Contains(text, `id="points"`) {
		t.Error(text)
	}
	// A tool that made nothing is not plotted, and the others are.
	c.Results = append([]outcome.Result{{Subject: outcome.Subject{Translator: "dead"}, Status: "exit"}}, c.Results...)
	text, _ = written(t, absent, NewSummary(nil), c)
	if _, plots, ok := strings.Cut(text, `id="points">`); !ok || !strings.Contains(plots, `"pairs":[{`) || strings.Contains(plots, `"dead"`) {
		t.Error("the plots: ", plots)
	}
}

// TestHTMLWithoutCauses: of automata, and of a document that is cut off, no causes are known:
// there is a group for each translator and kind, with the smallest case.
func TestHTMLWithoutCauses(t *testing.T) {
	large, small := explained(t, "G(a U b)", wrongUntil, "cycle{!a&!b}"), explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	small.Index = 1
	text, _ := written(t, absent, NewSummary(nil), large, small)
	if n := strings.Count(text, `<details class="group `); n != 1 || !strings.Contains(text, `<code class="formula">a U b</code>`) || !strings.Contains(text, "2 formulas") {
		t.Errorf("%d groups: %s", n, text)
	}
	given := explained(t, "", wrongUntil, "cycle{!a&!b}")
	given.Automaton = &outcome.Given{Source: "list.hoa:7", HOA: wrongUntil, States: 2}
	summary := NewSummary(nil)
	summary.Automata = true
	text, _ = written(t, absent, summary, given)
	for _, want := range []string{"list.hoa:7", "1 automaton", "the input rejects it", "<th>translator<th>answer</tr>", "Failing automata"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
}

// TestHTMLOfDocument: the page of a document equals the page of the run that wrote it.
func TestHTMLOfDocument(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{causeOf(c)}
	want, _ := written(t, absent, summary, c)
	var document, page bytes.Buffer
	summary.Decide()
	j := newJSON(&document)
	must.Do(errors.Join(j.Case(c, News{}), j.End(summary)))
	again, h := NewSummary(nil), newHTML(&page)
	h.Graphviz = absent
	rest, err := Read(&document, func(c *outcome.Case) error {
		again.Add(c)
		return h.Case(c, News{})
	})
	if err != nil {
		t.Fatal(err)
	}
	again.Complete(rest)
	must.Do(h.End(again))
	if page.String() != want {
		t.Errorf("got\n%s\nwant\n%s", page.String(), want)
	}
}

// TestHTMLWords: the word that a group is named after comes first, and once if automata are wrong on it
// in two ways, the way of the group's class first.
func TestHTMLWords(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	extra := c.Disagreements[0]
	missing, other := extra, extra
	missing.Kind, other.Word = "missing", "cycle{a&!b}"
	c.Disagreements = []outcome.Disagreement{other, missing, extra}
	cause := causeOf(c)
	cause.Class, cause.Word = outcome.Extra.Class(), extra.Word
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{cause}
	g := newPageGroup(summary.failures()[0])
	if len(g.Words) != 1 || g.Words[0].Title != "extra and missing word" || g.Words[0].Word != extra.Word || g.WordsLeft != 1 {
		t.Errorf("%+v", g)
	}
}

// TestGeneralShown: each report for people has the word without what plays no part, and the prefix
// that settles the truth, once for a word on which two automata are wrong, and the call of each.
func TestGeneralShown(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "!a&!b; cycle{a&b}")
	d := &c.Disagreements[0]
	c.Reference, d.Size, d.General, d.Prefix = "builtin", 2, "!a&!b; cycle{1}", "!a&!b"
	c.Results[0].Command, c.Results[1].Command = "mine a", "mine not"
	c.Results[1].Subject = outcome.Subject{Translator: "mine", Polarity: outcome.Negation}
	again := *d
	again.Kind, again.General, again.Blamed = outcome.Missing, "", []outcome.Subject{c.Results[1].Subject}
	c.Disagreements[0].Accepts[1] = outcome.Answer{Subject: c.Results[1].Subject}
	c.Disagreements = append(c.Disagreements, again)
	summary := NewSummary(nil)
	cause := causeOf(c)
	cause.Key = "extra words"
	summary.Causes = []*outcome.Cause{cause}
	var text, markdown, junit bytes.Buffer
	must.Do((&Text{W: &text, Verbose: true}).Case(c, summary.Add(c)))
	page, _ := written(t, absent, summary, c)
	must.Do(writeMarkdown(&markdown, summary))
	must.Do(writeJUnit(&junit, summary))
	for name, x := range map[string]struct{ report, general, settled, call string }{
		"text": {text.String(), "  in general: !a&!b; cycle{1}   (extra)\n", "  settled by: !a&!b   (bad prefix: the formula is false whatever follows)\n", "  command:    mine not\n"},
		"HTML": {page, "in general: <code>!a&amp;!b; cycle{1}   (extra)</code> (what is left out plays no part)",
			"settled by: <code>!a&amp;!b</code> (bad prefix: the formula is false whatever follows)", ">mine not</pre>"},
		"Markdown": {markdown.String(), "- in general: <code>!a&#38;!b; cycle{1}   (extra)</code>\n", "- settled by: <code>!a&#38;!b   (bad prefix: ", "- call: <code>mine not</code>"},
		"JUnit":    {junit.String(), "\nin general: !a&amp;!b; cycle{1}   (extra)\n", "\nsettled by: !a&amp;!b   (bad prefix: ", "\ncall:       mine not\n"},
	} {
		if !strings.Contains(x.report, x.general) || strings.Count(x.report, x.settled) != 1 || strings.Count(x.report, "settled by") != 1 || strings.Count(x.report, x.call) != 1 {
			t.Errorf("%s:\n%s", name, x.report)
		}
	}
	if !regexp.MustCompile(`(?s)builtin is xcheck's built-in.*\* marks the cycle.*call of mine.*mine not`).MatchString(page) {
		t.Error("no evidence, or not before the calls: ", page)
	}
	// What both kinds have in common is said once.
	again.General = d.General
	if got := general([]outcome.Disagreement{*d, again}); !slices.Equal(got, []string{d.General}) {
		t.Errorf("in general: %q", got)
	}
}

// TestHTMLFailures: calls that failed have their command and the end of what they wrote.
func TestHTMLFailures(t *testing.T) {
	stderr := strings.Repeat("noise\n", 4000) + "assertion <failed>"
	c := &outcome.Case{Formula: "a U b", Results: []outcome.Result{{Subject: outcome.Subject{Translator: "mine"}, Status: "exit", ExitCode: 3, Detail: "exit status 3",
		Command: "mine 'a U b' > x", Stderr: stderr, Failure: outcome.ParseClass("exit 3: assertion")}},
		Findings: []outcome.Finding{{Subject: outcome.Subject{Translator: "mine"}, Class: "header", Text: "what is <this>"}}}
	text, _ := written(t, absent, NewSummary(nil), c)
	for _, want := range []string{"exit 3: assertion", "mine &#39;a U b&#39; &gt; x", "assertion &lt;failed&gt;", "what is &lt;this&gt;", `<span class="class">exit 3: assertion</span>`, `<span class="class">header</span>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if strings.Count(text, "noise") > callText/len("noise\n")+1 {
		t.Error("all of standard error is on the page")
	}
}

// TestHTMLEscaped: within a script element for later, text neither ends it nor opens another;
// and it is the same text when it is read.
func TestHTMLEscaped(t *testing.T) {
	for _, text := range []string{"</script><img src=x onerror=alert(1)>", "<!--<script>", "<\\/script>", "</SCRIPT >", "a < b & c > d \u2028", "<!", "</"} {
		js := must.Get(inScript([]string{text}))
		var list []string
		if err := json.Unmarshal([]byte(js), &list); err != nil || list[0] != text {
			t.Errorf("%q is read as %q: %v", text, list, err)
		}
		if strings.Contains(string(js), "</") || strings.Contains(string(js), "<!") {
			t.Errorf("%q stands as %s", text, js)
		}
	}
}

// TestDigestBounded: what is kept of many cases does not grow with them, and does not depend
// on their order.
func TestDigestBounded(t *testing.T) {
	const n = 3000
	cases := make([]*outcome.Case, n)
	for i := range cases {
		c := &outcome.Case{Index: i, Formula: fmt.Sprintf("X%d a", i)}
		for k := range 12 {
			s := outcome.Subject{Translator: fmt.Sprint("tool ", k)}
			status := "ok"
			if k == 0 {
				status = "exit"
			}
			c.Results = append(c.Results, outcome.Result{Subject: s, Status: outcome.Status(status), Failure: outcome.ParseClass("exit 1"), Sizes: omega.Sizes{States: (i*k)%97 + 1, Edges: i}, Seconds: float64((i*7919)%n) / n})
		}
		cases[i] = c
	}
	kept := func(order []*outcome.Case) (*digest, string) {
		d := newDigest()
		for _, c := range order {
			must.Do(d.add(c))
		}
		var list []string
		for _, x := range d.sample.list() {
			list = append(list, x.text)
		}
		return d, strings.Join(list, "\n")
	}
	d, texts := kept(cases)
	if len(d.failing) != digestFailing || d.more != n-digestFailing {
		t.Errorf("%d failing formulas, %d more", len(d.failing), d.more)
	}
	s := &d.sample
	// Tools without an automaton, as the first one, have no values.
	if most := s.most() + len(s.largest)*sampleLargest; len(s.inputs) != sampleValues/11 || len(s.list()) > most || s.all != n {
		t.Errorf("%d and %d inputs of %d are kept, at most %d", len(s.inputs), len(s.list()), s.all, most)
	}
	slowest := math.Inf(-1)
	for _, x := range s.list() {
		for k, m := range s.measures {
			if m.Name == "time" {
				slowest = max(slowest, x.values[k])
			}
		}
	}
	if slowest != float64(n-1)/n {
		t.Errorf("the slowest that is kept took %v", slowest)
	}
	turned := slices.Clone(cases)
	slices.Reverse(turned)
	for _, c := range turned { // translators keep their places
		slices.SortFunc(c.Results, func(r, s outcome.Result) int { return strings.Compare(r.Translator, s.Translator) })
	}
	if d2, texts2 := kept(turned); len(d2.sample.inputs) != len(s.inputs) || !sameHashes(d2, d) {
		t.Errorf("another order, another sample: %d bytes and %d", len(texts), len(texts2))
	}
}

func sameHashes(d, e *digest) bool {
	hashes := func(d *digest) (list []uint64) {
		for _, x := range d.sample.inputs {
			list = append(list, x.hash)
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(hashes(d), hashes(e))
}

// fakeDot returns a program that is called instead of Graphviz's.
func fakeDot(t *testing.T, script string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "dot")
	must.Do(os.WriteFile(name, []byte("#!/bin/sh\n"+script), 0o777))
	return name
}

// picture0 is what Graphviz writes, with all that must not come into a page.
const picture0 = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="62pt" height="44pt" viewBox="0.00 0.00 62.00 44.00" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<g id="graph0" class="graph" transform="scale(1 1) rotate(0) translate(4 40)"><title>g0</title><polygon fill="white" points="-4,4 58,4"/>
<g id="node1" class="node state run"><title>0</title><a xlink:href="javascript:alert(1)"><ellipse fill="none" stroke="black" cx="27" cy="-18" rx="27" ry="18" onclick="alert(2)"/></a>
<text text-anchor="middle" x="27" y="-14.3" style="x">&lt;img&gt;</text><script>alert(3)</script></g>
<g id="edge1" class="edge prefix t1 t3"><title>0&#45;&gt;1</title><path fill="none" stroke="black" stroke-dasharray="5,2" d="M54,-18C62,-18 71,-18 79,-18"/><image xlink:href="http://example.org"/>
<text text-anchor="start&quot; onload=&quot;x" x="1" y="2">▸1 3</text></g></g></svg>
`

// TestPictures: of a picture, nothing but shapes and texts comes into the page; no link, with
// what is in it.
func TestPictures(t *testing.T) {
	pictures := make([]string, 2)
	second := strings.Replace(picture0, "<title>g0</title>", "<title>g1</title>", 1)
	n, err := readPictures(strings.NewReader(picture0+second), pictures, []string{"an <automaton>", ""})
	if n != 2 || err != nil {
		t.Fatalf("%d pictures: %v", n, err)
	}
	want := `<svg role="img" aria-label="an &lt;automaton&gt;" viewBox="0.00 0.00 62.00 44.00" width="78" height="55"><g class="graph" transform="scale(1 1) rotate(0) translate(4 40)">` +
		`<g class="node state run"><text x="27" y="-14.3" text-anchor="middle">&lt;img&gt;</text></g>` +
		`<g class="edge prefix" data-steps="1 3"><path d="M54,-18C62,-18 71,-18 79,-18" class="dashed"/><text x="1" y="2" text-anchor="" class="steps">▸1 3</text></g></g></svg>`
	if pictures[0] != want {
		t.Errorf("got\n%s\nwant\n%s", pictures[0], want)
	}
	if pictures[1] == "" {
		t.Error("the second picture is not in its place")
	}
}

// TestGraphvizFails: whatever the program does, there is a page, which says what is missing.
func TestGraphvizFails(t *testing.T) {
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	for name, script := range map[string]string{
		"status":  "cat >/dev/null; echo no luck >&2; exit 1",
		"nothing": "exit 0",
		"text":    "cat >/dev/null; echo hello",
		"half":    "cat >/dev/null; echo '<svg width=\"1pt\" height=\"1pt\"><g>'",
		"other":   "cat >/dev/null; echo '<svg width=\"1pt\" height=\"1pt\"><g><title>g9</title></g></svg>'",
		"html":    "cat >/dev/null; echo '<html></html>'",
	} {
		summary := NewSummary(nil)
		summary.Causes = []*outcome.Cause{causeOf(c)}
		text, undrawn := written(t, fakeDot(t, script), summary, c)
		if undrawn == "" || !strings.Contains(text, "automata are shown as tables") || !strings.Contains(text, `<table class="edges">`) {
			t.Errorf("%s: %q", name, undrawn)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := draw(ctx, fakeDot(t, "exec sleep 600"), []string{"digraph {}"}, []string{""}); err == nil || time.Since(begin) > time.Minute {
		t.Errorf("a program that does not end: %v after %v", err, time.Since(begin))
	}
}

// TestDiagrams: the graph of an automaton has the steps of the run at the edges that it takes,
// where a run ends, and, if there is too much, what the run sees of it.
func TestDiagrams(t *testing.T) {
	ring := func(n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\n", n)
		for s := range n {
			fmt.Fprintf(&b, "State: %d\n[0] %d\n[!0] 0 {0}\n", s, (s+1)%n)
		}
		return b.String() + "--END--\n"
	}
	for _, c := range []struct {
		name, text, word string
		want             []string
		drawn            bool
	}{
		{"lasso", wrongUntil, "cycle{!a&!b}", []string{`0 -> 1 [label="!a&amp;!b\n▸1", class="prefix t1", weight=2]`, `1 -> 1 [label="1\n{0}\n▸2*", class="cycle t2", weight=2]`, `0 [label="0\na U b", class="state run", shape=box, style=rounded]`}, true},
		{"stuck", "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n", "a; cycle{!a}", []string{`0 -> stuck [class="stuck t2", style=dashed, label="!a\n▸2"]`, `class="state run end"`}, true},
		{"part", ring(100), "cycle{!a}", []string{`o0 [shape=none, label="1 edge", class=others]`}, true},
		{"too large", ring(100), "cycle{" + strings.Repeat("a; ", 60) + "a}", nil, false},
		{"quoted", strings.Replace(wrongUntil, "a U b", `\\N \"<b>\" &amp;`, 1), "cycle{!a&!b}", []string{`0\n\\N \"<b>\" &amp;amp;`}, true},
		{"no states", "HOA: v1\nStates: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\n--END--\n", "cycle{a}", nil, false},
		{"alternating", "HOA: v1\nStates: 2\nStart: 0&1\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0&1\nState: 1\n[t] 1\n--END--\n", "cycle{!a}", []string{"shape=point, class=branch", "style=dashed, class=branch"}, true},
	} {
		x := explained(t, "f", c.text, c.word)
		d := newDiagram(&x.Disagreements[0].Explanations[0], c.word)
		if d == nil || d.drawable() != c.drawn {
			t.Errorf("%s: %+v", c.name, d)
			continue
		}
		text := d.dot("g0")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", c.name, want, text)
			}
		}
		if rows, left := d.rows(); len(rows)+left != d.automaton.NumEdges() || len(rows) > drawnEdges || len(d.steps) > 0 && rows[0].Steps == "" {
			t.Errorf("%s: %d rows and %d left of %d edges", c.name, len(rows), left, d.automaton.NumEdges())
		}
	}
	// A run that is not one of the automaton, as somebody else's document may have it.
	for _, step := range []outcome.Step{{State: 7}, {State: -1}, {Label: "1", To: 1}, {Label: "b", To: 0}} {
		e := &outcome.Explanation{HOA: wrongUntil, Run: &outcome.Path{Prefix: []outcome.Step{step}}}
		if d := newDiagram(e, "cycle{a}"); d != nil {
			t.Errorf("a run with %+v", step)
		}
	}
}

// TestGraphviz draws with the real program, where there is one.
func TestGraphviz(t *testing.T) {
	campaign.Needs(t, "dot")
	c := explained(t, "a U b", wrongUntil, "cycle{!a&!b}")
	summary := NewSummary(nil)
	summary.Causes = []*outcome.Cause{causeOf(c), causeOf(c), causeOf(c)}
	text, undrawn := written(t, "dot", summary, c)
	if n := strings.Count(text, "<svg role=\"img\" aria-label=\"automaton with 2 states and 4 edges; the run on the word is marked\""); n != 3 || undrawn != "" {
		t.Errorf("%d pictures: %q", n, undrawn)
	}
	for _, want := range []string{`<g class="edge prefix" data-steps="1">`, `<g class="edge cycle" data-steps="2">`, `class="steps">▸2*</text>`} {
		if strings.Count(text, want) != 3 {
			t.Errorf("the pictures do not have %s", want)
		}
	}
}

// TestPageNames: names of pages can be read, are valid names, and differ where keys do.
func TestPageNames(t *testing.T) {
	used := map[string]string{}
	for key, start := range map[string]string{
		"mine | words | Fa":                       "causes/mine-words-fa-",
		"mine | words | !Fa":                      "causes/mine-words-fa-",
		"ltl2tgba -B | exit 3: assertion | a U b": "causes/ltl2tgba-b-exit-3-assertion-a-u-b-",
		"../../etc/passwd | words":                "causes/etc-passwd-words-",
		"é | 語":                                   "causes/cause-",
		"":                                        "causes/cause-",
		strings.Repeat("a long name ", 9) + "| X": "causes/a-long-name-a-long-name-a-long-name-a-long-name-a-",
	} {
		c := &SiteCause{Timeline: &outcome.Timeline{Key: key}}
		name := c.Page()
		if !strings.HasPrefix(name, start) || len(name) != len(start)+len("0123456789abcdef.html") || !new(Site).HasPage(path.Base(name)) {
			t.Errorf("the page of %q is %q, expected %q and a hash", key, name, start)
		}
		if used[name] != "" {
			t.Errorf("%q and %q have the same page", key, used[name])
		}
		used[name] = key
	}
	for _, name := range []string{"", "index.html", "0123456789abcdef.html", "-0123456789abcdef.html", "x-0123456789abcdeg.html", "x-0123456789abcdef.htm", "x-0123456789abcdef0.html"} {
		if new(Site).HasPage(name) {
			t.Errorf("%q is the name of a page", name)
		}
	}
}
