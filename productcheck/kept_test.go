package productcheck_test

import (
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// TestBothSides: one complement may be on both sides of a check, again and again.
func TestBothSides(t *testing.T) {
	a := random.Automaton(rand.New(rand.NewPCG(1, 1)), omega.NewAlphabet("a", "b"), omega.Buchi(), random.Options{States: 6, Density: 0.4, Marks: 0.2})
	x := productcheck.NewLanguage(a)
	for i := range 2 {
		d := productcheck.Decider{}
		got, err := d.Decide(t.Context(), x, false, x, false)
		if err != nil || got.Undecided != nil {
			t.Fatal(err, got.Undecided)
		}
		if got.Macrostates < 0 || i > 0 && got.Macrostates != 0 {
			t.Errorf("check %d made %d macrostates", i, got.Macrostates)
		}
	}
}

// TestLimitOfOneCheck: a check is decided within its limit also after another one
// with the same complement that was not.
func TestLimitOfOneCheck(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 2))
	t.Logf("seed %d", seed)
	alphabet := omega.NewAlphabet("a", "b")
	a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: 7, Density: 0.25, Marks: 0.15})
	word := productcheck.NewLanguage(random.Word(r, alphabet, 3, 3).Automaton())
	x := productcheck.NewLanguage(a)
	d := productcheck.Decider{
		Limits:    productcheck.Limits{Macrostates: 30, Memory: 512 << 20},
		Algorithm: "determinization",
	}
	large, err := d.Decide(t.Context(), x, true, x, false)
	if err != nil || large.Undecided == nil {
		t.Fatalf("got %v, want the limit of macrostates", err)
	}
	small, err := d.Decide(t.Context(), word, true, x, false)
	if err != nil || small.Undecided != nil {
		t.Errorf("got %v, %v", err, small.Undecided)
	}
}

// TestIndexKept: a language keeps the index of its automaton, counts it, and drops it
// when it is told to forget; the answers are the same.
func TestIndexKept(t *testing.T) {
	list := gillard(2, 0.2)
	var languages []*productcheck.Language
	for _, a := range list {
		languages = append(languages, productcheck.NewLanguage(a))
	}
	decide := func(x, y *productcheck.Language) (pairs int, empty bool) {
		d := productcheck.Decider{}
		got, err := d.Decide(t.Context(), x, true, y, true)
		if err != nil || got.Undecided != nil {
			t.Fatal(err, got.Undecided)
		}
		return got.ProductStates, got.Empty()
	}
	for _, x := range languages {
		for _, y := range languages {
			pairs, empty := decide(x, y)
			kept := x.Memory()
			if kept == 0 || kept > 10<<20 {
				t.Errorf("%d bytes kept", kept)
			}
			if again, e := decide(x, y); again != pairs || e != empty {
				t.Errorf("%d pairs, then %d", pairs, again)
			}
			if x.Memory() != kept {
				t.Errorf("%d bytes kept, then %d", kept, x.Memory())
			}
			if x.Forget(); x.Memory() != 0 {
				t.Errorf("%d bytes not forgotten", x.Memory())
			}
			if again, e := decide(x, y); again != pairs || e != empty {
				t.Errorf("%d pairs, then %d", pairs, again)
			}
		}
	}
}
