package convert_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/sample"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// sameLanguage fails the test if some word is accepted by only one of the automata.
// It reports whether that was decided.
func sameLanguage(t *testing.T, what string, a, b *omega.Automaton) bool {
	t.Helper()
	d := productcheck.Decider{}
	d.Limits.Macrostates = 200
	x, y := productcheck.NewLanguage(a), productcheck.NewLanguage(b)
	for range 2 {
		got, err := d.Decide(t.Context(), x.In(), y.Out())
		if err != nil {
			t.Fatal(what, err)
		}
		if got.Undecided != nil {
			return false
		}
		if !got.Empty() {
			t.Fatalf("%s: %s is accepted by only one", what, got.Word)
		}
		x, y = y, x
	}
	return true
}

// stateMarked reports whether all edges of each state carry the same marks.
func stateMarked(a *omega.Automaton) bool {
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if e.Marks != a.Edges(s)[0].Marks {
				return false
			}
		}
	}
	return true
}

// onLetters returns the least and greatest number of edges that a state has on a
// letter.
func onLetters(a *omega.Automaton) (least, most int) {
	least = 1 << 30
	letter := make(omega.Letter, a.Alphabet().Len())
	for s := range omega.State(a.NumStates()) {
		for v := range 1 << len(letter) {
			n := 0
			for i := range letter {
				letter[i] = v>>i&1 != 0
			}
			for _, e := range a.Edges(s) {
				if a.Alphabet().Eval(e.Label, letter) {
					n++
				}
			}
			least, most = min(least, n), max(most, n)
		}
	}
	return least, most
}

// TestForms brings random automata that are not reduced to Büchi acceptance, to marks
// on states, and completes them.
func TestForms(t *testing.T) {
	const seed, cases = 21, 300
	alphabet := omega.NewAlphabet("a", "b")
	undecided := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		deterministic := r.IntN(3) == 0
		a := sample.Named(r, alphabet, deterministic, "all", "none", "Buchi", "generalized-Buchi 2", "generalized-Buchi 3",
			"generalized-Buchi 6", "Streett 1", "Rabin 2", "co-Buchi", "parity max odd 4")
		_, noFin := convert.Clauses(a.Acceptance().Condition, a.Marks())
		for _, form := range []struct {
			name     string
			onStates bool
			buchi    bool
			complete bool
			make     func() (*omega.Automaton, error)
		}{
			{"Degeneralize", false, true, false, func() (*omega.Automaton, error) { return convert.Degeneralize(t.Context(), a, false, omega.Limits{}) }},
			{"Degeneralize on states", true, true, false, func() (*omega.Automaton, error) { return convert.Degeneralize(t.Context(), a, true, omega.Limits{}) }},
			{"StateBased", true, false, false, func() (*omega.Automaton, error) { return convert.StateBased(t.Context(), a, omega.Limits{}) }},
			{"Complete", false, false, true, func() (*omega.Automaton, error) { return convert.Complete(t.Context(), a) }},
		} {
			if form.buchi && !noFin {
				continue
			}
			what := fmt.Sprintf("seed %d, automaton %d (%s): %s", seed, i, a.Acceptance(), form.name)
			b, err := form.make()
			if err != nil {
				t.Fatal(what, err)
			}
			least, most := onLetters(b)
			switch {
			case form.buchi && b.Acceptance().Name() != "Buchi":
				t.Fatalf("%s: acceptance %s", what, b.Acceptance())
			case form.onStates && (!b.StateMarks || !stateMarked(b)):
				t.Fatalf("%s: marks are not on states", what)
			case form.complete && (least == 0 || len(b.Initial()) == 0):
				t.Fatalf("%s: a letter is missing", what)
			case form.complete && stateMarked(a) && !stateMarked(b):
				t.Fatalf("%s: marks are not on states any more", what)
			case deterministic && most > 1:
				t.Fatalf("%s: it is not deterministic any more", what)
			}
			if !sameLanguage(t, what, a, b) {
				undecided++
			}
			if !form.onStates {
				continue
			}
			c, err := reduce.StateBased(t.Context(), b)
			if err != nil {
				t.Fatal(what, err)
			}
			if !c.StateMarks || !stateMarked(c) || c.NumStates() > b.NumStates() {
				t.Fatalf("%s, reduced: marks are not on states, or there are %d states instead of %d", what, c.NumStates(), b.NumStates())
			}
			if _, most := onLetters(c); deterministic && most > 1 {
				t.Fatalf("%s, reduced: it is not deterministic any more", what)
			}
			if !sameLanguage(t, what+", reduced", a, c) {
				undecided++
			}
		}
	}
	if undecided > cases/10 {
		t.Errorf("%d checks were not decided", undecided)
	}
}

