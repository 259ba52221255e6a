package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// The package shares nothing with the searches.
func TestImports(t *testing.T) {
	if got := imports.Own(t); got != "certify internal/budget internal/disjuncts internal/exhaustive internal/must internal/promela internal/recent internal/spelling ltl" {
		t.Errorf("exhaustive depends on %q: expected certify, what that needs, budget and disjuncts", got)
	}
}

// large returns the comparison of a formula over some propositions with an automaton that takes
// long: many states, each with edges to many others.
func large(props, states int) *Question {
	q := &Question{Size: 100}
	s := ltl.NewStore()
	f := s.True()
	a := &certify.Automaton{States: states, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
	for i := range props {
		name := fmt.Sprintf("p%d", i)
		q.Props = append(q.Props, name)
		f = s.And(f, s.Finally(must.Get(s.Parse(name, ltl.Spot))))
	}
	a.Props = q.Props
	for i := range states {
		for k := range 10 {
			label := &certify.Label{Op: certify.Prop, Prop: (i + k) % props}
			a.AddEdge(i, label, []int{0}[:k%2], (i+k*k+1)%states)
		}
	}
	q.Formula, q.Automata = f, []Automaton{{a, false}}
	return q
}

// A limit of steps ends with a smaller size, and all words up to that are tried.
func TestSteps(t *testing.T) {
	last := -1
	for _, steps := range []int{100, 10_000, 300_000, 10_000_000} {
		q := large(2, 10)
		q.Steps = steps
		answer, err := Check(t.Context(), q)
		if err != nil || answer.Size < last || answer.Size == q.Size || answer.Words != Words(2, answer.Size) {
			t.Fatalf("%d steps: %+v, %v", steps, answer, err)
		}
		last = answer.Size
	}
	if last < 4 {
		t.Errorf("only words up to size %d", last)
	}
}

// A formula with deeply nested operators of the past takes little memory, even for one word.
func TestDeepPast(t *testing.T) {
	s := ltl.NewStore()
	f := must.Get(s.Parse(strings.Repeat("Y ", 8000)+"a", ltl.Spot))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	answer, err := Check(t.Context(), &Question{Props: []string{"a"}, Formula: f, Size: 6, Steps: 1 << 18})
	if err != nil || answer.Size != 0 {
		t.Errorf("%+v, %v", answer, err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("%d MiB", took>>20)
	}
}

// However large the question is, it ends when the context does. Large automata need a limit of steps.
func TestCancel(t *testing.T) {
	for _, q := range []*Question{large(1, 20_000), large(12, 10), large(40, 10), large(2, 500)} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		q.Steps = 1 << 17
		if len(q.Props) != 1 {
			q.Steps = 0
		}
		begin := time.Now()
		_, err := Check(ctx, q)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d propositions: %v", len(q.Props), err)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%d propositions: %v", len(q.Props), took)
		}
		cancel()
	}
}

// eachWord calls do with all words of a size in the order of Check.
func eachWord(props, size int, do func(*Word)) {
	for cycle := 1; cycle <= size; cycle++ {
		b := block{shape: shape{props, size - cycle, cycle}}
		for ; b.number < b.blocks(); b.number++ {
			for row := range min(rows, 1<<b.bits()) {
				do(b.word(row))
			}
		}
	}
}

// sequence returns the beginning of the infinite sequence of letters, which tells words of a size
// up to 6 apart.
func (w *Word) sequence() string {
	const length = 20
	letters := slices.Clone(w.Letters)
	for i := w.Prefix; len(letters) < length; i++ {
		letters = append(letters, letters[i])
	}
	return fmt.Sprint(letters[:length])
}

// All words are made, in their order, and as many are different as Words says.
func TestWords(t *testing.T) {
	for _, x := range []struct{ props, size int }{{0, 4}, {1, 5}, {2, 4}, {3, 3}, {4, 2}, {7, 1}} {
		seen := map[string]bool{}
		for size := 1; size <= x.size; size++ {
			made, last := 0, ""
			eachWord(x.props, size, func(w *Word) {
				text := fmt.Sprint(size-w.Prefix, w.Letters) // "false" comes before "true"
				if len(w.Letters) != size || w.Prefix >= size || text <= last {
					t.Fatalf("%d propositions: %v comes after %v", x.props, text, last)
				}
				last = text
				made++
				seen[w.sequence()] = true
			})
			if want := size << (x.props * size); made != want {
				t.Errorf("%d propositions: %d words of size %d, expected %d", x.props, made, size, want)
			}
			if got := Words(x.props, size); got != len(seen) {
				t.Errorf("%d propositions: %d words up to size %d, expected %d", x.props, got, size, len(seen))
			}
		}
	}
	if got := Words(30, 3); got != -1 {
		t.Errorf("Words(30, 3) = %d", got)
	}
}

