package omega

import "slices"

// priorities returns the priority of each of the marks 0, …, sets-1, and the
// priority of an edge without marks. An edge with marks has the greatest priority of
// its marks. A run is accepting if and only if the greatest priority that it sees
// infinitely often is even. It reports whether the condition has such priorities: it
// is a chain of disjunctions with Inf and conjunctions with Fin, as parity, Büchi
// and co-Büchi acceptance and a pair of Rabin or Streett are.
//
//	                            marks 0, 1, …    no mark
//	Inf(0)                      2                1
//	Fin(0) | Inf(1)             1, 2             0
//	Fin(0) & Inf(1)             3, 2             1
//	Inf(2) | Fin(1) & Inf(0)    2, 3, 4          1
func (c *Condition) priorities(sets int) (of []int32, none int32, ok bool) {
	type link struct {
		marks []int
		inf   bool
	}
	var chain []link // the most important one first
	for c.Op != CondTrue && c.Op != CondFalse {
		args := c.Args
		l := link{inf: c.Op == CondInf || c.Op == CondOr}
		if len(args) == 0 {
			args = []*Condition{c}
		}
		var rest []*Condition
		for _, d := range args {
			if l.inf && d.Op == CondInf || !l.inf && d.Op == CondFin {
				l.marks = append(l.marks, d.Mark)
			} else {
				rest = append(rest, d)
			}
		}
		// Not a chain: no literal decides here, or two operands have more to say.
		if len(l.marks) == 0 || len(rest) > 1 {
			return nil, 0, false
		}
		chain = append(chain, l)
		switch {
		case len(rest) == 1:
			c = rest[0]
		case l.inf:
			c = condFalse
		default:
			c = condTrue
		}
	}
	if c.Op == CondFalse {
		none = 1
	}
	of = slices.Repeat([]int32{none}, sets)
	priority := none
	for _, l := range slices.Backward(chain) {
		// Even for Inf and odd for Fin, and higher than all that is less important.
		if (priority%2 == 0) != l.inf {
			priority++
		}
		for _, i := range l.marks {
			of[i] = priority // of several, the most important one is last
		}
	}
	return of, none, true
}

// IsParity reports whether the condition is a parity condition up to the names of marks, where
// several marks may have one meaning. Examples are Büchi, co-Büchi, t, f, and one Rabin or
// Streett pair.
func (a Acceptance) IsParity() bool {
	_, _, ok := a.condition().priorities(a.Sets)
	return ok
}

// Priorities returns the priority of each edge, beginning with the edges of state 0. The condition
// must satisfy IsParity. A run is accepting if and only if the greatest priority that it sees
// infinitely often is even.
func (a *Automaton) Priorities() []int32 {
	of, none, _ := a.acceptance.condition().priorities(a.acceptance.Sets)
	memo := make(map[Marks]int32) // far fewer sets than edges
	list := make([]int32, len(a.edges))
	for i, e := range a.edges {
		p, ok := memo[e.Marks]
		if !ok {
			p = none
			for _, m := range a.marks.AppendTo(nil, e.Marks) {
				p = max(p, of[m])
			}
			memo[e.Marks] = p
		}
		list[i] = p
	}
	return list
}
