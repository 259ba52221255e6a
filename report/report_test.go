package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// twoCases are a case in which the translator liar is wrong and broken fails, and
// one in which nothing happens.
func twoCases(t *testing.T) ([]*translators.Tool, []*outcome.Case) {
	t.Helper()
	var tools []*translators.Tool
	for _, name := range []string{"good", "liar", "broken"} {
		c, err := translators.ParseCommand(name+" %f", translators.Spawn)
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, &translators.Tool{Name: name, Command: c})
	}
	p := func(name string) outcome.Subject { return outcome.Subject{Translator: name} }
	n := func(name string) outcome.Subject {
		return outcome.Subject{Translator: name, Polarity: outcome.Negation}
	}
	results := func(broken outcome.Status) []outcome.Result {
		return []outcome.Result{
			{Subject: p("good"), Status: "ok", States: 2, Edges: 3, Sets: 1, Seconds: 0.5},
			{Subject: n("good"), Status: "ok", States: 1, Edges: 1},
			{Subject: p("liar"), Status: "ok", States: 5, Edges: 6, Sets: 1, Seconds: 0.25},
			{Subject: n("liar"), Status: "ok", States: 1, Edges: 1},
			{Subject: p("broken"), Status: broken, Detail: "exit status 1: oops", Command: "broken 'Ga'", Stderr: "line 1\noops\n"},
			{Subject: n("broken"), Status: broken, Detail: "exit status 1: oops", Command: "broken '!Ga'", Stderr: "oops\n"},
		}
	}
	answer := func(s outcome.Subject, accepts, right bool) outcome.Answer {
		return outcome.Answer{Subject: s, Accepts: accepts, Right: right}
	}
	return tools, []*outcome.Case{
		{
			Formula: "Ga", Checked: true, Results: results("exit"),
			Disagreements: []outcome.Disagreement{{Word: "a; cycle{!a}", Size: 2, Kind: "extra", Blamed: []outcome.Subject{p("liar")},
				Accepts: []outcome.Answer{answer(p("good"), false, true), answer(n("good"), true, true), answer(p("liar"), true, false), answer(n("liar"), true, true)}}},
			Undecided: []outcome.Undecided{{Check: "P good & !(P liar)", Text: "good is included in liar", Why: "limit of 1 macrostates"}},
			Findings:  []outcome.Finding{{Subject: p("liar"), Class: "property", Text: "declared weak, but it is not"}},
		},
		{Index: 1, Formula: "Fb", Checked: true, Results: results("exit")},
	}
}

const wantText = `exit: broken: exit status 1: oops
  command: broken 'Ga'
  stderr:  line 1
  stderr:  oops
property: liar: declared weak, but it is not (formula Ga)
undecided: good is included in liar: limit of 1 macrostates (formula Ga)

disagreement: extra word
  formula 0:  Ga
  word:       a; cycle{!a}   (at most 2 letters, accepted by automata that should reject it)
  the word does not satisfy the formula
    translator  formula  negation
    good        rejects  accepts
    liar        accepts  accepts   wrong (formula)
    broken      exit     exit

translator  calls  ok  exit  wrong  wrong negations  findings  states  edges  sets  time (s)
good            4   4     0      0                0         0       6      8     2      1.00
liar            4   4     0      1                0         1      12     14     2      0.50
broken          4   0     4      0                0         0       0      0     0      0.00
(two calls per formula: for it and its negation; numbers are totals)

translator  kind      calls  smallest formula  detail
broken      exit          4  Ga                exit status 1: oops
liar        property      1  Ga                declared weak, but it is not
FAIL: 2 formulas checked, disagreement on 1 formula; wrong: liar; false properties (liar: unnamed); 4 failures of translators (broken: 4× exit); 1 undecided check (limit of 1 macrostates); 1 word not proved shortest
`

