package main

import (
	"fmt"
	"io"

	"github.com/xcheck-ltl/xcheck/internal/lines"
)

// lines calls f for each line of a file that is neither empty nor a comment, as
// soon as it has been read.
func (a *app) lines(name string, f func(where, line string) error) error {
	file, err := a.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	for r := lines.NewText(name, file); ; {
		where, text, err := r.Next()
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

// formulaError shows where a formula of the command line is wrong.
func formulaError(err error) error {
	return lines.Excerpted(fmt.Errorf("formula: %w", err), err)
}
