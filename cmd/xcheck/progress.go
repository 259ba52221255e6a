package main

import (
	"io"
	"os"
	"time"

	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// newProgress returns what tells on standard error how far a run is, or nil if nobody wants
// that. From then on whatever goes there, or to the same terminal, goes through it.
func (a *app) newProgress(f *runFlags, total int) *report.Progress {
	if f.progress == "never" || f.quiet {
		return nil
	}
	p := &report.Progress{W: a.err, Total: total, Always: f.progress == "always"}
	if file, ok := a.err.(*os.File); ok {
		p.Width = report.TerminalWidth(file)
	}
	if samePlace(a.out, a.err) {
		a.out = p.Above(a.out)
	}
	a.err = p.Above(a.err)
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

// watch starts to report progress. After the deadline, if it is not zero, the run starts no
// more formulas.
func (r *reporter) watch(cores *translators.Cores, deadline time.Time) {
	if r.progress == nil {
		return
	}
	r.progress.Deadline = deadline
	r.progress.Longest = func() (string, time.Time) {
		work, ok := cores.Longest()
		if !ok {
			return "", time.Time{}
		}
		who := work.Tool
		if who == "" {
			who = "checks"
		}
		return who + " on " + work.About(), work.Since
	}
	r.progress.Update(r.tally)
	r.progress.Start()
}

// phase says what is done when the formulas are.
func (r *reporter) phase(what string) {
	if r.progress != nil {
		r.progress.Phase(what)
	}
}
