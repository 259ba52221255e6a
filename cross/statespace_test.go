package cross

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/seeded"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// TestShortWordsAlone: a translator and the reference have the same bug, so that all checks pass if the bug
// treats a formula and its negation alike. There are no random words and no proofs. All short words show the
// bug, blame the translator and no other, and say that the reference is wrong.
func TestShortWordsAlone(t *testing.T) {
	n, seed := campaign.Seeded(t, 40, 1)
	formulas := append(randomTexts(t, seed, n, 10), "a & b & Gc", "b U FGa")
	alone := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue // a crash, or a false property
		}
		found := 0
		for _, formula := range formulas {
			o := Options{Tools: tools("mine"), Reference: bug.Automaton, Exhaustive: Cheap}
			ask := giving(t, bug.Automaton)
			c := caseOf(t, fake(&o, ask, ask), formula)
			for _, d := range c.Disagreements {
				if slices.ContainsFunc(d.Blamed, func(s outcome.Subject) bool { return s.Translator != "mine" }) {
					t.Fatalf("seed %d, %s, %s: %+v", seed, bug.Name, formula, d)
				}
				if !slices.ContainsFunc(c.Errors, func(e string) bool { return strings.Contains(e, "the reference is wrong") }) {
					t.Fatalf("seed %d, %s, %s: the reference is not said to be wrong: %v", seed, bug.Name, formula, c.Errors)
				}
			}
			if len(c.Disagreements) > 0 {
				found++
				blind := Options{Tools: tools("mine"), Reference: bug.Automaton}
				without := caseOf(t, fake(&blind, ask, ask), formula)
				if len(without.Disagreements)+len(without.Errors) == 0 {
					alone++
				}
			}
		}
		if found == 0 && bug.Name != "empty alphabet" { // all formulas have propositions
			t.Errorf("seed %d, %s: not found on %d formulas", seed, bug.Name, n)
		}
	}
	if alone < n {
		t.Errorf("seed %d: the short words alone show %d cases: too few to say anything", seed, alone)
	}
}

// TestShortWordsAgree: what the searches find on words up to a size is just what all of these
// show, and they find the same sizes.
func TestShortWordsAgree(t *testing.T) {
	n, seed := campaign.Seeded(t, 60, 2)
	some := 0
	for _, bug := range seeded.Bugs() {
		if bug.Class != "" {
			continue
		}
		ask := giving(t, bug.Automaton)
		for _, formula := range randomTexts(t, seed, n/10+1, 8) {
			search := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of}, ask, ask), formula)
			short := caseOf(t, fake(&Options{Tools: tools("mine"), NoComplement: true, Exhaustive: 3}, ask, ask), formula)
			both := caseOf(t, fake(&Options{Tools: tools("mine"), Reference: translate.Of, Exhaustive: 3}, ask, ask), formula)
			if len(search.Errors)+len(short.Errors)+len(both.Errors) > 0 {
				t.Fatalf("seed %d, %s, %s: %v %v %v", seed, bug.Name, formula, search.Errors, short.Errors, both.Errors)
			}
			for _, d := range short.Disagreements {
				if !d.Shortest {
					t.Errorf("seed %d, %s, %s: %s is not said to be shortest", seed, bug.Name, formula, d.Word)
				}
			}
			want, got := shown(search, 3), shown(short, 3)
			if !slices.Equal(want, got) || !slices.Equal(want, shown(both, 3)) {
				t.Errorf("seed %d, %s, %s: searches find %v, short words %v, both %v", seed, bug.Name, formula, want, got, shown(both, 3))
			}
			some += len(want)
		}
	}
	if some < n {
		t.Errorf("only %d disagreements: too few to say anything", some)
	}
}

// shown returns how automata are wrong on words up to a size, with the size of the smallest.
func shown(c *outcome.Case, size int) (list []string) {
	least := map[string]int{}
	for _, d := range c.Disagreements {
		for _, s := range d.Blamed {
			key := string(d.Kind) + " " + s.Symbol()
			if n, ok := least[key]; d.Size <= size && (!ok || d.Size < n) {
				least[key] = d.Size
			}
		}
	}
	for key, n := range least {
		list = append(list, key+strings.Repeat(" *", n))
	}
	slices.Sort(list)
	return list
}

