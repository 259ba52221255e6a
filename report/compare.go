package report

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/table"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
)

// A quantity is a number by which to compare two translators. A CSV column has its
// name. Less is better.
type quantity struct {
	Name  string
	of    func(*outcome.Result) float64 // NaN if it is not known
	total column                        // in the table of translators; the zero column if it has none there
	more  bool                          // CSV has it behind ltlcross's columns
}

// allMeasures are all measures, in the order of the table of translators. Of a narrow table, columns with the largest
// spare number are left out first: a new size gets the largest so far.
var allMeasures = []quantity{
	{Name: "states", of: func(r *outcome.Result) float64 { return float64(r.States) }, total: number("states", func(x *ToolStats) int { return x.States })},
	{Name: "edges", of: func(r *outcome.Result) float64 { return float64(r.Edges) }, total: number("edges", func(x *ToolStats) int { return x.Edges }).spared(1)},
	{Name: "transitions", of: func(r *outcome.Result) float64 { return r.Transitions }},
	{Name: "acc", of: func(r *outcome.Result) float64 { return float64(r.Sets) }, total: number("sets", func(x *ToolStats) int { return x.Sets }).spared(3)},
	{Name: "scc", of: func(r *outcome.Result) float64 { return float64(r.Components) }},
	{Name: "nondet_states", of: func(r *outcome.Result) float64 { return float64(r.NondetStates) }},
	{Name: "nondet_edges", of: func(r *outcome.Result) float64 { return float64(r.NondetEdges) }, more: true},
	{Name: "excess", of: func(r *outcome.Result) float64 {
		if r.Excess == nil {
			return math.NaN()
		}
		return float64(*r.Excess)
	}, total: column{name: "excess", cell: (*ToolStats).meanExcess, some: func(x *ToolStats) bool { return x.ExcessOf > 0 }, note: "excess a mean"}},
	{Name: "time", of: func(r *outcome.Result) float64 { return r.Seconds },
		total: duration("time (s)", func(x *ToolStats) float64 { return x.Seconds }, nil, 0)},
	{Name: "cpu_time", of: func(r *outcome.Result) float64 { return r.CPU },
		total: duration("CPU (s)", func(x *ToolStats) float64 { return x.CPU }, func(x *ToolStats) bool { return x.CPU > 0 }, maxSpare)},
	{Name: "max_rss", of: func(r *outcome.Result) float64 {
		if r.MaxRSS == 0 {
			return math.NaN()
		}
		return float64(r.MaxRSS)
	}, total: column{name: "MiB", cell: (*ToolStats).mebibytes, some: func(x *ToolStats) bool { return x.MaxRSS >= 1<<10 }, note: "MiB a maximum", spare: maxSpare - 1}},
	{Name: "product_states", of: func(r *outcome.Result) float64 { return mean(floats(r.ProductStates)) }},
	{Name: "product_transitions", of: func(r *outcome.Result) float64 { return mean(r.ProductTransitions) }},
	{Name: "product_scc", of: func(r *outcome.Result) float64 { return mean(floats(r.ProductSCC)) }},
}

// Sizes add up sizes of the automata of a translator. A new one takes a field in [omega.Totals], which
// [omega.Automaton.Statistics] counts, a line in add, and a row of allMeasures.
type Sizes struct {
	States int `json:"states"` // number of states of all automata
	Edges  int `json:"edges"`  // number of edges of all automata
	omega.Totals
	// by how many letters the shortest accepting runs are longer than the shortest words, summed up
	Excess   int `json:"excess"`
	ExcessOf int `json:"excess_automata"` // number of automata in the sum excess
}

// add adds the sizes of the automaton of a result.
func (s *Sizes) add(r *outcome.Result) {
	s.States += r.States
	s.Edges += r.Edges
	s.Transitions += r.Transitions
	s.Sets += r.Sets
	if r.Excess != nil {
		s.Excess += *r.Excess
		s.ExcessOf++
	}
}