// TestText: what a user sees. A failure of a kind is explained once.
func TestText(t *testing.T) {
	tools, cases := twoCases(t)
	var b bytes.Buffer
	text := &report.Text{W: &b}
	summary := report.NewSummary(tools)
	for _, c := range cases {
		if err := text.Case(c, summary.Add(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := text.End(summary); err != nil {
		t.Fatal(err)
	}
	if b.String() != wantText {
		t.Errorf("got\n%s\nwant\n%s", b.String(), wantText)
	}
}

// TestQuiet: what decides the status is shown, and nothing else.
func TestQuiet(t *testing.T) {
	var b bytes.Buffer
	text := &report.Text{W: &b, Quiet: true}
	tools, _ := twoCases(t)
	summary := report.NewSummary(tools)
	liar := outcome.Subject{Translator: "liar"}
	c := &outcome.Case{
		Formula: "Ga", Results: []outcome.Result{{Subject: liar, Status: "skipped", Detail: "no X"}, {Subject: liar, Status: "exit", Detail: "exit status 1"}},
		Undecided: []outcome.Undecided{{Check: "P liar & N liar", Why: "limit"}},
		Findings: []outcome.Finding{{Subject: liar, Class: "warning", Text: "odd"}, {Subject: liar, Class: "property", Text: "declared weak, but it is not"},
			{Subject: liar, Class: "unstable", Text: "odd"}},
	}
	err := text.Case(c, summary.Add(c))
	err = errors.Join(err, text.Case(&outcome.Case{Formula: "b c", Error: "f:2: 1:3: expected an operator"}, report.News{}))
	want := `exit: liar: exit status 1
property: liar: declared weak, but it is not (formula Ga)
unstable: liar: odd (formula Ga)
invalid formula: f:2: 1:3: expected an operator (b c)
`
	if err != nil || b.String() != want {
		t.Errorf("got\n%s\nwant\n%s(%v)", &b, want, err)
	}
}

// TestJSON: the document is valid, also without a case, and has the totals.
func TestJSON(t *testing.T) {
	tools, cases := twoCases(t)
	for _, n := range []int{0, 1, 2} {
		var b bytes.Buffer
		j := report.NewJSON(&b)
		summary := report.NewSummary(tools)
		for _, c := range cases[:n] {
			summary.Add(c)
			if err := j.Case(c, report.News{}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), `"formula":"`+c.Formula+`"`) {
				t.Errorf("case %d has not been written yet", c.Index)
			}
		}
		if err := j.End(summary); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Cases       []outcome.Case
			Translators []report.ToolStats
			Groups      []report.Group
			Counts      report.Counts `json:"summary"`
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		if len(got.Cases) != n || len(got.Translators) != 3 || len(got.Groups) != min(2, 2*n) || !reflect.DeepEqual(got.Counts, summary.Counts) || got.Counts.Failures != 2*n {
			t.Errorf("%d cases: got %+v", n, got)
		}
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestFullDisk(t *testing.T) {
	tools, cases := twoCases(t)
	if err := report.NewJSON(full{}).Case(cases[0], report.News{}); !errors.Is(err, errFull) {
		t.Errorf("JSON: %v", err)
	}
	text := &report.Text{W: full{}}
	if err := text.Case(cases[0], report.NewSummary(tools).Add(cases[0])); !errors.Is(err, errFull) {
		t.Errorf("text: %v", err)
	}
	if err := text.End(report.NewSummary(tools)); !errors.Is(err, errFull) {
		t.Errorf("end: %v", err)
	}
}

// TestLongCommand: of a command that holds a large automaton, the middle is left out.
func TestLongCommand(t *testing.T) {
	command := "printf '" + strings.Repeat("State: 0\n", 5000) + "--END--' | x"
	c := &outcome.Case{Formula: "a", Results: []outcome.Result{{Subject: outcome.Subject{Translator: "x"}, Status: "exit", Command: command}}}
	for _, verbose := range []bool{false, true} {
		var out bytes.Buffer
		if err := (&report.Text{W: &out, Verbose: verbose}).Case(c, report.News{Results: []bool{true}}); err != nil {
			t.Fatal(err)
		}
		short := strings.Contains(out.String(), "State: 0\n… (4987 lines not shown: use -v or --json)\nState: 0\n--END--' | x\n")
		if short == verbose || strings.Contains(out.String(), command) != verbose {
			t.Errorf("verbose %v: %d bytes: %.300s", verbose, out.Len(), out.String())
		}
	}
}

// explained is a case in which two automata are wrong on a word, with their explanations.
func explained() *outcome.Case {
	no := false
	end := 1
	accepting := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "liar"}, {Translator: "parrot"}},
		Accepts:  true,
		Why:      "accepting run sees {0 2} infinitely often, which satisfies Inf(0)",
		Run: &outcome.Path{
			Prefix: []outcome.Step{{Letter: "a", State: 0, Name: "Ga", To: 1, NameHolds: &no, Obligation: "Ga"}},
			Cycle:  []outcome.Step{{Letter: "!a", State: 1, Name: "a U b", Marks: []int{0, 2}, To: 1, Obligation: "0"}},
		},
		Repair: &outcome.Repair{Text: "the cycle is wrong"},
	}
	stuck := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "liar", Polarity: outcome.Negation}},
		Why:      "stuck at letter 2: state 1 has no edge for !a, only for a",
		Run: &outcome.Path{
			Prefix: []outcome.Step{{Letter: "a", State: 0, To: 1}},
			End:    &end,
		},
		Stuck: []outcome.Stuck{{State: 1, Name: "end", Labels: []string{"a"}}},
	}
	opposite := outcome.Explanation{
		Automata: []outcome.Subject{{Translator: "good", Polarity: outcome.Negation}},
		Accepts:  true,
		Why:      "accepting run: every infinite run is accepting",
		Run:      &outcome.Path{Cycle: []outcome.Step{{Letter: "a", State: 0, To: 0}}},
	}
	return &outcome.Case{Formula: "Ga", Disagreements: []outcome.Disagreement{{
		Word: "a; cycle{!a}", Size: 2, Kind: "extra", Explanations: []outcome.Explanation{accepting, stuck}, Opposite: &opposite,
		Table: &outcome.TruthTable{Letters: []string{"a", "!a"}, Cycle: 1, Rows: []outcome.TruthRow{{Formula: "a", Truth: "10"}, {Formula: "Ga", Truth: "00"}}},
	}}}
}

