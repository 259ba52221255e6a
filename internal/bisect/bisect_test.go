package bisect

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
)

// versions returns a sequence of which the oldest ones are good, then bad until fixed, then good,
// and some can't be tested.
func versions(rng *rand.Rand, n, broke, fixed int, skips float64) []Verdict {
	list := make([]Verdict, n)
	for i := range list {
		switch list[i] = Good; {
		case rng.Float64() < skips:
			list[i] = Skipped
		case broke <= i && i < fixed:
			list[i] = Bad
		}
	}
	return list
}

// TestSearch compares with a scan of all versions, on sequences with one change or two.
func TestSearch(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		n := 1 + rng.IntN(100)
		broke := rng.IntN(n)
		fixed := broke + 1 + rng.IntN(2*n-broke) // often none
		list := versions(rng, n, broke, fixed, []float64{0, 0.1, 0.5, 0.9}[rng.IntN(4)])
		bad := -1 // the user knows one
		for i := range list {
			if list[i] == Bad && (bad < 0 || rng.IntN(3) == 0) {
				bad = i
			}
		}
		got, want := search1(t, list, bad), scan(list)
		if !same(got.Broke, want.Broke) || !same(got.Fixed, want.Fixed) {
			t.Fatalf("%v: got broke %v, fixed %v; want %v, %v", list, got.Broke, got.Fixed, want.Broke, want.Fixed)
		}
	}
}

// TestSearchAny: of any sequence, with a version that is said to be bad or not, the changes are
// changes, and nothing in them is left to test.
func TestSearchAny(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		list := make([]Verdict, 1+rng.IntN(40))
		for i := range list {
			list[i] = Verdict(1 + rng.IntN(3))
		}
		got := search1(t, list, rng.IntN(len(list)+1)-1)
		check := func(c *Change, before, at Verdict) {
			if c == nil {
				return
			}
			if list[c.At] != at || c.Before >= 0 && list[c.Before] != before {
				t.Fatalf("%v: no change at %v", list, *c)
			}
			for i := c.Before + 1; i < c.At; i++ {
				if list[i] != Skipped {
					t.Fatalf("%v: change %v leaves %d open", list, *c, i)
				}
			}
		}
		check(got.Broke, Good, Bad)
		check(got.Fixed, Bad, Good)
		if got.Fixed != nil && (got.Broke == nil || got.Fixed.Before < got.Broke.At) {
			t.Fatalf("%v: fixed %v before it broke %v", list, got.Fixed, got.Broke)
		}
	}
}

// TestTests: a bug that is still there takes few tests, and one that came and went few more.
func TestTests(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	most := 0
	for n := 2; n <= 66; n++ {
		for broke := range n {
			limit := bits.Len(uint(n-2)) + 2
			list := versions(rng, n, broke, n, 0)
			tests := search1(t, list, -1).Tests
			if tests > limit {
				t.Fatalf("bad from %d of %d: %d tests", broke, n, tests)
			}
			if n == 64 {
				most = max(most, tests)
			}
			list = versions(rng, n, broke, n, 0.1)
			skipped := 0
			result := search1(t, list, -1)
			for _, v := range result.Verdicts {
				if v == Skipped {
					skipped++
				}
			}
			if result.Tests > limit+2*skipped {
				t.Fatalf("%v: %d tests, %d of them skipped", list, result.Tests, skipped)
			}
			bad := broke + rng.IntN(n-broke)
			list = versions(rng, n, broke, bad+1+rng.IntN(n-bad), 0)
			if tests := search1(t, list, bad).Tests; tests > 2*limit {
				t.Fatalf("%v: %d tests, %d is known to be bad", list, tests, bad)
			}
		}
	}
	if most != 8 {
		t.Errorf("64 versions take up to %d tests", most)
	}
}

// TestInterrupted: an error ends the search, and what is known by then is right.
func TestInterrupted(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	full := errors.New("the disk is full")
	for range campaign.Inputs(t, 5000) {
		n := 2 + rng.IntN(50)
		list := versions(rng, n, rng.IntN(n), 2*n, 0.2)
		left := rng.IntN(8)
		ctx, cancel := context.WithCancel(t.Context())
		byContext := rng.IntN(2) == 0
		got, err := Search(ctx, n, -1, func(_ context.Context, i int) (Verdict, error) {
			if left--; left < 0 {
				if cancel(); !byContext {
					return Untested, full
				}
				return Untested, ctx.Err()
			}
			return list[i], nil
		})
		cancel()
		if err == nil && left < 0 || err != nil && !errors.Is(err, full) && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if c := got.Broke; c != nil && (list[c.At] != Bad || c.Before >= 0 && list[c.Before] != Good) {
			t.Fatalf("%v: no change at %v", list, *c)
		}
	}
}

// search1 searches, and tests no version twice.
func search1(t *testing.T, list []Verdict, bad int) *Result {
	t.Helper()
	done := map[int]bool{}
	got, err := Search(t.Context(), len(list), bad, func(_ context.Context, i int) (Verdict, error) {
		if done[i] {
			t.Fatalf("%v: tested %d twice", list, i)
		}
		done[i] = true
		return list[i], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Tests != len(done) {
		t.Fatalf("%v: %d tests are said to be %d", list, len(done), got.Tests)
	}
	return got
}

// scan finds the changes by a look at every version.
func scan(list []Verdict) (r Result) {
	good, bad := -1, -1 // the last ones
	for i, v := range list {
		switch {
		case v == Good && bad >= 0 && r.Fixed == nil:
			r.Fixed = &Change{bad, i}
		case v == Good:
			good = i
		case v == Bad:
			if r.Broke == nil {
				r.Broke = &Change{good, i}
			}
			bad = i
		}
	}
	return r
}

func same(a, b *Change) bool { return a == b || a != nil && b != nil && *a == *b }

// TestWorkedExamples runs the examples in the comments of the package and of halve.
func TestWorkedExamples(t *testing.T) {
	for _, test := range []struct {
		versions       []Verdict
		tested, result string
	}{
		{[]Verdict{Good, Good, Skipped, Bad, Bad, Bad, Good, Good}, "[7 0 4 2 1 3 6 5]", "&{1 3} &{5 6}"},
		{[]Verdict{Good, Skipped, Skipped, Skipped, Skipped, Skipped, Skipped, Skipped, Bad}, "[8 0 4 2 6 1 5 3 7]", "&{0 8} <nil>"},
	} {
		var tested []int
		r, err := Search(t.Context(), len(test.versions), -1, func(_ context.Context, i int) (Verdict, error) {
			tested = append(tested, i)
			return test.versions[i], nil
		})
		if err != nil || fmt.Sprint(tested) != test.tested || fmt.Sprint(r.Broke, " ", r.Fixed) != test.result {
			t.Errorf("tested %d: %v %v, %v", tested, r.Broke, r.Fixed, err)
		}
	}
}
