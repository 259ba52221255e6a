package history

import (
	"cmp"
	"container/heap"
	"hash/fnv"
	"io"
)

// A sampled is a case of the sample.
type sampled struct {
	hash   int64
	number int
}

// A least has the cases with the least hashes, so that runs of the same formulas have the same
// sample.
type least struct {
	list []sampled // a heap, with the greatest first
	most int
}

// sampleHash returns the hash of a formula: positive, and about as often in each interval.
func sampleHash(text string) int64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	x := h.Sum64()
	// The finalizer of SplitMix64: the upper bits of FNV hardly depend on the end of a short text.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return max(1, int64(x>>1))
}

func (s *least) order()        { heap.Init((*leastHeap)(s)) }
func (s *least) add(x sampled) { heap.Push((*leastHeap)(s), x) }

// remove removes the case with the greatest hash, and returns its number.
func (s *least) remove() int { return heap.Pop((*leastHeap)(s)).(sampled).number }

// A leastHeap is a least as container/heap wants it.
type leastHeap least

func (s *leastHeap) Len() int      { return len(s.list) }
func (s *leastHeap) Swap(i, k int) { s.list[i], s.list[k] = s.list[k], s.list[i] }
func (s *leastHeap) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(s.list[i].hash, s.list[k].hash), cmp.Compare(s.list[i].number, s.list[k].number)) > 0
}
func (s *leastHeap) Push(x any) { s.list = append(s.list, x.(sampled)) }
func (s *leastHeap) Pop() any {
	last := len(s.list) - 1
	x := s.list[last]
	s.list = s.list[:last]
	return x
}
