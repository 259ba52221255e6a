package omega_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// TestBuilderRefuses: a call panics, with the state, if it gets one that the Builder does not have.
func TestBuilderRefuses(t *testing.T) {
	for name, call := range map[string]func(b *omega.Builder, all omega.Label){
		"an edge from -1": func(b *omega.Builder, all omega.Label) { b.AddEdge(-1, all, 0, 0) },
		"an edge from 5":  func(b *omega.Builder, all omega.Label) { b.AddEdge(5, all, 0, 0) },
		"an edge to 5":    func(b *omega.Builder, all omega.Label) { b.AddEdge(0, all, 0, 5) },
		"an edge to -1":   func(b *omega.Builder, all omega.Label) { b.AddEdge(0, all, 0, -1) },
		"a start in 5":    func(b *omega.Builder, all omega.Label) { b.AddStart(5) },
		"a start in -1":   func(b *omega.Builder, all omega.Label) { b.AddStart(-1) },
		"a set with -1":   func(b *omega.Builder, all omega.Label) { b.Universal([]omega.State{-1, 0}) },
		"a set with 5":    func(b *omega.Builder, all omega.Label) { b.AddStart(b.Universal([]omega.State{0, 5})) },
	} {
		alphabet := omega.NewAlphabet("a")
		b := omega.NewBuilder(alphabet, omega.Acceptance{})
		b.AddState()
		func() {
			defer func() {
				state := name[strings.LastIndexByte(name, ' ')+1:]
				if text, _ := recover().(string); !strings.HasPrefix(text, "omega: there is no state "+state+" in a Builder of 1 states") {
					t.Errorf("%s: %q", name, text)
				}
			}()
			call(b, alphabet.True())
		}()
	}
}

// measured returns a random automaton with few marks, so that components of all
// strengths are frequent, some of its states unreachable, and some edges to several
// states if it may be alternating.
func measured(r *rand.Rand, alternating bool) *omega.Automaton {
	alphabet := omega.NewAlphabet([]string{"a", "b", "c", "d", "e", "f", "g"}[:[]int{0, 1, 2, 7}[r.IntN(4)]]...)
	sets := r.IntN(4)
	b := omega.NewBuilder(alphabet, omega.Acceptance{sets, random.Condition(r, sets, 0)})
	n := 1 + r.IntN(5)
	b.AddStates(n)
	for range []int{0, 1, 1, 1, 2}[r.IntN(5)] {
		b.AddStart(omega.State(r.IntN(n)))
	}
	marked, onStates := r.Float64(), r.IntN(2) == 0
	marks := func() omega.Marks {
		var list []int
		for i := range sets {
			if r.Float64() < marked {
				list = append(list, i)
			}
		}
		return b.Marks().Of(list...)
	}
	for s := range omega.State(n) {
		m := marks()
		for range r.IntN(4) {
			label := alphabet.True()
			if k := alphabet.Len(); k > 0 && r.IntN(3) > 0 {
				label = alphabet.Prop(r.IntN(k))
				if r.IntN(2) == 0 {
					label = alphabet.Not(label)
				}
			}
			if !onStates {
				m = marks()
			}
			dst := omega.State(r.IntN(n))
			if alternating && r.IntN(3) == 0 {
				dst = b.Universal([]omega.State{dst, omega.State(r.IntN(n))})
			}
			b.AddEdge(s, label, m, dst)
		}
	}
	return b.Automaton()
}

func letters(alphabet *omega.Alphabet) (list []omega.Label) {
	for v := range 1 << alphabet.Len() {
		letter := make(omega.Letter, alphabet.Len())
		for i := range letter {
			letter[i] = v>>i&1 != 0
		}
		list = append(list, alphabet.LetterLabel(letter))
	}
	return list
}

// paths returns which states can be reached from which by at least one edge (Warshall
// 1962).
func paths(a *omega.Automaton) [][]bool {
	n := a.NumStates()
	to := make([][]bool, n)
	for s := range n {
		to[s] = make([]bool, n)
		for _, e := range a.Edges(omega.State(s)) {
			for _, t := range a.Universal(e.Dst) {
				to[s][t] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				to[i][j] = to[i][j] || to[i][k] && to[k][j]
			}
		}
	}
	return to
}

