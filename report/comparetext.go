package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
)

// WriteComparison writes a table for each measure, for people.
func WriteComparison(w io.Writer, pairs []*Pair) error {
	for len(pairs) > 0 {
		n := slices.IndexFunc(pairs, func(p *Pair) bool { return p.Measure != pairs[0].Measure })
		if n < 0 {
			n = len(pairs)
		}
		if _, err := fmt.Fprintln(w, pairs[0].Measure); err != nil {
			return err
		}
		if err := comparisonTable(w, pairs[:n]); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	_, err := fmt.Fprintln(w, "(inputs: formulas and negations for which both gave an automaton; less, equal, more: how often the\n"+
		"row's value is below, at or above the column's; ratio: geometric mean of row/column)")
	return err
}

func comparisonTable(w io.Writer, pairs []*Pair) error {
	header := []string{"row", "column", "inputs", "less", "equal", "more", "sum of row", "sum of column", "ratio"}
	// Who failed more often matters if somebody did.
	failed := slices.ContainsFunc(pairs, func(p *Pair) bool { return p.OnlyRow+p.OnlyColumn > 0 })
	if failed {
		header = append(header, "only row", "only column")
	}
	var rows [][]string
	for _, p := range pairs {
		ratio := "-"
		if p.RatioInputs > 0 {
			ratio = fmt.Sprintf("%.3f", p.Ratio)
		}
		row := []string{line(p.Row, 40), line(p.Column, 40), strconv.Itoa(p.Inputs), strconv.Itoa(p.Smaller), strconv.Itoa(p.Equal), strconv.Itoa(p.Larger),
			sum(p.SumRow), sum(p.SumColumn), ratio}
		if failed {
			row = append(row, strconv.Itoa(p.OnlyRow), strconv.Itoa(p.OnlyColumn))
		}
		rows = append(rows, row)
	}
	return (&Text{W: w}).table(header, rows, from(2, header)...)
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