// TestCommentBlocks: the examples of words in comments.
func TestCommentBlocks(t *testing.T) {
	b := block{shape: shape{props: 2, prefix: 1, cycle: 1}}
	if got, want := b.word(6).Letters, [][]bool{{false, true}, {true, false}}; !reflect.DeepEqual(got, want) {
		t.Errorf("word 6: %v", got)
	}
	if n := Words(1, 2); n != 6 {
		t.Errorf("%d words up to size 2", n)
	}
}

// TestCommentForever: the example of fixed points. The automaton rejects one word of two
// letters, cycle{!a; !a}. Of the words with one letter in the cycle, it accepts cycle{a}.
func TestCommentForever(t *testing.T) {
	a := &certify.Label{Op: certify.Prop}
	automaton := &certify.Automaton{Props: []string{"a"}, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
	automaton.AddEdge(0, a, []int{0}, 0)
	automaton.AddEdge(0, &certify.Label{Op: certify.Not, Args: []*certify.Label{a}}, nil, 0)
	x := must.Get(newAutomaton(automaton, []string{"a"}, budget.Free()))
	for _, test := range []struct {
		cycle int
		want  column
	}{{1, 0b10}, {2, 0b1110}} {
		b := block{shape: shape{props: 1, cycle: test.cycle}}
		got, err := x.on(b, budget.Free())
		if got &= 1<<(1<<b.bits()) - 1; err != nil || got != test.want {
			t.Errorf("cycles of %d letters: %b, %v", test.cycle, got, err)
		}
	}
}

// TestCommentPast: the example of an operator of the past.
func TestCommentPast(t *testing.T) {
	f := must.Get(ltl.NewStore().Parse("Y a", ltl.Spot))
	x := must.Get(newFormula(f, []string{"a"}))
	must.Get(x.on(block{shape: shape{props: 1, cycle: 1}}, budget.New(context.Background())))
	const cycleA = 1 // the number of the word cycle{a}
	if values := x.values[len(x.values)-2:]; values[0]>>cycleA&1 != 0 || values[1]>>cycleA&1 != 1 {
		t.Errorf("Y a in the rounds: %b", values)
	}
}

// compare fails unless a language has the words that package certify says, on some words of all
// shapes up to a size.
func compare(t *testing.T, r *rand.Rand, props []string, size int, x language, has func(*certify.Word) (bool, error), what string) {
	t.Helper()
	steps := budget.Free()
	for n := 1; n <= size; n++ {
		for cycle := 1; cycle <= n; cycle++ {
			b := block{shape: shape{len(props), n - cycle, cycle}}
			b.number = r.IntN(b.blocks())
			got := must.Get(x.on(b, steps))
			count := min(rows, 1<<b.bits())
			for row := r.IntN(4); row < count; row += 1 + r.IntN(6) {
				w := b.word(row).named(props)
				want, err := has(w)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if got>>row&1 != 0 != want {
					t.Fatalf("%s: %v on %v, expected %v", what, !want, w, want)
				}
			}
		}
	}
}

// Formulas have the truth that package certify computes, word by word.
func TestFormulas(t *testing.T) {
	n, seed := campaign.Seeded(t, 400, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	names := []string{"a", "b", "c"}
	for _, past := range []bool{false, true} {
		for k := 1; k <= 3; k++ {
			props := names[:k]
			g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 3, MaxSize: 14, Past: past, KeepDuplicates: true}))
			for range n / 6 {
				f := must.Get(g.Next())
				x := must.Get(newFormula(f, props))
				compare(t, r, props, 4, x, func(w *certify.Word) (bool, error) { return certify.Holds(t.Context(), f, w) }, fmt.Sprintf("seed %d: %v", seed, f))
			}
		}
	}
}

