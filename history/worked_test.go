package history

import (
	"math"
	"slices"
	"testing"
)

// TestWorkedExamples runs the examples in the comments of the statistics and of joined.
func TestWorkedExamples(t *testing.T) {
	if p, n := signedRanks([]float64{1, -2, 3, 4}); p != 2.0*3/16 || n != 4 {
		t.Errorf("signedRanks: %v of %d", p, n)
	}
	if m := hodgesLehmann([]float64{1, 1, 1, 1, 100}); m != 1 {
		t.Errorf("hodgesLehmann: %v", m)
	}
	var all []finding
	for _, p := range []float64{0.004, 0.02, 0.001} {
		f := finding{testing: true}
		f.change.P = p
		all = append(all, f)
	}
	holm(all)
	for i, want := range []float64{0.008, 0.02, 0.003} {
		if math.Abs(all[i].change.P-want) > 1e-12 {
			t.Errorf("holm: %v, want %v", all[i].change.P, want)
		}
	}
	if n := sampleOf(8); n != 5064 {
		t.Errorf("sampleOf(8): %d", n)
	}
	if few := joined([]span{{2, 1, 0, 4}, {2, 1, 6, 6}}); !slices.Equal(few, []span{{2, 1, 0, 6}}) {
		t.Errorf("joined: %v", few)
	}
}
