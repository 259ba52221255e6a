package xcheck_test

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
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
	checker := &xcheck.Checker{}
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

// FuzzCompare: no text of two automata makes a comparison panic, or fail with an internal error.
func FuzzCompare(f *testing.F) {
	f.Add(gfa, gfa)
	for _, text := range hostile() {
		if len(text) < 1000 {
			f.Add(gfa, text)
			f.Add(text, `HOA: v1 States: 1 Start: 0 AP: 1 "b" Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`)
		}
	}
	checker := xcheck.Checker{Limits: omega.Limits{
		Macrostates: 2000, ProductStates: 20_000, Memory: 64 << 20, Time: 100 * time.Millisecond, WordSteps: 200_000}}
	f.Fuzz(func(t *testing.T, left, right string) {
		a, err := xcheck.ReadHOA(strings.NewReader(left))
		if err != nil {
			return
		}
		b, err := xcheck.ReadHOA(strings.NewReader(right))
		if err != nil {
			return
		}
		c, err := checker.Compare(t.Context(), a, b)
		if err != nil && strings.Contains(err.Error(), "internal error") {
			t.Fatal(err)
		}
		if (c == nil || c.Verdict() == xcheck.Undecided) != (err != nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}

// randomHOA writes a small automaton over some of the propositions, with one of many conditions.
func randomHOA(r *rand.Rand, props []string) string {
	conditions := []string{"1 Inf(0)", "1 Fin(0)", "2 Inf(0)&Inf(1)", "2 Fin(0)&Inf(1)", "2 Fin(0)|Inf(1)",
		"3 Inf(2)|(Fin(1)&Inf(0))", "0 t", "0 f", "4 (Fin(0)&Inf(1))|(Fin(2)&Inf(3))"}
	condition := conditions[r.IntN(len(conditions))]
	states, marks := 1+r.IntN(3), int(condition[0]-'0')
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\nStart: 0\nAP: %d", states, len(props))
	for _, p := range props {
		fmt.Fprintf(&b, " %q", p)
	}
	fmt.Fprintf(&b, "\nAcceptance: %s\n--BODY--\n", condition)
	for s := range states {
		fmt.Fprintf(&b, "State: %d\n", s)
		for range 1 + r.IntN(3) {
			label := []string{"t"}
			for p := range props {
				label = append(label, []string{"t", fmt.Sprint(p), fmt.Sprint("!", p)}[r.IntN(3)])
			}
			fmt.Fprintf(&b, "[%s] %d {", strings.Join(label, "&"), r.IntN(states))
			for m := range marks {
				if r.IntN(2) == 0 {
					fmt.Fprint(&b, " ", m)
				}
			}
			b.WriteString("}\n")
		}
	}
	b.WriteString("--END--\n")
	return b.String()
}

// words lists all words over the propositions of at most size letters, the shortest first.
func words(props []string, size int) []string {
	var letters []string
	for bits := range 1 << len(props) {
		var letter []string
		for i, p := range props {
			letter = append(letter, []string{"!" + p, p}[bits>>i&1])
		}
		letters = append(letters, strings.Join(letter, "&"))
	}
	sequences := [][]string{{}}
	var list []string
	for n := 1; n <= size; n++ {
		var longer [][]string
		for _, s := range sequences {
			for _, l := range letters {
				longer = append(longer, append(slices.Clip(s), l))
			}
		}
		sequences = longer
		for _, s := range sequences {
			for prefix := range n {
				text := strings.Join(append(slices.Clone(s[:prefix]), "cycle{"+strings.Join(s[prefix:], "; ")+"}"), "; ")
				list = append(list, text)
			}
		}
	}
	return list
}

// accepted returns for each word whether the automaton accepts it, according to package certify.
func accepted(t *testing.T, a *omega.Automaton, words []string) []bool {
	t.Helper()
	var list []bool
	for _, text := range words {
		ok := must.Get(certify.Accepts(t.Context(), a.Plain(), must.Get(certify.ParseWord(text))))
		list = append(list, ok)
	}
	return list
}

// checkAnswer compares an answer with brute force: all has every word of at most size letters, and in
// says which of them are in the set.
func checkAnswer(t *testing.T, what string, x *xcheck.Answer, all []string, in func(i int) bool, size int) {
	t.Helper()
	least := 0
	for i, text := range all {
		if in(i) {
			least = must.Get(xcheck.ParseWord(text)).Size()
			break
		}
	}
	switch {
	case x.Empty() != (x.Word == nil):
		t.Errorf("%s: empty: %t, with the word %v", what, x.Empty(), x.Word)
	case x.Word == nil && least > 0:
		t.Errorf("%s: no word found, but there is one of %d letters", what, least)
	case x.Word == nil:
	case !x.Shortest() || least == 0 && x.Word.Size() <= size || least > 0 && x.Word.Size() != least:
		t.Errorf("%s: found %v, proved shortest: %t; by brute force, a shortest one has %d letters (0: more than %d)", what, x.Word, x.Shortest(), least, size)
	}
}

// TestBruteForce: what Compare, Intersect, Difference, Empty and Complement say of random automata
// with different alphabets is true of all short words, by the membership test of package certify.
func TestBruteForce(t *testing.T) {
	const size = 3
	n, seed := campaign.Seeded(t, 100, 3)
	r := rand.New(rand.NewPCG(seed, 0))
	alphabets := [][]string{{}, {"a"}, {"a", "b"}, {"b"}, {"b", "a"}}
	all := words([]string{"a", "b"}, size)
	verdicts := map[xcheck.Verdict]int{}
	for range n {
		left, right := randomHOA(r, alphabets[r.IntN(len(alphabets))]), randomHOA(r, alphabets[r.IntN(len(alphabets))])
		a, b := must.Get(xcheck.ReadHOA(strings.NewReader(left))), must.Get(xcheck.ReadHOA(strings.NewReader(right)))
		inA, inB := accepted(t, a, all), accepted(t, b, all)
		c, err1 := xcheck.Compare(t.Context(), a, b)
		both, err2 := xcheck.Intersect(t.Context(), a, b)
		difference, err3 := xcheck.Difference(t.Context(), a, b)
		empty, err4 := xcheck.Empty(t.Context(), a)
		co, err5 := xcheck.Complement(t.Context(), a)
		if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
			t.Fatalf("%v\n%s%s", err, left, right)
		}
		verdicts[c.Verdict()]++
		onlyA := func(i int) bool { return inA[i] && !inB[i] }
		checkAnswer(t, "only in A", c.OnlyInA, all, onlyA, size)
		checkAnswer(t, "only in B", c.OnlyInB, all, func(i int) bool { return inB[i] && !inA[i] }, size)
		checkAnswer(t, "difference", difference, all, onlyA, size)
		checkAnswer(t, "intersection", both, all, func(i int) bool { return inA[i] && inB[i] }, size)
		checkAnswer(t, "empty", empty, all, func(i int) bool { return inA[i] }, size)
		for i, not := range accepted(t, co, all) {
			if not == inA[i] {
				t.Errorf("complement: %s: both answer %t", all[i], not)
			}
		}
		if again := must.Get(xcheck.Compare(t.Context(), b, a)); again.Verdict() != mirrored[c.Verdict()] {
			t.Errorf("A and B: %v, B and A: %v", c, again)
		}
		if t.Failed() {
			t.Fatalf("A and B are\n%s%s%v", left, right, c)
		}
	}
	for v := xcheck.Equal; v <= xcheck.Incomparable; v++ {
		if verdicts[v] == 0 {
			t.Errorf("no pair is %v", v)
		}
	}
}

// mirrored has the verdict of B and A for each of A and B.
var mirrored = map[xcheck.Verdict]xcheck.Verdict{
	xcheck.Equal: xcheck.Equal, xcheck.Subset: xcheck.Superset,
	xcheck.Superset: xcheck.Subset, xcheck.Incomparable: xcheck.Incomparable,
}

// TestFormulas: on random words, the automaton of a formula accepts what the formula says, and so
// do package certify and the negation.
func TestFormulas(t *testing.T) {
	n, seed := campaign.Seeded(t, 100, 4)
	r := rand.New(rand.NewPCG(seed, 0))
	all := words([]string{"a", "b"}, 3)
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Props: []string{"a", "b"}, MinSize: 1, MaxSize: 8, Past: true, Seed: seed}))
	for range n {
		f := must.Get(g.Next())
		a := must.Get(xcheck.Translate(t.Context(), f))
		for range 20 {
			text := all[r.IntN(len(all))]
			w := must.Get(xcheck.ParseWord(text))
			holds, err1 := xcheck.Eval(t.Context(), f, w)
			accepts, err2 := xcheck.Accepts(t.Context(), a, w)
			truth, err3 := certify.Holds(t.Context(), f, must.Get(certify.ParseWord(text)))
			must.Do(cmp.Or(err1, err2, err3))
			if (holds == xcheck.True) != truth || accepts != truth {
				t.Errorf("%v on %s: Eval %v, Accepts %t, package certify %t", f, text, holds, accepts, truth)
			}
		}
	}
}

