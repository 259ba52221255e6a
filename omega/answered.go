package omega

import "math/bits"

// answered is which letters of an edge are answered by other edges: the question
// that simulations ask millions of times. Most answers are plain from a glance at
// the labels, so that of diagrams hardly any new ones are made.
type answered struct {
	alphabet *Alphabet
	label    Label   // truth tables: what is not answered yet; diagrams: the edge's
	by       []Label // diagrams: the labels that answer some of it
	done     bool    // diagrams: one of them answers all
}

// open starts with an edge's label.
func (o *answered) open(a *Alphabet, l Label) {
	o.alphabet, o.label, o.by, o.done = a, l, o.by[:0], false
}

// add says that the letters of l are answered, and reports whether it is plain
// that all are.
func (o *answered) add(l Label) bool {
	a := o.alphabet
	if a.dd == nil {
		o.label &^= l
		return o.label == False
	}
	if a.Implies(o.label, l) {
		o.done = true
	} else if a.dd.meet(o.label, l) {
		o.by = append(o.by, l)
	}
	return o.done
}

// all reports whether every letter is answered.
func (o *answered) all() bool {
	a := o.alphabet
	switch {
	case a.dd == nil:
		return o.label == False
	case o.done:
		return true
	case len(o.by) < 2:
		return false
	}
	if o.tooFew() {
		return false
	}
	rest := o.label
	for _, l := range o.by {
		rest = a.dd.and(rest, l^1)
	}
	return rest == False
}

// tooFew reports whether it is plain that some letter is not answered: the labels
// miss a valuation of the first propositions, or, all being cubes, add up to less
// than the whole, where a cube with k literals more than the edge has is 2^-k of
// it.
func (o *answered) tooFew() bool {
	facts := o.alphabet.dd.facts
	edge := &facts[o.label]
	const whole = 1 << 32
	keys, sum, cubes := uint64(0), 0, edge.cube
	for _, l := range o.by {
		f := &facts[l]
		keys |= f.key
		cubes = cubes && f.cube
		k := bits.OnesCount64(f.pos&^edge.pos) + bits.OnesCount64(f.neg&^edge.neg)
		sum += whole >> min(k, 32)
	}
	return edge.key&^keys != 0 || cubes && sum < whole
}
