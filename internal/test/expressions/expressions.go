// Package expressions makes small random regular expressions and formulas with them, for tests. All
// operators occur often, as do the empty word, empty languages and bounds next to each other.
package expressions

import (
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Random returns a random expression over a and b, of depth at most depth.
func Random(r *rand.Rand, s *ltl.Store, depth int) *ltl.SERE {
	if depth == 0 || r.IntN(6) == 0 {
		letters := []string{"a", "b", "!a", "a & !b", "a xor b", "1", "0", "a -> b"}
		switch k := r.IntN(len(letters) + 2); k {
		case len(letters), len(letters) + 1:
			return s.EmptyWord()
		default:
			f, err := s.Parse(letters[k], ltl.Spot)
			if err != nil {
				panic(err)
			}
			return s.Letter(f)
		}
	}
	sub := func() *ltl.SERE { return Random(r, s, depth-1) }
	bounds := func() (low, high int) {
		low = r.IntN(3)
		if r.IntN(2) == 0 {
			return low, ltl.Unbounded
		}
		return low, low + r.IntN(3)
	}
	switch r.IntN(9) {
	case 0, 1:
		low, high := bounds()
		return s.Star(sub(), low, high)
	case 2:
		low, high := bounds()
		return s.FusionStar(sub(), low, high)
	case 3:
		return s.FirstMatch(sub())
	}
	ops := []ltl.SEREOp{ltl.SEREOr, ltl.SEREIntersection, ltl.SEREAnd, ltl.SEREConcat,
		ltl.SEREConcat, ltl.SEREFusion}
	return s.SEREBinary(ops[r.IntN(len(ops))], sub(), sub())
}

// Formula returns a random formula over a and b with one to three expressions.
func Formula(r *rand.Rand, s *ltl.Store) *ltl.Formula {
	props := []*ltl.Formula{s.Prop("a"), s.Prop("b")}
	f := props[r.IntN(2)]
	for range 1 + r.IntN(3) {
		e := Random(r, s, 1+r.IntN(3))
		switch r.IntN(9) {
		case 0, 1, 2:
			f = s.SuffixConjunction(e, f)
		case 3, 4, 5:
			f = s.SuffixImplication(e, f)
		case 6:
			f = s.Or(s.Globally(f), s.Closure(e))
		case 7:
			f = s.And(s.Closure(e), s.Finally(f))
		case 8:
			f = s.Until(f, s.Not(s.Closure(e)))
		}
	}
	return f
}
