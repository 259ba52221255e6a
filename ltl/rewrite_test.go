package ltl_test

import (
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
		first := 0 // operators of the future can't express those of the past
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
