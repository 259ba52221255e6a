package ltl_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/internal/test/campaign"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestDual: a word satisfies the dual if and only if the word with all valuations turned
// round does not satisfy the formula.
func TestDual(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, 0))
	for _, f := range draw(t, 500, ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 15, Past: true}) {
		s := ltl.NewStore()
		g := s.Dual(s.Import(f))
		for range 10 {
			prefix, cycle, letters := r.IntN(4), 1+r.IntN(4), r.Uint64()
			value := func(prop string, pos int) bool { return letters>>(8*int(prop[0]-'a')+pos)&1 == 1 }
			turned := func(prop string, pos int) bool { return !value(prop, pos) }
			if must.Get(f.Holds(prefix, cycle, value)) == must.Get(g.Holds(prefix, cycle, turned)) {
				t.Fatalf("seed %d: %s and its dual %s on %x of %d+%d letters", seed, f, g, letters, prefix, cycle)
			}
		}
	}
}

// TestCanonical: all that are alike have the same form, and it is one of them.
func TestCanonical(t *testing.T) {
	const seed = 12
	for _, f := range draw(t, campaign.Inputs(t, 100), ltl.RandomOptions{Seed: seed, Props: []string{"a", "b", "c"}, MinSize: 1, MaxSize: 6, Past: true, KeepTrivial: true}) {
		s := ltl.NewStore()
		f = s.Import(f)
		want := s.Canonical(f)
		all := orbit(s, f)
		if !all[want] {
			t.Errorf("seed %d: %s became %s, which is not like it", seed, f, want)
		}
		for g := range all {
			if got := s.Canonical(g); got != want {
				t.Errorf("seed %d: %s became %s, but %s, which is like it, %s", seed, f, want, g, got)
			}
		}
	}
}

// orbit returns all formulas that are like f, with propositions
// p0, p1, …, by steps that each change one thing only.
func orbit(s *ltl.Store, f *ltl.Formula) map[*ltl.Formula]bool {
	f, _ = s.Relabel(f)
	found := map[*ltl.Formula]bool{}
	list := []*ltl.Formula{f}
	add := func(g *ltl.Formula) {
		if !found[g] {
			found[g] = true
			list = append(list, g)
		}
	}
	for i := 0; i < len(list); i++ {
		g := list[i]
		add(g)
		props := g.Props()
		for i := range props {
			for j := range i {
				add(s.Rename(g, func(name string) string {
					switch name {
					case props[i]:
						return props[j]
					case props[j]:
						return props[i]
					}
					return name
				}))
			}
		}
		for _, h := range swapped(s, g) {
			add(h)
		}
	}
	return found
}

// swapped returns f with two neighbouring operands of a commutative operator exchanged,
// in each way.
func swapped(s *ltl.Store, f *ltl.Formula) []*ltl.Formula {
	var list []*ltl.Formula
	switch f.Op().Arity() {
	case 1:
		for _, g := range swapped(s, f.Left()) {
			list = append(list, s.Unary(f.Op(), g))
		}
	case 2:
		for _, g := range swapped(s, f.Left()) {
			list = append(list, s.Binary(f.Op(), g, f.Right()))
		}
		for _, g := range swapped(s, f.Right()) {
			list = append(list, s.Binary(f.Op(), f.Left(), g))
		}
		switch f.Op() {
		case ltl.OpAnd, ltl.OpOr:
			if f.Left().Op() == f.Op() {
				list = append(list, s.Binary(f.Op(), s.Binary(f.Op(), f.Left().Left(), f.Right()), f.Left().Right()))
				break
			}
			fallthrough
		case ltl.OpEquiv, ltl.OpXor:
			list = append(list, s.Binary(f.Op(), f.Right(), f.Left()))
		}
	}
	return list
}

// TestEmbeds compares it with all that can remain of small formulas.
func TestEmbeds(t *testing.T) {
	const seed = 13
	formulas := draw(t, campaign.Inputs(t, 800), ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 8, KeepTrivial: true})
	yes := 0
	for i, f := range formulas {
		s := ltl.NewStore()
		rest := remains(s, s.Import(f))
		for _, small := range append(formulas[max(0, i-40):i], formulas[max(0, len(formulas)-60):]...) {
			want := rest[s.Import(small)]
			if got := ltl.Embeds(small, f); got != want {
				t.Errorf("seed %d: %s in %s: %v, want %v", seed, small, f, got, want)
			}
			if want {
				yes++
			}
		}
		if !ltl.Embeds(f, f) {
			t.Errorf("seed %d: not %s in itself", seed, f)
		}
	}
	if yes < len(formulas) {
		t.Errorf("seed %d: only %d embeddings", seed, yes)
	}
}

