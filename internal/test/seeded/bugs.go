package seeded

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Bugs returns all of them. The bugs in the second half change automata. These automata are
// reduced and have generalized Büchi acceptance, so a bug that needs a second mark or a
// third state shows on some formulas only.
func Bugs() []Bug {
	return []Bug{
		// Operators.
		{Name: "X is ignored", formula: each(ltl.OpNext, func(_ *ltl.Store, g *ltl.Formula) *ltl.Formula { return g.Left() })},
		{Name: "U is W", formula: operator(ltl.OpUntil, ltl.OpWeakUntil)},
		{Name: "R is its dual", formula: operator(ltl.OpRelease, ltl.OpUntil)},
		{Name: "M is R", formula: operator(ltl.OpStrongRelease, ltl.OpRelease)},
		{Name: "xor is <->", formula: operator(ltl.OpXor, ltl.OpEquiv)},
		{Name: "implication turned round", formula: each(ltl.OpImplies, func(s *ltl.Store, g *ltl.Formula) *ltl.Formula {
			return s.Implies(g.Right(), g.Left())
		})},

		// Shapes of formulas.
		{Name: "FG is GF", formula: each(ltl.OpFinally, func(s *ltl.Store, g *ltl.Formula) *ltl.Formula {
			if g.Left().Op() == ltl.OpGlobally {
				return s.Globally(s.Finally(g.Left().Left()))
			}
			return g
		})},
		{Name: "third conjunct lost", formula: each(ltl.OpAnd, func(_ *ltl.Store, g *ltl.Formula) *ltl.Formula {
			if g.Left().Op() == ltl.OpAnd {
				return g.Left()
			}
			return g
		})},
		{Name: "negated until keeps its first operand", formula: func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
			if f.Op() == ltl.OpNot && f.Left().Op() == ltl.OpUntil {
				return s.Release(f.Left().Left(), s.Not(f.Left().Right()))
			}
			return f
		}},
		{Name: "empty alphabet", formula: func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
			if len(f.Props()) == 0 {
				return s.True()
			}
			return f
		}},
		{Name: "one proposition twice", formula: negatedAgain},
		{Name: "crash on nested untils", Class: "exit", crash: nestedUntil},

		// Automata.
		{Name: "edge lost", automaton: func(d *draft) {
			if n := len(d.edges); n > 1 {
				d.edges = d.edges[:n-1]
			}
		}},
		{Name: "edge to the wrong state", automaton: firstEdge(func(_ *draft, e *edge) bool { return e.src != e.dst },
			func(_ *draft, e *edge) { e.dst = e.src })},
		{Name: "literal negated", automaton: firstEdge(func(d *draft, e *edge) bool { return e.label != d.Alphabet().True() },
			func(d *draft, e *edge) { e.label = d.Alphabet().Not(e.label) })},
		{Name: "mark lost", automaton: firstEdge(func(_ *draft, e *edge) bool { return len(e.marks) > 0 },
			func(_ *draft, e *edge) { e.marks = nil })},
		{Name: "mark on all edges", automaton: func(d *draft) {
			for i, e := range d.edges {
				if d.accept.Sets > 0 && !slices.Contains(e.marks, 0) {
					d.edges[i].marks = append(e.marks, 0)
				}
			}
		}},
		{Name: "initial state", automaton: func(d *draft) {
			if n := d.NumStates(); n > 1 {
				d.starts = []omega.State{omega.State(n - 1)}
			}
		}},
		{Name: "dual acceptance", automaton: func(d *draft) { d.accept = d.accept.Dual() }},
		{Name: "false deterministic", Class: "property: deterministic", declared: "deterministic"},
	}
}

// Narrow returns bugs that a proposition alone shows, but not any in any formula; one that no small
// formula shows; and one that another bug may hide.
func Narrow() []Bug {
	return []Bug{
		{Name: "c is b", formula: func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
			return s.Rename(f, func(name string) string {
				if name == "c" {
					return "b"
				}
				return name
			})
		}},
		{Name: "crash on more than eight nodes", Class: "exit", crash: func(f *ltl.Formula) bool { return f.Size() > 8 }},
		{Name: "bare proposition", formula: func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
			if f.Op() == ltl.OpProp {
				return s.Next(f)
			}
			return f
		}},
		{Name: "W is U", formula: operator(ltl.OpWeakUntil, ltl.OpUntil)},
	}
}

// each returns what rewrites every subformula with an operator, operands first.
func each(op ltl.Op, rewrite func(*ltl.Store, *ltl.Formula) *ltl.Formula) func(*ltl.Store, *ltl.Formula) *ltl.Formula {
	var rebuild func(*ltl.Store, *ltl.Formula) *ltl.Formula
	rebuild = func(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
		switch f.Op().Arity() {
		case 1:
			f = s.WithOperands(f, rebuild(s, f.Left()), nil)
		case 2:
			f = s.Binary(f.Op(), rebuild(s, f.Left()), rebuild(s, f.Right()))
		}
		if f.Op() == op {
			return rewrite(s, f)
		}
		return f
	}
	return rebuild
}

// firstEdge returns what changes the first edge that fits.
func firstEdge(fits func(*draft, *edge) bool, change func(*draft, *edge)) func(*draft) {
	return func(d *draft) {
		if i := slices.IndexFunc(d.edges, func(e edge) bool { return fits(d, &e) }); i >= 0 {
			change(d, &d.edges[i])
		}
	}
}

// operator returns what takes one binary operator for another.
func operator(from, to ltl.Op) func(*ltl.Store, *ltl.Formula) *ltl.Formula {
	return each(from, func(s *ltl.Store, g *ltl.Formula) *ltl.Formula { return s.Binary(to, g.Left(), g.Right()) })
}

// negatedAgain negates each proposition where it occurs again, from left to right.
func negatedAgain(s *ltl.Store, f *ltl.Formula) *ltl.Formula {
	seen := map[string]bool{}
	return each(ltl.OpProp, func(s *ltl.Store, p *ltl.Formula) *ltl.Formula {
		if seen[p.Name()] {
			return s.Not(p)
		}
		seen[p.Name()] = true
		return p
	})(s, f)
}

// nestedUntil reports whether an until is the right operand of another.
func nestedUntil(f *ltl.Formula) bool {
	return slices.ContainsFunc(f.Subformulas(), func(g *ltl.Formula) bool { return g.Op() == ltl.OpUntil && g.Right().Op() == ltl.OpUntil })
}
