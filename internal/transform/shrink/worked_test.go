package shrink

import (
	"os"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
)

// TestWorked: the automata in the comment of Steps are one step from the first one.
func TestWorked(t *testing.T) {
	source := must.Get(os.ReadFile("steps.go"))
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	_, example, _ := strings.Cut(string(source), "// one step from\n//\n")
	before, after, ok := strings.Cut(example, "// are, among others")
	if !ok {
		t.Fatal("steps.go has no example")
	}
	got := make(map[string]bool)
	for a := range Steps(t.Context(), worked.Automaton(t, "1 Inf(0)", strings.ReplaceAll(before, "//", ""))) {
		got[words(worked.Text(a))] = true
	}
	shown := 0
	for line := range strings.Lines(after) {
		text, ok := strings.CutPrefix(line, "//\tState: ")
		if !ok && shown > 0 {
			break
		}
		if ok {
			if shown++; !got[words("State: "+text)] {
				t.Errorf("no step leads to State: %s, but to %v", text, got)
			}
		}
	}
	if shown != 5 {
		t.Errorf("%d automata are shown", shown)
	}
}
