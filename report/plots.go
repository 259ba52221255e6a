package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/wholefile"
)

// A scatterPlot is the plot of a pair. Each input is a dot: the horizontal axis is the row's
// translator, and the vertical axis the column's. Both axes are logarithmic, so equal ratios
// are equally far from the diagonal.
//
// Inputs with nearly the same numbers share a dot. So memory and the size of the picture are
// bounded.
type scatterPlot struct {
	pair *Pair
	dots map[[2]int]*dot
}

// A dot stands for n inputs; x and y are the numbers of the first.
type dot struct {
	x, y   float64
	n      int
	mixed  bool     // whether the inputs have different numbers
	inputs []string // the first inputs
}

const (
	// perDecade is how many cells there are between 1 and 10. Each integer up to 43 has a cell
	// of its own, and in the picture two dots are some two units apart.
	perDecade = 100
	// dotInputs is how many inputs are named at a dot, with at most dotLetters bytes each.
	dotInputs, dotLetters = 3, 200
)

func (s *scatterPlot) add(x, y float64, text string) {
	at := [2]int{cellOf(x), cellOf(y)}
	d := s.dots[at]
	if d == nil {
		d = &dot{x: x, y: y}
		s.dots[at] = d
	}
	d.n++
	d.mixed = d.mixed || d.x != x || d.y != y
	if len(d.inputs) < dotInputs {
		d.inputs = append(d.inputs, strings.Clone(line(text, dotLetters)))
	}
}

// cellOf returns the cell of a number on an axis: 0 for 1, 30 for 2, 100 for 10, and 300 for 1000
// and
// 1003. Numbers that are not positive have a cell of their own.
func cellOf(x float64) int {
	if x <= 0 {
		return math.MinInt32
	}
	return int(math.Round(perDecade * math.Log10(x)))
}

// The picture, in its own units: a square of side units with room around it. If there are zeros,
// gutter units of the square are for them.
const (
	left, top, side, gutter = 84.0, 86.0, 520.0, 24.0
	pictureWidth            = left + side + 30
	pictureHeight           = top + side + 66
)

// An axis maps numbers to places, from 0 to side.
type axis struct {
	low, high float64 // logarithms
	zero      bool    // there is a gutter
}

// axis returns the axis of both directions, so that the diagonal has equal numbers.
func (s *scatterPlot) axis() axis {
	return axisOf(func(yield func(float64) bool) {
		for _, d := range s.dots {
			if !yield(d.x) || !yield(d.y) {
				return
			}
		}
	})
}

// axisOf returns an axis with a margin of a twentieth around the numbers: for 1 to 100, the
// logarithms from -0.1 to 2.1.
func axisOf(numbers iter.Seq[float64]) axis {
	a := axis{math.Inf(1), math.Inf(-1), false}
	for v := range numbers {
		if v <= 0 {
			a.zero = true // it has no logarithm: the axis gets a place for it
			continue
		}
		a.low, a.high = min(a.low, math.Log10(v)), max(a.high, math.Log10(v))
	}
	if a.low > a.high { // all are zero, or there are none
		a.low, a.high = 0, 1
	}
	// A margin for the dots, also around a single number.
	margin := max(0.05*(a.high-a.low), 0.1)
	return axis{a.low - margin, a.high + margin, a.zero}
}

// from is where the positive numbers begin.
func (a axis) from() float64 {
	if a.zero {
		return gutter
	}
	return 0
}

func (a axis) place(v float64) float64 {
	if v <= 0 {
		return gutter / 2
	}
	from := a.from()
	return from + (side-from)*(math.Log10(v)-a.low)/(a.high-a.low)
}

// ticks are the numbers that are written at the axis.
func (a axis) ticks() (list []float64) {
	steps := []float64{1, 2, 5} // powers of ten, and if these are few their doubles and halves
	if a.high-a.low > 3 {
		steps = steps[:1]
	}
	every := 1 + int(a.high-a.low)/12 // not all powers if they are many
	for k := int(math.Floor(a.low)); k <= int(math.Ceil(a.high)); k += every {
		for _, step := range steps {
			v := step * math.Pow10(k)
			if l := math.Log10(v); l >= a.low && l <= a.high {
				list = append(list, v)
			}
		}
	}
	if a.zero {
		list = append(list, 0)
	}
	return list
}

