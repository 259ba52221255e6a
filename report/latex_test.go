package report_test

import (
	"bytes"
	"strings"
	"testing"

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
