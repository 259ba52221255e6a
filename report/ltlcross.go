package report

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// An LTLCross writes the document of ltlcross --json: the lines of a CSV as arrays, in which
// formula and tool are indexes into two lists. Its fields are fields (the names of the
// columns), inputs (the columns that are no results: 0 and 1), results, tool and formula.
type LTLCross struct {
	w        *bufio.Writer
	columns  Columns
	fields   []field
	lines    int
	formulas []string
	tools    []string
}

// NewLTLCross returns an LTLCross that writes to w.
func NewLTLCross(w io.Writer, columns Columns) *LTLCross {
	l := &LTLCross{w: bufio.NewWriter(w), columns: columns, fields: columns.fields()}
	names := []string{"formula", "tool"}
	for _, f := range l.fields {
		names = append(names, f.name)
	}
	l.w.WriteString("{\n\"fields\": ")
	l.json(names)
	l.w.WriteString(",\n\"inputs\": [0,1],\n\"results\": [")
	return l
}

// json writes a value. Texts and lists of them always have a form in JSON; an error of
// writing is met again at the end.
func (l *LTLCross) json(value any) {
	text, _ := Line(value)
	l.w.Write(bytes.TrimSuffix(text, newline))
}

// Case writes the lines of a case.
func (l *LTLCross) Case(x *outcome.Case, _ News) error {
	var last *outcome.Result
	l.columns.lines(x, func(r *outcome.Result) {
		if last == nil || last.Polarity != r.Polarity {
			l.formulas = append(l.formulas, input(x.Formula, r.Polarity))
		}
		last = r
		tool := slices.Index(l.tools, r.Translator)
		if tool < 0 {
			tool = len(l.tools)
			l.tools = append(l.tools, r.Translator)
		}
		if l.lines++; l.lines > 1 {
			l.w.WriteByte(',')
		}
		l.w.WriteString("\n[")
		l.json(len(l.formulas) - 1)
		l.w.WriteByte(',')
		l.json(tool)
		for _, x := range row(l.fields, x, r) {
			l.w.WriteByte(',')
			switch text, isText := cell(x); {
			case isText:
				l.json(text)
			case text == "":
				l.w.WriteString("null")
			default:
				l.w.WriteString(text)
			}
		}
		l.w.WriteByte(']')
	})
	return l.w.Flush()
}

// End writes the lists and completes the document.
func (l *LTLCross) End(*Summary) error {
	l.w.WriteString("\n],\n\"tool\": ")
	l.json(append([]string{}, l.tools...)) // never nil: [] in JSON
	l.w.WriteString(",\n\"formula\": ")
	l.json(append([]string{}, l.formulas...))
	l.w.WriteString("\n}\n")
	return l.w.Flush()
}
