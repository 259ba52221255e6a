package ltl_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

func parse(t testing.TB, s *ltl.Store, text string, syn ltl.Syntax) *ltl.Formula {
	t.Helper()
	f, err := s.Parse(text, syn)
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return f
}

// TestParse reads formulas in every syntax and shows them in Spot's.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		syn      ltl.Syntax
		in, want string
	}{
		{ltl.Spot, "a", "a"},
		{ltl.Spot, "GFa", "GFa"},
		{ltl.Spot, "/* x /* y */ */ a /**/ & {a[*/* */2];b}!/*z*/", "a & {a[*2];b}!"},
		{ltl.Spot, "G(a->Fb)", "G(a -> Fb)"},
		{ltl.Spot, "[](a => <>b)", "G(a -> Fb)"},
		{ltl.Spot, "a U b U c", "a U b U c"},
		{ltl.Spot, "(a U b) U c", "(a U b) U c"},
		{ltl.Spot, "a -> b -> c", "a -> b -> c"},
		{ltl.Spot, "(a -> b) -> c", "(a -> b) -> c"},
		{ltl.Spot, "a <-> b -> c", "a <-> b -> c"},
		{ltl.Spot, "a & (b & c)", "a & b & c"},
		{ltl.Spot, "a | b & c xor d", "a | b & c xor d"},
		{ltl.Spot, "a | ((b & c) xor d)", "a | b & c xor d"},
		{ltl.Spot, "(a U b) & c", "a U b & c"},
		{ltl.Spot, "a U (b & c)", "a U (b & c)"},
		{ltl.Spot, "p0 -> (!p1 U p0)", "p0 -> !p1 U p0"},
		{ltl.Spot, "!(a U b)", "!(a U b)"},
		{ltl.Spot, "X(0) xor (FXp1 W Gp0)", "X(0) xor FXp1 W Gp0"},
		{ltl.Spot, "X0 & G12 & F3", "X0 & G12 & F3"}, // three propositions
		{ltl.Spot, "X(1) & Xa1", "X(1) & Xa1"},
		{ltl.Spot, "Until & Xor & Mary", "Until & Xor & Mary"},
		{ltl.Spot, "a=1 * b=0 + c", "a & !b | c"},
		{ltl.Spot, "~a && b || c ^ d", "!a & b | c xor d"},
		{ltl.Spot, `a /\ b \/ c --> d <--> e`, "a & b | c -> d <-> e"},
		{ltl.Spot, `"a b" & "x\"y\\z" & "1" & "U" & "X"`, `"a b" & "x\"y\\z" & "1" & "U" & "X"`},
		{ltl.Spot, `"plain"`, "plain"},
		{ltl.Spot, `a & ""`, `a & ""`},
		{ltl.Spot, "true & false", "1 & 0"},
		{ltl.Spot, "a V b", "a R b"},
		{ltl.Spot, "p=0Uq=1", "!p U q"},
		{ltl.Spot, "p=0UFXp=1 & (a)Wb", "!p U FXp & a W b"},
		{ltl.Spot, "X0b & F_a & \"F_a\"", "X0b & F_a & \"F_a\""},
		{ltl.Spot, "GY a & Z(0)|O!H b", "GY a & Z(0) | O!H b"},
		{ltl.Spot, "a S b T c U d S e", "a S b T c U d S e"}, // to the right
		{ltl.Spot, "(a S b) T c", "(a S b) T c"},
		{ltl.Spot, "Yes & Old & Zero & Ha & Y Ya", "Yes & Old & Zero & Ha & Y Ya"}, // propositions
		{ltl.Spot, `"Y" & Y"Y" & Y "S" S "T" & FY X"O"`, `"Y" & Y"Y" & Y"S" S "T" & FY X"O"`},
		{ltl.Spot, "p=0Sq=1", "!p S q"},
		{ltl.Spot, "Y Y XY a", "Y Y XY a"},
		{ltl.Spin, "[] (p -> <> q)", "G(p -> Fq)"},
		{ltl.Spin, "a && b || c", "a & b | c"},
		{ltl.Spin, "a || b && c", "(a | b) & c"}, // Spin's own precedences
		{ltl.Spin, "a U b U c", "(a U b) U c"},
		{ltl.Spin, "X F && G", `X"F" & "G"`},
		{ltl.Spin, "!(a V true)", "!(a R 1)"},
		{ltl.Spin, "always (p && eventually not q)", "G(p & F!q)"},
		{ltl.Spin, "next a until b stronguntil c release d and e or f implies g equivalent h", "(((Xa U b) U c) R d & e | f -> g) <-> h"},
		{ltl.Spin, "a weakuntil (b)", "a W b"},
		{ltl.Spin, "[](x + 1 > y && (P[1]@lab || q?[m]) -> f(x, 2))", `G("x + 1 > y" & ("P[1]@lab" | "q?[m]") -> "f(x, 2)")`},
		{ltl.Spin, "x==1 U (x + 1) * 2 <= len(q) <-> 2 < x", `"x==1" U "(x + 1) * 2 <= len(q)" <-> "2 < x"`},
		{ltl.Spin, "a.b->x[i+1] && <>P[1]:v", `(a.b -> "x[i+1]") & F"P[1]:v"`},
		{ltl.Spin, "((a)) + b * (c)", "(a | b) & c"},
		{ltl.Spot, "⬜a ⟶ ◻b ⇒ ⋄c ⟹ ♢◯Ⓧd ⇔ ()e", "Ga -> Gb -> Fc -> FXXd <-> Xe"},
		{ltl.Spot, "a̅ & b̄", "!a & !b"},
		{ltl.Spot, "{a;b}↦{a;b}⤇{a}♢⟹{a}⬜→{a}|⟶{a}[]-->{a}⋄⟶c", "{a;b}[]-> {a;b}[]=> {a}<>=> {a}[]-> {a}[]-> {a}[]-> {a}<>-> c"},
		{ltl.Spin, "Y && S || O", `"Y" & "S" | "O"`},
		{ltl.LBT, "& p0 U ! p1 X p2", "p0 & !p1 U Xp2"},
		{ltl.LBT, "i e p0 p1 ^ t f", "(p0 <-> p1) -> 1 xor 0"},
		{ltl.LBT, `|"a b"V p1 M p2 W p3 GFp4`, `"a b" | p1 R p2 M p3 W GFp4`},
		{ltl.LBT, "S T p0 p1 Y Z O H p2", "(p0 T p1) S Y Z O H p2"},
		{ltl.Wring, "Y=1 * (H=0)", `"Y" & !"H"`},
		{ltl.Wring, "G((p=1) -> (F(q=0)))", "G(p -> F!q)"},
		{ltl.Wring, "(a=1 * b=1) + !(c=1) ^ TRUE", "a & b | !c xor 1"},
		{ltl.Wring, "Xa=1", "Xa"}, // a proposition, as there are no parentheses
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, c.syn)
		if got := f.String(); got != c.want {
			if c.in == "Xa=1" && f.Op() == ltl.OpProp {
				continue
			}
			t.Errorf("%v %s: got %s, want %s", c.syn, c.in, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		syn      ltl.Syntax
		in, want string
	}{
		{ltl.Spot, "", `1:1: expected a formula, found the end`},
		{ltl.Spot, "a &", `1:4: expected a formula, found the end`},
		{ltl.Spot, "a b", `1:3: expected an operator or the end, found "b"`},
		{ltl.Spot, "(a", `1:3: expected an operator or ')', found the end`},
		{ltl.Spot, "a)", `1:2: expected an operator or the end, found ")"`},
		{ltl.Spot, "G(a -> ) b", `1:8: expected a formula, found ")"`},
		{ltl.Spot, "a &\n ü | b", `2:2: expected a formula, found "ü"`},
		{ltl.Spot, "\"ü\" & \"ü\" ) x", `1:11: expected an operator or the end, found ")"`},
		{ltl.Spot, `a & "b`, `1:5: expected a formula, found "\"b"`},
		{ltl.Spot, "a U U b", `1:5: expected a formula, found "U"`},
		{ltl.Spot, "G(req -> F S)", `1:12: expected a formula, found "S", which is an operator; write "S" in double quotes if it is a proposition`},
		{ltl.Spot, "H U b", `1:1: expected a formula, found "H", which is an operator; write "H" in double quotes if it is a proposition`},
		{ltl.Spin, "F[2:3]a", `1:2: expected an operator or the end, found "["`},
		{ltl.Spot, "2a", `1:1: expected a formula, found "2"`},
		{ltl.LBT, "& p0", `1:5: expected a formula, found the end`},
		{ltl.LBT, "p0 p1", `1:4: expected an operator or the end, found "p1"`},
		{ltl.LBT, "(p0)", `1:1: expected a formula, found "("`},
	} {
		_, err := ltl.NewStore().Parse(c.in, c.syn)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v %q: got %v, want %s", c.syn, c.in, err, c.want)
		}
	}
}