// scatterStyle has the colours: they follow what the reader prefers. Few programs but browsers know
// variables of CSS.
const scatterStyle = `<style>
svg { color-scheme: light dark }
text { font: 12px system-ui, sans-serif } .head { font-size: 16px; font-weight: 600 }
.paper { fill: #ffffff } .grid { stroke: #e4e8ec } .frame { fill: none; stroke: #8c959f }
.diagonal { stroke: #8c959f; stroke-dasharray: 4 4 }
text { fill: #1f2328 } .tick { fill: #8c959f } circle:hover { stroke: #1f2328; stroke-width: 1.5 }
.row { fill: #0969da } .column { fill: #bc4c00 } .equal { fill: #57606a }
@media (prefers-color-scheme: dark) {
.paper { fill: #0d1117 } .grid { stroke: #262c34 } .frame, .diagonal { stroke: #7d8590 }
text { fill: #e6edf3 } .tick { fill: #7d8590 } circle:hover { stroke: #e6edf3 }
.row { fill: #58a6ff } .column { fill: #f0883e } .equal { fill: #9da7b1 }
}
</style>
`

// Write writes the plot as a self-contained SVG picture.
func (s *scatterPlot) Write(w io.Writer) error {
	if s == nil {
		return errors.New("the comparison has no plots")
	}
	p, a := s.pair, s.axis()
	var b bytes.Buffer
	title := fmt.Sprintf("%s: %s and %s", withUnit(p.Measure), p.Row, p.Column)
	row, column := escape(line(p.Row, 18)), escape(line(p.Column, 18))
	caption := fmt.Sprintf(`%s: <tspan class="row">● less with %s %d</tspan>, <tspan class="equal">● equal %d</tspan>, <tspan class="column">● less with %s %d</tspan>`,
		plural.Of(p.Inputs, "input"), row, p.Smaller, p.Equal, column, p.Larger)
	second := fmt.Sprintf("automata only from %s: %d, from %s: %d", row, p.OnlyRow, column, p.OnlyColumn)
	if p.RatioInputs > 0 {
		second = fmt.Sprintf("mean ratio (geometric): %s; %s", p.ratioText(), second)
	}
	writeHead(&b, pictureWidth, pictureHeight, title, scatterStyle, caption, second)
	s.grid(&b, a)
	// Dots of many inputs come first, so that they hide no others.
	for _, d := range slices.SortedFunc(maps.Values(s.dots), func(d, e *dot) int {
		return cmp.Or(cmp.Compare(e.n, d.n), cmp.Compare(d.x, e.x), cmp.Compare(d.y, e.y))
	}) {
		s.dot(&b, a, d)
	}
	b.WriteString("</svg>\n")
	_, err := guard.Writer(w).Write(b.Bytes())
	return err
}

// writeHead begins a picture, with its title and lines of markup below that.
func writeHead(b *bytes.Buffer, width, height float64, title, style string, captions ...string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g" width="%g" height="%g">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n%s<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", escape(title), style)
	fmt.Fprintf(b, `<text class="head" x="%g" y="28">%s</text>`+"\n", left, escape(line(title, 52)))
	for i, text := range captions {
		fmt.Fprintf(b, `<text x="%g" y="%d">%s</text>`+"\n", left, 48+18*i, text)
	}
}

// grid draws the axes with their numbers, and the diagonal.
func (s *scatterPlot) grid(b *bytes.Buffer, a axis) {
	bottom := top + side
	for _, v := range a.ticks() {
		at, text := a.place(v), strconv.FormatFloat(v, 'g', 6, 64)
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %gV%gM%g %.1fH%g"/>`, left+at, top, bottom, left, bottom-at, left+side)
		fmt.Fprintf(b, `<text class="tick" text-anchor="middle" x="%.1f" y="%g">%s</text>`, left+at, bottom+18, text)
		fmt.Fprintf(b, `<text class="tick" text-anchor="end" x="%g" y="%.1f">%s</text>`+"\n", left-8, bottom-at+4, text)
	}
	from := a.from()
	fmt.Fprintf(b, `<path class="diagonal" d="M%g %gL%g %g"/><rect class="frame" x="%g" y="%g" width="%g" height="%g"/>`+"\n",
		left+from, bottom-from, left+side, top, left, top, side, side)
	middle, unit := top+side/2, withUnit(s.pair.Measure)+", logarithmic"
	fmt.Fprintf(b, `<text text-anchor="middle" x="%g" y="%g">%s: %s</text>`, left+side/2, bottom+44, escape(line(s.pair.Row, 40)), unit)
	fmt.Fprintf(b, `<text text-anchor="middle" transform="translate(22 %g) rotate(-90)">%s: %s</text>`+"\n", middle, escape(line(s.pair.Column, 40)), unit)
}