// remains returns all that can remain of f, with propositions a and b.
func remains(s *ltl.Store, f *ltl.Formula) map[*ltl.Formula]bool {
	found := map[*ltl.Formula]bool{}
	for i := range 16 { // what becomes of a, b, 0 and 1
		to := func(leaf int) string { return string("ab"[i>>leaf&1]) }
		g := s.Rename(f, func(name string) string { return to(int(name[0] - 'a')) })
		for g := range parts(s, g, to(2), to(3)) {
			found[g] = true
			for h := range orders(s, g) {
				found[h] = true
			}
		}
	}
	return found
}

// parts returns all that remains of f if subformulas become one of their operands, and
// some of the constants propositions.
func parts(s *ltl.Store, f *ltl.Formula, zero, one string) map[*ltl.Formula]bool {
	found := map[*ltl.Formula]bool{}
	switch f.Op().Arity() {
	case 0:
		found[f] = true
		switch f.Op() {
		case ltl.OpFalse:
			found[s.Prop(zero)] = true
		case ltl.OpTrue:
			found[s.Prop(one)] = true
		}
	case 1:
		for g := range parts(s, f.Left(), zero, one) {
			found[g] = true
			found[s.Unary(f.Op(), g)] = true
		}
	case 2:
		left, right := parts(s, f.Left(), zero, one), parts(s, f.Right(), zero, one)
		for g := range left {
			found[g] = true
			for h := range right {
				found[h] = true
				found[s.Binary(f.Op(), g, h)] = true
			}
		}
	}
	return found
}

// orders returns f with the operands of commutative operators in all orders.
func orders(s *ltl.Store, f *ltl.Formula) map[*ltl.Formula]bool {
	found := map[*ltl.Formula]bool{f: true}
	for list := []*ltl.Formula{f}; len(list) > 0; list = list[1:] {
		for _, g := range swapped(s, list[0]) {
			if !found[g] {
				found[g] = true
				list = append(list, g)
			}
		}
	}
	return found
}

// TestEnumerate: every formula has one like it among those that are enumerated, and these
// are all different.
func TestEnumerate(t *testing.T) {
	const seed = 14
	s := ltl.NewStore()
	list := []ltl.Op{ltl.OpFalse, ltl.OpProp, ltl.OpNot, ltl.OpAnd, ltl.OpNext, ltl.OpUntil}
	ops := ltl.Ops(list...)
	count := []int{}
	given := map[*ltl.Formula]bool{}
	for size := 1; size <= 6; size++ {
		n := 0
		for f := range s.Enumerate(size, 2, ops) {
			if f.Size() != size || f.Ops()&^ops != 0 || f.Op() == ltl.OpNot || given[f] {
				t.Errorf("%d nodes: %s", size, f)
			}
			given[f] = true
			n++
		}
		count = append(count, n)
	}
	// 0 and p0; X of these; of three nodes four beginning with X, four conjunctions, of 0
	// and 0, 0 and p0, p0 and p0, p0 and p1, and five untils.
	if want := []int{2, 2, 13}; !slices.Equal(count[:3], want) {
		t.Errorf("%v formulas, want %v", count[:3], want)
	}
	for _, f := range draw(t, 300, ltl.RandomOptions{Seed: seed, Props: []string{"a", "b"}, MinSize: 1, MaxSize: 6, KeepTrivial: true, KeepDuplicates: true, Weights: only(list...)}) {
		f = s.Import(f)
		for f.Op() == ltl.OpNot {
			f = f.Left()
		}
		like := 0
		for g := range reordered(s, f) {
			if given[g] {
				like++
			}
		}
		if like != 1 {
			t.Errorf("seed %d: %d formulas like %s", seed, like, f)
		}
	}
}

// reordered returns f with propositions p0 and p1 and operands in all orders.
func reordered(s *ltl.Store, f *ltl.Formula) map[*ltl.Formula]bool {
	found := map[*ltl.Formula]bool{}
	for _, to := range [][2]string{{"p0", "p1"}, {"p1", "p0"}} {
		for g := range orders(s, s.Rename(f, func(name string) string { return to[name[0]-'a'] })) {
			found[g] = true
		}
	}
	return found
}
