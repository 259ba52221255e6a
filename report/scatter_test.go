package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// picture is what the tests look at in an SVG.
type picture struct {
	XMLName xml.Name
	Title   string   `xml:"title"`
	Texts   []string `xml:"text"`
	Circles []struct {
		Class   string  `xml:"class,attr"`
		X       float64 `xml:"cx,attr"`
		Y       float64 `xml:"cy,attr"`
		R       float64 `xml:"r,attr"`
		Opacity float64 `xml:"fill-opacity,attr"`
		Title   string  `xml:"title"`
	} `xml:"circle"`
}

// plot returns the picture of the states of two tools.
func plot(t *testing.T, cases ...*outcome.Case) (*report.Pair, picture, string) {
	t.Helper()
	c := report.NewComparison("states")
	c.Plot = true
	for _, x := range cases {
		must.Do(c.Case(x))
	}
	var b bytes.Buffer
	p := c.Pairs()[0]
	must.Do(p.WriteScatter(&b))
	var got picture
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	return p, got, b.String()
}

// sized is a case in which two tools give automata of these numbers of states.
func sized(formula string, x, y int) *outcome.Case {
	result := func(tool string, n int) outcome.Result {
		return outcome.Result{Subject: outcome.Subject{Translator: tool}, Status: "ok", Sizes: omega.Sizes{States: n}}
	}
	return &outcome.Case{Formula: formula, Results: []outcome.Result{result("a<b>", x), result("c\x00&d", y)}}
}

// TestScatter: a dot stands for as many inputs as it says, is on the right side of the
// diagonal, and names formulas.
func TestScatter(t *testing.T) {
	var cases []*outcome.Case
	for range 1000 {
		cases = append(cases, sized("a & b", 3, 5))
	}
	cases = append(cases, sized("G(a<b)\x01", 4, 4), sized("Fa", 5, 3), sized("Xa", 0, 7))
	_, got, text := plot(t, cases...)
	if got.XMLName.Local != "svg" || got.Title != "states: a<b> and c\uFFFD&d" || len(got.Circles) != 4 || strings.Contains(text, "var(") { // variables of CSS are for browsers only
		t.Fatalf("got %+v", got)
	}
	caption := "1003 inputs: <tspan class=\"row\">● less with a&lt;b&gt; 1001</tspan>, <tspan class=\"equal\">● equal 1</tspan>, <tspan class=\"column\">● less with c &amp;d 1</tspan>"
	if !strings.Contains(text, caption) || !strings.Contains(text, ">c &amp;d: states, logarithmic<") {
		t.Errorf("no caption, or no name of an axis, in\n%s", text)
	}
	want := []struct{ class, title string }{
		{"row", "3 with a<b>, 5 with c\uFFFD&d\n1000 inputs\na & b\na & b\na & b\n… and 997 others"},
		{"row", "0 with a<b>, 7 with c\uFFFD&d\n1 input\nXa"},
		{"equal", "4 with a<b>, 4 with c\uFFFD&d\n1 input\nG(a<b)"},
		{"column", "5 with a<b>, 3 with c\uFFFD&d\n1 input\nFa"},
	}
	for i, c := range got.Circles {
		if c.Class != want[i].class || c.Title != want[i].title {
			t.Errorf("dot %d: %+v", i, c)
		}
		// With the gutter of zeros, the diagonal goes through its corners all the same.
		if up := (86+520-c.Y)-(c.X-84) > 0.05; up != (c.Class == "row") {
			t.Errorf("dot %d is not where it should be: %+v", i, c)
		}
		if i > 0 && (c.R >= got.Circles[0].R || c.Opacity >= got.Circles[0].Opacity) {
			t.Errorf("dot %d looks like one of more inputs: %+v", i, c)
		}
	}
	if !strings.Contains(text, "@media (prefers-color-scheme: dark)") || strings.Contains(text, "href") {
		t.Error("the picture has one colour scheme, or needs something else")
	}
}

// TestScatterBounded: all inputs are in some dot, whose number is bounded, and dots are
// within the frame.
func TestScatterBounded(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	var cases []*outcome.Case
	for i := range 20000 {
		cases = append(cases, sized(fmt.Sprint("p", i), int(math.Pow(10, 2*r.Float64())), r.IntN(100)))
	}
	p, got, _ := plot(t, cases...)
	sum := 0
	for _, c := range got.Circles {
		var n int
		_, inputs, _ := strings.Cut(c.Title, "\n")
		if _, err := fmt.Sscanf(inputs, "%d input", &n); err != nil {
			t.Fatal(err, c.Title)
		}
		sum += n
		if c.X < 84 || c.X > 84+520 || c.Y < 86 || c.Y > 86+520 {
			t.Fatalf("outside: %+v", c)
		}
	}
	if sum != p.Inputs || sum != 20000 || len(got.Circles) > 80*80 {
		t.Errorf("seed %d: %d inputs in %d dots, want %d", seed, sum, len(got.Circles), p.Inputs)
	}
}