// TestReduceParity reduces random deterministic automata: they keep their language,
// and remain deterministic.
func TestReduceParity(t *testing.T) {
	const seed, cases = 22, 600
	before, after := 0, 0
	for i := range cases {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		alphabet := omega.NewAlphabet([]string{"a", "b"}[:1+r.IntN(2)]...)
		a := sample.Named(r, alphabet, true, "all", "none", "Buchi", "co-Buchi", "Streett 1", "Rabin 1", "parity min even 3",
			"parity min odd 3", "parity max even 4", "parity max odd 5", "generalized-co-Buchi 1")
		for _, onStates := range []bool{false, true} {
			what := fmt.Sprintf("seed %d, automaton %d (%s), on states: %v", seed, i, a.Acceptance(), onStates)
			b := a
			var err error
			if onStates {
				if b, err = convert.StateBased(t.Context(), a, omega.Limits{}); err != nil {
					t.Fatal(what, err)
				}
			}
			size := b.NumStates()
			if b, err = reduce.Parity(t.Context(), b, onStates); err != nil {
				t.Fatal(what, err)
			}
			if _, most := onLetters(b); most > 1 || len(b.Initial()) > 1 {
				t.Fatalf("%s: it is not deterministic any more", what)
			}
			if onStates && !stateMarked(b) {
				t.Fatalf("%s: marks are not on states any more", what)
			}
			if b.NumStates() > size {
				t.Fatalf("%s: %d states became %d", what, size, b.NumStates())
			}
			if !sameLanguage(t, what, a, b) {
				t.Fatalf("%s: not decided", what)
			}
			before, after = before+size, after+b.NumStates()
		}
	}
	t.Logf("%d states became %d", before, after)
}

// TestParityNames: the acceptance has the name that the format gives it.
func TestParityNames(t *testing.T) {
	for name, want := range map[string]string{
		"all": "all", "Buchi": "Buchi", "co-Buchi": "co-Buchi",
		"Rabin 1": "parity max even 2", "Streett 1": "parity min even 2",
		"parity max even 3": "parity max even 3", "parity max odd 3": "parity min odd 3",
		"parity min odd 4": "parity max even 4", "parity min even 4": "parity min even 4",
	} {
		// All marks alone, on the loops of one state: each priority is needed.
		acceptance := must.Get(omega.NamedAcceptance(name))
		alphabet := omega.NewAlphabet("a", "b", "c")
		b := omega.NewBuilder(alphabet, acceptance)
		b.AddStart(b.AddState())
		letter := make(omega.Letter, 3)
		for i := range acceptance.Sets + 1 {
			for k := range letter {
				letter[k] = i>>k&1 != 0
			}
			marks := omega.Marks(0)
			if i < acceptance.Sets {
				marks = b.Marks().Of(i)
			}
			b.AddEdge(0, alphabet.LetterLabel(letter), marks, 0)
		}
		a := must.Get(reduce.Parity(t.Context(), b.Automaton(), false))
		if got := a.Acceptance().Name(); got != want {
			t.Errorf("%s became %q (%s), not %q", name, got, a.Acceptance(), want)
		}
	}
}

// TestParityOfWeak: where parity max and min take as many marks, as for what is weak,
// it is Büchi acceptance.
func TestParityOfWeak(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	for _, name := range []string{"Buchi", "co-Buchi", "parity min even 1"} {
		acceptance := must.Get(omega.NamedAcceptance(name))
		b := omega.NewBuilder(alphabet, acceptance) // of F a
		b.AddStates(2)
		b.AddStart(0)
		rejecting, accepting := omega.Marks(0), b.Marks().Of(0)
		if name == "co-Buchi" {
			rejecting, accepting = accepting, rejecting
		}
		b.AddEdge(0, alphabet.Not(alphabet.Prop(0)), rejecting, 0)
		b.AddEdge(0, alphabet.Prop(0), 0, 1)
		b.AddEdge(1, alphabet.True(), accepting, 1)
		a := must.Get(reduce.Parity(t.Context(), b.Automaton(), false))
		if got := a.Acceptance().Name(); got != "Buchi" {
			t.Errorf("%s became %q (%s), not Büchi", name, got, a.Acceptance())
		}
	}
}

// TestStateBasedCopies: an edge from one component to another makes no copy of the
// state that it leads to.
func TestStateBasedCopies(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	streett := must.Get(omega.NamedAcceptance("Streett 1"))
	b := omega.NewBuilder(alphabet, streett)
	b.AddStates(2)
	b.AddStart(0)
	b.AddEdge(0, alphabet.True(), 0, 0)
	b.AddEdge(0, alphabet.True(), b.Marks().Of(1), 1)
	b.AddEdge(1, alphabet.Prop(0), b.Marks().Of(0), 1)
	b.AddEdge(1, alphabet.Not(alphabet.Prop(0)), 0, 1)
	a := must.Get(convert.StateBased(t.Context(), b.Automaton(), omega.Limits{}))
	if a.NumStates() != 3 {
		t.Errorf("%d states, want one of the first component and two of the second", a.NumStates())
	}
}

