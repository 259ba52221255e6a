package ltl_test

import (
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestShrinkOperators lists the candidates of a formula of each operator, in
// order.
func TestShrinkOperators(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0", ""},
		{"1", ""},
		{"a", "0; 1"},
		{"!a", "0; 1; a; !0; !1"},
		{"!Fa", "0; 1; a; Fa; Ga; !0; !1; !a; !Xa; !F(0); !F(1)"},
		{"!(a R b)", "0; 1; a; b; !0; !1; !a; !b; !Fa; !Gb; a R b; a U b; !(a & b); !(b W a); !(0 R b); !(1 R b); !(a R 0); !(a R 1); !(a R a); !(b R b)"},
		{"a & b", "0; 1; a; b; 0 & b; 1 & b; a & 0; a & 1; a & a; b & b"},
		{"a & b & c & d", "0; 1; a; b; c; d; a & b; c & d; a & d; a & b & c; a & b & d; a & c & d; b & c & d; a & b & c & 0; a & b & c & 1; a & b & 0 & d; a & b & 1 & d; 0 & b & c & d; 1 & b & c & d; a & 0 & c & d; a & 1 & c & d; a & a & c & d; a & b & a & d; a & b & b & d; a & b & c & a; a & b & c & b; a & b & c & c; b & b & c & d; c & b & c & d; d & b & c & d; a & c & c & d; a & d & c & d; a & b & d & d"},
		{"a | b", "0; 1; a; b; 0 | b; 1 | b; a | 0; a | 1; a | a; b | b"},
		{"a -> b", "0; 1; a; b; !a; a | b; 0 -> b; 1 -> b; a -> 0; a -> 1; a -> a; b -> b"},
		{"a <-> b", "0; 1; a; b; !a; !b; a & b; a -> b; b -> a; !a & !b; 0 <-> b; 1 <-> b; a <-> 0; a <-> 1; a <-> a; b <-> b"},
		{"a xor b", "0; 1; a; b; !a; !b; a | b; !a & b; a & !b; !a | !b; a <-> b; 0 xor b; 1 xor b; a xor 0; a xor 1; a xor a; b xor b"},
		{"Xa", "0; 1; a; X(0); X(1)"},
		{"Fa", "0; 1; a; Xa; F(0); F(1)"},
		{"Ga", "0; 1; a; Xa; G(0); G(1)"},
		{"a U b", "0; 1; a; b; Ga; Fb; a | b; a W b; a R b; 0 U b; 1 U b; a U 0; a U 1; a U a; b U b"},
		{"a R b", "0; 1; a; b; Fa; Gb; a & b; b W a; 0 R b; 1 R b; a R 0; a R 1; a R a; b R b"},
		{"a W b", "0; 1; a; b; Ga; Fb; a | b; 0 W b; 1 W b; a W 0; a W 1; a W a; b W b"},
		{"a M b", "0; 1; a; b; Fa; Gb; a & b; a R b; b U a; 0 M b; 1 M b; a M 0; a M 1; a M a; b M b"},
		{"Y a", "0; 1; a; Xa; Y(0); Y(1)"},
		{"Z a", "0; 1; a; Y a; Z(0); Z(1)"},
		{"O a", "0; 1; a; Y a; Fa; O(0); O(1)"},
		{"H a", "0; 1; a; Ga; Z a; H(0); H(1)"},
		{"a S b", "0; 1; a; b; H a; O b; a | b; a T b; a U b; 0 S b; 1 S b; a S 0; a S 1; a S a; b S b"},
		{"a T b", "0; 1; a; b; O a; H b; a & b; a R b; 0 T b; 1 T b; a T 0; a T 1; a T a; b T b"},
		{"Xa <-> Xa", "0; 1; a; Xa; !Xa; Xa & Xa; Xa -> Xa; 0 <-> 0; 1 <-> 1; a <-> a; 0 <-> Xa; 1 <-> Xa; Xa <-> 0; Xa <-> 1; a <-> Xa; Xa <-> a; X(0) <-> X(0); X(1) <-> X(1); !Xa & !Xa; X(0) <-> Xa; X(1) <-> Xa; Xa <-> X(0); Xa <-> X(1)"},
	} {
		s := ltl.NewStore()
		var got []string
		for f := range s.Shrink(parse(t, s, c.in, ltl.Spot), ltl.AllSteps) {
			got = append(got, f.String())
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.in, strings.Join(got, "; "), c.want)
		}
	}
}

