package cross_test

import (
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestShortest: each word is proved to be shortest, and indeed all that are
// shorter show something else, as the formula and the automata say of every one of
// them.
func TestShortest(t *testing.T) {
	const seed, bound = 5, 4 // words up to this size are tried
	sizes := map[int]int{}
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		tools := []*translators.Tool{tool(t, mutation), tool(t, "gastin-oddoux")}
		for _, c := range run(t, cross.Options{Tools: tools}, random(t, seed, 40, 10)) {
			store := ltl.NewStore()
			f, err := store.Parse(c.Formula, ltl.Spot)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range c.Disagreements {
				sizes[d.Size]++
				if !d.Shortest {
					t.Errorf("seed %d, %s: %s is not proved to be shortest", seed, c.Formula, d.Word)
				}
				var wrong []*omega.Automaton
				for _, s := range d.Blamed {
					g := f
					if s.Negated {
						g = store.Not(f)
					}
					a, err := translate(mutation, g.String())
					if err != nil {
						t.Fatal(err)
					}
					wrong = append(wrong, a)
				}
				if w := shorter(t, f, &d, wrong, min(bound, d.Size-1)); w != nil {
					t.Errorf("seed %d, %s: %s is said to be shortest, but %s shows the same", seed, c.Formula, d.Word, w)
				}
			}
		}
	}
	t.Logf("words by size: %v", sizes)
	if sizes[1] == 0 || sizes[2] == 0 || sizes[3] == 0 {
		t.Errorf("words by size: %v", sizes)
	}
}

// shorter returns a word of up to size letters on which the formula has the truth
// that d says, and all automata that are wrong in the same way; nil if there is
// none.
func shorter(t *testing.T, f *ltl.Formula, d *cross.Disagreement, wrong []*omega.Automaton, size int) *omega.Word {
	alphabet := omega.NewAlphabet(f.Props()...)
	all := uint64(1)<<alphabet.Len() - 1
	for n := 1; n <= size; n++ {
		letters := make([]uint64, n)
		for more := true; more; more = next(letters, all) {
			for u := range n {
				w := &omega.Word{Alphabet: alphabet}
				for i, v := range letters {
					if l := alphabet.Cube(v, all&^v); i < u {
						w.Prefix = append(w.Prefix, l)
					} else {
						w.Cycle = append(w.Cycle, l)
					}
				}
				if truth, err := w.Holds(f); err != nil || truth != d.Truth {
					continue
				}
				if !slices.ContainsFunc(wrong, func(a *omega.Automaton) bool {
					in, err := a.Accepts(w)
					return err != nil || in != (d.Kind == "extra")
				}) {
					return w
				}
			}
		}
	}
	return nil
}

// next counts in base top+1, and reports whether that did not end.
func next(digits []uint64, top uint64) bool {
	for i := range digits {
		if digits[i]++; digits[i] <= top {
			return true
		}
		digits[i] = 0
	}
	return false
}
