package report

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// Columns selects the columns of a CSV or an ltlcross document. The zero Columns are the
// default of ltlcross, without products. The fields are named after its options.
type Columns struct {
	Strength  bool // nonacc_scc, terminal_scc, weak_scc, strong_scc; terminal_aut, weak_aut, strong_aut
	Ambiguous bool // ambiguous_aut
	Automata  bool // automaton
	// OmitMissing leaves out calls that gave no automaton, and the columns exit_status and
	// exit_code.
	OmitMissing bool
	// Products is the number of products with random state spaces for each automaton. The
	// columns product_states, product_transitions and product_scc have their averages. If Each
	// is set, there are columns for each product.
	Products int
	Each     bool
	// More adds further columns after the columns of ltlcross.
	More bool
	// Names are what the translators are called instead of their own names, for those that have one
	// here. Several may have the same.
	Names map[string]string
}

// Have returns c with the columns that the run's CSV has, as far as the case says it.
func (c Columns) Have(x *outcome.Case) Columns {
	if x == nil || x.CSV == nil {
		return c
	}
	l := x.CSV
	c.Strength, c.Ambiguous, c.Automata = c.Strength || l.Strength, c.Ambiguous || l.Ambiguous, c.Automata || l.Automata
	c.OmitMissing, c.More, c.Each = c.OmitMissing || l.OmitMissing, c.More || l.More, c.Each || l.Each
	c.Products = max(c.Products, min(l.Products, 10_000)) // as many as a run may have
	return c
}

// A seconds is written as the default of C++ does, which is what ltlcross writes.
type seconds float64

// cell returns a value as ltlcross writes it, and whether it is a text.
func cell(value any) (text string, isText bool) {
	switch x := value.(type) {
	case nil:
		return "", false // unknown: an empty cell
	case string:
		return x, true
	case bool:
		if x {
			return "1", false
		}
		return "0", false
	case seconds:
		return strconv.FormatFloat(float64(x), 'g', 6, 64), false // 1/3 is 0.333333
	case float64:
		format := byte('f') // 0.1 is 0.1 and not 0.1000
		if x >= 1e21 {      // as in JSON: 'f' would write all 22 digits
			format = 'e'
		}
		return strconv.FormatFloat(x, format, -1, 64), false
	}
	return fmt.Sprint(value), false
}

// A field is a column. It has a value if there is an automaton, or if the column is always set.
type field struct {
	name   string
	always bool
	value  func(*outcome.Case, *outcome.Result) any // nil if it is missing
}

type fields []field

// add adds a column for automata, always adds a column for all results, and strength adds one for
// automata of known strength.
func (l *fields) add(name string, value func(*outcome.Result) any) {
	*l = append(*l, field{name, false, func(_ *outcome.Case, r *outcome.Result) any { return value(r) }})
}

func (l *fields) always(name string, value func(*outcome.Case, *outcome.Result) any) {
	*l = append(*l, field{name, true, value})
}

func (l *fields) strength(name string, value func(*omega.Strength) any) {
	l.add(name, func(r *outcome.Result) any {
		if r.Strength == nil {
			return nil
		}
		return value(r.Strength)
	})
}

// names returns the names of all columns, with ltlcross's first two.
func (l fields) names() []string {
	names := []string{"formula", "tool"}
	for _, f := range l {
		names = append(names, f.name)
	}
	return names
}

// measures adds columns of measures.
func (l *fields) measures(names ...string) {
	for _, name := range names {
		m := measure(name)
		l.add(name, func(r *outcome.Result) any { return m.of(r) })
	}
}