// TestExcerpt: a part of the line around the error, fit for a terminal.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a & ", 50)
	for _, c := range []struct{ in, want string }{
		{"a &\n b c", " b c\n   ^"},
		{"a & \"ü\" )\n", "a & \"ü\" )\n        ^"},
		{"a &\tb c \x1b[31m", `a &\tb c \x1b[31m` + "\n       ^"},
		{"\"ü\xff\a\" b", `"ü\xff\a" b` + "\n          ^"},
		{"a b & " + long, "a b & " + long[:53] + "…\n  ^"},
		{long, "…" + long[len(long)-59:] + "\n" + strings.Repeat(" ", 60) + "^"},
		{long + ") & " + long, "…" + long[len(long)-29:] + ") & " + long[:25] + "…\n" + strings.Repeat(" ", 30) + "^"},
		{long + ") & b", "…" + long[len(long)-54:] + ") & b\n" + strings.Repeat(" ", 55) + "^"},
	} {
		_, err := ltl.NewStore().Parse(c.in, ltl.Spot)
		if got := err.(*ltl.SyntaxError).Excerpt(); got != c.want {
			t.Errorf("%q: got\n%s\nwant\n%s", c.in, got, c.want)
		}
	}
}

// TestDepth reads deep formulas, quickly and with little stack.
func TestDepth(t *testing.T) {
	const m, n = 190000, 20000
	parse(t, ltl.NewStore(), strings.Repeat("(", m)+"a"+strings.Repeat(")", m), ltl.Spot)
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	parse(t, ltl.NewStore(), strings.Repeat("a & ", n)+"a", ltl.Spot) // this is not deep
	debug.SetMaxStack(1e8)
	if f := parse(t, ltl.NewStore(), strings.Repeat("!", m/2)+"a", ltl.Spot); f.Size() != m/2+1 {
		t.Errorf("size %d", f.Size())
	}
	parse(t, ltl.NewStore(), strings.Repeat("(a & ", n)+"b"+strings.Repeat(")", n), ltl.Spot)
	parse(t, ltl.NewStore(), strings.Repeat("a U ", n)+"b", ltl.Spot)
}

