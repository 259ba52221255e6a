package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// TestJUnit: groups of failures in all states, as engines get them.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	must.Do(report.WriteJUnit(&b, fiveStates(t)))
	golden(t, "states.xml", b.Bytes())
	if err := report.WriteJUnit(full{}, fiveStates(t)); !errors.Is(err, errFull) {
		t.Errorf("full disk: %v", err)
	}
}

// outcomes returns a line for each test case that has not passed: its class and name, what
// it is instead, and the message.
func outcomes(t *testing.T, summary *report.Summary) (list []string) {
	t.Helper()
	for _, s := range readJUnit(t, summary).Suites {
		for _, c := range s.Cases {
			for _, o := range []struct {
				what string
				*junitResult
			}{{"failure", c.Failure}, {"error", c.Error}, {"skipped", c.Skipped}} {
				if o.junitResult != nil {
					list = append(list, fmt.Sprintf("%s, %s: %s: %s", c.Class, c.Name, o.what, o.Message))
				}
			}
		}
	}
	return list
}

// TestJUnitCounts: what does not count for the status of the run is skipped, and names stay
// as they are.
func TestJUnitCounts(t *testing.T) {
	const (
		undecided = "xcheck, decided checks: error: 1 undecided check"
		unjudged  = "xcheck, end of the run: error: unchecked translators: broken"
		agreement = "xcheck.liar, agreement: skipped: 2 causes: see the other test cases"
		property  = "xcheck.liar, declared properties: skipped: 1 cause: see the other test cases"
		lie       = "xcheck.liar, property: declared weak, but it is not: failure: property: declared weak, but it is not on Ga (1 call)"
		fresh     = "xcheck.liar, words | Ga: failure: new: extra words on Ga, word a; cycle{!a} (1 formula)"
		back      = "xcheck.liar, words | a U b: failure: back again: missing words (negation only) on !(a U b), word cycle{!b} (3 formulas)"
		none      = "xcheck.broken, agreement: skipped: no automata"
		calls     = "xcheck.broken, calls: skipped: 1 cause: see the other test cases"
		known     = "xcheck.broken, exit 1: oops: error: known: exit 1: oops on Ga (2 formulas)"
		unseen    = "xcheck.gone, timeout: killed after …: skipped: unseen: timeout on G(a xor Xb): its formulas were not checked"
	)
	off := func(line string) string {
		return regexp.MustCompile(`: (failure|error): `).ReplaceAllString(line, ": skipped: ignored: ")
	}
	for _, c := range []struct {
		name   string
		change func(*report.Summary)
		want   []string
	}{
		{"all counts", func(*report.Summary) {}, []string{undecided, unjudged, agreement, property, fresh, back, lie, none, calls, known, unseen}},
		{"only new failures count", func(x *report.Summary) { x.Counts.FailOnNew = true },
			[]string{off(undecided), unjudged, agreement, property, fresh, back, off(lie), none, calls, off(known), unseen}},
		{"and are known in the next run", func(x *report.Summary) {
			x.Counts.FailOnNew, x.Counts.Status = true, 0
			x.Regression.Groups = slices.Clone(x.Regression.Groups)
			x.Regression.Groups[0].State, x.Regression.Groups[1].State = outcome.StateKnown, outcome.StateKnown
		}, []string{off(undecided), off(unjudged), agreement, property, off(strings.Replace(back, "back again:", "known:", 1)), off(strings.Replace(fresh, "new:", "known:", 1)), off(lie),
			none, calls, off(known), unseen}},
		{"exit statuses don't count", func(x *report.Summary) { x.Counts.Ignored = []outcome.Status{"exit"} },
			[]string{undecided, unjudged, agreement, property, fresh, back, lie, none, calls, off(known), unseen}},
		{"no failure counts", func(x *report.Summary) { x.Counts.Status = 0 },
			[]string{off(undecided), off(unjudged), agreement, property, off(fresh), off(back), off(lie), none, calls, off(known), unseen}},
		{"there is no history", func(x *report.Summary) { x.Regression = nil }, []string{undecided, unjudged, strings.Replace(agreement, "2 causes", "1 cause", 1), property,
			"xcheck.liar, words | Ga: failure: extra words on Ga, word a; cycle{!a} (1 formula)", lie, none, calls,
			"xcheck.broken, exit 1: oops: error: exit 1: oops on Ga (2 formulas)"}},
		{"it was interrupted", func(x *report.Summary) {
			x.Counts.Interrupted, x.Counts.Status = true, 130
			x.Causes, x.Regression = nil, nil
		}, []string{undecided, "xcheck, end of the run: error: interrupted", strings.Replace(agreement, "2 causes", "1 cause", 1), property,
			"xcheck.liar, extra words: failure: extra words on Ga, word a; cycle{!a} (1 formula)", lie, none, calls, "xcheck.broken, exit 1: oops: error: exit 1: oops on Ga (4 calls)"}},
	} {
		summary := fiveStates(t)
		c.change(summary)
		if got := outcomes(t, summary); !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// What follows is all that the schema junit-10 of Jenkins' xUnit plugin allows, of what we
// write: a document with anything else does not parse into it without a rest.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Time     string       `xml:"time,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
	Rest
}

type junitSuite struct {
	Name       string `xml:"name,attr"`
	Tests      int    `xml:"tests,attr"`
	Failures   int    `xml:"failures,attr"`
	Errors     int    `xml:"errors,attr"`
	Skipped    int    `xml:"skipped,attr"`
	Time       string `xml:"time,attr"`
	Timestamp  string `xml:"timestamp,attr"`
	Properties []struct {
		Properties []struct {
			Name  string `xml:"name,attr"`
			Value string `xml:"value,attr"`
			Rest
		} `xml:"property"`
		Rest
	} `xml:"properties"`
	Cases []junitCase `xml:"testcase"`
	Out   *string     `xml:"system-out"`
	Rest
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     *string      `xml:"system-out"`
	Rest
}

type junitResult struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
	Rest
}