// measure is an order of its own, in which each candidate must be smaller:
// costs of the operators, then the number of propositions.
func measure(f *ltl.Formula) [2]int {
	var cost func(f *ltl.Formula) int
	cost = func(f *ltl.Formula) int {
		sum := map[string]int{"0": 1, "1": 1, "ap": 2, "X": 2, "!": 4, "&": 3, "|": 3, "F": 3, "G": 3, "Y": 3, "Z": 4, "W": 5,
			"O": 5, "H": 5, "->": 6, "R": 6, "T": 7, "U": 7, "M": 8, "S": 9, "<->": 12, "xor": 13}[f.Op().String()]
		for _, g := range []*ltl.Formula{f.Left(), f.Right()} {
			if g != nil {
				sum += cost(g)
			}
		}
		return sum
	}
	return [2]int{cost(f), len(f.Props())}
}

// TestShrink: candidates are smaller, the smallest first, and no two are the same.
func TestShrink(t *testing.T) {
	const seed = 5
	g := pastGenerator(t, seed, []string{"a", "b", "c"}, 1, 14)
	for range campaign.Inputs(t, 300) {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		m := measure(f)
		seen := map[*ltl.Formula]bool{}
		last := 0
		for h := range s.Shrink(f, ltl.AllSteps) {
			got := measure(h)
			if slices.Compare(got[:], m[:]) >= 0 {
				t.Fatalf("seed %d: %s is no smaller than %s: %v, %v", seed, h, f, got, m)
			}
			if got[0] < last {
				t.Fatalf("seed %d: %s is out of order for %s", seed, h, f)
			}
			if seen[h] {
				t.Fatalf("seed %d: %s comes twice for %s", seed, h, f)
			}
			seen[h], last = true, got[0]
		}
	}
}

// TestShrinkShared: formulas whose syntax trees are astronomic are shrunk as graphs.
func TestShrinkShared(t *testing.T) {
	s := ltl.NewStore()
	f := s.Prop("a")
	for i := range 100 {
		f = s.Until(f, s.Equiv(s.Next(f), s.Prop(fmt.Sprint("p", i))))
	}
	calls := 0
	got, err := smallest(s, f, func(g *ltl.Formula) (bool, error) {
		calls++
		return slices.Contains(g.Props(), "p50") && g.Ops().Has(ltl.OpEquiv), nil
	})
	if err != nil || got.String() != "0 <-> p50" {
		t.Errorf("got %v, %v", got, err)
	}
	if calls > 20000 {
		t.Errorf("%d calls", calls)
	}
}

// has reports whether f has a subformula for which ok is true.
func has(f *ltl.Formula, ok func(*ltl.Formula) bool) bool {
	return f != nil && (ok(f) || has(f.Left(), ok) || has(f.Right(), ok))
}

// TestSmallest: where all smaller formulas of a kind can be reached, the smallest
// is found; otherwise one that has no failing candidate.
func TestSmallest(t *testing.T) {
	op := func(op ltl.Op) func(*ltl.Formula) bool {
		return func(f *ltl.Formula) bool { return f.Op() == op }
	}
	long := "G(p0 -> F(p1 | !p2)) & (p3 U (p4 M X p5)) & (p6 xor !(p0 W p1)) & GF(p7 & p8 & p9) & X(O p3 S Y(p1 T H p2))"
	for _, c := range []struct {
		want  string
		fails func(f *ltl.Formula) bool
	}{
		{"0", func(*ltl.Formula) bool { return true }},
		{"0 U 0", func(f *ltl.Formula) bool { return has(f, op(ltl.OpUntil)) }},
		{"0 S 0", func(f *ltl.Formula) bool { return has(f, op(ltl.OpSince)) }},
		{"F(0) & X(0)", func(f *ltl.Formula) bool { return has(f, op(ltl.OpFinally)) && has(f, op(ltl.OpNext)) }},
		{"p0 & p9", func(f *ltl.Formula) bool {
			return slices.Contains(f.Props(), "p9") && slices.Contains(f.Props(), "p0")
		}},
		{"p7 & p8", func(f *ltl.Formula) bool { return len(f.Props()) >= 2 }},
		{"GFp7", func(f *ltl.Formula) bool {
			return has(f, func(g *ltl.Formula) bool {
				return g.Op() == ltl.OpGlobally && has(g, func(h *ltl.Formula) bool {
					return h.Op() == ltl.OpFinally && slices.Contains(h.Props(), "p7")
				})
			})
		}},
	} {
		s := ltl.NewStore()
		f := parse(t, s, long, ltl.Spot)
		got, err := smallest(s, f, func(g *ltl.Formula) (bool, error) { return c.fails(g), nil })
		if err != nil || got.String() != c.want {
			t.Errorf("got %v, %v; want %s", got, err, c.want)
		}
	}
}

