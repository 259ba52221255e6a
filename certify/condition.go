package certify

import "slices"

// A Disjunct of a condition holds for a run that takes, from some point on, no edge with what a leaf of Fin
// names, and again and again one with what each leaf of Inf names.
type Disjunct struct{ Fin, Inf []*Condition }

// maxDisjuncts and maxInf bound a condition in disjunctive normal form.
const (
	maxDisjuncts = 64
	maxInf       = 64
)

// Disjuncts returns the condition in disjunctive normal form. It returns false if that has more than 64
// disjuncts, or one with more than 64 leaves of Inf. Package certify itself needs no normal form.
//
//	Fin(0) & (Inf(1) | Inf(2))    Fin 0, Inf 1; or Fin 0, Inf 2
func (c *Condition) Disjuncts() ([]Disjunct, bool) {
	if c == nil {
		return nil, true
	}
	var list []Disjunct
	switch c.Op {
	case Always:
		list = []Disjunct{{}}
	case Inf:
		list = []Disjunct{{Inf: []*Condition{c}}}
	case Fin:
		list = []Disjunct{{Fin: []*Condition{c}}}
	case AnyOf:
		for _, arg := range c.Args {
			more, ok := arg.Disjuncts()
			if list = append(list, more...); !ok || len(list) > maxDisjuncts {
				return nil, false
			}
		}
	case AllOf:
		list = []Disjunct{{}}
		for _, arg := range c.Args {
			factors, ok := arg.Disjuncts()
			if !ok || len(list)*len(factors) > maxDisjuncts {
				return nil, false
			}
			var products []Disjunct
			for _, d := range list {
				for _, e := range factors {
					products = append(products, Disjunct{union(d.Fin, e.Fin), union(d.Inf, e.Inf)})
				}
			}
			list = products
		}
	}
	return list, !slices.ContainsFunc(list, func(d Disjunct) bool { return len(d.Inf) > maxInf })
}

// union returns the leaves of two lists, each once.
func union(x, y []*Condition) []*Condition {
	z := slices.Clone(x)
	for _, leaf := range y {
		if !slices.ContainsFunc(z, func(other *Condition) bool {
			return other.Mark == leaf.Mark && other.Complement == leaf.Complement
		}) {
			z = append(z, leaf)
		}
	}
	return z
}

// Take returns the leaves of Inf that an edge has, as a set of their places. It returns false if the edge
// must not be taken forever.
func (d *Disjunct) Take(e *Edge) (has uint64, ok bool) {
	if e == nil || slices.ContainsFunc(d.Fin, e.Sees) {
		return 0, false
	}
	for i, leaf := range d.Inf {
		if e.Sees(leaf) {
			has |= 1 << i
		}
	}
	return has, true
}

// Sees reports whether the edge has what a leaf names: its mark, or with Complement, not its mark.
func (e *Edge) Sees(leaf *Condition) bool {
	return leaf != nil && slices.Contains(e.Marks, leaf.Mark) != leaf.Complement
}
