package main

import (
	"io"
	"os"

	"github.com/xcheck-ltl/xcheck/report"
)

// newProgress returns what tells on standard error how far a run is. From then on whatever goes
// there, or to the same terminal, goes through it.
func (a *app) newProgress(always bool) *report.Progress {
	p := &report.Progress{W: a.err, Always: always}
	if file, ok := a.err.(*os.File); ok {
		p.Width = report.TerminalWidth(file)
	}
	if samePlace(a.out, a.err) {
		a.out = p.Above(a.out)
	}
	a.err = p.Above(a.err)
	a.files.Note = a.err
	return p
}

// samePlace reports whether two writers are the same file, or both a terminal.
func samePlace(a, b io.Writer) bool {
	x, ok := a.(*os.File)
	y, too := b.(*os.File)
	if !ok || !too {
		return false
	}
	first, err := x.Stat()
	second, err2 := y.Stat()
	return err == nil && err2 == nil && (os.SameFile(first, second) || when("auto").wanted(x) && when("auto").wanted(y))
}
