package emptiness_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestUnavoidableMarks compares the generic check with and without its test of unavoidable marks,
// and with brute force, and counts how often both split a component.
func TestUnavoidableMarks(t *testing.T) {
	n, seed := campaign.Seeded(t, 3000, 5)
	r := rand.New(rand.NewPCG(seed, 0))
	var splits [2][2]int // without and with a mark that is on all edges; with the test and without
	more, fewer, brute := 0, 0, 0
	for i := range n {
		acceptance := condition(r)
		for !acceptance.Condition.HasFin() {
			acceptance = condition(r)
		}
		a := randomAutomaton(r, []int{7, 30}[i%2], acceptance, []shape{anyShape, weakShape}[r.IntN(2)])
		everywhere := i / 2 % 2
		if everywhere == 1 {
			a = withMarkEverywhere(a, r)
		}
		with, some, err := emptiness.CheckSplits(context.Background(), a, true)
		if err != nil {
			t.Fatal(err)
		}
		without, others, err := emptiness.CheckSplits(context.Background(), a, false)
		if err != nil {
			t.Fatal(err)
		}
		if with.Empty() != without.Empty() {
			t.Fatalf("seed %d, automaton %d (%s): empty %v with the test, %v without", seed, i, acceptance, with.Empty(), without.Empty())
		}
		if a.NumStates() <= 7 && acceptance.Sets <= 8 {
			brute++
			if acceptsSomething(a) == with.Empty() {
				t.Fatalf("seed %d, automaton %d (%s): empty %v, not by brute force", seed, i, acceptance, with.Empty())
			}
		}
		if !with.Empty() {
			if err := replay(a, with.Run); err != nil {
				t.Fatalf("seed %d, automaton %d (%s): %v", seed, i, acceptance, err)
			}
		}
		splits[everywhere][0] += some
		splits[everywhere][1] += others
		if some > others {
			more++
		} else if some < others {
			fewer++
		}
	}
	t.Logf("seed %d: %d automata, %d by brute force: %d splits with the test, %d without; with a mark on all edges %d and %d; fewer in %d, more in %d",
		seed, n, brute, splits[0][0], splits[0][1], splits[1][0], splits[1][1], fewer, more)
	if splits[0][0] > splits[0][1] || splits[1][0] > splits[1][1] || fewer == 0 || brute < n/10 {
		t.Error("the test of unavoidable marks has no effect, or the automata are too large")
	}
}

// withMarkEverywhere returns a with one mark on each edge.
func withMarkEverywhere(a *omega.Automaton, r *rand.Rand) *omega.Automaton {
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	mark := b.Marks().Of(r.IntN(a.Acceptance().Sets))
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			b.AddEdge(s, e.Label, b.Marks().Union(b.Marks().Of(a.Marks().AppendTo(nil, e.Marks)...), mark), e.Dst)
		}
	}
	return b.Automaton()
}
