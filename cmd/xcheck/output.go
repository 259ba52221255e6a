package main

import (
	"fmt"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/report"
)

// create begins the file of --json=FILE. It is replaced when the command ends, also if no answer
// has come: what an earlier command has left in it is none of this one's.
func (a *app) create() (err error) {
	if a.json != "" && a.json != "-" {
		a.file, err = wholefile.Create(a.json)
	}
	return err
}

// answer prints the answer of a command: text, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if a.json == "" {
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	line, err := report.Document(value)
	if err != nil {
		return err
	}
	if a.json == "-" {
		_, err = a.out.Write(line)
		return err
	}
	_, err = a.file.Write(line)
	return err
}
