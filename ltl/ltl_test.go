package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/corpus"
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
		{ltl.Spot, "true & false", "1 & 0"},
		{ltl.Spot, "a V b", "a R b"},
		{ltl.Spot, "p=0Uq=1", "!p U q"},
		{ltl.Spot, "p=0UFXp=1 & (a)Wb", "!p U FXp & a W b"},
		{ltl.Spot, "X0b & F_a & \"F_a\"", "X0b & F_a & \"F_a\""},
		{ltl.Spin, "[] (p -> <> q)", "G(p -> Fq)"},
		{ltl.Spin, "a && b || c", "a & b | c"},
		{ltl.Spin, "a || b && c", "(a | b) & c"}, // Spin's own precedences
		{ltl.Spin, "a U b U c", "(a U b) U c"},
		{ltl.Spin, "X F && G", `X"F" & "G"`},
		{ltl.Spin, "!(a V true)", "!(a R 1)"},
		{ltl.LBT, "& p0 U ! p1 X p2", "p0 & !p1 U Xp2"},
		{ltl.LBT, "i e p0 p1 ^ t f", "(p0 <-> p1) -> 1 xor 0"},
		{ltl.LBT, `|"a b"V p1 M p2 W p3 GFp4`, `"a b" | p1 R p2 M p3 W GFp4`},
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
		{ltl.Spot, `a & ""`, `1:5: expected a formula, found "\"\""`},
		{ltl.Spot, "a U U b", `1:5: expected a formula, found "U"`},
		{ltl.Spot, "F[2:3]a", `1:2: expected a formula, found "["`},
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

