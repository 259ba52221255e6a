package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A CSV writes a line for each call of a translator, with the columns of ltlcross and in its
// form: texts are quoted, numbers are not.
type CSV struct {
	w       *bufio.Writer
	columns Columns
	fields  []field
}

// NewCSV returns a CSV that writes to w. The line of column names comes with the first case or
// at the end. headless omits it, for a file that already has lines.
func NewCSV(w io.Writer, columns Columns, headless bool) *CSV {
	c := &CSV{w: bufio.NewWriter(w), columns: columns, fields: columns.fields()}
	if !headless {
		names := []cell{text("formula"), text("tool")}
		for _, f := range c.fields {
			names = append(names, text(f.name))
		}
		c.line(names)
	}
	return c
}

// Case writes the lines of a case, and flushes them.
func (c *CSV) Case(x *outcome.Case) error {
	c.columns.lines(x, func(r *outcome.Result) {
		c.line(append([]cell{text(input(x.Formula, r.Polarity)), text(r.Translator)}, row(c.fields, x, r)...))
	})
	return c.End()
}

// row returns the cells of a line.
func row(fields []field, x *outcome.Case, r *outcome.Result) []cell {
	list := make([]cell, len(fields))
	for i, f := range fields {
		if f.always || r.Status == outcome.OK {
			list[i] = f.value(x, r)
		}
	}
	return list
}

// line writes a line. An error is found when it is flushed.
func (c *CSV) line(cells []cell) {
	for i, x := range cells {
		if i > 0 {
			c.w.WriteByte(',')
		}
		if x.text {
			c.w.WriteByte('"')
			c.w.WriteString(strings.ReplaceAll(x.value, `"`, `""`))
			c.w.WriteByte('"')
		} else {
			c.w.WriteString(x.value)
		}
	}
	c.w.WriteByte('\n')
}

// End writes the column names if there was no case, and flushes.
func (c *CSV) End() error { return c.w.Flush() }
