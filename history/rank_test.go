package history

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// enumeratedSignedRanks tries all signs of the numbers: the probability of a rank sum that is at least as
// far from its mean, with mid-ranks found by counting.
func enumeratedSignedRanks(numbers []float64) float64 {
	var x []float64
	for _, v := range numbers {
		if v != 0 {
			x = append(x, v)
		}
	}
	ranks := make([]float64, len(x))
	observed, total := 0.0, 0.0
	for i, v := range x {
		less, equal := 0, 0
		for _, w := range x {
			if math.Abs(w) < math.Abs(v) {
				less++
			} else if math.Abs(w) == math.Abs(v) {
				equal++
			}
		}
		ranks[i] = float64(less) + float64(equal+1)/2
		total += ranks[i]
		if v > 0 {
			observed += ranks[i]
		}
	}
	as := 0
	for signs := range 1 << len(x) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= math.Abs(observed-total/2) {
			as++
		}
	}
	return float64(as) / float64(int(1)<<len(x))
}

// The exact test is compared with all signs of up to 11 numbers, with many ties and zeros.
func TestSignedRanksEnumerated(t *testing.T) {
	tests, seed := campaign.Seeded(t, 300, 1)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range tests {
		numbers := make([]float64, rng.IntN(12))
		values := 1 + rng.IntN(12) // few: many ties
		for j := range numbers {
			numbers[j] = float64(rng.IntN(2*values+1) - values)
		}
		p, _ := signedRanks(numbers)
		if want := enumeratedSignedRanks(numbers); math.Abs(p-want) > 1e-12 {
			t.Fatalf("seed %d, input %d: %v: p = %v, by enumeration %v", seed, i, numbers, p, want)
		}
	}
}

// Two values of the textbook table of critical values (Wilcoxon and Wilcox 1964): for n = 10
// the sum 8 is the last with p ≤ 0.05 of two sides, for n = 8 the sum 0 the last with 0.01.
func TestSignedRanksTable(t *testing.T) {
	numbers := func(n, sum int) (x []float64) { // positive ranks of this sum
		for r := n; r >= 1; r-- {
			if r <= sum {
				x, sum = append(x, float64(r)), sum-r
			} else {
				x = append(x, -float64(r))
			}
		}
		return x
	}
	for _, test := range []struct {
		n, sum int
		level  float64
	}{{10, 8, 0.05}, {8, 0, 0.01}, {20, 52, 0.05}, {20, 37, 0.01}, {25, 68, 0.01}} {
		at, _ := signedRanks(numbers(test.n, test.sum))
		above, _ := signedRanks(numbers(test.n, test.sum+1))
		if at > test.level || above <= test.level {
			t.Errorf("n = %d: p = %.4f for the sum %d, %.4f for %d; the table has %d as the last below %v", test.n, at, test.sum, above, test.sum+1, test.sum, test.level)
		}
	}
}

// Where the approximation begins, it is close to the exact distribution, also with ties.
func TestSignedRanksNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		numbers := make([]float64, exactRanks+1)
		shift, values := rng.Float64(), 1+rng.IntN(100)
		for j := range numbers {
			numbers[j] = float64(1 + rng.IntN(values))
			if rng.Float64() < 0.5+0.4*shift {
				numbers[j] = -numbers[j]
			}
		}
		approximated, n := signedRanks(numbers)
		ranks, extreme := make([]int, 0, n), 0
		for i, v := range numbers {
			less, equal := 0, 0
			for _, w := range numbers {
				if math.Abs(w) < math.Abs(v) {
					less++
				} else if math.Abs(w) == math.Abs(v) {
					equal++
				}
			}
			ranks = append(ranks, 2*less+equal+1)
			if v > 0 {
				extreme += ranks[i]
			}
		}
		exact := exactTail(ranks, min(extreme, n*(n+1)-extreme))
		// Far out, the approximation is conservative; p is then compared in magnitude only.
		if exact > 1e-4 && math.Abs(approximated-exact) > 0.004+0.1*exact || exact <= 1e-4 && approximated > 1e-3 {
			t.Fatalf("%v: p = %v, exactly %v", numbers, approximated, exact)
		}
	}
}

func TestSignedRanksNothing(t *testing.T) {
	for _, numbers := range [][]float64{nil, {0}, {0, math.Copysign(0, -1), 0}} {
		if p, n := signedRanks(numbers); p != 1 || n != 0 {
			t.Errorf("signedRanks(%v) = %v, %d; want 1, 0", numbers, p, n)
		}
	}
	if p, n := signedRanks([]float64{1, 2, 0, 3, 4}); p != leastP(4) || n != 4 {
		t.Errorf("p = %v of %d numbers; the least of 4 is %v", p, n, leastP(4))
	}
}

// walshMedian makes all averages.
func walshMedian(numbers []float64) float64 {
	var all []float64
	for i, x := range numbers {
		for _, y := range numbers[i:] {
			all = append(all, x+y)
		}
	}
	slices.Sort(all)
	k := len(all)
	return all[(k-1)/2]/4 + all[k/2]/4
}

func TestHodgesLehmann(t *testing.T) {
	tests, seed := campaign.Seeded(t, 500, 3)
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range tests {
		numbers := make([]float64, 1+rng.IntN(60))
		for j := range numbers {
			switch i % 4 {
			case 0:
				numbers[j] = rng.NormFloat64()
			case 1: // ties
				numbers[j] = float64(rng.IntN(7) - 3)
			case 2: // magnitudes far apart
				numbers[j] = math.Ldexp(rng.NormFloat64(), rng.IntN(400)-200)
			case 3: // heavy tails, on one side
				numbers[j] = 1 / rng.Float64()
			}
		}
		before := slices.Clone(numbers)
		if got, want := hodgesLehmann(numbers), walshMedian(numbers); got != want {
			t.Fatalf("seed %d, input %d: %v: %v, but the median of all averages is %v", seed, i, numbers, got, want)
		}
		if !slices.Equal(before, numbers) {
			t.Fatalf("seed %d, input %d: the numbers were changed", seed, i)
		}
	}
	if x := hodgesLehmann(nil); !math.IsNaN(x) {
		t.Errorf("of no number: %v", x)
	}
}

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
