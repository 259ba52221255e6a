package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"

	"golang.org/x/term"
)

// when is the value of a flag for something that is meant for terminals, --color or
// --progress: one of whens. Its zero value is auto.
type when string

var whens = []string{"auto", "always", "never"}

func (w *when) Set(text string) error {
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
