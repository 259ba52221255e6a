package translate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

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

// unreduced returns the automaton of an algorithm before it is reduced.
func unreduced(t *testing.T, algorithm, text string) *omega.Automaton {
	t.Helper()
	x := must.Get(ParseAlgorithm(algorithm))
	s := ltl.NewStore()
	src := must.Get(x.Source(t.Context(), s, parse(t, s, text)))
	return must.Get(omega.Explore(t.Context(), src, omega.NoLimits()))
}

// TestCommentAutomata: the automata in the comments on constructions.
func TestCommentAutomata(t *testing.T) {
	for _, x := range []struct{ algorithm, formula, want string }{
		{"gpvw", "F a", "0 -a-> 1 {0}; 0 -1-> 0; 1 -1-> 1 {0}"},
		{"gpvw", "a U b", "0 -b-> 1 {0}; 0 -a-> 0; 1 -1-> 1 {0}"},
		{"gastin-oddoux", "a U b", "0 -b-> 1 {0}; 0 -a&!b-> 0; 1 -1-> 1 {0}"},
		{"couvreur", "a U b", "0 -b-> 1 {0}; 0 -a&!b-> 0; 1 -1-> 1 {0}"},
		{"couvreur", "{a[*];b}<>->c", "0 -a&!b | a&!c-> 0; 0 -b&c-> 1 {0}; 1 -1-> 1 {0}"},
		{"couvreur", "{a;b}<>->c", "0 -a-> 1; 1 -b&c-> 2; 2 -1-> 2"},
	} {
		if got := drawn(unreduced(t, x.algorithm, x.formula)); got != x.want {
			t.Errorf("%s of %s: %s, want %s", x.algorithm, x.formula, got, x.want)
		}
	}
}

// TestCommentFormulas: the formulas in the comments on rewriting.
func TestCommentFormulas(t *testing.T) {
	s := ltl.NewStore()
	got := s.Simplify(withoutPast(s, parse(t, s, "G(b -> O a)"), omega.NewAlphabet("a", "b")))
	if want := parse(t, s, "G(b -> a | past0) & !past0 & G((a | past0) <-> X past0)"); got != want {
		t.Errorf("without past: %v, want %v", got, want)
	}
}
