package ltl_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

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
	step := ltl.OpSet(7) // odd: no operator is in all sets, or in none
	if campaign.Whole() {
		step = 1
	}
	for op := ltl.OpFalse; op <= ltl.OpTriggered; op++ {
		var f *ltl.Formula
		first := 0 // future operators can't express past operators
		if ltl.PastOps.Has(op) {
			first = 16
		}
		switch op.Arity() {
		case 1:
			f = s.Unary(op, a)
		case 2:
			f = s.Binary(op, a, b)
		default:
			continue
		}
		rewritten := 0
		for bits := ltl.OpSet(op) % step; bits < 1<<16; bits += step {
			remove := bits
			if first > 0 {
				// The Boolean operators but ap, and the past.
				remove = bits&0x3ff&^ltl.Ops(ltl.OpProp) | bits>>10<<first
			}
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
	if _, err := s.Unabbreviate(s.Next(a), ltl.Ops(ltl.OpNext)); err == nil || err.Error() != "the operator X is not supported" {
		t.Errorf("X is removed: %v", err)
	}
}

// TestRewritten: what is expressed by other operators means the same.
func TestRewritten(t *testing.T) {
	const seed = 17
	r := rand.New(rand.NewPCG(seed, 0))
	ways := map[ltl.Op]int{}
	for _, f := range draw(t, campaign.Inputs(t, 500), ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 2, MaxSize: 12, Past: true}) {
		s := ltl.NewStore()
		f = s.Import(f)
		for op := ltl.OpFalse; op <= ltl.OpTriggered; op++ {
			list := s.Rewritten(f, op)
			if f.Ops().Has(op) {
				ways[op] = len(list)
			}
			for _, g := range list {
				if g.Ops().Has(op) {
					t.Errorf("seed %d: %s without %s: %s", seed, f, op, g)
				}
				for range 5 {
					prefix, cycle, letters := r.IntN(4), 1+r.IntN(4), r.Uint64()
					value := func(prop string, pos int) bool { return letters>>(8*int(prop[0]-'a')+pos)&1 == 1 }
					if must.Get(f.Holds(prefix, cycle, value)) != must.Get(g.Holds(prefix, cycle, value)) {
						t.Fatalf("seed %d: %s without %s: %s, which differs on %x of %d+%d letters", seed, f, op, g, letters, prefix, cycle)
					}
				}
			}
		}
	}
	for op := ltl.OpNot; op <= ltl.OpTriggered; op++ {
		if (ways[op] == 0) != (op == ltl.OpNext) {
			t.Errorf("%d ways to do without %s", ways[op], op)
		}
	}
}

// nnf is a rival of Store.NNF: it makes each conjunction and disjunction by Binary, in
// quadratic time.
func nnf(s *ltl.Store, f *ltl.Formula, negated bool) *ltl.Formula {
	l := func(negated bool) *ltl.Formula { return nnf(s, f.Left(), negated) }
	r := func(negated bool) *ltl.Formula { return nnf(s, f.Right(), negated) }
	switch f.Op() {
	case ltl.OpFalse, ltl.OpTrue:
		if (f.Op() == ltl.OpTrue) != negated {
			return s.True()
		}
		return s.False()
	case ltl.OpProp:
		if negated {
			return s.Not(s.Prop(f.Name()))
		}
		return s.Prop(f.Name())
	case ltl.OpNot:
		return l(!negated)
	case ltl.OpImplies:
		if negated {
			return s.And(l(false), r(true))
		}
		return s.Or(l(true), r(false))
	case ltl.OpEquiv, ltl.OpXor:
		same := (f.Op() == ltl.OpEquiv) != negated
		return s.Or(s.And(l(false), r(!same)), s.And(l(true), r(same)))
	}
	op := f.Op()
	if negated {
		op = duals[op]
	}
	if f.Right() == nil {
		return s.Unary(op, l(negated))
	}
	return s.Binary(op, l(negated), r(negated))
}

var duals = map[ltl.Op]ltl.Op{
	ltl.OpAnd: ltl.OpOr, ltl.OpOr: ltl.OpAnd, ltl.OpNext: ltl.OpNext,
	ltl.OpFinally: ltl.OpGlobally, ltl.OpGlobally: ltl.OpFinally,
	ltl.OpUntil: ltl.OpRelease, ltl.OpRelease: ltl.OpUntil,
	ltl.OpWeakUntil: ltl.OpStrongRelease, ltl.OpStrongRelease: ltl.OpWeakUntil,
	ltl.OpYesterday: ltl.OpWeakYesterday, ltl.OpWeakYesterday: ltl.OpYesterday,
	ltl.OpOnce: ltl.OpHistorically, ltl.OpHistorically: ltl.OpOnce,
	ltl.OpSince: ltl.OpTriggered, ltl.OpTriggered: ltl.OpSince,
}

// rebuilt makes f from its operands up by Binary.
func rebuilt(s *ltl.Store, f *ltl.Formula, leaf func(*ltl.Formula) *ltl.Formula) *ltl.Formula {
	switch f.Op().Arity() {
	case 0:
		return leaf(f)
	case 1:
		return s.Unary(f.Op(), rebuilt(s, f.Left(), leaf))
	}
	return s.Binary(f.Op(), rebuilt(s, f.Left(), leaf), rebuilt(s, f.Right(), leaf))
}