func FuzzParse(f *testing.F) {
	for syn, texts := range [][]string{
		{"G(a -> Fb)", `"a\"b" U !X0`, "a W b M c R d xor e <-> 1", "[]<>a && b=0", "{a;b[*2..3]}[]-> {first_match(c:d)}!",
			"{{a[=2]} & {c && d*} | [*0]}<>=> X[2]c", "F[1:3]{a[:+] ##2 b[->2..]}", "⬜a̅ ⟹ {a}⋄⇒◯b & {a}⤇()b"},
		{"[](p -> <>q) && X r || !(a U b) V false", "always (x[i+1] * 2 > y until P[1]@l) implies not q?[m] && f(x, (2)) weakuntil 3 < len(q)"},
		{"& U p0 ! p1 | t f", `i e ^ "a b" p1 p2 p3`},
		{"G((p=1) * !(q=0))", "TRUE + FALSE ^ X(a=1)"},
	} {
		for _, text := range texts {
			f.Add(text, uint8(syn))
		}
	}
	f.Fuzz(func(t *testing.T, text string, syn uint8) {
		s := ltl.NewStore()
		from := ltl.Syntax(syn % 4)
		g, err := s.Parse(text, from)
		if lenient, other := s.ParseLenient(text, from); err == nil && (other != nil || lenient != g) {
			t.Errorf("%q: %v, leniently %v (%v)", text, g, lenient, other)
		}
		if any, other := s.Parse(text, ltl.Auto); other == nil && from == ltl.Spot && any != g && err == nil {
			t.Errorf("%q: %v, in any syntax %v", text, g, any)
		}
		if err != nil {
			return
		}
		for _, to := range []ltl.Syntax{from, ltl.Spot, ltl.LBT} {
			out, err := g.Format(to)
			if err != nil {
				continue
			}
			if back, err := s.Parse(out, to); err != nil || back != g {
				t.Errorf("%q is read as %s; in %v syntax %q, which is read as %v, %v", text, g, to, out, back, err)
			}
		}
	})
}

func ExampleStore_Parse() {
	s := ltl.NewStore()
	f, err := s.Parse("[](request -> (!idle U grant))", ltl.Spot)
	if err != nil {
		panic(err)
	}
	fmt.Println(f)
	spin, _ := s.NNF(s.Not(f)).Format(ltl.LBT)
	fmt.Println(spin)
	// Output:
	// G(request -> !idle U grant)
	// F & "request" V "idle" ! "grant"
}

func BenchmarkParse(b *testing.B) {
	g := generator(b, 1, []string{"a", "b", "c"}, 30, 30)
	var texts []string
	bytes := 0
	for range 100 {
		f, _ := g.Next()
		texts = append(texts, f.String())
		bytes += len(f.String())
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		s := ltl.NewStore()
		for _, text := range texts {
			if _, err := s.Parse(text, ltl.Spot); err != nil {
				b.Fatal(err)
			}
		}
	}
}