// smallest goes from f to the first candidate that fails, and repeats. It tries no formula twice.
func smallest(s *ltl.Store, f *ltl.Formula, fails func(*ltl.Formula) (bool, error)) (*ltl.Formula, error) {
	f = s.Import(f)
	tried := map[*ltl.Formula]bool{}
next:
	for g := range s.Shrink(f, ltl.AllSteps) {
		if tried[g] {
			continue
		}
		tried[g] = true
		if failed, err := fails(g); err != nil {
			return f, err
		} else if failed {
			f = g
			goto next
		}
	}
	return f, nil
}

// A tool that is wrong where a U stands below an X, on a formula with much else.
func ExampleStore_Shrink() {
	s := ltl.NewStore()
	f, err := s.Parse("G(req -> X(req U (grant & X idle))) & GF idle", ltl.Spot)
	if err != nil {
		log.Fatal(err)
	}
	var wrong func(f *ltl.Formula, belowX bool) bool
	wrong = func(f *ltl.Formula, belowX bool) bool {
		if f == nil {
			return false
		}
		belowX = belowX || f.Op() == ltl.OpNext
		return belowX && f.Op() == ltl.OpUntil || wrong(f.Left(), belowX) || wrong(f.Right(), belowX)
	}
	tries := 0
	small, err := smallest(s, f, func(f *ltl.Formula) (bool, error) {
		tries++
		return wrong(f, false), nil
	})
	fmt.Println(small, err, tries)
	// Output:
	// X(0 U 0) <nil> 33
}

// TestSmallestLong: a few of many operands are found without trying them one by one.
func TestSmallestLong(t *testing.T) {
	s := ltl.NewStore()
	f := s.Prop("p0")
	for i := 1; i < 200; i++ {
		f = s.And(f, s.Prop(fmt.Sprint("p", i)))
	}
	f = s.Globally(f)
	calls := 0
	got, err := smallest(s, f, func(g *ltl.Formula) (bool, error) {
		calls++
		return g.Op() == ltl.OpGlobally && slices.Contains(g.Props(), "p50") && slices.Contains(g.Props(), "p150"), nil
	})
	if err != nil || got.String() != "G(p50 & p150)" {
		t.Errorf("got %v, %v", got, err)
	}
	if calls > 2000 { // all pairs of operands would take 20000
		t.Errorf("%d calls", calls)
	}
}

// TestShrinkPSL: candidates are smaller than the formula, none comes twice, and all are formulas
// that can be written and read.
func TestShrinkPSL(t *testing.T) {
	const seed = 3
	g := pslGenerator(t, seed, 2, 14)
	for i := range campaign.Inputs(t, 200) {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		f = s.Import(f)
		seen := map[*ltl.Formula]bool{}
		for h := range s.Shrink(f, ltl.AllSteps) {
			old, less := s.BulkForTest(f), s.BulkForTest(h)
			if less > old || less == old && len(h.Props()) >= len(f.Props()) || seen[h] {
				t.Errorf("seed %d, formula %d: %s (%d) from %s (%d)", seed, i, h, less, f, old)
			}
			seen[h] = true
			if back := parse(t, s, h.String(), ltl.Spot); back != h {
				t.Fatalf("seed %d, formula %d: %s is read as %s", seed, i, h, back)
			}
		}
	}
}

