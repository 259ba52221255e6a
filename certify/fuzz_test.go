package certify_test

import (
	"context"
	"testing"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/omega"
)

// FuzzParseWord: what is read is read in the same way by package omega, and as no more than
// the conjunctions that are written.
func FuzzParseWord(f *testing.F) {
	for _, text := range []string{"cycle{1}", "a&!b; cycle{!a; 1}", `"b c"&!"q\"\\"; cycle{X1}`, "cycle{a", "a; a", "cycle{!&}", "cycle{a&!a}", "cycle{\fHaa}", "cycle{0+A}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := certify.ParseWord(text)
		if err != nil {
			return
		}
		if len(w.Cycle) == 0 {
			t.Fatalf("%q: a word without a cycle", text)
		}
		v, err := omega.ParseWord(context.Background(), text)
		if err != nil {
			return // a name that needs quotes: it is never printed so
		}
		if len(v.Prefix) != len(w.Prefix) || len(v.Cycle) != len(w.Cycle) {
			t.Fatalf("%q: %d letters and a cycle of %d, read as %d and %d", text, len(v.Prefix), len(v.Cycle), len(w.Prefix), len(w.Cycle))
		}
		for i := range v.Size() {
			letter := append(w.Prefix, w.Cycle...)[i]
			all := v.Alphabet.True()
			for k, name := range v.Alphabet.Props() {
				if value, ok := letter[name]; ok && value {
					all = v.Alphabet.And(all, v.Alphabet.Prop(k))
				} else if ok {
					all = v.Alphabet.And(all, v.Alphabet.Not(v.Alphabet.Prop(k)))
				}
			}
			if all != v.At(i) {
				t.Fatalf("%q: letter %d is read in two ways", text, i+1)
			}
		}
	})
}
