// Package intern numbers keys from 0 in the order in which they are first met, so that equal keys
// have equal numbers: states that are sets, pairs or rankings become small integers.
//
// There are three tables. [Lists] numbers lists of integers, [Words] numbers single integers, and
// an [Index] is the hash table below both, for an owner that stores its keys itself. All need no
// initialization, use no memory but their slices, and take amortized constant time for a key and
// time linear in its length.
//
//	var sets intern.Lists[int32]
//	sets.Number([]int32{2, 5})   // 0, true: it is new
//	sets.Number([]int32{7})      // 1, true
//	sets.Number([]int32{2, 5})   // 0, false
//	sets.At(1)                   // [7]
package intern

import (
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

// An Index finds the numbers of keys that its owner stores: a hash table with open addressing and
// linear probing, at most half full. It starts with 64 slots, and grows to 256 when the 32nd key is
// added. Keys with the hashes 5, 7 and 69 are in the slots 5, 7 and 6, as 69 mod 64 is 5 too. A
// look-up goes through the numbers of all keys that may be equal to a key:
//
//	i, at := x.First(h)
//	for i >= 0 && keys[i] != key {
//		i, at = x.Next(at)
//	}
//	if i < 0 { // it is new
//		i = int32(len(keys))
//		keys = append(keys, key)
//		x.Add(at, i, rehash)
//	}
type Index struct {
	slots []int32 // number plus one, or 0
}

const (
	least = 64      // slots, a power of two
	large = 1 << 16 // slots from which on memory matters more than the time to grow
)

// Clone returns a copy.
func (x *Index) Clone() Index { return Index{slices.Clone(x.slots)} }

// First returns the first number that a key with the given hash may have, and its place. The
// number is negative if no key may have the hash.
func (x *Index) First(hash uint64) (number int32, at uint64) {
	if len(x.slots) == 0 {
		x.slots = make([]int32, least)
	}
	at = hash & uint64(len(x.slots)-1)
	return x.slots[at] - 1, at
}

// Next returns the number in the place that follows, and that place.
func (x *Index) Next(at uint64) (int32, uint64) {
	at = (at + 1) & uint64(len(x.slots)-1)
	return x.slots[at] - 1, at
}

// Add enters the next number, at the place where the search for its key ended. When the table
// grows, it asks for the hashes of all numbers so far.
func (x *Index) Add(at uint64, number int32, hash func(number int32) uint64) {
	x.slots[at] = number + 1
	if 2*int(number+1) < len(x.slots) {
		return
	}
	times := 4
	if len(x.slots) >= large {
		times = 2
	}
	x.slots = make([]int32, times*len(x.slots))
	mask := uint64(len(x.slots) - 1)
	for i := range number + 1 {
		at := hash(i) & mask
		for x.slots[at] != 0 {
			at = (at + 1) & mask
		}
		x.slots[at] = i + 1
	}
}

// Memory returns the number of bytes that the index takes.
func (x *Index) Memory() int64 { return int64(4 * cap(x.slots)) }

// Lists numbers lists of integers. They stand one after the other in one slice: for [2 5], [] and
// [7], words is [2 5 7] and ends is [2 2 3].
type Lists[T ~int32 | ~uint64 | ~uint8] struct {
	words []T
	ends  []int
	index Index
}

// Len returns the number of lists.
func (t *Lists[T]) Len() int { return len(t.ends) }

// At returns list i. It is valid until the next call of Number.
func (t *Lists[T]) At(i int32) []T {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.words[start:t.ends[i]]
}

// Number returns the number of a list, and whether it is new. It copies new lists.
func (t *Lists[T]) Number(list []T) (i int32, fresh bool) {
	i, at := t.index.First(Hash(list))
	for ; i >= 0; i, at = t.index.Next(at) {
		if slices.Equal(t.At(i), list) {
			return i, false
		}
	}
	i = int32(len(t.ends))
	t.words = append(grow.By(t.words, len(list)), list...)
	t.ends = append(grow.By(t.ends, 1), len(t.words))
	t.index.Add(at, i, func(i int32) uint64 { return Hash(t.At(i)) })
	return i, true
}

// Memory returns the number of bytes that the table takes.
func (t *Lists[T]) Memory() int64 {
	var x T
	return int64(cap(t.words))*int64(unsafe.Sizeof(x)) + int64(8*cap(t.ends)) + t.index.Memory()
}

// Hash returns a hash of a list of integers.
func Hash[T ~int32 | ~uint64 | ~uint8](list []T) uint64 {
	h := uint64(len(list))
	for _, x := range list {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// Words numbers integers, such as pairs of states in one word.
type Words struct {
	words []uint64
	index Index
}

// Len returns the number of integers met.
func (t *Words) Len() int { return len(t.words) }

// At returns the integer with number i.
func (t *Words) At(i int32) uint64 { return t.words[i] }

// Number returns the number of an integer, and whether it is new.
func (t *Words) Number(w uint64) (i int32, fresh bool) {
	i, at := t.index.First(HashWord(w))
	for ; i >= 0; i, at = t.index.Next(at) {
		if t.words[i] == w {
			return i, false
		}
	}
	i = int32(len(t.words))
	t.words = append(grow.By(t.words, 1), w)
	t.index.Add(at, i, func(i int32) uint64 { return HashWord(t.words[i]) })
	return i, true
}

// Memory returns the number of bytes that the table takes.
func (t *Words) Memory() int64 { return int64(8*cap(t.words)) + t.index.Memory() }

// HashWord returns a hash of an integer.
func HashWord(w uint64) uint64 {
	w *= 0x9e3779b97f4a7c15
	return w ^ w>>29
}