// TestShortWordsContradict: a word that is on both sides of a passed check is an internal error,
// as is a word that the evaluation of all short words lacks.
func TestShortWordsContradict(t *testing.T) {
	ctx := t.Context()
	s := ltl.NewStore()
	alphabet := omega.NewAlphabet("a")
	var list members
	for k, formula := range []string{"Fa", "Ga"} {
		a := must.Get(must.Get(translate.Of(ctx, s, must.Get(s.Parse(formula, ltl.Spot)))).Over(ctx, alphabet))
		list.add(outcome.Subject{Translator: []string{"x", "y"}[k]}, a)
	}
	x, y := list[0][0], list[0][1]
	w := lasso(alphabet, []omega.Letter{{true}, {false}}, 1)
	ch := &checker{members: list, passed: []intersection{{x, y, true, true}, {x, y, true, false}}}
	c := outcome.NewCase(0, "Fa", nil)
	r := &caseRun{run: &run{Options: &Options{}}}
	for range 2 { // once is enough
		must.Do(r.contradict(ctx, c, ch, w))
	}
	if len(c.Contradictions) != 1 || len(c.Errors) != 1 || c.Contradictions[0].Check != "P x & !(P y)" {
		t.Errorf("%+v, %q", c.Contradictions, c.Errors)
	}

	decider := &productcheck.Decider{}
	j := &certifier{specification: &truths{alphabet: alphabet, store: s, formula: must.Get(s.Parse("Fa", ltl.Spot))}, members: list.all(), decider: decider, words: map[string]*omega.Word{}}
	j.add(must.Get(j.entries(ctx, w))...)
	for _, x := range []struct {
		words  shortWords
		errors int
	}{{shortWords{size: 1}, 0}, {shortWords{size: 2}, 1}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Missing}}}, 0}, {shortWords{size: 2, wrong: []shortWord{{w, y, outcome.Extra}}}, 1}} {
		j.errors = nil
		if x.words.agree(j); len(j.errors) != x.errors {
			t.Errorf("%+v: %q", x.words, j.errors)
		}
	}
}

// automaton returns the automaton of the words of the paths from the given states.
func (s *space) automaton(starts ...omega.State) *omega.Automaton {
	b := omega.NewBuilder(s.alphabet, omega.Acceptance{Condition: omega.AllOf()})
	b.AddStates(len(s.steps))
	for _, i := range starts {
		b.AddStart(i)
	}
	for i, steps := range s.steps {
		for _, step := range steps {
			for _, j := range step.next {
				b.AddEdge(omega.State(i), s.letters[step.letter], b.Marks().Of(), j)
			}
		}
	}
	return b.Automaton()
}

// lassos calls f with the word of each path from a state that goes back to one of its
// states after at most n steps.
func (s *space) lassos(from omega.State, n int, f func(*omega.Word)) {
	path := []omega.State{from}
	var letters []omega.Label // of the path's edges
	var extend func()
	extend = func() {
		for _, step := range s.steps[path[len(path)-1]] {
			letters = append(letters, s.letters[step.letter])
			for _, next := range step.next {
				for i, state := range path {
					if state == next {
						f(omega.NewWord(s.alphabet, slices.Clone(letters[:i]), slices.Clone(letters[i:])))
					}
				}
				if len(path) < n {
					path = append(path, next)
					extend()
					path = path[:len(path)-1]
				}
			}
			letters = letters[:len(letters)-1]
		}
	}
	extend()
}

