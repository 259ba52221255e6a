package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/xcheck-ltl/xcheck/report"
)

// create makes the file of --json=FILE, also if no answer will come: what an
// earlier command has left in it is none of this one's.
func (a *app) create() (err error) {
	if a.json != "" && a.json != "-" {
		a.file, err = os.Create(a.json)
	}
	return err
}

// appended returns the name of a file, and whether it was given as >>FILE.
func appended(name string) (path string, more bool) {
	path, more = strings.CutPrefix(name, ">>")
	return strings.TrimSpace(path), more
}

// createFile opens a file for writing: what it has is lost, unless its name is given as
// >>FILE. Then what is written comes behind that, on a line of its own.
func createFile(name string) (*os.File, error) {
	name, more := appended(name)
	if !more {
		return os.Create(name)
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	return file, newLine(name, file)
}

// taken finds out whether a file that is to be written is one that is read, or one of those
// that are written already.
func (a *app) taken(name string, files []*os.File) error {
	name, _ = appended(name)
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // it is not there yet, or has nothing to lose
	}
	for _, in := range a.inputs {
		if os.SameFile(info, in) {
			return fmt.Errorf("%s is read by this command: expected another file to write to", name)
		}
	}
	for _, file := range files {
		if out, err := file.Stat(); err == nil && os.SameFile(info, out) {
			return fmt.Errorf("%s is to have two reports: expected a file for each", name)
		}
	}
	return nil
}

// newLine ends the last line of a file that is appended to, if a run that was killed has
// left a piece of one.
func newLine(name string, w *os.File) error {
	info, err := w.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil // it can be written, but not be read
	}
	defer file.Close()
	var last [1]byte
	if _, err = file.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
		_, err = w.WriteString("\n")
	}
	return err
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
