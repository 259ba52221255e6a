package ltl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// mutations returns what a rule of ltlgrind makes of a formula, written down from its
// manual: here are the replacements of the formula itself, then those of its operands.
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

// TestMutations: each of the first six kinds of steps gives what ltlgrind's rule gives,
// and nothing else. (ltlgrind also simplifies the result, of which xcheck makes steps
// of their own.)
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

// TestMutationsOfManual is the example of ltlgrind's manual.
func TestMutationsOfManual(t *testing.T) {
	s := ltl.NewStore()
	var got []string
	for f := range s.Shrink(parse(t, s, "a U G(b <-> c)", ltl.Spot), ltl.SplitOp|ltl.RewriteOp|ltl.RemoveOp) {
		got = append(got, f.String())
	}
	want := []string{"a", "G(b <-> c)", "a W G(b <-> c)", "a U (b <-> c)", "a U Gb", "a U Gc", "a U G(b -> c)", "a U G(c -> b)", "a U G(b & c)", "a U G(!b & !c)"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
