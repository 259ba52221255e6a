package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
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
		{ltl.Spin, "[](p -> Xq) && XX<>p U XXtrue && XX (p)", "G(p -> Xq) & XXFp U XX(1) & XXp"}, // X, U and V are tokens of one character,
		{ltl.Spin, "(p)Uq V(r)VX(s)", "((p U q) R r) R Xs"},                                      //
		{ltl.Spin, "pUq && rX U V_1", "pUq & rX U V_1"},                                          // but not within a name,
		{ltl.Spin, "Up && (Xn > 3) || []Xa[1]", `Up & "Xn > 3" | G"Xa[1]"`},                      // nor in Promela's capital names where LTL2BA has none
		{ltl.Spin, "and and not or U release -> implies", "and & !or U release -> implies"},      // spin -f takes these for names
		{ltl.Spin, "release release until W weakuntil", "(release R until) W weakuntil"},
		{ltl.Spin, "[]{a || b && c}", "G(a | b & c)"}, // In braces and parentheses is Promela, which has C's precedence,
		{ltl.Spin, "(a || b && c) U (d | e && f & g)", "(a | b & c) U ((d | e) & f & g)"},
		{ltl.Spin, "(a || (b || c && d) && e || f)", "a | (b | c & d) & e | f"},
		{ltl.Spin, "[](a || b && Xc) || (a || b && c -> d)", "G((a | b) & Xc) | ((a | b) & c -> d)"}, // unless an operator is Spin's
		{ltl.Spin, "{x > 3} U {[](a -> {b})}", `"x > 3" U G(a -> b)`},
		{ltl.LBT, "& p0 U ! p1 X p2", "p0 & !p1 U Xp2"},
		{ltl.LBT, "i e p0 p1 ^ t f", "(p0 <-> p1) -> 1 xor 0"},
		{ltl.LBT, `|"a b"V p1 M p2 W p3 GFp4`, `"a b" | p1 R p2 M p3 W "GFp4"`}, // a name to Spot and ltl2dstar
		{ltl.LBT, "i enabled F taken", "enabled -> Ftaken"},
		{ltl.LBT, "& e idle t U error ! Fast", `(idle <-> 1) & error U !"Fast"`},
		{ltl.LBT, "&!tick|Until ^true f_", `!tick & (Until | "true" xor f_)`},
		{ltl.LBT, `U S & Y "O"`, `"S" U ("Y" & "O")`}, // no formula if S and Y are operators
		{ltl.LBT, "S T p0 p1 Y Z O H p2", "(p0 T p1) S Y Z O H p2"},
		{ltl.Wring, "Y=1 * (H=0)", `"Y" & !"H"`},
		{ltl.Wring, "G((p=1) -> (F(q=0)))", "G(p -> F!q)"},
		{ltl.Wring, "(a=1 * b=1) + !(c=1) ^ TRUE", "a & b | !c xor 1"},
		{ltl.Wring, "Xa=1", "Xa"}, // a proposition, as there are no parentheses
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, c.syn)
		if lenient, err := s.ParseLenient(c.in, c.syn); err != nil || lenient != f {
			t.Errorf("%v %s: leniently %v, %v", c.syn, c.in, lenient, err)
		}
		if got := f.String(); got != c.want {
			if c.in == "Xa=1" && f.Op() == ltl.OpProp {
				continue
			}
			t.Errorf("%v %s: got %s, want %s", c.syn, c.in, got, c.want)
		}
	}
}