// DefaultMeasures returns what is compared by default.
func DefaultMeasures() []string { return []string{"states", "edges", "transitions", "acc", "time"} }

func measure(name string) quantity {
	return allMeasures[slices.IndexFunc(allMeasures, func(m quantity) bool { return m.Name == name })]
}

// A call is what a translator made of an input: a formula, or the negation of one.
type call struct {
	tool   string
	ok     bool
	values []float64 // by measure; NaN if it is not known
}

// A Comparison compares translators on the inputs for which both gave an automaton. It keeps
// counts and sums. It keeps inputs only if they are Joined.
type Comparison struct {
	// Plot also keeps the points of scatter plots, and the curves of cactus plots.
	Plot bool
	// Joined says that the translators come from different documents, and are named after
	// them. The results for one input are collected from all documents, and kept until Pairs.
	Joined bool

	measures []quantity
	tools    map[int]string // by number
	number   map[string]int
	pairs    map[[2]int][]*Pair     // by numbers of tools, the smaller first; by measure
	curves   map[int][]*cactusCurve // by number of the tool; by measure
	label    string
	order    []string // of the inputs that are kept
	kept     map[string][]call
}

// MeasureNames returns the names of the measures by which translators can be compared.
func MeasureNames() (list []string) {
	for _, m := range allMeasures {
		list = append(list, m.Name)
	}
	return list
}

// NewComparison returns a Comparison by the measures with these names. Other names are left out.
func NewComparison(names ...string) *Comparison {
	c := &Comparison{number: map[string]int{}, tools: map[int]string{}, pairs: map[[2]int][]*Pair{}, curves: map[int][]*cactusCurve{}, kept: map[string][]call{}}
	known := MeasureNames()
	for _, name := range names {
		if slices.Contains(known, name) {
			c.measures = append(c.measures, measure(name))
		}
	}
	return c
}

// A Pair compares two translators by a measure.
type Pair struct {
	Measure string `json:"measure"`  // the measure that is compared
	Row     string `json:"row"`      // name of the first translator
	Column  string `json:"column"`   // name of the second translator
	Inputs  int    `json:"inputs"`   // number of inputs for which both gave an automaton
	OnlyRow int    `json:"only_row"` // number of inputs for which only the first gave one
	// number of inputs for which only the second gave one
	OnlyColumn int     `json:"only_column"`
	Smaller    int     `json:"smaller"`    // how often the first is smaller
	Equal      int     `json:"equal"`      // how often both are equal
	Larger     int     `json:"larger"`     // how often the first is larger
	SumRow     float64 `json:"sum_row"`    // sum over the first's automata
	SumColumn  float64 `json:"sum_column"` // sum over the second's automata
	Ratio      float64 `json:"ratio"`      // geometric mean of first / second; 0 if there is none
	// number of inputs in the ratio, those with both numbers positive
	RatioInputs int `json:"ratio_inputs"`

	logs    float64
	scatter *scatterPlot // nil for a report without plots
}

// Rows makes these translators rows, in this order.
func (c *Comparison) Rows(tools ...string) {
	for _, tool := range tools {
		n := len(c.number)
		c.number[tool], c.tools[n] = n, tool
	}
}

// From names the document of the following cases. It matters only if the comparison is Joined.
func (c *Comparison) From(document string) { c.label = document }

// Case adds a case.
func (c *Comparison) Case(x *outcome.Case) error {
	x = cmp.Or(x, &outcome.Case{})
	for _, p := range outcome.BothPolarities() {
		var calls []call
		for i := range x.Results {
			r := &x.Results[i]
			if !r.Asked() || r.Polarity != p {
				continue
			}
			v := call{tool: r.Translator, ok: r.Status == outcome.OK} // a skipped call counts as a failed one
			for _, m := range c.measures {
				v.values = append(v.values, m.of(r))
			}
			calls = append(calls, v)
		}
		c.input(input(x.Formula, p), calls)
	}
	return nil
}

