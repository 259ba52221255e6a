package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/xcheck-ltl/xcheck/report"
)

// when is the value of a flag for something that is meant for terminals, --color or
// --progress: one of whens. Its zero value is auto.
type when string

var whens = []string{"auto", "always", "never"}

// spotWhens are the other words that Spot's tools take.
var spotWhens = map[string]string{"yes": "always", "force": "always", "no": "never", "none": "never", "tty": "auto", "if-tty": "auto"}

func (w *when) Set(text string) error {
	text = cmp.Or(spotWhens[text], text)
	if !slices.Contains(whens, text) {
		return errors.New("expected auto, always or never")
	}
	*w = when(text)
	return nil
}

func (w *when) String() string { return cmp.Or(string(*w), "auto") }

// Type is what help calls the value.
func (w *when) Type() string { return "WHEN" }

// wanted decides for what is written to out: auto is for terminals.
func (w when) wanted(out io.Writer) bool {
	if w.String() != "auto" {
		return w == "always"
	}
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colors decides for colors in what is written to out: always is stronger than NO_COLOR.
func (w when) colors(out io.Writer) bool {
	return w.wanted(out) && (w == "always" || os.Getenv("NO_COLOR") == "")
}

// joinColor writes --color=WHEN for --color WHEN: the value may be missing, so that it
// would not be taken for one.
func joinColor(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(joined, args[i:]...)
		}
		if args[i] == "--color" && i+1 < len(args) && slices.Contains(whens, args[i+1]) {
			joined = append(joined, "--color="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

// newProgress returns what tells on standard error how far a run is. From then on whatever goes
// there, or to the same terminal, goes through it.
func (a *app) newProgress(always bool) *report.Progress {
	p := &report.Progress{W: a.err, Always: always}
	if file, ok := a.err.(*os.File); ok {
		p.Width, p.Height = report.TerminalWidth(file), report.TerminalHeight(file)
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
