package random_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

func generator(t testing.TB, acceptance string, o random.GeneratorOptions) *random.Generator {
	t.Helper()
	o.Acceptance = must.Get(random.ParsePattern(acceptance))
	if o.MaxStates == 0 {
		o.MinStates, o.MaxStates = 1, 8
	}
	return must.Get(random.NewGenerator(o))
}

func next(g *random.Generator) *omega.Automaton {
	return must.Get(g.Next(context.Background()))
}

// TestGenerator: the automata are what the options say.
func TestGenerator(t *testing.T) {
	for i := range 64 {
		o := random.GeneratorOptions{Seed: uint64(i), Props: []string{"a", "b", "c", "d", "e", "f", "g", "h"}[:i%9], MinStates: 1, MaxStates: 9,
			Density: 0.3, Marks: 0.3, Deterministic: i&1 != 0, StateMarks: i&2 != 0, Colored: i&4 != 0, Functions: i&8 != 0}
		g := generator(t, "random 1..4", o)
		for k := range 20 {
			a := next(g)
			what := fmt.Sprintf("automaton %d of %+v", k, o)
			if n := a.NumStates(); n < 1 || n > 9 || a.Alternating() || len(a.Initial()) != 1 {
				t.Fatalf("%s: %d states, initial %v", what, n, a.Initial())
			}
			whole, err := omega.Explore(context.Background(), a, omega.NoLimits())
			if err != nil || whole.NumStates() != a.NumStates() {
				t.Errorf("%s: %d of %d states can be reached (%v)", what, whole.NumStates(), a.NumStates(), err)
			}
			for s := range omega.State(a.NumStates()) {
				if len(a.Edges(s)) == 0 {
					t.Errorf("%s: state %d has no edges", what, s)
				}
				for _, e := range a.Edges(s) {
					if cover := a.Alphabet().Format(e.Label, func(i int) string { return o.Props[i] }); !o.Functions && !o.Deterministic &&
						len(o.Props) > 0 && (strings.Contains(cover, "|") || strings.Count(cover, "&") != len(o.Props)-1) {
						t.Errorf("%s: label %s is no letter", what, cover)
					}
				}
			}
			if o.Deterministic && !(a.IsDeterministic() && a.IsComplete()) {
				t.Errorf("%s: not deterministic and complete", what)
			}
			if o.StateMarks && !a.HasStateMarks() || o.Colored && !colored(a) {
				t.Errorf("%s: marks", what)
			}
			if n := a.Acceptance().Sets; n < 1 || n > 4 {
				t.Errorf("%s: acceptance %s", what, a.Acceptance())
			}
		}
	}
}

// TestGeneratorDegree: of n states, each has 1 + (n-1)·Density successors on average.
func TestGeneratorDegree(t *testing.T) {
	for _, density := range []float64{0, 0.2, 0.5, 1} {
		g := generator(t, "Buchi", random.GeneratorOptions{Props: []string{"a"}, MinStates: 10, MaxStates: 10, Density: density, Marks: 0.25})
		edges, marked := 0, 0
		const automata = 300
		for range automata {
			a := next(g)
			edges += a.NumEdges()
			for s := range omega.State(10) {
				for _, e := range a.Edges(s) {
					if e.Marks != 0 {
						marked++
					}
				}
			}
		}
		mean, want := float64(edges)/(10*automata), 1+9*density
		if mean < want-0.15 || mean > want+0.15 {
			t.Errorf("density %v: %v successors on average, want %v", density, mean, want)
		}
		if p := float64(marked) / float64(edges); p < 0.2 || p > 0.3 {
			t.Errorf("density %v: %v of the edges marked, want 0.25", density, p)
		}
	}
}

