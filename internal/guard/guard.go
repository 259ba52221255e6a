// Package guard turns a panic into a message, so that it ends one case and not the run, and a missing
// reader or writer into an error.
package guard

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
)

// Call calls f. If it panics, that is returned, and where.
func Call(f func() error) (panicked string, err error) {
	defer func() {
		if p := recover(); p != nil {
			// What comes after the call of panic are the functions that were active.
			_, stack, _ := strings.Cut(string(debug.Stack()), "\npanic(")
			lines := strings.SplitAfter(stack, "\n")
			panicked = fmt.Sprintf("panic: %v\n%s", p, strings.Join(lines[min(2, len(lines)):min(10, len(lines))], ""))
		}
	}()
	return "", f()
}

// Writer returns w, or a writer that fails if w is nil.
func Writer(w io.Writer) io.Writer {
	if w == nil {
		return none{}
	}
	return w
}

// Reader returns r, or a reader that fails if r is nil.
func Reader(r io.Reader) io.Reader {
	if r == nil {
		return none{}
	}
	return r
}

type none struct{}

func (none) Write([]byte) (int, error) { return 0, errors.New("no writer given") }
func (none) Read([]byte) (int, error)  { return 0, errors.New("no reader given") }
