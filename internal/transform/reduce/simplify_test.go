package reduce

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

// sameLanguage compares membership of random words.
func sameLanguage(t *testing.T, r *rand.Rand, a, b *omega.Automaton, words int, name string) {
	t.Helper()
	for range words {
		w := random.Word(r, a.Alphabet(), 3, 4)
		x := must.Get(a.Accepts(context.Background(), w))
		if y, err := b.Accepts(context.Background(), w); err != nil || x != y {
			t.Fatalf("%s: %s: %s is accepted: %v; after that, with %s: %v (%v)", name, a.Acceptance(), w, x, b.Acceptance(), y, err)
		}
	}
}

// TestSimplified: each step keeps the language, for every kind of acceptance.
func TestSimplified(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	n, fewer := campaign.Inputs(t, 3000), 0
	for i := range n {
		alphabet := omega.NewAlphabet(sample.Props([]int{1, 2, 7}[i%3])...)
		a := sample.Automaton(r, alphabet)
		name := fmt.Sprintf("seed %d, automaton %d", seed, i)
		w := newReducer(context.Background())
		u := trim(a, w)
		b := simplified(u, w)
		if w.Err() != nil || b.NumStates() != u.NumStates() || b.Acceptance().Sets > a.Acceptance().Sets+1 {
			t.Fatalf("%s: %v; %d sets become %d", name, w.Err(), a.Acceptance().Sets, b.Acceptance().Sets)
		}
		if b.Acceptance().Sets < u.Acceptance().Sets {
			fewer++
		}
		if a.Acceptance().Name() == "Buchi" && b.Acceptance().Name() != "Buchi" {
			t.Fatalf("%s: Büchi becomes %s", name, b.Acceptance())
		}
		if must.Get(a.IsInherentlyWeak(context.Background())) && !b.IsWeak() {
			t.Fatalf("%s: %s, inherently weak, does not become weak", name, a.Acceptance())
		}
		if b.Acceptance().Condition.Used() > b.Acceptance().Sets || b.Marks().Sets() != b.Acceptance().Sets {
			t.Fatalf("%s: %d marks in a table of %d for %s", name, b.Acceptance().Sets, b.Marks().Sets(), b.Acceptance().Condition)
		}
		sameLanguage(t, r, a, b, 8, name)
	}
	if fewer < n/4 {
		t.Errorf("only %d automata have fewer marks", fewer)
	}
}

// TestSimplifiedCondition: known examples. Each is a strongly connected graph on
// one letter, given as edges from, to, marks.
func TestSimplifiedCondition(t *testing.T) {
	type edge [3]int
	for _, c := range []struct {
		name, condition string
		sets            int
		edges           []edge
		want            string
	}{
		{"everywhere", "Inf(0) & Inf(1)", 2, []edge{{0, 0, 2}, {0, 0, 3}}, "1 Inf(0)"},
		{"nowhere", "Inf(0) | Inf(1)", 2, []edge{{0, 0, 2}, {0, 0, 0}}, "1 Inf(0)"},
		{"together", "Inf(0) & Inf(2) | Fin(1)", 3, []edge{{0, 0, 5}, {0, 0, 2}, {0, 0, 0}}, "2 Fin(1) | Inf(0)"},
		{"within", "Inf(0) & Inf(1)", 2, []edge{{0, 0, 3}, {0, 0, 2}, {0, 0, 0}}, "1 Inf(0)"},
		{"within, Fin", "Fin(0) & Fin(1)", 2, []edge{{0, 0, 3}, {0, 0, 2}, {0, 0, 0}}, "1 Fin(0)"},
		{"not in the condition", "Inf(1)", 3, []edge{{0, 0, 7}, {0, 0, 1}, {0, 0, 4}}, "1 Inf(0)"},
		{"dead pair", "(Fin(0) & Inf(1)) | (Fin(2) & Inf(3))", 4, []edge{{0, 0, 3}, {0, 0, 5}, {0, 0, 9}, {0, 0, 1}}, "2 Fin(0) & Inf(1)"},
		{"all accept", "Fin(0) | Inf(1)", 2, []edge{{0, 1, 1}, {1, 0, 2}}, "0 t"},
		{"none accepts", "Fin(0) & Inf(1)", 2, []edge{{0, 1, 1}, {1, 0, 2}}, "0 f"},
		{"weak", "Fin(0)", 1, []edge{{0, 0, 1}, {0, 1, 0}, {1, 1, 0}}, "1 Inf(0)"},
		{"inherently weak", "Inf(0) & Inf(1)", 2, []edge{{0, 0, 0}, {0, 1, 0}, {1, 2, 1}, {2, 1, 2}}, "1 Inf(0)"},
		{"Büchi that accepts all", "Inf(0)", 1, []edge{{0, 0, 1}}, "1 Inf(0)"},
	} {
		condition := must.Get(omega.ParseCondition(c.condition))
		b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Sets: c.sets, Condition: condition})
		b.AddStart(b.AddState())
		for _, e := range c.edges {
			b.AddStates(max(e[0], e[1]) + 1)
			b.AddEdge(omega.State(e[0]), b.Alphabet().True(), omega.Marks(e[2]), omega.State(e[1]))
		}
		a := b.Automaton()
		got := simplified(a, unbounded())
		if s := got.Acceptance().String(); s != c.want {
			// The order of a conjunction or disjunction is not what is tested.
			if p, _ := omega.ParseCondition(c.want[2:]); !got.Acceptance().Same(omega.Acceptance{Sets: int(c.want[0] - '0'), Condition: p}) {
				t.Errorf("%s: %s becomes %s, want %s", c.name, c.condition, s, c.want)
			}
		}
	}
}