// A formula with an operator that has no law here is evaluated by package certify.
func TestOtherOperators(t *testing.T) {
	f := must.Get(ltl.NewStore().Parse("G({a[*];b} |-> c) | Fa", ltl.Spot))
	props := []string{"a", "b", "c"}
	if x, err := newFormula(f, props); x != nil || err != nil {
		t.Fatalf("%v, %v", x, err)
	}
	x := must.Get(newFormulaLanguage(t.Context(), f, props))
	compare(t, rand.New(rand.NewPCG(1, 2)), props, 3, x, func(w *certify.Word) (bool, error) { return certify.Holds(t.Context(), f, w) }, f.String())
}

// condition returns a random condition over some marks.
func condition(r *rand.Rand, marks, depth int) *certify.Condition {
	c := &certify.Condition{Op: certify.CondOp(r.IntN(6)), Mark: r.IntN(marks), Complement: r.IntN(4) == 0}
	if depth == 0 && c.Op >= certify.AllOf {
		c.Op = certify.Inf
	}
	if c.Op >= certify.AllOf {
		for range 2 + r.IntN(2) {
			c.Args = append(c.Args, condition(r, marks, depth-1))
		}
	}
	return c
}

// label returns a random label over two propositions.
func label(r *rand.Rand, depth int) *certify.Label {
	l := &certify.Label{Op: certify.LabelOp(r.IntN(6)), Prop: r.IntN(2)}
	switch {
	case depth == 0 || l.Op == certify.False && r.IntN(4) > 0:
		l.Op = certify.Prop
	case l.Op == certify.Not:
		l.Args = []*certify.Label{label(r, depth-1)}
	case l.Op == certify.And || l.Op == certify.Or:
		for range r.IntN(4) {
			l.Args = append(l.Args, label(r, depth-1))
		}
	}
	return l
}

// randomAutomaton returns an automaton with a random condition over 3 marks. Its edges share labels.
func randomAutomaton(r *rand.Rand) *certify.Automaton {
	a := &certify.Automaton{Props: []string{"b", "a"}, States: 1 + r.IntN(6), Acceptance: condition(r, 3, 2)}
	var labels []*certify.Label
	for range 4 {
		labels = append(labels, label(r, 3))
	}
	for range r.IntN(3) {
		a.Start = append(a.Start, []int{r.IntN(a.States)})
	}
	for range r.IntN(4 * a.States) {
		var marks []int
		for m := range 3 {
			if r.IntN(3) == 0 {
				marks = append(marks, m)
			}
		}
		a.AddEdge(r.IntN(a.States), labels[r.IntN(len(labels))], marks, r.IntN(a.States))
	}
	return a
}

// Automata accept the words that package certify says, word by word. Each eighth is larger, and has a
// condition that tools print.
func TestAutomata(t *testing.T) {
	n, seed := campaign.Seeded(t, 800, 2)
	r := rand.New(rand.NewPCG(seed, 0))
	printed := []string{"Buchi", "generalized-Buchi 3", "co-Buchi", "Rabin 2", "Streett 2", "parity min odd 4", "generalized-Rabin 2 1 2"}
	some := 0
	for i := range n {
		a := randomAutomaton(r)
		props := []string{"a", "b", "c"}[:2+i%2]
		if i%8 == 0 {
			pattern := must.Get(random.ParsePattern(printed[i/8%len(printed)]))
			g := must.Get(random.NewGenerator(random.GeneratorOptions{Seed: seed + uint64(i), Props: props[:2], MinStates: 5, MaxStates: 20, Acceptance: pattern, Density: 0.2, Marks: 0.3}))
			a = must.Get(g.Next(t.Context())).Plain()
		}
		x, err := newAutomaton(a, props, budget.Free())
		if err != nil || x == nil {
			t.Fatalf("seed %d, automaton %d: %v", seed, i, err)
		}
		accepts := func(w *certify.Word) (bool, error) {
			in, err := certify.Accepts(t.Context(), a, w)
			if in {
				some++
			}
			return in, err
		}
		compare(t, r, props, 4, x, accepts, fmt.Sprintf("seed %d, automaton %d", seed, i))
	}
	if some < 5*n {
		t.Errorf("only %d words are accepted by some of %d automata", some, n)
	}
}

