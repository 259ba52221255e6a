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

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
)

// cactus returns the plot of the states of two translators, x and y.
func cactus(t *testing.T, cases ...*outcome.Case) string {
	t.Helper()
	c := report.NewComparison([]report.Measure{report.Measures[0]})
	c.Plot = true
	for _, x := range cases {
		if err := c.Case(x); err != nil {
			t.Fatal(err)
		}
	}
	c.Pairs()
	var b bytes.Buffer
	if err := c.Cactuses()[0].Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
		t.Fatal(err)
	}
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
	if strings.Contains(text, "href") || strings.Count(text, "100 of 100 inputs") != 2 {
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