// input adds what was made of an input, now or when all documents are read.
func (c *Comparison) input(text string, calls []call) {
	if !c.Joined {
		c.add(text, calls)
		return
	}
	key := spelling.Same(text)
	all, ok := c.kept[key]
	if !ok {
		c.order = append(c.order, key)
	}
	for _, v := range calls {
		v.tool = c.label + ": " + v.tool // one translator in two documents is two
		// Of an input that a document has twice, the first counts.
		if !slices.ContainsFunc(all, func(w call) bool { return w.tool == v.tool }) {
			all = append(all, v)
		}
	}
	c.kept[key] = all
}

// add compares the calls for an input with each other.
func (c *Comparison) add(text string, calls []call) {
	for i, v := range calls {
		if c.Plot {
			for k, curve := range c.curve(c.of(v.tool)) {
				curve.add(v, k)
			}
		}
		// Each two calls meet once. The pair has the translator with the smaller number as its row.
		for _, w := range calls[:i] {
			row, column := w, v
			at := [2]int{c.of(row.tool), c.of(column.tool)}
			if at[0] == at[1] { // a translator that was called twice
				continue
			}
			if at[0] > at[1] {
				row, column, at = column, row, [2]int{at[1], at[0]}
			}
			for k, p := range c.pair(at) {
				p.add(row, column, k, text)
			}
		}
	}
}

// builtins is more than there are translators that are not built in.
const builtins = 1 << 30

// of returns the number of a translator: they are numbered as they come, but built-in ones after
// all others, as a comparison is for these.
func (c *Comparison) of(tool string) int {
	n, ok := c.number[tool]
	if !ok {
		n = len(c.number)
		name := tool
		if c.Joined {
			name = tool[strings.LastIndex(tool, ": ")+len(": "):] // behind the document
		}
		if _, err := translate.ParseAlgorithm(name); err == nil {
			n += builtins
		}
		c.number[tool], c.tools[n] = n, tool
	}
	return n
}

func (c *Comparison) curve(tool int) []*cactusCurve {
	list, ok := c.curves[tool]
	if !ok {
		for range c.measures {
			list = append(list, &cactusCurve{tool: c.tools[tool], steps: map[int]int{}})
		}
		c.curves[tool] = list
	}
	return list
}

func (c *Comparison) pair(at [2]int) []*Pair {
	list, ok := c.pairs[at]
	if !ok {
		for _, m := range c.measures {
			p := &Pair{Measure: m.Name, Row: c.tools[at[0]], Column: c.tools[at[1]]}
			if c.Plot {
				p.scatter = &scatterPlot{p, map[[2]int]*dot{}}
			}
			list = append(list, p)
		}
		c.pairs[at] = list
	}
	return list
}

// add adds an input: the values of measure k.
func (p *Pair) add(row, column call, k int, text string) {
	if !row.ok || !column.ok {
		if row.ok {
			p.OnlyRow++
		} else if column.ok {
			p.OnlyColumn++
		}
		return
	}
	x, y := row.values[k], column.values[k]
	if math.IsNaN(x) || math.IsNaN(y) { // the measure is not known
		return
	}
	p.Inputs++
	switch {
	case x < y:
		p.Smaller++
	case x > y:
		p.Larger++
	default:
		p.Equal++
	}
	p.SumRow += x
	p.SumColumn += y
	// The logarithm of a geometric mean is the mean of logarithms, which zeros do not have.
	if x > 0 && y > 0 {
		p.RatioInputs++
		p.logs += math.Log(x / y)
		p.Ratio = math.Exp(p.logs / float64(p.RatioInputs))
	}
	if p.scatter != nil {
		p.scatter.add(x, y, text)
	}
}