// brute returns what Check should find up to a size, by package certify, word by word.
func brute(ctx context.Context, q *Question, size int) (map[Wrong]int, error) {
	found := map[Wrong]int{}
	var failed error
	for n := 1; n <= size; n++ {
		eachWord(len(q.Props), n, func(w *Word) {
			word := w.named(q.Props)
			right, err := certify.Holds(ctx, q.Formula, word)
			failed = errors.Join(failed, err)
			for i, a := range q.Automata {
				in, err := certify.Accepts(ctx, a.Automaton, word)
				failed = errors.Join(failed, err)
				key := Wrong{Automaton: i, Accepts: in}
				if _, known := found[key]; !known && in != (right != a.Complement) {
					found[key] = n
				}
			}
		})
	}
	return found, failed
}

// Check finds a wrong automaton exactly if there is a word, and finds a shortest one.
func TestCheckBrute(t *testing.T) {
	n, seed := campaign.Seeded(t, 100, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	props := []string{"a", "b"}
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: 1, MaxSize: 8, KeepDuplicates: true}))
	for i := range n {
		f := must.Get(g.Next())
		q := &Question{Props: props, Formula: f, Size: 3}
		for k := range 3 {
			q.Automata = append(q.Automata, Automaton{randomAutomaton(r), k == 1})
		}
		answer, err := Check(t.Context(), q)
		if err != nil || answer.Size != 3 || answer.Words != Words(2, 3) {
			t.Fatalf("seed %d, question %d: %+v, %v", seed, i, answer, err)
		}
		want := must.Get(brute(t.Context(), q, 3))
		for _, w := range answer.Wrong {
			in := must.Get(certify.Accepts(t.Context(), q.Automata[w.Automaton].Automaton, w.Word.named(props)))
			key := Wrong{Automaton: w.Automaton, Accepts: w.Accepts}
			if in != w.Accepts || want[key] != len(w.Word.Letters) {
				t.Fatalf("seed %d, question %d: %+v, accepted: %v; expected a word of size %d", seed, i, w, in, want[key])
			}
			delete(want, key)
		}
		if len(want) > 0 {
			t.Fatalf("seed %d, question %d: no word for %v", seed, i, want)
		}
	}
}

// An alternating automaton is decided by package certify; one that is not weak is an error.
func TestAlternating(t *testing.T) {
	alternating := func(acceptance certify.CondOp) *certify.Automaton {
		a := &certify.Automaton{Props: []string{"a"}, States: 2, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: acceptance}}
		a.AddEdge(0, &certify.Label{Op: certify.True}, nil, 0, 1) // in state 0, G a
		a.AddEdge(1, &certify.Label{Op: certify.Prop}, []int{0}, 1)
		a.AddEdge(1, &certify.Label{Op: certify.Prop}, nil, 1)
		return a
	}
	f := must.Get(ltl.NewStore().Parse("X G a", ltl.Spot))
	q := &Question{Props: []string{"a"}, Formula: f, Automata: []Automaton{{alternating(certify.Always), false}, {alternating(certify.Never), true}}, Size: 5}
	answer, err := Check(t.Context(), q)
	if err != nil || answer.Size != 5 || len(answer.Wrong) != 1 || answer.Wrong[0].Automaton != 1 {
		t.Errorf("%+v, %v", answer, err)
	}
	q.Automata[1] = Automaton{alternating(certify.Inf), false}
	if _, err = Check(t.Context(), q); err != certify.ErrNotWeak {
		t.Errorf("error %v", err)
	}
	q.Formula, q.Input = nil, q.Automata[1].Automaton
	if _, err = Check(t.Context(), q); err != certify.ErrNotWeak {
		t.Errorf("error %v", err)
	}
}

// The automaton of another alphabet, and letters that lack a proposition.
func TestMissingProposition(t *testing.T) {
	a := randomAutomaton(rand.New(rand.NewPCG(1, 1)))
	f := must.Get(ltl.NewStore().Parse("c", ltl.Spot))
	for _, props := range [][]string{{"a", "b"}, {"a", "c"}} {
		if _, err := Check(t.Context(), &Question{Props: props, Formula: f, Automata: []Automaton{{a, false}}, Size: 1}); err == nil {
			t.Errorf("no error for the letters %v", props)
		}
	}
}
