package omega_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// suffix returns the word without its first letters.
func suffix(w *omega.Word, pos int) *omega.Word {
	if pos <= len(w.Prefix) {
		return omega.NewWord(w.Alphabet, w.Prefix[pos:], w.Cycle)
	}
	pos -= len(w.Prefix)
	return omega.NewWord(w.Alphabet, nil, slices.Concat(w.Cycle[pos:], w.Cycle[:pos]))
}

// twice reports whether the automaton has two accepting runs on a word of single
// valuations: there is a place where two steps can be taken after which the rest of
// the word is accepted, or there are two initial states from which all of it is.
func twice(t *testing.T, a *omega.Automaton, w *omega.Word) bool {
	accepted := func(s omega.State, pos int) bool {
		ok, err := sample.From(a, s).Accepts(context.Background(), suffix(w, pos))
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	type place struct {
		s   omega.State
		pos int
	}
	var queue []place
	seen := make(map[place]bool)
	for _, s := range a.Initial() {
		if accepted(s, 0) {
			queue = append(queue, place{s, 0})
		}
	}
	if len(queue) > 1 {
		return true
	}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if seen[p] {
			continue
		}
		seen[p] = true
		next := p.pos + 1
		if next == w.Size() {
			next = len(w.Prefix)
		}
		type step struct {
			dst   omega.State
			marks omega.Marks
		}
		steps := make(map[step]bool)
		for _, e := range a.Edges(p.s) {
			if a.Alphabet().Meet(e.Label, w.At(p.pos)) && accepted(e.Dst, next) {
				steps[step{e.Dst, e.Marks}] = true
				queue = append(queue, place{e.Dst, next})
			}
		}
		if len(steps) > 1 {
			return true
		}
	}
	return false
}

// words calls f for each word of up to size letters of one proposition, until it
// returns true.
func words(alphabet *omega.Alphabet, size int, f func(*omega.Word) bool) bool {
	p := alphabet.Prop(0)
	for n := 1; n <= size; n++ {
		for v := range 1 << n {
			letters := make([]omega.Label, n)
			for i := range letters {
				if letters[i] = p; v>>i&1 == 0 {
					letters[i] = alphabet.Not(p)
				}
			}
			for prefix := range n {
				if f(omega.NewWord(alphabet, letters[:prefix], letters[prefix:])) {
					return true
				}
			}
		}
	}
	return false
}

// TestUnambiguous compares IsUnambiguous with a search of all words of a few letters.
func TestUnambiguous(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	count := map[string]int{}
	n := campaign.Inputs(t, 1000)
	for i := range n {
		a := sample.Automaton(r, alphabet)
		if a.NumStates() > 3 || a.Acceptance().Sets > 2 || r.IntN(2) == 0 {
			sets := r.IntN(3)
			a = sample.Overlapping(r, alphabet, omega.Acceptance{sets, random.Condition(r, sets)}, 1+r.IntN(3))
		}
		unambiguous, err := a.IsUnambiguous(t.Context())
		if err != nil {
			t.Fatalf("seed %d, case %d: %v", seed, i, err)
		}
		size := 11 // more than two runs on three states were ever seen to need
		if unambiguous {
			size = 4
		}
		if found := words(alphabet, size, func(w *omega.Word) bool { return twice(t, a, w) }); found == unambiguous {
			t.Fatalf("seed %d, case %d: %s: unambiguous %v, but two runs on a word: %v", seed, i, a.Acceptance(), unambiguous, found)
		}
		count[fmt.Sprint(unambiguous, a.IsDeterministic())]++
	}
	if count["true true"] < n/40 || count["true false"] < n/14 || count["false false"] < n/14 {
		t.Errorf("seed %d: unambiguous and deterministic: %v", seed, count)
	}
}

