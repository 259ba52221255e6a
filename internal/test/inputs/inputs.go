// Package inputs has random formulas, and words, on which tests compare translations.
package inputs

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Random returns n random formulas over the first props propositions.
func Random(t testing.TB, s *ltl.Store, seed uint64, n, props, minSize, maxSize int) []*ltl.Formula {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: seed, Props: []string{"a", "b", "c", "d"}[:props], MinSize: minSize, MaxSize: maxSize,
		KeepTrivial: true, KeepDuplicates: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []*ltl.Formula
	for range n {
		f := must.Get(g.Next())
		list = append(list, s.Import(f))
	}
	return list
}

// Past returns n random formulas with operators of the past, over the
// first props propositions.
func Past(t testing.TB, s *ltl.Store, seed uint64, n, props, minSize, maxSize int) []*ltl.Formula {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: seed, Props: []string{"a", "b", "past0", "c"}[:props], MinSize: minSize, MaxSize: maxSize,
		Past: true, KeepTrivial: true, KeepDuplicates: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []*ltl.Formula
	for len(list) < n {
		f := must.Get(g.Next())
		if f.Ops().HasPast() {
			list = append(list, s.Import(f))
		}
	}
	return list
}

// Word returns a word over the alphabet, its letters single valuations,
// with at most three letters before the cycle and in it.
func Word(r *rand.Rand, alphabet *omega.Alphabet) *omega.Word {
	w := &omega.Word{Alphabet: alphabet}
	letter := func() omega.Label {
		v := make(omega.Letter, alphabet.Len())
		for i := range v {
			v[i] = r.IntN(2) == 0
		}
		return alphabet.LetterLabel(v)
	}
	for range r.IntN(4) {
		w.Prefix = append(w.Prefix, letter())
	}
	for range 1 + r.IntN(3) {
		w.Cycle = append(w.Cycle, letter())
	}
	return w
}

// AllWords returns all words of single valuations up to a size.
func AllWords(alphabet *omega.Alphabet, size int) []*omega.Word {
	var words []*omega.Word
	var extend func(letters []omega.Label)
	extend = func(letters []omega.Label) {
		for loop := range letters {
			words = append(words, omega.NewWord(alphabet, letters[:loop], letters[loop:]))
		}
		if len(letters) == size {
			return
		}
		for n := range 1 << alphabet.Len() {
			v := make(omega.Letter, alphabet.Len())
			for i := range v {
				v[i] = n>>i&1 != 0
			}
			extend(append(slices.Clone(letters), alphabet.LetterLabel(v)))
		}
	}
	extend(nil)
	return words
}
