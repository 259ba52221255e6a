package hoa

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// formats are all formats. To add one, write a file such as lbtt.go, and add a line here.
var formats = []*Format{
	hoaFormat,
	neverFormat,
	lbttFormat,
	dstarFormat,
	dotFormat,
}

// Formats returns all formats.
func Formats() []*Format { return slices.Clone(formats) }

// A Format is a text format of automata.
type Format struct {
	// Name is what configurations and convert --to call the format.
	Name string
	// Write writes an automaton. It fails when ctx is done, and for automata that the format
	// can't express. It is nil if the format can only be read.
	Write func(ctx context.Context, w io.Writer, a *omega.Automaton) error

	input *input // nil if the format can only be written
}

// Readable reports whether a [Reader] recognizes the format.
func (f *Format) Readable() bool { return f.input != nil }

// An input says how to find the automata of a format in a stream, and how to read them.
type input struct {
	title string // of an automaton, in messages
	// starts has the letters and digits with which an automaton may start.
	starts string
	// opens reports whether an automaton starts at l, which is at one of starts. If within is
	// set, l is inside another automaton.
	opens func(l *look, within bool) bool
	// follows is opens for a line that begins with something else, such as a prompt. It has to be
	// stricter, because messages mention automata too. If it is nil, automata start on lines of
	// their own.
	follows func(l *look) bool
	// scan returns a scanner for the ends of automata.
	scan func() scanner
	read func(p *parser) (*omega.Automaton, error)
}

// A scanner finds the ends of automata, one at a time.
type scanner interface {
	// scan looks for the end in text, from s.at on, and moves s.at there. The text begins with the
	// automaton. After wait, scan is called again with more text, or with s.closed.
	scan(s *Splitter, text []byte) answer
	// reset prepares the scanner for another automaton.
	reset()
}

// An answer says what a scanner found in the bytes that are there.
type answer uint8

const (
	wait  answer = iota // more bytes are needed to know
	yes                 // the end of the piece, at s.at
	no                  // the start of another, at s.at
	other               // the bytes before s.at are no automaton after all
)

// starting has the formats by the bytes that their automata start with.
var starting [256][]*Format

// A class is a set of reasons to stop at a byte: of scans of HOA, of never claims, and of
// other text.
type class uint8

const (
	// interrupts: another automaton may start here, and cut this one off. Digits don't: lines
	// of the body may start with numbers.
	interrupts class = 1 << iota
	inHOA
	inNever
	// prompted: an automaton may start here on a line that begins with something else.
	prompted
)

// classes has the classes of all bytes. Few bytes in the body of an automaton have one.
var classes [256]class

// classify adds a class to bytes.
func classify(list string, c class) {
	for _, b := range []byte(list) {
		classes[b] |= c
	}
}

func init() {
	for _, f := range formats {
		if f.input == nil {
			continue
		}
		for _, b := range []byte(f.input.starts) {
			starting[b] = append(starting[b], f)
		}
		classify(strings.Trim(f.input.starts, digits), interrupts)
		if f.input.follows != nil {
			classify(f.input.starts, prompted)
		}
	}
}

// titles lists the formats that are recognized anywhere in a stream: "HOA, never claim, LBTT or
// DSTAR".
func titles() string {
	var list []string
	for _, f := range formats {
		if f.Readable() {
			list = append(list, f.input.title)
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}
