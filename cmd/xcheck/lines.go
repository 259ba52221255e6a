package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// lines calls f for each line of a file that is neither empty nor a comment, as
// soon as it has been read.
func (a *app) lines(name string, f func(where, line string) error) error {
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for r := newLineReader(name, file); ; {
		where, text, err := r.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f(where, text)
		}
		if err != nil {
			return err
		}
	}
}

// lineReader reads the lines of a file that are neither empty nor comments (#).
type lineReader struct {
	name string
	in   *bufio.Reader
	n    int
	end  error // what there is after the last line
}

// maxLine is the length of the longest line that is read, in bytes.
const maxLine = 4 << 20

// errLong is the error of a line that is longer. The next one can be read.
var errLong = fmt.Errorf("line longer than %d bytes", maxLine)

func newLineReader(name string, r io.Reader) *lineReader {
	return &lineReader{name: name, in: bufio.NewReader(r)}
}

// next returns the next line and where it stands; io.EOF after the last. With any
// other error, where is set as well, and the text is the start of the line.
func (r *lineReader) next() (where, text string, err error) {
	for r.end == nil {
		text, err := r.line()
		r.n++
		if r.n == 1 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte-order mark
		}
		where := fmt.Sprintf("%s:%d", r.name, r.n)
		// Blanks at the start stay, so that columns are those of the line.
		if text = strings.TrimRightFunc(text, unicode.IsSpace); err != nil {
			return where, text, fmt.Errorf("%s: %w", where, err)
		}
		if first := strings.TrimSpace(text); first != "" && first[0] != '#' {
			return where, text, nil
		}
	}
	return "", "", io.EOF
}

// line reads the next line, of which it returns no more than maxLine bytes. The end
// of the file ends the last line; it is no error, but that of a read is.
func (r *lineReader) line() (string, error) {
	var text []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if room := maxLine - len(text); len(part) > room {
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

// formulaError shows where a formula of the command line is wrong.
func formulaError(err error) error {
	return excerpted(fmt.Errorf("formula: %w", err), err)
}

// lineError says where the formula on a line of a file is wrong, with the column.
func lineError(where string, err error) error {
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: expected %s, found %s", where, syntax.Column, syntax.Expected, syntax.Found)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// excerpted adds to a message the part of the formula that has caused it.
func excerpted(message, cause error) error {
	var syntax *ltl.SyntaxError
	if errors.As(cause, &syntax) {
		return fmt.Errorf("%w\n%s", message, syntax.Excerpt())
	}
	return message
}
