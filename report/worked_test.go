package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedTexts runs the examples of texts in comments.
func TestWorkedTexts(t *testing.T) {
	const guard = "request & !grant & acknowledge & done"
	broken := wrapped(guard, " & ")
	for _, test := range []struct{ got, want string }{
		{share(1, 3), "33.3 %"}, {share(99_999, 100_000), "99.9 %"}, {share(0, 3), "0 %"}, {share(3, 3), "100 %"},
		{short(12.345), "12.3"}, {short(0.001234), "0.00123"}, {short(123.456), "123.5"}, {short(1234), "1234"},
		{change(4, 5), "+25.0 %"}, {change(0, 5), "+5"}, {percent(1.123), "+12.3 %"}, {percent(20), "× 20"},
		{shortList([]string{"a", "b", "c", "d", "e", "f"}), "a, b, c, d, 2 more"},
		{strings.Join(tallied{"crash": 2, "timeout": 1}.most(), ", "), "2× crash, timeout"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
	for value, want := range map[any]string{true: "1", 0.1: "0.1", seconds(1.0 / 3): "0.333333", nil: ""} {
		if got, _ := cell(value); got != want {
			t.Errorf("%v is %q", value, got)
		}
	}
	if strings.Count(broken, "\n") != 1 || strings.Join(strings.Fields(broken), " ") != guard {
		t.Errorf("%q", broken)
	}
	worked.Shows(t, "diagram.go", guard+" becomes "+broken)
}

// TestWorkedPlots runs the examples in comments on plots and curves.
func TestWorkedPlots(t *testing.T) {
	for number, want := range map[float64]int{1: 0, 2: 30, 10: 100, 1000: 300, 1003: 300} {
		if got := cellOf(number); got != want {
			t.Errorf("%g is in cell %d", number, got)
		}
	}
	if got := fmt.Sprintf("%.3f", numberOf(30)); got != "1.995" {
		t.Error(got)
	}
	for i := range 43 {
		if cellOf(float64(i)) == cellOf(float64(i+1)) {
			t.Errorf("%d and %d share a cell", i, i+1)
		}
	}
	if step := countStep(73); step != 10 {
		t.Errorf("step %d", step)
	}
	if a := axisOf(slices.Values([]float64{1, 100})); math.Abs(a.low+0.1) > 1e-9 || math.Abs(a.high-2.1) > 1e-9 {
		t.Errorf("axis %+v", a)
	}

	c := &cactusCurve{steps: map[int]int{}}
	for _, states := range []float64{5, 1, 1} {
		c.add(call{ok: true, values: []float64{states}}, 0)
	}
	if c.made != 3 || c.steps[cellOf(1)] != 2 || c.steps[cellOf(5)] != 1 {
		t.Errorf("%+v", c)
	}

	for tools, want := range map[int]int{6: 4000, 12: 2000} {
		if got := (&inputSample{tools: make([]string, tools)}).most(); got != want {
			t.Errorf("%d translators: %d inputs", tools, got)
		}
	}
	points := (&tried{inputs: 500}).points()
	if n := len(points); n != 125 || points[0].Inputs != 4 || points[n-1].Inputs != 500 {
		t.Errorf("%d points: %v", n, points)
	}
}

// TestWorkedGroups runs the example in the comment on groups of failures.
func TestWorkedGroups(t *testing.T) {
	var g groups
	for i, said := range []string{"assertion failed", "assertion failed", "out of memory"} {
		r := &outcome.Result{Subject: outcome.Subject{Translator: "mine"}, Status: outcome.Crash}
		r.Failure = outcome.Class{Status: outcome.Crash, Said: said}
		if first := g.failure(i, outcome.NewCase(i, "a", nil), r); first != (i != 1) {
			t.Errorf("call %d: first is %v", i, first)
		}
	}
}
