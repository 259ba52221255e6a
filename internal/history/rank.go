package history

import (
	"cmp"
	"math"
	"slices"
)

// exactRanks is up to how many numbers the distribution of the rank sum is computed, not
// approximated: some n³ additions, less than a millisecond.
const exactRanks = 64

// signedRanks returns Wilcoxon's two-sided p for the hypothesis that the numbers are symmetric about 0
// (Biometrics Bulletin 1, 1945), and how many are not zero. NaN must not be among the numbers.
//
// The numbers 1, -2, 3 and 4 have the ranks 1 to 4, and the negative one has rank 2. Of the 16 choices
// of signs, three have ranks of at most 2 on the negative side: none, 1, and 2. So p is 2·3/16.
//
// Up to exactRanks numbers, p is exact, also with ties. For more, the rank sum is taken for normal, with
// the variance that it has with these ties, and a correction for continuity.
func signedRanks(numbers []float64) (p float64, n int) {
	// Zeros are left out, as Wilcoxon did: formulas on which a translator does what it did before say nothing
	// of the direction of a change. With them (Pratt, JASA 54, 1959), the ranks of a few true changes among
	// a thousand zeros would all be about the same.
	sorted := slices.DeleteFunc(slices.Clone(numbers), func(x float64) bool { return x == 0 })
	n = len(sorted)
	if n == 0 {
		return 1, 0
	}
	slices.SortFunc(sorted, func(x, y float64) int { return cmp.Compare(math.Abs(x), math.Abs(y)) })
	// ranks are twice the ranks, so that those between two numbers are whole.
	ranks := make([]int, n)
	step := 0 // greatest common divisor of all
	var positive, squares float64
	for from := 0; from < n; {
		to := from + 1
		for to < n && math.Abs(sorted[to]) == math.Abs(sorted[from]) {
			to++
		}
		double := from + to + 1                     // the mean of from+1, …, to, doubled
		for a, b := step, double; ; a, b = b, a%b { // Euclid: of step and double
			if b == 0 {
				step = a
				break
			}
		}
		for i := from; i < to; i++ {
			ranks[i] = double
			if sorted[i] > 0 {
				positive += float64(double)
			}
		}
		squares += float64(to-from) * float64(double) * float64(double)
		from = to
	}
	total := float64(n) * float64(n+1)
	extreme := min(positive, total-positive)
	if n <= exactRanks {
		return exactTail(ranks, int(extreme)), n
	}
	// The sum is of independent numbers, each 0 or its rank: mean Σr/2, variance Σr²/4. It is
	// a multiple of step (without ties, a rank), and stands for half of one to each side.
	z := (total/2 - extreme - float64(step)/2) / math.Sqrt(squares/4)
	return min(1, math.Erfc(max(0, z)/math.Sqrt2)), n
}

// exactTail returns the probability, doubled, that the sum of a random subset of the ranks
// is at most so much: the shares of the subsets with each sum are found rank by rank.
func exactTail(ranks []int, most int) float64 {
	share := make([]float64, most+1)
	share[0] = 1
	for _, r := range ranks {
		for s := most; s >= 0; s-- {
			share[s] /= 2
			if s >= r {
				share[s] += share[s-r] / 2
			}
		}
	}
	p := 0.0
	for _, x := range share {
		p += x
	}
	return min(1, 2*p)
}

// leastP returns the least value that signedRanks can have for n numbers.
func leastP(n int) float64 { return min(1, math.Ldexp(2, -n)) }

// maxQuantiles bounds the numbers whose averages are all computed. It is even, so that the quantiles of numbers
// and of their negatives are the same.
const maxQuantiles = 300

// hodgesLehmann returns the median of the Walsh averages of the numbers, (x+y)/2 for all pairs of them,
// each also with itself: the shift for which the signed-rank test sees least of one (Hodges and Lehmann,
// Annals of Mathematical Statistics 34, 1963). Up to 29 % of the numbers may be anything. Without
// numbers it is NaN. For more than maxQuantiles numbers, it takes maxQuantiles of their quantiles.
//
// The numbers 1, 1, 1, 1 and 100 have 15 averages: 1 ten times, 50.5 four times, and 100. The median is 1.
func hodgesLehmann(numbers []float64) float64 {
	x := slices.Sorted(slices.Values(numbers))
	if len(x) == 0 {
		return math.NaN()
	}
	if n := len(x); n > maxQuantiles {
		for i := range maxQuantiles { // at or behind place i, so that none is overwritten before it is read
			x[i] = x[int(math.Round(float64(i)*float64(n-1)/(maxQuantiles-1)))]
		}
		x = x[:maxQuantiles]
	}
	sums := make([]float64, 0, len(x)*(len(x)+1)/2)
	for i := range x {
		for j := i; j < len(x); j++ {
			sums = append(sums, x[i]+x[j])
		}
	}
	slices.Sort(sums)
	return sums[(len(sums)-1)/2]/4 + sums[len(sums)/2]/4
}