// TestDepth: deep formulas are an error or are read, quickly.
func TestDepth(t *testing.T) {
	const n = 250000
	s := ltl.NewStore()
	f := parse(t, s, strings.Repeat("!", n)+"a", ltl.Spot)
	if f.Size() != n+1 {
		t.Errorf("size %d", f.Size())
	}
	if got := f.String(); len(got) != n+1 {
		t.Errorf("printed with %d characters", len(got))
	}
	parse(t, s, strings.Repeat("a & ", n)+"a", ltl.Spot)
	parse(t, s, strings.Repeat("U p0 ", n)+"p1", ltl.LBT)
	parse(t, s, strings.Repeat("(a & ", 90000)+"b"+strings.Repeat(")", 90000), ltl.Spot)
	parse(t, s, strings.Repeat("a U ", 90000)+"b", ltl.Spot)
	for _, text := range []string{strings.Repeat("(", n) + "a" + strings.Repeat(")", n), strings.Repeat("a U ", n) + "a"} {
		if _, err := s.Parse(text, ltl.Spot); err == nil || !strings.Contains(err.Error(), "nesting no deeper than 200000") {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// odd are names of propositions that need quotes somewhere.
var odd = []string{"a", "p1", "X", "U", "F0", "G12a", "0", "1", "12", "a b", `quo"te`, `back\slash`, "new\nline", "ü", "xor",
	"true", "t", "i", "Xp", "p0", "x.y", "_", "do", "a=1", "(", "-", "\xff"}

// generator returns a generator of random formulas over the given propositions.
func generator(t testing.TB, seed uint64, props []string, low, high int) *ltl.Generator {
	t.Helper()
	g, err := ltl.NewGenerator(ltl.RandomOptions{Seed: seed, Props: props, MinSize: low, MaxSize: high, KeepTrivial: true, KeepDuplicates: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRoundTrip prints and reads random formulas in every syntax. Where a
// syntax can't write a formula, it can after unabbreviating and relabelling.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	g := generator(t, seed, odd, 1, 25)
	for range 5000 {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		for _, syn := range []ltl.Syntax{ltl.Spot, ltl.Spin, ltl.LBT, ltl.Wring} {
			h, err := s.Unabbreviate(f, syn.Missing())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			text, err := h.Format(syn)
			if err != nil && (syn == ltl.Spot || syn == ltl.LBT) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var original map[string]string
			if err != nil {
				h, original = s.Relabel(h)
				if text, err = h.Format(syn); err != nil {
					t.Fatalf("seed %d: after relabelling: %v", seed, err)
				}
			}
			back := parse(t, s, text, syn)
			if back != h {
				t.Fatalf("seed %d: %v: %s is read as %s", seed, syn, text, back)
			}
			if original != nil {
				mapped := s.Rename(back, func(name string) string { return original[name] })
				if want, _ := s.Unabbreviate(f, syn.Missing()); mapped != want {
					t.Fatalf("seed %d: %v: mapped back, %s is %s", seed, syn, want, mapped)
				}
			}
		}
	}
}

// TestFewestParentheses takes any pair of parentheses out: the formula must
// become another one, or unreadable.
func TestFewestParentheses(t *testing.T) {
	const seed = 2
	g := generator(t, seed, []string{"a", "b"}, 1, 20)
	for range 5000 {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		text := f.String()
		var open []int
		for i, c := range text {
			switch c {
			case '(':
				open = append(open, i)
			case ')':
				j := open[len(open)-1]
				open = open[:len(open)-1]
				without := text[:j] + text[j+1:i] + text[i+1:]
				if h, err := s.Parse(without, ltl.Spot); err == nil && h == f {
					t.Fatalf("seed %d: %s could be %s", seed, text, without)
				}
			}
		}
	}
}

// naive evaluates a formula at a position of a lasso from the definitions. A
// suffix of the word repeats after at most prefix+cycle positions, so that it is
// enough to look that far.
func naive(f *ltl.Formula, prefix, cycle, pos int, value func(string, int) bool) bool {
	n := prefix + cycle
	if pos >= n {
		pos = prefix + (pos-prefix)%cycle
	}
	at := func(g *ltl.Formula, i int) bool { return naive(g, prefix, cycle, i, value) }
	l, r := f.Left(), f.Right()
	until := func(x, y func(int) bool) bool {
		for i := pos; i < pos+n; i++ {
			if y(i) {
				return true
			}
			if !x(i) {
				return false
			}
		}
		return false
	}
	left := func(i int) bool { return at(l, i) }
	right := func(i int) bool { return at(r, i) }
	always := func(x func(int) bool) bool {
		return !until(func(int) bool { return true }, func(i int) bool { return !x(i) })
	}
	both := func(i int) bool { return left(i) && right(i) }
	switch f.Op() {
	case ltl.OpFalse:
		return false
	case ltl.OpTrue:
		return true
	case ltl.OpProp:
		return value(f.Name(), pos)
	case ltl.OpNot:
		return !left(pos)
	case ltl.OpAnd:
		return left(pos) && right(pos)
	case ltl.OpOr:
		return left(pos) || right(pos)
	case ltl.OpImplies:
		return !left(pos) || right(pos)
	case ltl.OpEquiv:
		return left(pos) == right(pos)
	case ltl.OpXor:
		return left(pos) != right(pos)
	case ltl.OpNext:
		return left(pos + 1)
	case ltl.OpFinally:
		return until(func(int) bool { return true }, left)
	case ltl.OpGlobally:
		return always(left)
	case ltl.OpUntil:
		return until(left, right)
	case ltl.OpWeakUntil:
		return until(left, right) || always(left)
	case ltl.OpStrongRelease:
		return until(right, both)
	default: // Release
		return until(right, both) || always(right)
	}
}

// word is a random lasso over two propositions.
type word struct {
	prefix, cycle int
	letters       [][2]bool
}

func randomWord(r *rand.Rand) word {
	w := word{prefix: r.IntN(4), cycle: 1 + r.IntN(4)}
	for range w.prefix + w.cycle {
		w.letters = append(w.letters, [2]bool{r.IntN(2) == 0, r.IntN(2) == 0})
	}
	return w
}

func (w word) value(prop string, pos int) bool { return w.letters[pos][prop[0]-'a'] }

func (w word) holds(f *ltl.Formula) bool { return f.Holds(w.prefix, w.cycle, w.value) }

// TestHolds compares the evaluation with the definitions, and negation normal
// form, simplification and every possible unabbreviation with the formula.
func TestHolds(t *testing.T) {
	const seed = 3
	g := generator(t, seed, []string{"a", "b"}, 1, 12)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20000 {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		w := randomWord(r)
		asked := map[string]bool{}
		got := f.Holds(w.prefix, w.cycle, func(prop string, pos int) bool {
			key := fmt.Sprint(prop, pos)
			if asked[key] {
				t.Fatalf("%s: asked twice for %s", f, key)
			}
			asked[key] = true
			return w.value(prop, pos)
		})
		if want := naive(f, w.prefix, w.cycle, 0, w.value); got != want {
			t.Fatalf("seed %d: %s on %v: got %v", seed, f, w, got)
		}
		nnf := s.NNF(f)
		if w.holds(nnf) != got {
			t.Fatalf("seed %d: %s has the negation normal form %s", seed, f, nnf)
		}
		checkNNF(t, nnf)
		simple := s.Simplify(f)
		if w.holds(simple) != got || simple.Size() > f.Size() {
			t.Fatalf("seed %d: %s is simplified to %s", seed, f, simple)
		}
		remove := ltl.OpSet(r.Uint32()) &^ ltl.Ops(ltl.OpProp)
		if u, err := s.Unabbreviate(f, remove); err == nil {
			if w.holds(u) != got || u.Ops()&remove != 0 {
				t.Fatalf("seed %d: %s without %s is %s", seed, f, remove, u)
			}
		}
	}
}

func checkNNF(t *testing.T, f *ltl.Formula) {
	t.Helper()
	switch f.Op() {
	case ltl.OpImplies, ltl.OpEquiv, ltl.OpXor:
		t.Fatalf("%s is in a negation normal form", f)
	case ltl.OpNot:
		if f.Left().Op() != ltl.OpProp {
			t.Fatalf("%s is in a negation normal form", f)
		}
	}
	for _, g := range []*ltl.Formula{f.Left(), f.Right()} {
		if g != nil {
			checkNNF(t, g)
		}
	}
}

// TestUnabbreviate tries each definition: for every set of operators that is
// removed, a formula of each operator is rewritten rightly or not at all.
func TestUnabbreviate(t *testing.T) {
	s := ltl.NewStore()
	a, b := s.Prop("a"), s.Prop("b")
	r := rand.New(rand.NewPCG(4, 0))
	for op := ltl.OpFalse; op <= ltl.OpStrongRelease; op++ {
		var f *ltl.Formula
		switch op.Arity() {
		case 1:
			f = s.Unary(op, a)
		case 2:
			f = s.Binary(op, a, b)
		default:
			continue
		}
		rewritten := 0
		for remove := range ltl.OpSet(1 << 16) {
			if !remove.Has(op) || remove.Has(ltl.OpProp) {
				continue
			}
			g, err := s.Unabbreviate(f, remove)
			if err != nil {
				continue
			}
			rewritten++
			if g.Ops()&remove != 0 {
				t.Fatalf("%s without %s is %s", f, remove, g)
			}
			if rewritten%16 != 0 {
				continue
			}
			for range 5 {
				if w := randomWord(r); w.holds(f) != w.holds(g) {
					t.Fatalf("%s without %s is %s, which differs", f, remove, g)
				}
			}
		}
		if (rewritten == 0) != (op == ltl.OpNext) {
			t.Errorf("%s was rewritten %d times", op, rewritten)
		}
	}
	for _, c := range []struct{ in, remove, want string }{
		{"a W b", "W", "b R (a | b)"},
		{"a M b", "M", "b U (a & b)"},
		{"Fa & Gb", "F G", "1 U a & 0 R b"},
		{"a xor b", "xor", "!(a <-> b)"},
		{"a xor b", "xor <->", "!((a -> b) & (b -> a))"},
		{"a U b", "U F R", "b M (a | b)"},
	} {
		var remove ltl.OpSet
		for _, name := range strings.Fields(c.remove) {
			op, _ := ltl.ParseOp(name)
			remove = remove.With(op)
		}
		got, err := s.Unabbreviate(parse(t, s, c.in, ltl.Spot), remove)
		if err != nil || got.String() != c.want {
			t.Errorf("%s without %s: got %v, %v, want %s", c.in, c.remove, got, err, c.want)
		}
	}
	if _, err := s.Unabbreviate(s.Next(a), ltl.Ops(ltl.OpNext)); err == nil || err.Error() != "the operator X can't be expressed by the ones that are left" {
		t.Errorf("X is removed: %v", err)
	}
}

// TestCorpus evaluates formulas on words for which the truth is known from
// another tool.
func TestCorpus(t *testing.T) {
	n := 0
	for c := range corpus.Records[struct {
		Formula, Word string
		Holds         bool
	}](t, "words.jsonl.gz") {
		n++
		f := parse(t, ltl.NewStore(), c.Formula, ltl.Spot)
		before, inside, _ := strings.Cut(strings.TrimSuffix(c.Word, "}"), "cycle{")
		var letters []string
		for _, part := range []string{before, inside} {
			for _, l := range strings.Split(part, ";") {
				if l = strings.TrimSpace(l); l != "" {
					letters = append(letters, l)
				}
			}
		}
		cycle := 1 + strings.Count(inside, ";")
		// A proposition that no letter speaks of is open; it is enough that the
		// formula holds for some valuation of it.
		holds := func(open bool) bool {
			return f.Holds(len(letters)-cycle, cycle, func(prop string, pos int) bool {
				if !strings.Contains(c.Word, prop) {
					return open
				}
				for _, l := range strings.Split(letters[pos], "&") {
					if l == prop {
						return true
					}
				}
				return false
			})
		}
		if got := holds(false) || holds(true); got != c.Holds {
			t.Errorf("%s on %s: got %v", c.Formula, c.Word, got)
		}
	}
	if n != 1500 {
		t.Errorf("%d words in the corpus", n)
	}
}

func TestGenerator(t *testing.T) {
	all := func(o ltl.RandomOptions, n int) []string {
		g, err := ltl.NewGenerator(o)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for range n {
			f, err := g.Next()
			if err != nil {
				t.Fatal(err)
			}
			if f.Size() < o.MinSize || f.Size() > o.MaxSize {
				t.Fatalf("%s has size %d", f, f.Size())
			}
			list = append(list, f.String())
		}
		return list
	}
	o := ltl.RandomOptions{Seed: 7, Props: []string{"a", "b"}, MinSize: 3, MaxSize: 9}
	long, short := all(o, 1000), all(o, 400)
	if fmt.Sprint(long[:400]) != fmt.Sprint(short) {
		t.Error("formula k depends on the number of formulas")
	}
	seen := map[string]bool{}
	s := ltl.NewStore()
	for _, text := range long {
		if seen[text] {
			t.Errorf("%s came twice", text)
		}
		seen[text] = true
		if op := s.Simplify(parse(t, s, text, ltl.Spot)).Op(); op == ltl.OpTrue || op == ltl.OpFalse {
			t.Errorf("%s is trivial", text)
		}
	}
	o.Seed = 8
	if fmt.Sprint(all(o, 400)) == fmt.Sprint(short) {
		t.Error("the seed does not matter")
	}
	// Weights: only U and propositions, so only odd sizes.
	o.Weights = map[ltl.Op]int{}
	for op := ltl.OpFalse; op <= ltl.OpStrongRelease; op++ {
		o.Weights[op] = 0
	}
	o.Weights[ltl.OpUntil], o.Weights[ltl.OpProp] = 1, 1
	for _, text := range all(o, 100) {
		f := parse(t, s, text, ltl.Spot)
		if f.Ops() != ltl.Ops(ltl.OpUntil, ltl.OpProp) || f.Size()%2 == 0 {
			t.Errorf("%s has size %d and other operators than U", f, f.Size())
		}
	}
	o.MinSize, o.MaxSize = 4, 4
	if _, err := ltl.NewGenerator(o); err == nil || err.Error() != "random formulas: the weights allow no formula of size 4..4" {
		t.Errorf("size 4 with U alone: %v", err)
	}
}

// TestGeneratorExhausted: there are but two formulas to find.
func TestGeneratorExhausted(t *testing.T) {
	g, err := ltl.NewGenerator(ltl.RandomOptions{Props: []string{"a", "b"}, MinSize: 1, MaxSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := g.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Next(); err == nil || !strings.Contains(err.Error(), "after 2 of them no new one") {
		t.Errorf("got %v", err)
	}
}

func TestParseWeights(t *testing.T) {
	w, err := ltl.ParseWeights("X=0, <->=2,ap=7,&=1")
	if err != nil || len(w) != 4 || w[ltl.OpNext] != 0 || w[ltl.OpEquiv] != 2 || w[ltl.OpProp] != 7 || w[ltl.OpAnd] != 1 {
		t.Errorf("got %v, %v", w, err)
	}
	for _, text := range []string{"X", "Q=1", "X=-1", "X=a"} {
		if _, err := ltl.ParseWeights(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func FuzzParse(f *testing.F) {
	for syn, texts := range [][]string{
		{"G(a -> Fb)", `"a\"b" U !X0`, "a W b M c R d xor e <-> 1", "[]<>a && b=0"},
		{"[](p -> <>q) && X r || !(a U b) V false"},
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

func ExampleFormula_Holds() {
	f, _ := ltl.NewStore().Parse("GFa", ltl.Spot)
	// The word a; cycle{!a; a}.
	truth := []bool{true, false, true}
	fmt.Println(f.Holds(1, 2, func(_ string, pos int) bool { return truth[pos] }))
	// Output: true
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

func BenchmarkHolds(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d letters", n), func(b *testing.B) {
			g := generator(b, 1, []string{"a", "b"}, 30, 30)
			f, _ := g.Next()
			for b.Loop() {
				f.Holds(n/2, n/2, func(prop string, pos int) bool { return (pos+len(prop))%3 == 0 })
			}
		})
	}
}
