package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/columns"
)

// WriteComparison writes a table for each measure, for people.
func WriteComparison(w io.Writer, pairs []*Pair) error {
	var b strings.Builder
	for len(pairs) > 0 {
		n := slices.IndexFunc(pairs, func(p *Pair) bool { return p.Measure != pairs[0].Measure })
		if n < 0 {
			n = len(pairs)
		}
		fmt.Fprintf(&b, "%s\n%s\n", pairs[0].Measure, comparisonTable(pairs[:n]))
		pairs = pairs[n:]
	}
	b.WriteString("(inputs: formulas and negations for which both gave an automaton; less, equal, more: how often the\n" +
		"row's value is below, at or above the column's; ratio: geometric mean of row/column)\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func comparisonTable(pairs []*Pair) string {
	header := []string{"row", "column", "inputs", "less", "equal", "more", "sum of row", "sum of column", "ratio"}
	// Who failed more often matters if somebody did.
	failed := slices.ContainsFunc(pairs, func(p *Pair) bool { return p.OnlyRow+p.OnlyColumn > 0 })
	if failed {
		header = append(header, "only row", "only column")
	}
	rows := [][]string{header}
	for _, p := range pairs {
		row := []string{line(p.Row, 40), line(p.Column, 40), strconv.Itoa(p.Inputs), strconv.Itoa(p.Smaller), strconv.Itoa(p.Equal), strconv.Itoa(p.Larger),
			sum(p.SumRow), sum(p.SumColumn), cmp.Or(p.ratioText(), "-")}
		if failed {
			row = append(row, strconv.Itoa(p.OnlyRow), strconv.Itoa(p.OnlyColumn))
		}
		rows = append(rows, row)
	}
	return columns.Format(rows, from(2, header)...)
}

// ratioText returns the mean ratio with three digits, or "" if there is none.
func (p *Pair) ratioText() string {
	if p.RatioInputs == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", p.Ratio)
}

// sum writes a sum: whole numbers as such, others with three digits behind the point.
func sum(x float64) string {
	switch {
	case x >= 1e15:
		return fmt.Sprintf("%.6g", x)
	case x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3f", x)
}
