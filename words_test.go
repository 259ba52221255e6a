package xcheck_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/productcheck"
)

// sequence returns the first letters of a word, which tell words of at most five letters apart.
func sequence(text string) string {
	w := must.Get(certify.ParseWord(text))
	var letters []string
	for i := range 20 {
		if n := len(w.Prefix); i < n {
			letters = append(letters, fmt.Sprint(w.Prefix[i]))
		} else {
			letters = append(letters, fmt.Sprint(w.Cycle[(i-n)%len(w.Cycle)]))
		}
	}
	return strings.Join(letters, "; ")
}

// TestWords compares the words of automata with all words up to a size, tried one by one.
func TestWords(t *testing.T) {
	n, seed := campaign.Seeded(t, 40, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	checker := &xcheck.Checker{Limits: productcheck.DefaultLimits}
	for k := range n {
		props, size := []string{"a"}, 4
		if k%3 == 0 {
			props, size = []string{"a", "b"}, 2
		}
		text := randomHOA(r, props)
		a := must.Get(xcheck.ReadHOA(strings.NewReader(text)))
		want := map[string]int{} // the sizes
		for _, w := range words(props, size) {
			x := must.Get(certify.ParseWord(w))
			if key := sequence(w); must.Get(certify.Accepts(t.Context(), a.Plain(), x)) && want[key] == 0 {
				want[key] = len(x.Prefix) + len(x.Cycle)
			}
		}
		got, last := map[string]int{}, 0
		for answer, err := range checker.Words(t.Context(), a) {
			if err != nil {
				t.Fatalf("seed %d, automaton %d: %v\n%s", seed, k, err, text)
			}
			if !answer.Shortest() || answer.Word.Size() < last {
				t.Fatalf("seed %d, automaton %d: %s of %d letters comes after one of %d\n%s", seed, k, answer.Word, answer.Word.Size(), last, text)
			}
			if last = answer.Word.Size(); last > size {
				break
			}
			key := sequence(answer.Word.String())
			if got[key] != 0 {
				t.Fatalf("seed %d, automaton %d: %s again\n%s", seed, k, answer.Word, text)
			}
			got[key] = last
		}
		for key, size := range want {
			if got[key] != size {
				t.Fatalf("seed %d, automaton %d: %s has size %d, want %d\n%s", seed, k, key, got[key], size, text)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d, automaton %d: %d words, want %d\n%s", seed, k, len(got), len(want), text)
		}
	}
}

// TestAllWords: the sequence ends if there are no more words.
func TestAllWords(t *testing.T) {
	for formula, want := range map[string][]string{
		"a & XG!a | Ga":         {"cycle{a}", "a; cycle{!a}"},
		"a & !a":                nil,
		"G(a <-> X!a)":          {"cycle{!a; a}", "cycle{a; !a}"},
		"!a & X(a & XG(!a))":    {"!a; a; cycle{!a}"},
		"Ga | a & G(a <-> X!a)": {"cycle{a}", "cycle{a; !a}"},
	} {
		a := must.Get(xcheck.Translate(t.Context(), must.Get(xcheck.ParseLTL(formula))))
		var got []string
		for answer, err := range (&xcheck.Checker{}).Words(t.Context(), a) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, answer.Word.String())
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, want %q", formula, got, want)
		}
	}
}