// TestShrinkExpressions lists candidates that a formula has.
func TestShrinkExpressions(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"{a;b}[]-> c", []string{"c", "{a;b}", "{a}[]-> c", "{b}[]-> c", "{1;b}[]-> c", "{a;0}[]-> c", "{[*0]}[]-> c", "{a;b}[]-> 1", "{a;a}[]-> c"}},
		{"{a}[]-> b", []string{"a -> b", "{a}", "{1}[]-> b"}},
		{"{a}<>-> b", []string{"a & b", "{a}[]-> b"}},
		{"{a}", []string{"a"}},
		{"!({a;b}<>-> c)", []string{"{a;b}[]-> c", "{a;b}<>-> c"}},
		{"{a[*3..8]}", []string{"{a[*]}", "{a[+]}", "{a[*3]}", "{a[*3..7]}", "{a[*1..8]}", "{a[*2..8]}", "{a}"}},
		{"{a[:*2]}", []string{"{a[*2]}", "{a[:*1]}"}},
		{"{{a;b} & {c;d}}", []string{"{{a;b} && {c;d}}", "{a;b}", "{{a;b} & c}", "{a;b;{c;d}}"}},
		{"{{a;b} && {c:d}}", []string{"{{a;b} | {c:d}}", "{{a;b} && {c;d}}"}},
		{"{a & !b;c}", []string{"{a;c}", "{!b;c}", "{a & b;c}", "{0;c}"}},
		{"{first_match(a;b)}", []string{"{a;b}", "{first_match(a)}"}},
	} {
		s := ltl.NewStore()
		var got []string
		for f := range s.Shrink(parse(t, s, c.in, ltl.Spot), ltl.AllSteps) {
			got = append(got, f.String())
		}
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %s is missing in %q", c.in, w, got)
			}
		}
	}
}

// TestSmallestPSL: what is left of a formula are the parts that matter.
func TestSmallestPSL(t *testing.T) {
	s := ltl.NewStore()
	f := parse(t, s, "G((a -> {{b;c[*2..7]} && {d:[*];e}}[]=> F(a & b)) U ({a[->3]}<>-> c))", ltl.Spot)
	for _, c := range []struct {
		want  string
		fails func(*ltl.Formula) bool
	}{
		{"{0}[]-> 0", func(f *ltl.Formula) bool { return f.Ops().Has(ltl.OpSuffixImplication) }},
		{"{0[*2]}", func(f *ltl.Formula) bool { return hasSERE(f, ltl.SEREStar, 2) }},
		{"{0 && [*0]}", func(f *ltl.Formula) bool { return hasSERE(f, ltl.SEREIntersection, 0) }},
	} {
		g, err := smallest(s, f, func(f *ltl.Formula) (bool, error) { return c.fails(f), nil })
		if err != nil || g.String() != c.want {
			t.Errorf("got %s, %v, want %s", g, err, c.want)
		}
	}
}

// hasSERE reports whether an expression of f has an operator with the given lower bound.
func hasSERE(f *ltl.Formula, op ltl.SEREOp, low int) bool {
	var within func(r *ltl.SERE) bool
	within = func(r *ltl.SERE) bool {
		n, _ := func() (int, int) {
			if r == nil {
				return 0, 0
			}
			return r.Bounds()
		}()
		return r != nil && (r.Op() == op && n == low || within(r.Left()) || within(r.Right()))
	}
	return slices.ContainsFunc(f.Subformulas(), func(g *ltl.Formula) bool { return within(g.SERE()) })
}