// dot draws one, larger and less transparent the more inputs it stands for.
func (s *scatterPlot) dot(b *bytes.Buffer, a axis, d *dot) {
	class, about := "equal", ""
	if d.x < d.y {
		class = "row"
	} else if d.x > d.y {
		class = "column"
	}
	if d.mixed {
		about = "about " // the dot stands for numbers that are nearly the same
	}
	more := math.Log10(float64(d.n)) // 1000 inputs: a radius of 9 instead of 3
	fmt.Fprintf(b, `<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f" fill-opacity="%.2f"><title>`, class,
		left+a.place(d.x), top+side-a.place(d.y), 3+2*more, min(0.8+0.05*more, 0.9))
	text := fmt.Sprintf("%s%s with %s, %s with %s\n%s", about, strconv.FormatFloat(d.x, 'g', 6, 64), s.pair.Row,
		strconv.FormatFloat(d.y, 'g', 6, 64), s.pair.Column, plural.Of(d.n, "input"))
	for _, f := range d.inputs {
		text += "\n" + f
	}
	if n := d.n - len(d.inputs); n > 0 {
		text += fmt.Sprintf("\n… and %s", plural.Of(n, "other"))
	}
	fmt.Fprintf(b, "%s</title></circle>\n", escape(text))
}

// escape returns a text as it stands in XML.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

