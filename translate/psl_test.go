package translate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/internal/test/expressions"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestPSLWords compares automata of random formulas with expressions, before and after the
// reductions, with the truth of the formulas on one in three words of up to three letters, in a
// campaign on all, and on random longer ones.
func TestPSLWords(t *testing.T) {
	const seed = 41
	r := rand.New(rand.NewPCG(seed, 0))
	alphabet := omega.NewAlphabet("a", "b")
	words := slices.Collect(campaign.Sample(slices.Values(allWords(alphabet, 3)), 3))
	for range campaign.Inputs(t, 400) {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		list := pslVariants(t, s, f, alphabet)
		more := words
		for range 20 {
			more = append(more[:len(more):len(more)], randomWord(r, alphabet))
		}
		for _, w := range more {
			want := must.Get(w.Holds(f))
			for i, a := range list {
				if accepts(t, a, w) != want {
					t.Fatalf("seed %d: %s on %s is %v, and automaton %d is wrong:\n%s", seed, f, w, want, i, dump(a))
				}
			}
		}
	}
}

// pslVariants returns the automaton of f as it is made, and reduced.
func pslVariants(t *testing.T, s *ltl.Store, f *ltl.Formula, alphabet *omega.Alphabet) []*omega.Automaton {
	t.Helper()
	src, err := must.Get(ParseAlgorithm(Default)).Source(t.Context(), s, f)
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	a := must.Get(omega.Explore(t.Context(), src, 0))
	return []*omega.Automaton{must.Get(a.Over(t.Context(), alphabet)), must.Get(must.Get(Of(t.Context(), s, f)).Over(t.Context(), alphabet))}
}

// TestPSLComplement: the automata of a formula and of its negation have no word in common, and all
// words.
func TestPSLComplement(t *testing.T) {
	const seed = 42
	r := rand.New(rand.NewPCG(seed, 0))
	e := newEqualities(t)
	for range campaign.Inputs(t, 150) {
		s := ltl.NewStore()
		f := expressions.Formula(r, s)
		alphabet := omega.NewAlphabet("a", "b")
		pos, neg := e.languages(Default, alphabet, s, f)
		if pos == nil || neg == nil {
			continue
		}
		e.empty(f, Default, pos, true, neg, true)
		e.empty(f, Default, pos, false, neg, false)
	}
}

// TestPSLAlgorithms: the other constructions refuse expressions.
func TestPSLAlgorithms(t *testing.T) {
	s := ltl.NewStore()
	f := parse(t, s, "G({a;b[*]}<>->c)")
	for _, a := range Algorithms() {
		_, err := With(t.Context(), a.Name, s, f)
		if a.PSL != (err == nil) {
			t.Errorf("%s: %v", a.Name, err)
		}
	}
}

// TestPSLFirstMatch: of a set with the empty word, the empty word is the first match.
func TestPSLFirstMatch(t *testing.T) {
	alphabet := omega.NewAlphabet("a", "b")
	for _, text := range []string{"{first_match([*0] | a)}!", "{first_match(a[*]);b}!", "{first_match(first_match(a)[*0..1])[*2]}<>-> GFa"} {
		s := ltl.NewStore()
		f := parse(t, s, text)
		for _, a := range pslVariants(t, s, f, alphabet) {
			for _, w := range allWords(alphabet, 3) {
				if want := must.Get(w.Holds(f)); accepts(t, a, w) != want {
					t.Errorf("%s on %s is %v", text, w, want)
				}
			}
		}
	}
}
