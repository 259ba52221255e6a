package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
	"github.com/xcheck-ltl/xcheck/report"
)

// latex returns the table of cases.
func latex(t *testing.T, summary *report.Summary, cases ...*outcome.Case) string {
	t.Helper()
	var b bytes.Buffer
	l := report.NewLaTeX(&b)
	for _, c := range cases {
		if err := l.Case(c, summary.Add(c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.End(summary); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLaTeX: the table has the totals, and shares of those that made automata.
func TestLaTeX(t *testing.T) {
	tools, cases := twoCases(t)
	cases[0].Results[0].Deterministic = true
	want := `% 2 formulas, two calls for each, for it and its negation. Needs \usepackage{booktabs}.
% Sizes: totals of the automata that each translator made. Time: of all its calls.
\begin{tabular}{lrrrrrrrr}
\toprule
translator & automata & failed & wrong & states & edges & sets & deterministic & time (s) \\
\midrule
\texttt{good} & 4 & 0 & 0 & 6 & 8 & 2 & 25.0\,\% & 1.00 \\
\texttt{liar} & 4 & 0 & 1 & 12 & 14 & 2 & 0.0\,\% & 0.50 \\
\texttt{broken} & 0 & 4 & 0 & 0 & 0 & 0 &  & 0.00 \\
\bottomrule
\end{tabular}
`
	if got := latex(t, report.NewSummary(tools), cases...); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLaTeXCompacted: the sums of a compacted run do not say which automata are deterministic.
func TestLaTeXCompacted(t *testing.T) {
	summary := report.NewSummary(nil)
	summary.AddCompacted(&report.Compacted{Stride: 1, Sums: &sums.Sums{Automata: true, Cases: 3, Tools: []*sums.Tool{{Name: "mine", OK: 3, States: 7}}}})
	got := latex(t, summary)
	if !strings.HasPrefix(got, "% 3 automata, one call for each. ") || strings.Contains(got, "deterministic") ||
		!strings.Contains(got, "\n\\texttt{mine} & 3 & 0 & 7 & 0 & 0 & 0.00 \\\\\n") {
		t.Errorf("got\n%s", got)
	}
}

// TestLaTeXNames: the name of a translator is printed literally, on one line.
func TestLaTeXNames(t *testing.T) {
	for name, want := range map[string]string{
		`a_b`:             `a\_b`,
		`100%`:            `100\%`,
		`a & b # c $d`:    `a \& b \# c \$d`,
		`{x}`:             `\{x\}`,
		`~/bin/t ^`:       `\textasciitilde{}/bin/t \textasciicircum{}`,
		`a\b{`:            `a\textbackslash{}b\{`,
		"[h] two\nlines":  `[h] two lines`,
		`ltl2tgba -B ≤ é`: `ltl2tgba -B ≤ é`,
	} {
		c := &outcome.Case{Formula: "a", Results: []outcome.Result{{Status: "ok", Subject: outcome.Subject{Translator: name}}}}
		if got := latex(t, report.NewSummary(nil), c); !strings.Contains(got, "\n\\texttt{"+want+"} & 1 & 0 ") {
			t.Errorf("%q: want %s in\n%s", name, want, got)
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
	if err := (&report.Text{W: &b}).End(summary); err != nil {
		t.Fatal(err)
	}
	want := `
translator  calls  ok  exit  wrong  wrong negations  states  edges  sets  excess  time (s)
good            2   2     0      0                0       3      4     1    1.50      0.50
liar            2   2     0      0                0       6      7     1    7.00      0.25
broken          2   0     2      0                0       0      0     0              0.00
(two calls per formula: for it and its negation; numbers are totals, excess a mean)
`
	if !strings.HasPrefix(b.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	for name, write := range map[string]func() error{
		"HTML":     func() error { return report.NewHTML(&b).End(summary) },
		"Markdown": func() error { return report.WriteMarkdown(&b, summary) },
	} {
		b.Reset()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "excess") || !strings.Contains(b.String(), "7.00") {
			t.Errorf("%s has no excess:\n%s", name, &b)
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
				WrongP: rng.IntN(1000), WrongN: rng.IntN(1000), Findings: rng.IntN(2) * 30, Unstable: rng.IntN(2) * 30, States: rng.IntN(10000),
				Edges: rng.IntN(10000), Sets: rng.IntN(10000), Excess: rng.IntN(100), ExcessOf: rng.IntN(10),
				Seconds: rng.Float64() * 1e4, CPU: float64(rng.IntN(2)) * 1e3, MaxRSS: rng.Int64N(2) << 30}
			for _, s := range outcome.Statuses {
				if rng.IntN(4) == 0 {
					x.Statuses[s] = 1 + rng.IntN(100)
				}
			}
			summary.Translators = append(summary.Translators, x)
		}
		var b bytes.Buffer
		if err := (&report.Text{W: &b}).End(summary); err != nil {
			t.Fatal(err)
		}
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
