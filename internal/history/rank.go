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

// hodgesLehmann returns the median of the Walsh averages of the numbers, (x+y)/2 for all pairs of them,
// each also with itself: the shift for which the signed-rank test sees least of one (Hodges and Lehmann,
// Annals of Mathematical Statistics 34, 1963). Up to 29 % of the numbers may be anything. It is NaN if
// there is none. It takes some 20 ms for 100,000 numbers, which must be finite.
//
// The numbers 1, 1, 1, 1 and 100 have 15 averages: 1 ten times, 50.5 four times, and 100. The median is 1.
func hodgesLehmann(numbers []float64) float64 {
	n := len(numbers)
	if n == 0 {
		return math.NaN()
	}
	x := slices.Clone(numbers)
	slices.Sort(x)
	sums := n * (n + 1) / 2
	// The n(n+1)/2 averages are not made; see consecutiveSums.
	low, high := consecutiveSums(x, (sums+1)/2)
	if sums%2 == 1 {
		return low / 2
	}
	return low/4 + high/4
}

// consecutiveSums returns the k-th smallest x[i]+x[j] with i ≤ j, of a sorted list, and the one after it, +∞
// if there is none.
func consecutiveSums(x []float64, k int) (kth, next float64) {
	// Bisection leads to an interval with few sums, which are made and sorted. One walk along a staircase
	// counts the sums up to a number (Johnson and Mizoguchi, SIAM Journal on Computing 7, 1978). The k-th
	// is more than low and at most high; so many are at most low, and high.
	first, last := x[0]+x[0], x[len(x)-1]+x[len(x)-1]
	low, high := fromOrdered(ordered(first)-2), last // less than all sums
	atLow, atHigh := 0, len(x)*(len(x)+1)/2
	for step := 0; atHigh-atLow > 16+len(x)/4; step++ {
		from, to := ordered(low), ordered(high)
		if to-from < 2 { // no number is between them
			return high, after(x, high, k, atHigh)
		}
		middle := from + (to-from)/2
		if step%2 == 0 {
			middle = min(max(ordered(low/2+high/2), from+1), to-1) // halves the interval, and every other time the numbers in it: at most 128 walks
		}
		v := fromOrdered(middle)
		if count := countSums(x, v); count >= k {
			high, atHigh = v, count
		} else {
			low, atLow = v, count
		}
	}
	between := make([]float64, 0, atHigh-atLow)
	j := len(x) - 1
	for i := range x {
		for j >= i && x[i]+x[j] > high {
			j--
		}
		for h := j; h >= i && x[i]+x[h] > low; h-- {
			between = append(between, x[i]+x[h])
		}
	}
	slices.Sort(between)
	if at := k - atLow; at < len(between) {
		return between[at-1], between[at]
	}
	return between[len(between)-1], after(x, high, k, atHigh)
}

// after returns the sum after the k-th, which is v, if so many are at most v: v again, or else the least
// x[i]+x[j] with i ≤ j that is more, +∞ if there is none.
func after(x []float64, v float64, k, atMost int) float64 {
	if atMost > k {
		return v
	}
	least, j := math.Inf(1), len(x)-1
	for i := range x {
		for j >= i && x[i]+x[j] > v {
			j--
		}
		if next := max(i, j+1); next < len(x) {
			least = min(least, x[i]+x[next])
		}
	}
	return least
}

// countSums returns how many x[i]+x[j] with i ≤ j are at most v. Rounding keeps the order
// of sums, so that they fall along the staircase also as they are computed.
func countSums(x []float64, v float64) int {
	count, j := 0, len(x)-1
	for i := range x {
		for j >= i && x[i]+x[j] > v {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}

// ordered maps floating-point numbers to integers in the same order, -0 before 0.
func ordered(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func fromOrdered(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}
