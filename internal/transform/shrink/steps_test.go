package shrink_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/transform/shrink"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestSteps: all are smaller, all are sound automata, and a
// descent comes to an end where nothing can be taken away.
func TestSteps(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 24 {
		n := 1 + r.IntN(5)
		alphabet := omega.NewAlphabet([]string{"a", "b", "c", "d", "e", "f", "g", "h"}[:i%9]...)
		sets := r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: n, Density: 0.4, Marks: 0.4, StateMarks: i%2 == 0})
		steps := 0
		for a != nil {
			before := a
			a = nil
			for b := range shrink.Steps(context.Background(), before) {
				if shrink.MeasureOf(b).Compare(shrink.MeasureOf(before)) >= 0 {
					t.Fatalf("seed %d, automaton %d: %+v is not smaller than %+v", seed, i, shrink.MeasureOf(b), shrink.MeasureOf(before))
				}
				for s := range omega.State(b.NumStates()) {
					for _, e := range b.Edges(s) {
						if e.Label == omega.False || int(e.Dst) >= b.NumStates() {
							t.Fatalf("seed %d, automaton %d: edge %+v", seed, i, e)
						}
					}
				}
				if b.Acceptance().Condition.Used() > b.Acceptance().Sets {
					t.Fatalf("seed %d, automaton %d: acceptance %s", seed, i, b.Acceptance())
				}
				if before.StateMarks && before.HasStateMarks() && !b.HasStateMarks() {
					t.Fatalf("seed %d, automaton %d: the marks are not on states any more", seed, i)
				}
				if a == nil || r.IntN(50) == 0 {
					a = b
				}
			}
			if steps++; steps > 1000 {
				t.Fatalf("seed %d, automaton %d: no end", seed, i)
			}
			if a == nil && (before.NumStates() > 0 || before.NumEdges() > 0 || before.Alphabet().Len() > 0 || before.Acceptance().Sets > 0) {
				t.Fatalf("seed %d, automaton %d: nothing is smaller than\n%+v", seed, i, before.Plain())
			}
		}
	}
}

// TestStepsFindsCause: what is left is what a property needs, no matter how it is hidden.
func TestStepsFindsCause(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 20 {
		alphabet := omega.NewAlphabet("a", "b", "c")
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(3), random.Options{States: 7, Density: 0.4, Marks: 0.5})
		// The property: some edge has a mark that is in the condition, and needs some proposition.
		holds := func(a *omega.Automaton) bool {
			for s := range omega.State(a.NumStates()) {
				for _, e := range a.Edges(s) {
					if e.Marks != 0 && e.Label != a.Alphabet().True() && a.Acceptance().Condition.Used() > 0 {
						return true
					}
				}
			}
			return false
		}
		if !holds(a) {
			continue
		}
	descent:
		for {
			for b := range shrink.Steps(context.Background(), a) {
				if holds(b) {
					a = b
					continue descent
				}
			}
			break
		}
		want := shrink.Measure{States: 1, Edges: 1, Props: 1, Condition: 2, Branches: 2, Marks: 1, Labels: 1}
		got := shrink.MeasureOf(a)
		if got.Labels == 2 { // !a
			got.Labels = 1
		}
		if got != want {
			t.Errorf("seed %d, automaton %d: %+v left:\n%+v", seed, i, got, a.Plain())
		}
	}
}

func ExampleSteps() {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0), 0)
	for smaller := range shrink.Steps(context.Background(), b.Automaton()) {
		m := shrink.MeasureOf(smaller)
		fmt.Println(m.States, "states", m.Edges, "edges", m.Props, "propositions", smaller.Acceptance(), m.Marks, "marks")
	}
	// Output:
	// 0 states 0 edges 1 propositions 1 Inf(0) 0 marks
	// 1 states 0 edges 0 propositions 1 Inf(0) 0 marks
	// 1 states 1 edges 0 propositions 1 Inf(0) 1 marks
	// 1 states 1 edges 1 propositions 0 f 0 marks
	// 1 states 1 edges 1 propositions 0 t 0 marks
	// 1 states 0 edges 1 propositions 1 Inf(0) 0 marks
	// 1 states 1 edges 1 propositions 1 Inf(0) 0 marks
	// 1 states 1 edges 1 propositions 1 Inf(0) 1 marks
}

// TestStepsLarge: a descent from a large automaton does not go state by state.
func TestStepsLarge(t *testing.T) {
	const seed, n = 3, 300
	alphabet := omega.NewAlphabet("a")
	a := random.Automaton(rand.New(rand.NewPCG(seed, 0)), alphabet, omega.Buchi(), random.Options{States: n, Density: 0.02, Marks: 0.3})
	tried := 0
descent:
	for a.NumStates() > 10 {
		for b := range shrink.Steps(context.Background(), a) {
			if tried++; b.NumStates() > 0 && b.NumEdges() > 0 {
				a = b
				continue descent
			}
		}
		t.Fatalf("seed %d: no end", seed)
	}
	if tried > n {
		t.Errorf("seed %d: %d automata tried", seed, tried)
	}
}