// TestReduceAll: Reduce keeps the language of every kind of automaton, and gives
// the same result each time.
func TestReduceAll(t *testing.T) {
	const seed = 12
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 2000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{1, 2, 7}[i%3])...)
		a := sample.Automaton(r, alphabet)
		name := fmt.Sprintf("seed %d, automaton %d", seed, i)
		b, err := Reduce(context.Background(), a)
		if err != nil || b.NumStates() > a.NumStates() {
			t.Fatalf("%s: %v; %d states become %d", name, err, a.NumStates(), b.NumStates())
		}
		sameLanguage(t, r, a, b, 8, name)
		again, _ := Reduce(context.Background(), a)
		if !identical(again, b) {
			t.Fatalf("%s: another result the second time", name)
		}
	}
}

// TestReduceDeterministic: what is deterministic remains so, after each pass.
func TestReduceDeterministic(t *testing.T) {
	const seed = 13
	r := rand.New(rand.NewPCG(seed, 0))
	merged := 0
	for i := range campaign.Inputs(t, 6000) {
		alphabet := omega.NewAlphabet(sample.Props(1 + i%2)...)
		acceptance, _ := omega.NamedAcceptance([]string{"Buchi", "Buchi", "Buchi", "co-Buchi", "Rabin 1", "Streett 1"}[r.IntN(6)])
		a := random.Automaton(r, alphabet, acceptance, random.Options{States: 1 + r.IntN(8), Density: 0.4 + 0.6*r.Float64(), Marks: []float64{0.3, 0.8}[r.IntN(2)], Deterministic: true})
		d := delayed(a, unbounded())
		if d.NumStates() < a.NumStates() {
			merged++
		}
		b, err := Reduce(context.Background(), a)
		if err != nil || !d.IsDeterministic() || !b.IsDeterministic() {
			t.Fatalf("seed %d, automaton %d: %v; deterministic after delayed simulation: %v; after all: %v", seed, i, err, d.IsDeterministic(), b.IsDeterministic())
		}
		sameLanguage(t, r, a, b, 4, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
	if merged < campaign.Inputs(t, 300) {
		t.Errorf("states were merged in %d automata only", merged)
	}
}

func identical(a, b *omega.Automaton) bool {
	if a.NumStates() != b.NumStates() || !slices.Equal(a.Initial(), b.Initial()) || a.Acceptance().String() != b.Acceptance().String() {
		return false
	}
	for s := range omega.State(a.NumStates()) {
		if !slices.Equal(a.Edges(s), b.Edges(s)) {
			return false
		}
	}
	return true
}

// TestReduceCanceled cancels at several points of each pass. The computation
// must ask often enough, and not once it knows.
func TestReduceCanceled(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	small, large := omega.NewAlphabet(sample.Props(2)...), omega.NewAlphabet(sample.Props(30)...)
	for _, c := range []struct {
		name string
		a    *omega.Automaton
		pass func(*omega.Automaton, *reducer) *omega.Automaton
	}{
		{"trim", Path(20000), trim},
		{"quotient", Path(20000), quotient},
		{"simulation", random.Automaton(r, small, omega.Buchi(), random.Options{States: 150, Density: 0.02, Marks: 0.2}), simulated},
		{"delayed simulation", random.Automaton(r, small, omega.Buchi(), random.Options{States: 150, Density: 0.02, Marks: 0.2}), delayed},
		{"simulation, diagrams", random.Automaton(r, large, omega.Buchi(), random.Options{States: 50, Density: 0.1, Marks: 0.2}), simulated},
	} {
		whole := canceled.Never(context.Background())
		w := newReducer(whole)
		c.pass(c.a, w)
		if w.Err() != nil {
			t.Fatalf("%s: %v", c.name, w.Err())
		}
		if steps := c.a.NumEdges() + c.a.NumStates(); whole.Asked*budget.Interval < steps || whole.Asked < 20 {
			t.Errorf("%s: asks %d times, every %d steps, with %d states and edges", c.name, whole.Asked, budget.Interval, steps)
		}
		for i := 1; i <= 10; i++ {
			ctx := canceled.At(context.Background(), whole.Asked*i/10)
			w := newReducer(ctx)
			c.pass(c.a, w)
			if !errors.Is(w.Err(), context.Canceled) || ctx.Late() > 0 {
				t.Errorf("%s canceled at %d of %d: %v, asked %d times after", c.name, i, 10, w.Err(), ctx.Late())
			}
		}
	}
}

// bisimilar is the definition: rounds over all states until no class is split.
func bisimilar(a *omega.Automaton) []omega.State {
	class := make([]omega.State, a.NumStates())
	for count := 1; ; {
		index := make(map[string]omega.State)
		next := make([]omega.State, len(class))
		for s := range next {
			key := fmt.Sprint(merged(a, nil, class, budget.Free(), omega.State(s)))
			if _, ok := index[key]; !ok {
				index[key] = omega.State(len(index))
			}
			next[s] = index[key]
		}
		class = next
		if len(index) == count || len(class) == 0 {
			return class
		}
		count = len(index)
	}
}

// TestBisimilarity compares the partition with its definition.
func TestBisimilarity(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	merged := 0
	for i := range campaign.Inputs(t, 3000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{0, 1, 7}[i%3])...)
		n := 1 + r.IntN(40)
		a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: n, Density: 1.5 * r.Float64() / float64(n), Marks: 0.1})
		if i%4 == 0 {
			a = sample.Sparse(r, omega.NewAlphabet("a"), n)
		}
		p := bisimilarity(a, true, budget.Free())
		byFirst(p.class)
		want := bisimilar(a)
		if !slices.Equal(p.class, want) {
			t.Fatalf("seed %d, automaton %d: classes %d, want %d", seed, i, p.class, want)
		}
		if n > 0 && int(slices.Max(want))+1 < n {
			merged++
		}
	}
	if merged < campaign.Inputs(t, 300) {
		t.Errorf("only %d automata have bisimilar states", merged)
	}
}