// reachedBy is reached, from the paths.
func reachedBy(a *omega.Automaton, to [][]bool) []bool {
	reached := make([]bool, a.NumStates())
	for _, start := range a.Initial() {
		for _, s := range a.Universal(start) {
			for t := range reached {
				reached[t] = reached[t] || int(s) == t || to[s][t]
			}
		}
	}
	return reached
}

// componentOf returns the states of the component of s.
func componentOf(s int, to [][]bool) (list []int) {
	for t := range to {
		if t == s || to[s][t] && to[t][s] {
			list = append(list, t)
		}
	}
	return list
}

// TestStatistics: the sizes are those that are found by looking at each letter for itself.
func TestStatistics(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 2000) {
		a := measured(r, i%3 == 0)
		to := paths(a)
		reached := reachedBy(a, to)
		var want omega.Statistics
		want.Props, want.Sets, want.Alternating, want.Acceptance = a.Alphabet().Len(), a.Acceptance().Sets, a.Alternating(), cmp.Or(a.Acceptance().Name(), a.Acceptance().String())
		want.Complete, want.StateMarks, want.VeryWeak = len(a.Initial()) > 0, true, true
		for s, ok := range reached {
			if !ok {
				want.Unreachable++
				continue
			}
			want.States++
			same := componentOf(s, to)
			if same[0] == s {
				want.Components++
				want.Largest = max(want.Largest, len(same))
			}
			edges := a.Edges(omega.State(s))
			nondet := map[int]bool{}
			for _, v := range letters(a.Alphabet()) {
				var on []int
				for k, e := range edges {
					if a.Alphabet().Meet(v, e.Label) {
						on = append(on, k)
					}
				}
				want.Transitions += float64(len(on))
				want.Complete = want.Complete && len(on) > 0
				for _, k := range on {
					nondet[k] = nondet[k] || len(on) > 1
				}
			}
			some := 0
			for _, yes := range nondet {
				if yes {
					some++
				}
			}
			want.NondetEdges += some
			want.NondetStates += min(some, 1)
			for k, e := range edges {
				want.Edges++
				want.Universal += min(len(a.Universal(e.Dst))-1, 1)
				want.StateMarks = want.StateMarks && e.Marks == edges[0].Marks
				for _, f := range edges[:k] {
					both := len(componentOf(s, to)) == 1
					for _, x := range []omega.Edge{e, f} {
						loops := false
						for _, u := range a.Universal(x.Dst) {
							loops = loops || int(u) == s
						}
						both = both && loops
					}
					want.VeryWeak = want.VeryWeak && !(both && e.Marks != f.Marks)
				}
			}
		}
		want.VeryWeak = want.VeryWeak && want.Largest <= 1
		want.Deterministic = len(a.Initial()) <= 1 && want.NondetStates == 0 && !a.Alternating()
		got := must.Get(a.Statistics(t.Context()))
		if got != want {
			t.Fatalf("seed %d, automaton %d:\ngot  %+v\nwant %+v", seed, i, got, want)
		}
		if got.Unreachable == 0 && (got.Complete != a.IsComplete() || got.StateMarks != a.HasStateMarks() || got.VeryWeak != (a.IsWeak() && got.Largest <= 1) ||
			got.Transitions != a.Transitions() || a.IsDeterministic() != got.Deterministic) {
			t.Fatalf("seed %d, automaton %d: %+v is not what the tests of properties say", seed, i, got)
		}
	}
}

// walks returns the sets of marks that the closed walks within the component of s see,
// those from s to s: they pass all states of the component if they are long enough.
func walks(a *omega.Automaton, s int, to [][]bool) map[omega.Marks]bool {
	type at struct {
		s    int
		seen omega.Marks
	}
	found := map[omega.Marks]bool{}
	done := map[at]bool{{s, 0}: true}
	stack := []at{{s, 0}}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range a.Edges(omega.State(x.s)) {
			y := at{int(e.Dst), a.Marks().Union(x.seen, e.Marks)}
			if !to[y.s][s] {
				continue
			}
			if y.s == s {
				found[y.seen] = true
			}
			if !done[y] {
				done[y] = true
				stack = append(stack, y)
			}
		}
	}
	return found
}

