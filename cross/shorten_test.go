package cross_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// TestShortest: each word is proved to be shortest, and indeed all that are
// shorter show something else, as the formula and the automata say of every one of
// them.
func TestShortest(t *testing.T) {
	t.Parallel()
	const seed, bound = 5, 4 // words up to this size are tried
	sizes := map[int]int{}
	for _, mutation := range []string{"drop", "toggle", "negate"} {
		tools := []*translators.Tool{streamed(t, mutation), streamed(t, "gastin-oddoux")}
		for _, c := range run(t, cross.Options{Tools: tools}, randomFormulas(t, seed, campaign.Inputs(t, 100), 10)) {
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
					if s.Polarity == outcome.Negation {
						g = store.Not(f)
					}
					a, err := mutated(mutation, g.String())
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
func shorter(t *testing.T, f *ltl.Formula, d *outcome.Disagreement, wrong []*omega.Automaton, size int) *omega.Word {
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
					in, err := a.Accepts(context.Background(), w)
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

// TestShortestOfOthers: what the shortest word for some automata shows of others is
// not reported once more, with a word that is longer than theirs.
func TestShortestOfOthers(t *testing.T) {
	const (
		none = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 f\n--BODY--\nState: 0\n--END--\n"
		all  = "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0\n--END--\n"
		// the one word cycle{a; !a; !a}
		third = "HOA: v1\nStates: 3\nStart: 0\nAP: 1 \"a\"\nAcceptance: 0 t\n--BODY--\nState: 0 [0] 1\nState: 1 [!0] 2\nState: 2 [!0] 0\n--END--\n"
	)
	// constant is a translator that answers formulas with the one automaton, and
	// those that begin with a negation with the other.
	constant := func(name, pos, neg string) *translators.Tool {
		return shell(t, name, "case %f in !*) printf %%s "+translators.Quote(neg)+";; *) printf %%s "+translators.Quote(pos)+";; esac")
	}
	tools := []*translators.Tool{tool(t, "gpvw"), constant("A", none, none), constant("B", third, none), constant("C", all, third)}
	got := map[string]string{}
	for _, c := range run(t, cross.Options{Tools: tools}, these(t, "a -> a")) {
		for _, d := range c.Disagreements {
			if !d.Shortest {
				t.Errorf("%s is not proved to be shortest: %v", d.Word, d.Blamed)
			}
			got[fmt.Sprint(d.Kind, d.Blamed)] = d.Word
		}
	}
	want := map[string]string{"missing[A B]": "cycle{!a}", "extra[C (negation)]": "cycle{a; !a; !a}"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