// TestLongQuotient: two paths of 30000 states become one, and the time is not
// quadratic.
func TestLongQuotient(t *testing.T) {
	const n = 30000
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2 * n)
	b.AddStart(0)
	b.AddStart(n)
	for s := range omega.State(2 * n) {
		if s%n == n-1 {
			b.AddEdge(s, alphabet.True(), 1, s)
		} else {
			b.AddEdge(s, alphabet.Prop(0), 0, s+1)
		}
	}
	got, err := Reduce(context.Background(), b.Automaton())
	if err != nil || got.NumStates() != n || len(got.Initial()) != 1 {
		t.Errorf("%v; %d states, of which %d are initial; want %d and 1", err, got.NumStates(), len(got.Initial()), n)
	}
}

// TestReduceAfterCancel: an automaton reduces to the same as if reducing had not
// been canceled before, at any point.
func TestReduceAfterCancel(t *testing.T) {
	const seed = 14
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 100) {
		alphabet := omega.NewAlphabet(sample.Props(7)...)
		a := sample.Overlapping(r, alphabet, omega.Buchi(), 12)
		whole := canceled.Never(context.Background())
		want, _ := Reduce(whole, a)
		for at := 1; at < whole.Asked; at++ {
			fresh := must.Get(a.Over(context.Background(), omega.NewAlphabet(append(sample.Props(7), "new")...)))
			ctx := canceled.At(context.Background(), at)
			if _, err := Reduce(ctx, fresh); err != context.Canceled || ctx.Late() > 0 {
				t.Fatalf("seed %d, automaton %d canceled at %d: %v", seed, i, at, err)
			}
			fresh.Alphabet().Spend(1 << 20) // panics if the labels are still bound
			got, err := Reduce(context.Background(), fresh)
			if err != nil || got.NumStates() != want.NumStates() || got.NumEdges() != want.NumEdges() {
				t.Fatalf("seed %d, automaton %d, canceled at %d: %v", seed, i, at, err)
			}
			sameLanguage(t, r, a, got, 5, fmt.Sprintf("seed %d, automaton %d", seed, i))
		}
	}
}

