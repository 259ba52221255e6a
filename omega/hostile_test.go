package omega_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/runs"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

// ring returns three states in a ring, with edges that carry a mark each and a condition of
// random clauses of three literals.
func ring(marks, clauses int) *omega.Automaton {
	r := rand.New(rand.NewPCG(1, 0))
	var all []*omega.Condition
	for range clauses {
		var any []*omega.Condition
		for range 3 {
			leaf := omega.Inf
			if r.IntN(2) == 0 {
				leaf = omega.Fin
			}
			any = append(any, leaf(r.IntN(marks)))
		}
		all = append(all, omega.AnyOf(any...))
	}
	b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Sets: marks, Condition: omega.AllOf(all...)})
	b.AddStates(3)
	b.AddStart(0)
	for i := range marks {
		b.AddEdge(omega.State(i%3), b.Alphabet().True(), b.Marks().Of(i), omega.State((i+1)%3))
	}
	return b.Automaton()
}

// related returns a state with a loop whose label relates each of n propositions to one
// that is far away from it: with this order, its diagram has 2^n nodes.
func related(n int) (near, far []string, a *omega.Automaton) {
	for i := range n {
		near = append(near, fmt.Sprint("a", i), fmt.Sprint("b", i))
		far = append(far, fmt.Sprint("a", i))
	}
	for i := range n {
		far = append(far, fmt.Sprint("b", i))
	}
	alphabet := omega.NewAlphabet(near...)
	label := omega.False
	for i := range n {
		label = alphabet.Or(label, alphabet.And(alphabet.Prop(2*i), alphabet.Prop(2*i+1)))
	}
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddState()
	b.AddStart(0)
	b.AddEdge(0, label, b.Marks().Of(0), 0)
	return near, far, b.Automaton()
}

// TestCanceled: what can take long ends when its context is done.
func TestCanceled(t *testing.T) {
	hard := ring(120, 640)
	word := must.Get(omega.ParseWord(context.Background(), "cycle{a; !a; 1; a}"))
	_, far, wide := related(30)
	other := omega.NewAlphabet(far...)
	for name, f := range map[string]func(ctx context.Context) error{
		"Accepts":          func(ctx context.Context) error { _, err := hard.Accepts(ctx, word); return err },
		"AcceptedFrom":     func(ctx context.Context) error { _, err := hard.AcceptedFrom(ctx, word); return err },
		"Explain":          func(ctx context.Context) error { _, err := runs.Explain(ctx, hard, word); return err },
		"Kinds":            func(ctx context.Context) error { _, err := hard.Kinds(ctx, hard.Components()); return err },
		"IsInherentlyWeak": func(ctx context.Context) error { _, err := hard.IsInherentlyWeak(ctx); return err },
		"Strength":         func(ctx context.Context) error { _, err := hard.Strength(ctx); return err },
		"IsUnambiguous":    func(ctx context.Context) error { _, err := hard.IsUnambiguous(ctx); return err },
		"Over": func(ctx context.Context) error {
			_, err := wide.Over(budget.WithMemory(ctx, 64<<30), other)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			done := make(chan error, 1)
			go func() { done <- f(ctx) }()
			select {
			case err := <-done:
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v", err)
				}
			case <-time.After(30 * time.Second):
				t.Error("goes on")
			}
		})
	}
}

// TestReduceHard: reducing an automaton takes bounded time, whatever the condition, and
// keeps what it can't decide.
func TestReduceHard(t *testing.T) {
	a := ring(60, 320)
	b, err := reduce.Reduce(t.Context(), a)
	if err != nil || b.NumStates() == 0 {
		t.Errorf("%v", err)
	}
}

// TestOverLimit: labels that take too much memory over another alphabet are an error, and
// do no harm to those that there are.
func TestOverLimit(t *testing.T) {
	_, far, wide := related(30)
	alphabet := omega.NewAlphabet(far...)
	_, err := wide.Over(budget.WithMemory(t.Context(), 8<<20), alphabet)
	var limit *omega.LimitError
	if !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("%v", err)
	}
	if alphabet.Memory() > 64<<20 {
		t.Errorf("%d bytes", alphabet.Memory())
	}
	x, y := alphabet.Prop(0), alphabet.Prop(59)
	if and := alphabet.And(x, y); !alphabet.Implies(and, x) || !alphabet.Implies(and, y) || alphabet.Or(and, alphabet.And(x, alphabet.Not(y))) != x {
		t.Error("labels are wrong after a limit was hit")
	}
}

// TestExpression: the text of any label reads as the same label, whether it has a small
// cover or not; parity is printed in a text of moderate size.
func TestExpression(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprint("p", i))
	}
	alphabet := omega.NewAlphabet(names...)
	nested, n := 0, campaign.Inputs(t, 300)
	for i := range n {
		l := randomLabel(r, alphabet, 6+i%25)
		if i == 0 {
			l = randomParity(alphabet, 30)
		}
		text := alphabet.Text(l)
		if _, ok := alphabet.Cover(l); !ok {
			nested++
		}
		if len(text) > 1<<20 {
			t.Fatalf("seed %d, label %d: %d characters", seed, i, len(text))
		}
		if l == omega.False || strings.Contains(text, "too large") {
			continue
		}
		w, err := omega.ParseWord(context.Background(), "cycle{"+text+"}")
		if err != nil {
			t.Fatalf("seed %d, label %d: %v", seed, i, err)
		}
		if w.Over(alphabet).Cycle[0] != l {
			t.Fatalf("seed %d, label %d: reads as another label: %.200s", seed, i, text)
		}
	}
	if nested < n/15 {
		t.Errorf("only %d labels have no small cover", nested)
	}
}

func randomParity(alphabet *omega.Alphabet, n int) omega.Label {
	l := omega.False
	for i := range n {
		l = alphabet.Xor(l, alphabet.Prop(i))
	}
	return l
}

// randomLabel returns a label of some random propositions, with many exclusive ors.
func randomLabel(r *rand.Rand, alphabet *omega.Alphabet, n int) omega.Label {
	props := r.Perm(alphabet.Len())[:n]
	slices.Sort(props)
	l := omega.False
	for _, p := range slices.Backward(props) {
		x := alphabet.Prop(p)
		if r.IntN(4) == 0 {
			x = alphabet.Not(x)
		}
		switch k := r.IntN(8); {
		case k == 0:
			l = alphabet.And(l, x)
		case k == 1:
			l = alphabet.Or(l, x)
		default:
			l = alphabet.Xor(l, x)
		}
	}
	return l
}
