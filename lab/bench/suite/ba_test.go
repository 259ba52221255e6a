package suite

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestSymbolCodes: each valuation is the code of one symbol, whatever their number is.
func TestSymbolCodes(t *testing.T) {
	for n := 1; n < 40; n++ {
		names := strings.Fields("p q r s t u")
		for len(names) > 0 && n <= 1<<(len(names)-1) {
			names = names[1:]
		}
		a := omega.NewAlphabet(names...)
		all := omega.False
		for i := range n {
			code := a.Cube(symbolCode(i, n))
			if a.Meet(all, code) || code == omega.False {
				t.Fatalf("symbol %d of %d has a code of another, or none", i, n)
			}
			all = a.Or(all, code)
		}
		if all != a.True() {
			t.Fatalf("%d symbols: some code is unused", n)
		}
	}
}

// TestBA: an automaton in BA accepts what its text says, over the symbols of all automata of the
// problem.
func TestBA(t *testing.T) {
	s := &Suite{}
	list := must.Get(s.automata(t.Context(), []string{"x.ba", "y.ba"}, [][]byte{
		[]byte("[0]\na,[0]->[1]\nb,[0]->[0]\nb,[1]->[0]\n[1]\n"), []byte("c,0->0\n0\n")}))
	for word, want := range map[string][2]bool{ // a is !symbol0, b is symbol0&!symbol1, c is both
		"cycle{!symbol0; symbol0&!symbol1}":  {true, false},
		"cycle{symbol0&!symbol1}":            {false, false},
		"cycle{symbol0&symbol1}":             {false, true},
		"!symbol0; cycle{symbol0&!symbol1}":  {false, false},
		"!symbol0; cycle{!symbol0&!symbol1}": {false, false},
	} {
		w := must.Get(omega.ParseWord(t.Context(), word))
		for i, a := range list {
			if got := must.Get(xcheck.Accepts(t.Context(), a, w)); got != want[i] {
				t.Errorf("automaton %d, %s: %v", i, word, got)
			}
		}
	}
	for text, want := range map[string]string{
		"":                    "x.ba: expected an automaton in BA, found nothing",
		"[0]\na,[0]->[0]\n":   "x.ba: no accepting state is listed: ",
		"[0]\n[1]\n":          "x.ba: 2: expected one initial state ",
		"[0]\na,[0],->[1]":    "x.ba: 2: expected an edge, symbol,source->destination, found ",
		"[0]\na[0]->[1]\n[1]": "x.ba: 2: expected an edge, ",
	} {
		if _, err := s.automata(t.Context(), []string{"x.ba"}, [][]byte{[]byte(text)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
