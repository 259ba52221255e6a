package translate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/inputs"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// translate fails the test if there is an error.
func translate(t testing.TB, algorithm string, s *ltl.Store, f *ltl.Formula) *omega.Automaton {
	t.Helper()
	a, err := With(context.Background(), algorithm, s, f)
	if err != nil {
		t.Fatalf("%s: %s: %v", algorithm, f, err)
	}
	return a
}

func parse(t testing.TB, s *ltl.Store, text string) *ltl.Formula {
	t.Helper()
	return must.Get(s.Parse(text, ltl.Spot))
}

func accepts(t testing.TB, a *omega.Automaton, w *omega.Word) bool {
	t.Helper()
	return must.Get(a.Accepts(context.Background(), w))
}

// dump writes the name, initial states, acceptance and edges of an automaton.
func dump(a *omega.Automaton) string {
	return fmt.Sprintln(a.Name, a.Initial(), a.Acceptance()) + strings.ReplaceAll(drawn(a), "; ", "\n")
}

// checkWords translates f and its negation by all algorithms, and compares the
// automata with the truth of f on words.
func checkWords(t *testing.T, s *ltl.Store, f *ltl.Formula, words []*omega.Word) {
	t.Helper()
	for _, algorithm := range Algorithms() {
		pos := translate(t, algorithm.Name, s, f)
		neg := translate(t, algorithm.Name, s, s.Not(f))
		checkReachable(t, pos)
		for _, w := range words {
			want := must.Get(w.Holds(f))
			if got := accepts(t, pos, w); got != want {
				t.Fatalf("%s: %s on %s: accepted %v, want %v\n%s", algorithm.Name, f, w, got, want, dump(pos))
			}
			if got := accepts(t, neg, w); got == want {
				t.Fatalf("%s: !(%s) on %s: accepted %v, want %v\n%s", algorithm.Name, f, w, got, !want, dump(neg))
			}
		}
	}
}

// checkReachable checks what With promises of every automaton.
func checkReachable(t *testing.T, a *omega.Automaton) {
	t.Helper()
	if !a.Acceptance().IsGeneralizedBuchi() {
		t.Fatalf("%s: acceptance %s", a.Name, a.Acceptance())
	}
	seen := make([]bool, a.NumStates())
	queue := slices.Clone(a.Initial())
	for _, s := range queue {
		seen[s] = true
	}
	for i := 0; i < len(queue); i++ {
		type place struct {
			marks omega.Marks
			dst   omega.State
		}
		merged := make(map[place]bool)
		for _, e := range a.Edges(queue[i]) {
			if e.Label == omega.False || merged[place{e.Marks, e.Dst}] {
				t.Fatalf("%s: state %d has a false or doubled edge\n%s", a.Name, queue[i], dump(a))
			}
			merged[place{e.Marks, e.Dst}] = true
			if !seen[e.Dst] {
				seen[e.Dst] = true
				queue = append(queue, e.Dst)
			}
		}
	}
	if len(queue) != a.NumStates() {
		t.Fatalf("%s: %d of %d states are reachable", a.Name, len(queue), a.NumStates())
	}
}

