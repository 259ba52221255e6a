package report

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
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
	speller  speller
	tools    []string
}

// NewLTLCross returns an LTLCross that writes to w.
func NewLTLCross(w io.Writer, columns Columns) *LTLCross {
	l := &LTLCross{w: bufio.NewWriter(guard.Writer(w)), columns: columns, fields: columns.fields()}
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
			l.formulas = append(l.formulas, l.speller.input(x, r.Polarity))
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
	tools := []string{} // never nil: [] in JSON
	for _, tool := range l.tools {
		tools = append(tools, l.columns.name(tool))
	}
	l.w.WriteString("\n],\n\"tool\": ")
	l.json(tools)
	l.w.WriteString(",\n\"formula\": ")
	l.json(append([]string{}, l.formulas...))
	l.w.WriteString("\n}\n")
	return l.w.Flush()
}

// An AutomataCSV writes a line for each call of a tool that gets an automaton, with the
// columns of autcross.
type AutomataCSV struct {
	w       *bufio.Writer
	columns Columns
	more    fields // columns that autcross does not have
}

// sizeColumns are the columns of sizes, of the input and the output, after a prefix.
var sizeColumns = []string{"ap", "states", "edges", "transitions", "acc_sets", "scc", "nondetstates", "nondeterministic", "alternating"}

// NewAutomataCSV returns an AutomataCSV that writes to w. Behind the columns of autcross come those
// that are asked for besides. The line of column names comes with the first case or at the end.
// headless omits it, for a file that already has lines.
func NewAutomataCSV(w io.Writer, columns Columns, headless bool) *AutomataCSV {
	c := &AutomataCSV{w: bufio.NewWriter(guard.Writer(w)), columns: columns}
	columns.Products = 0
	sizes := func(prefix string) []string { return strings.Split(prefix+strings.Join(sizeColumns, ","+prefix), ",") }
	call := []string{"tool", "exit_status", "exit_code", "time"} // also with --omit-missing
	names := slices.Concat([]string{"input.source", "input.name"}, sizes("input."), call, sizes("output."))
	plain := Columns{}.fields()
	for _, f := range columns.fields() {
		if slices.ContainsFunc(plain, func(p field) bool { return p.name == f.name }) || slices.Contains(sizeColumns, f.name) {
			continue
		}
		c.more = append(c.more, f)
		if f.always {
			names = append(names, f.name)
		} else {
			names = append(names, "output."+f.name)
		}
	}
	if !headless {
		writeRow(c.w, texts(names))
	}
	return c
}

// Case writes the lines of a case, and flushes them. An automaton that a tool did not get has
// no line.
func (c *AutomataCSV) Case(x *outcome.Case, _ News) error {
	if x == nil || x.Error != "" || x.Automaton == nil { // it could not be read
		return nil
	}
	g := x.Automaton
	source := g.Source
	if i := strings.LastIndexByte(source, ':'); g.Span != "" && i >= 0 {
		source = source[:i+1] + g.Span
	}
	input := append([]any{source, orMissing(g.Name)},
		sizes(g.Props, g.States, g.Edges, int(g.Transitions), g.Sets, g.Components, g.Nondet, g.Nondet > 0, g.Alternating)...)
	for i := range x.Results {
		r := &x.Results[i]
		status, ok := csvStatus[r.Status]
		if !ok || c.columns.OmitMissing && r.Status != outcome.OK {
			continue
		}
		if r.Status == outcome.NoOutput {
			status = "no output" // which ltlcross does not have
		}
		call := []any{r.Translator, status, exitCode(r)}
		output := make([]any, len(sizeColumns))
		if r.Status == outcome.OK {
			output = sizes(r.Props, r.States, r.Edges, int(r.Transitions), r.Sets, r.Components, r.Nondet, r.Nondet > 0, r.Alternating)
		}
		writeRow(c.w, slices.Concat(input, call, []any{seconds(r.Seconds)}, output, row(c.more, x, r)))
	}
	return c.End(nil)
}

func sizes(values ...any) []any { return values }

// orMissing returns a text, or nil if it is empty.
func orMissing(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// End writes the column names if there was no case, and flushes.
func (c *AutomataCSV) End(*Summary) error { return c.w.Flush() }
