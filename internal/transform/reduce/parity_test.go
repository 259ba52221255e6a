package reduce

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// cycles calls f for each set of edges, as a bit set, that some closed walk uses: each edge's
// source can be reached from its destination within the set.
func cycles(a *omega.Automaton, f func(set uint)) {
	var source []omega.State
	for s := range omega.State(a.NumStates()) {
		source = append(source, slices.Repeat([]omega.State{s}, len(a.Edges(s)))...)
	}
	edges := allEdges(a)
	for set := uint(1); set < 1<<len(edges); set++ {
		reach := newRelation(a.NumStates())
		for range a.NumStates() {
			for i, e := range edges {
				if set>>i&1 == 0 {
					continue
				}
				reach.add(source[i], e.Dst)
				for s := range omega.State(a.NumStates()) {
					if reach.has(e.Dst, s) {
						reach.add(source[i], s)
					}
				}
			}
		}
		closed := true
		for i, e := range edges {
			for j := range edges {
				if set>>i&1 != 0 && set>>j&1 != 0 && e.Dst != source[j] && !reach.has(e.Dst, source[j]) {
					closed = false
				}
			}
		}
		if closed {
			f(set)
		}
	}
}

func allEdges(a *omega.Automaton) (list []omega.Edge) {
	for s := range omega.State(a.NumStates()) {
		list = append(list, a.Edges(s)...)
	}
	return list
}

func greatest(priority []int32, set uint) int32 {
	top := int32(-1)
	for i, p := range priority {
		if set>>i&1 != 0 {
			top = max(top, p)
		}
	}
	return top
}

// TestLeastPriorities: no cycle becomes accepting or rejecting, and no other way to
// achieve that has a smaller greatest priority.
func TestLeastPriorities(t *testing.T) {
	const seed = 23
	alphabet := omega.NewAlphabet("a")
	compared := 0
	for i := range 400 {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		acceptance, _ := omega.NamedAcceptance([]string{"parity max even 4", "parity min odd 4", "parity max odd 3", "Buchi"}[r.IntN(4)])
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: 1 + r.IntN(4), Density: 0.3, Marks: 0.4})
		if a.NumEdges() > 7 {
			continue
		}
		compared++
		before := a.Priorities()
		after := leastPriorities(a, budget.Free())
		var sets []uint
		cycles(a, func(set uint) { sets = append(sets, set) })
		top, used := int32(-1), uint(0)
		for _, set := range sets {
			accepts := acceptance.Condition.Eval(a.Marks(), marksOf(a, set))
			if (greatest(before, set)%2 == 0) != accepts || (greatest(after, set)%2 == 0) != accepts {
				t.Fatalf("seed %d, automaton %d: the cycle %b of %v is accepting: %v; priorities %v, then %v", seed, i, set, allEdges(a), accepts, before, after)
			}
			top, used = max(top, greatest(after, set)), used|set
		}
		for k := range a.NumEdges() {
			if (after[k] >= 0) != (used>>k&1 != 0) {
				t.Fatalf("seed %d, automaton %d: edge %d has priority %d", seed, i, k, after[k])
			}
		}
		if top > 0 && possible(before, sets, top) {
			t.Fatalf("seed %d, automaton %d: priorities %v for %v, but less would do", seed, i, after, before)
		}
	}
	if compared < 100 {
		t.Errorf("only %d automata were small enough", compared)
	}
}

func marksOf(a *omega.Automaton, set uint) omega.Marks {
	var m omega.Marks
	for i, e := range allEdges(a) {
		if set>>i&1 != 0 {
			m |= e.Marks
		}
	}
	return m
}

// possible reports whether priorities below top can do what others do on all sets.
func possible(priority []int32, sets []uint, top int32) bool {
	try := make([]int32, len(priority))
	var next func(i int) bool
	next = func(i int) bool {
		if i < len(try) {
			for try[i] = 0; try[i] < top; try[i]++ {
				if next(i + 1) {
					return true
				}
			}
			return false
		}
		for _, set := range sets {
			if greatest(try, set)%2 != greatest(priority, set)%2 {
				return false
			}
		}
		return true
	}
	return next(0)
}

// TestFormsCanceled cancels at several points of what brings automata to a form.
func TestFormsCanceled(t *testing.T) {
	const seed = 25
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet(sample.Props(2)...)
	general := random.Automaton(r, alphabet, omega.GeneralizedBuchi(4), random.Options{States: 150, Density: 0.04, Marks: 0.3})
	parity, _ := omega.NamedAcceptance("parity max even 5")
	deterministic := random.Automaton(r, alphabet, parity, random.Options{States: 75, Density: 0.95, Marks: 0.3, Deterministic: true})
	for name, f := range map[string]func(ctx context.Context) error{
		"Degeneralize": func(ctx context.Context) error {
			_, err := convert.Degeneralize(ctx, general, false, omega.Limits{})
			return err
		},
		"StateBased": func(ctx context.Context) error {
			_, err := convert.StateBased(ctx, general, omega.Limits{})
			return err
		},
		"Complete":     func(ctx context.Context) error { _, err := convert.Complete(ctx, general); return err },
		"ReduceParity": func(ctx context.Context) error { _, err := Parity(ctx, deterministic, false); return err },
	} {
		whole := canceled.Never(context.Background())
		if err := f(whole); err != nil {
			t.Fatal(name, err)
		}
		for _, part := range []int{1, 2, whole.Asked / 3, whole.Asked / 2, whole.Asked - 1} {
			c := canceled.At(context.Background(), part)
			if err := f(c); err != context.Canceled {
				t.Errorf("%s, canceled when asked for the %dth of %d times: %v", name, part, whole.Asked, err)
			}
			if c.Late() > 3 {
				t.Errorf("%s: asked %d times after it was canceled", name, c.Late())
			}
		}
	}
}