// TestSizes pins what the constructions give for small formulas.
func TestSizes(t *testing.T) {
	type size struct{ states, edges, sets int }
	tests := []struct {
		formula                      string
		gpvw, gastinOddoux, couvreur size
	}{
		{"1", size{2, 2, 0}, size{1, 1, 0}, size{1, 1, 0}},
		{"0", size{0, 0, 0}, size{0, 0, 0}, size{0, 0, 0}},
		{"a", size{2, 2, 0}, size{2, 2, 0}, size{2, 2, 0}},
		{"a & !a", size{0, 0, 0}, size{0, 0, 0}, size{0, 0, 0}},
		{"Xa", size{3, 3, 0}, size{3, 3, 0}, size{3, 3, 0}},
		{"X(a | Xb)", size{4, 5, 0}, size{5, 6, 0}, size{4, 5, 0}},
		{"Fa", size{2, 3, 1}, size{2, 3, 1}, size{2, 3, 1}},
		{"Ga", size{1, 1, 0}, size{1, 1, 0}, size{1, 1, 0}},
		{"FGa", size{2, 3, 1}, size{2, 3, 1}, size{2, 3, 1}},
		{"GFa", size{2, 4, 1}, size{1, 2, 1}, size{1, 2, 1}},
		{"a U b", size{2, 3, 1}, size{2, 3, 1}, size{2, 3, 1}},
		{"a W b", size{2, 3, 0}, size{2, 3, 0}, size{2, 3, 0}},
		{"a R b", size{2, 3, 0}, size{2, 3, 0}, size{2, 3, 0}},
		{"a M b", size{2, 3, 1}, size{2, 3, 1}, size{2, 3, 1}},
		{"!(a U b)", size{2, 3, 0}, size{2, 3, 0}, size{2, 3, 0}},
		{"(a U b) U c", size{4, 10, 2}, size{4, 10, 2}, size{4, 10, 1}},
		{"G(a -> Fb)", size{2, 4, 1}, size{2, 4, 1}, size{2, 4, 1}},
		{"GFa & GFb", size{5, 20, 2}, size{1, 4, 2}, size{1, 4, 2}},
		{"GFa -> GFb", size{5, 11, 2}, size{3, 5, 2}, size{4, 8, 1}},
		{"Fa & Fb & Fc", size{9, 35, 3}, size{8, 27, 3}, size{8, 27, 1}},
	}
	s := ltl.NewStore()
	for _, test := range tests {
		f := parse(t, s, test.formula)
		for algorithm, want := range map[string]size{"gpvw": test.gpvw, "gastin-oddoux": test.gastinOddoux, "couvreur": test.couvreur} {
			a := translate(t, algorithm, s, f)
			if got := (size{a.NumStates(), a.NumEdges(), a.Acceptance().Sets}); got != want {
				t.Errorf("%s: got %v, want %v\n%s", algorithm, got, want, dump(a))
			}
		}
	}
}

