package productcheck_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// included decides inclusion with the default limits, and fails the test if
// that is undecided. The word shows what is missing; it is certified by
// membership.
func included(t *testing.T, what string, x, y *productcheck.Language) (bool, *omega.Word) {
	t.Helper()
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	r, err := d.Decide(t.Context(), x, true, y, false)
	if err != nil {
		t.Fatal(err)
	}
	if r.Undecided != nil {
		t.Errorf("%s: undecided: %v", what, r.Undecided)
		return false, nil
	}
	if r.Empty() {
		return true, nil
	}
	w := r.Word.Concrete()
	in, err := x.Automaton().Accepts(context.Background(), w)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	out, err := y.Automaton().Accepts(context.Background(), w)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !in || out {
		t.Errorf("%s: word %s is in the one: %v, in the other: %v", what, w, in, out)
	}
	return false, w
}

// TestCorpusMutants classifies recorded automata in which something was changed:
// which of them lack words of the formula, which have others. The words are
// certified by the semantics of the formula as well.
func TestCorpusMutants(t *testing.T) {
	n, different := 0, 0
	for c := range campaign.Sample(corpus.Records[struct {
		Formula, Tool, Mutation, HOA string
		Equivalent, Missing, Extra   bool
	}](t, "mutants.jsonl.gz"), 4) {
		n++
		what := fmt.Sprintf("%s of %s, %s", c.Formula, c.Tool, c.Mutation)
		store := ltl.NewStore()
		f, err := store.Parse(c.Formula, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		right, err := translate.With(t.Context(), "gastin-oddoux", store, f)
		if err != nil {
			t.Fatal(err)
		}
		mutant, _, err := hoa.ReadOne(context.Background(), []byte(c.HOA))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		alphabet := omega.Union(right.Alphabet(), mutant.Alphabet())
		x, y := productcheck.NewLanguage(must.Get(right.Over(context.Background(), alphabet))), productcheck.NewLanguage(must.Get(mutant.Over(context.Background(), alphabet)))
		allThere, missing := included(t, what, x, y)
		noMore, extra := included(t, what, y, x)
		if allThere == c.Missing || noMore == c.Extra || (allThere && noMore) != c.Equivalent {
			t.Errorf("%s: missing %v, extra %v; want %v, %v", what, !allThere, !noMore, c.Missing, c.Extra)
		}
		for w, want := range map[*omega.Word]bool{missing: true, extra: false} {
			if w == nil {
				continue
			}
			different++
			if got, err := w.Holds(f); err != nil || got != want {
				t.Errorf("%s: the formula is %v on %s (%v), want %v", what, got, w, err, want)
			}
		}
	}
	if n < 757/4 || different == 0 {
		t.Errorf("%d mutants, %d words", n, different)
	}
}

// TestCorpusRecorded compares what nine real translators made of the same
// formula, each two of them, in both directions. All are equal. One in twenty formulas is taken,
// or in a campaign all.
func TestCorpusRecorded(t *testing.T) {
	type key struct {
		formula string
		negated bool
	}
	groups := map[key]map[string]*omega.Automaton{}
	var order []key
	tools := map[string]int{}
	for c := range corpus.Records[struct {
		Formula, Tool, Output, Status string
		Negated                       bool
	}](t, "recorded.jsonl.gz") {
		if c.Status != "ok" {
			continue
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(c.Output))
		if err != nil {
			t.Fatalf("%s of %s: %v", c.Tool, c.Formula, err)
		}
		k := key{c.Formula, c.Negated}
		if groups[k] == nil {
			groups[k] = map[string]*omega.Automaton{}
			order = append(order, k)
		}
		groups[k][c.Tool] = a
		tools[c.Tool]++
	}
	checks := 0
	for k := range campaign.Sample(slices.Values(order), 20) {
		var alphabets []*omega.Alphabet
		for _, tool := range slices.Sorted(maps.Keys(groups[k])) {
			alphabets = append(alphabets, groups[k][tool].Alphabet())
		}
		alphabet := omega.Union(alphabets...)
		languages := map[string]*productcheck.Language{}
		for tool, a := range groups[k] {
			languages[tool] = productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet)))
		}
		for x, left := range languages {
			for y, right := range languages {
				if x == y {
					continue
				}
				checks++
				what := fmt.Sprintf("%s (negated: %v): %s in %s", k.formula, k.negated, x, y)
				if ok, w := included(t, what, left, right); !ok {
					t.Errorf("%s: %v is missing", what, w)
				}
			}
		}
	}
	t.Logf("%d formulas, %d tools, %d inclusions", len(order), len(tools), checks)
	if len(tools) != 9 || checks < 1000 {
		t.Errorf("%d tools, %d inclusions", len(tools), checks)
	}
}
