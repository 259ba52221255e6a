package exhaustive

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
)

// A disjunct of an acceptance condition: a run satisfies it if from some point on it takes no edge
// with a mark of never, and again and again one with each mark of often.
type disjunct struct{ never, often []mark }

// A mark is that of Inf or Fin, or with complement its absence.
type mark struct {
	mark       int
	complement bool
}

// on reports whether an edge has the mark.
func (m mark) on(e *certify.Edge) bool { return slices.Contains(e.Marks, m.mark) != m.complement }

// maxDisjuncts and maxOften bound a condition that is evaluated here.
const (
	maxDisjuncts = 64
	maxOften     = 64
)

// disjuncts returns a condition in disjunctive normal form. It returns false if that is too large.
//
//	Fin(0) & (Inf(1) | Inf(2))    never 0, often 1; or never 0, often 2
func disjuncts(c *certify.Condition) ([]disjunct, bool) {
	switch c.Op {
	case certify.Always:
		return []disjunct{{}}, true
	case certify.Inf:
		return []disjunct{{often: []mark{{c.Mark, c.Complement}}}}, true
	case certify.Fin:
		return []disjunct{{never: []mark{{c.Mark, c.Complement}}}}, true
	case certify.AnyOf:
		var list []disjunct
		for _, arg := range c.Args {
			more, ok := disjuncts(arg)
			if list = append(list, more...); !ok || len(list) > maxDisjuncts {
				return nil, false
			}
		}
		return list, true
	case certify.AllOf:
		list := []disjunct{{}}
		for _, arg := range c.Args {
			factors, ok := disjuncts(arg)
			if !ok || len(list)*len(factors) > maxDisjuncts {
				return nil, false
			}
			var products []disjunct
			for _, d := range list {
				for _, e := range factors {
					products = append(products, disjunct{union(d.never, e.never), union(d.often, e.often)})
				}
			}
			list = products
		}
		return list, !slices.ContainsFunc(list, func(d disjunct) bool { return len(d.often) > maxOften })
	}
	return nil, true // false
}

// union returns the marks of two lists, each once.
func union(x, y []mark) []mark {
	z := slices.Clone(x)
	for _, m := range y {
		if !slices.Contains(z, m) {
			z = append(z, m)
		}
	}
	return z
}