// TestSpaceProduct: a product says of a state that a word is accepted from there if membership, by
// enumeration of the lassos of the space, says so; and where it does, the word that is taken from it is
// accepted, and one of a path. The sizes equal the sizes of an explicit product.
func TestSpaceProduct(t *testing.T) {
	ctx := context.Background()
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	counts := map[string]int{}
	for i := range 250 {
		sets := r.IntN(4)
		a := random.Automaton(r, alphabet, omega.Acceptance{Sets: sets, Condition: random.Condition(r, sets, 0)},
			random.Options{States: 1 + r.IntN(4), Density: 0.2 + 0.6*r.Float64(), Marks: 0.3, Deterministic: i%3 == 0})
		if i%25 == 0 {
			a = alternating(t, alphabet)
		}
		l := productcheck.NewLanguage(a)
		o := Products{States: 1 + r.IntN(6), Density: 0.3 * r.Float64(), Seed: uint64(i)}
		s := o.newSpace("Ga", 0, alphabet)
		p := must.Get(s.product(ctx, l, omega.Limits{}))
		for state := range omega.State(o.States) {
			found := false
			s.lassos(state, 5, func(w *omega.Word) {
				in := must.Get(a.Accepts(context.Background(), w))
				found = found || in
			})
			if found && !p.live[state] {
				t.Fatalf("seed %d, automaton %d: a word from state %d is accepted, but the product says none is", seed, i, state)
			}
			if p.live[state] {
				counts["accepted"]++
				if err := s.confirmWord(ctx, state, l); err != nil {
					t.Fatalf("seed %d, automaton %d, state %d: %v", seed, i, state, err)
				}
			} else {
				counts["rejected"]++
			}
		}
		if !a.Alternating() {
			whole := must.Get(omega.Explore(ctx, productcheck.NewProduct(s.automaton(0), a), omega.NoLimits()))
			if want := (emptiness.Reached{States: whole.NumStates(), Edges: whole.NumEdges(), Components: whole.Components().Count}); p.size != want {
				t.Errorf("seed %d, automaton %d: size %+v, want %+v", seed, i, p.size, want)
			}
		}
	}
	if counts["accepted"] < 100 || counts["rejected"] < 100 {
		t.Errorf("one-sided: %v", counts)
	}
}

// confirmWord takes a word from the product with the paths from a state: the automaton
// must accept it, and it must be one of these paths.
func (s *space) confirmWord(ctx context.Context, state omega.State, l *productcheck.Language) error {
	w, err := s.accepted(ctx, state, l, omega.Limits{})
	if err != nil {
		return err
	}
	if in, err := l.Automaton().Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is not accepted (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), w); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", w, err)
	}
	if in, err := s.automaton(state).Accepts(context.Background(), s.path(state)); err != nil || !in {
		return fmt.Errorf("%s is on no path (%v)", s.path(state), err)
	}
	return nil
}

// alternating returns a weak alternating automaton of G(a -> Fb), of two propositions.
func alternating(t *testing.T, alphabet *omega.Alphabet) *omega.Automaton {
	t.Helper()
	text := `HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 1 Fin(0)
--BODY-- State: 0 [!0 | 1] 0 [0 & !1] 0&1 State: 1 {0} [!1] 1 [1] 2 State: 2 [t] 2 --END--`
	for p := range hoa.Split([]byte(text)) {
		a := must.First(p.Automaton(context.Background()))
		return must.Get(a.Over(context.Background(), alphabet))
	}
	t.Fatal("no automaton")
	return nil
}

