package translate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/canceled"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/internal/test/inputs"
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
		src := must.Get(algorithm.source(t.Context(), s, f))
		a := must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
		list = append(list, variant{algorithm.Name + " (source)", must.Get(a.Over(context.Background(), alphabet))})
		if algorithm.reduced {
			list = append(list, variant{algorithm.Name, must.Get(translate(t, algorithm.Name, s, f).Over(context.Background(), alphabet))})
		}
	}
	return list
}

// common returns a word of both automata, or nil.
func common(ctx context.Context, x, y omega.Source) (*omega.Word, error) {
	r, err := productcheck.Intersect(ctx, x, y, omega.Limits{})
	if err != nil {
		return nil, err
	}
	return r.Word, nil
}

// checkRivals checks that all algorithms agree on the words of f: no automaton of
// f has a word in common with an automaton of the negation, by whichever
// algorithms.
func checkRivals(t *testing.T, s *ltl.Store, f *ltl.Formula) {
	t.Helper()
	alphabet := omega.NewAlphabet(f.Props()...)
	yes, no := variants(t, s, f, alphabet), variants(t, s, s.Not(f), alphabet)
	for _, a := range yes {
		for _, b := range no {
			if w := must.Get(common(t.Context(), a.automaton, b.automaton)); w != nil {
				t.Fatalf("%s: %s and the negation by %s: both accept %s", f, a.name, b.name, w)
			}
		}
	}
}

