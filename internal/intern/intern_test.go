package intern_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

func Example() {
	var sets intern.Lists[int32]
	fmt.Println(sets.Number([]int32{2, 5}))
	fmt.Println(sets.Number([]int32{7}))
	fmt.Println(sets.Number([]int32{2, 5}))
	fmt.Println(sets.At(1))
	// Output:
	// 0 true
	// 1 true
	// 0 false
	// [7]
}

// TestLists compares the numbers of random lists, many of them equal, with the numbers from a map.
func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var lists intern.Lists[uint64]
	known := map[string]int32{}
	for range campaign.Inputs(t, 100000) {
		list := make([]uint64, r.IntN(4))
		for i := range list {
			list[i] = r.Uint64N(40) << (20 * r.IntN(3))
		}
		want, old := known[fmt.Sprint(list)]
		if !old {
			want = int32(len(known))
			known[fmt.Sprint(list)] = want
		}
		i, fresh := lists.Number(list)
		if i != want || fresh == old || !slices.Equal(lists.At(i), list) || lists.Len() != len(known) {
			t.Fatalf("%v has number %d, new: %v; expected %d", list, i, fresh, want)
		}
	}
	if lists.Memory() < int64(8*lists.Len()) {
		t.Errorf("%d lists take %d bytes", lists.Len(), lists.Memory())
	}
}

// TestWords does the same for integers, with as many as make the table grow past its small sizes.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var words intern.Words
	known := map[uint64]int32{}
	for range campaign.Inputs(t, 300000) {
		w := r.Uint64N(100000) << 20
		want, old := known[w]
		if !old {
			want = int32(len(known))
			known[w] = want
		}
		i, fresh := words.Number(w)
		if i != want || fresh == old || words.At(i) != w || words.Len() != len(known) {
			t.Fatalf("%d has number %d, new: %v; expected %d", w, i, fresh, want)
		}
	}
	if words.Memory() < int64(12*words.Len()) {
		t.Errorf("%d words take %d bytes", words.Len(), words.Memory())
	}
}
