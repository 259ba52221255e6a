package patterns_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/patterns"
)

// TestFound: the list found has at least 150 formulas, each once and smallest first. A tool failed
// on each, according to docs/found.md, or a mutant of the corpus is wrong on it. No formula of
// docs/found.md is left out.
func TestFound(t *testing.T) {
	r := must.Get(patterns.Parse("found"))
	page := must.Get(os.ReadFile("../../docs/found.md"))
	text := strings.ReplaceAll(string(page), `\|`, "|") // as table cells have it
	mutants := map[string]bool{}
	s := ltl.NewStore()
	for m := range corpus.Records[struct {
		Formula        string
		Missing, Extra bool
	}](t, "mutants.jsonl.gz") {
		if f, err := s.Parse(m.Formula, ltl.Spot); err != nil {
			t.Fatal(err)
		} else if m.Missing || m.Extra {
			mutants[f.String()] = true
		}
	}
	var list []*ltl.Formula
	for f := range r.All() {
		list = append(list, f.Formula)
		if g := f.Formula.String(); !mutants[g] && !strings.Contains(text, "`"+g+"`") {
			t.Errorf("no tool of docs/found.md and no mutant fails on %s", g)
		}
	}
	if len(list) < 150 {
		t.Errorf("%d formulas", len(list))
	}
	less := func(f, g *ltl.Formula) int {
		return cmp.Or(cmp.Compare(f.Size(), g.Size()), strings.Compare(f.String(), g.String()))
	}
	if !slices.IsSortedFunc(list, less) || len(slices.CompactFunc(slices.Clone(list), func(f, g *ltl.Formula) bool { return less(f, g) == 0 })) < len(list) {
		t.Error("not sorted by size and text, or a formula occurs twice")
	}
	for line := range strings.Lines(string(page)) {
		// | tool and options | `formula` | …
		if cells := strings.Split(line, " | "); len(cells) > 3 && strings.HasPrefix(cells[1], "`") {
			text := strings.ReplaceAll(strings.Trim(cells[1], "`"), `\|`, "|")
			if !slices.ContainsFunc(list, func(f *ltl.Formula) bool { return f.String() == text }) {
				t.Errorf("docs/found.md has %s, which the list has not", text)
			}
		}
	}
}