// TestGeneratorReproducible: automaton k depends on the options and k only.
func TestGeneratorReproducible(t *testing.T) {
	o := random.GeneratorOptions{Seed: 7, Props: []string{"a", "b"}, Density: 0.3, Marks: 0.3}
	x, y := generator(t, "random 0..3", o), generator(t, "random 0..3", o)
	o.Seed = 8
	z := generator(t, "random 0..3", o)
	same := 0
	for k := range 50 {
		a, b, c := text(t, next(x)), text(t, next(y)), text(t, next(z))
		if a != b {
			t.Fatalf("automaton %d is\n%s\nand\n%s", k, a, b)
		}
		if a == c {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 50 automata do not depend on the seed", same)
	}
}

// TestGeneratorUnique: no two are isomorphic, all that there are come, and then it says
// that there are no others.
func TestGeneratorUnique(t *testing.T) {
	g := generator(t, "Buchi", random.GeneratorOptions{MinStates: 2, MaxStates: 2, Density: 0.5, Marks: 0.5, Unique: true})
	var all []*omega.Automaton
	for {
		a, err := g.Next(context.Background())
		if err != nil {
			if !strings.Contains(err.Error(), "isomorphism") {
				t.Fatal(err)
			}
			break
		}
		for _, b := range all {
			if bruteIsomorphic(a, b) {
				t.Fatal("isomorphic to one before:\n" + text(t, a))
			}
		}
		all = append(all, a)
	}
	// State 0 has an edge to 1, or edges to 0 and 1; 1 to 0, to 1 or to both: each marked
	// or not. State 0 is initial, so only the names of states could make them the same.
	if want := (2 + 4) * (2 + 2 + 4); len(all) != want {
		t.Errorf("%d automata, want %d", len(all), want)
	}
}

// bruteIsomorphic tries all permutations.
func bruteIsomorphic(a, b *omega.Automaton) bool {
	if a.NumStates() != b.NumStates() || a.Acceptance().String() != b.Acceptance().String() {
		return false
	}
	shape := func(a *omega.Automaton, to []int) string {
		edges := map[string]int{}
		for s := range a.NumStates() {
			for _, e := range a.Edges(omega.State(s)) {
				edges[fmt.Sprint(to[s], e.Label, a.Marks().AppendTo(nil, e.Marks), to[e.Dst])]++
			}
		}
		starts := map[int]bool{}
		for _, s := range a.Initial() {
			starts[to[s]] = true
		}
		return fmt.Sprint(edges, starts)
	}
	identity := make([]int, a.NumStates())
	for i := range identity {
		identity[i] = i
	}
	want := shape(b, identity)
	var try func(to []int, i int) bool
	try = func(to []int, i int) bool {
		if i == len(to) {
			return shape(a, to) == want
		}
		for k := i; k < len(to); k++ {
			to[i], to[k] = to[k], to[i]
			found := try(to, i+1)
			to[i], to[k] = to[k], to[i]
			if found {
				return true
			}
		}
		return false
	}
	return try(identity, 0)
}

// TestIsomorphic compares with all permutations, on copies and on near copies.
func TestIsomorphic(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a")
	yes := 0
	for i := range 400 {
		n := 1 + r.IntN(5)
		o := random.Options{States: n, Density: 0.4, Marks: 0.3}
		a := random.Automaton(r, alphabet, omega.Buchi(), o)
		b := random.Automaton(r, alphabet, omega.Buchi(), o)
		if i%2 == 0 { // a with its states renumbered, and in half of these one edge moved
			p := r.Perm(n)
			build := omega.NewBuilder(alphabet, omega.Buchi())
			build.AddStates(n)
			build.AddStart(omega.State(p[0]))
			for _, k := range r.Perm(n) {
				for j, e := range a.Edges(omega.State(k)) {
					dst := omega.State(p[e.Dst])
					if i%4 == 0 && k == 0 && j == 0 {
						dst = omega.State(r.IntN(n))
					}
					build.AddEdge(omega.State(p[k]), e.Label, e.Marks, dst)
				}
			}
			b = build.Automaton()
		}
		want := bruteIsomorphic(a, b)
		if got := must.Get(isomorphic.Equal(context.Background(), a, b)); got != want {
			t.Fatalf("seed %d, pair %d: Isomorphic is %v, want %v:\n%s%s", seed, i, got, want, text(t, a), text(t, b))
		}
		if want {
			yes++
		}
	}
	if yes < 100 || yes > 300 {
		t.Errorf("%d of 400 pairs are isomorphic: the test is lopsided", yes)
	}
}

func TestAcceptancePatterns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		text string
		want string // conditions, all that there may be
	}{
		{"all", "0 t"},
		{"t", "0 t"},
		{"none", "0 f"},
		{"2", "2 Inf(0) & Inf(1)"},
		{"..2", "1 Inf(0)\n2 Inf(0) & Inf(1)"},
		{"0..1", "0 t\n1 Inf(0)"},
		{"Buchi", "1 Inf(0)"},
		{"co-Buchi", "1 Fin(0)"},
		{"generalized-co-Buchi 1..2", "1 Fin(0)\n2 Fin(0) | Fin(1)"},
		{"Streett 1", "2 Fin(0) | Inf(1)"},
		{"Rabin 1..2", "2 Fin(0) & Inf(1)\n4 Fin(0) & Inf(1) | Fin(2) & Inf(3)"},
		{"generalized-Rabin 2 0..1 0", "2 Fin(0) | Fin(1)\n3 Fin(0) & Inf(1) | Fin(2)"},
		{"parity min even 2", "2 Inf(0) | Fin(1)"},
		{"parity rand even 2", "2 Fin(1) & Inf(0)\n2 Inf(0) | Fin(1)"},
		{"parity max rand 1", "1 Inf(0)\n1 Fin(0)"},
		{"Fin(0) & Inf(2)", "3 Fin(0) & Inf(2)"},
		{"random 1", "1 Inf(0)\n1 Fin(0)"},
	} {
		p, err := random.ParsePattern(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		found := map[string]bool{}
		for range 60 {
			found[p.Random(r).String()] = true
		}
		for _, want := range strings.Split(test.want, "\n") {
			if !found[want] {
				t.Errorf("%s: no %s", test.text, want)
			}
			delete(found, want)
		}
		if len(found) > 0 {
			t.Errorf("%s: unexpected %v", test.text, found)
		}
	}
	p := must.Get(random.ParsePattern("random 3 0.5"))
	twice := 0
	for range 100 {
		count := map[int]int{}
		p.Random(r).Condition.Leaves(func(l *omega.Condition) { count[l.Mark]++ })
		for _, n := range count {
			if n > 1 {
				twice++
			}
		}
	}
	if twice < 50 {
		t.Errorf("random 3 0.5: only %d marks of 300 are used twice", twice)
	}
	for _, text := range []string{"", "Rabbin 2", "Rabin", "Rabin 3..2", "Rabin x", "Rabin 1 2", "generalized-Rabin 1..2 0", "parity min 3", "parity mid even 2",
		"random", "random 2 1", "random 2 x", "Fin(0", "Inf(0)&", "1..99999999", "-1"} {
		if p, err := random.ParsePattern(text); err == nil {
			t.Errorf("%q is read as %s", text, p)
		}
	}
}

