package patterns

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// TestWorkedFormulas runs the examples of formulas in comments.
func TestWorkedFormulas(t *testing.T) {
	b := &builder{Store: ltl.NewStore(), limit: 1000}
	c, s := newCounter(b, 2), newBlocks(b, 2)
	p := b.Prop
	for _, test := range []struct {
		file string
		f    *ltl.Formula
		want string
	}{
		{"set.go", b.fill(b.template("pi U (pj & f)"), 3, p("g")), "p3 U (p4 & g)"},
		{"set.go", b.row(ltl.OpAnd, 3, "F pi"), "Fp1 & Fp2 & Fp3"},
		{"set.go", b.nest(1, 2, p("q"), "pi & X f"), "p1 & X(p2 & Xq)"},
		{"set.go", b.around("G(p -> f)", p("q")), "G(p -> q)"},
		{"set.go", b.exclusive(p("a"), p("b"), p("c")), "!(a & b) & !(a & c) & !(b & c)"},
		{"families.go", c.start(), "m & !b & X!b & G(m -> X!m & XXm)"},
		{"families.go", c.linearStart(), "m & !b & X!b & G(m -> X(!m & Xm))"},
		{"families.go", c.first(p("bit"), p("then")), "G(bit & m -> then)"},
		{"families.go", c.uncarried(), "!c & X!m"},
		{"families.go", s.query(p("f")), "!d U (d & Xf)"},
		{"families.go", s.found(p("property")), "F(c & X(!c & property U c))"},
		{"families.go", s.after(p("first"), p("more")), "c & X(first | d | more)"},
		{"families.go", b.rabinStreett(2, ltl.OpAnd, ltl.OpOr), "FGa2 & GFb2 | (FGa1 | GFb1) & FGa0 & GFb0"},
		{"families.go", worked1(t, "pps-arbiter-standard 1"), "!i1 -> !o1 & (GF!(i1 & o1) & G(i1 xor o1 -> i1 <-> Xi1) -> GF(i1 <-> o1) & G((i1 <-> o1) -> o1 <-> Xo1))"},
	} {
		if got := test.f.String(); got != test.want {
			t.Errorf("%s: got %s, want %s", test.file, got, test.want)
		}
		worked.Shows(t, test.file, strings.ReplaceAll(test.want, "Xf)", "X f)"))
	}
	var names []string
	r := must.Get(Parse("ms-example 1..2 1..2"))
	for f := range r.All() {
		names = append(names, strings.TrimPrefix(f.Name(), "ms-example "))
	}
	if got := strings.Join(names, ", "); got != "1 1, 1 2, 2 1, 2 2" {
		t.Error(got)
	}
}

// worked1 returns the only formula of a request.
func worked1(t *testing.T, request string) *ltl.Formula {
	t.Helper()
	r := must.Get(Parse(request))
	return r.At(0).Formula
}

// TestWorkedWords runs the examples of words in comments.
func TestWorkedWords(t *testing.T) {
	rows := []string{
		"m  1 0  1 0  1 0  1 0    mark of the lowest bit",
		"b  0 0  1 0  0 1  1 1    bit",
		"c  0 0  1 0  0 0  1 1    carry",
	}
	worked.Shows(t, "families.go", rows...)
	letters := make([]string, 8)
	for _, row := range rows {
		fields := strings.Fields(row)
		for i, bit := range fields[1:9] {
			letters[i] += map[string]string{"0": "&!", "1": "&"}[bit] + fields[0]
		}
	}
	cycle := strings.ReplaceAll("cycle{"+strings.Join(letters, ";")+"}", "{&", "{")
	for family := range counterCarries {
		holds(t, family+" 2", strings.ReplaceAll(cycle, ";&", ";"))
	}

	for family, word := range map[string]string{
		"kv-psi":   "c a b c b b c d a b c c c …",
		"kr-nlogn": "c y a z b c y b z b c d y a z b c c c …",
		"kr-n":     "c a1 b2 c b1 b2 c d a1 b2 c c c …",
	} {
		worked.Shows(t, "families.go", word+" "+family)
		var letters []string
		for _, letter := range strings.Fields(strings.TrimSuffix(word, " c …")) {
			valuation := letter
			for _, p := range []string{"a", "b", "c", "d", "y", "z", "a1", "a2", "b1", "b2"} {
				if p != letter {
					valuation += " & !" + p
				}
			}
			letters = append(letters, valuation)
		}
		end := len(letters) - 1
		holds(t, family+" 2", strings.Join(letters[:end], ";")+";cycle{"+letters[end]+"}")
	}
}

func holds(t *testing.T, request, word string) {
	t.Helper()
	w := must.Get(omega.ParseWord(t.Context(), word))
	if holds, err := w.Holds(worked1(t, request)); err != nil || !holds {
		t.Errorf("%s on %s: %v, %v", request, word, holds, err)
	}
}
