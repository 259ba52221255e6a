package omega

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// A Literal is a proposition or its negation: twice its index in the alphabet, plus one if
// negated.
type Literal int32

// Prop returns the index of the literal's proposition.
func (l Literal) Prop() int { return int(l >> 1) }

// Negated reports whether the literal is the negation of its proposition.
func (l Literal) Negated() bool { return l&1 != 0 }

// Cover returns l as an irredundant disjunction of cubes, which are conjunctions of literals in the
// order of the alphabet: no cube and no literal can be left out
// (Minato 1992, "Fast generation of irredundant sum-of-products forms from binary decision
// diagrams"). For a&b | !a&c | b&c, that is !a&c | a&b. False has no cubes. If the result would
// have more than a few thousand literals, ok is false.
func (a *Alphabet) Cover(l Label) (cubes [][]Literal, ok bool) {
	if a.dd == nil { // at most 64 letters, and each cube has one of its own
		c := &coverer{Alphabet: a, calls: maxCoverCalls}
		cubes, _ = c.cover(l, l, nil)
		return cubes, true
	}
	// Some labels need exponentially many cubes, such as "an odd number of propositions are true". So
	// the search has limits of its own, within the budget of the caller.
	if _, small := a.Nodes(l, maxCoverNodes); !small {
		return nil, false
	}
	whole := budget.Free()
	if a.bound.binding != nil {
		whole = a.bound.part
	}
	c := &coverer{Alphabet: a, calls: maxCoverCalls}
	err := a.try(whole.Part(maxCoverSteps), maxCoverNodes<<4, func(v *budget.Budget) { cubes, _ = c.cover(l, l, nil) })
	if whole.Err() != nil { // not only this attempt
		a.bound.end()
	}
	if err != nil || c.calls < 0 || c.literals > maxCoverLiterals {
		return nil, false
	}
	return cubes, true
}

// Bounds of what Cover does: literals that it returns, nodes of the label, calls and steps.
const (
	maxCoverLiterals = 1 << 12
	maxCoverNodes    = 1 << 12
	maxCoverCalls    = 1 << 16
	maxCoverSteps    = 1 << 22
)

// A coverer finds a cover. It stops, with a result that means nothing, when it has made too
// many calls or literals.
type coverer struct {
	*Alphabet
	calls, literals int
}

// cover returns cubes that contain all letters of must, and none outside may,
// each with the literals of prefix in front; and the label they add up to
// (without the prefix).
func (a *coverer) cover(must, may Label, prefix []Literal) ([][]Literal, Label) {
	if must == False {
		return nil, False
	}
	if may == a.True() {
		a.literals += len(prefix)
		return [][]Literal{append([]Literal(nil), prefix...)}, may
	}
	if a.calls--; a.calls < 0 || a.literals > maxCoverLiterals {
		return nil, False
	}
	i := a.top(must, may)
	must0, must1 := a.cofactor(must, i)
	may0, may1 := a.cofactor(may, i)
	neg := append(prefix[:len(prefix):len(prefix)], Literal(2*i+1))
	pos := append(prefix[:len(prefix):len(prefix)], Literal(2*i))
	// Letters that are allowed with one value of the proposition only need a cube with that
	// literal. The others, and what those cubes have left, get cubes without the proposition.
	cubes0, got0 := a.cover(a.And(must0, a.Not(may1)), may0, neg)
	cubes1, got1 := a.cover(a.And(must1, a.Not(may0)), may1, pos)
	rest := a.Or(a.And(must0, a.Not(got0)), a.And(must1, a.Not(got1)))
	cubes, got := a.cover(rest, a.And(may0, may1), prefix)
	p := a.Prop(i)
	got = a.Or(got, a.Or(a.And(a.Not(p), got0), a.And(p, got1)))
	return append(append(cubes0, cubes1...), cubes...), got
}

// top returns the first proposition that l or m depends on; one of them does.
func (a *Alphabet) top(l, m Label) int {
	top := a.Len()
	for _, x := range []Label{l, m} {
		if x != False && x != a.True() {
			i, _, _ := a.Split(x)
			top = min(top, i)
		}
	}
	return top
}

// cofactor returns l with proposition i fixed to false and to true, where l
// depends on no proposition before i.
func (a *Alphabet) cofactor(l Label, i int) (lo, hi Label) {
	if l == False || l == a.True() {
		return l, l
	}
	j, lo, hi := a.Split(l)
	if i != j {
		return l, l
	}
	return lo, hi
}