// WritePlots writes the scatter plots of some pairs, and cactus plots, to a folder, which is created if
// it is not there. The files are named after the measure and the translators, or the measure alone.
func (c *Comparison) WritePlots(folder string, pairs []*Pair) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, x := range c.cactuses() {
		if err := wholefile.Write(wholefile.In(folder, x.measure+".svg"), x.Write); err != nil {
			return err
		}
	}
	used := map[string]bool{}
	for _, p := range pairs {
		base := slug(p.Measure+"-"+p.Row+"-"+p.Column, 60) // names of translators may be whole commands
		name := base
		for n := 2; used[name]; n++ { // without their signs, two names may be the same
			name = fmt.Sprintf("%s-%d", base, n)
		}
		used[name] = true
		if err := p.WritePlot(wholefile.In(folder, name+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// WritePlot writes the scatter plot of a pair to a file.
func (p *Pair) WritePlot(name string) error { return wholefile.Write(name, p.scatter.Write) }

// A cactus is the cactus plot of a measure. The curve of a translator goes through (n, v) if n of
// its automata have a number of at most v: automata with 5, 1 and 1 states give the curve (1, 1),
// (2, 1), (3, 5). A lower curve is better, and so is one that ends farther to the right. The
// vertical axis is logarithmic.
//
// Nearly equal numbers are one step. So memory and the size of the picture are bounded.
type cactus struct {
	measure string
	curves  []*cactusCurve
}

// A cactusCurve is what a translator made of the inputs.
type cactusCurve struct {
	tool   string
	inputs int         // number of its inputs
	made   int         // number of automata with a known measure
	steps  map[int]int // number of automata in each cell
}

func (c *cactusCurve) add(v call, k int) {
	c.inputs++
	if v.ok && !math.IsNaN(v.values[k]) {
		c.made++
		c.steps[cellOf(v.values[k])]++
	}
}

// cactusColours is how many colours the curves have. More curves are dashed.
const cactusColours = 8

// cactusStyle adds the colours of curves to scatterStyle.
const cactusStyle = `<style>
.curve { fill: none; stroke: currentColor; stroke-width: 2 } .label { fill: currentColor }
.c0 { color: #0969da } .c1 { color: #bc4c00 } .c2 { color: #1a7f37 } .c3 { color: #8250df }
.c4 { color: #9a6700 } .c5 { color: #cf222e } .c6 { color: #57606a } .c7 { color: #0e7490 }
@media (prefers-color-scheme: dark) {
.c0 { color: #58a6ff } .c1 { color: #f0883e } .c2 { color: #3fb950 } .c3 { color: #bc8cff }
.c4 { color: #d29922 } .c5 { color: #ff7b72 } .c6 { color: #9da7b1 } .c7 { color: #39c5cf }
}
</style>
`

// legendLine is the height of a line of the legend, which is below the picture. Labels beside the curves
// have at most labelWidth units, and labelHeight of their own.
const legendLine, labelWidth, labelHeight = 20.0, 90.0, 13.0

// Write writes the plot as a self-contained SVG picture.
func (c *cactus) Write(w io.Writer) error {
	most := 1
	for _, x := range c.curves {
		most = max(most, x.made)
	}
	// All curves share an axis, or they could not be compared.
	a := axisOf(c.numbers())
	height := pictureHeight + legendLine*float64(len(c.curves))
	var b bytes.Buffer
	title := c.measure + " of all translators"
	writeHead(&b, pictureWidth+labelWidth, height, title, scatterStyle+cactusStyle, "how many automata stay at or below each value: lower, and farther to the right, is better")
	c.grid(&b, a, most)
	ends := map[int]float64{} // heights at which curves end
	for i, x := range c.curves {
		if x.made > 0 {
			ends[i] = top + side - a.place(numberOf(slices.Max(slices.Collect(maps.Keys(x.steps)))))
		}
		// Neighbours differ in their dashes, and so do curves of the same colour.
		class := fmt.Sprintf(`class="curve c%d" stroke-dasharray="%s"`, i%cactusColours, [...]string{"none", "7 3", "2 3"}[(i+i/cactusColours)%3])
		fmt.Fprintf(&b, `<path %s d="%s"/>`, class, x.path(a, most))
		y := pictureHeight + legendLine*float64(i)
		fmt.Fprintf(&b, `<path %s d="M%g %gh30"/><text x="%g" y="%g">%s: %d of %s</text>`+"\n", class, left, y, left+40, y+4,
			escape(line(x.tool, 60)), x.made, plural.Of(x.inputs, "input"))
	}
	// Each name stands at the end of its curve, or above that of a curve that ends lower.
	y := height
	for _, i := range slices.SortedFunc(maps.Keys(ends), func(i, j int) int { return cmp.Or(cmp.Compare(ends[j], ends[i]), cmp.Compare(i, j)) }) {
		x := c.curves[i]
		y = min(y-labelHeight, ends[i]+4)
		fmt.Fprintf(&b, `<text class="label c%d" x="%.1f" y="%.1f">%s</text>`+"\n", i%cactusColours, left+side*float64(x.made)/float64(most)+5, y, escape(line(x.tool, 16)))
	}
	b.WriteString("</svg>\n")
	_, err := guard.Writer(w).Write(b.Bytes())
	return err
}

// numbers are the numbers of all curves.
func (c *cactus) numbers() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, x := range c.curves {
			for cell := range x.steps {
				if !yield(numberOf(cell)) {
					return
				}
			}
		}
	}
}

// numberOf returns a number in a cell: 1.995 in cell 30.
func numberOf(cell int) float64 {
	if cell == math.MinInt32 {
		return 0
	}
	return math.Pow(10, float64(cell)/perDecade)
}

// path returns the curve, in the language of SVG.
func (c *cactusCurve) path(a axis, most int) string {
	var b bytes.Buffer
	at := func(n int) float64 { return left + side*float64(n)/float64(most) }
	before := 0
	for _, cell := range slices.Sorted(maps.Keys(c.steps)) {
		y := top + side - a.place(numberOf(cell))
		if before == 0 {
			fmt.Fprintf(&b, "M%.1f %.1f", at(0), y)
		} else {
			fmt.Fprintf(&b, "V%.1f", y) // a staircase: up to the value, then along all automata that have it
		}
		before += c.steps[cell]
		fmt.Fprintf(&b, "H%.1f", at(before))
	}
	return b.String()
}

// grid draws the axes with their numbers and names.
func (c *cactus) grid(b *bytes.Buffer, a axis, most int) {
	bottom := top + side
	for _, v := range a.ticks() {
		at, text := bottom-a.place(v), strconv.FormatFloat(v, 'g', 6, 64)
		fmt.Fprintf(b, `<path class="grid" d="M%g %.1fH%g"/><text class="tick" text-anchor="end" x="%g" y="%.1f">%s</text>`+"\n", left, at, left+side, left-8, at+4, text)
	}
	step := countStep(most)
	for n := 0; n <= most; n += step {
		at := left + side*float64(n)/float64(most)
		fmt.Fprintf(b, `<path class="grid" d="M%.1f %gV%g"/><text class="tick" text-anchor="middle" x="%.1f" y="%g">%d</text>`+"\n", at, top, bottom, at, bottom+18, n)
	}
	fmt.Fprintf(b, `<rect class="frame" x="%g" y="%g" width="%g" height="%g"/>`+"\n", left, top, side, side)
	fmt.Fprintf(b, `<text text-anchor="middle" x="%g" y="%g">automata</text>`, left+side/2, bottom+40)
	fmt.Fprintf(b, `<text text-anchor="middle" transform="translate(22 %g) rotate(-90)">%s</text>`+"\n", top+side/2, withUnit(c.measure))
}

// withUnit returns the name of a measure with its unit, if it has one: "time (s)".
func withUnit(measure string) string {
	if unit := map[string]string{"time": "s", "cpu_time": "s", "max_rss": "bytes"}[measure]; unit != "" {
		return measure + " (" + unit + ")"
	}
	return measure
}

// countStep returns the distance of the numbers at an axis from 0 to most: 1, 2 or 5 times a power
// of ten, with at most ten numbers besides 0. An axis to 73 has 10, 20, …, 70.
func countStep(most int) int {
	for power := 1; ; power *= 10 {
		for _, k := range []int{1, 2, 5} {
			if most/(k*power) <= 10 {
				return k * power
			}
		}
	}
}
