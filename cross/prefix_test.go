package cross_test

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/exhaustive"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translate"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestBadPrefixes runs wrong translators on safety formulas. Every word on which the formula is false
// has a bad prefix. No continuation up to some size satisfies the formula, by evaluating all of
// them, and with a letter less some word does, by an automaton of the formula.
func TestBadPrefixes(t *testing.T) {
	n, seed := campaign.Seeded(t, 500, 6)
	var safety []*ltl.Formula
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 12}))
	for len(safety) < n {
		if f := must.Get(g.Next()); f.SyntacticClass() == ltl.Safety {
			safety = append(safety, f)
		}
	}
	mutations := []string{"drop", "toggle", "negate"}
	share := (n + len(mutations) - 1) / len(mutations)
	words, tried, lengths := 0, 0, 0
	for i, mutation := range mutations {
		var formulas []string
		for _, f := range safety[i*share : min(n, (i+1)*share)] {
			formulas = append(formulas, f.String())
		}
		cases := run(t, cross.Options{Tools: []*translators.Tool{streamed(t, mutation), streamed(t, "gpvw")}}, these(t, formulas...))
		for _, c := range cases {
			for _, d := range c.Disagreements {
				if d.Prefix == "" && (d.Truth || unsatisfiable(t, c.Formula)) {
					continue // it need not have one, or the empty one is
				}
				words++
				if d.Prefix == "" {
					t.Errorf("seed %d: %s on %s: no bad prefix", seed, c.Formula, d.Word)
					continue
				}
				lengths += 1 + strings.Count(d.Prefix, ";")
				tried += checkPrefix(t, c.Formula, &d)
			}
		}
	}
	t.Logf("%d formulas, %d prefixes of %.2f letters, %d words evaluated", n, words, float64(lengths)/float64(words), tried)
	if words < n/10 {
		t.Errorf("only %d prefixes", words)
	}
}

// checkPrefix evaluates the formula on all words up to a size that begin with the prefix, and
// returns how many words of these sizes there are.
func checkPrefix(t *testing.T, formula string, d *outcome.Disagreement) int {
	t.Helper()
	store := ltl.NewStore()
	f := parsed(t, store, formula)
	right := f
	if !d.Truth {
		right = store.Not(f)
	}
	letters := strings.Split(d.Prefix, "; ")
	size := min(len(letters)+2, 6)
	implied := store.Implies(begins(t, store, letters), right)
	answer, err := exhaustive.Check(t.Context(), &exhaustive.Question{Props: []string{"a", "b"}, Formula: implied, Size: size,
		Automata: []exhaustive.Automaton{{Automaton: everything()}}})
	if err != nil || len(answer.Wrong) > 0 || answer.Size != size {
		t.Errorf("%s after %s: %+v, %v", formula, d.Prefix, answer, err)
		return 0
	}
	w := must.Get(omega.ParseWord(t.Context(), d.Word))
	var shorter []string
	for i := range len(letters) - 1 {
		for i >= w.Size() {
			i -= len(w.Cycle)
		}
		shorter = append(shorter, w.Alphabet.Text(w.At(i)))
	}
	other := store.And(begins(t, store, shorter), store.Not(right))
	a := must.Get(translate.Of(t.Context(), store, other))
	if must.Get(emptiness.Check(t.Context(), a, emptiness.Limits{})).Empty() {
		t.Errorf("%s: %s settles the truth with a letter less", formula, d.Prefix)
	}
	return answer.Words
}

func unsatisfiable(t *testing.T, formula string) bool {
	t.Helper()
	store := ltl.NewStore()
	a := must.Get(translate.Of(t.Context(), store, parsed(t, store, formula)))
	return must.Get(emptiness.Check(t.Context(), a, emptiness.Limits{})).Empty()
}

// begins returns the formula of the words that begin with the letters.
func begins(t *testing.T, store *ltl.Store, letters []string) *ltl.Formula {
	t.Helper()
	f := store.True()
	for i := len(letters) - 1; i >= 0; i-- {
		f = store.And(parsed(t, store, letters[i]), store.Next(f))
	}
	return f
}

// everything accepts all words.
func everything() *certify.Automaton {
	a := &certify.Automaton{States: 1, Start: [][]int{{0}}, Acceptance: &certify.Condition{Op: certify.Always}}
	a.AddEdge(0, &certify.Label{Op: certify.True}, nil, 0)
	return a
}