// Pairs returns all pairs, by measure, in the order in which the translators came.
func (c *Comparison) Pairs() []*Pair {
	for _, text := range c.order {
		c.add(text, c.kept[text])
	}
	c.order, c.kept = nil, map[string][]call{}   // a second call must not count them again
	numbers := slices.Sorted(maps.Keys(c.tools)) // built-in translators have the largest
	list := []*Pair{}                            // never nil: [] in JSON
	for k := range c.measures {
		for at, i := range numbers {
			for _, j := range numbers[at+1:] {
				if pairs := c.pairs[[2]int{i, j}]; pairs != nil { // they have an input in common
					list = append(list, pairs[k])
				}
			}
		}
	}
	return list
}

// cactuses returns the cactus plots, by measure, with the translators in the order of Pairs, which
// must be called first. There are none without Plot.
func (c *Comparison) cactuses() (list []*cactus) {
	if !c.Plot {
		return nil
	}
	for k, m := range c.measures {
		x := &cactus{measure: m.Name}
		for _, tool := range slices.Sorted(maps.Keys(c.curves)) {
			x.curves = append(x.curves, c.curves[tool][k])
		}
		list = append(list, x)
	}
	return list
}

// Write writes a table of pairs for each measure, for people. It fits so many columns of a terminal, if
// width is not 0.
func (*Comparison) Write(w io.Writer, pairs []*Pair, width int) error {
	var b strings.Builder
	for len(pairs) > 0 {
		n := slices.IndexFunc(pairs, func(p *Pair) bool { return p.Measure != pairs[0].Measure })
		if n < 0 {
			n = len(pairs)
		}
		fmt.Fprintf(&b, "%s\n%s\n", pairs[0].Measure, comparisonTable(pairs[:n]).Fit(width))
		pairs = pairs[n:]
	}
	const note = "(inputs: formulas and negations for which both have a value; less, equal, more: how often the " +
		"row's value is below, at or above the column's; ratio: geometric mean of row/column, without zeros)"
	b.WriteString(strings.Join(table.Wrap(note, cmp.Or(width, maxWidth), ""), "\n") + "\n")
	_, err := io.WriteString(guard.Writer(w), b.String())
	return err
}

// WriteCSV writes a line for each pair, under the names of its fields in JSON. The ratio
// is empty if there is none.
func (*Comparison) WriteCSV(w io.Writer, pairs []*Pair) error {
	b := bufio.NewWriter(guard.Writer(w))
	writeRow(b, []string{"measure", "row", "column", "inputs", "only_row", "only_column", "smaller", "equal", "larger",
		"sum_row", "sum_column", "ratio", "ratio_inputs"})
	for _, p := range pairs {
		var ratio any
		if p.RatioInputs > 0 {
			ratio = p.Ratio
		}
		writeRow(b, []any{p.Measure, p.Row, p.Column, p.Inputs, p.OnlyRow, p.OnlyColumn, p.Smaller, p.Equal, p.Larger,
			p.SumRow, p.SumColumn, ratio, p.RatioInputs})
	}
	return b.Flush()
}

func comparisonTable(pairs []*Pair) table.Table {
	header := []string{"row", "column", "inputs", "less", "equal", "more", "sum of row", "sum of column", "ratio"}
	// Who failed more often matters if somebody did.
	failed := slices.ContainsFunc(pairs, func(p *Pair) bool { return p.OnlyRow+p.OnlyColumn > 0 })
	if failed {
		header = append(header, "only row", "only column")
	}
	rows := [][]string{header}
	for _, p := range pairs {
		row := []string{line(p.Row, 40), line(p.Column, 40), strconv.Itoa(p.Inputs), strconv.Itoa(p.Smaller), strconv.Itoa(p.Equal), strconv.Itoa(p.Larger),
			sum(p.SumRow), sum(p.SumColumn), cmp.Or(p.ratioText(), "-")}
		if failed {
			row = append(row, strconv.Itoa(p.OnlyRow), strconv.Itoa(p.OnlyColumn))
		}
		rows = append(rows, row)
	}
	return table.New(rows, table.From(2, header)...)
}

