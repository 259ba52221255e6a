package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// columnReader reads a column of a CSV file (RFC 4180).
type columnReader struct {
	name   string
	in     *csv.Reader
	column int // from 0
	skip   bool
	end    bool
}

// newColumnReader reads the column with the given number, from 1. If it is negative, the
// first record has the names of columns, and is left out.
func newColumnReader(name string, r io.Reader, column int) *columnReader {
	c := &columnReader{name: name, in: csv.NewReader(r), column: column - 1}
	if column < 0 {
		c.column, c.skip = -column-1, true
	}
	c.in.FieldsPerRecord = -1
	c.in.ReuseRecord = true
	return c
}

// next returns the column of the next record, and on which line it starts; io.EOF after
// the last. A record without the column is an error, and so is a quote where none can be:
// the next record can be read all the same. An empty field is passed over, as an empty
// line is.
func (c *columnReader) next() (where, text string, err error) {
	for !c.end {
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
			return where, strings.Join(fields, ","), fmt.Errorf("%s: expected at least %d columns, found %d", where, c.column+1, len(fields))
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
