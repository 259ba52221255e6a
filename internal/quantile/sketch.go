// Package quantile estimates quantiles of a stream of numbers in bounded memory.
//
// A [Sketch] is a DDSketch: C. Masson, J. Rim, H. Lee, DDSketch: A Fast and Fully-Mergeable
// Quantile Sketch with Relative-Error Guarantees, PVLDB 12(12), 2019. Bucket i counts the numbers x
// with g^(i-1) < x <= g^i, where g = (1+a)/(1-a) for the relative error a = 1 %. Any number of the
// bucket is then within 1 % of 2g^i/(g+1):
//
//	g = 1.0202…   x = 7    ceil(log 7 / log g) = 98    2g^98/(g+1) = 7.029…
//
// Two sketches are merged by adding their buckets, which loses nothing: whatever the parts and
// their order, the result is the sketch of all numbers.
package quantile

import (
	"math"
	"slices"
)

// Error is the relative error of quantiles.
const Error = 0.01

const (
	// Numbers below least count as least, and numbers above most as most. Times start at a
	// nanosecond.
	least, most = 1e-9, 1e15
	ratio       = (1 + Error) / (1 - Error)
)

// lowest and highest are the buckets of least and most: there are 2,764 of them.
var (
	lowest  = bucket(least)
	highest = bucket(most)
)

func bucket(x float64) int { return int(math.Ceil(math.Log(x) / math.Log(ratio))) }

// A Sketch counts numbers by their magnitude. The zero value is empty. It takes 8 bytes for each
// bucket between the least and the largest number, 22 kB at most.
type Sketch struct {
	zeros  uint64   // numbers that are not positive
	first  int      // bucket of counts[0]
	counts []uint64 // of buckets; neither the first nor the last is 0
}

// Add adds a number. NaN counts as 0.
func (s *Sketch) Add(x float64) {
	if !(x > 0) {
		s.zeros++
		return
	}
	s.add(bucket(min(max(x, least), most)), 1)
}

// add adds n numbers of a bucket.
func (s *Sketch) add(i int, n uint64) {
	switch {
	case len(s.counts) == 0:
		s.first = i
		s.counts = append(s.counts, 0)
	case i < s.first: // new numbers are smaller than all so far
		s.counts = slices.Insert(s.counts, 0, make([]uint64, s.first-i)...)
		s.first = i
	}
	if more := i - s.first - len(s.counts) + 1; more > 0 {
		s.counts = append(s.counts, make([]uint64, more)...)
	}
	s.counts[i-s.first] += n
}

// Merge adds the numbers of another sketch.
func (s *Sketch) Merge(other *Sketch) {
	s.zeros += other.zeros
	if n := len(other.counts); n > 0 {
		s.add(other.first+n-1, 0) // makes room once
		for k, n := range other.counts {
			s.add(other.first+k, n)
		}
	}
}

// Count returns how many numbers were added.
func (s *Sketch) Count() uint64 {
	n := s.zeros
	for _, k := range s.counts {
		n += k
	}
	return n
}

// Quantile estimates the number with the index floor(q(n-1)) among n sorted numbers, from 0 on:
//
//	1 2 3 4 100    q = 0.5: index 2, 2.974…    q = 0.9: index floor(3.6) = 3, 4.014…
//
// The estimate is within Error of a number between 1e-9 and 1e15, and 0 for one that is not
// positive. It is NaN if there are no numbers.
func (s *Sketch) Quantile(q float64) float64 {
	n := s.Count()
	if n == 0 {
		return math.NaN()
	}
	index := uint64(min(max(q, 0), 1) * float64(n-1))
	if index < s.zeros {
		return 0
	}
	index -= s.zeros
	// The bucket of the number; its middle is within Error of both ends.
	i := 0
	for ; i < len(s.counts)-1 && index >= s.counts[i]; i++ {
		index -= s.counts[i]
	}
	return 2 * math.Pow(ratio, float64(s.first+i)) / (ratio + 1)
}
