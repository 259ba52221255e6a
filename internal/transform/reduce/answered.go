package reduce

import (
	"math/bits"

	"github.com/xcheck-ltl/xcheck/omega"
)

// answered collects which letters of an edge other edges answer. Simulations ask this millions of
// times. For most questions, a look at the labels is enough, so hardly any decision diagrams are
// made.
type answered struct {
	alphabet *omega.Alphabet
	label    omega.Label   // truth tables: what is not answered yet; diagrams: the edge's
	by       []omega.Label // diagrams: the labels that answer some of it
	done     bool          // diagrams: one of them answers all
}

// open starts with the label of an edge.
func (o *answered) open(a *omega.Alphabet, l omega.Label) {
	o.alphabet, o.label, o.by, o.done = a, l, o.by[:0], false
}

// add says that the letters of l are answered. It reports whether all letters are known to be
// answered now.
func (o *answered) add(l omega.Label) bool {
	a := o.alphabet
	if a.Exact() { // labels are truth tables
		o.label &^= l
		return o.label == omega.False
	}
	if a.Implies(o.label, l) {
		o.done = true
	} else if a.Meet(o.label, l) {
		o.by = append(o.by, l)
	}
	return o.done
}

// all reports whether every letter is answered.
func (o *answered) all() bool {
	a := o.alphabet
	switch {
	case a.Exact():
		return o.label == omega.False
	case o.done:
		return true
	case len(o.by) < 2: // a single one would have set done
		return false
	}
	if o.tooFew() {
		return false
	}
	rest := o.label
	for _, l := range o.by {
		rest = a.And(rest, a.Not(l))
	}
	return rest == omega.False
}

// tooFew reports whether some letter is known not to be answered. There are two cheap tests. The
// answers may miss a valuation of the first propositions. Or all labels are cubes, and the answers
// are too few: a cube with k literals more than the edge covers 2^-k of it.
func (o *answered) tooFew() bool {
	a := o.alphabet
	const whole = 1 << 32 // stands for all letters of the edge
	keys, sum, cubes := uint64(0), 0, a.IsCube(o.label)
	pos, neg := a.Literals(o.label)
	for _, l := range o.by {
		keys |= a.Key(l)
		cubes = cubes && a.IsCube(l)
		p, n := a.Literals(l)
		k := bits.OnesCount64(p&^pos) + bits.OnesCount64(n&^neg) // the literals that the edge lacks
		sum += whole >> min(k, 32)
	}
	return a.Key(o.label)&^keys != 0 || cubes && sum < whole
}