// TestScatterRanges: there is a picture of any numbers.
func TestScatterRanges(t *testing.T) {
	for _, x := range [][]*outcome.Case{
		{sized("a", 0, 0)}, {sized("a", 1, 1)}, {sized("a", 1, math.MaxInt)}, {sized("a", 7, 7), sized("a", 7, 7)},
	} {
		_, got, text := plot(t, x...)
		if len(got.Circles) != 1 || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%v: %+v", x[0], got)
		}
	}
}

// cactus returns the plot of the states of two translators, x and y.
func cactus(t *testing.T, cases ...*outcome.Case) string {
	t.Helper()
	c := report.NewComparison("states")
	c.Plot = true
	for _, x := range cases {
		must.Do(c.Case(x))
	}
	c.Pairs()
	var b bytes.Buffer
	must.Do(c.WriteCactus(&b))
	must.Do(xml.Unmarshal(b.Bytes(), new(struct{})))
	return b.String()
}

var curvePath = regexp.MustCompile(`<path class="curve c\d" stroke-dasharray="[^"]+" d="(M84[^"]+H[^"]+)"/>`)

// TestCactus compares the curves with the numbers, one by one: below a curve are as many automata as
// have at most that many states.
func TestCactus(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	var cases []*outcome.Case
	var numbers [2][]int
	for i := range 100 {
		x, y := 1+r.IntN(40), 1+r.IntN(20) // so few have a place each
		cases = append(cases, sized(fmt.Sprint("p", i), x, y))
		numbers[0], numbers[1] = append(numbers[0], x), append(numbers[1], y)
	}
	text := cactus(t, cases...)
	curves := curvePath.FindAllStringSubmatch(text, -1)
	if len(curves) != 2 {
		t.Fatalf("%d curves: %s", len(curves), text)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, n := range slices.Concat(numbers[:]...) {
		low, high = min(low, math.Log10(float64(n))), max(high, math.Log10(float64(n)))
	}
	margin := max(0.05*(high-low), 0.1)
	low, high = low-margin, high+margin
	for i, list := range numbers {
		slices.Sort(list)
		want := ""
		for k, n := range list {
			y := 86 + 520 - 520*(math.Log10(float64(n))-low)/(high-low)
			if k == 0 {
				want = fmt.Sprintf("M84.0 %.1f", y)
			} else if n != list[k-1] {
				want += fmt.Sprintf("V%.1f", y)
			}
			if k+1 == len(list) || list[k+1] != n {
				want += fmt.Sprintf("H%.1f", 84+520*float64(k+1)/float64(len(list)))
			}
		}
		if got := curves[i][1]; !near(got, want) {
			t.Errorf("seed %d, curve %d: got\n%s\nwant\n%s", seed, i, got, want)
		}
	}
	if strings.Contains(text, "href") || strings.Count(text, "100 of 100 inputs") != 2 || strings.Count(text, `class="label `) != 2 {
		t.Error("the legend is wrong, or the picture needs something else")
	}
}

var pathNumber = regexp.MustCompile(`[-\d.]+`)

// near reports whether two paths have the same steps, and numbers that differ by 3 at most: a place
// stands for a range of numbers.
func near(a, b string) bool {
	if pathNumber.ReplaceAllString(a, "") != pathNumber.ReplaceAllString(b, "") {
		return false
	}
	y := pathNumber.FindAllString(b, -1)
	for i, text := range pathNumber.FindAllString(a, -1) {
		p, err := strconv.ParseFloat(text, 64)
		q, err2 := strconv.ParseFloat(y[i], 64)
		if err != nil || err2 != nil || math.Abs(p-q) > 3 {
			return false
		}
	}
	return true
}

// TestCactusRanges: there is a picture of any numbers, and of none.
func TestCactusRanges(t *testing.T) {
	for _, x := range [][]*outcome.Case{
		{sized("a", 0, 0)}, {sized("a", 1, math.MaxInt)}, {sized("a", 7, 7), sized("b", 0, 7)}, {},
	} {
		if text := cactus(t, x...); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s", text)
		}
	}
}