// TestUnambiguousKnown: what counts as a run.
func TestUnambiguousKnown(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	p, all := alphabet.Prop(0), alphabet.True()
	type edge struct {
		src    omega.State
		label  omega.Label
		marked bool
		dst    omega.State
	}
	for _, test := range []struct {
		name        string
		condition   *omega.Condition
		start       []omega.State
		edges       []edge
		unambiguous bool
	}{
		{"no edges", omega.Inf(0), []omega.State{0, 1}, nil, true},
		{"the guess that only a follows", omega.Inf(0), []omega.State{0}, []edge{{0, all, false, 0}, {0, p, true, 1}, {1, p, true, 1}}, false},
		{"the guess that a follows, after !a", omega.Inf(0), []omega.State{0, 1}, []edge{{0, all, false, 0}, {0, alphabet.Not(p), true, 1}, {1, p, true, 1}}, true},
		{"two initial states with a common word", omega.Inf(0), []omega.State{0, 1}, []edge{{0, p, true, 0}, {1, all, true, 1}}, false},
		{"two initial states without one", omega.Inf(0), []omega.State{0, 1}, []edge{{0, p, true, 0}, {1, alphabet.Not(p), true, 1}}, true},
		{"the same initial state", omega.Inf(0), []omega.State{0}, []edge{{0, all, true, 0}}, true},
		{"an edge in two parts", omega.Inf(0), []omega.State{0}, []edge{{0, p, true, 0}, {0, all, true, 0}}, true},
		{"edges that differ in marks", omega.Inf(0), []omega.State{0}, []edge{{0, all, true, 0}, {0, all, false, 0}}, false},
		{"the same, where neither leads to an accepting run", omega.AllOf(omega.Inf(0), omega.Fin(0)), []omega.State{0}, []edge{{0, all, true, 0}, {0, all, false, 0}}, true},
		{"runs that part and meet", omega.Fin(0), []omega.State{0}, []edge{{0, all, false, 1}, {0, all, false, 2}, {1, all, false, 3}, {2, p, false, 3}, {3, all, false, 3}}, false},
		{"runs of which one is rejecting", omega.Fin(0), []omega.State{0}, []edge{{0, all, false, 1}, {0, all, false, 2}, {1, all, false, 1}, {2, all, true, 2}}, true},
	} {
		b := omega.NewBuilder(alphabet, omega.Acceptance{1, test.condition})
		b.AddStates(4)
		for _, s := range test.start {
			b.AddStart(s)
		}
		for _, e := range test.edges {
			m := omega.Marks(0)
			if e.marked {
				m = b.Marks().Of(0)
			}
			b.AddEdge(e.src, e.label, m, e.dst)
		}
		if got, err := b.Automaton().IsUnambiguous(t.Context()); err != nil || got != test.unambiguous {
			t.Errorf("%s: unambiguous: %v (%v)", test.name, got, err)
		}
	}
}

// TestUnambiguousAlternating: one run on each word is decided, of more nothing is
// known.
func TestUnambiguousAlternating(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	for _, test := range []struct {
		label omega.Label
		want  error
	}{{alphabet.Not(alphabet.Prop(0)), nil}, {alphabet.True(), omega.ErrAlternating}} {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(2)
		b.AddStart(0)
		b.AddEdge(0, alphabet.Prop(0), 0, b.Universal([]omega.State{0, 1}))
		b.AddEdge(0, test.label, 0, 1)
		got, err := b.Automaton().IsUnambiguous(t.Context())
		if !errors.Is(err, test.want) || got != (test.want == nil) {
			t.Errorf("%v (%v): expected the error %v", got, err, test.want)
		}
	}
}

func TestUnambiguousCanceled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	alphabet := omega.NewAlphabet("a", "b")
	a := sample.Sparse(r, alphabet, 300)
	for steps := range 6 {
		ctx := canceled.At(t.Context(), steps)
		if _, err := a.IsUnambiguous(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("canceled at look %d: %v", steps, err)
		}
	}
}