func text(t *testing.T, c *outcome.Case, options report.Text) string {
	t.Helper()
	var b bytes.Buffer
	options.W = &b
	if err := options.Case(c, report.News{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestExplanations: the runs and the truth table stand below the disagreement.
func TestExplanations(t *testing.T) {
	const want = `
  liar, parrot: accepting run sees {0 2} infinitely often, which satisfies Inf(0)
          letter  state   marks  state's name  must hold from here
      1   a       0 -> 1         Ga (false)    Ga
      2*  !a      1 -> 1  {0 2}  a U b         0
     the cycle is wrong
  liar (negation): stuck at letter 2: state 1 has no edge for !a, only for a
         letter  state    state's name
      1  a       0 -> 1
      2          1 stuck  end
  good (negation), right: accepting run: every infinite run is accepting
          letter  state
      1*  a       0 -> 0
      truth at letter  1  2*
      a                1   0
      Ga               0   0
`
	if got := text(t, explained(), report.Text{}); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
	if got := text(t, explained(), report.Text{Quiet: true}); strings.Contains(got, "run") || strings.Contains(got, "truth at") {
		t.Errorf("quiet: %s", got)
	}
}

// TestExplanationsBounded: what is long is shown with -v only, and it is said that there is
// more.
func TestExplanationsBounded(t *testing.T) {
	c := explained()
	d := &c.Disagreements[0]
	d.Explanations = append(d.Explanations, d.Explanations...)
	first := &d.Explanations[0]
	first.Run = &outcome.Path{Prefix: first.Run.Prefix, Cycle: first.Run.Cycle}
	for i := range 20 {
		first.Run.Prefix = append(first.Run.Prefix, outcome.Step{Letter: "a", State: i, To: i + 1})
		d.Table.Rows = append(d.Table.Rows, outcome.TruthRow{Formula: fmt.Sprintf("a U %d", i), Truth: "00"})
	}
	first.Stays = []outcome.Stay{{}, {States: []int{1, 2}, StatesLeftOut: 3, Marks: []int{1}, Fails: []string{"Fin(1)"}}}
	first.StaysLeftOut = 2
	short := text(t, c, report.Text{})
	for _, line := range []string{
		"      22*  !a ",
		"     (10 letters of the run not shown: use -v)\n",
		"  (2 more explanations: use -v)\n",
		"  (truth of 22 subformulas along the word: use -v)\n",
		"     a run that stays in states 1, 2, … sees {1} infinitely often, which violates Fin(1)\n",
		"     (runs can also stay in 2 other components)\n",
	} {
		if !strings.Contains(short, line) {
			t.Errorf("%q is missing in\n%s", line, short)
		}
	}
	if n := strings.Count(short, "\n"); n > 40 {
		t.Errorf("%d lines", n)
	}
	d.Table.LeftOut = 7
	long := text(t, c, report.Text{Verbose: true})
	for _, line := range []string{"      22*  ", "      a U 19 ", "     (7 smaller subformulas not shown)\n"} {
		if !strings.Contains(long, line) {
			t.Errorf("-v: %q is missing in\n%s", line, long)
		}
	}
	if strings.Contains(long, "use -v") {
		t.Errorf("-v: something is left out:\n%s", long)
	}
}

// TestHTMLProvenance: the page has a table for each process that made the results.
func TestHTMLProvenance(t *testing.T) {
	summary, cases := everything(t)
	var page bytes.Buffer
	h := report.NewHTML(&page)
	for _, c := range cases {
		if err := h.Case(c, summary.Add(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.End(summary); err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(page.String(), `<section id="provenance"`)
	for _, want := range []string{"2 processes made these results", "<td>2026-11-19 22:00:00 UTC<", "<td>2026-11-19 23:00:00 UTC<", "<td>night-1<", "<td>v1.2.3<",
		`<td class="code">xcheck run -c nightly.toml --resume<`, `<td class="code">9c00a6cd<`, "<td>42<", "<td>1/2<", "good: good 1.0; mine: &lt;mine&gt; &amp; 2<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}
