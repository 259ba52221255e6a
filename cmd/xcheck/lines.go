package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

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
}

func newLineReader(name string, r io.Reader) *lineReader {
	return &lineReader{name: name, in: bufio.NewReader(r)}
}

// next returns the next line and where it stands; io.EOF after the last.
func (r *lineReader) next() (where, text string, err error) {
	for err == nil {
		text, err = r.in.ReadString('\n')
		r.n++
		if text = strings.TrimSpace(text); text != "" && text[0] != '#' && (err == nil || err == io.EOF) {
			return fmt.Sprintf("%s:%d", r.name, r.n), text, nil
		}
	}
	if err != io.EOF {
		err = fmt.Errorf("%s: %w", r.name, err)
	}
	return "", "", err
}

// formulaError shows where a formula is wrong.
func formulaError(where string, err error) error {
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s: %v\n%s", where, err, syntax.Excerpt())
	}
	return fmt.Errorf("%s: %w", where, err)
}
