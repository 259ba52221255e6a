package intern

import (
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

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
