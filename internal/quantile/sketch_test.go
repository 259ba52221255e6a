package quantile

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
)

// draw returns numbers of some distribution, among them zeros, small integers and long tails.
func draw(rng *rand.Rand) []float64 {
	kind := rng.IntN(5)
	list := make([]float64, 1+rng.IntN(2000))
	for i := range list {
		switch kind {
		case 0:
			list[i] = float64(rng.IntN(30))
		case 1:
			list[i] = math.Exp(3*rng.NormFloat64() - 6)
		case 2:
			list[i] = rng.Float64()
		case 3:
			list[i] = math.Pow(10, 20*rng.Float64()-6)
		default:
			list[i] = 1e-3 * (1 + 0.01*rng.Float64())
		}
	}
	return list
}

func sketchOf(list []float64) *Sketch {
	s := new(Sketch)
	for _, x := range list {
		s.Add(x)
	}
	return s
}

// TestQuantile compares quantiles of a sketch with quantiles of the sorted numbers.
func TestQuantile(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 300 {
		list := draw(rng)
		s := sketchOf(list)
		slices.Sort(list)
		if s.Count() != uint64(len(list)) {
			t.Fatalf("%d numbers, and %d were added", s.Count(), len(list))
		}
		for _, q := range []float64{0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 1, rng.Float64()} {
			want := min(list[int(q*float64(len(list)-1))], most)
			if want > 0 {
				want = max(want, least)
			}
			if got := s.Quantile(q); math.Abs(got-want) > (Error+1e-12)*want {
				t.Fatalf("quantile %v of %d numbers: %v instead of %v", q, len(list), got, want)
			}
		}
		if len(s.counts) > highest-lowest+1 {
			t.Fatalf("%d buckets", len(s.counts))
		}
	}
}

// TestMerge cuts numbers into parts, and merges the sketches of these in any order.
func TestMerge(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		var all []float64
		var parts []*Sketch
		for range 1 + rng.IntN(5) {
			list := draw(rng)
			all = append(all, list...)
			parts = append(parts, sketchOf(list))
		}
		rng.Shuffle(len(parts), func(i, k int) { parts[i], parts[k] = parts[k], parts[i] })
		merged := new(Sketch)
		for _, part := range parts {
			merged.Merge(part)
		}
		merged.Merge(new(Sketch))
		got, _ := merged.MarshalBinary()
		want, _ := sketchOf(all).MarshalBinary()
		if !bytes.Equal(got, want) {
			t.Fatalf("merged parts are %x, and all are %x", got, want)
		}
		text, err := json.Marshal(merged)
		var read Sketch
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		again, _ := read.MarshalBinary()
		if err != nil || !bytes.Equal(again, want) || read.Quantile(0.3) != merged.Quantile(0.3) {
			t.Fatalf("read %x (%v) instead of %x", again, err, want)
		}
	}
}

// TestOdd adds what is no time and no size.
func TestOdd(t *testing.T) {
	var s Sketch
	if !math.IsNaN(s.Quantile(0.5)) {
		t.Error("a quantile of nothing")
	}
	for _, x := range []float64{math.NaN(), -1, 0, math.Inf(-1), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		s.Add(x)
	}
	if s.Count() != 7 || s.Quantile(0.3) != 0 || s.Quantile(-1) != 0 || math.Abs(s.Quantile(2)-most) > Error*most {
		t.Errorf("%d numbers, %v to %v", s.Count(), s.Quantile(0), s.Quantile(1))
	}
}

// FuzzUnmarshal reads any bytes: what is accepted is written in the same way again.
func FuzzUnmarshal(f *testing.F) {
	for _, list := range [][]float64{nil, {0}, {1}, {1, 2, 3, 1e-9, 1e15, 0}, {0.5, 0.5, 0.5}} {
		text, _ := sketchOf(list).MarshalBinary()
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s Sketch
		if s.UnmarshalBinary(text) != nil {
			return
		}
		again, err := s.MarshalBinary()
		if err != nil || !bytes.Equal(again, text) {
			t.Fatalf("%x is written as %x (%v)", text, again, err)
		}
		s.Merge(&s)
		s.Quantile(0.5)
	})
}

// TestWorkedExamples runs the examples in the comments of Quantile and MarshalBinary.
func TestWorkedExamples(t *testing.T) {
	s := sketchOf([]float64{1, 2, 3, 4, 100})
	for q, want := range map[float64]string{0.5: "2.974", 0.9: "4.014"} {
		if got := fmt.Sprintf("%.6f", s.Quantile(q)); !strings.HasPrefix(got, want) {
			t.Errorf("quantile %g is %s", q, got)
		}
		worked.Shows(t, "sketch.go", want+"…")
	}
	form, err := sketchOf([]float64{-1, 7, 7, 7.1}).MarshalBinary()
	if err != nil || hex.EncodeToString(form) != "0101ef08020101" || lowest != -1036 || bucket(7) != 98 || bucket(7.1) != 99 {
		t.Errorf("%x, %v; buckets %d, %d, %d", form, err, lowest, bucket(7), bucket(7.1))
	}
	worked.Shows(t, "encode.go", "01 01 ef08 02 01 01", "which is -1036")
}
