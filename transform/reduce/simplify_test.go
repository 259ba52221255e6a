package reduce

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// sameLanguage compares membership of random words.
func sameLanguage(t *testing.T, r *rand.Rand, a, b *omega.Automaton, words int, name string) {
	t.Helper()
	for range words {
		w := random.Word(r, a.Alphabet(), 3, 4)
		x, err := a.Accepts(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
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
		condition, err := omega.ParseCondition(c.condition)
		if err != nil {
			t.Fatal(err)
		}
		b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Acceptance{Sets: c.sets, Condition: condition})
		b.AddStart(0)
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
