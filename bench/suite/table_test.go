package suite

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var sample = []Result{
	{Problem: "p", Tool: "a", Status: Solved, Seconds: 0.5, States: 3},
	{Problem: "p", Tool: "b", Status: Solved, Seconds: 0.01, States: 5, Wrong: true},
	{Problem: "q", Tool: "a", Status: Solved, Seconds: 0.1, States: 70},
	{Problem: "q", Tool: "b", Status: Timeout, Seconds: 10},
	{Problem: "r", Tool: "a", Status: Memory, Seconds: 2},
	{Problem: "r", Tool: "b", Status: Failed, Seconds: 1},
	{Problem: "s", Tool: "a", Status: Solved, Seconds: 0.4, States: 4},
	{Problem: "s", Tool: "b", Status: Solved, Seconds: 0.02, States: 4},
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-9 }

func TestRows(t *testing.T) {
	// PAR-2 of a: (0.5 + 0.1 + 20 + 0.4) / 4; the states of q do not count, since only a has them.
	want := []Row{
		{Tool: "a", Problems: 4, Solved: 3, Memory: 1, Seconds: 3, States: 3, PAR2: 5.25, Times: []float64{0.1, 0.4, 0.5}},
		{Tool: "b", Problems: 4, Solved: 2, Timeouts: 1, Failed: 1, Wrong: 1, Seconds: 11.03, States: 4, PAR2: 10.0075, Times: []float64{0.01, 0.02}},
	}
	got := Rows(sample, 10*time.Second)
	if diff := cmp.Diff(want, got, cmp.Comparer(near)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, want := got[1].String(), "| b | 4 | 2 | 1 | 0 | 1 | 1 | 11.0 | 4 | 10.008 |"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

func TestPlot(t *testing.T) {
	const want = `
    10 s |
         |
         |
         |               aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
         |
         |
 0.143 s |
         |
         |                               bbbbbbbbbbbbbbbb
         |               bbbbbbbbbbbbbbbb
         |
         |
         |
 0.001 s |
         +----------------------------------------------------------------
          1                                                              4 problems
          a a
          b b`
	rows := Rows(sample, 10*time.Second)
	rows[0].Times = []float64{1, 1, 1}
	if diff := cmp.Diff(want, "\n"+Plot(rows, 10*time.Second)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
