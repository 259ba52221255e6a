package certify_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// BenchmarkAccepts compares certificates with the membership test of package omega, on the
// automata of real translators and random words.
func BenchmarkAccepts(b *testing.B) {
	type record struct{ Tool, Output, Status string }
	var automata []*omega.Automaton
	var words []*omega.Word
	r := rand.New(rand.NewPCG(1, 2))
	for x := range corpus.Records[record](b, "recorded.jsonl.gz") {
		if len(automata) < 500 && x.Tool == "ltl2tgba" && x.Status == "ok" {
			a := read(b, x.Output)
			automata = append(automata, a)
			words = append(words, random.Word(r, a.Alphabet(), 4, 4).Concrete())
		}
	}
	b.Run("certify", func(b *testing.B) {
		var plain []*certify.Automaton
		var parsed []*certify.Word
		for i, a := range automata {
			plain, parsed = append(plain, a.Plain()), append(parsed, word(b, words[i].String()))
		}
		for i := range b.N {
			i %= len(automata)
			if _, err := certify.Accepts(context.Background(), plain[i], parsed[i]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("omega", func(b *testing.B) {
		for i := range b.N {
			i %= len(automata)
			if _, err := automata[i].Accepts(context.Background(), words[i]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
