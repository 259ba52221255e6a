package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// atEnd returns the report of cases with their causes, explained at the end, and its summary.
func atEnd(t *testing.T, text report.Text, cases []*outcome.Case) (string, *report.Summary) {
	t.Helper()
	var b bytes.Buffer
	text.W = &b
	summary := report.NewSummary(nil)
	failures := triage.New(triage.Options{})
	for _, c := range cases {
		err := text.Case(c, summary.Add(c))
		if err == nil {
			_, err = failures.Add(context.Background(), c)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	causes, err := failures.Causes(context.Background())
	for _, c := range causes {
		c.Command = "xcheck run -f '" + c.Formula + "'"
		summary.Causes = append(summary.Causes, c)
	}
	summary.Decide()
	if err == nil {
		err = text.End(summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), summary
}

const wantProblems = `2 problems
problem  translator  kind         formulas  smallest formula  word
      1  liar        extra words         1  Ga                a; cycle{!a} (at most 2 letters)
      2  broken      exit                2  Ga

disagreement: extra word (problem 1)
  formula 0:  Ga
  word:       a; cycle{!a}   (at most 2 letters, accepted by automata that should reject it)
  the word does not satisfy the formula
    translator  formula  negation
    liar        accepts  accepts   wrong (formula)
    good        rejects  accepts
  reproduce:  xcheck run -f 'Ga'

failure (problem 2)
  formula 0:  Ga
  exit: broken: exit status 1: oops
  command: broken 'Ga'
  stderr:  line 1
  stderr:  oops
  reproduce:  xcheck run -f 'Ga'

undecided: good is included in liar: limit of 1 macrostates (formula Ga)

`

// TestProblems: the report begins with the problems, and explains each once; with Verbose there is
// also each formula, as it comes.
func TestProblems(t *testing.T) {
	_, cases := twoCases(t)
	for _, c := range cases {
		for i := range c.Results {
			if c.Results[i].Status == "exit" {
				c.Results[i].Failure = outcome.ParseClass("exit")
			}
		}
		c.Findings = nil
	}
	got, _ := atEnd(t, report.Text{}, cases)
	if head, _, _ := strings.Cut(got, "\ntranslator  calls"); head != strings.TrimSuffix(wantProblems, "\n") {
		t.Errorf("got\n%s\nwant\n%s", head, wantProblems)
	}
	got, _ = atEnd(t, report.Text{Verbose: true}, cases)
	if strings.Index(got, "disagreement: extra word\n  formula 0:  Ga\n") > strings.Index(got, "\n2 problems\n") || !strings.Contains(got, "formula 1: Fb\n") {
		t.Errorf("verbose:\n%s", got)
	}
	got, _ = atEnd(t, report.Text{Quiet: true}, cases)
	if !strings.HasPrefix(got, "2 problems\n") || strings.Contains(got, "undecided: ") {
		t.Errorf("quiet:\n%s", got)
	}
}

// TestManyProblems: a report of many problems has a row for the most frequent, explains a few, and
// says what is left out; JSON has all of them.
func TestManyProblems(t *testing.T) {
	const number = 30
	var cases []*outcome.Case
	for i := range number {
		for k := range 2 {
			name := fmt.Sprintf("tool %d", i)
			cases = append(cases, &outcome.Case{Index: 2*i + k, Formula: fmt.Sprintf("p%d", i), Results: []outcome.Result{
				{Subject: outcome.Subject{Translator: name}, Status: "exit", Failure: outcome.ParseClass("exit 1"), Detail: "exit status 1"}},
				Undecided: []outcome.Undecided{{Check: "P x & N x", Why: "limit"}}})
		}
	}
	got, summary := atEnd(t, report.Text{}, cases)
	if !strings.HasPrefix(got, "30 problems\n") || strings.Count(got, "  reproduce:  ") != 5 || strings.Count(got, "undecided: ") != 20 ||
		!strings.Contains(got, "(10 more, less frequent: use -v, or see problems in --json)\n") ||
		!strings.Contains(got, "\n(25 more problems: use -v)\n") || !strings.Contains(got, "\n(40 more notes: use -v)\n") {
		t.Errorf("got\n%s", got)
	}
	var b bytes.Buffer
	must.Do(report.NewJSON(&b).End(summary))
	var document struct {
		Problems []outcome.Problem
		Causes   []outcome.Cause
	}
	if err := json.Unmarshal(b.Bytes(), &document); err != nil || len(document.Problems) != number || len(document.Causes) != number {
		t.Errorf("%d problems, %d causes in JSON: %v", len(document.Problems), len(document.Causes), err)
	}
}

// TestInCommon: what all failures of a translator have in common, unless that may be chance, is said
// before it is blamed. Of 20 formulas, each fourth has W.
func TestInCommon(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails func(i int) bool
		class outcome.FindingClass // of what fails
		want  string
	}{
		{"operator", func(i int) bool { return i%4 == 0 }, "", "note: every formula on which mine fails contains W"},
		{"one failure", func(i int) bool { return i == 0 }, "", ""},
		{"all fail", func(i int) bool { return true }, "", ""},
		{"others too", func(i int) bool { return i%4 < 2 }, "", ""},
		{"reading", func(i int) bool { return i == 1 }, outcome.TwoReadings, "note: every failure of mine has a minor finding (two-readings)"},
		{"property", func(i int) bool { return i == 1 }, outcome.Unstable, ""},
	} {
		var cases []*outcome.Case
		for i := range 20 {
			formula := []string{"a W b", "Fa", "Ga", "a & Xb"}[i%4]
			s := outcome.Subject{Translator: "mine"}
			x := &outcome.Case{Index: i, Formula: formula, Results: []outcome.Result{{Subject: s, Status: outcome.OK}}}
			if c.fails(i) {
				x.Results[0] = outcome.Result{Subject: s, Status: outcome.Exit, Detail: "exit status 1"}
				if c.class != "" {
					x.Findings = []outcome.Finding{{Subject: s, Class: c.class, Text: "x"}}
				}
			}
			cases = append(cases, x)
		}
		got, summary := atEnd(t, report.Text{}, cases)
		for _, name := range []string{"markdown", "html", "junit", "json"} {
			var b bytes.Buffer
			must.Do(report.FormatOf(name).New(&b, report.Options{}).End(summary))
			text := strings.NewReplacer(`"in_common":"the operator `, "every formula on which mine fails contains ", `"in_common":"the finding two-readings`, "every failure of mine has a minor finding (two-readings)").Replace(b.String())
			if want := strings.TrimPrefix(c.want, "note: "); strings.Contains(text, "every f") != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s: %s: want %q", c.name, name, want)
			}
		}
		if got = got[:strings.Index(got+":", ": first check")+1]; !strings.HasPrefix(got, c.want) || c.want == "" && strings.HasPrefix(got, "note") {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestFailsOnSyntax: if most calls of a tool fail on syntax, whatever its status is, a note says how to choose another.
func TestFailsOnSyntax(t *testing.T) {
	result := func(status outcome.Status, detail, stderr string) outcome.Result {
		return outcome.Result{Subject: outcome.Subject{Translator: "mine"}, Status: status, Detail: detail, Stderr: stderr}
	}
	exit := func(detail, stderr string) outcome.Result { return result(outcome.Exit, detail, stderr) }
	for _, c := range []struct {
		name    string
		results []outcome.Result
		want    bool
	}{
		{"its output", []outcome.Result{exit("exit status 1: expected ')', saw 'R'", ""), exit("exit status 1: expected ')', saw 'W'", ""), result(outcome.OK, "", "")}, true},
		{"its errors", []outcome.Result{exit("", "mine: Parse error"), result(outcome.Syntax, "no automaton", ""), result(outcome.OK, "", "")}, true},
		{"half", []outcome.Result{exit("", "syntax error"), exit("", "syntax error"), result(outcome.OK, "", ""), result(outcome.OK, "", "")}, false},
		{"another error", []outcome.Result{exit("", "sparse sets"), exit("", "no memory")}, false},
		{"a crash", []outcome.Result{result(outcome.Crash, "", "parser"), result(outcome.Crash, "", "parser")}, false},
	} {
		var cases []*outcome.Case
		for i, r := range c.results {
			cases = append(cases, &outcome.Case{Index: i, Formula: "Fa", Results: []outcome.Result{r}})
		}
		if got, _ := atEnd(t, report.Text{}, cases); strings.HasPrefix(got, fmt.Sprintf("note: 2 of %d calls of mine fail on syntax: choose", len(cases))) != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestDetailOfFormula: next to a formula stands what the translator said on it, never on
// another formula of the same group.
func TestDetailOfFormula(t *testing.T) {
	const class = "exit 1: no room for …"
	shown := func(g outcome.Group) string {
		summary := oneTool(t)
		one := failed(0, "Fa", exit("no room for Fa"), exit("no room for !Fa"))
		summary.Add(one)
		summary.Add(failed(1, "G(b -> Fc)", exit("no room for G(b -> Fc)"), exit("no room for !G(b -> Fc)")))
		summary.Causes = []*outcome.Cause{{Record: outcome.Record{Translators: []string{"x"}, Class: outcome.ParseClass(class), Formula: "Fa", Key: class}, Case: one}}
		g.Translators, g.Class = []string{"x"}, outcome.ParseClass(class)
		summary.Regression = &outcome.Regression{Groups: []outcome.Group{g}}
		var b strings.Builder
		must.Do(report.WriteJUnit(&b, summary))
		_, text, _ := strings.Cut(b.String(), fmt.Sprintf("testcase name=%q", strings.TrimPrefix(g.Key, "x | ")))
		text, _, _ = strings.Cut(text, "</testcase>")
		_, text, _ = strings.Cut(text, "\ndetail:")
		text, _, _ = strings.Cut(text, "\n")
		return strings.TrimSpace(text)
	}
	for _, c := range []struct {
		name string
		g    outcome.Group
		want string
	}{
		{"the smallest", outcome.Group{State: outcome.StateKnown, Record: outcome.Record{Formula: "Fa", Key: "x | " + class}}, "exit status 1: no room for Fa"},
		{"its negation", outcome.Group{State: outcome.StateNew, Record: outcome.Record{Formula: "Fa", Polarity: outcome.Negation, Key: "x | " + class}}, "exit status 1: no room for !Fa"},
		{"one of an earlier run", outcome.Group{State: outcome.StateKnown, Record: outcome.Record{Formula: "Gd", Key: "x | " + class + " | large"}}, ""},
		{"one that is fixed", outcome.Group{State: outcome.StateFixed, Record: outcome.Record{Formula: "Gd", Key: "x | other"}}, ""},
	} {
		if got := shown(c.g); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// oneTool returns a summary for a translator named x.
func oneTool(t *testing.T) *report.Summary {
	t.Helper()
	c := must.Get(translators.ParseCommand("x %f", translators.Spawn))
	return report.NewSummary([]*translators.Tool{{Name: "x", Command: c}})
}

// failed is a case in which the translator x fails on the formula and its negation.
func failed(index int, formula string, positive, negative translators.Outcome) *outcome.Case {
	c := &outcome.Case{Index: index, Formula: formula}
	for i, o := range []translators.Outcome{positive, negative} {
		c.Results = append(c.Results, outcome.Result{Subject: outcome.Subject{Translator: "x", Polarity: outcome.Polarity(i == 1)}, Status: o.Status,
			Detail: o.Detail, ExitCode: o.ExitCode, Stderr: o.Stderr, Command: fmt.Sprintf("x '%s' %d", formula, i), Failure: o.Signature(formula)})
	}
	return c
}

func segv(stderr string) translators.Outcome {
	return translators.Outcome{Status: outcome.Crash, ExitCode: 11, Detail: "killed by SIGSEGV", Stderr: stderr}
}

func exit(stderr string) translators.Outcome {
	return translators.Outcome{Status: outcome.Exit, ExitCode: 1, Detail: "exit status 1: " + stderr, Stderr: stderr}
}

// groups are what is compared: one line for each.
func groups(summary *report.Summary) []string {
	var got []string
	for _, g := range summary.Groups() {
		got = append(got, fmt.Sprintf("%s %s finding=%v %q: %d calls, %d formulas; %d: %s %d %s | %s",
			g.Translator, g.Class, g.Finding, g.Signature, g.Calls, g.Formulas, g.Index, g.Input(), g.ExitCode, g.Command, g.Detail))
	}
	return got
}

// TestGroups: a thousand crashes are one group, with the smallest formula, and the
// first of these.
func TestGroups(t *testing.T) {
	summary := oneTool(t)
	var b bytes.Buffer
	text := &report.Text{W: &b}
	lie := func(negated bool, text string) outcome.Finding {
		return outcome.Finding{Subject: outcome.Subject{Translator: "x", Polarity: outcome.Polarity(negated)}, Class: "property", Text: text}
	}
	for i := range 1000 {
		c := failed(i, fmt.Sprintf("G(a%d)", 1999-i), segv(fmt.Sprintf("x: assertion failed at 0x%x\nmore", i)), exit("no room for "+fmt.Sprintf("G(a%d)", 1999-i)))
		if i >= 990 {
			c = failed(i, []string{"Fa", "Gb"}[i%2], segv(fmt.Sprintf("x: assertion failed at 0x%x\nmore", i)), translators.Outcome{Status: outcome.OK})
			c.Findings = []outcome.Finding{lie(true, "declared weak, but it is not"), lie(true, fmt.Sprintf("declared %d states, but it has 2", i)), lie(true, "declared 7 states, but it has 3")}
		}
		must.Do(text.Case(c, summary.Add(c)))
	}
	want := []string{
		`x crash finding=false "crash 11: …: assertion failed at …; more": 1000 calls, 1000 formulas; 990: Fa 11 x 'Fa' 0 | killed by SIGSEGV`,
		`x exit finding=false "exit 1: no room for …": 990 calls, 990 formulas; 0: !(G(a1999)) 1 x 'G(a1999)' 1 | exit status 1: no room for G(a1999)`,
		`x property finding=true "property: declared weak, but it is not": 10 calls, 10 formulas; 990: !(Fa) 0 x 'Fa' 1 | declared weak, but it is not`,
		`x property finding=true "property: declared … states, but it has …": 10 calls, 10 formulas; 990: !(Fa) 0 x 'Fa' 1 | declared 990 states, but it has 2`,
	}
	if got := groups(summary); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	must.Do(text.End(summary))
	golden(t, "thousand.txt", b.Bytes())
}

// TestGroupsOrder: the groups are the same in whatever order cases come.
func TestGroupsOrder(t *testing.T) {
	cases := []*outcome.Case{failed(0, "Fa", segv(""), exit("x")), failed(1, "Fb", segv(""), exit("yy")), failed(2, "Gc", exit("yy"), exit("zz"))}
	var want []string
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		summary := oneTool(t)
		for _, i := range order {
			summary.Add(cases[i])
		}
		if got := groups(summary); want == nil {
			want = got
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("order %v: got\n%s\nwant\n%s", order, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if len(want) != 4 {
		t.Errorf("groups: %s", want)
	}
}

// TestGroupsBounded: a translator that fails differently each time takes bounded
// memory, and no call is lost. The table shows the most frequent groups.
func TestGroupsBounded(t *testing.T) {
	summary := oneTool(t)
	message := func(i int) string { // without numbers, which make no difference
		return strings.Map(func(r rune) rune { return r - '0' + 'k' }, fmt.Sprintf("%08d", i))
	}
	printed := 0
	for i := range 3000 {
		c := failed(i, "Fa", exit(message(i)), segv(message(i%5)))
		for _, first := range summary.Add(c).Results {
			if first {
				printed++
			}
		}
	}
	list := summary.Groups()
	calls := 0
	for _, g := range list {
		calls += g.Calls
	}
	if len(list) != 1001 || printed != 1001 || calls != 6000 {
		t.Errorf("%d groups of %d calls, %d printed; want 1001 of 6000, all printed once", len(list), calls, printed)
	}
	if g := list[0]; g.Class != "other" || g.Calls != 3000-995 || g.Formulas != g.Calls || g.Detail != "exit status 1: "+message(995) {
		t.Errorf("what came beyond the bound: %+v", g)
	}
	var b bytes.Buffer
	must.Do((&report.Text{W: &b}).End(summary))
	if got := strings.Count(b.String(), "x           exit "); got != 14 || !strings.Contains(b.String(), "\n(981 more, less frequent: use -v, or see groups in --json)\n") {
		t.Errorf("%d rows:\n%s", got, &b)
	}
	b.Reset()
	must.Do((&report.Text{W: &b, Verbose: true}).End(summary))
	if got := strings.Count(b.String(), "x           exit "); got != 995 {
		t.Errorf("verbose: %d rows", got)
	}
}

// TestUnreadable: a formula that can't be read is no formula that was checked.
func TestUnreadable(t *testing.T) {
	tools, cases := twoCases(t)
	summary := report.NewSummary(tools)
	summary.Add(cases[1])
	bad := &outcome.Case{Index: 2, Formula: "b c", Error: "f:2: 1:3: expected an operator"}
	summary.Add(bad)
	if s := summary.Counts; s.Formulas != 1 || s.Unreadable != 1 || s.Unchecked != 0 {
		t.Errorf("%+v", s)
	}
	var b bytes.Buffer
	quiet := &report.Text{W: &b, Quiet: true}
	if err := quiet.End(summary); err != nil || b.Len() > 0 {
		t.Errorf("all is well, and there is still %q (%v)", &b, err)
	}
	summary.Counts.Status = 2
	must.Do(quiet.End(summary))
	if want := "2 failed calls (broken: 2× exit)\nunchecked translators: broken\nERROR: 1 invalid formula; 1 formula checked, no disagreement\n"; b.String() != want {
		t.Errorf("got %s want %s", &b, want)
	}
	b.Reset()
	if err := report.NewCSV(&b, report.Columns{}, false).Case(bad, report.News{}); err != nil || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("CSV: %v\n%s", err, &b)
	}
}

// readCut is what docs/json.md says of a document that is cut off: each line without
// the comma at its end that is a JSON object is a case.
func readCut(text []byte) (cases []outcome.Case) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), ",")
		var c outcome.Case
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &c) == nil {
			cases = append(cases, c)
		}
	}
	return cases
}

// TestCut: wherever a document ends, all cases are there that had been written.
func TestCut(t *testing.T) {
	tools, cases := twoCases(t)
	cases = append(cases, &outcome.Case{Index: 2, Formula: "},\n{\"index\"", Error: "unreadable"}, failed(3, "Ga", segv("{\n},\n"), exit("[")))
	cases[3].Results[0].Translator, cases[3].Results[1].Translator = "good", "good"
	text, ends := document(t, report.NewSummary(tools), cases...)
	for cut := range len(text) + 1 {
		// Every place about the end of a line, and some of the others.
		if near := text[max(0, cut-4):min(len(text), cut+4)]; cut%11 > 0 && !bytes.ContainsRune(near, '\n') {
			continue
		}
		want := 0
		for _, end := range ends {
			if end <= cut {
				want++
			}
		}
		got := readCut(text[:cut])
		if len(got) != want {
			t.Fatalf("cut after %d bytes: %d cases, want %d", cut, len(got), want)
		}
		for i := range got {
			if got[i].Index != i || got[i].Formula != cases[i].Formula || len(got[i].Results) != len(cases[i].Results) {
				t.Fatalf("cut after %d bytes: case %d is %+v", cut, i, got[i])
			}
		}
	}
}

// small is a disk that has room for so many bytes.
type small struct {
	room int
	data []byte
}

func (s *small) Write(p []byte) (int, error) {
	n := min(len(p), s.room-len(s.data))
	s.data = append(s.data, p[:n]...)
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestSmallDisk: a disk gets full at some place: it is said, and what is finished stays.
func TestSmallDisk(t *testing.T) {
	_, cases := twoCases(t)
	var whole bytes.Buffer
	write := func(w io.Writer) (done int, err error) {
		j := report.NewJSON(w)
		for _, c := range cases {
			if err := j.Case(c, report.News{}); err != nil {
				return done, err
			}
			done++
		}
		return done, nil
	}
	must.Get(write(&whole))
	for room := 0; room < whole.Len(); room += 7 {
		disk := &small{room: room}
		done, err := write(disk)
		if !errors.Is(err, errFull) || len(readCut(disk.data)) != done {
			t.Fatalf("%d bytes: %d cases written, %d read: %v", room, done, len(readCut(disk.data)), err)
		}
	}
}

// TestCSVStatus: each status has one of ltlcross's names, and numbers belong to exit
// statuses and signals.
func TestCSVStatus(t *testing.T) {
	want := map[outcome.Status]string{
		outcome.OK: "ok,0", outcome.Timeout: "timeout,-1", outcome.CPUTime: "timeout,-1",
		outcome.Crash: "signal,9", outcome.Exit: "exit code,9",
		outcome.NoOutput: "parse error,-1", outcome.Syntax: "parse error,-1",
		outcome.Unsupported: "aborted,-1", outcome.Aborted: "aborted,-1", outcome.TooBig: "aborted,-1",
		outcome.TooLong: "aborted,-1", outcome.Memory: "aborted,-1", outcome.Skipped: "",
		outcome.MissingState: "parse error,-1",
	}
	for _, s := range outcome.Statuses() {
		var b bytes.Buffer
		r := outcome.Result{Subject: outcome.Subject{Translator: "x"}, Status: s, ExitCode: 9}
		if s == outcome.OK {
			r.ExitCode = 0
		}
		must.Do(report.NewCSV(&b, report.Columns{}, false).Case(&outcome.Case{Formula: "a", Results: []outcome.Result{r}}, report.News{}))
		_, line, _ := strings.Cut(b.String(), "\n")
		status, code, _ := strings.Cut(want[s], ",")
		if w, ok := want[s]; !ok || w != "" && !strings.HasPrefix(line, `"a","x","`+status+`",`+code+",0,") || w == "" && line != "" {
			t.Errorf("%s: %q, want %s", s, line, w)
		}
	}
}
