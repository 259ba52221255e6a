package random

import (
	"math/rand/v2"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A style is what the formulas of a batch have in common.
type style struct {
	props   int
	weights [ltl.OpTriggered + 1]int
	class   class
	// Chances in percent: of a block where one fits, of a subformula that was there before, of a
	// negation before a proposition, and of a constant instead of one.
	blocks, shared, negated, constants int
}

// favored is the weight of operators that a style favors.
const favored = 4

// operators are those that a style has or leaves out.
var operators = []ltl.Op{ltl.OpNot, ltl.OpAnd, ltl.OpOr, ltl.OpImplies, ltl.OpEquiv, ltl.OpXor, ltl.OpNext, ltl.OpFinally, ltl.OpGlobally,
	ltl.OpUntil, ltl.OpRelease, ltl.OpWeakUntil, ltl.OpStrongRelease}

// common are the weights of operators that are neither left out nor favored.
var common = map[ltl.Op]int{ltl.OpNot: 1, ltl.OpAnd: 4, ltl.OpOr: 4, ltl.OpImplies: 1, ltl.OpEquiv: 1, ltl.OpXor: 1, ltl.OpNext: 2,
	ltl.OpFinally: 2, ltl.OpGlobally: 2, ltl.OpUntil: 3, ltl.OpRelease: 3, ltl.OpWeakUntil: 2, ltl.OpStrongRelease: 2}

// temporal are operators of which each style has at least two.
const temporal = ltl.OpSet(1<<ltl.OpFinally | 1<<ltl.OpGlobally | 1<<ltl.OpUntil | 1<<ltl.OpRelease | 1<<ltl.OpWeakUntil | 1<<ltl.OpStrongRelease)

func newStyle(r *rand.Rand) style {
	s := style{props: pick(r, propositions[:]) + 1, class: class(pick(r, classes[:]))}
	for have := 0; have < 2; {
		have = 0
		for _, op := range operators {
			w := common[op]
			switch r.IntN(8) {
			case 0:
				w = 0
			case 1, 2:
				w *= favored
			}
			s.weights[op] = w
			if w > 0 && temporal.Has(op) {
				have++
			}
		}
	}
	s.negated = 10 + r.IntN(40)
	s.blocks = []int{0, 10, 30}[r.IntN(3)]
	s.shared = []int{0, 0, 10, 25}[r.IntN(4)]
	if r.IntN(12) == 0 {
		s.constants = 40
	}
	return s
}

// propositions are the weights of 1 to 10 of them.
var propositions = [10]int{3, 10, 18, 22, 14, 6, 3, 2, 1, 1}

// pick draws an index by weight.
func pick(r *rand.Rand, weights []int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	x := r.IntN(sum)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	panic("random: weights do not add up")
}