// TestSpace: all states are reached from the first, each has a successor, and a space
// depends on its seed, its number and the formula alone.
func TestSpace(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	o := Products{States: 100, Density: 0.1, Seed: 5}
	edges, letters := 0, map[omega.Label]int{}
	for k := range 20 {
		s := o.newSpace("a U b", k, alphabet)
		whole, err := omega.Explore(context.Background(), s.automaton(0), omega.NoLimits())
		if err != nil || whole.NumStates() != o.States {
			t.Errorf("space %d: %d states are reached of %d (%v)", k, whole.NumStates(), o.States, err)
		}
		edges += whole.NumEdges()
		for i, steps := range s.steps {
			if len(steps) == 0 {
				t.Errorf("space %d: state %d has no successor", k, i)
			}
			met := map[int]bool{}
			for _, step := range steps {
				if met[step.letter] {
					t.Errorf("space %d: state %d has two steps with letter %d", k, i, step.letter)
				}
				met[step.letter] = true
				letters[s.letters[step.letter]] += len(step.next)
			}
		}
		if again := o.newSpace("a U b", k, alphabet); fmt.Sprint(again) != fmt.Sprint(s) {
			t.Errorf("space %d is another one the second time", k)
		}
		other := o
		other.Seed += 1000
		for _, unlike := range []*space{o.newSpace("a U b", k+1, alphabet), o.newSpace("Ga", k, alphabet), other.newSpace("a U b", k, alphabet)} {
			if fmt.Sprint(unlike) == fmt.Sprint(s) {
				t.Errorf("space %d does not depend on the number, the formula and the seed", k)
			}
		}
	}
	// 10 successors of each state, and 0.9 more that are there to reach it.
	if mean := float64(edges) / 2000; mean < 10 || mean > 12 {
		t.Errorf("%.2f successors in the mean", mean)
	}
	for l, n := range letters {
		if share := float64(n) / float64(edges); share < 0.2 || share > 0.3 {
			t.Errorf("letter %d is on %.2f of the edges", l, share)
		}
	}
	// The least there can be: one state with a loop, though no edge is likely.
	if s := (&Products{States: 1}).newSpace("1", 0, omega.NewAlphabet()); len(s.steps[0]) != 1 {
		t.Errorf("one state: %v", s.steps)
	}
}

// TestSpaceSizes: as in ltlcross, the products of a formula and of its negation both go on
// from the first state, and G halves the edges.
func TestSpaceSizes(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	size := func(k int, text string) emptiness.Reached {
		for p := range hoa.Split([]byte("HOA: v1 AP: 1 \"a\" Acceptance: 0 t Start: 0 " + text + " --END--")) {
			a := must.First(p.Automaton(context.Background()))
			s := defaultProducts.newSpace("a", k, alphabet)
			p := must.Get(s.product(context.Background(), productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet))), omega.Limits{}))
			return p.size
		}
		t.Fatal("no automaton")
		return emptiness.Reached{}
	}
	for k := range 20 {
		one := size(k, "States: 1 --BODY-- State: 0 [t] 0")
		if one.States != 200 || one.Components != 1 {
			t.Errorf("space %d has %+v", k, one)
		}
		for _, letter := range []string{"0", "!0"} {
			if first := size(k, "States: 2 --BODY-- State: 0 ["+letter+"] 1 State: 1 [t] 1"); first.States != 201 || first.Edges <= one.Edges {
				t.Errorf("space %d: with [%s] first, the product has %+v", k, letter, first)
			}
			half := size(k, "States: 1 --BODY-- State: 0 ["+letter+"] 0")
			if share := float64(half.Edges) / float64(one.Edges); half.States < 195 || share < 0.4 || share > 0.6 {
				t.Errorf("space %d: with [%s] always, the product has %+v of %+v", k, letter, half, one)
			}
		}
	}
}

// TestSpaceProductEnds: limits of states, memory and time, and a context that is done.
func TestSpaceProductEnds(t *testing.T) {
	alphabet := omega.NewAlphabet("a")
	b := omega.NewBuilder(alphabet, omega.Buchi())
	b.AddStates(100)
	b.AddStart(0)
	for s := range omega.State(100) {
		b.AddEdge(s, alphabet.True(), b.Marks().Of(), (s+1)%100)
	}
	l := productcheck.NewLanguage(b.Automaton())
	s := defaultProducts.newSpace("Ga", 0, alphabet)
	ctx, cancel := context.WithCancel(context.Background())
	for _, c := range []struct {
		limits omega.Limits
		want   string
	}{
		{omega.Limits{ProductStates: 10}, "limit of 10 product states"},
		{omega.Limits{Memory: 1000}, "memory limit of 1000 bytes"},
		{omega.Limits{Time: 1}, "time limit of 1ns"},
	} {
		if _, err := s.product(ctx, l, c.limits); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.limits, err, c.want)
		}
	}
	cancel()
	if _, err := s.product(ctx, l, omega.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

var defaultProducts = DefaultProducts()