// fields returns the columns, in ltlcross's order, behind formula and tool.
func (c Columns) fields() fields {
	var l fields
	if !c.OmitMissing { // otherwise all calls with a line are ok
		l.always("exit_status", func(_ *outcome.Case, r *outcome.Result) any { return csvStatus[r.Status] })
		l.always("exit_code", func(_ *outcome.Case, r *outcome.Result) any { return exitCode(r) })
	}
	// autcross and ltlcross give the time of failed calls, too.
	l.always("time", func(_ *outcome.Case, r *outcome.Result) any { return seconds(r.Seconds) })
	l.measures("states", "edges", "transitions", "acc", "scc")
	if c.Strength {
		l.strength("nonacc_scc", func(s *omega.Strength) any { return s.Nonaccepting })
		l.strength("terminal_scc", func(s *omega.Strength) any { return s.Terminal })
		l.strength("weak_scc", func(s *omega.Strength) any { return s.Weak })
		l.strength("strong_scc", func(s *omega.Strength) any { return s.Strong })
	}
	l.measures("nondet_states")
	l.add("nondet_aut", func(r *outcome.Result) any { return r.Nondeterministic() })
	if c.Strength {
		for _, class := range []string{"terminal", "weak", "strong"} {
			l.strength(class+"_aut", func(s *omega.Strength) any { return s.Class == class })
		}
	}
	if c.Ambiguous {
		l.add("ambiguous_aut", func(r *outcome.Result) any {
			if r.Ambiguous == nil { // nobody asked, or a limit was reached
				return nil
			}
			return *r.Ambiguous
		})
	}
	l.add("complete_aut", func(r *outcome.Result) any { return r.Complete })
	c.products(&l)
	if c.Automata {
		l.add("automaton", func(r *outcome.Result) any { return r.Automaton })
	}
	if c.More {
		c.more(&l)
	}
	return l
}

func (c Columns) products(l *fields) {
	times := min(c.Products, 1) // the columns have averages over all state spaces
	if c.Each {
		times = c.Products // or each state space has its columns
	}
	for i := range times {
		add := func(name string, sizes func(*outcome.Result) []float64) {
			l.add(name, func(r *outcome.Result) any {
				all := sizes(r)
				switch {
				case len(all) < c.Products && !c.Each || len(all) <= i:
					return nil // an average of some would be no average
				case c.Each:
					return all[i]
				}
				return mean(all)
			})
		}
		add("product_states", func(r *outcome.Result) []float64 { return floats(r.ProductStates) })
		add("product_transitions", func(r *outcome.Result) []float64 { return r.ProductTransitions })
		add("product_scc", func(r *outcome.Result) []float64 { return floats(r.ProductSCC) })
	}
}

func floats(list []int) (same []float64) {
	for _, n := range list {
		same = append(same, float64(n))
	}
	return same
}

func mean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// more adds the columns that ltlcross does not have.
func (c Columns) more(l *fields) {
	l.always("index", func(x *outcome.Case, _ *outcome.Result) any { return x.Index })
	l.always("negated", func(_ *outcome.Case, r *outcome.Result) any { return bool(r.Polarity) })
	l.always("blamed", func(x *outcome.Case, r *outcome.Result) any { return isBlamed(x.Disagreements, r.Subject) })
	l.always("status", func(_ *outcome.Case, r *outcome.Result) any { return string(r.Status) })
	l.always("cpu_time", func(_ *outcome.Case, r *outcome.Result) any { return seconds(r.CPU) })
	l.always("max_rss", func(_ *outcome.Case, r *outcome.Result) any { return r.MaxRSS })
	l.add("ap", func(r *outcome.Result) any { return r.Props })
	l.add("unreachable", func(r *outcome.Result) any { return r.Unreachable })
	l.add("universal_edges", func(r *outcome.Result) any { return r.Universal })
	for _, m := range allMeasures {
		if m.more {
			l.measures(m.Name)
		}
	}
	l.add("largest_scc", func(r *outcome.Result) any { return r.Largest })
	l.add("deterministic_aut", func(r *outcome.Result) any { return r.Deterministic })
	l.add("alternating_aut", func(r *outcome.Result) any { return r.Alternating })
	l.add("state_acc_aut", func(r *outcome.Result) any { return r.StateMarks })
	l.add("very_weak_aut", func(r *outcome.Result) any { return r.VeryWeak })
	l.add("acceptance", func(r *outcome.Result) any { return r.Acceptance })
	if c.Strength {
		l.strength("transient_scc", func(s *omega.Strength) any { return s.Transient })
		l.strength("mixed_scc", func(s *omega.Strength) any { return s.Mixed })
		l.strength("inherently_weak_aut", func(s *omega.Strength) any { return s.Mixed == 0 })
	}
}

