package report

import (
	"bytes"
	"fmt"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/xcheck-ltl/xcheck/internal/plural"
)

// A Cactus is the cactus plot of a measure. The curve of a translator goes through (n, v) if n of
// its automata have a number of at most v: automata with 5, 1 and 1 states give the curve (1, 1),
// (2, 1), (3, 5). A lower curve is better, and so is one that ends farther to the right. The
// vertical axis is logarithmic.
//
// Nearly equal numbers are one step. So memory and the size of the picture are bounded.
type Cactus struct {
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
.curve { fill: none; stroke-width: 2 }
.c0 { stroke: #0969da } .c1 { stroke: #bc4c00 } .c2 { stroke: #1a7f37 } .c3 { stroke: #8250df }
.c4 { stroke: #9a6700 } .c5 { stroke: #cf222e } .c6 { stroke: #57606a } .c7 { stroke: #0e7490 }
@media (prefers-color-scheme: dark) {
.c0 { stroke: #58a6ff } .c1 { stroke: #f0883e } .c2 { stroke: #3fb950 } .c3 { stroke: #bc8cff }
.c4 { stroke: #d29922 } .c5 { stroke: #ff7b72 } .c6 { stroke: #9da7b1 } .c7 { stroke: #39c5cf }
}
</style>
`

// legendLine is the height of a line of the legend, which is below the picture.
const legendLine = 20.0

// Write writes the plot as a self-contained SVG picture.
func (c *Cactus) Write(w io.Writer) error {
	most := 1
	for _, x := range c.curves {
		most = max(most, x.made)
	}
	a := axisOf(c.numbers())
	height := pictureHeight + legendLine*float64(len(c.curves))
	var b bytes.Buffer
	title := c.measure + " of all translators"
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %g %g" width="%g" height="%g">`+"\n", pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(&b, "<title>%s</title>\n%s%s<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n", title, scatterStyle, cactusStyle)
	fmt.Fprintf(&b, `<text class="head" x="%g" y="28">%s</text>`+"\n", left, title)
	fmt.Fprintf(&b, `<text x="%g" y="48">how many automata stay at or below each value: lower, and farther to the right, is better</text>`+"\n", left)
	c.grid(&b, a, most)
	for i, x := range c.curves {
		class := fmt.Sprintf(`class="curve c%d" stroke-dasharray="%s"`, i%cactusColours, [...]string{"none", "7 3", "2 3"}[i/cactusColours%3])
		fmt.Fprintf(&b, `<path %s d="%s"/>`, class, x.path(a, most))
		y := pictureHeight + legendLine*float64(i)
		fmt.Fprintf(&b, `<path %s d="M%g %gh30"/><text x="%g" y="%g">%s: %d of %s</text>`+"\n", class, left, y, left+40, y+4,
			escape(line(x.tool, 60)), x.made, plural.Of(x.inputs, "input"))
	}
	b.WriteString("</svg>\n")
	_, err := guard.Writer(w).Write(b.Bytes())
	return err
}

// numbers are the numbers of all curves.
func (c *Cactus) numbers() iter.Seq[float64] {
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
			fmt.Fprintf(&b, "V%.1f", y)
		}
		before += c.steps[cell]
		fmt.Fprintf(&b, "H%.1f", at(before))
	}
	return b.String()
}

// grid draws the axes with their numbers and names.
func (c *Cactus) grid(b *bytes.Buffer, a axis, most int) {
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
