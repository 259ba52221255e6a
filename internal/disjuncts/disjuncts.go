// Package disjuncts brings acceptance conditions of package certify, which itself needs no normal form, into
// disjunctive normal form.
package disjuncts

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
)

// A Disjunct of a condition holds for a run that takes, from some point on, no edge with what a leaf of Fin
// names, and again and again one with what each leaf of Inf names.
type Disjunct struct{ Fin, Inf []*certify.Condition }

// most bounds the disjuncts of a condition, and the leaves of Inf in each.
const most = 64

// Of returns a condition in disjunctive normal form. It returns false if that has more than 64 disjuncts, or
// one with more than 64 leaves of Inf.
//
//	Fin(0) & (Inf(1) | Inf(2))    Fin 0, Inf 1; or Fin 0, Inf 2
func Of(c *certify.Condition) ([]Disjunct, bool) {
	if c == nil { // no condition: no disjunct
		return nil, true
	}
	var list []Disjunct
	switch c.Op {
	case certify.Always:
		list = []Disjunct{{}}
	case certify.Inf:
		list = []Disjunct{{Inf: []*certify.Condition{c}}}
	case certify.Fin:
		list = []Disjunct{{Fin: []*certify.Condition{c}}}
	case certify.AnyOf:
		for _, arg := range c.Args {
			more, ok := Of(arg)
			if list = append(list, more...); !ok || len(list) > most {
				return nil, false
			}
		}
	case certify.AllOf:
		list = []Disjunct{{}}
		for _, arg := range c.Args {
			factors, ok := Of(arg)
			if !ok || len(list)*len(factors) > most { // checked before the product is made
				return nil, false
			}
			var products []Disjunct
			for _, d := range list {
				for _, e := range factors {
					products = append(products, Disjunct{slices.Concat(d.Fin, e.Fin), slices.Concat(d.Inf, e.Inf)}) // distributed
				}
			}
			list = products
		}
	}
	return list, !slices.ContainsFunc(list, func(d Disjunct) bool { return len(d.Inf) > most })
}

// Take returns the leaves of Inf that an edge has, as a set of their places. It returns false if the edge
// must not be taken forever.
func (d *Disjunct) Take(e *certify.Edge) (has uint64, ok bool) {
	if e == nil || slices.ContainsFunc(d.Fin, func(leaf *certify.Condition) bool { return leaf.Names(e.Marks) }) {
		return 0, false
	}
	for i, leaf := range d.Inf {
		if leaf.Names(e.Marks) {
			has |= 1 << i
		}
	}
	return has, true
}
