package report_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// document returns what a run writes of these cases, and where the text of each ends.
func document(t *testing.T, summary *report.Summary, cases ...*outcome.Case) (text []byte, ends []int) {
	t.Helper()
	var b bytes.Buffer
	j := report.NewJSON(&b)
	for _, c := range cases {
		summary.Add(c)
		must.Do(j.Case(c, report.News{}))
		ends = append(ends, b.Len())
	}
	must.Do(j.End(summary))
	return b.Bytes(), ends
}

// TestRead: reading returns what was written, and the report equals the report of the run.
// A document that is cut off anywhere has the cases that are complete.
func TestRead(t *testing.T) {
	tools, cases := twoCases(t)
	cases = append(cases, measured(), &outcome.Case{Index: 2, Formula: "}", Error: "unreadable"})
	for _, c := range cases[2].Results {
		c.Detail = "{"
	}
	summary := report.NewSummary(tools)
	text, ends := document(t, summary, cases...)
	for cut := range len(text) + 1 {
		// Every place about the end of a line, and some of the others.
		if near := text[max(0, cut-4):min(len(text), cut+4)]; cut%23 > 0 && cut < len(text) && !bytes.ContainsRune(near, '\n') {
			continue
		}
		var got []*outcome.Case
		rest, err := report.Read(iotest.HalfReader(bytes.NewReader(text[:cut])), func(c *outcome.Case) error {
			got = append(got, c)
			return nil
		})
		if cut == 0 {
			if err == nil || !strings.Contains(err.Error(), "found nothing") {
				t.Errorf("nothing: %v", err)
			}
			continue
		}
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		// The line break behind the document's last brace does not matter.
		if err != nil || len(got) != want || rest.Cut != (cut < len(text)-1) {
			t.Fatalf("cut after %d of %d bytes: %d cases, want %d; %+v, %v", cut, len(text), len(got), want, rest, err)
		}
		if cut < len(text) {
			continue
		}
		if !reflect.DeepEqual(got[2:], cases[2:]) {
			t.Errorf("got\n%+v\nwant\n%+v", got[2], cases[2])
		}
		if !reflect.DeepEqual(*rest.Counts, summary.Counts) || !cmp.Equal(rest.Translators, summary.Translators, cmpopts.IgnoreUnexported(report.ToolStats{})) {
			t.Errorf("got %+v, %+v", rest.Counts, rest.Translators)
		}
	}
}

// TestReadErrors: what is wrong is said with its place.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, `1:1: expected a document of xcheck run --json, found [`},
		{"\n x", `2:2: invalid character 'x' looking for beginning of value`},
		{`{"tool": [], "formula": []}`, `1:27: expected a document of xcheck run --json, but it has no cases`},
		{"{\"cases\": [\n{\"index\":0},\n{\"index\":x}\n]}", `3:10: invalid character 'x' looking for beginning of value`},
		{"{\"cases\": [\n{\"index\":0},\n{\"formula\":7}\n]}", `3:12: formula: expected a string, found number`},
		{"{\"cases\": [\n{\"index\":0},\n{\"results\":[{\"states\":\"many\"}]}\n]}", `3:28: results.states: expected a number, found string`},
		{"{\"cases\": [\n{\"results\":[{\"negated\":1}]}\n]}", `2:24: results.negated: expected true or false, found number`},
		{"{\"cases\": [\n7]}", `2:1: expected an object, found number`},
		{"{\"cases\":\n {}}", `2:2: expected a list of cases, found {`},
		{"{\"cases\": [],\n\"summary\":[]}", `2:11: expected an object, found array`},
		{"{\"cases\": []\n\"summary\":[]}", `2:1: invalid character '"' after object key:value pair`},
		{"{\"cases\": []}\n{", `2:1: expected the end after the document`},
	} {
		_, err := report.Read(strings.NewReader(c.text), func(*outcome.Case) error { return nil })
		var at *report.FormatError
		if !errors.As(err, &at) || err.Error() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	oops := errors.New("oops")
	if _, err := report.Read(io.MultiReader(strings.NewReader(`{"cases": [`), iotest.ErrReader(oops)), nil); !errors.Is(err, oops) {
		t.Errorf("reader: %v", err)
	}
	if _, err := report.Read(strings.NewReader(`{"cases": [{}]}`), func(*outcome.Case) error { return oops }); !errors.Is(err, oops) {
		t.Errorf("each: %v", err)
	}
}