// TestOpenLetters: where letters leave propositions open, Eval tells apart whether the formula
// holds on all, some or no words that match.
func TestOpenLetters(t *testing.T) {
	for _, x := range []struct {
		formula, word string
		want          xcheck.Truth
	}{
		{"GFa", "cycle{a}", xcheck.True},
		{"GFa", "cycle{1}", xcheck.Open},
		{"Fa", "cycle{1}", xcheck.Open},
		{"Fa", "a; cycle{1}", xcheck.True},
		{"GFa | !GFa", "cycle{1}", xcheck.True},
		{"a & !a", "cycle{b}", xcheck.False},
		{"a & X b", "a; cycle{!b}", xcheck.False},
		{"Fb", "!b; cycle{a | b; b}", xcheck.True},
		{"a & b", "a; cycle{1}", xcheck.Open},
		{"X b", "a; cycle{b; 1}", xcheck.True},
		{"G(a -> O b)", "a&!b; cycle{1}", xcheck.False},
	} {
		if got, err := xcheck.Eval(t.Context(), must.Get(xcheck.ParseLTL(x.formula)), must.Get(xcheck.ParseWord(x.word))); got != x.want || err != nil {
			t.Errorf("%s on %s: %v, %v; want %v", x.formula, x.word, got, err, x.want)
		}
	}
}

