package certify

import "slices"

// maxProps is how many propositions there may be where all letters are looked at.
const maxProps = 10

// A letterSet has a bit for each letter over some propositions: bit v for the letter in which
// proposition i is true if bit i of v is set. Over a and b, the set of the label a is 0b1010, and that
// of a&!b is 0b0010.
type letterSet []uint64

func (x letterSet) meets(y letterSet) bool {
	for i := range x {
		if x[i]&y[i] != 0 {
			return true
		}
	}
	return false
}

// labelSets returns the letters of which labels are true.
type labelSets struct {
	place []int // of each proposition of the labels, among those of the letters
	all   letterSet
	known map[*Label]letterSet
}

// newLabelSets returns those of labels over props, for letters over props and perhaps others.
func newLabelSets(props, letters []string) *labelSets {
	s := &labelSets{all: make(letterSet, (1<<len(letters)+63)/64), known: map[*Label]letterSet{}}
	for v := range 1 << len(letters) {
		s.all[v/64] |= 1 << (v % 64)
	}
	for _, name := range props {
		s.place = append(s.place, slices.Index(letters, name))
	}
	return s
}

func (s *labelSets) of(l *Label) letterSet {
	set, ok := s.known[l]
	if !ok {
		set = s.compute(l)
		s.known[l] = set
	}
	return set
}

func (s *labelSets) compute(l *Label) letterSet {
	set := make(letterSet, len(s.all))
	switch l.Op {
	case Prop:
		for v := range 64 * len(set) {
			if v>>s.place[l.Prop]&1 != 0 {
				set[v/64] |= s.all[v/64] & (1 << (v % 64))
			}
		}
	case Not:
		for i, x := range s.of(l.Args[0]) {
			set[i] = s.all[i] &^ x
		}
	case True, And:
		copy(set, s.all)
		for _, arg := range l.Args {
			for i, x := range s.of(arg) {
				set[i] &= x
			}
		}
	case Or:
		for _, arg := range l.Args {
			for i, x := range s.of(arg) {
				set[i] |= x
			}
		}
	}
	return set
}