// TestComplete: the totals of several documents are the sums over their runs, and the worst
// ending counts.
func TestComplete(t *testing.T) {
	tools, cases := twoCases(t)
	first := report.NewSummary(tools)
	first.Counts.Status = 1
	text, ends := document(t, first, cases...)
	// A run of another translator, which was skipped, and has no case.
	second := report.NewSummary(tools[:1])
	second.Translators[0].Name, second.Counts.Status = "other", 3
	rest, _ := document(t, second)
	for _, c := range []struct {
		documents [][]byte
		status    outcome.ExitStatus
		formulas  int
	}{
		{[][]byte{text}, 1, 2}, {[][]byte{rest}, 3, 0}, {[][]byte{text, rest}, 1, 2}, {[][]byte{rest, text}, 1, 2},
		{[][]byte{text[:ends[0]+5], rest, text}, 130, 3},
	} {
		summary := report.NewSummary(nil)
		for _, text := range c.documents {
			rest, err := report.Read(bytes.NewReader(text), func(c *outcome.Case) error {
				summary.Add(c)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			summary.Complete(rest)
		}
		if s := summary.Counts; s.Status != c.status || s.Formulas != c.formulas || s.Interrupted != (c.status == 130) {
			t.Errorf("got %+v, want status %d and %d formulas", s, c.status, c.formulas)
		}
		if c.formulas > 0 {
			if x := summary.Translators[len(summary.Translators)-1]; x.Command == "" {
				t.Errorf("nothing is known of %+v", x)
			}
		}
	}
}

// FuzzRead: no text makes Read panic, nor what is done with its cases.
func FuzzRead(f *testing.F) {
	f.Add(`{"cases": [{"results":[{"status":"exit"}],"findings":[{}],"disagreements":[{"blamed":[{}]}]}]}`)
	f.Add(`{"cases": [null, {"results":[{"strength":"weak"}]}], "summary": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		summary := report.NewSummary(nil)
		show := &report.Text{W: io.Discard, Verbose: true}
		csv := report.NewCSV(io.Discard, report.Columns{Strength: true, Products: 1, More: true}, false)
		report.Read(strings.NewReader(text), func(c *outcome.Case) error {
			return errors.Join(show.Case(c, summary.Add(c)), csv.Case(c, report.News{}))
		})
		show.End(summary)
	})
}

// TestReadLong: cases may be long, but not without a limit.
func TestReadLong(t *testing.T) {
	million := strings.Repeat("x", 1<<20)
	document := func(size, cases int) io.Reader { // a size in MiB
		parts := []io.Reader{strings.NewReader("{\"cases\":[\n")}
		for i := range cases {
			parts = append(parts, strings.NewReader(`,{"formula":"`[1-min(1, i):]))
			for range size {
				parts = append(parts, strings.NewReader(million))
			}
			parts = append(parts, strings.NewReader(`"}`))
		}
		return io.MultiReader(append(parts, strings.NewReader("]}"))...)
	}
	cases := 0
	count := func(*outcome.Case) error { cases++; return nil }
	if _, err := report.Read(document(3, 11), count); err != nil || cases != 11 {
		t.Errorf("%d cases, %v", cases, err)
	}
	if _, err := report.Read(document(33, 1), count); err == nil || err.Error() != "2:1: expected the end of a value within 33554432 bytes" {
		t.Errorf("got %v", err)
	}
}

var update = flag.Bool("update", false, "write the files of testdata")

// golden compares what is printed with a file of testdata. After a change, write the files with -update,
// and read the difference.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		must.Do(os.WriteFile(file, got, 0o666))
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s (%v) is not what is printed; if it should be, run with -update:\n%s", file, err, got)
	}
}

