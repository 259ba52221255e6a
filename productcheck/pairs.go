package productcheck

import "github.com/xcheck-ltl/xcheck/omega"

// pairTable numbers pairs of states in the order in which they are first met:
// a hash table with open addressing and linear probing, at most half full.
type pairTable struct {
	pairs []uint64 // left state, right state; by number
	slots []int32  // number plus one, or 0
}

func pack(l, r omega.State) uint64 { return uint64(uint32(l))<<32 | uint64(uint32(r)) }

func unpack(p uint64) (l, r omega.State) { return omega.State(p >> 32), omega.State(uint32(p)) }

func hash(p uint64) uint64 {
	p *= 0x9e3779b97f4a7c15
	return p ^ p>>29
}

// number returns the number of a pair, a new one if it is new.
func (t *pairTable) number(p uint64) omega.State {
	if 2*len(t.pairs) >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for h := hash(p) & mask; ; h = (h + 1) & mask {
		i := t.slots[h]
		if i == 0 {
			t.pairs = append(t.pairs, p)
			t.slots[h] = int32(len(t.pairs))
			return omega.State(len(t.pairs) - 1)
		}
		if t.pairs[i-1] == p {
			return omega.State(i - 1)
		}
	}
}

func (t *pairTable) grow() {
	t.slots = make([]int32, max(256, 4*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for i, p := range t.pairs {
		h := hash(p) & mask
		for t.slots[h] != 0 {
			h = (h + 1) & mask
		}
		t.slots[h] = int32(i + 1)
	}
}
