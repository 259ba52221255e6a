package intern

import (
	"slices"
	"testing"
)

// TestWorkedExamples runs the examples in the comments of Index and Lists.
func TestWorkedExamples(t *testing.T) {
	var x Index
	hashes := []uint64{5, 7, 69}
	hash := func(i int32) uint64 { return hashes[i] }
	for i, h := range hashes {
		number, at := x.First(h)
		for ; number >= 0; number, at = x.Next(at) {
		}
		x.Add(at, int32(i), hash)
	}
	if x.slots[5] != 1 || x.slots[7] != 2 || x.slots[6] != 3 {
		t.Errorf("slots %d", x.slots[5:8])
	}
	for i := len(hashes); i < 32; i++ {
		if len(x.slots) != 64 {
			t.Errorf("%d slots for %d keys", len(x.slots), i)
		}
		hashes = append(hashes, uint64(100+i))
		number, at := x.First(hashes[i])
		for ; number >= 0; number, at = x.Next(at) {
		}
		x.Add(at, int32(i), hash)
	}
	if len(x.slots) != 256 {
		t.Errorf("%d slots for 32 keys", len(x.slots))
	}

	var lists Lists[int32]
	for _, list := range [][]int32{{2, 5}, {}, {7}} {
		lists.Number(list)
	}
	if !slices.Equal(lists.words, []int32{2, 5, 7}) || !slices.Equal(lists.ends, []int{2, 2, 3}) {
		t.Errorf("words %d, ends %d", lists.words, lists.ends)
	}
}
