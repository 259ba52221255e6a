package translators_test

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestLBTNames: a tool that takes LBT's syntax gets propositions p0, p1, … only, and
// its automata get the formula's own.
func TestLBTNames(t *testing.T) {
	for _, mode := range []translators.Mode{translators.Stream, translators.Batch} {
		// A state from which "G p" reads p.
		tool := answerer(t, mode, `case $f in "G p"[0-9]) printf '1 0t\n0 1\n0 -1 %s\n-1\n' "${f#G }";; *) exit 1;; esac`)
		tool.Syntax, tool.Format = ltl.LBT, "lbtt"
		r := translators.NewTestRunner(t, 1)
		for _, prop := range []string{"a", "p3", "a b", "P0", `say "p"`} {
			store := ltl.NewStore()
			out, err := tool.Translate(t.Context(), r, store.Globally(store.Prop(prop)))
			if err != nil {
				t.Fatal(err)
			}
			if summary(out) != "ok" || !slices.Equal(out.Automaton.Alphabet().Props(), []string{prop}) {
				t.Errorf("mode %v, proposition %q: %s %s %v", mode, prop, summary(out), out.Detail, out.Automaton)
			}
		}
	}
}
