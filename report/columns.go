package report

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

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
	// More adds further columns after those of ltlcross.
	More bool
}

// Have returns c with the columns that some result of the case can fill.
func (c Columns) Have(x *outcome.Case) Columns {
	for i := range x.Results {
		r := &x.Results[i]
		c.Strength = c.Strength || r.Strength != nil
		c.Ambiguous = c.Ambiguous || r.Ambiguous != nil
		c.Automata = c.Automata || r.Automaton != ""
		c.Products = max(c.Products, len(r.ProductStates))
	}
	return c
}

// A cell is one of a line: a number, or a text. The zero cell is missing.
type cell struct {
	value string
	text  bool
}

func integer(n int) cell { return cell{value: strconv.Itoa(n)} }

// bit is 1 if b, as ltlcross writes Booleans.
func bit(b bool) cell {
	if b {
		return integer(1)
	}
	return integer(0)
}

func text(s string) cell { return cell{s, true} }

// float writes a number as few digits as it can be told by.
func float(x float64) cell {
	format := byte('f')
	if x >= 1e21 {
		format = 'e'
	}
	return cell{value: strconv.FormatFloat(x, format, -1, 64)}
}

// seconds are written as the default of C++ does, which is what ltlcross writes.
func seconds(x float64) cell { return cell{value: strconv.FormatFloat(x, 'g', 6, 64)} }

// A field is a column. Its value is asked for if there is an automaton, or if the
// column is always there.
type field struct {
	name   string
	always bool
	value  func(*outcome.Case, *outcome.Result) cell
}

type fields []field

// add adds a column of a result, always one that is always there, and strength one that is missing
// where the strength is not known.
func (l *fields) add(name string, value func(*outcome.Result) cell) {
	*l = append(*l, field{name, false, func(_ *outcome.Case, r *outcome.Result) cell { return value(r) }})
}

func (l *fields) always(name string, value func(*outcome.Case, *outcome.Result) cell) {
	*l = append(*l, field{name, true, value})
}

func (l *fields) strength(name string, value func(*outcome.Strength) cell) {
	l.add(name, func(r *outcome.Result) cell {
		if r.Strength == nil {
			return cell{}
		}
		return value(r.Strength)
	})
}

func (l *fields) number(name string, value func(*outcome.Result) int) {
	l.add(name, func(r *outcome.Result) cell { return integer(value(r)) })
}

func (l *fields) flag(name string, value func(*outcome.Result) bool) {
	l.add(name, func(r *outcome.Result) cell { return bit(value(r)) })
}

// fields returns the columns, in ltlcross's order, behind formula and tool.
func (c Columns) fields() fields {
	var l fields
	if !c.OmitMissing {
		l.always("exit_status", func(_ *outcome.Case, r *outcome.Result) cell { return text(csvStatus[r.Status]) })
		l.always("exit_code", func(_ *outcome.Case, r *outcome.Result) cell { return integer(exitCode(r)) })
	}
	l.always("time", func(_ *outcome.Case, r *outcome.Result) cell { return seconds(r.Seconds) })
	l.number("states", func(r *outcome.Result) int { return r.States })
	l.number("edges", func(r *outcome.Result) int { return r.Edges })
	l.add("transitions", func(r *outcome.Result) cell { return float(r.Transitions) })
	l.number("acc", func(r *outcome.Result) int { return r.Sets })
	l.number("scc", func(r *outcome.Result) int { return r.Components })
	if c.Strength {
		l.strength("nonacc_scc", func(s *outcome.Strength) cell { return integer(s.Nonaccepting) })
		l.strength("terminal_scc", func(s *outcome.Strength) cell { return integer(s.Terminal) })
		l.strength("weak_scc", func(s *outcome.Strength) cell { return integer(s.Weak) })
		l.strength("strong_scc", func(s *outcome.Strength) cell { return integer(s.Strong) })
	}
	l.number("nondet_states", func(r *outcome.Result) int { return r.Nondet })
	l.flag("nondet_aut", (*outcome.Result).Nondeterministic)
	if c.Strength {
		for _, class := range []string{"terminal", "weak", "strong"} {
			l.strength(class+"_aut", func(s *outcome.Strength) cell { return bit(s.Class == class) })
		}
	}
	if c.Ambiguous {
		l.add("ambiguous_aut", func(r *outcome.Result) cell {
			if r.Ambiguous == nil {
				return cell{}
			}
			return bit(*r.Ambiguous)
		})
	}
	l.flag("complete_aut", func(r *outcome.Result) bool { return r.Complete })
	c.products(&l)
	if c.Automata {
		l.add("automaton", func(r *outcome.Result) cell { return text(r.Automaton) })
	}
	if c.More {
		c.more(&l)
	}
	return l
}