// TestGeneratorOptions: what can't be is said.
func TestGeneratorOptions(t *testing.T) {
	good, _ := random.ParsePattern("0..2")
	for _, o := range []random.GeneratorOptions{
		{MinStates: 0, MaxStates: 1, Acceptance: good},
		{MinStates: 2, MaxStates: 1, Acceptance: good},
		{MinStates: 1, MaxStates: 1},
		{MinStates: 1, MaxStates: 1, Acceptance: good, Colored: true},
		{MinStates: 1, MaxStates: 1, Acceptance: good, Density: 1.1},
		{MinStates: 1, MaxStates: 1, Acceptance: good, Marks: -0.1},
	} {
		if _, err := random.NewGenerator(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// colored reports whether each edge carries exactly one mark.
func colored(a *omega.Automaton) bool {
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if len(a.Marks().AppendTo(nil, e.Marks)) != 1 {
				return false
			}
		}
	}
	return true
}

// text shows an automaton.
func text(t testing.TB, a *omega.Automaton) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, a.Acceptance(), a.Initial())
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			fmt.Fprintln(&b, s, a.Alphabet().Format(e.Label, func(i int) string { return a.Alphabet().Props()[i] }), a.Marks().AppendTo(nil, e.Marks), e.Dst)
		}
	}
	return b.String()
}

func ExampleGenerator() {
	acceptance, _ := random.ParsePattern("parity min even 2..3")
	g, _ := random.NewGenerator(random.GeneratorOptions{Seed: 1, Props: []string{"a"}, MinStates: 2, MaxStates: 4,
		Acceptance: acceptance, Density: 0.2, Colored: true, Deterministic: true})
	for range 3 {
		a, _ := g.Next(context.Background())
		fmt.Println(a.NumStates(), "states, acceptance", a.Acceptance(), a.IsDeterministic(), a.IsComplete(), colored(a))
	}
	// Output:
	// 3 states, acceptance 2 Inf(0) | Fin(1) true true true
	// 4 states, acceptance 2 Inf(0) | Fin(1) true true true
	// 4 states, acceptance 2 Inf(0) | Fin(1) true true true
}
