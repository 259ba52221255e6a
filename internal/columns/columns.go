// Package columns aligns the columns of a table.
package columns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
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
	align := slices.Repeat([]tw.Align{tw.AlignLeft}, len(rows[0]))
	for _, i := range right {
		align[i] = tw.AlignRight
	}
	var b strings.Builder
	table := tablewriter.NewTable(&b, // without lines
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleASCII),
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.Off},
			},
		})),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: "  ", Overwrite: true}),
		tablewriter.WithAlignment(align),
	)
	if err := table.Bulk(rows); err != nil {
		panic(fmt.Sprintf("columns: %v", err)) // rows of strings cannot fail
	}
	if err := table.Render(); err != nil {
		panic(fmt.Sprintf("columns: %v", err)) // writing to a Builder cannot fail
	}
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
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
