package omega_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
)

func TestParseWord(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a&!b; b; cycle{!a; 1}", "a&!b; b; cycle{!a; 1}"},
		{"cycle{a}", "cycle{a}"},
		{" cycle { a | b ; } ", ""},
		{"cycle; cycle{cycle & !x}", "cycle; cycle{cycle&!x}"},
		{`"a;b}" & "c{"; cycle{"\"" }`, `"a;b}"&"c{"; cycle{"\""}`},
		{"a -> b; cycle{a xor b};", "!a | b; cycle{!a&b | a&!b}"},
		{"a; cycle{}", ""},
		{"a", ""},
		{"", ""},
		{"; cycle{a}", ""},
		{"cycle{a}; b", ""},
		{"cycle{a", ""},
		{"cycle a}", ""},
		{"a; cycle{cycle{a}}", ""},
		{"0; cycle{a}", ""},
		{"Xa; cycle{a}", ""},
	} {
		w, err := omega.ParseWord(context.Background(), c.in)
		switch {
		case err != nil && c.want != "":
			t.Errorf("%q: %v", c.in, err)
		case err == nil && w.String() != c.want:
			t.Errorf("%q is read as %s, want %q", c.in, w, c.want)
		}
	}
}

// TestConcrete: the word that is chosen fits, and is as short as the same word
// can be written.
func TestConcrete(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a|b; cycle{1}", "!a&b; cycle{!a&!b}"},
		{"a; b; cycle{a; b; a; b}", "cycle{a&!b; !a&b}"},
		{"a; b; b; cycle{a; b}", "a&!b; !a&b; cycle{!a&b; a&!b}"},
		{"a; cycle{a; a; a}", "cycle{a}"},
		{"b; a; cycle{b; b; a}", "cycle{b&!a; !b&a; b&!a}"},
	} {
		w, err := omega.ParseWord(context.Background(), c.in)
		if err != nil {
			t.Fatal(err)
		}
		got := w.Concrete().String()
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

// acceptsByRuns decides membership by brute force for Büchi acceptance: it
// unrolls the word once per state and position more than there are, and looks for
// a marked edge that can be reached again.
func acceptsByRuns(a *omega.Automaton, w *omega.Word) bool {
	size := w.Size()
	next := func(pos int) int {
		if pos+1 == size {
			return len(w.Prefix)
		}
		return pos + 1
	}
	type node struct {
		s   omega.State
		pos int
	}
	reach := func(from []node) map[node]bool {
		seen := map[node]bool{}
		for len(from) > 0 {
			n := from[0]
			from = from[1:]
			for _, e := range a.Edges(n.s) {
				m := node{e.Dst, next(n.pos)}
				if a.Alphabet().Meet(e.Label, w.At(n.pos)) && !seen[m] {
					seen[m] = true
					from = append(from, m)
				}
			}
		}
		return seen
	}
	var start []node
	for _, s := range a.Initial() {
		start = append(start, node{s, 0})
	}
	first := reach(start)
	for _, n := range start {
		first[n] = true
	}
	for n := range first {
		for _, e := range a.Edges(n.s) {
			if e.Marks == 0 || !a.Alphabet().Meet(e.Label, w.At(n.pos)) {
				continue
			}
			m := node{e.Dst, next(n.pos)}
			if m == n || reach([]node{m})[n] {
				return true
			}
		}
	}
	return false
}

// TestAccepts compares membership with brute force, and Reduce with membership.
func TestAccepts(t *testing.T) {
	const seed = 9
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range campaign.Inputs(t, 3000) {
		alphabet := omega.NewAlphabet(sample.Props([]int{1, 2, 7}[i%3])...)
		n := 1 + r.IntN(6)
		a := random.Automaton(r, alphabet, omega.Buchi(), random.Options{States: n, Density: 2.5 / float64(n), Marks: 0.3})
		reduced, err := reduce.Reduce(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if reduced.NumStates() > a.NumStates() {
			t.Fatalf("seed %d, automaton %d: Reduce made %d states of %d", seed, i, reduced.NumStates(), a.NumStates())
		}
		for range 8 {
			w := random.Word(r, alphabet, 3, 4)
			got, err := a.Accepts(context.Background(), w)
			if err != nil || got != acceptsByRuns(a, w) {
				t.Fatalf("seed %d, automaton %d: membership of %s is %v (%v)", seed, i, w, got, err)
			}
			if again, _ := reduced.Accepts(context.Background(), w); again != got {
				t.Fatalf("seed %d, automaton %d: after Reduce, membership of %s is %v", seed, i, w, again)
			}
			if short, _ := a.Accepts(context.Background(), w.Concrete()); short != got {
				t.Fatalf("seed %d, automaton %d: %s written as %s is another word", seed, i, w, w.Concrete())
			}
		}
	}
}

// TestReduceAnyAcceptance: reductions keep the language under every acceptance
// condition.
func TestReduceAnyAcceptance(t *testing.T) {
	const seed = 10
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	smaller := 0
	for i := range campaign.Inputs(t, 3000) {
		sets := 1 + r.IntN(4)
		n := 1 + r.IntN(6)
		a := random.Automaton(r, alphabet, omega.Acceptance{sets, random.Condition(r, sets)}, random.Options{States: n, Density: 2.5 / float64(n), Marks: 0.3})
		b, err := reduce.Reduce(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if b.NumStates() < a.NumStates() {
			smaller++
		}
		for range 10 {
			w := random.Word(r, alphabet, 3, 4)
			x, _ := a.Accepts(context.Background(), w)
			y, _ := b.Accepts(context.Background(), w)
			if x != y {
				t.Fatalf("seed %d, automaton %d (%s): %s: %v, after Reduce %v", seed, i, a.Acceptance(), w, x, y)
			}
		}
	}
	if smaller < campaign.Inputs(t, 500) {
		t.Errorf("only %d automata were reduced", smaller)
	}
}

// TestManyPairs: membership in Rabin and Streett automata does not take time
// exponential in the number of pairs.
func TestManyPairs(t *testing.T) {
	const k = 40
	for name, want := range map[string]bool{"Rabin 40": false, "Streett 40": true} {
		acceptance, err := omega.NamedAcceptance(name)
		if err != nil {
			t.Fatal(err)
		}
		b := omega.NewBuilder(omega.NewAlphabet("a"), acceptance)
		b.AddStates(k)
		b.AddStart(0)
		for s := range omega.State(k) {
			for d := range omega.State(k) {
				b.AddEdge(s, b.Alphabet().True(), b.Marks().Of(2*int(d), 2*int(d)+1), d)
			}
		}
		w, _ := omega.ParseWord(context.Background(), "cycle{a}")
		if got, err := b.Automaton().Accepts(context.Background(), w); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestProperties tests structural properties on automata made for them.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		name  string
		edges [][3]int // from, to, marks; on the letters in which a has the parity of from
		want  string
	}{
		{"one accepting loop", [][3]int{{0, 0, 1}}, "deterministic weak inherently-weak"},
		{"mixed component", [][3]int{{0, 1, 1}, {1, 0, 0}}, "deterministic inherently-weak"},
		{"accepting and rejecting cycle", [][3]int{{0, 0, 1}, {0, 0, 0}}, ""},
		{"two components", [][3]int{{0, 1, 0}, {1, 1, 1}}, "deterministic weak inherently-weak"},
		{"weak component of two", [][3]int{{0, 1, 1}, {1, 0, 1}}, "deterministic weak inherently-weak"},
	} {
		b := omega.NewBuilder(omega.NewAlphabet("a"), omega.Buchi())
		b.AddStates(2)
		b.AddStart(0)
		for _, e := range c.edges {
			b.AddEdge(omega.State(e[0]), b.Alphabet().Prop(0), omega.Marks(e[2]), omega.State(e[1]))
		}
		a := b.Automaton()
		got := ""
		for _, p := range []struct {
			name  string
			holds bool
		}{{"deterministic", a.IsDeterministic()}, {"complete", a.IsComplete()}, {"weak", a.IsWeak()}, {"inherently-weak", inherentlyWeak(a)}} {
			if p.holds {
				got += " " + p.name
			}
		}
		if got != "" {
			got = got[1:]
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func FuzzParseWord(f *testing.F) {
	for _, s := range []string{"a&!b; b; cycle{!a; 1}", `"a;" ; cycle{"}"}`, "cycle{", "a->b;cycle{c}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w, err := omega.ParseWord(context.Background(), s)
		if err != nil || w.Alphabet.Len() > 12 {
			return
		}
		back, err := omega.ParseWord(context.Background(), w.String())
		if err != nil || back.Size() != w.Size() {
			t.Errorf("%q is read as %s, which is read: %v", s, w, err)
		}
	})
}

func ExampleAutomaton_Accepts() {
	// Infinitely many a: one state, the edges with a are marked.
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStart(b.AddState())
	b.AddEdge(0, alphabet.Prop(0), b.Marks().Of(0), 0)
	b.AddEdge(0, alphabet.Not(alphabet.Prop(0)), 0, 0)
	automaton := b.Automaton()
	for _, text := range []string{"cycle{a; !a}", "a; cycle{!a}"} {
		w, _ := omega.ParseWord(context.Background(), text)
		ok, _ := automaton.Accepts(context.Background(), w)
		fmt.Println(w, ok)
	}
	// Output:
	// cycle{a; !a} true
	// a; cycle{!a} false
}

func inherentlyWeak(a *omega.Automaton) bool {
	ok, _ := a.IsInherentlyWeak(context.Background())
	return ok
}

// TestFrom: an automaton with chosen initial states accepts the words that it accepts from these.
func TestFrom(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	ctx := context.Background()
	alphabet := omega.NewAlphabet("a")
	both := [2]int{}
	for i := range n {
		a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1+r.IntN(2)), random.Options{States: 1 + r.IntN(6), Density: 2, Marks: 0.5})
		s, u := omega.State(r.IntN(a.NumStates())), omega.State(r.IntN(a.NumStates()))
		b, err := a.From(s, u)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			w := random.Word(r, alphabet, 3, 3)
			from, err := a.AcceptedFrom(ctx, w)
			if err != nil {
				t.Fatal(err)
			}
			got, err := b.Accepts(ctx, w)
			if err != nil {
				t.Fatal(err)
			}
			if want := from[int(s)*w.Size()] || from[int(u)*w.Size()]; got != want {
				t.Fatalf("seed %d, automaton %d: from %d and %d, %s is accepted: %v, want %v", seed, i, s, u, w, got, want)
			}
			both[map[bool]int{false: 0, true: 1}[got]]++
			if concrete := w.Concrete(); b.Certify(ctx, concrete, accepts(t, b, concrete)) != nil {
				t.Fatalf("seed %d, automaton %d: %s is not certified", seed, i, concrete)
			}
		}
	}
	if both[0] < 50 || both[1] < 50 {
		t.Errorf("%d words rejected, %d accepted: the test is one-sided", both[0], both[1])
	}
	a := random.Automaton(r, alphabet, omega.GeneralizedBuchi(1), random.Options{States: 3})
	for _, s := range []omega.State{-1, 3} {
		if _, err := a.From(s); err == nil {
			t.Errorf("state %d of 3: no error", s)
		}
	}
}

func accepts(t *testing.T, a *omega.Automaton, w *omega.Word) bool {
	t.Helper()
	ok, err := a.Accepts(context.Background(), w)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