// TestRandom compares the automata of random formulas, without and with past, with the truth of
// these on random words. One of the propositions has the name that a tester would have.
func TestRandom(t *testing.T) {
	n, seed := campaign.Seeded(t, 250, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	for props := 1; props <= 4; props++ {
		s := ltl.NewStore()
		formulas := inputs.Random(t, s, seed, n, props, 1, 15)
		for i, f := range append(formulas, inputs.Past(t, s, seed, n/3, min(props, 3), 2, 12)...) {
			alphabet := omega.NewAlphabet("a", "b", "c", "d", "past0")
			var words []*omega.Word
			for range 8 {
				words = append(words, inputs.Word(r, alphabet))
			}
			checkWords(t, s, f, words)
			if t.Failed() {
				t.Fatalf("seed %d, %d propositions, formula %d", seed, props, i)
			}
		}
	}
}

// TestAllWords compares the automata of small formulas with the truth of these
// on all words up to size 4 over one proposition, and size 3 over two.
func TestAllWords(t *testing.T) {
	for props, size := range map[int]int{1: 4, 2: 3} {
		words := inputs.AllWords(omega.NewAlphabet([]string{"a", "b"}[:props]...), size)
		s := ltl.NewStore()
		for _, f := range inputs.Random(t, s, 2, campaign.Inputs(t, 60), props, 1, 9) {
			checkWords(t, s, f, words)
		}
	}
}

// TestWide uses more than six propositions, and more than 64 subformulas and
// acceptance sets, so that labels and sets of all kinds are in their wide form.
func TestWide(t *testing.T) {
	s := ltl.NewStore()
	r := rand.New(rand.NewPCG(3, 0))

	// p8 until p9 and from then on each of six others infinitely often.
	fair := s.Prop("p9")
	for i := range 6 {
		fair = s.And(fair, s.Globally(s.Finally(s.Prop(fmt.Sprint("p", i)))))
	}
	fair = s.Until(s.Prop("p8"), fair)
	alphabet := omega.NewAlphabet(fair.Props()...)
	var words []*omega.Word
	all := alphabet.True()
	for i := range alphabet.Len() {
		all = alphabet.And(all, alphabet.Prop(i))
	}
	for range 20 {
		w := inputs.Word(r, alphabet)
		words = append(words, w)
		words = append(words, omega.NewWord(alphabet, w.Prefix, append(w.Cycle, all)))
	}
	checkWords(t, s, fair, words)

	// One of three propositions at one of the positions from 5, 6 or 7 on.
	late := s.False()
	for i := 5; i < 75; i++ {
		f := s.Prop(fmt.Sprint("p", i%3))
		for range i {
			f = s.Next(f)
		}
		late = s.Or(late, s.Finally(f))
	}
	alphabet = omega.NewAlphabet(late.Props()...)
	words = nil
	none := alphabet.LetterLabel(make(omega.Letter, 3))
	for pos := range 10 {
		for i := range 3 {
			v := make(omega.Letter, 3)
			v[i] = true
			prefix := append(slices.Repeat([]omega.Label{none}, pos), alphabet.LetterLabel(v))
			words = append(words, omega.NewWord(alphabet, prefix, []omega.Label{none}))
		}
	}
	checkWords(t, s, late, words)
}

// TestRepeatable translates formulas twice, in stores with different contents.
func TestRepeatable(t *testing.T) {
	s1, s2 := ltl.NewStore(), ltl.NewStore()
	inputs.Random(t, s2, 5, 100, 4, 1, 10)
	for _, f := range inputs.Random(t, s1, 4, campaign.Inputs(t, 200), 4, 10, 20) {
		for _, algorithm := range Algorithms() {
			one := dump(translate(t, algorithm.Name, s1, f))
			two := dump(translate(t, algorithm.Name, s2, s2.Import(f)))
			if one != two {
				t.Fatalf("%s: first\n%sthen\n%s", algorithm.Name, one, two)
			}
		}
	}
}

// TestSource asks a Source for its states in another order, and more than once.
func TestSource(t *testing.T) {
	s := ltl.NewStore()
	for _, f := range inputs.Random(t, s, 6, 200, 3, 5, 15) {
		for _, algorithm := range Algorithms() {
			src := must.Get(algorithm.source(context.Background(), s, f))
			states, edges := 0, 0
			seen := make(map[omega.State]bool)
			for stack := slices.Clone(src.Initial()); len(stack) > 0; {
				q := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if seen[q] {
					continue
				}
				seen[q] = true
				states = max(states, int(q)+1)
				list := must.Get(src.AppendEdges(nil, q))
				edges += len(list)
				for _, e := range list {
					stack = append(stack, e.Dst)
				}
				again, err := src.AppendEdges(make([]omega.Edge, 0, 1), q)
				if err != nil || !slices.Equal(list, again) {
					t.Fatalf("%s: %s: state %d had edges %v, then %v (%v)", algorithm.Name, f, q, list, again, err)
				}
			}
			a := must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
			if len(seen) != states || states != a.NumStates() || edges != a.NumEdges() {
				t.Fatalf("%s: %s: depth first %d states (up to number %d) and %d edges, breadth first %d and %d",
					algorithm.Name, f, len(seen), states-1, edges, a.NumStates(), a.NumEdges())
			}
		}
	}
}

func TestErrors(t *testing.T) {
	s := ltl.NewStore()
	_, err := With(context.Background(), "tableau", s, s.True())
	if want := `unknown translation algorithm "tableau": expected one of gpvw, gastin-oddoux, couvreur`; err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// TestCancel stops translations that would not end: of a state with 2^40 edges,
// of 2^40 states, and of as many initial states.
func TestCancel(t *testing.T) {
	s := ltl.NewStore()
	promises, pairs := s.True(), s.True()
	for i := range 40 {
		p, q := s.Prop(fmt.Sprint("p", i)), s.Prop(fmt.Sprint("q", i))
		promises = s.And(promises, s.Finally(p))
		pairs = s.And(pairs, s.Or(s.Next(p), s.Next(q)))
	}
	for _, f := range []*ltl.Formula{promises, s.Globally(promises), pairs, s.Next(pairs)} {
		for _, algorithm := range Algorithms() {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
			start := time.Now()
			_, err := With(ctx, algorithm.Name, s, f)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v, want deadline exceeded", algorithm.Name, err)
			}
			if d := time.Since(start); d > time.Minute {
				t.Errorf("%s: stopped after %v", algorithm.Name, d)
			}
		}
	}
}

// TestNoDeadEnds: from each state of a translation, and each initial one above all, a run
// goes on for ever. Without With's pruning most algorithms have states that none does.
func TestNoDeadEnds(t *testing.T) {
	const seed = 43
	pruned := map[string]int{}
	s := ltl.NewStore()
	for _, f := range inputs.Random(t, s, seed, campaign.Inputs(t, 150), 2, 1, 9) {
		for _, a := range Algorithms() {
			x := must.Get(With(t.Context(), a.Name, s, f))
			for state := range omega.State(x.NumStates()) {
				if len(x.Edges(state)) == 0 {
					t.Fatalf("seed %d: %s: %s: state %d has no edge", seed, a.Name, f, state)
				}
			}
			if reduce.WithoutDeadEnds(x) != x {
				t.Fatalf("seed %d: %s: %s: some state has no infinite run", seed, a.Name, f)
			}
			source := must.Get(a.Source(t.Context(), s, f))
			if whole, err := omega.Explore(t.Context(), source, omega.NoLimits()); err != nil {
				t.Fatal(err)
			} else if reduce.WithoutDeadEnds(whole) != whole {
				pruned[a.Name]++
			}
		}
	}
	for _, name := range []string{"gpvw"} {
		if pruned[name] == 0 {
			t.Errorf("seed %d: %s has never had a dead end: expected some to be pruned", seed, name)
		}
	}
}

// huge returns formulas of n operands. Most have too many states.
func huge(n int) map[string]string {
	each := func(separator string, part func(i int) string) string {
		var list []string
		for i := range n {
			list = append(list, part(i))
		}
		return strings.Join(list, separator)
	}
	p := func(i int) string { return fmt.Sprintf("p%d", i) }
	return map[string]string{
		"implications":     each(" -> ", func(i int) string { return string("ab"[i%2]) }),
		"conjunction of F": each(" & ", func(i int) string { return fmt.Sprintf("F(p%d & Xp%d)", i, i+1) }),
		"disjunction of U": each(" | ", func(i int) string { return fmt.Sprintf("(p%d U q%d)", i, i) }),
		"G or F":           each(" | ", func(i int) string { return fmt.Sprintf("Gp%d | F(!p%d & GFq%d)", i, i, i) }),
		"equivalences":     each(" <-> ", func(i int) string { return "F" + p(i) }),
		"U to the right":   each(" U ", p),
		"S to the right":   "G(" + each(" S ", p) + ")",
	}
}

// TestCanceled cancels translations of large formulas at different moments: by default at one of
// three, in a campaign at all.
func TestCanceled(t *testing.T) {
	for name, text := range huge(250) {
		for i, a := range Algorithms() {
			for _, at := range campaign.Alternate(i+len(name), 1, 3, 21) {
				s := ltl.NewStore()
				f := must.Get(s.Parse(text, ltl.Spot))
				ctx := canceled.At(t.Context(), at)
				src, err := a.Source(ctx, s, f)
				if err == nil {
					_, err = omega.Explore(ctx, src, omega.NoLimits())
				}
				var limit *omega.LimitError
				if ctx.Asked >= at && err == nil {
					t.Errorf("%s: %s: canceled at look %d, there is an automaton", name, a.Name, at)
				}
				if err != nil && !errors.Is(err, context.Canceled) && !errors.As(err, &limit) {
					t.Errorf("%s: %s: %v", name, a.Name, err)
				}
				if ctx.Late() > 40 {
					t.Errorf("%s: %s: canceled at look %d, the context was asked %d times more", name, a.Name, at, ctx.Late())
				}
			}
		}
	}
}

// TestTooManySubformulas translates formulas so large that nothing is tried.
func TestTooManySubformulas(t *testing.T) {
	const n = 34000
	for _, name := range campaign.Alternate(0, "conjunction of F", "disjunction of U", "G or F") {
		s := ltl.NewStore()
		f := must.Get(s.Parse(huge(n)[name], ltl.Spot))
		for _, a := range Algorithms() {
			_, err := a.Source(t.Context(), s, f)
			var limit *omega.LimitError
			if !errors.As(err, &limit) || limit.Limit != ondemand.MaxSubformulas {
				t.Errorf("%s: %s: the error is %v", name, a.Name, err)
			}
		}
	}
}

// TestWithoutPast pins the line of each operator in the table.
func TestWithoutPast(t *testing.T) {
	for _, test := range []struct {
		formula, future string
	}{
		{"Y a", "past0 & !past0 & G(a <-> Xpast0)"},
		{"FZ a", "Fpast0 & past0 & G(a <-> Xpast0)"},
		{"FO a", "F(a | past0) & !past0 & G((a | past0) <-> Xpast0)"},
		{"GH past0", "G(past0 & past1) & past1 & G((past0 & past1) <-> Xpast1)"},
		{"X(a S b)", "X(b | a & past0) & !past0 & G((b | a & past0) <-> Xpast0)"},
		{"X(a T b)", "X(b & (a | past0)) & past0 & G((b & (a | past0)) <-> Xpast0)"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, test.formula)
		want := s.Simplify(parse(t, s, test.future))
		if got := s.Simplify(withoutPast(s, f, omega.NewAlphabet(f.Props()...))); got != want {
			t.Errorf("%s: got %s, want %s", f, got, want)
		}
	}
}

// TestCorpusWords compares with what Spot says of formulas on one in six words, or in a campaign
// on all. A word that leaves a proposition of the formula open is a set of words, and may meet
// both the formula and its negation.
func TestCorpusWords(t *testing.T) {
	type record struct {
		Formula, Word string
		Holds         bool
	}
	s := ltl.NewStore()
	for r := range campaign.Sample(corpus.Records[record](t, "words.jsonl.gz"), 6) {
		f := parse(t, s, r.Formula)
		w := must.Get(omega.ParseWord(context.Background(), r.Word))
		_, open := w.Holds(f)
		for _, algorithm := range Algorithms() {
			if got := accepts(t, translate(t, algorithm.Name, s, f), w); got != r.Holds {
				t.Errorf("%s: %s on %s: accepted %v", algorithm.Name, f, w, got)
			}
			if got := accepts(t, translate(t, algorithm.Name, s, s.Not(f)), w); got == r.Holds && open == nil {
				t.Errorf("%s: !(%s) on %s: accepted %v", algorithm.Name, f, w, got)
			}
		}
	}
}

// published returns the formulas of the published pattern sets.
func published(t *testing.T, s *ltl.Store) iter.Seq[*ltl.Formula] {
	type record struct{ Formula string }
	return func(yield func(*ltl.Formula) bool) {
		seen := make(map[*ltl.Formula]bool)
		for r := range corpus.Records[record](t, "recorded.jsonl.gz") {
			f := parse(t, s, r.Formula)
			if !seen[f] && !yield(f) {
				return
			}
			seen[f] = true
		}
	}
}

// TestCorpusFormulas translates one in three formulas of the published pattern sets, or in a
// campaign all.
func TestCorpusFormulas(t *testing.T) {
	s := ltl.NewStore()
	r := rand.New(rand.NewPCG(8, 0))
	for f := range campaign.Sample(published(t, s), 3) {
		alphabet := omega.NewAlphabet(f.Props()...)
		var words []*omega.Word
		for range 20 {
			words = append(words, inputs.Word(r, alphabet))
		}
		checkWords(t, s, f, words)
	}
}
