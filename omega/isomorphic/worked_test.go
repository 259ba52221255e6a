package isomorphic

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorkedExamples runs the examples in the comments of the package and of colors.
func TestWorkedExamples(t *testing.T) {
	const buchi = "1 Inf(0)"
	a := worked.Automaton(t, buchi, "State: 0 [a] 1 {0} State: 1 [!a] 0")
	b := omega.NewBuilder(a.Alphabet(), a.Acceptance())
	b.AddStates(2)
	b.AddStart(1)
	b.AddEdge(0, a.Alphabet().Not(a.Alphabet().Prop(0)), 0, 1)
	b.AddEdge(1, a.Alphabet().Prop(0), b.Marks().Of(0), 0)
	if same, err := Equal(t.Context(), a, b.Automaton()); err != nil || !same {
		t.Error("the automata are not isomorphic", err)
	}

	diamond := worked.Automaton(t, buchi, "State: 0 [a] 1 [a] 2 State: 1 [a] 3 State: 2 [a] 3 State: 3 [!a] 3")
	c := colors(budget.Free(), diamond)
	if c[1] != c[2] || len(slices.Compact(slices.Sorted(slices.Values(c)))) != 3 {
		t.Errorf("colors %x", c)
	}
}

// NewLimited is NewSet for generations of so many bytes.
func NewLimited(props []string, limit int64) *Set {
	s := NewSet(props)
	s.limit = limit
	return s
}

// Young returns the number of different hashes in the younger generation.
func (s *Set) Young() int { return len(s.young.by) }
