package report

import (
	"io"
)

// Table writes a table in the style of the report, with all columns aligned left.
func Table(w io.Writer, header []string, rows [][]string) error {
	return (&Text{W: w}).table(header, rows)
}