// TestSpacing writes random formulas in the syntaxes of Spin and LBT, with random blanks: none where
// the sources of Spin, LTL2BA, ltl2dstar and Spot need none. It has the grammar from there.
func TestSpacing(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	names := []string{"error", "idle", "tick", "fail", "enabled", "taken", "p0", "t0", "aXb", "pU", "release", "x_1"}
	g := generator(t, seed, names, 1, 25)
	spin := map[ltl.Op]string{ltl.OpNot: "!", ltl.OpNext: "X", ltl.OpFinally: "<>", ltl.OpGlobally: "[]", ltl.OpUntil: "U",
		ltl.OpRelease: "V", ltl.OpAnd: "&&", ltl.OpOr: "||", ltl.OpImplies: "->", ltl.OpEquiv: "<->", ltl.OpTrue: "true", ltl.OpFalse: "false"}
	lbt := map[ltl.Op]string{ltl.OpNot: "!", ltl.OpNext: "X", ltl.OpFinally: "F", ltl.OpGlobally: "G", ltl.OpUntil: "U",
		ltl.OpRelease: "V", ltl.OpAnd: "&", ltl.OpOr: "|", ltl.OpImplies: "i", ltl.OpEquiv: "e", ltl.OpTrue: "t", ltl.OpFalse: "f"}
	var tokens func(f *ltl.Formula) (infix, prefix []string)
	tokens = func(f *ltl.Formula) (infix, prefix []string) {
		op := []string{spin[f.Op()]}
		if prefix = []string{lbt[f.Op()]}; f.Op() == ltl.OpProp {
			op, prefix = []string{f.Name()}, []string{f.Name()}
		}
		if f.Op().Arity() == 0 {
			around := [][2][]string{{}, {{"("}, {")"}}, {{"{"}, {"}"}}}[r.IntN(3)]
			return slices.Concat(around[0], op, around[1]), prefix
		}
		infix, left := tokens(f.Left())
		if f.Op().Arity() == 1 {
			return append(op, infix...), append(prefix, left...)
		}
		behind, right := tokens(f.Right())
		return slices.Concat([]string{"("}, infix, op, behind, []string{")"}), slices.Concat(prefix, left, right)
	}
	isWord := regexp.MustCompile(`^\w`).MatchString
	for range campaign.Inputs(t, 2000) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = must.Get(s.Unabbreviate(s.Import(f), ltl.Spin.Missing()))
		infix, prefix := tokens(f)
		for k, tokens := range [][]string{infix, prefix} {
			syn, text := []ltl.Syntax{ltl.Spin, ltl.LBT}[k], ""
			for i, token := range tokens {
				text += strings.Repeat(" ", r.IntN(3))
				// Words need a blank between them, but Spin's X, U and V need none.
				if i > 0 && isWord(tokens[i-1]) && isWord(token) && (syn == ltl.LBT || tokens[i-1] > "Z") {
					text += string(" \t\n"[r.IntN(3)])
				}
				text += token
			}
			if back, err := s.Parse(text, syn); err != nil || back != f {
				t.Errorf("seed %d: %v: %s is read as %v (%v), want %s", seed, syn, text, back, err, f)
			}
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
		{ltl.Spot, "a U U b", `1:5: expected a formula, found an operator: U is until: write "U" in double quotes for a proposition`},
		{ltl.Spot, "G(req -> F S)", `1:12: expected a formula, found an operator: S is since: write "S" in double quotes for a proposition`},
		{ltl.Spot, "H U b", `1:1: expected a formula, found an operator: H is historically: write "H" in double quotes for a proposition`},
		{ltl.Spot, "G(T -> a)", `1:3: expected a formula, found an operator: T is triggered: write "T" in double quotes for a proposition`},
		{ltl.Spot, "a & O", `1:5: expected a formula, found an operator: O is once: write "O" in double quotes for a proposition`},
		{ltl.Spot, "(Y)", `1:2: expected a formula, found an operator: Y is yesterday: write "Y" in double quotes for a proposition`},
		{ltl.Spot, "Z -> a", `1:1: expected a formula, found an operator: Z is weak yesterday: write "Z" in double quotes for a proposition`},
		{ltl.Spot, "G(R -> F G)", `1:3: expected a formula, found an operator: R is release: write "R" in double quotes for a proposition`},
		{ltl.Spot, "a & X", `1:5: expected a formula, found an operator: X is next: write "X" in double quotes for a proposition`},
		{ltl.Spin, "p U Vq U", `1:9: expected a formula, found the end`},
		{ltl.Spin, "U && p", `1:1: expected a formula, found "U"`},
		{ltl.Spin, "[]{p)", `1:5: expected an operator or '}', found ")"`},
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
		{"[](p -> <>q) && X r || !(a U b) V false", "always (x[i+1] * 2 > y until P[1]@l) implies not q?[m] && f(x, (2)) weakuntil 3 < len(q)",
			"XX<>{a || b & c && d}Uq V(Xn > 3)", "(a || (b || c && d) && e) && release"},
		{"& U p0 ! p1 | t f", `i e ^ "a b" p1 p2 p3`, "&i enabled GFp U S & Y true"},
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
		for _, to := range []ltl.Syntax{from, ltl.Spot, ltl.Spin, ltl.LBT} {
			for _, around := range []ltl.Parentheses{ltl.Fewest, ltl.Compound, ltl.Every} {
				out, err := g.Parenthesized(to, around)
				if err != nil {
					continue
				}
				if back, err := s.Parse(out, to); err != nil || back != g {
					t.Errorf("%q is read as %s; in %v syntax %q, which is read as %v, %v", text, g, to, out, back, err)
				}
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

// TestParseAuto: formulas in all syntaxes, told apart by themselves; those that can't be
// are no formulas.
func TestParseAuto(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"G(a -> Fb)", "G(a -> Fb)"},
		{"GFa && Xb", "GFa & Xb"},
		{"a || b && c", "a | b & c"},
		{"a U b U c", "a U b U c"},
		{"[](a -> <>b)", "G(a -> Fb)"},
		{"& p0 U p1 ! p2", "p0 & p1 U !p2"},
		{"G p0", "Gp0"},
		{"! GFa", "!GFa"}, // a name to LBT
		{"X true", "X(1)"},
		{"[](p -> Xq)", "G(p -> Xq)"},
		{"i a G F b", "a -> GFb"},
		{"G((a=1) -> F(b=0))", "G(a -> F!b)"},
		{"1", "1"},
		{"G t", `1:1: expected a formula that means the same in all syntaxes (or give its syntax), found Gt in spot's and G(1) in lbt's`},
		{"<>a U b U c", `1:1: expected a formula that means the same in all syntaxes (or give its syntax), found Fa U b U c in spot's and (Fa U b) U c in spin's`},
		{"& p0 | p1", "1:10: expected a formula, found the end"},
		{"a U", "1:4: expected a formula, found the end"},
		{"", "1:1: expected a formula, found the end"},
	} {
		f, err := ltl.NewStore().Parse(c.text, ltl.Auto)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = f.String()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	if f, err := ltl.NewStore().ParseLenient("& (a b) c", ltl.Auto); err == nil {
		t.Errorf("lenient LBT: %v", f)
	}
	if f, err := ltl.NewStore().ParseLenient("[](a b)", ltl.Auto); err != nil || f.String() != `G"a b"` {
		t.Errorf("lenient: %v, %v", f, err)
	}
}

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

func TestParsePSL(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a;b}|->c", "{a;b}[]-> c"},
		{"{a;b}[]->c", "{a;b}[]-> c"},
		{"{a;b}(c)", "{a;b}[]-> c"},
		{"{a;b}|=>c", "{a;b}[]=> c"},
		{"{a;b;1}[]->c", "{a;b}[]=> c"},
		{"{a}<>->{b;c}[]->d", "{a}<>-> {b;c}[]-> d"},
		{"{a;b}[]->c | d", "{a;b}[]-> (c | d)"},
		{"a -> {r;s}<>=>b", "a -> ({r;s}<>=> b)"},
		{"({r;s}[]->b) -> a", "({r;s}[]-> b) -> a"},
		{"X{a}[]->b & c", "X({a}[]-> (b & c))"},
		{"!{a;b}", "!{a;b}"},
		{"{a;b}!U c", "{a;b}! U c"},
		{"{a;b}Uc", "{a;b} U c"},
		{"{a;b}<>->true", "{a;b}!"},
		{"F{a;b}!", "F{a;b}!"},

		{"{a & {b;c} | d}", "{a & {b;c} | d}"},
		{"{a && {b;c} & d}", "{{a && {b;c}} & d}"},
		{"{(a|b)&&c;d:e}", "{(a | b) & c;d:e}"},
		{"{{a;b};{c;d}}", "{a;b;{c;d}}"},
		{"{a /\\ {b;c} || {d:e}}", "{a && {b;c} | {d:e}}"},
		{"{!a[*]}", "{{!a}[*]}"},
		{"{!(a|b)[+]}", "{{!(a | b)}[+]}"},
		{"{a -> {b;c}}", "{!a | {b;c}}"},
		{"{a -> b <-> c xor d=0}", "{a -> b <-> c xor !d}"},
		{"{first_match(a;b*):c}", "{first_match(a;b[*]):c}"},
		{"{a*;b[*];[*];[+];*}", "{a[*];b[*];[*];[+];[*]}"},
		{"{a[*2];b[*2..3];c[*2:3];d[*2,3];e[*2 to 3]}", "{a[*2];b[*2..3];c[*2..3];d[*2..3];e[*2..3]}"},
		{"{a[*2..];b[*2:inf];c[*2,$];d[*..3];e[*..];f[*1..]}", "{a[*2..];b[*2..];c[*2..];d[*0..3];e[*];f[+]}"},
		{"{a[:*];b[:+];{c;d}[:*2..3]}", "{a[:*];b[:+];{c;d}[:*2..3]}"},
		{"{[*0]|[*2];1[*0]|a}", "{[*0] | [*2];1[*0] | a}"},
		{"{a ##0 b}", "{a:b}"},
		{"{a ##1 b ##3 c}", "{a;b;[*2];c}"},
		{"{a ##[2:3] b}", "{a;[*1..2];b}"},
		{"{a ##[0:2] b*}", "{a:{[*0..2];b[*]}}"},
		{"{a* ##[*] b}", "{{a[*];[*]}:b}"},
		{"{a* ##[0..2] b*}", "{{a[*]:b[*]} | {a[*];[*0..1];b[*]}}"},
		{"{##0 a;##2 b;##[+] c}", "{a;{[*2];b};{[+];c}}"},

		{"{a[->];b[->2];{c|d}[->2..];d[->..3]}", "{a[->];b[->2];{c | d}[->2..];d[->1..3]}"},
		{"{a[=1];b[=2];{!c}[=2..];d[=..3]}", "{a[=1];b[=2];{!c}[=2..];d[=0..3]}"},
		{"{a[=0];b[=];c[=0..];d[=0..2]}", "{{!a}[*];[*];[*];d[=0..2]}"},
		{"{a;{!b}[*];b}", "{a;{!b}[*];b}"},
		{"{!a[*];b}", "{{!a}[*];b}"},

		{"X[3]a", "XXXa"},
		{"X [!] a", "Xa"},
		{"X[2!]a", "XXa"},
		{"F[2:3]a", "XX(a | Xa)"},
		{"G[1..3]a U b", "X(a & X(a & Xa)) U b"},
		{"G[0:2!](a & b)", "a & b & X(a & b & X(a & b))"},
		{"F[2:]a & G[1..inf]b & F[0,$]c", "XXFa & XGb & Fc"},
	} {
		s := ltl.NewStore()
		f := parse(t, s, c.in, ltl.Spot)
		if got := f.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
		for _, text := range []string{f.String(), f.Text(ltl.UTF8, false), f.Text(ltl.Letters, true)} {
			if g := parse(t, s, text, ltl.Spot); g != f {
				t.Errorf("%s: %s is read as %s", c.in, text, g)
			}
		}
		if g := ltl.NewStore().Import(f); g.String() != c.want || s.Import(g) != f {
			t.Errorf("%s: imported it is %s", c.in, g)
		}
	}
}

func TestPSLErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a;b", `1:5: expected an operator or '}', found the end`},
		{"{}", `1:2: expected an expression, found "}"`},
		{"{a;Fb}", `1:4: expected an expression, found "F"`},
		{"{S;a}", `1:2: expected an expression, found an operator: S is since: write "S" in double quotes for a proposition`},
		{"{a U b}", `1:4: expected an operator or '}', found "U"`},
		{"{a}[]->", `1:8: expected a formula, found the end`},
		{"{a;b} xor", `1:10: expected a formula, found the end`},
		{"{{a;b} xor c}", `1:2: expected a Boolean formula, found "{a;b}"`},
		{"{c <-> {a;b}}", `1:8: expected a Boolean formula, found "{a;b}"`},
		{"{!{a;b}}", `1:3: expected a Boolean formula, found "{a;b}"`},
		{"{{a;b}[=2]}", `1:2: expected a Boolean formula, found "{a;b}"`},
		{"{a[*3..2]}", `1:3: expected bounds in ascending order: 2..3, found "[*3..2]"`},
		{"{a[*3..}", `1:8: expected ']', found "}"`},
		{"{a[*2!]}", `1:6: expected ']', found "!]"`},
		{"{a[?]}", `1:4: expected one of *, +, :*, :+, = and ->, found "?"`},
		{"{a ## b}", `1:7: expected a number or '[' behind ##, found "b"`},
		{"{first_match a}", `1:14: expected '(' behind first_match, found "a"`},
		{"first_match", `1:1: expected a formula, found "first_match"`},
		{"F[3]a", `1:2: expected two bounds as in F[2:3] or F[2:], found "[3]"`},
		{"X[2:3!]a", `1:2: expected a number as in X[3], X[!], or a range as in F[2:3] or G[2:3], found "[2:3!]"`},
		{"X[]", `1:4: expected a formula, found the end`},
		{"{a[*1000000]}", `1:5: expected a number of at most 254, found "1000000"`},
		{"{a[*99999999999999999999]}", `1:5: expected a number of at most 254, found "99999999999999999999"`},
		{"{{{a[*254]}[*254]}[*254]}",
			`1:19: expected an expression of at most 65536 letters, iterations written out, found "[*254]"`},
		{"F[0:1000000]a", `1:5: expected a number of at most 10000, found "1000000"`},
		{"F[0:9000]F[0:9000]a", `1:11: expected bounds of X, F and G that add up to at most 10000, found "[0:9000]"`},
	} {
		_, err := ltl.NewStore().Parse(c.in, ltl.Spot)
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.in, err, c.want)
		}
	}
}

