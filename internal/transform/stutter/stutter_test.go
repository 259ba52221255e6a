package stutter

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestWordDestuttered: equivalent words have the same form, and it is accepted by the
// automaton of their stutterings.
func TestWordDestuttered(t *testing.T) {
	for _, test := range []struct{ word, form string }{
		{"cycle{a}", "cycle{a}"},
		{"a; a; cycle{a; a}", "cycle{a}"},
		{"a; !a; a; a; cycle{a}", "a; !a; cycle{a}"},
		{"cycle{a; !a; a}", "cycle{a; !a}"},
		{"a; cycle{a; !a; a}", "cycle{a; !a}"},
		{"!a; !a; a; cycle{a; a; !a; !a}", "cycle{!a; a}"},
	} {
		w := must.Get(omega.ParseWord(context.Background(), test.word))
		if got := Collapse(w).String(); got != test.form {
			t.Errorf("%s: %s, expected %s", test.word, got, test.form)
		}
	}
	alphabet := omega.NewAlphabet("a")
	r := rand.New(rand.NewPCG(7, 0))
	same, all := 0, 0
	for range campaign.Inputs(t, 3000) {
		v, w := random.Word(r, alphabet, 4, 4), random.Word(r, alphabet, 4, 4)
		equivalent := Collapse(v).String() == Collapse(w).String()
		if got, err := Class(v).Accepts(context.Background(), w); err != nil || got != equivalent {
			t.Fatalf("%s and %s: equivalent %v, but one's stutterings have the other: %v (%v)", v, w, equivalent, got, err)
		}
		all++
		if equivalent {
			same++
		}
	}
	if same < all/20 || same > all/2 {
		t.Errorf("%d of %d pairs are equivalent", same, all)
	}
}

// TestStutterClosures: a word is accepted after closure if one that only has more
// repetitions was before, and after self-loopization if one that has fewer was.
func TestStutterClosures(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	more := 0
	for i := range 400 {
		a := sample.Automaton(r, alphabet)
		less := must.Get(Closure(t.Context(), a, 0))
		longer := must.Get(SelfLoops(t.Context(), a, 0))
		for range 20 {
			w := random.Word(r, alphabet, 3, 3)
			var rest [3]bool
			for k, b := range []*omega.Automaton{a, less, longer} {
				rest[k] = must.Get(b.Accepts(context.Background(), w))
			}
			if want := meets(t, a, w, false); rest[1] != want {
				t.Fatalf("seed %d, case %d: %s: %s after closure: %v, with more repetitions: %v", seed, i, a.Acceptance(), w, rest[1], want)
			}
			if want := meets(t, a, w, true); rest[2] != want {
				t.Fatalf("seed %d, case %d: %s: %s after self-loopization: %v, with fewer repetitions: %v", seed, i, a.Acceptance(), w, rest[2], want)
			}
			if rest[1] != rest[0] || rest[2] != rest[0] {
				more++
			}
		}
	}
	if more < 300 {
		t.Errorf("seed %d: only %d words are new", seed, more)
	}
}

// meets reports whether the automaton accepts a word that results if letters of w are
// repeated more often, or fewer times. For more, a place in the word may be read again and
// again; for fewer, equal ones that follow may be skipped.
func meets(t *testing.T, a *omega.Automaton, w *omega.Word, fewer bool) bool {
	size := w.Size()
	next := func(i int) int {
		if i++; i == size {
			return len(w.Prefix)
		}
		return i
	}
	b := omega.NewBuilder(w.Alphabet, omega.Buchi())
	b.AddStates(size)
	b.AddStart(0)
	on := b.Marks().Of(0)
	for i := range size {
		b.AddEdge(omega.State(i), w.At(i), on, omega.State(next(i)))
		if !fewer {
			b.AddEdge(omega.State(i), w.At(i), 0, omega.State(i))
			continue
		}
		for k, j := 0, next(i); k < size && w.At(j) == w.At(i); k++ {
			b.AddEdge(omega.State(i), w.At(i), on, omega.State(next(j)))
			j = next(j)
		}
	}
	// The product, by hand.
	v, sets := b.Automaton(), a.Acceptance().Sets
	p := omega.NewBuilder(a.Alphabet(), omega.Acceptance{Sets: sets + 1, Condition: omega.AllOf(a.Acceptance().Condition, omega.Inf(sets))})
	pair := func(s, i omega.State) omega.State { return s*omega.State(size) + i }
	p.AddStates(a.NumStates() * size)
	for _, s := range a.Initial() {
		p.AddStart(pair(s, 0))
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			for i := range omega.State(size) {
				for _, f := range v.Edges(i) {
					list := a.Marks().AppendTo(nil, e.Marks)
					if f.Marks != 0 {
						list = append(list, sets)
					}
					p.AddEdge(pair(s, i), a.Alphabet().And(e.Label, f.Label), p.Marks().Of(list...), pair(e.Dst, f.Dst))
				}
			}
		}
	}
	g := p.Automaton()
	c := g.Components()
	live, _ := g.LiveWithin(c, budget.Free(), budget.Unlimited)
	for _, s := range g.Initial() {
		if live[c.Of[s]] {
			return true
		}
	}
	return false
}

func TestStutterCanceled(t *testing.T) {
	a := sample.Sparse(rand.New(rand.NewPCG(1, 0)), omega.NewAlphabet("a", "b"), 300)
	for steps := range 4 {
		for _, change := range []func(context.Context, *omega.Automaton, int) (*omega.Automaton, error){Closure, SelfLoops} {
			ctx := canceled.At(t.Context(), steps)
			if _, err := change(ctx, a, 0); !errors.Is(err, context.Canceled) {
				t.Fatalf("canceled at look %d: %v", steps, err)
			}
			var limit *omega.LimitError
			if _, err := change(t.Context(), a, 10); !errors.As(err, &limit) {
				t.Fatalf("limit of 10: %v", err)
			}
		}
	}
}

// TestCollapseExample checks the example in the comment of Collapse.
func TestCollapseExample(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	a, b := alphabet.Prop(0), alphabet.Not(alphabet.Prop(0))
	w := omega.NewWord(alphabet, []omega.Label{a, a, b}, []omega.Label{b, a, a})
	if got := Collapse(w).String(); got != "cycle{a; !a}" {
		t.Errorf("%s becomes %s", w, got)
	}
}

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	type construction = func(ctx context.Context, a *omega.Automaton, limit int) (*omega.Automaton, error)
	unlimited := func(of construction) worked.Construction {
		return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) { return of(ctx, a, 0) }
	}
	worked.Check(t, "stutter.go", "1 Inf(0)", "State: 0 [a] 1 State: 1 [a] 2 State: 2 [t] 2 {0}",
		"State: 0 [a] 1 [a] 2 State: 1 [a] 2 State: 2 [t] 2 {0}", unlimited(Closure))
	worked.Check(t, "stutter.go", "1 Inf(0)", "State: 0 [a] 1 {0} State: 1 [!a] 0",
		"State: 0 [a] 1 {0} [a] 2 {0} State: 1 [!a] 0 [!a] 3 State: 2 [a] 2 [a] 1 State: 3 [!a] 3 [!a] 0", unlimited(SelfLoops))
}
