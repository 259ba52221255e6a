package witness_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translate"
)

// lengths are the sizes of what shows that languages differ: of the first run that
// a check finds, of a shortest run of the product, and of the shortest word.
type lengths struct {
	first, run, word int
	proved           bool
	seconds          float64
}

// compare looks for a word that is in x (or not) and in y (or not). It notes the
// lengths, and fails the test if the word is not as it should be. The word is nil
// if there is none.
func compare(t *testing.T, what string, x *productcheck.Language, inX bool, y *productcheck.Language, inY bool, all *[]lengths) *omega.Word {
	t.Helper()
	d := productcheck.Decider{Limits: productcheck.DefaultLimits}
	r, err := d.Decide(t.Context(), x, inX, y, inY)
	if err != nil || r.Undecided != nil {
		t.Fatal(err, r.Undecided)
	}
	if r.Empty() {
		return nil
	}
	var sides [2][]*productcheck.Language // in, out
	for _, s := range []struct {
		l  *productcheck.Language
		in bool
	}{{x, inX}, {y, inY}} {
		if s.in {
			sides[0] = append(sides[0], s.l)
		} else {
			sides[1] = append(sides[1], s.l)
		}
	}
	known := r.Word.Concrete()
	start := time.Now()
	got, err := d.Shortest(t.Context(), known, sides[0], sides[1])
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return nil
	}
	seconds := time.Since(start).Seconds()
	run, err := d.ShortestRun(t.Context(), sides[0], sides[1])
	if err != nil || run.Size() > r.Word.Size() || run.Size() < got.Word.Size() {
		t.Fatalf("%s: word %v, shortest run %v, %v; first run %v", what, got, run, err, r.Word)
	}
	*all = append(*all, lengths{r.Word.Size(), run.Size(), got.Word.Size(), got.Shortest(), seconds})
	if !got.Shortest() {
		t.Logf("%s: %s: not proved to be shortest: %v", what, got.Word, got.Why)
	}
	for i, languages := range sides {
		for _, l := range languages {
			if in, err := l.Automaton().Accepts(context.Background(), got.Word); err != nil || in != (i == 0) {
				t.Errorf("%s: membership of %s is %v, %v", what, got.Word, in, err)
			}
		}
	}
	return got.Word
}

// table logs how many runs and words there are of each length.
func table(t *testing.T, all []lengths) {
	var first, run, word [8]int
	sums := [3]int{}
	proved, quick, slow := 0, 0, 0.0
	var seconds []float64
	for _, l := range all {
		first[min(l.first, len(first))-1]++
		run[min(l.run, len(run))-1]++
		word[min(l.word, len(word))-1]++
		sums[0] += l.first
		sums[1] += l.run
		sums[2] += l.word
		if l.proved {
			proved++
			if l.seconds < 1 {
				quick++
			}
		}
		seconds = append(seconds, l.seconds)
		slow = max(slow, l.seconds)
	}
	slices.Sort(seconds)
	var b strings.Builder
	fmt.Fprintf(&b, "%d words, %d proved to be shortest, %d of them within a second; time: median %.2f ms, greatest %.0f ms\n", len(all), proved, quick, 1000*seconds[len(seconds)/2], 1000*slow)
	fmt.Fprintf(&b, "%-16s", "length")
	for i := range first {
		fmt.Fprintf(&b, "%6d", i+1)
	}
	fmt.Fprint(&b, "+  mean")
	for i, row := range []struct {
		name   string
		counts [8]int
	}{{"first run found", first}, {"shortest run", run}, {"shortest word", word}} {
		fmt.Fprintf(&b, "\n%-16s", row.name)
		for _, n := range row.counts {
			fmt.Fprintf(&b, "%6d", n)
		}
		fmt.Fprintf(&b, "%7.2f", float64(sums[i])/float64(len(all)))
	}
	t.Log(b.String())
	if 100*proved < 99*len(all) {
		t.Errorf("only %d of %d words are proved to be shortest", proved, len(all))
	}
}

// TestCorpusPairs compares one in three pairs of automata, or in a campaign all: what they share, and what is only in
// the one or the other, in turn or in a campaign all of it.
func TestCorpusPairs(t *testing.T) {
	var all []lengths
	n := 0
	for c := range campaign.Sample(corpus.Records[struct{ Kind, A, B string }](t, "pairs.jsonl.gz"), 3) {
		n++
		a, _, err := hoa.ReadOne(context.Background(), []byte(c.A))
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := hoa.ReadOne(context.Background(), []byte(c.B))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.Union(a.Alphabet(), b.Alphabet())
		x, y := productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet))), productcheck.NewLanguage(must.Get(b.Over(context.Background(), alphabet)))
		for _, in := range campaign.Alternate(n, [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, true}) {
			compare(t, fmt.Sprintf("pair %d (%s), %v", n, c.Kind, in), x, in[0], y, in[1], &all)
		}
	}
	table(t, all)
}

// TestCorpusMutants compares recorded automata in which something was changed with
// their formula. The words are certified by the formula's semantics. One in six is taken, or in a
// campaign all.
func TestCorpusMutants(t *testing.T) {
	var all []lengths
	type record struct {
		Formula, Tool, Mutation, HOA string
		Missing, Extra               bool
	}
	for c := range campaign.Sample(corpus.Records[record](t, "mutants.jsonl.gz"), 6) {
		store := ltl.NewStore()
		f, err := store.Parse(c.Formula, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		a, _, err := hoa.ReadOne(context.Background(), []byte(c.HOA))
		if err != nil {
			t.Fatal(err)
		}
		alphabet := omega.Union(omega.NewAlphabet(f.Props()...), a.Alphabet())
		mutant := productcheck.NewLanguage(must.Get(a.Over(context.Background(), alphabet)))
		for _, truth := range []bool{true, false} { // missing words, and extra ones
			g := f
			if !truth {
				g = store.Not(f)
			}
			right, err := translate.With(t.Context(), "gastin-oddoux", store, g)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s of %s, %s", c.Formula, c.Tool, c.Mutation)
			w := compare(t, what, productcheck.NewLanguage(must.Get(right.Over(context.Background(), alphabet))), true, mutant, !truth, &all)
			if (w != nil) != (truth && c.Missing || !truth && c.Extra) {
				t.Errorf("%s: word %v for truth %v", what, w, truth)
			}
			if w == nil {
				continue
			}
			if got, err := w.Holds(f); err != nil || got != truth {
				t.Errorf("%s: the formula is %v on %s (%v)", what, got, w, err)
			}
		}
	}
	table(t, all)
}
