package ltl_test

import (
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

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
		f, err := g.Next()
		if err != nil {
			t.Fatal(err)
		}
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
