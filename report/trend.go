package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// maxTrendRuns is the maximum number of runs of a curve. It shows the last ones.
const maxTrendRuns = 90

// A trendTable shows the curves of a history: a row for each translator.
type trendTable struct {
	First, Last string // days of the runs
	Runs        []outcome.Trend
	Counts      []trendCurve // of all translators together
	Measures    []string
	Rows        []trendRow
}

type trendRow struct {
	Name     string
	Versions string // if it has changed
	Curves   []trendCurve
}

// A trendCurve is a measure over the runs.
type trendCurve struct {
	Name    string
	Picture template.HTML
	Last    string
	Change  string // "before: 3"; "" if that is not known, or as it was
	Range   string // of all runs
}

// newTrendTable returns the curves of runs on inputs called inputs, or nil if there are less than
// two runs. Curves of sizes and times are left out unless all runs have the same inputs.
func newTrendTable(list []outcome.Trend, inputs string, same bool) *trendTable {
	if len(list) < 2 {
		return nil
	}
	list = list[max(0, len(list)-maxTrendRuns):]
	t := &trendTable{First: day(&list[0].RunID), Last: day(&list[len(list)-1].RunID), Runs: list, Measures: []string{"states", "edges", "time (ms)"}}
	var names []string
	for _, n := range list {
		for _, tool := range n.Tools {
			if !slices.Contains(names, tool.Name) {
				names = append(names, tool.Name)
			}
		}
	}
	for _, c := range []struct {
		name string
		of   func(*outcome.Trend) int
	}{
		{inputs + " with a disagreement", func(n *outcome.Trend) int { return n.Disagreeing }},
		{"failures of translators", func(n *outcome.Trend) int { return n.Failures }},
		{"groups that are new or back again", func(n *outcome.Trend) int { return n.New }},
	} {
		var values []float64
		for i := range list {
			values = append(values, float64(c.of(&list[i])))
		}
		t.Counts = append(t.Counts, newTrendCurve(c.name, values, nil))
	}
	if !same {
		return t
	}
	// A translator that only some of the runs had has gaps in its curve.
	for _, name := range names {
		t.Rows = append(t.Rows, newTrendRow(name, list, t))
	}
	return t
}

// sameSeed reports whether runs had the same random inputs, or none.
func sameSeed(list []outcome.Trend) bool {
	return !slices.ContainsFunc(list, func(n outcome.Trend) bool {
		a, b := n.Seed, list[0].Seed
		return a != b && (a == nil || b == nil || *a != *b)
	})
}

func newTrendRow(name string, list []outcome.Trend, t *trendTable) trendRow {
	values := make([][]float64, len(t.Measures))
	var changed []int // runs with another version than that before
	version := ""
	row := trendRow{Name: name}
	for i := range list {
		k := slices.IndexFunc(list[i].Tools, func(x outcome.TrendTotal) bool { return x.Name == name })
		of := outcome.TrendTotal{States: math.NaN(), Edges: math.NaN(), Seconds: math.NaN()} // without an automaton, a gap
		if k >= 0 && list[i].Tools[k].Made > 0 {
			of = list[i].Tools[k]
		}
		for m, v := range []float64{of.States, of.Edges, 1000 * of.Seconds} {
			values[m] = append(values[m], v)
		}
		if of.Version != "" && of.Version != version {
			if version != "" { // the first version is no change
				changed = append(changed, i)
				row.Versions = fmt.Sprintf("%s since %s (before: %s)", of.Version, day(&list[i].RunID), version)
			}
			version = of.Version
		}
	}
	for m, measure := range t.Measures {
		row.Curves = append(row.Curves, newTrendCurve(measure+" of "+name, values[m], changed))
	}
	return row
}

// The size of a curve, in the units of its picture.
const curveWidth, curveHeight, curveMargin = 180.0, 40.0, 4.0

// newTrendCurve draws values, NaN for runs without one. Curves begin at 0.
func newTrendCurve(name string, values []float64, changed []int) trendCurve {
	c := trendCurve{Name: name}
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high { // no run has a value
		return c
	}
	title := fmt.Sprintf("%s: from %s to %s", name, short(low), short(high))
	last := len(values) - 1
	if v := values[last]; !math.IsNaN(v) {
		c.Last = short(v)
		if before := values[last-1]; !math.IsNaN(before) && before != v { // there are at least two runs
			c.Change = "before: " + short(before)
		}
	}
	c.Range = short(low) + "–" + short(high)
	low = 0
	room := max((high-low)*0.05, high*0.01, 1e-9) // a flat curve must not divide by 0
	at := func(i int, v float64) (x, y float64) {
		return curveMargin + (curveWidth-2*curveMargin)*float64(i)/float64(max(1, last)),
			curveHeight - curveMargin - (curveHeight-2*curveMargin)*(v-low+room)/(high-low+2*room)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="curve" role="img" viewBox="0 0 %g %g" width="%g" height="%g"><title>%s</title>`, curveWidth, curveHeight, curveWidth, curveHeight, escape(title))
	for _, i := range changed {
		x, _ := at(i, low)
		fmt.Fprintf(&b, `<path class="version" d="M%.1f 0V%g"/>`, x, curveHeight)
	}
	d, drawing := "", false
	for i, v := range values {
		if math.IsNaN(v) {
			drawing = false
			continue
		}
		x, y := at(i, v)
		d += fmt.Sprintf("%s%.1f %.1f", map[bool]string{false: "M", true: "L"}[drawing], x, y)
		if !drawing && (i == last || math.IsNaN(values[i+1])) {
			d += "h0.1" // a run of its own
		}
		drawing = true
	}
	fmt.Fprintf(&b, `<path class="line" d="%s"/>`, d)
	if c.Last != "" {
		x, y := at(last, values[last])
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5"/>`, x, y)
	}
	b.WriteString("</svg>")
	c.Picture = template.HTML(b.String())
	return c
}

// short returns a number with three significant digits, or its integer part and a decimal: 12.3,
// 0.00123, 123.5, 1234.
func short(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if math.Abs(v) >= 100 && math.Abs(v) < 1e6 {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// percent returns a ratio as a difference: "+12.3 %", or "× 20" for a large one.
func percent(ratio float64) string {
	p := 100 * (ratio - 1)
	if math.Abs(p) >= 1000 {
		return fmt.Sprintf("× %.3g", ratio)
	}
	text := strings.Replace(fmt.Sprintf("%+.1f %%", p), "-", "−", 1)
	if strings.Trim(text, "+−0. %") == "" {
		return ""
	}
	return text
}

// runTitle names a run: by its name if it has one, and else by its number.
func runTitle(n *outcome.RunID) string {
	if n.Name != "" {
		return line(n.Name, 60)
	}
	return "run " + strconv.FormatInt(n.Run, 10)
}

// day is when a run began.
func day(n *outcome.RunID) string {
	if n.Started.IsZero() {
		return ""
	}
	return n.Started.Format("2006-01-02 15:04")
}

func runWithDay(n *outcome.RunID) string { return strings.TrimSuffix(runTitle(n)+", "+day(n), ", ") }

func seedText(seed *uint64) string {
	if seed == nil {
		return ""
	}
	return strconv.FormatUint(*seed, 10)
}
