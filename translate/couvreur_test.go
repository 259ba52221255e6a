package translate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// A variant is an automaton of a formula, over an alphabet given.
type variant struct {
	name      string
	automaton *omega.Automaton
}

// variants returns what there is of f: the automata of all algorithms as they are
// made, and reduced.
func variants(t *testing.T, s *ltl.Store, f *ltl.Formula, alphabet *omega.Alphabet) []variant {
	t.Helper()
	var list []variant
	for _, algorithm := range Algorithms() {
		src, err := algorithm.source(t.Context(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		a, err := omega.Explore(t.Context(), src, 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, variant{algorithm.Name + " (source)", must.Get(a.Over(context.Background(), alphabet))})
		if algorithm.reduce != nil {
			list = append(list, variant{algorithm.Name, must.Get(translate(t, algorithm.Name, s, f).Over(context.Background(), alphabet))})
		}
	}
	return list
}

// disjoint fails the test if two automata have a word in common.
func disjoint(t *testing.T, what string, a, b omega.Source) {
	t.Helper()
	r, err := productcheck.Intersect(t.Context(), a, b, emptiness.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !r.Empty() {
		t.Fatalf("%s: both accept %s", what, r.Word)
	}
}

// checkRivals checks that the automata of couvreur for f are equal to those of the
// others: each has no word in common with those that others make of the negation,
// nor those with the negation by couvreur. Those of the others are compared with
// one another, too.
func checkRivals(t *testing.T, s *ltl.Store, f *ltl.Formula) {
	t.Helper()
	alphabet := omega.NewAlphabet(f.Props()...)
	yes, no := variants(t, s, f, alphabet), variants(t, s, s.Not(f), alphabet)
	for _, a := range yes {
		for _, b := range no {
			disjoint(t, f.String()+": "+a.name+" and the negation by "+b.name, a.automaton, b.automaton)
		}
	}
}

func TestRivals(t *testing.T) {
	n, seed := campaign.Seeded(t, 30, 1)
	for props := 1; props <= 4; props++ {
		s := ltl.NewStore()
		for i, f := range randomFormulas(t, s, seed, n, props, 1, 20) {
			if checkRivals(t, s, f); t.Failed() {
				t.Fatalf("seed %d, %d propositions, formula %d", seed, props, i)
			}
		}
	}
}

// TestCorpusRivals takes one in 24 published formulas, or in a campaign all.
func TestCorpusRivals(t *testing.T) {
	s := ltl.NewStore()
	for f := range campaign.Sample(published(t, s), 24) {
		checkRivals(t, s, f)
	}
}

// TestCouvreurWide translates seventy untils, each within the one before, so that
// terms, and sets of marks, are more than a machine word, and a formula with more
// propositions than its diagrams ask for.
func TestCouvreurWide(t *testing.T) {
	s := ltl.NewStore()
	r := rand.New(rand.NewPCG(10, 0))
	steps := s.True()
	for i := range 70 {
		f := s.And(s.Prop(fmt.Sprint("p", i%3)), s.Next(steps))
		steps = s.Until(s.Prop(fmt.Sprint("p", (i+1)%3)), f)
	}
	src, err := couvreurSource(t.Context(), s, steps)
	if err != nil {
		t.Fatal(err)
	}
	if src.Acceptance().Sets != 70 {
		t.Errorf("acceptance %s", src.Acceptance())
	}
	unreduced, err := omega.Explore(t.Context(), src, 0)
	if err != nil {
		t.Fatal(err)
	}
	alphabet := src.Alphabet()
	none := alphabet.LetterLabel(make(omega.Letter, 3))
	a := translate(t, "couvreur", s, steps)
	held := 0
	for range 100 {
		var prefix []omega.Label
		for i := range 60 + r.IntN(50) {
			v := make(omega.Letter, 3)
			due, _ := alphabet.Index(fmt.Sprint("p", (69-i%70)%3))
			v[due], v[r.IntN(3)] = r.IntN(40) > 0, true
			prefix = append(prefix, alphabet.LetterLabel(v))
		}
		w := omega.NewWord(alphabet, prefix, []omega.Label{none})
		want, err := w.Holds(steps)
		if err != nil {
			t.Fatal(err)
		}
		if want {
			held++
		}
		for _, a := range []*omega.Automaton{unreduced, a} {
			if got := accepts(t, a, w); got != want {
				t.Fatalf("%s: accepted %v, want %v", w, got, want)
			}
		}
	}
	if held == 0 || held == 100 {
		t.Errorf("the formula holds on %d of 100 words", held)
	}
}

// TestManyPropositions compares the automata of formulas that have more propositions
// than a diagram may ask for with direct evaluation: the others are in the terms.
func TestManyPropositions(t *testing.T) {
	n, seed := campaign.Seeded(t, 5, 1)
	var props []string
	for i := range couvreurProps + 6 {
		props = append(props, fmt.Sprint("p", i))
	}
	leaves := map[ltl.Op]int{ltl.OpFalse: 0, ltl.OpTrue: 0}
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 20, MaxSize: 30, Weights: leaves})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	for many := 0; many < n; {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		f = s.Import(f)
		alphabet := omega.NewAlphabet(f.Props()...)
		if alphabet.Len() <= couvreurProps {
			continue
		}
		many++
		for _, f := range []*ltl.Formula{f, s.Not(f)} {
			src, err := couvreurSource(t.Context(), s, f)
			if err != nil {
				t.Fatal(err)
			}
			unreduced, err := omega.Explore(t.Context(), src, 0)
			if err != nil {
				t.Fatal(err)
			}
			reduced := translate(t, "couvreur", s, f)
			for range 20 {
				w := randomWord(r, alphabet)
				want, err := w.Holds(f)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range []*omega.Automaton{unreduced, reduced} {
					if got := accepts(t, a, w); got != want {
						t.Fatalf("%s on %s: accepted %v, want %v", f, w, got, want)
					}
				}
			}
		}
	}
}

// totals of automata.
type totals struct{ formulas, states, edges int }

func (x *totals) add(a *omega.Automaton) {
	x.formulas++
	x.states += max(1, a.NumStates()) // tools can't write automata without states
	x.edges += a.NumEdges()
}

// TestCorpusSizes compares the sizes of automata for the published pattern sets, of
// each formula and of its negation, with those of other tools. Those of couvreur
// must be within 1.3 times those of Spot's ltl2tgba.
func TestCorpusSizes(t *testing.T) {
	type record struct {
		Formula, Tool, Output, Status string
		Negated                       bool
	}
	tools := []string{"ltl2tgba", "ltl2tgba-B", "ltl2tgba-DG", "ltl2tgba-DP", "ltl3ba-H2", "ltl3ba-H3", "ltl2ba", "spin"}
	recorded := make(map[string]*totals)
	ours := make(map[string]map[string]*totals) // by tool, over its formulas
	for _, tool := range tools {
		recorded[tool], ours[tool] = &totals{}, make(map[string]*totals)
		for _, algorithm := range explored() {
			ours[tool][algorithm.Name] = &totals{}
		}
	}
	type task struct {
		tool, formula string
		negated       bool
	}
	s := ltl.NewStore()
	seen := make(map[task]bool)
	made := make(map[*ltl.Formula]map[string]*omega.Automaton)
	slowest := make(map[string]time.Duration)
	for r := range corpus.Records[record](t, "recorded.jsonl.gz") {
		f := parse(t, s, r.Formula)
		if r.Negated {
			f = s.Not(f)
		}
		if recorded[r.Tool] == nil || r.Status != "ok" || seen[task{r.Tool, r.Formula, r.Negated}] {
			continue
		}
		seen[task{r.Tool, r.Formula, r.Negated}] = true
		a, _, err := hoa.ReadOne(context.Background(), []byte(r.Output))
		if err != nil {
			t.Fatal(err)
		}
		recorded[r.Tool].add(a)
		if made[f] == nil {
			made[f] = make(map[string]*omega.Automaton)
			for _, algorithm := range explored() {
				start := time.Now()
				made[f][algorithm.Name] = translate(t, algorithm.Name, s, f)
				slowest[algorithm.Name] = max(slowest[algorithm.Name], time.Since(start))
			}
		}
		for name, a := range made[f] {
			ours[r.Tool][name].add(a)
		}
	}
	for _, tool := range tools {
		x := recorded[tool]
		row := fmt.Sprintf("| %s | %d | %d, %d |", tool, x.formulas, x.states, x.edges)
		for _, algorithm := range explored() {
			y := ours[tool][algorithm.Name]
			row += fmt.Sprintf(" %d, %d |", y.states, y.edges)
		}
		t.Logf("%s %.2f |", row, float64(ours[tool]["couvreur"].states)/float64(x.states))
	}
	for _, algorithm := range explored() {
		t.Logf("slowest by %s: %v", algorithm.Name, slowest[algorithm.Name])
	}
	spot, own := recorded["ltl2tgba"], ours["ltl2tgba"]["couvreur"]
	if spot.formulas < 300 || 10*own.states > 13*spot.states {
		t.Errorf("couvreur has %d states for %d formulas, ltl2tgba %d", own.states, own.formulas, spot.states)
	}
}

// TestCouvreurCanceled cancels translations at all stages: they must ask often, and
// stop when they know.
func TestCouvreurCanceled(t *testing.T) {
	s := ltl.NewStore()
	choices, waiting := s.True(), s.True()
	for i := range 5 {
		p, q := s.Prop(fmt.Sprint("p", i)), s.Prop(fmt.Sprint("p", i+1))
		choices = s.And(choices, s.Or(s.Finally(p), s.Globally(q)))
		waiting = s.And(waiting, s.Finally(p))
	}
	for _, f := range []*ltl.Formula{choices, waiting, s.Globally(s.Or(s.Prop("p9"), s.Next(waiting)))} {
		whole := canceled.Never(t.Context())
		a, err := With(whole, "couvreur", s, f)
		if err != nil {
			t.Fatal(err)
		}
		if whole.Asked < 10+a.NumEdges()/budget.Interval {
			t.Errorf("%s: asks %d times", f, whole.Asked)
		}
		for i := range 8 {
			ctx := canceled.At(t.Context(), whole.Asked*i/8)
			if _, err := With(ctx, "couvreur", s, f); !errors.Is(err, context.Canceled) || ctx.Late() > 2 {
				t.Errorf("%s canceled at %d of 8: %v, asked %d times after", f, i, err, ctx.Late())
			}
		}
	}
}
