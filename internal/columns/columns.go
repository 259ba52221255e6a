// Package columns aligns the columns of a table.
package columns

import (
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Format returns rows as lines. A cell is as wide as the widest of its column, with two spaces
// between cells and none at the end of a line. The columns of right are aligned right, the others
// left. All rows have the same number of cells, of one line each. With column 1 on the right:
//
//	tool      calls
//	couvreur     20
func Format(rows [][]string, right ...int) string {
	if len(rows) == 0 {
		return ""
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], displaywidth.String(cell)) // 日本 takes four columns
		}
	}
	var b, line strings.Builder
	for _, row := range rows {
		line.Reset()
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-displaywidth.String(cell))
			if slices.Contains(right, i) {
				line.WriteString(space + cell + "  ")
			} else {
				line.WriteString(cell + space + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// WithoutEmpty returns rows without the columns in which nothing stands below the first row, except
// the first few.
func WithoutEmpty(rows [][]string, first int) [][]string {
	var keep []int
	for i := range rows[0] {
		if i < first || slices.ContainsFunc(rows[1:], func(row []string) bool { return row[i] != "" }) {
			keep = append(keep, i)
		}
	}
	var kept [][]string
	for _, row := range rows {
		var cells []string
		for _, i := range keep {
			cells = append(cells, row[i])
		}
		kept = append(kept, cells)
	}
	return kept
}