// TestStrength: the classes are those that are found by enumerating all sets of marks
// that closed walks see.
func TestStrength(t *testing.T) {
	seed := campaign.Seed(t, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	var sum omega.Strength
	for i := range campaign.Inputs(t, 3000) {
		a := measured(r, false)
		to := paths(a)
		var want omega.Strength
		for s, ok := range reachedBy(a, to) {
			component := componentOf(s, to)
			if !ok || component[0] != s {
				continue
			}
			if !to[s][s] {
				want.Nonaccepting++
				want.Transient++
				continue
			}
			accepting, rejecting, weak, complete := false, false, true, true
			var first *omega.Marks
			for _, q := range component {
				for seen := range walks(a, q, to) {
					if a.Acceptance().Condition.Eval(a.Marks(), seen) {
						accepting = true
					} else {
						rejecting = true
					}
				}
				for _, v := range letters(a.Alphabet()) {
					stays := false
					for _, e := range a.Edges(omega.State(q)) {
						if int(e.Dst) == s || to[s][e.Dst] && to[e.Dst][s] {
							stays = stays || a.Alphabet().Meet(v, e.Label)
							if first == nil {
								first = &e.Marks
							}
							weak = weak && e.Marks == *first
						}
					}
					complete = complete && stays
				}
			}
			switch {
			case !accepting:
				want.Nonaccepting++
			case weak && complete:
				want.Terminal++
			case weak:
				want.Weak++
			default:
				want.Strong++
				if rejecting {
					want.Mixed++
				}
			}
		}
		// An automaton is as strong as its strongest component.
		want.Class = "terminal"
		if want.Weak > 0 {
			want.Class = "weak"
		}
		if want.Strong > 0 {
			want.Class = "strong"
		}
		got, err := a.Strength(t.Context())
		if err != nil || got != want {
			t.Fatalf("seed %d, automaton %d:\ngot  %+v, %v\nwant %+v", seed, i, got, err, want)
		}
		sum.Terminal += got.Terminal
		sum.Weak += got.Weak
		sum.Strong += got.Strong - got.Mixed
		sum.Mixed += got.Mixed
		sum.Nonaccepting += got.Nonaccepting - got.Transient
	}
	if min(sum.Terminal, sum.Weak, sum.Strong, sum.Mixed, sum.Nonaccepting) == 0 {
		t.Errorf("some class has never been met: %+v", sum)
	}
}

// TestStrengthEnds: no numbers are given where there are none.
func TestStrengthEnds(t *testing.T) {
	b := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	if _, err := b.Automaton().Strength(t.Context()); !errors.Is(err, omega.ErrAlternating) {
		t.Errorf("alternating: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := measured(rand.New(rand.NewPCG(1, 1)), false).Strength(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestManyPropositions: the number of transitions is a number, whatever there are of
// propositions.
func TestManyPropositions(t *testing.T) {
	for _, n := range []int{0, 1, 6, 7, 64, 900, 2000} {
		var props []string
		for i := range n {
			props = append(props, fmt.Sprint("p", i))
		}
		b := omega.NewBuilder(omega.NewAlphabet(props...), omega.Buchi())
		s := b.AddState()
		b.AddStart(s)
		b.AddEdge(s, b.Alphabet().True(), 0, s)
		if got, want := must.Get(b.Automaton().Statistics(t.Context())).Transitions, math.Ldexp(1, min(n, 900)); got != want {
			t.Errorf("%d propositions: %g transitions, want %g", n, got, want)
		}
	}
}

// TestLimits: zero is the default, and a negative number no limit.
func TestLimits(t *testing.T) {
	a := omega.NewBuilder(omega.NewAlphabet(), omega.Buchi())
	a.AddStates(1_000_001) // one more than the default
	for s := range omega.State(1_000_000) {
		a.AddEdge(s, a.Alphabet().True(), 0, s+1)
	}
	a.AddStart(0)
	line := a.Automaton()
	for _, c := range []struct {
		macrostates int
		want        string
	}{{0, "limit of 1000000 states"}, {-1, "<nil>"}, {5, "limit of 5 states"}, {1_000_001, "<nil>"}} {
		if _, err := omega.Explore(t.Context(), line, omega.Limits{Macrostates: c.macrostates}); fmt.Sprint(err) != c.want {
			t.Errorf("%d: %v, want %s", c.macrostates, err, c.want)
		}
	}
	limits := omega.Limits{Time: -1, Memory: 7}.WithDefaults()
	if limits.Time != -1 || limits.Memory != 7 || limits.ProductStates != 10_000_000 || limits.WordSteps != 200_000_000 {
		t.Errorf("%+v", limits)
	}
}
