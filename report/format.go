package report

import (
	"bytes"
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
	// Late gives CSV and ltlcross's JSON the columns that the first cases can fill, besides
	// Columns. These cases are kept until then.
	Late bool
	// Headless omits the line of column names.
	Headless bool
	// Automata says that the inputs are automata.
	Automata              bool
	Color, Verbose, Quiet bool // of the text
	// Note, if set, gets what is missing in the report, and why.
	Note func(text string)
}

// A Format is a form in which a run can be reported.
type Format struct {
	Name string
	// Title names the report in errors: "the CSV report".
	Title string
	// New returns a Sink that writes to w.
	New func(w io.Writer, o Options) Sink
}

// Formats are all formats.
var Formats = []Format{
	{"text", "the report", newTextSink},
	{"csv", "the CSV report", newCSVSink},
	{"ltlcross-json", "ltlcross's JSON", func(w io.Writer, o Options) Sink {
		return lined(o, func(c Columns) lineWriter { return NewLTLCross(w, c) })
	}},
	{"json", "the JSON report", func(w io.Writer, _ Options) Sink { j := NewJSON(w); return sink{j.Case, j.End} }},
	{"junit", "the report as JUnit XML", func(w io.Writer, _ Options) Sink {
		return sink{nil, func(t *Summary) error { return WriteJUnit(w, t) }}
	}},
	{"markdown", "the report as Markdown", func(w io.Writer, _ Options) Sink {
		return sink{nil, func(t *Summary) error { return WriteMarkdown(w, t) }}
	}},
	{"html", "the report as HTML", newHTMLSink},
}

// FormatOf returns the format with a name, nil if there is none.
func FormatOf(name string) *Format {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Formats[i]
}

// Header returns what a new report of the format starts with before any case.
func (f *Format) Header(o Options) ([]byte, error) {
	var b bytes.Buffer
	o.Headless = false
	err := f.New(&b, o).End(NewSummary(nil))
	return b.Bytes(), err
}

// A sink is a Sink of two functions. The first is nil if the totals are all that is reported.
type sink struct {
	each func(*outcome.Case) error
	end  func(*Summary) error
}

func (s sink) Case(c *outcome.Case, _ News) error {
	if s.each == nil {
		return nil
	}
	return s.each(c)
}

func (s sink) End(t *Summary) error { return s.end(t) }

func newTextSink(w io.Writer, o Options) Sink {
	return &Text{W: w, Color: o.Color, Verbose: o.Verbose, Quiet: o.Quiet, AtEnd: true}
}

func newHTMLSink(w io.Writer, o Options) Sink {
	h := NewHTML(w)
	return sink{h.Case, func(t *Summary) error {
		err := h.End(t)
		if h.Undrawn != nil && o.Note != nil {
			o.Note(h.Undrawn.Error())
		}
		return err
	}}
}

func newCSVSink(w io.Writer, o Options) Sink {
	if o.Automata {
		return sinkOf(NewAutomataCSV(w, o.Headless))
	}
	return lined(o, func(c Columns) lineWriter { return NewCSV(w, c, o.Headless) })
}

// A lineWriter writes lines for each case.
type lineWriter interface {
	Case(*outcome.Case) error
	End() error
}

func sinkOf(l lineWriter) Sink { return sink{l.Case, func(*Summary) error { return l.End() }} }

// lined returns what writes lines with the columns of the options.
func lined(o Options, make func(Columns) lineWriter) Sink {
	if o.Late {
		return sinkOf(&lateWriter{columns: o.Columns, make: make})
	}
	return sinkOf(make(o.Columns))
}

// A lateWriter is a lineWriter that has columns for all that its first cases know, besides
// those that are asked for.
type lateWriter struct {
	columns Columns
	make    func(Columns) lineWriter
	first   []*outcome.Case
	lines   lineWriter // nil as long as cases are kept
}

// lateCases is how many cases are kept to see what columns they have: of some, all calls
// may have failed.
const lateCases = 100

func (l *lateWriter) Case(c *outcome.Case) error {
	if l.lines != nil {
		return l.lines.Case(c)
	}
	l.first = append(l.first, c)
	l.columns = l.columns.Have(c)
	if len(l.first) < lateCases {
		return nil
	}
	return l.begin()
}

// begin writes the cases that were kept.
func (l *lateWriter) begin() error {
	l.lines = l.make(l.columns)
	for _, c := range l.first {
		if err := l.lines.Case(c); err != nil {
			return err
		}
	}
	l.first = nil
	return nil
}

func (l *lateWriter) End() error {
	if l.lines == nil {
		if err := l.begin(); err != nil {
			return err
		}
	}
	return l.lines.End()
}