// everything is a run with every kind of result: missing and extra words, each way in which a
// call can fail, a false property, odd output, a skipped call, an undecided check, an invalid
// formula, and a group of failures in each state.
func everything(t *testing.T) (*report.Summary, []*outcome.Case) {
	t.Helper()
	var tools []*translators.Tool
	for _, name := range []string{"good", "mine", "frail"} {
		c := must.Get(translators.ParseCommand(name+" %f", translators.Spawn))
		tools = append(tools, &translators.Tool{Name: name, Command: c, Version: name + " 1.0"})
	}
	p := func(name string) outcome.Subject { return outcome.Subject{Translator: name} }
	n := func(name string) outcome.Subject {
		return outcome.Subject{Translator: name, Polarity: outcome.Negation}
	}
	ok := func(s outcome.Subject) outcome.Result {
		excess := len(s.Translator) % 3
		return outcome.Result{Subject: s, Status: "ok", Sizes: omega.Sizes{States: 2, Edges: 3, Totals: omega.Totals{Sets: 1}}, Excess: &excess, Seconds: 0.25, MaxRSS: 3 << 20}
	}
	failed := func(s outcome.Subject, status, detail, group, stderr string) outcome.Result {
		return outcome.Result{Subject: s, Status: outcome.Status(status), Detail: detail, Failure: outcome.ParseClass(group), Command: "frail 'Ga'", Stderr: stderr, Seconds: 0.5}
	}
	frail := func(index int, formula, status, detail, group, stderr string) *outcome.Case {
		return &outcome.Case{Index: index, Formula: formula, Checked: true, Results: []outcome.Result{ok(p("good")), ok(n("good")), ok(p("mine")), ok(n("mine")),
			ok(p("frail")), failed(n("frail"), status, detail, group, stderr)}}
	}
	answers := func(mine, negation bool) []outcome.Answer {
		return []outcome.Answer{{Subject: p("good"), Accepts: false, Right: true}, {Subject: n("good"), Accepts: true, Right: true},
			{Subject: p("mine"), Accepts: mine, Right: !mine}, {Subject: n("mine"), Accepts: negation, Right: negation}}
	}
	wrong := frail(0, "Ga", "crash", "killed by SIGSEGV", "crash 11: assertion failed: …", "frail: assertion failed: n > 0")
	wrong.Disagreements = []outcome.Disagreement{
		{Word: "cycle{!a&!b}", Size: 1, Shortest: true, General: "cycle{!a}", Prefix: "!a", Kind: "missing", Blamed: []outcome.Subject{n("mine")}, Accepts: answers(true, false)},
		{Word: "cycle{!a&!b}", Size: 1, Shortest: true, General: "cycle{!a}", Prefix: "!a", Kind: "extra", Blamed: []outcome.Subject{p("mine")}, Accepts: answers(true, false),
			Explanations: []outcome.Explanation{{Automata: []outcome.Subject{p("mine")}, Accepts: true, Why: "accepting run sees {0} infinitely often, which satisfies Inf(0)",
				Run:    &outcome.Path{Prefix: []outcome.Step{}, Cycle: []outcome.Step{{Letter: "!a&!b", Marks: []int{0}, Obligation: "Ga"}}},
				Repair: &outcome.Repair{Kind: "edge", States: []int{0}, Edges: []int{0}, Text: "look at the edge 0 -> 0 [1] {0}: the automaton is right with label a"}}},
			Opposite: &outcome.Explanation{Automata: []outcome.Subject{n("good")}, Accepts: true, Why: "accepting run: every infinite run is accepting",
				Run: &outcome.Path{Prefix: []outcome.Step{}, Cycle: []outcome.Step{{Letter: "!a&!b", Marks: []int{}, Obligation: "F!a"}}}},
			Table: &outcome.TruthTable{Letters: []string{"!a&!b"}, Rows: []outcome.TruthRow{{Formula: "a", Truth: "0"}, {Formula: "Ga", Truth: "0"}}}},
	}
	wrong.Undecided = []outcome.Undecided{{Check: "P good & !(P frail)", Text: "good is included in frail", Why: "limit of 60 macrostates"}}
	wrong.Findings = []outcome.Finding{
		{Subject: p("mine"), Class: "property", Property: "deterministic", Text: "declared deterministic, but state 0 has two edges on 1"},
		{Subject: n("mine"), Class: "text-before", Text: `before the automaton: "mine 1.0"`},
		{Subject: n("mine"), Class: "unstable", Text: "the kept-alive process failed (crash), but a fresh one gave an automaton"}}
	skipped := frail(1, "Xa", "timeout", "killed after 1m0s", "timeout: killed after …", "")
	skipped.Results[2] = outcome.Result{Subject: p("mine"), Status: "skipped", Detail: "the operator X is not supported"}
	skipped.Results[3] = outcome.Result{Subject: n("mine"), Status: "skipped", Detail: "the operator X is not supported"}
	unchecked := frail(6, "FGa", "exit", "exit status 3: no room", "exit 3: no room", "no room")
	unchecked.Checked = false
	cases := []*outcome.Case{wrong, skipped,
		frail(2, "Fa", "too-big", "more than 64 MiB of output", "too-big: more than … of output", ""),
		frail(3, "a U b", "syntax", `7:5: expected a state number, found "x"; the output starts with "HOA: v1"`, "syntax: 7:5: expected a state number, found …", ""),
		frail(4, "a R b", "memory", "more than 512 MiB of memory", "memory: more than … of memory", ""),
		frail(5, "GFa", "no-output", "exit status 0, but no output", "no-output: exit status 0, but no output", ""),
		unchecked,
		{Index: 7, Formula: "a U", Error: "formulas.ltl:8:4: expected a formula, found the end"},
		{Index: 8, Formula: "a W b", Checked: true, Errors: []string{"internal error: word cycle{a} of formula a W b: no automaton is wrong on this word"}}}
	summary := report.NewSummary(tools)
	runs := fourRuns()
	group := func(state outcome.State, name, class, formula string) outcome.Group {
		return outcome.Group{State: state, Record: outcome.Record{Translators: []string{name}, Class: outcome.ParseClass(class), Formula: formula, Formulas: 1, Command: "xcheck run --only '" + name + "' -f '" + formula + "'", Key: name + " | " + class}, First: runs[0], Last: runs[1]}
	}
	words := group(outcome.StateNew, "mine", "extra words", "Ga")
	words.Word, words.Size, words.Shortest, words.First, words.Last = "cycle{!a&!b}", 1, true, nil, nil
	summary.Regression = &outcome.Regression{RunID: *runs[3], Baseline: runs[2], Groups: []outcome.Group{words,
		group(outcome.StateBackAgain, "mine", "property: deterministic", "Ga"),
		group(outcome.StateKnown, "frail", "crash 11: assertion failed: …", "Ga"),
		group(outcome.StateKnown, "frail", "timeout: killed after …, of the negation only", "Xa"),
		group(outcome.StateFixed, "good", "exit 1: no room", "GFa"),
		group(outcome.StateUnseen, "gone", "syntax: expected …", "Fa")},
		Changes: []outcome.Change{{Translator: "good", Measure: "time", Formulas: 198, Before: 9.125, After: 10.25, Ratio: 1.12, P: 0.00031}},
		Notes:   []string{"times of mine not compared: both runs have them for only 7 formulas, need 20"}}
	started := time.Date(2026, 11, 19, 22, 0, 0, 0, time.UTC)
	seed, deadline := uint64(42), time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	summary.Provenance = []report.Process{{Started: started, Host: "night-1", Version: "v1.2.3", Command: "xcheck run -c nightly.toml --resume",
		Configuration: "nightly.toml", Hash: "9c00a6cd", Seed: &seed, Shard: "1/2",
		Translators: []report.ToolVersion{{Name: "good", Version: "good 1.0"}, {Name: "mine", Version: "<mine> & 2"}, {Name: "frail"}}}}
	summary.Provenance = append(summary.Provenance, summary.Provenance[0])
	summary.Provenance[1].Started, summary.Provenance[1].Host = started.Add(time.Hour), "night-2"
	s := &summary.Counts
	s.Seed, s.Deadline, s.TimeUp, s.GivenUp, s.Duplicates = &seed, &deadline, true, 1, 2
	s.Missing = []report.Missing{{Name: "absent", Reason: "not found on PATH"}}
	return summary, cases
}