// products adds the columns of the products.
func (c Columns) products(l *fields) {
	times := min(c.Products, 1)
	if c.Each {
		times = c.Products
	}
	for i := range times {
		add := func(name string, sizes func(*outcome.Result) []float64) {
			l.add(name, func(r *outcome.Result) cell {
				all := sizes(r)
				switch {
				case len(all) < c.Products && !c.Each || len(all) <= i:
					return cell{} // an average of some would be no average
				case c.Each:
					return float(all[i])
				}
				return float(mean(all))
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

// more adds the columns that are only ours.
func (c Columns) more(l *fields) {
	l.always("index", func(x *outcome.Case, _ *outcome.Result) cell { return integer(x.Index) })
	l.always("negated", func(_ *outcome.Case, r *outcome.Result) cell { return bit(bool(r.Polarity)) })
	l.always("blamed", func(x *outcome.Case, r *outcome.Result) cell { return bit(blamed(x, r)) })
	l.always("status", func(_ *outcome.Case, r *outcome.Result) cell { return text(string(r.Status)) })
	l.always("cpu_time", func(_ *outcome.Case, r *outcome.Result) cell { return seconds(r.CPU) })
	l.always("max_rss", func(_ *outcome.Case, r *outcome.Result) cell { return cell{value: strconv.FormatInt(r.MaxRSS, 10)} })
	l.number("ap", func(r *outcome.Result) int { return r.Props })
	l.number("unreachable", func(r *outcome.Result) int { return r.Unreachable })
	l.number("universal_edges", func(r *outcome.Result) int { return r.Universal })
	l.number("nondet_edges", func(r *outcome.Result) int { return r.NondetEdges })
	l.number("largest_scc", func(r *outcome.Result) int { return r.Largest })
	l.flag("deterministic_aut", func(r *outcome.Result) bool { return r.Deterministic })
	l.flag("alternating_aut", func(r *outcome.Result) bool { return r.Alternating })
	l.flag("state_acc_aut", func(r *outcome.Result) bool { return r.StateMarks })
	l.flag("very_weak_aut", func(r *outcome.Result) bool { return r.VeryWeak })
	l.add("acceptance", func(r *outcome.Result) cell { return text(r.Acceptance) })
	if c.Strength {
		l.strength("transient_scc", func(s *outcome.Strength) cell { return integer(s.Transient) })
		l.strength("mixed_scc", func(s *outcome.Strength) cell { return integer(s.Mixed) })
		l.strength("inherently_weak_aut", func(s *outcome.Strength) cell { return bit(s.Mixed == 0) })
	}
}

// blamed reports whether the automaton of a call is wrong.
func blamed(c *outcome.Case, r *outcome.Result) bool {
	return slices.ContainsFunc(c.Disagreements, func(d outcome.Disagreement) bool { return slices.Contains(d.Blamed, r.Subject) })
}

// csvStatus gives each status as ltlcross names it. What it has no name for is
// "aborted", as an automaton is that its tool gave up.
var csvStatus = map[outcome.Status]string{outcome.OK: "ok", outcome.Timeout: "timeout", outcome.Crash: "signal", outcome.Exit: "exit code", outcome.NoOutput: "parse error",
	outcome.Syntax: "parse error", outcome.Unsupported: "aborted", outcome.TooBig: "aborted", outcome.TooLong: "aborted",
	outcome.Aborted: "aborted", outcome.Memory: "aborted", outcome.CPUTime: "timeout", outcome.MissingState: "parse error"}

// exitCode is the number of an end by an exit status or a signal, and -1 after others.
func exitCode(r *outcome.Result) int {
	switch csvStatus[r.Status] {
	case "ok", "exit code", "signal":
		return r.ExitCode
	}
	return -1
}

// lines calls each for the calls of a case that have a line, in ltlcross's order: all
// translators on the formula, then all on its negation. A formula that a translator was
// not given has none.
func (c Columns) lines(x *outcome.Case, each func(*outcome.Result)) {
	for _, p := range outcome.BothPolarities {
		for i := range x.Results {
			r := &x.Results[i]
			if _, ok := csvStatus[r.Status]; ok && r.Polarity == p && (r.Status == outcome.OK || !c.OmitMissing) {
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
	fields  []field
}

// NewCSV returns a CSV that writes to w. The line of column names comes with the first case or
// at the end. headless omits it, for a file that already has lines.
func NewCSV(w io.Writer, columns Columns, headless bool) *CSV {
	c := &CSV{w: bufio.NewWriter(w), columns: columns, fields: columns.fields()}
	if !headless {
		names := []cell{text("formula"), text("tool")}
		for _, f := range c.fields {
			names = append(names, text(f.name))
		}
		c.line(names)
	}
	return c
}

// Case writes the lines of a case, and flushes them.
func (c *CSV) Case(x *outcome.Case, _ News) error {
	c.columns.lines(x, func(r *outcome.Result) {
		c.line(append([]cell{text(input(x.Formula, r.Polarity)), text(r.Translator)}, row(c.fields, x, r)...))
	})
	return c.w.Flush()
}

// row returns the cells of a line.
func row(fields []field, x *outcome.Case, r *outcome.Result) []cell {
	list := make([]cell, len(fields))
	for i, f := range fields {
		if f.always || r.Status == outcome.OK {
			list[i] = f.value(x, r)
		}
	}
	return list
}

// line writes a line. An error is found when it is flushed.
func (c *CSV) line(cells []cell) {
	for i, x := range cells {
		if i > 0 {
			c.w.WriteByte(',')
		}
		if x.text {
			c.w.WriteByte('"')
			c.w.WriteString(strings.ReplaceAll(x.value, `"`, `""`))
			c.w.WriteByte('"')
		} else {
			c.w.WriteString(x.value)
		}
	}
	c.w.WriteByte('\n')
}

// End writes the column names if there was no case, and flushes.
func (c *CSV) End(*Summary) error { return c.w.Flush() }