// mutations applies a rule of ltlgrind to a formula, as its manual describes: here to the formula
// itself, then to its operands.
func mutations(s *ltl.Store, f *ltl.Formula, kind ltl.Steps) (list []*ltl.Formula) {
	add := func(some ...*ltl.Formula) { list = append(list, some...) }
	a, b := f.Left(), f.Right()
	var operands []*ltl.Formula // of a conjunction or disjunction
	if f.Op() == ltl.OpAnd || f.Op() == ltl.OpOr {
		g := f
		for ; g.Op() == f.Op(); g = g.Left() {
			operands = append(operands, g.Right())
		}
		operands = append(operands, g)
		slices.Reverse(operands)
	}
	switch {
	case kind == ltl.PropToConst && f.Op() == ltl.OpProp:
		add(s.False(), s.True())
	case kind == ltl.RemoveOp && operands == nil && a != nil:
		if add(a); b != nil {
			add(b)
		}
	case kind == ltl.DropOperand && operands != nil:
		for i := range operands {
			add(chain(s, f.Op(), slices.Delete(slices.Clone(operands), i, i+1)))
		}
	case kind == ltl.SplitOp && f.Op() == ltl.OpEquiv:
		add(s.Implies(a, b), s.Implies(b, a), s.And(a, b), s.And(s.Not(a), s.Not(b)))
	case kind == ltl.SplitOp && f.Op() == ltl.OpXor:
		add(s.And(a, s.Not(b)), s.And(s.Not(a), b), s.Or(a, b), s.Or(s.Not(a), s.Not(b)))
	case kind == ltl.RewriteOp && f.Op() == ltl.OpUntil:
		add(s.WeakUntil(a, b))
	case kind == ltl.RewriteOp && f.Op() == ltl.OpStrongRelease:
		add(s.Release(a, b), s.Until(b, a))
	case kind == ltl.RewriteOp && f.Op() == ltl.OpRelease:
		add(s.WeakUntil(b, a))
	}
	switch {
	case operands != nil:
		for i, g := range operands {
			for _, h := range mutations(s, g, kind) {
				changed := slices.Clone(operands)
				changed[i] = h
				add(chain(s, f.Op(), changed))
			}
		}
	case b != nil:
		for _, h := range mutations(s, a, kind) {
			add(s.Binary(f.Op(), h, b))
		}
		for _, h := range mutations(s, b, kind) {
			add(s.Binary(f.Op(), a, h))
		}
	case a != nil:
		for _, h := range mutations(s, a, kind) {
			add(s.Unary(f.Op(), h))
		}
	}
	return list
}

// chain returns the conjunction (or disjunction) of formulas.
func chain(s *ltl.Store, op ltl.Op, operands []*ltl.Formula) *ltl.Formula {
	f := operands[0]
	for _, g := range operands[1:] {
		f = s.Binary(op, f, g)
	}
	return f
}

// TestMutations: each of the first six kinds of steps gives exactly the formulas of
// ltlgrind's rule. (ltlgrind also simplifies the result. In xcheck, simplifications are
// steps of their own.)
func TestMutations(t *testing.T) {
	const seed = 9
	g := generator(t, seed, []string{"a", "b", "c"}, 1, 16)
	given := map[ltl.Steps]int{}
	for range 500 {
		f, _ := g.Next()
		s := ltl.NewStore()
		f = s.Import(f)
		for _, kind := range []ltl.Steps{ltl.PropToConst, ltl.MergeProps, ltl.DropOperand, ltl.RemoveOp, ltl.SplitOp, ltl.RewriteOp} {
			want := map[*ltl.Formula]bool{}
			for _, h := range mutations(s, f, kind) {
				want[h] = true
			}
			if kind == ltl.MergeProps {
				for _, p := range f.Props() {
					for _, q := range f.Props() {
						if p != q {
							want[s.Rename(f, func(name string) string { return strings.Replace(name, p, q, 1) })] = true
						}
					}
				}
			}
			delete(want, f)
			for h := range s.Shrink(f, kind) {
				if given[kind]++; !want[h] {
					t.Errorf("seed %d: %s of %s by %b is none of ltlgrind's", seed, h, f, kind)
				}
				delete(want, h)
			}
			for h := range want {
				t.Errorf("seed %d: %s of %s by %b is missing", seed, h, f, kind)
			}
		}
	}
	if len(given) != 6 {
		t.Errorf("some kinds gave nothing: %v", given)
	}
}

// TestStructural: structural steps bring in no operator, no constant and no proposition.
func TestStructural(t *testing.T) {
	const seed = 10
	g := pastGenerator(t, seed, []string{"a", "b", "c"}, 1, 16)
	for range 500 {
		f, _ := g.Next()
		s := ltl.NewStore()
		for h := range s.Shrink(f, ltl.Structural) {
			names := slices.ContainsFunc(h.Props(), func(p string) bool { return !slices.Contains(f.Props(), p) })
			if h.Ops()&^f.Ops() != 0 || names {
				t.Errorf("seed %d: %s of %s has something new: %s", seed, h, f, fmt.Sprint(h.Ops()&^f.Ops()))
			}
		}
	}
}
