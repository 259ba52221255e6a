// Package report writes what a run has found, for people and for programs.
//
// A report takes one [outcome.Case] at a time and a [Summary] at the end. The Summary adds up the
// cases, which do not stay in memory. Each case is written when it is done, so an interrupted run
// loses nothing:
//
//	summary := report.NewSummary(tools)
//	csv := report.NewCSV(os.Stdout, report.Columns{}, false)
//	for _, c := range cases {
//		csv.Case(c, summary.Add(c))
//	}
//	csv.End(summary)
//
// The reports are
//
//   - [Text], for the terminal: disagreements as they come, then the table of translators
//   - JSON, one document with everything; [Read] reads it back
//   - [CSV], with the columns of ltlcross or autcross; and the JSON of ltlcross
//   - HTML, one page that shows the wrong automata and needs no network
//   - Markdown and JUnit, for continuous integration
//   - LaTeX, a table of the translators for a paper
//
// [Formats] makes all of them.
//
// HTML, Markdown, JUnit and LaTeX are written at the end.
//
// A [Comparison] counts how often one translator is smaller or faster than another. Its
// plots are SVG. Package report does not open the store: see package history.
package report

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Sink takes the results of a run: each case with what is new in it, and at the end the
// totals. After an error, it takes nothing more.
type Sink interface {
	Case(c *outcome.Case, news News) error
	End(t *Summary) error
}

// Options say how to write a report. Each format uses those that it needs.
type Options struct {
	Columns Columns
	// Late gives CSV and ltlcross's JSON the columns of the run's own CSV, besides Columns.
	Late bool
	// Headless omits the line of column names.
	Headless bool
	// Automata says that the inputs are automata.
	Automata              bool
	Color, Verbose, Quiet bool // of the text
	// Width is the number of columns of the terminal that the text goes to, or 0.
	Width int
	// Note, if set, gets what is missing in the report, and why.
	Note func(text string)
}

// A Format is a form of reports.
type Format struct {
	Name string // also of the flag of xcheck run, and of the key of configurations
	// Title names the report in errors: "the CSV report".
	Title string
	// Help says what the flag does. It is "" for a format that a run does not write.
	Help string
	// Kind names the form in errors.
	Kind string
	// Stdout lets the report take the place of the text on standard output.
	Stdout bool
	// Appends lets it go on behind what a file has. With Lines, it begins with column names, and
	// has lines for each case.
	Appends, Lines bool
	// Cases says that it has all cases, or compares translators on them.
	Cases bool
	// Provenance says that it tells where the results come from, with the versions of translators.
	Provenance bool
	// New returns a Sink that writes to w.
	New func(w io.Writer, o Options) Sink
}

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

var formats = []Format{
	{Name: "text", Title: "the report", New: func(w io.Writer, o Options) Sink {
		return &Text{W: w, Color: o.Color, Width: o.Width, Verbose: o.Verbose, Quiet: o.Quiet}
	}},
	{Name: "json", Title: "the JSON report", Help: "print JSON instead of text, or write it to `FILE`", Kind: "JSON", Stdout: true, Cases: true, Provenance: true,
		New: func(w io.Writer, _ Options) Sink { return newJSON(w) }},
	{Name: "csv", Title: "the CSV report", Help: "print CSV, or write it to `FILE` ('>>FILE' appends)", Kind: "CSV",
		Stdout: true, Appends: true, Lines: true, Cases: true, New: func(w io.Writer, o Options) Sink {
			return o.withColumns(func(c Columns, automata bool) Sink {
				if automata {
					return newAutcrossCSV(w, c, o.Headless)
				}
				return NewCSV(w, c, o.Headless)
			})
		}},
	{Name: "ltlcross-json", Title: "ltlcross's JSON", New: func(w io.Writer, o Options) Sink {
		return o.withColumns(func(c Columns, _ bool) Sink { return newLTLCross(w, c) })
	}},
	{Name: "junit", Title: "the report as JUnit XML", Help: "write JUnit XML to `FILE`", Kind: "JUnit XML", Provenance: true,
		New: func(w io.Writer, _ Options) Sink {
			return atEnd(func(t *Summary) error { return writeJUnit(w, t) })
		}},
	{Name: "markdown", Title: "the report as Markdown", Help: "write Markdown to `FILE` ('>>FILE' appends)", Kind: "Markdown", Appends: true, Provenance: true,
		New: func(w io.Writer, _ Options) Sink {
			return atEnd(func(t *Summary) error { return writeMarkdown(w, t) })
		}},
	{Name: "latex", Title: "the report as LaTeX", New: func(w io.Writer, _ Options) Sink { return newLaTeX(w) }},
	{Name: "html", Title: "the report as HTML", Help: "write an HTML page to `FILE`", Kind: "HTML", Cases: true, Provenance: true, New: func(w io.Writer, o Options) Sink {
		h := newHTML(w)
		h.Note = o.Note
		return h
	}},
}

// Written returns the formats that a run writes to files.
func Written() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { return f.Help == "" })
}

// FormatOf returns the format with a name, or nil.
func FormatOf(name string) *Format {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// Header returns what a new report of the format starts with before any case.
func (f *Format) Header(o Options) ([]byte, error) {
	if f.New == nil {
		return nil, errors.New("no format given")
	}
	var b bytes.Buffer
	o.Headless = false
	err := f.New(&b, o).End(NewSummary(nil))
	return b.Bytes(), err
}

// An atEnd is a Sink that reports the totals only.
type atEnd func(*Summary) error

func (atEnd) Case(*outcome.Case, News) error { return nil }
func (f atEnd) End(t *Summary) error         { return f(t) }

// withColumns returns the Sink for the columns, and for automata as inputs. It makes it now, or with
// the first case.
func (o *Options) withColumns(make func(c Columns, automata bool) Sink) Sink {
	if o.Late {
		return &lateSink{columns: o.Columns, make: make}
	}
	return make(o.Columns, o.Automata)
}

// A lateSink has the columns that the CSV of the run has, as its first case says, besides the requested columns.
type lateSink struct {
	columns Columns
	make    func(c Columns, automata bool) Sink
	sink    Sink // nil before the first case
}

func (l *lateSink) Case(c *outcome.Case, news News) error {
	if l.sink == nil {
		l.sink = l.make(l.columns.Have(c), c.Automaton != nil)
	}
	return l.sink.Case(c, news)
}

func (l *lateSink) End(t *Summary) error {
	if l.sink == nil {
		l.sink = l.make(l.columns, false)
	}
	return l.sink.End(t)
}
