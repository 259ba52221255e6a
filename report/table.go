package report

import (
	"io"
	"slices"

	"github.com/olekukonko/tablewriter/tw"
)

// Table writes a table in the style of the report, with all columns aligned left.
func Table(w io.Writer, header []string, rows [][]string) error {
	return (&Text{W: w}).table(header, rows, slices.Repeat([]tw.Align{tw.AlignLeft}, len(header)))
}
