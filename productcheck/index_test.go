package productcheck

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
)

// TestPlanOfLetters: if labels are letters of ten propositions, each has a bucket of its own.
func TestPlanOfLetters(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	const letters = 1 << 10
	fixed := &sample{}
	for range sampled {
		fixed.fixed = append(fixed.fixed, letters-1)
	}
	p := newPlan(fixed, fixed)
	type bucket struct {
		word int
		set  uint64
	}
	seen := make(map[bucket]bool)
	for l := range uint64(letters) {
		word, set := p.place(alphabet, alphabet.Cube(l, ^l&(letters-1)), 0)
		seen[bucket{word, set}] = true
	}
	if len(seen) != letters || seen[bucket{0, 0}] {
		t.Errorf("%d buckets for %d letters", len(seen), letters)
	}
}
