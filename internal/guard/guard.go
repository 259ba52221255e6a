// Package guard turns a panic into a message, so that it ends one case and not the run.
package guard

import (
	"fmt"
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