// TestSharedFormula: several goroutines use one formula, and then one word and one automaton, whose
// labels are decision diagrams (for the race detector).
func TestSharedFormula(t *testing.T) {
	f := must.Get(xcheck.ParseLTL("G(req -> F ack) & (a U O b) & (c | d | e | g)"))
	shared := must.Get(xcheck.Translate(t.Context(), f))
	w := must.Get(xcheck.ParseWord("cycle{!req&ack&b&a&c&!d&!e&!g}"))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			a, err1 := xcheck.Translate(t.Context(), f)
			holds, err2 := xcheck.Eval(t.Context(), f, w)
			accepts, err3 := xcheck.Accepts(t.Context(), shared, w)
			c, err4 := xcheck.Compare(t.Context(), a, shared)
			if err := cmp.Or(err1, err2, err3, err4); err != nil || holds != xcheck.True || !accepts || !c.Equal() {
				t.Errorf("Eval %v, Accepts %t, %v, %v", holds, accepts, c, err)
			}
			_, err1 = xcheck.Complement(t.Context(), shared)
			_, err2 = xcheck.Explain(t.Context(), shared, w)
			_, err3 = xcheck.Difference(t.Context(), shared, shared)
			if err := cmp.Or(err1, err2, err3, xcheck.WriteHOA(io.Discard, shared)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestForeignFormula makes formulas of operands from other stores.
func TestForeignFormula(t *testing.T) {
	f, s := must.Get(xcheck.ParseLTL("a U (b & {c[*];d})")), ltl.NewStore()
	want := must.Get(s.Parse("!(a U (b & {c[*];d})) | X(a U (b & {c[*];d}))", ltl.Spot))
	if got := s.Or(s.Not(f), new(ltl.Store).Next(f)); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	a := must.Get(xcheck.Translate(t.Context(), s.Not(f)))
	b := must.Get(xcheck.Complement(t.Context(), must.Get(xcheck.Translate(t.Context(), f))))
	if c, err := xcheck.Compare(t.Context(), a, b); err != nil || !c.Equal() {
		t.Errorf("%v, %v", c, err)
	}
}
