package spelling_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
)

// TestWorkedExamples runs the examples in comments. The last formula of each list is shown.
func TestWorkedExamples(t *testing.T) {
	for _, test := range []struct {
		formulas []string
		want     string
		shown    string
	}{
		{[]string{"GFa -> GFb"}, "(G(F(a))) -> (G(F(b)))", "GFa -> GFb (G(F(a))) -> (G(F(b)))"},
		{[]string{"Xb & a"}, "(a) & (X(b))", "Xb & a (a) & (X(b))"},
		{[]string{"!!a U 0"}, "0", "!!a U 0 0"},
		{[]string{"Fa & Fb"}, "(F(a)) & (F(b))", "Fa & Fb (F(a)) & (F(b))"},
		{[]string{"Gc | Fb", "Fa & Fb"}, "(F(b)) & (F(a))", "Gc | Fb, then Fa & Fb (F(b)) & (F(a))"},
		{[]string{"a & (b & c)"}, "(a) & (b) & (c)", "a & (b & c)"},
		{[]string{"a & !!(b & c)"}, "(a) & (b) & (c)", "a & !!(b & c)"},
		{[]string{"a U Xb"}, "(a) U (X(b))", "(a) U (X(b))"},
		{[]string{"b & 1 & a & b"}, "(a) & (b)", "b & 1 & a & b = a & b"},
		{[]string{"Fa | 0"}, "F(a)", "Fa | 0 = Fa"},
		{[]string{"Fa | Gb | 1"}, "1", "Fa | Gb | 1 = 1"},
		{[]string{"Xc & (a | b) & !d & a"}, "(a) & (!(d)) & ((a) | (b)) & (X(c))", "Xc & (a | b) & !d & a (a) & (!(d)) & ((a) | (b)) & (X(c))"},
	} {
		var s spelling.Speller
		var got string
		for _, f := range test.formulas {
			got, _ = s.SpellText(f)
		}
		if got != test.want {
			t.Errorf("%q: %s, want %s", test.formulas, got, test.want)
		}
		worked.Shows(t, "spelling.go", test.shown)
	}
	for _, text := range []string{"Fb & Fa", "(F(a)) & (F(b))"} {
		if got := spelling.Same(text); got != "Fa & Fb" {
			t.Errorf("%s is the same as %s", text, got)
		}
	}
}