// TestFormsRefused: what can't be done is refused.
func TestFormsRefused(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(2)
	b.AddStart(b.Universal([]omega.State{0, 1}))
	alternating := b.Automaton()
	rabin, _ := omega.NamedAcceptance("Rabin 1")
	branching := omega.NewBuilder(alphabet, rabin)
	branching.AddStart(branching.AddState())
	branching.AddEdge(0, alphabet.True(), 0, branching.AddState())
	branching.AddEdge(0, alphabet.True(), 0, 0)
	nondeterministic := branching.Automaton()
	for name, f := range map[string]func(a *omega.Automaton) error{
		"Degeneralize": func(a *omega.Automaton) error {
			_, err := convert.Degeneralize(t.Context(), a, false, omega.Limits{})
			return err
		},
		"StateBased": func(a *omega.Automaton) error {
			_, err := convert.StateBased(t.Context(), a, omega.Limits{})
			return err
		},
		"ReduceStateBased": func(a *omega.Automaton) error { _, err := reduce.StateBased(t.Context(), a); return err },
		"Complete":         func(a *omega.Automaton) error { _, err := convert.Complete(t.Context(), a); return err },
	} {
		if err := f(alternating); !errors.Is(err, omega.ErrAlternating) {
			t.Errorf("%s, alternating: %v", name, err)
		}
	}
	if _, err := convert.Degeneralize(t.Context(), nondeterministic, false, omega.Limits{}); err == nil {
		t.Error("Degeneralize took a condition with Fin")
	}
	if _, err := reduce.Parity(t.Context(), nondeterministic, false); err == nil {
		t.Error("ReduceParity took what is not deterministic")
	}
	streett, _ := omega.NamedAcceptance("Streett 2")
	other := omega.NewBuilder(alphabet, streett)
	other.AddStart(other.AddState())
	if _, err := reduce.Parity(t.Context(), other.Automaton(), false); err == nil {
		t.Error("ReduceParity took what is not parity")
	}
	var over *omega.LimitError
	r := rand.New(rand.NewPCG(1, 0))
	three := random.Automaton(r, alphabet, omega.GeneralizedBuchi(3), random.Options{States: 10, Density: 0.5, Marks: 0.3})
	if _, err := convert.Degeneralize(t.Context(), three, true, omega.Limits{Macrostates: 5}); !errors.As(err, &over) {
		t.Errorf("Degeneralize past its limit: %v", err)
	}
	if _, err := convert.StateBased(t.Context(), three, omega.Limits{Macrostates: 5}); !errors.As(err, &over) {
		t.Errorf("StateBased past its limit: %v", err)
	}
}

// TestOneStart: one initial state, and the same words.
func TestOneStart(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	for i := range 200 {
		n := 1 + r.IntN(5)
		sets := r.IntN(3)
		acceptance := omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)}
		from := random.Automaton(r, alphabet, acceptance, random.Options{States: n, Density: 0.5, Marks: 0.4})
		b := omega.NewBuilder(alphabet, acceptance)
		b.AddStates(n)
		for s := range omega.State(n) {
			if r.IntN(2) == 0 {
				b.AddStart(s)
			}
			for _, e := range from.Edges(s) {
				b.AddEdge(s, e.Label, e.Marks, e.Dst)
			}
		}
		a := b.Automaton()
		one := a.OneStart()
		if len(one.Initial()) != 1 {
			t.Fatalf("seed %d, automaton %d: initial states %v", seed, i, one.Initial())
		}
		for range 30 {
			w := random.Word(r, alphabet, 3, 3)
			x, _ := a.Accepts(context.Background(), w)
			y, _ := one.Accepts(context.Background(), w)
			if x != y {
				t.Fatalf("seed %d, automaton %d: word %s: %v with one initial state, %v with %d", seed, i, w, y, x, len(a.Initial()))
			}
		}
	}
}

// twoMarks returns an automaton of the words with infinitely many a and infinitely many b, with a
// mark for each.
func twoMarks() *omega.Automaton {
	alphabet := omega.NewAlphabet("a", "b")
	a, b := alphabet.Prop(0), alphabet.Prop(1)
	x := omega.NewBuilder(alphabet, omega.GeneralizedBuchi(2))
	s := x.AddState()
	x.AddStart(s)
	x.AddEdge(s, alphabet.And(a, b), x.Marks().Of(0, 1), s)
	x.AddEdge(s, alphabet.And(a, alphabet.Not(b)), x.Marks().Of(0), s)
	x.AddEdge(s, alphabet.And(b, alphabet.Not(a)), x.Marks().Of(1), s)
	x.AddEdge(s, alphabet.Not(alphabet.Or(a, b)), 0, s)
	return x.Automaton()
}

func ExampleDegeneralize() {
	a := must.Get(convert.Degeneralize(context.Background(), twoMarks(), false, omega.Limits{}))
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			fmt.Println(s, a.Alphabet().Text(e.Label), a.Marks().AppendTo(nil, e.Marks), e.Dst)
		}
	}
	// Output:
	// 0 a&b [0] 0
	// 0 a&!b [] 1
	// 0 !a&b [] 0
	// 0 !a&!b [] 0
	// 1 a&b [0] 1
	// 1 a&!b [] 1
	// 1 !a&b [0] 0
	// 1 !a&!b [] 1
}
