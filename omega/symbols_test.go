package omega_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/random"
)

// symbolNames returns n names in no order, some of which are no identifiers.
func symbolNames(r *rand.Rand, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf([]string{"s%d", "%d", "x = %d", "\"%d;"}[i%4], i)
	}
	r.Shuffle(n, func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list
}

// TestSymbolCodes: each valuation is the code of one symbol, whatever their number is, and sets
// of symbols are found in labels.
func TestSymbolCodes(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for n := 1; n <= 140; n++ {
		a := omega.NewSymbolAlphabet(symbolNames(r, n)...)
		if len(a.Symbols()) != n || a.Len() > 0 && n <= 1<<(a.Len()-1) || n > 1<<a.Len() {
			t.Fatalf("%d symbols have %d propositions", n, a.Len())
		}
		sum := omega.False
		for i := range n {
			if a.Meet(sum, a.Symbol(i)) || a.Symbol(i) == omega.False {
				t.Fatalf("symbol %d of %d has a code of another, or none", i, n)
			}
			sum = a.Or(sum, a.Symbol(i))
		}
		if sum != a.True() {
			t.Fatalf("%d symbols: some code is unused", n)
		}
		var want []int
		l := omega.False
		for i := range n {
			if r.IntN(2) == 0 {
				want = append(want, i)
				l = a.Or(l, a.Symbol(i))
			}
		}
		if got, whole := a.SymbolsOf(l); !slices.Equal(got, want) || !whole {
			t.Fatalf("seed %d: of %v of %d symbols, SymbolsOf finds %v, %v", seed, want, n, got, whole)
		}
	}
	if a := omega.NewSymbolAlphabet("a", "b", "c"); true {
		list, whole := a.SymbolsOf(a.Prop(1)) // !symbol0&symbol1 is one of two codes of a
		if !slices.Equal(list, []int{0, 2}) || whole {
			t.Errorf("symbols %v, %v", list, whole)
		}
	}
}

// TestSymbolWords: a word over symbols reads as it is printed, and also as its codes.
func TestSymbolWords(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, 0))
	for range 200 {
		a := omega.NewSymbolAlphabet(symbolNames(r, 1+r.IntN(12))...)
		w := random.Word(r, a, 3, 3)
		for _, text := range []string{w.String(), w.Encoded()} {
			v, err := omega.ParseWord(t.Context(), text)
			if err == nil {
				v, err = v.OverSymbols(a)
			}
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, text, err)
			}
			if v.Over(a).String() != w.String() {
				t.Fatalf("seed %d: %s is read as %s", seed, w, v)
			}
		}
	}
	a := omega.NewSymbolAlphabet("a", "b", "c")
	for text, want := range map[string]string{
		"a; cycle{!a}":     "a; cycle{!a}",
		"cycle{a|b}":       "cycle{!c}",
		"1; cycle{a;!a&b}": "1; cycle{a; b}",
		"cycle{a; a&b}":    "letter 2, a&b, fits no symbol: in each letter exactly one symbol is true",
		"cycle{a; d}":      `unknown symbol "d": the automaton has "a", "b" and "c"`,
	} {
		w, err := omega.ParseWord(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if w, err = w.OverSymbols(a); err != nil {
			got = err.Error()
		} else {
			got = w.String()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// symbolic returns a random Büchi automaton over symbols.
func symbolic(r *rand.Rand, symbols []string, states int) *omega.Automaton {
	a := omega.NewSymbolAlphabet(symbols...)
	b := omega.NewBuilder(a, omega.Buchi())
	b.AddStates(states)
	b.AddStart(0)
	for range 2 * states {
		l := omega.False
		for range 1 + r.IntN(3) {
			l = a.Or(l, a.Symbol(r.IntN(len(a.Symbols()))))
		}
		b.AddEdge(omega.State(r.IntN(states)), l, omega.Marks(r.IntN(2)), omega.State(r.IntN(states)))
	}
	return b.Automaton()
}

// TestUniteSymbols: automata over the symbols of two accept the same words as before, and no word
// with a symbol that they do not have.
func TestUniteSymbols(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	accepted := 0
	for range 300 {
		names := symbolNames(r, 2+r.IntN(8))
		k := 1 + r.IntN(len(names)-1)
		a, b := symbolic(r, names[:k], 1+r.IntN(4)), symbolic(r, names[k-1:], 1+r.IntN(4))
		x, y, err := omega.UniteSymbols(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		if err := omega.SameSymbols(x.Alphabet(), y.Alphabet()); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			w := random.Word(r, a.Alphabet(), 2, 3)
			text := w.String()
			v, _ := omega.ParseWord(t.Context(), text)
			v, err := v.OverSymbols(x.Alphabet())
			if err != nil {
				t.Fatal(err)
			}
			in, _ := a.Accepts(t.Context(), w)
			still, _ := x.Accepts(t.Context(), v.Concrete())
			if in != still {
				t.Fatalf("seed %d: %s: %v, and over more symbols %v", seed, text, in, still)
			}
			if in {
				accepted++
			}
		}
		if w := random.Word(r, x.Alphabet(), 2, 3); k < len(names) && strings.Contains(w.String(), names[len(names)-1]) {
			if in, _ := x.Accepts(t.Context(), w); in && !slices.Contains(a.Alphabet().Symbols(), names[len(names)-1]) {
				t.Fatalf("seed %d: %s has a symbol that only the other automaton has", seed, w)
			}
		}
	}
	if accepted < 100 {
		t.Errorf("only %d words are accepted", accepted)
	}
}

// TestSameSymbols: different alphabets are told apart, and the error says how.
func TestSameSymbols(t *testing.T) {
	symbols, props := omega.NewSymbolAlphabet, omega.NewAlphabet
	for _, c := range []struct {
		a, b *omega.Alphabet
		want string
	}{
		{symbols("a", "b"), symbols("b", "a"), ""},
		{symbols("a", "b"), props("symbol0"), ""},
		{symbols("a", "b"), props(), ""},
		{props("a"), props("b"), ""},
		{symbols("a", "b"), props("a"), `different alphabets: one automaton reads symbols, the other propositions ("a")`},
		{symbols("a", "b", "c"), symbols("a", "d"), `different alphabets; only A has "b" and "c"; only B has "d"`},
	} {
		err := omega.SameSymbols(c.a, c.b)
		var known *omega.SymbolsError
		if (err != nil) != (c.want != "") || err != nil && (err.Error() != c.want || !errors.As(err, &known)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	both := symbols("a", "b")
	if omega.Union(props("symbol0"), both) != both {
		t.Error("Union prefers an alphabet without symbols")
	}
}