// TestPSLLimits: texts that are too large get an error, and soon.
func TestPSLLimits(t *testing.T) {
	for name, text := range map[string]string{
		"letters":   "{" + strings.Repeat("a;", 1<<16) + "a}",
		"braces":    strings.Repeat("{", 1<<18) + "a" + strings.Repeat("}", 1<<18),
		"negations": "{" + strings.Repeat("!", 1<<18) + "a}",
		"loops":     "{a" + strings.Repeat("[*]", 1<<18) + "}",
		"&&":        "{" + strings.Repeat("{a;b} && {", 1<<17) + "a" + strings.Repeat("}", 1<<17) + "}",
		"delays":    "{a*" + strings.Repeat(" ##[0:1] a*", 1<<10) + "}",
		"F[n:m]":    strings.Repeat("F[0:100]", 10) + "a",
	} {
		if _, err := ltl.NewStore().Parse(text, ltl.Spot); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestLongWord: a word of many operators takes linear time: it would be minutes if it were scanned for each.
func TestLongWord(t *testing.T) {
	for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin} {
		if f, err := ltl.NewStore().Parse(strings.Repeat("X", 1<<17)+"a", syn); err != nil || f.Size() != 1<<17+1 {
			t.Errorf("%v: %v", syn, err)
		}
	}
}

// TestPSLSyntaxes: only Spot's syntax has expressions.
func TestPSLSyntaxes(t *testing.T) {
	f := parse(t, ltl.NewStore(), "G({a;b}[]->c)", ltl.Spot)
	for _, syn := range []ltl.Syntax{ltl.Spin, ltl.LBT, ltl.Wring} {
		if text, err := f.Format(syn); err == nil || !strings.Contains(err.Error(), "PSL operator []->") {
			t.Errorf("%v: got %q, %v", syn, text, err)
		}
		if _, err := ltl.NewStore().Parse("{a;b}", syn); err == nil {
			t.Errorf("%v: {a;b} is read", syn)
		}
	}
	if _, err := ltl.NewStore().Unabbreviate(f, ltl.PSLOps); err == nil {
		t.Error("Unabbreviate: no error")
	}
}

func TestRewritePSL(t *testing.T) {
	s := ltl.NewStore()
	for _, c := range []struct {
		name, in, want string
		rewrite        func(*ltl.Formula) *ltl.Formula
	}{
		{"nnf", "!({a -> b;c}[]-> !({d}<>-> !{e}))", "{a -> b;c}<>-> {d}<>-> !{e}", s.NNF},
		{"dual", "{a;b}[]-> (c & {d})", "{!a;!b}<>-> (c | !{!d})", s.Dual},
		{"rename", "{a;b}[]-> b", "{x_a;x_b}[]-> x_b", func(f *ltl.Formula) *ltl.Formula {
			return s.Rename(f, func(p string) string { return "x_" + p })
		}},
		{"relabel", "b U {c;a}<>-> b", "p0 U ({p1;p2}<>-> p0)", func(f *ltl.Formula) *ltl.Formula {
			g, _ := s.Relabel(f)
			return g
		}},
		{"simplify", "({a;b}[]-> 1) & ({a[*];b}<>-> !!c) | ({b}<>-> 0)", "{a[*];b}<>-> c", s.Simplify},
	} {
		if got := c.rewrite(parse(t, s, c.in, ltl.Spot)).String(); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.name, c.in, got, c.want)
		}
	}
}
