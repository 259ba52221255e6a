package translate

import (
	"context"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestCorpusWords compares with what Spot says of formulas on one in six words, or in a campaign
// on all. A word that leaves a proposition of the formula open is a set of words, and may meet
// both the formula and its negation.
func TestCorpusWords(t *testing.T) {
	type record struct {
		Formula, Word string
		Holds         bool
	}
	s := ltl.NewStore()
	for r := range campaign.Sample(corpus.Records[record](t, "words.jsonl.gz"), 6) {
		f := parse(t, s, r.Formula)
		w, err := omega.ParseWord(context.Background(), r.Word)
		if err != nil {
			t.Fatal(err)
		}
		_, open := w.Holds(f)
		for _, algorithm := range Algorithms() {
			if got := accepts(t, translate(t, algorithm.Name, s, f), w); got != r.Holds {
				t.Errorf("%s: %s on %s: accepted %v", algorithm.Name, f, w, got)
			}
			if got := accepts(t, translate(t, algorithm.Name, s, s.Not(f)), w); got == r.Holds && open == nil {
				t.Errorf("%s: !(%s) on %s: accepted %v", algorithm.Name, f, w, got)
			}
		}
	}
}

// published returns the formulas of the published pattern sets.
func published(t *testing.T, s *ltl.Store) iter.Seq[*ltl.Formula] {
	type record struct{ Formula string }
	return func(yield func(*ltl.Formula) bool) {
		seen := make(map[*ltl.Formula]bool)
		for r := range corpus.Records[record](t, "recorded.jsonl.gz") {
			f := parse(t, s, r.Formula)
			if !seen[f] && !yield(f) {
				return
			}
			seen[f] = true
		}
	}
}

// TestCorpusFormulas translates one in three formulas of the published pattern sets, or in a
// campaign all.
func TestCorpusFormulas(t *testing.T) {
	s := ltl.NewStore()
	r := rand.New(rand.NewPCG(8, 0))
	for f := range campaign.Sample(published(t, s), 3) {
		alphabet := omega.NewAlphabet(f.Props()...)
		var words []*omega.Word
		for range 20 {
			words = append(words, randomWord(r, alphabet))
		}
		checkWords(t, s, f, words)
	}
}