func TestRivals(t *testing.T) {
	n, seed := campaign.Seeded(t, 30, 1)
	for props := 1; props <= 4; props++ {
		s := ltl.NewStore()
		for i, f := range inputs.Random(t, s, seed, n, props, 1, 20) {
			if checkRivals(t, s, f); t.Failed() {
				t.Fatalf("seed %d, %d propositions, formula %d", seed, props, i)
			}
		}
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
	src := must.Get(couvreurSource(t.Context(), s, steps))
	if src.Acceptance().Sets != 70 {
		t.Errorf("acceptance %s", src.Acceptance())
	}
	unreduced := must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
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
		want := must.Get(w.Holds(steps))
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
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 20, MaxSize: 30, Weights: leaves}))
	r := rand.New(rand.NewPCG(seed, 0))
	s := ltl.NewStore()
	for many := 0; many < n; {
		f := must.Get(g.Next())
		f = s.Import(f)
		alphabet := omega.NewAlphabet(f.Props()...)
		if alphabet.Len() <= couvreurProps {
			continue
		}
		many++
		for _, f := range []*ltl.Formula{f, s.Not(f)} {
			src := must.Get(couvreurSource(t.Context(), s, f))
			unreduced := must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
			reduced := translate(t, "couvreur", s, f)
			for range 20 {
				w := inputs.Word(r, alphabet)
				want := must.Get(w.Holds(f))
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

// TestCorpusSizes compares the sizes of our automata with other tools' automata,
// for each formula of the published pattern sets and its negation. couvreur's
// automata must be at most 1.3 times as large as the automata of Spot's ltl2tgba.
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
		for _, algorithm := range Algorithms() {
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
		a := must.First(hoa.ReadOne(context.Background(), []byte(r.Output)))
		recorded[r.Tool].add(a)
		if made[f] == nil {
			made[f] = make(map[string]*omega.Automaton)
			for _, algorithm := range Algorithms() {
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
		for _, algorithm := range Algorithms() {
			y := ours[tool][algorithm.Name]
			row += fmt.Sprintf(" %d, %d |", y.states, y.edges)
		}
		t.Logf("%s %.2f |", row, float64(ours[tool]["couvreur"].states)/float64(x.states))
	}
	for _, algorithm := range Algorithms() {
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
		a := must.Get(With(whole, "couvreur", s, f))
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

// A function is an expansion given by its value on each letter and each set of bits, in that order.
type function []bool

// TestExpansions compares random expansions with the functions that they stand for:
// whether an alternative on the letter is within the set, for all sets that contain
// what their bits imply. If no bit implies another, equal functions must have equal
// numbers.
func TestExpansions(t *testing.T) {
	const (
		seed    = 13
		props   = 3
		letters = 1 << props
		wide    = 70 // some terms are more than a word
	)
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range campaign.Inputs(t, 40) {
		// Bits of promises, at both ends, and of obligations.
		bits := []int{0, wide - 1, wide, wide + 1, wide + 2, wide + 3}
		table := newTermTable(wide, 0, 4)
		implies := make(map[[2]int]bool)
		for i := wide; i < wide+4; i++ {
			for j := i + 1; j < wide+4; j++ {
				if round%2 == 0 && r.IntN(4) == 0 {
					implies[[2]int{i, j}] = true
				}
			}
		}
		table.imply(4, func(i, j int) bool { return implies[[2]int{i + wide, j + wide}] })
		var sets []map[int]bool
		for n := range 1 << len(bits) {
			set := make(map[int]bool)
			for i, b := range bits {
				if n>>i&1 != 0 {
					set[b] = true
				}
			}
			closed := true
			for pair := range implies {
				closed = closed && (!set[pair[0]] || set[pair[1]])
			}
			if closed {
				sets = append(sets, set)
			}
		}
		e := newExpansions(t.Context(), props, table)
		of := func(holds func(letter int, set map[int]bool) bool) function {
			var f function
			for letter := range letters {
				for _, set := range sets {
					f = append(f, holds(letter, set))
				}
			}
			return f
		}
		var list []expansion
		var want []function
		for i := range props {
			list = append(list, e.node(int32(i), never, always), e.node(int32(i), always, never))
			want = append(want,
				of(func(letter int, _ map[int]bool) bool { return letter>>i&1 != 0 }),
				of(func(letter int, _ map[int]bool) bool { return letter>>i&1 == 0 }))
		}
		for _, b := range bits {
			list = append(list, e.leaf([]term{e.bit(b)}))
			want = append(want, of(func(_ int, set map[int]bool) bool { return set[b] }))
		}
		for range 60 {
			i, j := r.IntN(len(list)), r.IntN(len(list))
			conjunction := r.IntN(2) == 0
			f := make(function, len(want[i]))
			for k := range f {
				f[k] = want[i][k] && want[j][k] || !conjunction && (want[i][k] || want[j][k])
			}
			if conjunction {
				list = append(list, e.and(list[i], list[j]))
			} else {
				list = append(list, e.or(list[i], list[j]))
			}
			want = append(want, f)
		}
		number := make(map[string]expansion)
		for i, x := range list {
			got := of(func(letter int, set map[int]bool) bool { return e.holds(x, letter, set) })
			key := make([]byte, len(got))
			for k := range got {
				if got[k] != want[i][k] {
					t.Fatalf("seed %d, round %d: expansion %d is %v, want %v", seed, round, i, got, want[i])
				}
				if got[k] {
					key[k] = 1
				}
			}
			if y, ok := number[string(key)]; ok && x != y && len(implies) == 0 {
				t.Fatalf("seed %d, round %d: expansions %d and %d are equal", seed, round, x, y)
			}
			number[string(key)] = x
		}
	}
}

// holds reports whether an alternative of x on a letter is within a set of bits. Bit i of the
// letter is the value of proposition i.
func (e *expansions) holds(x expansion, letter int, set map[int]bool) bool {
	for n := e.nodes[x]; n.level < e.levels; n = e.nodes[x] {
		if x = expansion(n.lo); letter>>n.level&1 != 0 {
			x = expansion(n.hi)
		}
	}
	for _, t := range e.alternatives(x) {
		within := true
		for _, b := range e.of(t).AppendTo(nil, 0) {
			within = within && set[b]
		}
		if within {
			return true
		}
	}
	return false
}
