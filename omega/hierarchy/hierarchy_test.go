package hierarchy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/hierarchy"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// TestClass compares the classes of small deterministic automata with what their
// definition says of all their cycles, which are all sets of edges that are strongly
// connected.
func TestClass(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	seen := map[ltl.Class]int{}
	for range campaign.Inputs(t, 2000) {
		acceptance := omega.Parity("parity min odd", 1+r.IntN(4))
		if r.IntN(4) == 0 {
			acceptance = omega.Buchi()
		}
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: 1 + r.IntN(4), Density: 1, Marks: 0.4, Deterministic: true})
		a, err := omega.Explore(context.Background(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a, err = convert.Complete(context.Background(), a); err != nil {
			t.Fatal(err)
		}
		got, err := hierarchy.Of(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if want := classByCycles(a); got != want {
			t.Fatalf("seed %d: %v, want %v:\n%v", seed, got, want, a)
		}
		seen[got]++
	}
	for c := ltl.Bottom; c <= ltl.Reactivity; c++ {
		if seen[c] == 0 {
			t.Errorf("only %d automata are %v", seen[c], c)
		}
	}
}

// classByCycles looks at every cycle, and at every pair of them.
func classByCycles(a *omega.Automaton) ltl.Class {
	type edge struct {
		src, dst omega.State
		marks    omega.Marks
	}
	var edges []edge
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			edges = append(edges, edge{s, e.Dst, e.Marks})
		}
	}
	reach := make([][]bool, a.NumStates())
	for s := range reach {
		reach[s] = make([]bool, a.NumStates())
		reach[s][s] = true
	}
	for range reach {
		for _, e := range edges {
			for s := range reach {
				reach[s][e.dst] = reach[s][e.dst] || reach[s][e.src]
			}
		}
	}
	type cycle struct {
		set       int
		at        omega.State
		accepting bool
	}
	var cycles []cycle
	for set := 1; set < 1<<len(edges); set++ {
		var of []edge
		var marks omega.Marks
		for i, e := range edges {
			if set>>i&1 != 0 {
				of = append(of, e)
				marks = a.Marks().Union(marks, e.marks)
			}
		}
		// All edges can be reached from the end of each by edges of the set.
		connected := true
		for _, from := range of {
			inside := map[omega.State]bool{from.dst: true}
			for range of {
				for _, e := range of {
					if inside[e.src] {
						inside[e.dst] = true
					}
				}
			}
			for _, e := range of {
				connected = connected && inside[e.src]
			}
		}
		if connected {
			cycles = append(cycles, cycle{set, of[0].src, a.Acceptance().Condition.Eval(a.Marks(), marks)})
		}
	}
	recurrence, persistence, safety, guarantee := true, true, true, true
	for _, c := range cycles {
		for _, d := range cycles {
			if c.accepting == d.accepting {
				continue
			}
			if c.set|d.set == d.set { // c is in d
				recurrence = recurrence && !c.accepting
				persistence = persistence && c.accepting
			}
			if reach[c.at][d.at] {
				safety = safety && c.accepting
				guarantee = guarantee && !c.accepting
			}
		}
	}
	switch {
	case safety && guarantee:
		return ltl.Bottom
	case safety:
		return ltl.Safety
	case guarantee:
		return ltl.Guarantee
	case recurrence && persistence:
		return ltl.Obligation
	case recurrence:
		return ltl.Recurrence
	case persistence:
		return ltl.Persistence
	}
	return ltl.Reactivity
}

// TestCommentClasses: the examples in the comment on Of.
func TestCommentClasses(t *testing.T) {
	const (
		one = "States: 1 Start: 0 AP: 1 \"a\" Acceptance: 1 %s(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--"
		two = "States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 %s(0) --BODY-- State: 0 [0] 0 {0} [!0] 1 State: 1 [t] 1 --END--"
	)
	for _, x := range []struct{ text, leaf, want string }{
		{one, "Inf", "recurrence"}, {one, "Fin", "persistence"}, {two, "Inf", "safety"}, {two, "Fin", "guarantee"},
	} {
		a, _, err := hoa.ReadOne(t.Context(), fmt.Appendf(nil, "HOA: v1 "+x.text, x.leaf))
		if err != nil {
			t.Fatal(err)
		}
		if class, err := hierarchy.Of(t.Context(), a); err != nil || class.String() != x.want {
			t.Errorf("%s with %s: %v, %v, want %s", x.text, x.leaf, class, err, x.want)
		}
	}
}

func ExampleOf() {
	alphabet := omega.NewAlphabet("a")
	a := alphabet.Prop(0)
	b := omega.NewBuilder(alphabet, omega.Buchi())
	s := b.AddState()
	b.AddStart(s)
	b.AddEdge(s, a, b.Marks().Of(0), s)
	b.AddEdge(s, alphabet.Not(a), 0, s)
	class := must.Get(hierarchy.Of(context.Background(), b.Automaton()))
	fmt.Println("GFa:", class, class.Within())
	// Output: GFa: recurrence [recurrence reactivity]
}
