package recent

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

func key(n int) (k Key) {
	binary.LittleEndian.PutUint64(k[:], uint64(n))
	return k
}

// TestSet compares a Set with one that knows when each key came last, and how many different keys
// have come since.
func TestSet(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var s Set
	last := make([]int, 4*Size) // when a key came, or 0
	total := 0                  // keys that were new to the generation when they came, so that they count
	for range 5 * Size {
		n := rng.IntN(1 << 12)
		if rng.IntN(4) > 0 {
			n = rng.IntN(4 * Size)
		}
		isNew := s.Add(key(n))
		when := last[n]
		before := when > 0
		switch {
		case !before && !isNew:
			t.Fatalf("%d never came, and is not new", n)
		case before && total-when < Size && isNew:
			t.Fatalf("%d came %d keys ago, and is new", n, total-when)
		case before && total-when >= 4*Size && !isNew:
			t.Fatalf("%d came %d keys ago, and is not new", n, total-when)
		}
		total++
		last[n] = total
	}
}

// TestMemory adds 6 Size keys, or in a campaign 30: memory does not grow after the first 3 Size.
func TestMemory(t *testing.T) {
	var s Set
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var first int64
	for n := range Size * campaign.Inputs(t, 30) {
		if !s.Add(key(n)) {
			t.Fatalf("%d is not new", n)
		}
		if n == 3*Size {
			first = heap()
		}
	}
	if now := heap(); now > 40<<20 || now-first > 1<<20 {
		t.Errorf("%d bytes, and %d after 3 Size keys", now, first)
	}
	s.Add(key(0))
}

// TestWorkedExample runs the example in the comment of Set. Each key stands for Size/2 keys.
func TestWorkedExample(t *testing.T) {
	var s Set
	const many = Size / 2
	for step, want := range []struct {
		key        int
		fresh      bool
		young, old int
	}{{'a', true, 1, 0}, {'b', true, 0, 2}, {'a', false, 1, 2}, {'c', true, 0, 2}, {'b', true, 1, 2}} {
		for i := range many {
			if s.Add(key(want.key*many+i)) != want.fresh {
				t.Fatalf("step %d: new is not %v", step, want.fresh)
			}
		}
		if len(s.young) != want.young*many || len(s.old) != want.old*many {
			t.Errorf("step %d: %d and %d keys", step, len(s.young)/many, len(s.old)/many)
		}
	}
	if KeyOf("a") == KeyOf("b") || KeyOf("a") != KeyOf("a") {
		t.Error("keys")
	}
}
