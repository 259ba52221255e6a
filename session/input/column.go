package input

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Column reads a column of a CSV file (RFC 4180). Column 2 of
//
//	mine,"G(a -> F ""b"")",3
//
// is G(a -> F "b").
type Column struct {
	name   string
	bytes  *recordBytes
	in     *csv.Reader
	column int // from 0
	skip   bool
	end    bool
}

// NewColumn returns a Column that reads the column with the given number, from 1. A negative
// number, such as -2 for column 2, leaves out the first record, which has the names of columns.
func NewColumn(name string, r io.Reader, column int) *Column {
	bytes := &recordBytes{Reader: r}
	c := &Column{name: name, bytes: bytes, in: csv.NewReader(bytes), column: column - 1}
	if column < 0 {
		c.column, c.skip = -column-1, true
	}
	c.in.FieldsPerRecord = -1
	c.in.ReuseRecord = true
	return c
}

// recordBytes fails when more than MaxLine bytes are read for a record.
type recordBytes struct {
	io.Reader
	left int
}

func (r *recordBytes) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("record longer than %d bytes", MaxLine)
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// Next returns the column of the next record, and its place, such as "f.csv:3 (column 2)". After
// the last record, it returns io.EOF. A record without the column or with a misplaced quote is an
// error, but the next record can be read. Empty fields are passed over, like empty lines.
func (c *Column) Next() (where, text string, err error) {
	for !c.end {
		c.bytes.left = MaxLine
		fields, err := c.in.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return "", "", io.EOF
		case errors.As(err, &bad):
			return fmt.Sprintf("%s:%d", c.name, bad.StartLine), "", fmt.Errorf("%s:%d:%d: %w", c.name, bad.Line, bad.Column, bad.Err)
		case err != nil:
			c.end = true // as a read has failed, others would
			return c.name, "", fmt.Errorf("%s: %w", c.name, err)
		}
		if c.skip {
			c.skip = false
			continue
		}
		line, _ := c.in.FieldPos(min(c.column, len(fields)-1))
		if c.column >= len(fields) {
			where := fmt.Sprintf("%s:%d", c.name, line)
			return where, strings.Join(fields, ","), fmt.Errorf("%s: expected a column %d, found only %d", where, c.column+1, len(fields))
		}
		text := fields[c.column]
		if c.column == 0 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte-order mark, if it is the first
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		return fmt.Sprintf("%s:%d (column %d)", c.name, line, c.column+1), text, nil
	}
	return "", "", io.EOF
}
