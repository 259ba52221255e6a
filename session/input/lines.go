package input

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Reader gives one text after the other, each with its place, and then io.EOF. With any other
// error, the text is the part that was read.
type Reader interface {
	Next() (where, text string, err error)
}

// Lines reads the lines of a file that are neither empty nor comments (#).
type Lines struct {
	// All returns comments and blanks as well, and counts only lines that are not empty, as Spot's
	// tools do.
	All bool

	name string
	in   *bufio.Reader
	n    int
	end  error // io.EOF, or the error of a read
}

// MaxLine is the length of the longest line that is read, in bytes.
const MaxLine = 4 << 20

// errLong is the error of a longer line. The next line can be read.
var errLong = fmt.Errorf("line longer than %d bytes", MaxLine)

// NewLines returns Lines for the content of the file called name.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{name: name, in: bufio.NewReader(r)}
}

// Next returns the next line and its place, such as f.ltl:3, and io.EOF after the last line. With
// any other error, it returns the place and the start of the line.
func (r *Lines) Next() (where, text string, err error) {
	for r.end == nil {
		text, err := r.line()
		r.n++
		if r.n == 1 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte-order mark
		}
		where := fmt.Sprintf("%s:%d", r.name, r.n)
		if r.All && err == nil {
			if text = strings.TrimRight(text, "\r\n"); text == "" {
				r.n--
				continue
			}
			return where, text, nil
		}
		// Keep blanks at the start, so that columns count from the start of the line.
		if text = strings.TrimRightFunc(text, unicode.IsSpace); err != nil {
			return where, text, fmt.Errorf("%s: %w", where, err)
		}
		if first := strings.TrimSpace(text); first != "" && first[0] != '#' {
			return where, text, nil
		}
	}
	return "", "", io.EOF
}

// line reads the next line, and returns at most MaxLine bytes of it. The end of the file ends the
// last line, and is no error.
func (r *Lines) line() (string, error) {
	var text []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if room := MaxLine - len(text); len(part) > room {
			part, long = part[:room], true
		}
		text = append(text, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if r.end = err; err == io.EOF {
			err = nil
		}
		if err == nil && long {
			err = errLong
		}
		return string(text), err
	}
}

// Located says where the formula on a line of a file is wrong, with the column if that is known:
// "f.ltl:3:5: expected a formula, found the end".
func Located(where string, err error) error {
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: expected %s, found %s", where, syntax.Column, syntax.Expected, syntax.Found)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// Excerpted adds the part of the formula that has caused a message.
func Excerpted(message, cause error) error {
	var syntax *ltl.SyntaxError
	if errors.As(cause, &syntax) {
		return fmt.Errorf("%w\n%s", message, syntax.Excerpt())
	}
	return message
}

// Start returns text, or the start of it if it is long.
func Start(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

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