// ratioText returns the mean ratio with three digits, or "" without a ratio.
func (p *Pair) ratioText() string {
	if p.RatioInputs == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", p.Ratio)
}

// sum writes a sum: whole numbers as such, others with three digits behind the point.
func sum(x float64) string {
	switch {
	case x >= 1e15:
		return fmt.Sprintf("%.6g", x)
	case x == math.Trunc(x):
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// CSV adds the lines of a CSV file of ltlcross or xcheck. cut says that the last line is truncated;
// it is ignored. A format error is a *FormatError.
func (c *Comparison) CSV(r io.Reader) (cut bool, err error) {
	t := &csvReader{Reader: csv.NewReader(guard.Reader(r)), measures: c.measures}
	t.ReuseRecord = true // next clones the cells that stay
	if err := t.header(); err != nil {
		return false, err
	}
	last := ""
	var calls []call
	flush := func() {
		if len(calls) > 0 {
			c.input(last, calls)
		}
		calls = nil
	}
	for {
		text, v, err := t.next()
		switch {
		case err == io.EOF:
			flush()
			return cut, nil
		case err != nil:
			// A line that nothing comes behind is one that was not written to its end.
			var at *FormatError
			if _, end := t.Read(); !errors.As(err, &at) || !t.broken || end != io.EOF {
				return false, err
			}
			cut = true // the next line is the end
			continue
		}
		// Consecutive lines with the same formula are one input. If a translator comes again, a new
		// input begins.
		if text != last || slices.ContainsFunc(calls, func(w call) bool { return w.tool == v.tool }) {
			flush()
		}
		last = text
		calls = append(calls, v)
	}
}

type csvReader struct {
	*csv.Reader
	measures      []quantity
	formula, tool int
	status        int     // -1 if there is no column
	columns       [][]int // of each measure: none if it is not there, several if there are many products
	broken        bool    // the last error was that a line has no fields as it should
}

func (t *csvReader) header() error {
	names, err := t.Read()
	if err == io.EOF {
		return &FormatError{1, 1, "expected the names of ltlcross's columns, found nothing"}
	}
	if err != nil {
		return formatError(err)
	}
	t.formula, t.tool, t.status = slices.Index(names, "formula"), slices.Index(names, "tool"), slices.Index(names, "exit_status")
	if t.formula < 0 || t.tool < 0 {
		return &FormatError{1, 1, "expected the names of ltlcross's columns, found neither formula nor tool"}
	}
	for _, m := range t.measures {
		var list []int // ltlcross repeats the columns of products with --products=+N
		for i, name := range names {
			if name == m.Name {
				list = append(list, i)
			}
		}
		t.columns = append(t.columns, list)
	}
	return nil
}

func (t *csvReader) next() (text string, v call, err error) {
	t.broken = false
	line, err := t.Read()
	if err != nil {
		t.broken = true
		return "", call{}, formatError(err)
	}
	v.tool = strings.Clone(line[t.tool])
	v.ok = t.status < 0 || line[t.status] == "ok" // a file without the column has no failed calls
	for _, list := range t.columns {
		sum := 0.0
		for _, i := range list {
			x := math.NaN()
			// An empty cell is a value that is not known. The value of the call is unknown then.
			if line[i] != "" {
				if x, err = strconv.ParseFloat(line[i], 64); err != nil || math.IsInf(x, 0) {
					at, column := t.FieldPos(i)
					return "", call{}, &FormatError{at, column, fmt.Sprintf("expected a number, found %q", line[i])}
				}
			}
			sum += x
		}
		v.values = append(v.values, sum/float64(len(list))) // NaN without a column
	}
	return strings.Clone(line[t.formula]), v, nil
}

// formatError gives an error of package csv the form of ours.
func formatError(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return &FormatError{at.Line, at.Column, at.Err.Error()}
	}
	return err
}