// TestEverything: what users see of every kind of result, in all reports that are text.
func TestEverything(t *testing.T) {
	summary, cases := everything(t)
	var text bytes.Buffer
	w := &report.Text{W: &text}
	for _, c := range cases {
		must.Do(w.Case(c, summary.Add(c)))
	}
	summary.Decide()
	must.Do(w.End(summary))
	golden(t, "everything.txt", text.Bytes())
	var page bytes.Buffer
	must.Do(report.WriteMarkdown(&page, summary))
	golden(t, "everything.md", page.Bytes())
	page.Reset()
	must.Do(report.WriteJUnit(&page, summary))
	golden(t, "everything.xml", page.Bytes())
	page.Reset()
	document := report.NewJSON(&page)
	for _, c := range cases {
		must.Do(document.Case(c, report.News{}))
	}
	must.Do(document.End(summary))
	golden(t, "everything.json", page.Bytes())
}

// documents are the types of what is stored and of what --json prints, by their names in
// testdata/documents.txt.
func documents() map[string]any {
	return map[string]any{"case": new(outcome.Case), "problem": new(outcome.Problem), "cause": new(outcome.Cause),
		"group": new(report.Group), "translator": new(report.ToolStats), "summary": new(report.Counts), "regression": new(outcome.Regression),
		"timeline": new(outcome.Timeline), "obligations": new(outcome.Progression), "rest": new(report.Trailer)}
}

