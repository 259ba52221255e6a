package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

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

// appended returns the name of a file, and whether it was given as >>FILE.
func appended(name string) (path string, more bool) {
	path, more = strings.CutPrefix(name, ">>")
	return strings.TrimSpace(path), more
}

// createFile begins a file that is replaced when it is closed. If its name is given as >>FILE,
// what is written comes at once behind what it has, on a line of its own.
func createFile(name string) (*wholefile.File, error) {
	name, more := appended(name)
	if !more {
		return wholefile.Create(name)
	}
	return appendFile(name)
}

// createLive is createFile for what is to be seen while the run goes on: it is written at once.
func createLive(name string) (*wholefile.File, error) {
	name, more := appended(name)
	if !more {
		return wholefile.Overwrite(name)
	}
	return appendFile(name)
}

func appendFile(name string) (*wholefile.File, error) {
	file, err := wholefile.Append(name)
	if err != nil {
		return nil, err
	}
	if err := file.EndLine(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// taken finds out whether a file that is to be written is one that is read, or one of those
// that are written already.
func (a *app) taken(name string, files []*wholefile.File) error {
	name, _ = appended(name)
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil // it has nothing to lose
	}
	for _, in := range a.inputs {
		if err == nil && os.SameFile(info, in) {
			return fmt.Errorf("cannot write to %q: this command reads it; name another file", name)
		}
	}
	for _, file := range files {
		if file.Is(name) {
			return fmt.Errorf("cannot write two reports to %q; name a file for each", name)
		}
	}
	return nil
}

// answer prints the answer of a command: text, or value as one line of JSON.
func (a *app) answer(text string, value any) error {
	if a.json == "" {
		_, err := fmt.Fprintln(a.out, text)
		return err
	}
	line, err := report.Line(value)
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