// Rest is what is in a document and not in the schema.
type Rest struct {
	Attributes []xml.Attr `xml:",any,attr"`
	Elements   []struct{} `xml:",any"`
}

func (r Rest) empty() bool { return len(r.Attributes)+len(r.Elements) == 0 }

// seconds is the schema's type of times.
var seconds = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)

// readJUnit writes a run, and sees to it that it is well-formed and of the schema, that the
// numbers are right, and that no two test cases have the same name.
func readJUnit(t *testing.T, summary *report.Summary) (all junitSuites) {
	t.Helper()
	var b bytes.Buffer
	must.Do(report.WriteJUnit(&b, summary))
	if err := xml.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	ok := all.empty() && seconds.MatchString(all.Time)
	sum := [3]int{}
	names := map[[2]string]bool{}
	for _, s := range all.Suites {
		ok = ok && s.empty() && seconds.MatchString(s.Time) && s.Name != "" && len(s.Properties) <= 1
		for _, p := range s.Properties {
			ok = ok && p.empty()
			for _, one := range p.Properties {
				ok = ok && one.empty() && one.Name != ""
			}
		}
		n := [4]int{}
		for _, c := range s.Cases {
			n[0]++
			results := 0
			for i, r := range []*junitResult{c.Failure, c.Error, c.Skipped} {
				if r != nil {
					n[i+1]++
					results++
					ok = ok && r.empty() && r.Message != ""
				}
			}
			key := [2]string{c.Class, c.Name}
			ok = ok && c.empty() && c.Name != "" && c.Class != "" && results <= 1 && !names[key] && seconds.MatchString(c.Time)
			names[key] = true
		}
		ok = ok && n == [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}
		for i := range sum {
			sum[i] += n[i]
		}
	}
	if !ok || sum != [3]int{all.Tests, all.Failures, all.Errors} {
		t.Fatalf("not as the schema has it:\n%s", &b)
	}
	return all
}

