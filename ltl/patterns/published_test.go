package patterns

import (
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestPublished compares each family with the formulas that were published for the first values of
// its parameters, up to the order of operands.
func TestPublished(t *testing.T) {
	compared := map[*Set]bool{}
	for request, list := range map[string][]string{
		"and-f 1..3":           {"Fp1", "Fp1 & Fp2", "Fp1 & Fp2 & Fp3"},
		"and-fg 1..3":          {"FGp1", "FGp1 & FGp2", "FGp1 & FGp2 & FGp3"},
		"and-gf 1..3":          {"GFp1", "GFp1 & GFp2", "GFp1 & GFp2 & GFp3"},
		"ccj-alpha 1..3":       {"Fp1 & Fq1", "F(p1 & Fp2) & F(q1 & Fq2)", "F(p1 & F(p2 & Fp3)) & F(q1 & F(q2 & Fq3))"},
		"ccj-beta 1..3":        {"Fp & Fq", "F(p & Xp) & F(q & Xq)", "F(p & X(p & Xp)) & F(q & X(q & Xq))"},
		"ccj-beta-prime 1..3":  {"Fp & Fq", "F(p & Xp) & F(q & Xq)", "F(p & Xp & XXp) & F(q & Xq & XXq)"},
		"fxg-or 1..3":          {"F(p0 | XGp1)", "F(p0 | XG(p1 | XGp2))", "F(p0 | XG(p1 | XG(p2 | XGp3)))"},
		"gf-equiv 1..2":        {"GFa1 <-> GFz", "GFa1 & GFa2 <-> GFz"},
		"gf-equiv-xn 1..2":     {"GF(a <-> Xa)", "GF(a <-> XXa)"},
		"gf-implies 1..2":      {"GFa1 -> GFz", "GFa1 & GFa2 -> GFz"},
		"gf-implies-xn 1..2":   {"GF(a -> Xa)", "GF(a -> XXa)"},
		"gh-q 1..3":            {"Fp1 | Gp2", "(Fp1 | Gp2) & (Fp2 | Gp3)", "(Fp1 | Gp2) & (Fp2 | Gp3) & (Fp3 | Gp4)"},
		"gh-r 1..2":            {"GFp1 | FGp2", "(GFp1 | FGp2) & (GFp2 | FGp3)"},
		"go-theta 1..2":        {"!(GFp1 -> G(q -> Fr))", "!(GFp1 & GFp2 -> G(q -> Fr))"},
		"gxf-and 1..4":         {"G(p0 & XFp1)", "G(p0 & XF(p1 & XFp2))", "G(p0 & XF(p1 & XF(p2 & XFp3)))", "G(p0 & XF(p1 & XF(p2 & XF(p3 & XFp4))))"},
		"modulo-counter 1..3":  {"FO c0", "FO(c0 & O c1)", "FO(c0 & O(c1 & O c2))"},
		"ms-phi-h 1..3":        {"FG(a | b) | FG(!a | Xb)", "FG(a | b) | FG(!a | Xb) | FG(a | XXb)", "FG(a | b) | FG(!a | Xb) | FG(a | XXb) | FG(!a | XXXb)"},
		"or-fg 1..3":           {"FGp1", "FGp1 | FGp2", "FGp1 | FGp2 | FGp3"},
		"or-g 1..3":            {"Gp1", "Gp1 | Gp2", "Gp1 | Gp2 | Gp3"},
		"or-gf 1..3":           {"GFp1", "GFp1 | GFp2", "GFp1 | GFp2 | GFp3"},
		"r-left 1..4":          {"p1", "p1 R p2", "(p1 R p2) R p3", "((p1 R p2) R p3) R p4"},
		"r-right 1..4":         {"p1", "p1 R p2", "p1 R p2 R p3", "p1 R p2 R p3 R p4"},
		"sejk-j 1..2":          {"GFa1 -> GFb1", "GFa1 & GFa2 -> GFb1 & GFb2"},
		"sejk-k 1..2":          {"GFa1 | FGb1", "(GFa1 | FGb1) & (GFa2 | FGb2)"},
		"tv-f2 1..3":           {"G(p -> q)", "G(p -> q | Xq)", "G(p -> q | X(q | Xq))"},
		"tv-g1 1..3":           {"G(p -> q)", "G(p -> q & Xq)", "G(p -> q & Xq & XXq)"},
		"tv-g2 1..3":           {"G(p -> q)", "G(p -> q & Xq)", "G(p -> q & X(q & Xq))"},
		"u-right 1..4":         {"p1", "p1 U p2", "p1 U p2 U p3", "p1 U p2 U p3 U p4"},
		"ms-example 1..2 1..2": {"GFa1 & Fb1", "GFa1 & F(b1 & Fb2)", "Fb1 & GF(a1 & Xa2)", "F(b1 & Fb2) & GF(a1 & Xa2)"},
		"ms-phi-r 1..3": {
			"(FGa1 & GFb1) | FGa0 | GFb0",
			"(FGa2 & GFb2) | (FGa0 & GFb0 & (FGa1 | GFb1))",
			"(FGa3 & GFb3) | (((FGa1 & GFb1) | FGa0 | GFb0) & (FGa2 | GFb2))",
		},
		"ms-phi-s 1..3": {
			"FGa0 & GFb0 & (FGa1 | GFb1)",
			"((FGa1 & GFb1) | FGa0 | GFb0) & (FGa2 | GFb2)",
			"((FGa2 & GFb2) | (FGa0 & GFb0 & (FGa1 | GFb1))) & (FGa3 | GFb3)",
		},
		"sejk-f 1..2 1..2": {"GFa1 U G(GFa0 U Xb)", "GFa1 U G(GFa0 U XXb)", "GFa2 U G(GFa1 U G(GFa0 U Xb))", "GFa2 U G(GFa1 U G(GFa0 U XXb))"},
		"tv-f1 1..3":       {"G(p -> q)", "G(p -> (q | Xq))", "G(p -> (q | Xq | XXq))"},
		"tv-uu 1..3":       {"G(p1 -> (p1 U p2))", "G(p1 -> (p1 U (p2 & (p2 U p3))))", "G(p1 -> (p1 U (p2 & (p2 U (p3 & (p3 U p4))))))"},
		"u-left 1..4":      {"p1", "p1 U p2", "(p1 U p2) U p3", "((p1 U p2) U p3) U p4"},
		"eil-gsi 1..3": {
			"((b & Xa) | Xb) -> Xc",
			"((((b & Xa) | Xb) & XXa) | XXb) -> XXc",
			"((((((b & Xa) | Xb) & XXa) | XXb) & XXXa) | XXXb) -> XXXc",
		},
		"pps-arbiter-standard 1..3": {
			"!i1 -> (!o1 & ((GF!(i1 & o1) & G((i1 xor o1) -> (i1 <-> Xi1))) -> (GF(i1 <-> o1) & G((i1 <-> o1) -> (o1 <-> Xo1)))))",
			"(!i1 & !i2) -> (!o1 & !o2 & ((GF!(i1 & o1) & GF!(i2 & o2) & G(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)))) -> (GF(i1 <-> o1) & GF(i2 <-> o2) & G(!(o1 & o2) & ((i1 <-> o1) -> (o1 <-> Xo1)) & ((i2 <-> o2) -> (o2 <-> Xo2))))))",
			"(!i1 & !i2 & !i3) -> (!o1 & !o2 & !o3 & ((GF!(i1 & o1) & GF!(i2 & o2) & GF!(i3 & o3) & G(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)) & ((i3 xor o3) -> (i3 <-> Xi3)))) -> (GF(i1 <-> o1) & GF(i2 <-> o2) & GF(i3 <-> o3) & G(!(o1 & o2) & !(o1 & o3) & !(o2 & o3) & ((i1 <-> o1) -> (o1 <-> Xo1)) & ((i2 <-> o2) -> (o2 <-> Xo2)) & ((i3 <-> o3) -> (o3 <-> Xo3))))))",
		},
		"pps-arbiter-strict 1..3": {
			"!i1 -> (!o1 & (((i1 <-> o1) -> (o1 <-> Xo1)) W !((i1 xor o1) -> (i1 <-> Xi1))) & ((GF!(i1 & o1) & G((i1 xor o1) -> (i1 <-> Xi1))) -> GF(i1 <-> o1)))",
			"(!i1 & !i2) -> (!o1 & !o2 & ((!(o1 & o2) & ((i1 <-> o1) -> (o1 <-> Xo1)) & ((i2 <-> o2) -> (o2 <-> Xo2))) W !(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)))) & ((GF!(i1 & o1) & GF!(i2 & o2) & G(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)))) -> (GF(i1 <-> o1) & GF(i2 <-> o2))))",
			"(!i1 & !i2 & !i3) -> (!o1 & !o2 & !o3 & ((!(o1 & o2) & !(o1 & o3) & !(o2 & o3) & ((i1 <-> o1) -> (o1 <-> Xo1)) & ((i2 <-> o2) -> (o2 <-> Xo2)) & ((i3 <-> o3) -> (o3 <-> Xo3))) W !(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)) & ((i3 xor o3) -> (i3 <-> Xi3)))) & ((GF!(i1 & o1) & GF!(i2 & o2) & GF!(i3 & o3) & G(((i1 xor o1) -> (i1 <-> Xi1)) & ((i2 xor o2) -> (i2 <-> Xi2)) & ((i3 xor o3) -> (i3 <-> Xi3)))) -> (GF(i1 <-> o1) & GF(i2 <-> o2) & GF(i3 <-> o3))))",
		},
		"kr-n 1..3": {
			"c & X(a1 | b1 | d) & G((a1 | b1) -> X(c & X(a1 | b1 | d | Gc))) & (!d U (d & X((a1 | b1) & XGc))) & F(c & X(!c & (((a1 & F(d & Fa1)) | (b1 & F(d & Fb1))) U c))) & G((c | d) -> !(a1 | b1)) & G(c -> !d) & G(a1 -> !b1)",
			"c & X(a1 | b1 | d) & G(c -> !d) & G((a1 | b1) -> X(a2 | b2)) & G((a2 | b2) -> X(c & X(a1 | b1 | d | Gc))) & (!d U (d & X((a1 | b1) & XXGc))) & F(c & X(!c & (((a1 & F(d & Fa1)) | (b1 & F(d & Fb1)) | (a2 & F(d & Fa2)) | (b2 & F(d & Fb2))) U c))) & G((c | d) -> !(a1 | a2 | b1 | b2)) & G((a1 -> !b1) & (a2 -> !b2))",
			"c & X(a1 | b1 | d) & G(c -> !d) & G(((a1 | b1) -> X(a2 | b2)) & ((a2 | b2) -> X(a3 | b3))) & G((a3 | b3) -> X(c & X(a1 | b1 | d | Gc))) & (!d U (d & X((a1 | b1) & XXXGc))) & F(c & X(!c & (((a1 & F(d & Fa1)) | (b1 & F(d & Fb1)) | (a2 & F(d & Fa2)) | (b2 & F(d & Fb2)) | (a3 & F(d & Fa3)) | (b3 & F(d & Fb3))) U c))) & G((c | d) -> !(a1 | a2 | a3 | b1 | b2 | b3)) & G((a1 -> !b1) & (a2 -> !b2) & (a3 -> !b3))",
		},
		"kr-nlogn 1..3": {
			"c & X(d | y) & G(y -> X((a | b) & X(c & X(d | y | Gc)))) & (!d U (d & X(y & XXGc))) & F(c & X(!c & ((y -> X((a & F(d & F(y & Xa))) | (b & F(d & F(y & Xb))))) U c))) & G(!(a & b) & !(a & c) & !(a & d) & !(a & y) & !(b & c) & !(b & d) & !(b & y) & !(c & d) & !(c & y) & !(d & y))",
			"c & X(d | y) & G(y -> X((a | b) & Xz)) & G(z -> X((a | b) & X(c & X(d | y | Gc)))) & (!d U (d & X(y & XXXXGc))) & F(c & X(!c & (((y -> X((a & F(d & F(y & Xa))) | (b & F(d & F(y & Xb))))) & (z -> X((a & F(d & F(z & Xa))) | (b & F(d & F(z & Xb)))))) U c))) & G(!(a & b) & !(a & c) & !(a & d) & !(a & y) & !(b & c) & !(b & d) & !(b & y) & !(c & d) & !(c & y) & !(d & y) & !(a & z) & !(b & z) & !(c & z) & !(d & z) & !(y & z))",
			"c & G(!(a & b) & !(a & c) & !(a & d) & !(a & y) & !(b & c) & !(b & d) & !(b & y) & !(c & d) & !(c & y) & !(d & y) & !(a & z) & !(b & z) & !(c & z) & !(d & z) & !(y & z)) & X(d | (y & Xy)) & G(((y & Xy) -> XX((a | b) & X(z & Xy))) & ((z & Xy) -> XX((a | b) & X(y & Xz)))) & G((y & Xz) -> XX((a | b) & X(c & X(d | Gc | (y & Xy))))) & (!d U (d & X(y & Xy & XXXXXXXXXGc))) & F(c & X(!c & ((((y & Xy) -> XX((a & F(d & F(y & XXa & Xy))) | (b & F(d & F(y & Xy & XXb))))) & ((z & Xy) -> XX((a & F(d & F(z & XXa & Xy))) | (b & F(d & F(z & Xy & XXb))))) & ((y & Xz) -> XX((a & F(d & F(y & XXa & Xz))) | (b & F(d & F(y & Xz & XXb)))))) U c)))",
		},
		"kv-psi 1..2": {
			"(!d U (d & X((a | b) & XGc))) & F(c & ((Xa & G(d -> Xa)) | (Xb & G(d -> Xb))) & XXc) & G(!(a & b) & !(a & c) & !(a & d) & !(b & c) & !(b & d) & !(c & d))",
			"G(!(a & b) & !(a & c) & !(a & d) & !(b & c) & !(b & d) & !(c & d)) & (!d U (d & X((a | b) & X((a | b) & XGc)))) & F(c & ((Xa & G(d -> Xa)) | (Xb & G(d -> Xb))) & ((XXa & G(d -> XXa)) | (XXb & G(d -> XXb))) & XXXc)",
		},
		"rv-counter 1..3": {
			"!b & m & G(m -> Xm) & G((!b & m) -> (Xb & X((!m & (b <-> Xb)) U m))) & G((b & m) -> (X!b & X((b & !m & X!b) U (m | (!b & !m & Xb & X((!m & (b <-> Xb)) U m))))))",
			"!b & m & X!b & G(m -> (X!m & XXm)) & G((!b & m) -> (XXb & X((!m & (b <-> XXb)) U m))) & G((b & m) -> (XX!b & X((b & !m & XX!b) U (m | (!b & !m & XXb & X((!m & (b <-> XXb)) U m))))))",
			"!b & m & X!b & XX!b & G(m -> (X!m & XX!m & XXXm)) & G((!b & m) -> (XXXb & X((!m & (b <-> XXXb)) U m))) & G((b & m) -> (XXX!b & X((b & !m & XXX!b) U (m | (!b & !m & XXXb & X((!m & (b <-> XXXb)) U m))))))",
		},
		"rv-counter-carry 1..2": {
			"!b & m & G(m -> Xm) & G((!b & m) -> (!c & Xb)) & G((b & m) -> (c & X!b)) & G((!c & X!m) -> (X!c & (Xb <-> XXb))) & G(c -> ((X!b -> (XXb & X!c)) & (Xb -> (Xc & XX!b))))",
			"!b & m & X!b & G(m -> (X!m & XXm)) & G((!b & m) -> (!c & XXb)) & G((b & m) -> (c & XX!b)) & G((!c & X!m) -> (X!c & (Xb <-> XXXb))) & G(c -> ((X!b -> (XXXb & X!c)) & (Xb -> (Xc & XXX!b))))",
		},
		"rv-counter-carry-linear 1..3": {
			"!b & m & G(m -> Xm) & G((!b & m) -> (!c & Xb)) & G((b & m) -> (c & X!b)) & G((!c & X!m) -> X(!c & (b <-> Xb))) & G(c -> X((!b -> (!c & Xb)) & (b -> (c & X!b))))",
			"!b & m & X!b & G((!b & m) -> (!c & XXb)) & G((b & m) -> (c & XX!b)) & G(m -> X(!m & Xm)) & G((!c & X!m) -> X(!c & (b <-> XXb))) & G(c -> X((!b -> (!c & XXb)) & (b -> (c & XX!b))))",
			"!b & m & G((!b & m) -> (!c & XXXb)) & G((b & m) -> (c & XXX!b)) & G(m -> X(!m & X(!m & Xm))) & X(!b & X!b) & G((!c & X!m) -> X(!c & (b <-> XXXb))) & G(c -> X((!b -> (!c & XXXb)) & (b -> (c & XXX!b))))",
		},
		"rv-counter-linear 1..3": {
			"!b & m & G(m -> Xm) & G((!b & m) -> X(b & ((!m & (b <-> Xb)) U m))) & G((b & m) -> X(!b & ((b & !m & X!b) U (m | (!b & !m & X(b & ((!m & (b <-> Xb)) U m)))))))",
			"!b & m & X!b & G(m -> X(!m & Xm)) & G((!b & m) -> X(Xb & ((!m & (b <-> XXb)) U m))) & G((b & m) -> X(X!b & ((b & !m & XX!b) U (m | (!b & !m & X(Xb & ((!m & (b <-> XXb)) U m)))))))",
			"!b & m & G(m -> X(!m & X(!m & Xm))) & X(!b & X!b) & G((!b & m) -> X(XXb & ((!m & (b <-> XXXb)) U m))) & G((b & m) -> X(XX!b & ((b & !m & XXX!b) U (m | (!b & !m & X(XXb & ((!m & (b <-> XXXb)) U m)))))))",
		},
	} {
		r, err := Parse(request)
		if err != nil {
			t.Error(err)
			continue
		}
		compared[r.Set] = true
		var got []string
		for f := range r.All() {
			got = append(got, unordered(f.Formula))
		}
		var want []string
		for _, text := range list {
			want = append(want, unordered(parse(t, text)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is\n%s\nand not\n%s", request, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for _, s := range sets() {
		if s.make != nil && !compared[s] {
			t.Errorf("%s is not tested", s.Name)
		}
	}
}

func parse(t *testing.T, text string) *ltl.Formula {
	t.Helper()
	return must.Get(ltl.NewStore().Parse(text, ltl.Spot))
}

// unordered writes a formula so that the order of operands of & | <-> is always the
// same.
func unordered(f *ltl.Formula) string {
	op := f.Op()
	switch {
	case op == ltl.OpProp:
		return f.Name()
	case op.Arity() == 0:
		return op.String()
	case op.Arity() == 1:
		return op.String() + "(" + unordered(f.Left()) + ")"
	}
	var operands []string
	var collect func(g *ltl.Formula)
	collect = func(g *ltl.Formula) {
		if g.Op() == op && (op == ltl.OpAnd || op == ltl.OpOr) {
			collect(g.Left())
			collect(g.Right())
			return
		}
		operands = append(operands, unordered(g))
	}
	if op == ltl.OpAnd || op == ltl.OpOr {
		collect(f)
	} else {
		operands = []string{unordered(f.Left()), unordered(f.Right())}
	}
	if op == ltl.OpAnd || op == ltl.OpOr || op == ltl.OpEquiv {
		slices.Sort(operands)
	}
	return "(" + strings.Join(operands, " "+op.String()+" ") + ")"
}

// TestCorpusLists compares the lists with the formulas that automata were recorded for: dac, eh,
// sb, hkrss and p in this order, each formula once.
func TestCorpusLists(t *testing.T) {
	var want []string
	for r := range corpus.Records[struct{ Formula string }](t, "recorded.jsonl.gz") {
		if text := parse(t, r.Formula).String(); !slices.Contains(want, text) {
			want = append(want, text)
		}
	}
	var got []string
	for _, name := range []string{"dac", "eh", "sb", "hkrss", "p"} {
		r := must.Get(Parse(name))
		for f := range r.All() {
			if text := f.String(); !slices.Contains(got, text) {
				got = append(got, text)
			}
		}
	}
	if len(want) != 164 || !slices.Equal(got, want) {
		t.Errorf("%d formulas are\n%s\nand %d recorded ones\n%s", len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
	}
}