// TestDocuments: whatever the types of documents become, what they read they write again. Each line of the file has a value with all the fields of a type. No line ever changes but for
// a new field.
func TestDocuments(t *testing.T) {
	file := must.Get(os.ReadFile("testdata/documents.txt"))
	missing := documents()
	for line := range strings.Lines(string(file)) {
		name, text, _ := strings.Cut(line, " ")
		value := documents()[name]
		if value == nil {
			t.Fatalf("no type of the name %q", name)
		}
		delete(missing, name)
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(value); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var before, after any // the order of fields says nothing
		got, err := report.Line(value)
		if err = errors.Join(err, json.Unmarshal(got, &after), json.Unmarshal([]byte(text), &before)); err != nil || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: it is read, and written as another (%v)\n got %s\nwant %s", name, err, got, text)
		}
		if field := empty(reflect.ValueOf(value).Elem(), name); field != "" {
			t.Errorf("%s is not in testdata/documents.txt: write it there", field)
		}
	}
	for name := range missing {
		t.Errorf("the file has no line for %s", name)
	}
}

// empty returns the name of a field without a value, or "".
func empty(v reflect.Value, name string) string {
	if _, text := v.Interface().(encoding.TextMarshaler); text || v.IsZero() {
		if v.IsZero() {
			return name
		}
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer:
		return empty(v.Elem(), name)
	case reflect.Slice:
		if v.Len() == 0 {
			return name
		}
		for i := range v.Len() {
			if field := empty(v.Index(i), fmt.Sprintf("%s[%d]", name, i)); field != "" {
				return field
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if tag := f.Tag.Get("json"); !f.IsExported() || tag == "-" {
				continue
			}
			if field := empty(v.Field(i), name+"."+f.Name); field != "" {
				return field
			}
		}
	}
	return ""
}