// hostile returns a run in which each text is made by the function.
func hostile(text func() string) *report.Summary {
	summary := report.NewSummary(nil)
	names := []string{text(), text(), text()}
	for i := range 3 {
		c := &outcome.Case{Index: i, Formula: text(), Checked: true}
		for _, name := range names {
			p := outcome.Subject{Translator: name}
			c.Results = append(c.Results, outcome.Result{Subject: p, Status: outcome.Status([]string{"ok", "exit", text()}[i]), Detail: text(), Command: text(), Stderr: text(), Failure: outcome.ParseClass(text())})
			c.Findings = append(c.Findings, outcome.Finding{Subject: p, Class: outcome.FindingClass([]string{"property", "name", text()}[i]), Property: text(), Text: text()})
		}
		c.Disagreements = []outcome.Disagreement{{Word: text(), Blamed: []outcome.Subject{{Translator: names[0]}}}}
		summary.Add(c)
		summary.Causes = append(summary.Causes, &outcome.Cause{Record: outcome.Record{Translators: names[:i], Class: outcome.ParseClass(text() + " words"), Formula: text(), Word: text(), Key: text(), Command: text()}, Original: text(), Ground: i > 0})
	}
	for _, x := range summary.Translators {
		x.Command, x.Version, x.Skip = text(), text(), text()
	}
	summary.Counts.Error, summary.Counts.Status = text(), 1
	id := &outcome.RunID{Run: 1, Name: text()}
	r := &outcome.Regression{RunID: *id, Baseline: id, Notes: []string{text()}}
	for _, state := range []outcome.State{outcome.StateNew, outcome.StateBackAgain, outcome.StateKnown, outcome.StateFixed, outcome.StateUnseen} {
		for _, class := range []string{text(), text() + " words", "property: " + text()} {
			r.Groups = append(r.Groups, outcome.Group{State: state, Record: outcome.Record{Translators: []string{names[0], text()}, Class: outcome.ParseClass(class), Formula: text(), Word: text(), Command: text(), Key: text()}, First: id, Last: id})
		}
	}
	// One is a cause of this run, too.
	r.Groups[0].Key = names[0] + " | " + summary.Causes[2].Key
	r.Changes = []outcome.Change{{Translator: text(), Measure: text(), VersionBefore: text(), VersionAfter: text()}}
	summary.Regression = r
	return summary
}

// hostileTexts are what could end an element, a fence or a row of a table too early.
var hostileTexts = []string{"", "]]>", "<failure>", "&amp;", "&#xA;", "\x00\x1b[0m", "\xff\xfe", "\ufffe\uffff", "a\r\nb\tc", "\u2028", " x ", "\"'", "|", "\\|", "\n\n", "\n```\n",
	"`````", "~~~", "</details>", "<!--", "@octocat", "#1", "**b**", "_i_", "[l](http://x.org)", "www.x.org", "$x$", "- [ ] x", "\n# h", "a U b", "é漢", ":tada:", "<script>alert(1)</script>",
	"1. x", "\n    code", "\n---\n", "| - |", "![i](x)", "\\", "a\\", "GH-1", "\v\f", strings.Repeat("a|`<&\n", 5000)}

// TestJUnitHostile: any text comes out as XML of the schema.
func TestJUnitHostile(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 100) {
		summary := hostile(func() string {
			text := ""
			for range r.IntN(3) + 1 {
				text += hostileTexts[r.IntN(len(hostileTexts)-min(i%4, 1))]
			}
			return text
		})
		readJUnit(t, summary)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestJUnitNames: names are the same whatever else a run has met, and different for
// different keys, also where these are no names.
func TestJUnitNames(t *testing.T) {
	summary := report.NewSummary(nil)
	summary.Regression = &outcome.Regression{}
	long := strings.Repeat("G", 300)
	for _, key := range []string{"x", "a\nb", "a b", "a\tb", long + "a", long + "b", "x"} {
		summary.Regression.Groups = append(summary.Regression.Groups, outcome.Group{State: outcome.StateNew, Record: outcome.Record{Translators: []string{"ltl3ba-1.1.3"}, Class: outcome.ParseClass("timeout"), Key: "ltl3ba-1.1.3 | " + key}})
	}
	summary.Counts.Status = 1
	var got []string
	for _, c := range readJUnit(t, summary).Suites[1].Cases {
		got = append(got, c.Class+": "+strconv.Itoa(len(c.Name))+" "+c.Name[max(0, len(c.Name)-16):])
	}
	want := []string{"xcheck.ltl3ba-1_1_3: 1 x", "xcheck.ltl3ba-1_1_3: 14 a b [28e4c710]", "xcheck.ltl3ba-1_1_3: 3 a b", "xcheck.ltl3ba-1_1_3: 14 a b [42e2b167]",
		"xcheck.ltl3ba-1_1_3: 213 GG… [6c9eacf8]", "xcheck.ltl3ba-1_1_3: 213 GG… [6f9eb1b1]", "xcheck.ltl3ba-1_1_3: 5 x (2)"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzJUnit: no text makes it anything but XML of the schema.
func FuzzJUnit(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readJUnit(t, hostile(func() string { return text }))
		report.WriteJUnit(io.Discard, hostile(func() string { return text + "x" }))
	})
}
