package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestTruths compares the truth of all subformulas at all positions, also in later rounds
// of the cycle, with the definitions.
func TestTruths(t *testing.T) {
	const seed = 12
	future := generator(t, seed, []string{"a", "b"}, 1, 12)
	past := pastGenerator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	unrolled := 0
	for i := range campaign.Inputs(t, 2000) {
		g := future
		if i%2 == 1 {
			g = past
		}
		f, _ := g.Next()
		w := randomWord(r)
		truths := must.Get(f.Truths(w.prefix, w.cycle, w.value))
		if truths.Prefix > w.prefix {
			unrolled++
		}
		if truths.Cycle != w.cycle || (truths.Prefix-w.prefix)%w.cycle != 0 || f.PastDepth() == 0 && truths.Prefix != w.prefix {
			t.Fatalf("seed %d: %s on %v: prefix %d, cycle %d", seed, f, w, truths.Prefix, truths.Cycle)
		}
		size := 0
		for j, h := range truths.Subformulas {
			if h.Size() < size {
				t.Fatalf("seed %d: %s: %s comes behind a larger one", seed, f, h)
			}
			size = h.Size()
			for pos := range truths.Prefix + 3*truths.Cycle {
				place := pos
				for place >= truths.Prefix+truths.Cycle {
					place -= truths.Cycle
				}
				if got := truths.Holds(j, place); got != naiveAt(h, w, pos) {
					t.Fatalf("seed %d: %s in %s at %d of %v: got %v", seed, h, f, pos, w, got)
				}
			}
		}
		if truths.Subformulas[len(truths.Subformulas)-1] != f || truths.Holds(len(truths.Subformulas)-1, 0) != w.holds(f) {
			t.Fatalf("seed %d: %s is not the last of its subformulas", seed, f)
		}
	}
	if unrolled < campaign.Inputs(t, 50) {
		t.Errorf("in only %d tables the past tells rounds from each other", unrolled)
	}
}

// naiveAt evaluates a formula at any position of the word, of which some more rounds are
// made a part of the prefix.
func naiveAt(f *ltl.Formula, w word, pos int) bool {
	inside := func(i int) int {
		for i >= w.prefix+w.cycle {
			i -= w.cycle
		}
		return i
	}
	prefix := w.prefix + (pos/w.cycle+1)*w.cycle
	return naive(f, prefix, w.cycle, pos, func(prop string, i int) bool { return w.value(prop, inside(i)) })
}

// TestProgress: along every word, what remains of a formula is as true as the formula.
func TestProgress(t *testing.T) {
	const seed = 13
	g := generator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	largest := 0
	for range campaign.Inputs(t, 3000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		w := randomWord(r)
		rest := f
		for pos := range w.prefix + 2*w.cycle {
			if got := naiveAt(rest, w, pos); got != w.holds(f) {
				t.Fatalf("seed %d: %s on %v: at %d it has become %s, which is %v", seed, f, w, pos, rest, got)
			}
			at := pos
			if at >= w.prefix+w.cycle {
				at -= w.cycle
			}
			var ok bool
			if rest, ok = s.Progress(rest, func(prop string) bool { return w.value(prop, at) }); !ok {
				t.Fatalf("%s has no past", f)
			}
			largest = max(largest, rest.Size())
		}
	}
	if largest > 100 {
		t.Errorf("what remains has %d nodes", largest)
	}
}

func ExampleStore_Progress() {
	s := ltl.NewStore()
	f, err := s.Parse("G(a -> X(b U c))", ltl.Spot)
	if err != nil {
		panic(err)
	}
	for _, letter := range []string{"a", "b", "c", ""} {
		if f, _ = s.Progress(f, func(prop string) bool { return prop == letter }); letter != "" {
			fmt.Printf("after %s: %s\n", letter, f)
		}
	}
	past, _ := s.Parse("G(a -> O b)", ltl.Spot)
	_, ok := s.Progress(past, func(string) bool { return true })
	fmt.Println("of the past:", ok)
	// Output:
	// after a: b U c & G(a -> X(b U c))
	// after b: b U c & G(a -> X(b U c))
	// after c: G(a -> X(b U c))
	// of the past: false
}