// csvStatus has ltlcross's name of each status. A status that ltlcross does not know is "aborted".
var csvStatus = map[outcome.Status]string{outcome.OK: "ok", outcome.Timeout: "timeout", outcome.Crash: "signal", outcome.Exit: "exit code", outcome.NoOutput: "parse error",
	outcome.Syntax: "parse error", outcome.Unsupported: "aborted", outcome.TooBig: "aborted", outcome.TooLong: "aborted",
	outcome.Aborted: "aborted", outcome.Skipped: "aborted", outcome.Memory: "aborted", outcome.CPUTime: "timeout", outcome.MissingState: "parse error"}

// exitCode is the exit status or the signal that ended a call, and -1 for other ends.
func exitCode(r *outcome.Result) int {
	switch csvStatus[r.Status] {
	case "ok", "exit code", "signal":
		return r.ExitCode
	}
	return -1
}

func (c Columns) name(translator string) string {
	if name, ok := c.Names[translator]; ok {
		return name
	}
	return translator
}

// has reports whether a call has a line. A skipped call has none, unless the columns are of the command
// ltlcross, which sets Names: the original would have made the call. With OmitMissing, only calls that gave an
// automaton have one.
func (c Columns) has(r *outcome.Result) bool {
	return r.Asked() && (r.Status != outcome.Skipped || c.Names != nil) && (r.Status == outcome.OK || !c.OmitMissing)
}

// lines calls each for the calls of a case that have a line.
func (c Columns) lines(x *outcome.Case, each func(*outcome.Result)) {
	x = cmp.Or(x, &outcome.Case{})
	l := cmp.Or(x.CSV, &outcome.Listing{})
	// All translators on the formula come first: ltlcross writes its lines in this order.
	for _, p := range outcome.BothPolarities() {
		for i := range x.Results {
			if r := &x.Results[i]; r.Polarity == p && c.has(r) && !slices.Contains(l.Aside, r.Translator) {
				each(r)
			}
		}
	}
}

// A CSV writes a line for each call of a translator, with the columns of ltlcross and in its
// form: texts are quoted, numbers are not.
type CSV struct {
	w       *bufio.Writer
	columns Columns
	fields  fields
	speller speller
}

// NewCSV returns a CSV that writes to w. The line of column names comes with the first case or
// at the end. headless omits it, for a file that already has lines.
func NewCSV(w io.Writer, columns Columns, headless bool) *CSV {
	c := &CSV{w: bufio.NewWriter(guard.Writer(w)), columns: columns, fields: columns.fields()}
	if !headless {
		writeRow(c.w, c.fields.names())
	}
	return c
}

// Case writes the lines of a case, and flushes them.
func (c *CSV) Case(x *outcome.Case, _ News) error {
	c.columns.lines(x, func(r *outcome.Result) {
		writeRow(c.w, append([]any{c.speller.input(x, r.Polarity), c.columns.name(r.Translator)}, row(c.fields, x, r)...))
	})
	return c.w.Flush()
}

func row(fields []field, x *outcome.Case, r *outcome.Result) []any {
	list := make([]any, len(fields))
	for i, f := range fields {
		if f.always || r.Status == outcome.OK {
			list[i] = f.value(x, r)
		}
	}
	return list
}

// writeRow writes a line. An error is found when it is flushed.
func writeRow[T any](w *bufio.Writer, values []T) {
	for i, x := range values {
		if i > 0 {
			w.WriteByte(',')
		}
		text, isText := cell(x)
		if isText {
			text = `"` + strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), `"`, `""`) + `"`
		}
		w.WriteString(text)
	}
	w.WriteByte('\n')
}

// End writes the column names if there was no case, and flushes.
func (c *CSV) End(*Summary) error { return c.w.Flush() }

// A speller returns the text of the input of a result as ltlcross has it. Cases without one are
// spelled in the order in which they come, each once.
type speller struct {
	spelling.Speller
	of   *outcome.Case
	line *outcome.LogLine
}

func (s *speller) input(c *outcome.Case, p outcome.Polarity) string {
	if s.of != c {
		if s.of, s.line = c, c.Line; s.line == nil {
			s.line = &outcome.LogLine{}
			s.line.Formula, s.line.Negation = s.SpellText(c.Formula)
		}
	}
	if p == outcome.Negation {
		return s.line.Negation
	}
	return s.line.Formula
}

// A ltlcrossJSON writes the document of ltlcross --json: the lines of a CSV as arrays, in which
// formula and tool are indexes into two lists. Its fields are fields (the names of the
// columns), inputs (the columns that are no results: 0 and 1), results, tool and formula.
type ltlcrossJSON struct {
	w        *bufio.Writer
	columns  Columns
	fields   fields
	lines    int
	formulas []string
	speller  speller
	tools    []string
}

