package spelling_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestSpelling: formulas and negations as ltlcross 2.12 writes them in its CSV. Those of a line are
// given to one Speller, one after the other.
func TestSpelling(t *testing.T) {
	for _, c := range []struct{ formulas, want string }{
		{"GFa -> GFb", "(G(F(a))) -> (G(F(b)))"},
		{"a U b", "(a) U (b)"},
		{`"a b" R XX!p`, `("a b") R (X(X(!(p))))`},
		{"!(a xor b) W (c M d)", "(!((a) xor (b))) W ((c) M (d))"},
		{"X(0) M F(a U X(0))", "(X((0))) M (F((a) U (X((0)))))"},
		// Operands are sorted.
		{"G(c & a & b)", "G((a) & (b) & (c))"},
		{"a & b | c", "(c) | ((a) & (b))"},
		{"Xa & p10 & !p2 & 1", "(!(p2)) & (p10) & (X(a))"},
		{"p01 & p1 & p00 & p0", "(p00) & (p01) & (p0) & (p1)"},
		{"Xa <-> b", "(b) <-> (X(a))"},
		{"Xa & Xb; Xb & Xa", "(X(a)) & (X(b)); (X(a)) & (X(b))"},
		{"Xb & Xa; Xa & Xb", "(X(b)) & (X(a)); (X(b)) & (X(a))"},
		// A conjunction is made when it is needed, and the right operand first.
		{"(Xa & Xb) <-> (Xc & Xd)", "((X(c)) & (X(d))) <-> ((X(a)) & (X(b)))"},
		{"(Xa & Xb) | Xc | (Xd & Xe)", "(X(c)) | ((X(a)) & (X(b))) | ((X(d)) & (X(e)))"},
		{"(Xe & Xf) xor ((Xa & Xb) | (Xc & Xd))", "(((X(a)) & (X(b))) | ((X(c)) & (X(d)))) xor ((X(e)) & (X(f)))"},
		// Identities.
		{"!!a", "a"}, {"!1", "0"}, {"X(1)", "1"}, {"FFa", "F(a)"}, {"GGa", "G(a)"}, {"G(0)", "0"}, {"F(1)", "1"},
		{"a & a", "a"}, {"a & 1", "a"}, {"a & 0", "0"}, {"a | 1", "1"}, {"a | 0 | a", "a"}, {"1 & 1", "1"},
		{"a -> 0", "!(a)"}, {"a -> 1", "1"}, {"0 -> a", "1"}, {"1 -> a", "a"}, {"Fa -> Fa", "1"},
		{"a <-> 0", "!(a)"}, {"1 <-> a", "a"}, {"a <-> a", "1"}, {"a xor 1", "!(a)"}, {"0 xor a", "a"}, {"a xor a", "0"},
		{"a U 1", "1"}, {"a U 0", "0"}, {"0 U a", "a"}, {"a U a", "a"}, {"1 U a", "(1) U (a)"},
		{"a W 1", "1"}, {"0 W a", "a"}, {"1 W a", "1"}, {"a W a", "a"}, {"a W 0", "(a) W (0)"},
		{"a R 1", "1"}, {"a R 0", "0"}, {"1 R a", "a"}, {"a R a", "a"}, {"0 R a", "(0) R (a)"},
		{"a M 0", "0"}, {"1 M a", "a"}, {"0 M a", "0"}, {"a M a", "a"}, {"a M 1", "(a) M (1)"},
		{"!!(a & Xb) & c", "(a) & (c) & (X(b))"},
		// PSL.
		{"{a;b[->2];c[=1..2]}", "{{a};{{b}[->2]};{c}[=1..2]}"},
		{"{a[->]}[]->b; {a && b;c}|=>d", "{{a}[->]}[]-> (b); {{{a} && {b}};{c}}[]=> (d)"},
		{"{(a xor b);(a->b);(a<->b)}", "{{{a} xor {b}};{{a} -> {b}};{{a} <-> {b}}}"},
		{"{a[*] && b;c}!; !{a;b}", "{{{b} && {{a}[*]}};{c}}!; !{{a};{b}}"},
		{"{a | b | c[*]}", "{{{a} | {b}} | {{c}[*]}}"},
		{"G{first_match(a[*];b);c}", "G({{first_match({{a}[*]};{b})};{c}})"},
		{"{[*];a}<>->(b U c)", "{{[*]};{a}}<>-> ((b) U (c))"},
		{"{(a;b)[:*1..]}; {a[*3..]}", "{{{a};{b}}[:+]}; {{a}[*3..]}"},
		{"{a}[]->b; {a && [*]}; {a[*] | [*]}[]->b", "(!(a)) | (b); a; {[*]}[]-> (b)"},
	} {
		var s spelling.Speller
		var list []string
		for text := range strings.SplitSeq(c.formulas, "; ") {
			formula, negation := s.SpellText(text)
			list = append(list, formula)
			want, _ := new(spelling.Speller).SpellText("!(" + text + ")")
			if len(list) == 1 && negation != want {
				t.Errorf("%s: the negation is %s, want %s", text, negation, want)
			}
		}
		if got := strings.Join(list, "; "); got != c.want {
			t.Errorf("%s: got %s, want %s", c.formulas, got, c.want)
		}
	}
}

