package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

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
