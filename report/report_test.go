package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
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
		c := must.Get(translators.ParseCommand(name+" %f", translators.Spawn))
		tools = append(tools, &translators.Tool{Name: name, Command: c})
	}
	p := func(name string) outcome.Subject { return outcome.Subject{Translator: name} }
	n := func(name string) outcome.Subject {
		return outcome.Subject{Translator: name, Polarity: outcome.Negation}
	}
	results := func(broken outcome.Status) []outcome.Result {
		return []outcome.Result{
			{Subject: p("good"), Status: "ok", Sizes: omega.Sizes{States: 2, Edges: 3, Totals: omega.Totals{Sets: 1}}, Seconds: 0.5},
			{Subject: n("good"), Status: "ok", Sizes: omega.Sizes{States: 1, Edges: 1}},
			{Subject: p("liar"), Status: "ok", Sizes: omega.Sizes{States: 5, Edges: 6, Totals: omega.Totals{Sets: 1}}, Seconds: 0.25},
			{Subject: n("liar"), Status: "ok", Sizes: omega.Sizes{States: 1, Edges: 1}},
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

// TestText: what a user sees. A failure of a kind is explained once.
func TestText(t *testing.T) {
	tools, cases := twoCases(t)
	var b bytes.Buffer
	text := &report.Text{W: &b, Verbose: true}
	summary := report.NewSummary(tools)
	for _, c := range cases {
		must.Do(text.Case(c, summary.Add(c)))
	}
	must.Do(text.End(summary))
	golden(t, "two.txt", b.Bytes())
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
	want := `invalid formula: f:2: 1:3: expected an operator (b c)
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
			must.Do(j.Case(c, report.News{}))
			if !strings.Contains(b.String(), `"formula":"`+c.Formula+`"`) {
				t.Errorf("case %d has not been written yet", c.Index)
			}
		}
		must.Do(j.End(summary))
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
		out, _ := atEnd(t, report.Text{Verbose: verbose}, []*outcome.Case{c})
		short := strings.Contains(out, "State: 0\n… (4987 lines not shown: use -v or --json)\nState: 0\n--END--' | x\n")
		if short == verbose || strings.Contains(out, command) != verbose {
			t.Errorf("verbose %v: %d bytes: %.300s", verbose, len(out), out)
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
	must.Do(options.Case(c, report.News{}))
	return b.String()
}

// TestExplanations: the runs and the truth table stand below the disagreement.
func TestExplanations(t *testing.T) {
	const want = `
  liar, parrot: accepting run sees {0 2} infinitely often, which satisfies Inf(0)
          letter  state   marks  state's name  must hold from here
      1   a       0 -> 1         Ga (false)    Ga
      2*  !a      1 -> 1  {0 2}  a U b         0
      * marks the cycle
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
	if got := text(t, explained(), report.Text{Verbose: true}); !strings.HasSuffix(got, want) {
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
	c.Automaton, c.Results = &outcome.Given{}, []outcome.Result{{}} // explained as they come
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
		must.Do(h.Case(c, summary.Add(c)))
	}
	must.Do(h.End(summary))
	_, text, _ := strings.Cut(page.String(), `<section id="provenance"`)
	for _, want := range []string{"2 processes made these results", "<td>2026-11-19 22:00:00 UTC<", "<td>2026-11-19 23:00:00 UTC<", "<td>night-1<", "<td>v1.2.3<",
		`<td class="code">xcheck run -c nightly.toml --resume<`, `<td class="code">9c00a6cd<`, "<td>42<", "<td>1/2<", "good: good 1.0; mine: &lt;mine&gt; &amp; 2<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
}

// TestTableWidths: with names of up to 10 characters and numbers of up to four digits, the table of
// translators has at most 100 columns, whatever happens.
func TestTableWidths(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		summary := report.NewSummary(nil)
		for i := range 1 + rng.IntN(3) {
			x := &report.ToolStats{Name: fmt.Sprintf("trans%02d", i), Formulas: rng.IntN(1000), Statuses: map[outcome.Status]int{},
				WrongP: rng.IntN(1000), WrongN: rng.IntN(1000), Findings: rng.IntN(2) * 30, Unstable: rng.IntN(2) * 30,
				Sizes:   report.Sizes{States: rng.IntN(10000), Edges: rng.IntN(10000), Totals: omega.Totals{Sets: rng.IntN(10000)}, Excess: rng.IntN(100), ExcessOf: rng.IntN(10)},
				Seconds: rng.Float64() * 1e4, CPU: float64(rng.IntN(2)) * 1e3, MaxRSS: rng.Int64N(2) << 30}
			for _, s := range outcome.Statuses() {
				if rng.IntN(4) == 0 {
					x.Statuses[s] = 1 + rng.IntN(100)
				}
			}
			summary.Translators = append(summary.Translators, x)
		}
		var b bytes.Buffer
		must.Do((&report.Text{W: &b}).End(summary))
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); strings.HasPrefix(line, "translator") && n > 100 {
				t.Fatalf("%d columns:\n%s", n, line)
			}
			if strings.HasPrefix(line, " states") {
				break
			}
		}
	}
}