// isRegular reports whether no conjunction is on the right of another one, and no
// disjunction.
func isRegular(f *ltl.Formula) bool {
	if f == nil {
		return true
	}
	if (f.Op() == ltl.OpAnd || f.Op() == ltl.OpOr) && f.Right().Op() == f.Op() {
		return false
	}
	return isRegular(f.Left()) && isRegular(f.Right())
}

// TestRebuild compares the negation normal form of random formulas with what the rival
// makes, and so renamed ones. The formulas have few
// operators, so that they have chains of more operands than are moved at once.
func TestRebuild(t *testing.T) {
	const seed = 21
	g, err := ltl.NewGenerator(ltl.RandomOptions{
		Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 2000, KeepTrivial: true,
		Weights: map[ltl.Op]int{
			ltl.OpImplies: 300, ltl.OpAnd: 5, ltl.OpOr: 100, ltl.OpNot: 1, ltl.OpEquiv: 0, ltl.OpXor: 0,
			ltl.OpNext: 1, ltl.OpFinally: 1, ltl.OpUntil: 1, ltl.OpRelease: 1,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	long := 0
	for range campaign.Inputs(t, 100) {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		for _, negated := range []bool{false, true} {
			h := s.Import(f)
			if negated {
				h = s.Not(h)
			}
			got, want := s.NNF(h), nnf(s, f, negated)
			if got != want {
				t.Fatalf("seed %d: %s becomes %s, not %s", seed, h, got, want)
			}
			for n := 0; got.Op() == ltl.OpOr || got.Op() == ltl.OpAnd; got = got.Left() {
				if n++; n == 70 {
					long++
				}
			}
		}
		got := s.Rename(f, func(name string) string { return name + "0" })
		want := rebuilt(s, f, func(x *ltl.Formula) *ltl.Formula {
			if x.Op() == ltl.OpProp {
				return s.Prop(x.Name() + "0")
			}
			return s.Import(x)
		})
		if got != want {
			t.Fatalf("seed %d: renamed %s is %s, not %s", seed, f, got, want)
		}
		if h := s.Simplify(f); !isRegular(h) {
			t.Fatalf("seed %d: %s is simplified to %s, which is irregular", seed, f, h)
		}
	}
	if long == 0 {
		t.Error("no formula had a long conjunction or disjunction")
	}
}

// TestRebuildNested rebuilds conjunctions that are nested to the right behind double
// negations, which are no conjunctions of conjunctions until they are simplified.
func TestRebuildNested(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 66, 130, 500} {
		s := ltl.NewStore()
		f := s.Prop("a")
		for range n {
			f = s.And(s.Prop("b"), s.Not(s.Not(s.And(s.Prop("c"), f))))
		}
		got := s.NNF(f)
		if want := nnf(s, f, false); got != want {
			t.Fatalf("%d operands: %s becomes %s, not %s", n, f, got, want)
		}
	}
}

// TestSimplifyPSL: what formulas of PSL are rewritten to has their truth on random words.
func TestSimplifyPSL(t *testing.T) {
	const seed = 6
	g := pslGenerator(t, seed, 2, 14)
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range campaign.Inputs(t, 500) {
		f := must.Get(g.Next())
		s := ltl.NewStore()
		f = s.Import(f)
		reduced := must.Get(s.Reduce(context.Background(), f, ltl.LevelImplications))
		forms := map[string]*ltl.Formula{"Simplify": s.Simplify(f), "NNF": s.NNF(f), "Reduce": reduced}
		for range 10 {
			prefix, cycle := r.IntN(4), 1+r.IntN(3)
			bits := r.Uint32()
			value := func(prop string, pos int) bool { return bits>>(3*pos+int(prop[0]-'a'))&1 != 0 }
			inverted := func(prop string, pos int) bool { return !value(prop, pos) }
			want := holds(t, f, prefix, cycle, value)
			for name, h := range forms {
				if holds(t, h, prefix, cycle, value) != want {
					t.Errorf("seed %d, formula %d: %s of %s is %s", seed, i, name, f, h)
				}
			}
			if holds(t, s.Dual(f), prefix, cycle, inverted) == want {
				t.Errorf("seed %d, formula %d: Dual of %s is %s", seed, i, f, s.Dual(f))
			}
		}
	}
}

func TestSimplifySequences(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"{a}", "a"},
		{"{a;b;c}", "a & X(b & Xc)"},
		{"{a;b[*2]}<>-> Fc", "a & X(b & X(b & Fc))"},
		{"{a;[*0];b}|=>c", "a -> X(b -> Xc)"},
		{"{[*0]}", "0"},
		{"{[*0]}[]-> a", "1"},
		{"{[*0]}<>-> a", "0"},
		{"{a;0}!", "0"},
		{"{a;b[*]}", "{a;b[*]}"},
		{"{a & !!b | 0;c[*]}[]-> !!d", "{a & b;c[*]}[]-> d"},
	} {
		s := ltl.NewStore()
		if got := s.Simplify(parse(t, s, c.in, ltl.Spot)).String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
}

// holds is Holds for formulas whose truth is found.
func holds(t *testing.T, f *ltl.Formula, prefix, cycle int, value func(string, int) bool) bool {
	t.Helper()
	defer func() {
		if x := recover(); x != nil {
			t.Fatalf("%s: prefix %d, cycle %d: %v", f, prefix, cycle, x)
		}
	}()
	return must.Get(f.Holds(prefix, cycle, value))
}
