package productcheck

import (
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// pairTable numbers pairs of states in the order in which they are first met. It
// is a hash table with open addressing and linear probing, at most half full,
// until that would take as much as an array of all pairs: then it is that array.
// (With an intern.Index, looking up a pair takes 8 to 14 % longer.)
type pairTable struct {
	pairs []uint64 // left state, right state; by number
	slots []int32  // number plus one, or 0; by hash, or by pair
	// The numbers of states of the sides, 0 if they aren't known.
	left, right int
	array       bool
}

func pack(l, r omega.State) uint64 { return uint64(uint32(l))<<32 | uint64(uint32(r)) }

func unpack(p uint64) (l, r omega.State) { return omega.State(p >> 32), omega.State(uint32(p)) }

func hash(p uint64) uint64 {
	p *= 0x9e3779b97f4a7c15
	return p ^ p>>29
}

// number returns the number of a pair, a new one if it is new.
func (t *pairTable) number(p uint64) omega.State {
	if !t.array {
		return t.lookup(p)
	}
	l, r := unpack(p)
	slot := &t.slots[int(l)*t.right+int(r)]
	if *slot == 0 {
		t.pairs = append(grow.By(t.pairs, 1), p)
		*slot = int32(len(t.pairs))
	}
	return omega.State(*slot - 1)
}

// lookup is number in the hash table.
func (t *pairTable) lookup(p uint64) omega.State {
	if 2*len(t.pairs) >= len(t.slots) {
		t.grow()
		if t.array {
			return t.number(p)
		}
	}
	mask := uint64(len(t.slots) - 1)
	for h := hash(p) & mask; ; h = (h + 1) & mask {
		i := t.slots[h]
		if i == 0 {
			t.pairs = append(grow.By(t.pairs, 1), p)
			t.slots[h] = int32(len(t.pairs))
			return omega.State(len(t.pairs) - 1)
		}
		if t.pairs[i-1] == p {
			return omega.State(i - 1)
		}
	}
}

func (t *pairTable) grow() {
	size := max(256, 4*len(t.slots))
	if t.left > 0 && t.right > 0 && t.left <= size/t.right {
		t.array = true
		t.slots = make([]int32, t.left*t.right)
		for i, p := range t.pairs {
			l, r := unpack(p)
			t.slots[int(l)*t.right+int(r)] = int32(i + 1)
		}
		return
	}
	t.slots = make([]int32, size)
	mask := uint64(size - 1)
	for i, p := range t.pairs {
		h := hash(p) & mask
		for t.slots[h] != 0 {
			h = (h + 1) & mask
		}
		t.slots[h] = int32(i + 1)
	}
}