// TestExcessColumn: the mean is over the automata whose excess length is known.
func TestExcessColumn(t *testing.T) {
	tools, cases := twoCases(t)
	summary := report.NewSummary(tools)
	c := cases[1]
	for i, n := range []int{0, 3, 7} {
		c.Results[i].Excess = &n // of liar's second automaton it is not known
	}
	summary.Add(c)
	var b bytes.Buffer
	must.Do((&report.Text{W: &b}).End(summary))
	want := `
translator  calls  ok  exit  wrong  wrong ¬  states  edges  sets  excess  time (s)
good            2   2     0      0        0       3      4     1    1.50      0.50
liar            2   2     0      0        0       6      7     1    7.00      0.25
broken          2   0     2      0        0       0      0     0              0.00
(two calls per formula: for it and its negation (¬); numbers are totals, excess a mean)
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	for name, write := range map[string]func() error{
		"HTML":     func() error { return report.NewHTML(&b).End(summary) },
		"Markdown": func() error { return report.WriteMarkdown(&b, summary) },
	} {
		b.Reset()
		must.Do(write())
		if !strings.Contains(b.String(), "excess") || !strings.Contains(b.String(), "7.00") {
			t.Errorf("%s has no excess:\n%s", name, &b)
		}
	}
}

// TestTableWidth: CPU time and peak memory are shown where they are known, and the
// table stays readable when calls fail in many ways.
func TestTableWidth(t *testing.T) {
	tools, cases := twoCases(t)
	summary := report.NewSummary(tools)
	c := cases[1]
	for i, r := range []struct {
		cpu float64
		rss int64
	}{{0.25, 3 << 20}, {0.5, 10<<20 + 1}, {1, 0}, {1, 0}} {
		c.Results[i].CPU, c.Results[i].MaxRSS = r.cpu, r.rss
	}
	summary.Add(c)
	var b bytes.Buffer
	end := func() {
		b.Reset()
		must.Do((&report.Text{W: &b}).End(summary))
	}
	end()
	want := `
translator  calls  ok  exit  wrong  wrong ¬  states  edges  sets  time (s)  CPU (s)  MiB
good            2   2     0      0        0       3      4     1      0.50     0.75   11
liar            2   2     0      0        0       6      7     1      0.25     2.00
broken          2   0     2      0        0       0      0     0      0.00     0.00
(two calls per formula: for it and its negation (¬); numbers are totals, MiB a maximum)
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	for _, status := range []outcome.Status{"timeout", "crash", "memory", "skipped"} {
		c.Results[4].Status = status
		summary.Add(c)
	}
	c.Findings = []outcome.Finding{{Subject: c.Results[2].Subject, Class: "unstable", Text: "odd"}}
	summary.Add(c)
	end()
	want = `
translator  calls  ok  skipped  failed  wrong  wrong ¬  findings  states  edges  sets  time (s)
good           12  12        0       0      0        0         0      18     24     6      3.00
liar           12  12        0       0      0        0         1      36     42     6      1.50
broken         12   0        2      10      0        0         0       0      0     0      0.00
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	if !strings.HasSuffix(b.String(), "\n6 formulas checked, no disagreement\nunchecked translators: broken\n1 unstable answer (liar)\n2 skipped (broken: 2× exit status 1: oops)\n10 failed calls\nINCOMPLETE: 10 failed calls (broken: 7× exit, crash, memory, timeout)\n") {
		t.Errorf("closing line of\n%s", &b)
	}
}
