package patterns

import (
	"context"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// counterCarries are the families of counters, and whether they have carries.
var counterCarries = map[string]bool{
	"rv-counter": false, "rv-counter-linear": false,
	"rv-counter-carry": true, "rv-counter-carry-linear": true,
}

// countingWord returns 0, 1, …, 2^n-1, 0, … as the bits of one number after the other, with a carry
// where the bit and all before it are 1.
func countingWord(n int, carries bool) string {
	var letters []string
	for number := range 1 << n {
		for i := range n {
			letter := []string{"!b", "b"}[number>>i&1]
			letter += "&" + []string{"!m", "m"}[len("m")-min(i, 1)]
			if carries {
				carry := "c"
				for k := range i + 1 {
					if number>>k&1 == 0 {
						carry = "!c"
					}
				}
				letter += "&" + carry
			}
			letters = append(letters, letter)
		}
	}
	return "cycle{" + strings.Join(letters, "; ") + "}"
}

// TestCounters tests that each formula is true on the one word, and on no other.
func TestCounters(t *testing.T) {
	for name, carries := range counterCarries {
		for f := range (Request{byName()[name], [2]span{{1, 6}, {1, 1}}}).All() {
			n := f.Numbers[0]
			w := must.Get(omega.ParseWord(context.Background(), countingWord(n, carries)))
			if holds, err := w.Holds(f.Formula); err != nil || !holds {
				t.Errorf("%s: %s on %s: %v, %v", f.Name(), f, w, holds, err)
			}
			if n <= 3 {
				onlyModel(t, &f, w)
			}
		}
	}
}

// onlyModel tests that no word but w satisfies f.
func onlyModel(t *testing.T, f *Formula, w *omega.Word) {
	store := ltl.NewStore()
	x := must.Get(translate.With(t.Context(), "gastin-oddoux", store, store.Import(f.Formula)))
	others := must.First(complement.Whole(t.Context(), "", must.Get(w.Automaton().Over(context.Background(), x.Alphabet())), omega.Limits{}))
	r := must.Get(productcheck.Intersect(t.Context(), x, others, omega.Limits{}))
	if !r.Empty() {
		t.Errorf("%s: %s has another model than %s", f.Name(), f, w)
	}
}