// TestQuotientOfLabels: where unions of labels would make too many nodes, the quotient takes labels
// for themselves.
func TestQuotientOfLabels(t *testing.T) {
	a := must.Get(Path(3).Over(context.Background(), omega.NewAlphabet(append([]string{"a"}, sample.Props(8)...)...)))
	w := newReducer(context.Background())
	w.noUnion = true
	if q := quotient(a, w); q.NumStates() != 3 || w.Err() != nil {
		t.Errorf("%d states (%v), want 3", q.NumStates(), w.Err())
	}
	const seed = 15
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 1000) {
		a := sample.Overlapping(r, omega.NewAlphabet(sample.Props(7)...), omega.Buchi(), 1+r.IntN(8))
		w := newReducer(context.Background())
		w.noUnion = true
		b := quotient(a, w)
		if coarse := quotient(a, unbounded()); b.NumStates() < coarse.NumStates() {
			t.Fatalf("seed %d, automaton %d: too many states merged", seed, i)
		}
		sameLanguage(t, r, a, b, 4, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
}

// once applies a pass once.
func once(pass func(*omega.Automaton, *reducer) *omega.Automaton) worked.Construction {
	return func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
		w := newReducer(ctx)
		return pass(a, w), w.Err()
	}
}

// TestWorked checks the examples in the comments.
func TestWorked(t *testing.T) {
	const parityMaxEven5 = "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))"
	worked.Check(t, "reduce.go", "1 Inf(0)", "State: 0 [a] 1 [!a] 2 State: 1 [t] 0 {0} State: 2 [a] 0 {0} [!a] 0 {0}",
		"State: 0 [t] 1 State: 1 [t] 0 {0}", once(quotient))
	worked.Check(t, "simplify.go", "2 Inf(0)&Inf(1)", "State: 0 [a] 0 {0 1} [!a] 0 {1}",
		"State: 0 [a] 0 {0} [!a] 0", once(simplified))
	worked.Check(t, "delayed.go", "1 Inf(0)", "State: 0 [t] 1 {0} State: 1 [t] 0",
		"State: 0 [t] 0 {0}", once(delayed))
	worked.Check(t, "simulate.go", "1 Inf(0)", "State: 0 [a] 1 [a] 2 State: 1 [b] 1 {0} State: 2 [t] 2 {0}",
		"State: 0 [a] 2 State: 1 [b] 1 {0} State: 2 [t] 2 {0}", once(simulated))
	worked.Check(t, "deadends.go", "1 Inf(0)", "State: 0 [a] 0 {0} [!a] 1 State: 1 [a] 2 State: 2", "State: 0 [a] 0 {0}",
		func(_ context.Context, a *omega.Automaton) (*omega.Automaton, error) { return WithoutDeadEnds(a), nil })
	worked.Check(t, "states.go", "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 1 {0}", "State: 0 [t] 1 {0} State: 1 [t] 1 {0}", once(settled))
	worked.Check(t, "parity.go", parityMaxEven5, "State: 0 [a] 0 {4} [!a] 0 {1}", "State: 0 [!a] 0 [a] 0 {0}",
		func(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
			return Parity(ctx, a, false)
		})
}

// TestWorkedPriorities checks the example in the comment of leastPriorities.
func TestWorkedPriorities(t *testing.T) {
	const parityMaxEven5 = "5 Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))"
	for states, want := range map[string]string{
		"State: 0 [a] 0 {1} [!a] 0 {4}": "[1 2]",
		"State: 0 [t] 0 {4}":            "[0]",
	} {
		a := worked.Automaton(t, parityMaxEven5, states)
		if got := fmt.Sprint(leastPriorities(a, budget.New(t.Context()))); got != want {
			t.Errorf("%s: priorities %s, want %s", states, got, want)
		}
	}
}
