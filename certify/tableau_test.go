package certify_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/expressions"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A tableau accepts the words of its formula from one start, and the others from the other: all words over
// two propositions of at most three letters, for random formulas with operators of the past or with regular
// expressions, and whatever else is tracked.
func TestTableau(t *testing.T) {
	n, seed := campaign.Seeded(t, 80, 1)
	ctx := context.Background()
	var words []*certify.Word
	for size := 1; size <= 3; size++ {
		for code := range 1 << (2 * size) {
			var letters []certify.Letter
			for i := range size {
				letters = append(letters, certify.Letter{"a": code>>(2*i)&1 != 0, "b": code>>(2*i+1)&1 != 0})
			}
			for prefix := range size {
				words = append(words, &certify.Word{Prefix: letters[:prefix], Cycle: letters[prefix:]})
			}
		}
	}
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 2, MaxSize: 9, Past: true}))
	r := rand.New(rand.NewPCG(seed, 1))
	large := 0
	putOff := []string{"{a[*];b}<>-> 1", "{a;b}[]-> {a[+]}<>-> !a", "G({a[*]}<>-> (b & !a))", "!{a[*];b}"} // forever, on some word
	for i := range n {
		f := must.Get(g.Next())
		if i < len(putOff) {
			f = must.Get(ltl.NewStore().Parse(putOff[i], ltl.Spot))
		} else if i%2 == 1 {
			f = expressions.Formula(r, ltl.NewStore())
		}
		list := f.Subformulas()
		tableau, err := certify.NewTableau(ctx, f, 1<<16, list[r.IntN(len(list))])
		if i%2 == 1 && errors.Is(err, certify.ErrLarge) {
			large++
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for _, w := range words {
			want := must.Get(certify.Holds(ctx, f, w))
			for _, truth := range []bool{true, false} {
				if got, err := certify.Accepts(ctx, tableau.Automata[truth], w); err != nil || got != (want == truth) {
					t.Fatalf("%s is %v on %v: the tableau of truth %v accepts: %v, %v", f, want, w, truth, got, err)
				}
			}
		}
	}
	if large > n/20 {
		t.Errorf("%d of %d tableaux are too large: expected fewer", large, n/2)
	}
}
