package sample

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Drawn returns the automaton with edges such as "0→1 {0}", from the initial state 0.
func Drawn(t *testing.T, condition, edges string) *omega.Automaton {
	t.Helper()
	c := must.Get(omega.ParseCondition(condition))
	alphabet := omega.NewAlphabet()
	b := omega.NewBuilder(alphabet, omega.Acceptance{Sets: c.Used(), Condition: c})
	b.AddStart(b.AddState())
	for _, text := range strings.Split(edges, "; ") {
		var from, to omega.State
		way, list, _ := strings.Cut(text, " {")
		if _, err := fmt.Sscanf(way, "%d→%d", &from, &to); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var marks []int
		for _, m := range strings.FieldsFunc(list, func(c rune) bool { return c < '0' || c > '9' }) {
			marks = append(marks, int(m[0]-'0'))
		}
		b.AddStates(int(max(from, to)) + 1)
		b.AddEdge(from, alphabet.True(), b.Marks().Of(marks...), to)
	}
	return b.Automaton()
}
