package omega

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// entangled returns a label that takes many nodes: an odd number of products of
// propositions that are far from each other in the order.
func entangled(alphabet *Alphabet) Label {
	l := False
	n := alphabet.Len() / 2
	for i := range n {
		l = alphabet.Xor(l, alphabet.And(alphabet.Prop(i), alphabet.Prop(n+i)))
	}
	return l
}

// TestDiagramCanceled: a single operation on large diagrams is given up, and
// leaves nothing wrong behind.
func TestDiagramCanceled(t *testing.T) {
	alphabet := NewAlphabet(props(20)...)
	l, m := entangled(alphabet), alphabet.Prop(3)
	for i := range 9 {
		m = alphabet.Xor(m, alphabet.And(alphabet.Prop(2*i), alphabet.Prop(19-i)))
	}
	for _, at := range []int{1, 2, 5, 10} {
		ctx := &countdown{Context: context.Background(), left: at + 1}
		err := func() (err error) {
			defer alphabet.Bind(budget.New(ctx)).Release(&err)
			alphabet.And(l, m)
			return nil
		}()
		if err != context.Canceled || ctx.late > 0 || alphabet.bound.Binding != nil {
			t.Fatalf("canceled at the %d. look: %v, asked %d times after", at, err, ctx.late)
		}
	}
	and := alphabet.And(l, m)
	r := rand.New(rand.NewPCG(1, 0))
	v := make(Letter, alphabet.Len())
	for range 2000 {
		for i := range v {
			v[i] = r.IntN(2) == 0
		}
		if alphabet.Eval(and, v) != (alphabet.Eval(l, v) && alphabet.Eval(m, v)) {
			t.Fatalf("the conjunction is wrong after it was canceled")
		}
	}
}

// TestReduceAfterCancel: an automaton reduces to the same as if reducing had not
// been canceled before, at any point.
func TestReduceAfterCancel(t *testing.T) {
	const seed = 14
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 40 {
		alphabet := NewAlphabet(props(7)...)
		a := overlapping(r, alphabet, Buchi(), 12)
		whole := &countdown{Context: context.Background(), left: 1 << 40}
		want, _ := Reduce(whole, a)
		for at := 1; at < whole.asked; at++ {
			fresh := a.over(NewAlphabet(append(props(7), "new")...))
			ctx := &countdown{Context: context.Background(), left: at}
			if _, err := Reduce(ctx, fresh); err != context.Canceled {
				t.Fatalf("seed %d, automaton %d canceled at %d: %v", seed, i, at, err)
			}
			if fresh.alphabet.bound.Binding != nil {
				t.Fatal("the labels are still bound")
			}
			got, err := Reduce(context.Background(), fresh)
			if err != nil || got.NumStates() != want.NumStates() || got.NumEdges() != want.NumEdges() {
				t.Fatalf("seed %d, automaton %d, canceled at %d: %v", seed, i, at, err)
			}
			sameLanguage(t, r, a, got, 5, fmt.Sprintf("seed %d, automaton %d", seed, i))
		}
	}
}

// TestNodeBudget: what would make too many nodes has no result; the quotient takes
// labels for themselves then.
func TestNodeBudget(t *testing.T) {
	alphabet := NewAlphabet(props(8)...)
	a := path(3).over(NewAlphabet(append([]string{"a"}, props(8)...)...))
	w := newReducer(context.Background())
	w.noUnion = true
	if q := a.quotient(w); q.NumStates() != 3 || w.Err() != nil {
		t.Errorf("%d states (%v), want 3", q.NumStates(), w.Err())
	}
	var limit *LimitError
	err := alphabet.try(budget.Free(), 10, func(v *budget.Budget) {
		for i := 0; !v.Stop(); i++ {
			alphabet.LetterLabel(Letter{i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0, i&16 != 0, i&32 != 0, true, false})
		}
	})
	if !errors.As(err, &limit) {
		t.Errorf("no limit on nodes (%v)", err)
	}
	const seed = 15
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 1000 {
		a := overlapping(r, NewAlphabet(props(7)...), Buchi(), 1+r.IntN(8))
		w := newReducer(context.Background())
		w.noUnion = true
		b := a.quotient(w)
		if coarse := a.quotient(unbounded()); b.NumStates() < coarse.NumStates() {
			t.Fatalf("seed %d, automaton %d: too many states merged", seed, i)
		}
		sameLanguage(t, r, a, b, 4, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
}
