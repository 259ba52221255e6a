package omega_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
)

// entangled returns a label that takes many nodes: an odd number of products of
// propositions that are far from each other in the order.
func entangled(alphabet *omega.Alphabet) omega.Label {
	l := omega.False
	n := alphabet.Len() / 2
	for i := range n {
		l = alphabet.Xor(l, alphabet.And(alphabet.Prop(i), alphabet.Prop(n+i)))
	}
	return l
}

// TestDiagramCanceled: a single operation on large diagrams is given up, and
// leaves nothing wrong behind.
func TestDiagramCanceled(t *testing.T) {
	alphabet := omega.NewAlphabet(sample.Props(20)...)
	l, m := entangled(alphabet), alphabet.Prop(3)
	for i := range 9 {
		m = alphabet.Xor(m, alphabet.And(alphabet.Prop(2*i), alphabet.Prop(19-i)))
	}
	for _, at := range []int{1, 2, 5, 10} {
		ctx := canceled.At(context.Background(), at+1)
		err := func() (err error) {
			defer alphabet.Bind(budget.New(ctx)).Release(&err)
			alphabet.And(l, m)
			return nil
		}()
		if err != context.Canceled || ctx.Late() > 0 || alphabet.Bound() {
			t.Fatalf("canceled at the %d. look: %v, asked %d times after", at, err, ctx.Late())
		}
	}
	and := alphabet.And(l, m)
	r := rand.New(rand.NewPCG(1, 0))
	v := make(omega.Letter, alphabet.Len())
	for range campaign.Inputs(t, 2000) {
		for i := range v {
			v[i] = r.IntN(2) == 0
		}
		if alphabet.Eval(and, v) != (alphabet.Eval(l, v) && alphabet.Eval(m, v)) {
			t.Fatalf("the conjunction is wrong after it was canceled")
		}
	}
}

// TestNodeBudget: what would make too many nodes has no result.
func TestNodeBudget(t *testing.T) {
	alphabet := omega.NewAlphabet(sample.Props(8)...)
	var limit *omega.LimitError
	err := func() (err error) {
		defer alphabet.BindNodes(budget.Free(), 10).Release(&err)
		for i := 0; ; i++ {
			alphabet.Spend(1)
			alphabet.LetterLabel(omega.Letter{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0, i&16 != 0, i&32 != 0, true, false})
		}
	}()
	if !errors.As(err, &limit) {
		t.Errorf("no limit on nodes (%v)", err)
	}
}
