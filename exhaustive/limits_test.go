package exhaustive

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/imports"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// The package shares nothing with the searches.
func TestImports(t *testing.T) {
	if got := imports.Own(t); got != "certify exhaustive internal/budget internal/must internal/promela internal/recent internal/spelling ltl" {
		t.Errorf("exhaustive depends on %q: expected certify, what that needs, and budget", got)
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

// However large the question is, it ends when the context does. Large automata need a limit of
// steps.
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
		if took := time.Since(begin); took > time.Second { // on a busy machine
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

// TestCommentDisjuncts: the example of a condition.
func TestCommentDisjuncts(t *testing.T) {
	inf := func(i int) *certify.Condition { return &certify.Condition{Op: certify.Inf, Mark: i} }
	list, ok := disjuncts(&certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{
		{Op: certify.Fin, Mark: 0},
		{Op: certify.AnyOf, Args: []*certify.Condition{inf(1), inf(2)}},
	}})
	if text := fmt.Sprint(list); !ok || text != "[{[{0 false}] [{1 false}]} {[{0 false}] [{2 false}]}]" {
		t.Errorf("%s, %v", text, ok)
	}
}

// TestCommentForever: the example of fixed points. Of the words of two letters, the automaton
// accepts all but cycle{!a; !a}, and of those with one letter in the cycle, cycle{a}.
func TestCommentForever(t *testing.T) {
	a := &certify.Label{Op: certify.Prop}
	automaton := &certify.Automaton{Props: []string{"a"}, States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Inf}}
	automaton.AddEdge(0, a, []int{0}, 0)
	automaton.AddEdge(0, &certify.Label{Op: certify.Not, Args: []*certify.Label{a}}, nil, 0)
	x, err := newAutomaton(automaton, []string{"a"}, budget.Free())
	if err != nil {
		t.Fatal(err)
	}
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
	f, err := ltl.NewStore().Parse("Y a", ltl.Spot)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newFormula(f, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.on(block{shape: shape{props: 1, cycle: 1}}, budget.New(context.Background())); err != nil {
		t.Fatal(err)
	}
	const cycleA = 1 // the number of the word cycle{a}
	if values := x.values[len(x.values)-2:]; values[0]>>cycleA&1 != 0 || values[1]>>cycleA&1 != 1 {
		t.Errorf("Y a in the rounds: %b", values)
	}
}
