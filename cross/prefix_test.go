package cross_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
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