// newLTLCross returns a ltlcrossJSON that writes to w.
func newLTLCross(w io.Writer, columns Columns) *ltlcrossJSON {
	l := &ltlcrossJSON{w: bufio.NewWriter(guard.Writer(w)), columns: columns, fields: columns.fields()}
	l.w.WriteString("{\n\"fields\": ")
	l.json(l.fields.names())
	l.w.WriteString(",\n\"inputs\": [0,1],\n\"results\": [")
	return l
}

// json writes a value. Texts and lists of them always have a form in JSON; an error of
// writing is met again at the end.
func (l *ltlcrossJSON) json(value any) {
	text, _ := jsonLine(value)
	l.w.Write(bytes.TrimSuffix(text, newline))
}

// Case writes the lines of a case.
func (l *ltlcrossJSON) Case(x *outcome.Case, _ News) error {
	var last *outcome.Result
	l.columns.lines(x, func(r *outcome.Result) {
		if last == nil || last.Polarity != r.Polarity { // all calls of a polarity come together
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
		l.json(len(l.formulas) - 1) // an index: the texts come at the end
		l.w.WriteByte(',')
		l.json(tool)
		for _, x := range row(l.fields, x, r) {
			l.w.WriteByte(',')
			switch text, isText := cell(x); {
			case isText:
				l.json(text)
			case text == "": // in CSV an empty cell
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
func (l *ltlcrossJSON) End(*Summary) error {
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

// An autcrossCSV writes a line for each call of a tool that gets an automaton, with the
// columns of autcross.
type autcrossCSV struct {
	w       *bufio.Writer
	columns Columns
	more    fields // columns that autcross does not have
}

// sizeColumns are the columns of sizes, of the input and the output, after a prefix.
var sizeColumns = []string{"ap", "states", "edges", "transitions", "acc_sets", "scc", "nondetstates", "nondeterministic", "alternating"}

// newAutcrossCSV returns an autcrossCSV that writes to w. Behind the columns of autcross come those
// that are asked for besides. The line of column names comes with the first case or at the end.
// headless omits it, for a file that already has lines.
func newAutcrossCSV(w io.Writer, columns Columns, headless bool) *autcrossCSV {
	c := &autcrossCSV{w: bufio.NewWriter(guard.Writer(w)), columns: columns}
	columns.Products = 0 // autcross makes no products
	sizes := func(prefix string) []string { return strings.Split(prefix+strings.Join(sizeColumns, ","+prefix), ",") }
	call := []string{"tool", "exit_status", "exit_code", "time"} // also with --omit-missing
	names := slices.Concat([]string{"input.source", "input.name"}, sizes("input."), call, sizes("output."))
	plain := Columns{}.fields() // autcross has them already, under other names
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
		writeRow(c.w, names)
	}
	return c
}

// Case writes the lines of a case, and flushes them. An automaton that a tool did not get has
// no line.
func (c *autcrossCSV) Case(x *outcome.Case, _ News) error {
	if x == nil || x.Error != "" || x.Automaton == nil { // it could not be read
		return nil
	}
	g, name := x.Automaton, any(x.Automaton.Name)
	if name == "" {
		name = nil // an empty cell
	}
	input := []any{g.Place(), name, g.Props, g.States, g.Edges, int(g.Transitions), g.Sets, g.Components, g.Nondet, g.Nondet > 0, g.Alternating}
	for i := range x.Results {
		r := &x.Results[i]
		if !c.columns.has(r) {
			continue
		}
		call := []any{c.columns.name(r.Translator), csvStatus[r.Status], exitCode(r)}
		output := make([]any, len(sizeColumns)) // empty cells for a call that failed
		if r.Status == outcome.OK {
			output = []any{r.Props, r.States, r.Edges, int(r.Transitions), r.Sets, r.Components, r.NondetStates, r.NondetStates > 0, r.Alternating}
		}
		writeRow(c.w, slices.Concat(input, call, []any{seconds(r.Seconds)}, output, row(c.more, x, r)))
	}
	return c.End(nil)
}

// End writes the column names if there was no case, and flushes.
func (c *autcrossCSV) End(*Summary) error { return c.w.Flush() }
