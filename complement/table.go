package complement

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

// A table numbers lists of integers in the order in which they are first met.
// The lists stand one after the other in one slice; the hash table has open
// addressing with linear probing and is at most half full.
type table struct {
	words []int32
	first []int // list i is words[first[i]:first[i+1]]
	slots []int32
}

// size returns the number of lists.
func (t *table) size() int { return max(0, len(t.first)-1) }

// at returns list i, which is valid until the next call of number.
func (t *table) at(i int32) []int32 { return t.words[t.first[i]:t.first[i+1]] }

// number returns the number of the list, and whether it is new.
func (t *table) number(list []int32) (i int32, fresh bool) {
	if 2*t.size() >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for h := hash(list) & mask; ; h = (h + 1) & mask {
		i := t.slots[h]
		if i == 0 {
			if len(t.first) == 0 {
				t.first = append(t.first, 0)
			}
			t.words = append(grow.By(t.words, len(list)), list...)
			t.first = append(grow.By(t.first, 1), len(t.words))
			t.slots[h] = int32(t.size())
			return int32(t.size() - 1), true
		}
		if slices.Equal(t.at(i-1), list) {
			return i - 1, false
		}
	}
}

func (t *table) grow() {
	t.slots = make([]int32, max(64, 4*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for i := range t.size() {
		h := hash(t.at(int32(i))) & mask
		for t.slots[h] != 0 {
			h = (h + 1) & mask
		}
		t.slots[h] = int32(i + 1)
	}
}

// bytes returns the memory that the table takes.
func (t *table) bytes() int64 {
	return int64(4*cap(t.words) + 8*cap(t.first) + 4*cap(t.slots))
}

func hash(list []int32) uint64 {
	h := uint64(len(list))
	for _, x := range list {
		h = (h ^ uint64(uint32(x))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}
