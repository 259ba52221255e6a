package ltl_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestParseLenient: what is no formula in parentheses is a proposition, and everything
// else is as it is for Parse, also what is wrong.
func TestParseLenient(t *testing.T) {
	for _, c := range []struct {
		text string
		syn  ltl.Syntax
		want string // in Spot's syntax, or the error
	}{
		{"(a < b) U (process[2]@ok)", ltl.Spot, `"a < b" U "process[2]@ok"`},
		{"G(( x == 3 ) -> F(y))", ltl.Spot, `G("x == 3" -> Fy)`},
		{"(f(x) < 3)", ltl.Spot, `"f(x) < 3"`},
		{"((a<b) U c)", ltl.Spot, `"a<b" U c`},
		{"(a<b U c)", ltl.Spot, `"a<b U c"`},
		{"!(a b)=1", ltl.Spot, `1:7: expected an operator or the end, found "=1"`},
		{`(a ")" b) && c`, ltl.Spot, `"a \")\" b" & c`},
		{`("a\")" ?) | c`, ltl.Spot, `"\"a\\\")\" ?" | c`},
		{"[] (x > 0)", ltl.Spin, `G"x > 0"`},
		{"(p>1) * q=0", ltl.Wring, `"p>1" & !q`},
		{"(a U b)", ltl.Spot, "a U b"},
		{"a < b", ltl.Spot, `1:3: expected an operator or the end, found "<"`},
		{"(a < b", ltl.Spot, `1:4: expected an operator or ')', found "<"`},
		{"()", ltl.Spot, "1:3: expected a formula, found the end"}, // Spot's X,
		{"( )", ltl.Spot, `1:3: expected a formula, found ")"`},
		{"(a <) & (b <", ltl.Spot, `1:12: expected an operator or ')', found "<"`},
		{"& p0 p1", ltl.LBT, "p0 & p1"},
		{"& (p0) p1", ltl.LBT, `1:3: expected a formula, found "("`},
	} {
		f, err := ltl.NewStore().ParseLenient(c.text, c.syn)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.String()
		}
		if got != c.want {
			t.Errorf("%s (%v): %s, want %s", c.text, c.syn, got, c.want)
		}
	}
}

// TestLenientAsStrict: what Parse takes is taken in the same way, in every syntax.
func TestLenientAsStrict(t *testing.T) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: 1, Props: []string{"a", "b", "x y"}, MinSize: 1, MaxSize: 15})
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
		s := ltl.NewStore()
		text := f.String()
		strict, err1 := s.Parse(text, ltl.Spot)
		lenient, err2 := s.ParseLenient(text, ltl.Spot)
		if err1 != nil || err2 != nil || strict != lenient {
			t.Errorf("%s: %v (%v), lenient %v (%v)", text, strict, err1, lenient, err2)
		}
	}
}

// TestLenientNeverFails: with parentheses around it, any text with balanced parentheses
// and no quotes is a formula.
func TestLenientNeverFails(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range campaign.Inputs(t, 2000) {
		var b strings.Builder
		depth := 0
		for range 1 + r.IntN(20) {
			switch c := "ab<&U!()G "[r.IntN(10)]; {
			case c == '(':
				depth++
				b.WriteByte(c)
			case c != ')':
				b.WriteByte(c)
			case depth > 0:
				depth--
				b.WriteByte(c)
			}
		}
		text := "(x" + b.String() + strings.Repeat(")", depth) + ")"
		if _, err := ltl.NewStore().ParseLenient(text, ltl.Spot); err != nil {
			t.Errorf("seed %d: %s: %v", seed, text, err)
		}
	}
	// Deep nesting takes no time to speak of; with a pass over the text for each pair of
	// parentheses, it would be half a minute.
	const n = 60000
	for _, text := range []string{strings.Repeat("(", n), strings.Repeat("(", n) + "a b" + strings.Repeat(" c)", n), strings.Repeat("(<", n) + strings.Repeat(")", n)} {
		ltl.NewStore().ParseLenient(text, ltl.Spot)
	}
}
