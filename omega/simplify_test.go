package omega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/campaign"
)

// conditions are those that tests reduce automata with.
var conditions = []string{"all", "none", "Buchi", "Buchi", "co-Buchi", "generalized-Buchi 2", "generalized-Buchi 3",
	"generalized-co-Buchi 2", "Rabin 1", "Rabin 2", "Streett 1", "Streett 2", "generalized-Rabin 2 1 2",
	"parity min even 4", "parity max odd 3", "generalized-Buchi 70", "Rabin 40"}

// randomAutomaton returns a small random automaton with a named condition or a
// random one, in which marks may occur several times.
func randomAutomaton(r *rand.Rand, alphabet *Alphabet) *Automaton {
	acceptance, _ := NamedAcceptance(conditions[r.IntN(len(conditions))])
	if r.IntN(3) == 0 {
		n := 1 + r.IntN(5)
		acceptance = Acceptance{n, RandomCondition(r, n)}
		if r.IntN(2) == 0 {
			acceptance.Condition = AnyOf(AllOf(acceptance.Condition, RandomCondition(r, n)), RandomCondition(r, n))
		}
	}
	n := 1 + r.IntN(8)
	o := RandomOptions{States: n, Density: (0.3 + 2.5*r.Float64()) / float64(n), Marks: []float64{0.1, 0.3, 0.6, 0.9}[r.IntN(4)]}
	if acceptance.Sets > 64 {
		o.Marks = []float64{0.02, 0.9, 0.98}[r.IntN(3)]
	}
	o.StateMarks = r.IntN(4) == 0
	return Random(r, alphabet, acceptance, o)
}

// sameLanguage compares membership of random words.
func sameLanguage(t *testing.T, r *rand.Rand, a, b *Automaton, words int, name string) {
	t.Helper()
	for range words {
		w := RandomWord(r, a.alphabet, 3, 4)
		x, err := a.Accepts(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		if y, err := b.Accepts(context.Background(), w); err != nil || x != y {
			t.Fatalf("%s: %s: %s is accepted: %v; after that, with %s: %v (%v)", name, a.acceptance, w, x, b.acceptance, y, err)
		}
	}
}

// TestSimplified: each step keeps the language, for every kind of acceptance.
func TestSimplified(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	n, fewer := campaign.Inputs(t, 3000), 0
	for i := range n {
		alphabet := NewAlphabet(props([]int{1, 2, 7}[i%3])...)
		a := randomAutomaton(r, alphabet)
		name := fmt.Sprintf("seed %d, automaton %d", seed, i)
		w := newReducer(context.Background())
		u := a.useful(w)
		b := u.simplified(w)
		if w.Err() != nil || b.NumStates() != u.NumStates() || b.acceptance.Sets > a.acceptance.Sets+1 {
			t.Fatalf("%s: %v; %d sets become %d", name, w.Err(), a.acceptance.Sets, b.acceptance.Sets)
		}
		if b.acceptance.Sets < u.acceptance.Sets {
			fewer++
		}
		if a.acceptance.Name() == "Buchi" && b.acceptance.Name() != "Buchi" {
			t.Fatalf("%s: Büchi becomes %s", name, b.acceptance)
		}
		if inherentlyWeak(a) && !b.IsWeak() {
			t.Fatalf("%s: %s, inherently weak, does not become weak", name, a.acceptance)
		}
		if b.acceptance.Condition.Used() > b.acceptance.Sets || b.marks.Sets() != b.acceptance.Sets {
			t.Fatalf("%s: %d marks in a table of %d for %s", name, b.acceptance.Sets, b.marks.Sets(), b.acceptance.Condition)
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
		condition, err := ParseCondition(c.condition)
		if err != nil {
			t.Fatal(err)
		}
		b := NewBuilder(NewAlphabet("a"), Acceptance{c.sets, condition})
		b.AddStart(0)
		for _, e := range c.edges {
			b.AddStates(max(e[0], e[1]) + 1)
			b.AddEdge(State(e[0]), b.Alphabet().True(), Marks(e[2]), State(e[1]))
		}
		a := b.Automaton()
		got := a.simplified(unbounded())
		if s := got.Acceptance().String(); s != c.want {
			// The order of a conjunction or disjunction is not what is tested.
			if p, _ := ParseCondition(c.want[2:]); !got.acceptance.Same(Acceptance{int(c.want[0] - '0'), p}) {
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
		alphabet := NewAlphabet(props([]int{1, 2, 7}[i%3])...)
		a := randomAutomaton(r, alphabet)
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
	for i := range 6000 {
		alphabet := NewAlphabet(props(1 + i%2)...)
		acceptance, _ := NamedAcceptance([]string{"Buchi", "Buchi", "Buchi", "co-Buchi", "Rabin 1", "Streett 1"}[r.IntN(6)])
		a := Random(r, alphabet, acceptance, RandomOptions{States: 1 + r.IntN(8), Density: 0.4 + 0.6*r.Float64(), Marks: []float64{0.3, 0.8}[r.IntN(2)], Deterministic: true})
		d := a.delayed(unbounded())
		if d.NumStates() < a.NumStates() {
			merged++
		}
		b, err := Reduce(context.Background(), a)
		if err != nil || !d.IsDeterministic() || !b.IsDeterministic() {
			t.Fatalf("seed %d, automaton %d: %v; deterministic after delayed simulation: %v; after all: %v", seed, i, err, d.IsDeterministic(), b.IsDeterministic())
		}
		sameLanguage(t, r, a, b, 4, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
	if merged < 300 {
		t.Errorf("states were merged in %d automata only", merged)
	}
}

func identical(a, b *Automaton) bool {
	if a.NumStates() != b.NumStates() || a.NumEdges() != b.NumEdges() || len(a.start) != len(b.start) ||
		a.acceptance.String() != b.acceptance.String() {
		return false
	}
	for i := range a.start {
		if a.start[i] != b.start[i] {
			return false
		}
	}
	for i := range a.edges {
		if a.edges[i] != b.edges[i] {
			return false
		}
	}
	for i := range a.first {
		if a.first[i] != b.first[i] {
			return false
		}
	}
	return true
}
