package witness

import (
	"fmt"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// worked returns the automaton of a worked example.
func worked(t *testing.T, props, acceptance, body string) *omega.Automaton {
	t.Helper()
	a := must.First(hoa.ReadOne(t.Context(), []byte("HOA: v1 Start: 0 AP: "+props+" Acceptance: "+acceptance+" --BODY-- "+body+" --END--")))
	return a
}

// TestWorkedExamples runs the examples in the comments of this package.
func TestWorkedExamples(t *testing.T) {
	t.Run("split", func(t *testing.T) {
		s := newSearch(t.Context(), omega.Limits{})
		s.alphabet = omega.NewAlphabet("a", "b")
		a, b := s.alphabet.Prop(0), s.alphabet.Prop(1)
		s.sides = []*side{{labels: []labelled{{label: a}, {label: s.alphabet.Or(a, b)}}}}
		parts, err := s.split()
		var texts []string
		for _, p := range parts {
			texts = append(texts, s.alphabet.Text(p))
		}
		if err != nil || !slices.Equal(texts, []string{"a", "!a&b", "!a&!b"}) {
			t.Errorf("%q, %v", texts, err)
		}
	})
	t.Run("profiles", func(t *testing.T) {
		a := worked(t, `1 "a"`, "1 Inf(0)", "State: 0 [0] 0 {0} [!0] 0")
		r, err := Shortest(t.Context(), []Side{{a, true}, {a, false}}, nil, omega.Limits{})
		if err != nil || r.Letters != 2 || r.Profiles != 2 || r.Word != nil || r.Why != nil {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("family", func(t *testing.T) {
		accepting, rejecting := &side{accept: true, states: 2, setWords: 1}, &side{states: 2, setWords: 1}
		if !accepting.atLeast([]uint64{0b11}, []uint64{0b01}) || accepting.atLeast([]uint64{0b01}, []uint64{0b11}) ||
			!rejecting.atLeast([]uint64{0b01}, []uint64{0b11}) || rejecting.atLeast([]uint64{0b11}, []uint64{0b01}) {
			t.Error("the wrong set is better")
		}
	})
	t.Run("order", func(t *testing.T) {
		x := must.Get(newSide(t.Context(), Side{worked(t, "0", "2 Inf(0) & Fin(1)", "State: 0 [t] 0 {0} [t] 0 {1}"), true}))
		number := func(marks ...int) int { return slices.Index(x.sets, x.table.Of(marks...)) }
		if got, want := x.worse[number(0)][0], uint64(1)<<number()|1<<number(1)|1<<number(0, 1); got != want {
			t.Errorf("{0} makes %b superfluous, want %b", got, want)
		}
		if got, want := x.worse[number()][0], uint64(1)<<number(1); got != want {
			t.Errorf("the empty set makes %b superfluous, want %b", got, want)
		}
	})
	t.Run("tight", func(t *testing.T) {
		a := worked(t, "0", "1 Inf(0)", "State: 0 [t] 1 State: 1 [t] 1 {0}")
		r, err := NotTight(t.Context(), a, omega.Limits{})
		if err != nil || r.Word == nil || r.Word.String() != "cycle{1}" {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("twice", func(t *testing.T) {
		a := worked(t, `1 "a"`, "0 t", "State: 0 [0] 0 [0] 1 State: 1")
		x := &twice{a: a, live: []bool{true, true}, marks: a.Marks().Joint(a.Marks(), 1)}
		edges, err := x.AppendEdges(nil, x.Initial()[0])
		var pairs []string
		for _, e := range edges {
			pairs = append(pairs, fmt.Sprint(x.pair(e.Dst)))
		}
		slices.Sort(pairs)
		if err != nil || !slices.Equal(pairs, []string{"{0 0 false}", "{1 0 true}", "{1 1 false}"}) {
			t.Errorf("%q, %v", pairs, err)
		}
	})
}