// TestSpellingMeans: a spelling has the truth of the formula on random words, and the negation's
// spelling has the opposite truth.
func TestSpellingMeans(t *testing.T) {
	n, seed := campaign.Seeded(t, 300, 1)
	r := rand.New(rand.NewPCG(seed, 0))
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 20, KeepTrivial: true}))
	var s spelling.Speller
	letters := []string{"a&b", "a&!b", "!a&b", "!a&!b"}
	for range n {
		f := must.Get(g.Next())
		formula, negation := s.Spell(f)
		for range 5 {
			word := letters[r.IntN(4)] + "; " + letters[r.IntN(4)] + "; cycle{" + letters[r.IntN(4)] + "; " + letters[r.IntN(4)] + "}"
			want := holds(t, f.String(), word)
			if holds(t, formula, word) != want || holds(t, negation, word) == want {
				t.Fatalf("seed %d: %s is spelled %s and %s: wrong on %s", seed, f, formula, negation, word)
			}
		}
	}
}

func holds(t *testing.T, text, word string) bool {
	t.Helper()
	f := must.Get(xcheck.ParseLTL(text))
	w := must.Get(xcheck.ParseWord(word))
	return must.Get(xcheck.Eval(t.Context(), f, w)) == xcheck.True
}

// TestSame: what ltlcross makes of a formula is the same as the formula.
func TestSame(t *testing.T) {
	for _, c := range [][2]string{{"a U b", "(a) U (b)"}, {"!!a", "a"}, {"Xb & Xa", "(X(a)) & (X(b))"}, {"(Fa | Gb) <-> Xc", "X(c) <-> (G(b) | F(a))"}, {"a U", "a U"}} {
		if x, y := spelling.Same(c[0]), spelling.Same(c[1]); x != y {
			t.Errorf("%s is %s, but %s is %s", c[0], x, c[1], y)
		}
	}
	n, seed := campaign.Seeded(t, 300, 1)
	g := must.Get(ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 30, KeepTrivial: true}))
	var s spelling.Speller
	for range n {
		f := must.Get(g.Next())
		formula, negation := s.Spell(f)
		if spelling.Same(formula) != spelling.Same(f.String()) || spelling.Same(negation) != spelling.Same("!("+f.String()+")") {
			t.Errorf("seed %d: %s is %s, but %s is %s", seed, f, spelling.Same(f.String()), formula, spelling.Same(formula))
		}
	}
}

// TestSpellingBounds: a large formula is only written with parentheses, and what is no formula
// stays as it is.
func TestSpellingBounds(t *testing.T) {
	var s spelling.Speller
	store := ltl.NewStore()
	f := store.Prop("a")
	for range 1 << 17 {
		f = store.Next(f)
	}
	formula, negation := s.Spell(f)
	if !strings.HasPrefix(formula, "X(X(") || negation != "!("+formula+")" {
		t.Errorf("%.20s, %.20s", formula, negation)
	}
	if formula, negation := s.SpellText("a U"); formula != "a U" || negation != "!(a U)" {
		t.Errorf("%s, %s", formula, negation)
	}
}

// A row of ltlcross's CSV, found for a formula of ours.
func Example() {
	rows := map[string]int{"(a) U (X(b))": 3, "!((a) U (X(b)))": 4} // numbers of states
	var s spelling.Speller
	formula, negation := s.SpellText("a U X(b & b)")
	fmt.Println(formula, rows[formula])
	fmt.Println(negation, rows[negation])
	// Output:
	// (a) U (X(b)) 3
	// !((a) U (X(b))) 4
}
