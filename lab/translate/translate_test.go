package translate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
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

// drawn writes an automaton as its edges, such as "0 -a-> 1 {0}".
func drawn(a *omega.Automaton) string {
	name := func(i int) string { return a.Alphabet().Props()[i] }
	var list []string
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			text := fmt.Sprintf("%d -%s-> %d", s, a.Alphabet().Format(e.Label, name), e.Dst)
			for _, m := range a.Marks().AppendTo(nil, e.Marks) {
				text += fmt.Sprintf(" {%d}", m)
			}
			list = append(list, text)
		}
	}
	return strings.Join(list, "; ")
}

// TestCommentFormulas: the automaton of a U b in the comment on cgh, and the formulas in the comments
// on rewriting.
func TestCommentFormulas(t *testing.T) {
	s := ltl.NewStore()
	x := must.Get(ParseAlgorithm("cgh"))
	a := must.Get(omega.Explore(t.Context(), must.Get(x.Source(t.Context(), s, parse(t, s, "a U b"))), omega.NoLimits()))
	if want := "0 -b-> 1 {0}; 0 -b-> 0 {0}; 0 -a&!b-> 0; 1 -!b-> 1 {0}; 1 -!a&!b-> 0 {0}"; drawn(a) != want {
		t.Errorf("a U b: %s", drawn(a))
	}
	for text, want := range map[string]string{
		"F a": "1 U a", "G a": "!(1 U !a)", "a R b": "!(!a U !b)", "a W b": "!(!b U (!a & !b))", "a M b": "b U (a & b)",
		"O a": "1 S a", "H a": "!(1 S !a)", "a T b": "!(!a S !b)", "Z a": "!Y !a",
	} {
		b := newBasis()
		if b.formula(parse(t, s, text)) != b.formula(parse(t, s, want)) {
			t.Errorf("%s is not %s", text, want)
		}
	}
	for text, want := range map[string]string{"a & O b": "a & b", "Y a | F Y b": "F Y b"} {
		b := newBasis()
		if b.atStart(b.formula(parse(t, s, text))) != b.formula(parse(t, s, want)) {
			t.Errorf("%s is not %s at the start", text, want)
		}
	}
}

// TestCommentGenerations: the truth of O a in the rounds of a cycle.
func TestCommentGenerations(t *testing.T) {
	f := parse(t, ltl.NewStore(), "O a")
	truths := must.Get(f.Truths(0, 2, func(_ string, pos int) bool { return pos%2 == 1 }))
	var got []bool
	for pos := range truths.Prefix + truths.Cycle {
		got = append(got, truths.Holds(1, pos))
	}
	if !slices.Equal(got, []bool{false, true, true, true}) || truths.Prefix != 2 {
		t.Errorf("%v, prefix %d", got, truths.Prefix)
	}
}
