package isomorphic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestSetForgets: a Set knows all automata of its younger generation, and takes not much more
// memory than it says.
func TestSetForgets(t *testing.T) {
	for _, props := range [][]string{{"a", "b"}, {"a", "b", "c", "d", "e", "f", "g", "h"}} {
		const limit = 1 << 20
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		automata := func() *omega.Automaton {
			return random.Automaton(r, omega.NewAlphabet(props...), omega.Buchi(), random.Options{States: 10, Density: 0.2, Marks: 0.3})
		}
		add := func(s *isomorphic.Set, a *omega.Automaton) bool {
			return must.Get(s.Add(t.Context(), a))
		}
		before := heap()
		s := isomorphic.NewLimited(props, limit)
		first, generations := automata(), 0
		add(s, first)
		for generations < 3 {
			a := automata()
			young := s.Young()
			if !add(s, a) {
				t.Errorf("%d propositions, seed %d: a large random automaton is said to be known", len(props), seed)
			}
			if add(s, a) {
				t.Errorf("%d propositions, seed %d: the last automaton is said to be new", len(props), seed)
			}
			if s.Young() < young {
				generations++
				t.Logf("%d automata", young)
				if known := !add(s, first); known != (generations == 1) {
					t.Errorf("%d propositions, seed %d: the first automaton is known after %d generations: %v", len(props), seed, generations, known)
				}
				first = a
			}
		}
		used := int64(heap()) - int64(before)
		t.Logf("%d propositions: %d bytes", len(props), used)
		if used > 3*limit {
			t.Errorf("%d propositions: %d bytes for a limit of %d", len(props), used, limit)
		}
		runtime.KeepAlive(s)
	}
}

// heap returns the bytes in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func ExampleEqual() {
	alphabet := omega.NewAlphabet("a")
	// alternating reads a and !a in turn, from the given state.
	alternating := func(start omega.State) *omega.Automaton {
		b := omega.NewBuilder(alphabet, omega.Buchi())
		b.AddStates(2)
		b.AddStart(start)
		b.AddEdge(start, alphabet.Prop(0), b.Marks().Of(0), 1-start)
		b.AddEdge(1-start, alphabet.Not(alphabet.Prop(0)), 0, start)
		return b.Automaton()
	}
	fmt.Println(must.Get(isomorphic.Equal(context.Background(), alternating(0), alternating(1))))
	// Output: true
}
