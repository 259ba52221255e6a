package properties

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

func (q *question) label(l omega.Label) string { return q.a.Alphabet().Text(l) }

// given returns the marks of an edge that the text has.
func (q *question) given(e omega.Edge) []int {
	list := q.a.Marks().AppendTo(nil, e.Marks)
	sets := q.a.Acceptance().Sets - q.a.Written.Fresh
	return slices.DeleteFunc(list, func(m int) bool { return m >= sets })
}

// marks returns the marks of an edge as the format writes them.
func (q *question) marks(e omega.Edge) string {
	return "{" + strings.Trim(fmt.Sprint(q.given(e)), "[]") + "}"
}

// states calls f for each state until it fails, or the budget ends.
func (q *question) states(f func(s omega.State) error) error {
	for s := range omega.State(q.a.NumStates()) {
		if q.budget.Stop() {
			return q.budget.Err()
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

// within calls f for each edge of a state that does not leave its component, with a state
// that it leads to there.
func (q *question) within(c omega.Components, s omega.State, f func(e omega.Edge, t omega.State) error) error {
	for _, e := range q.a.Edges(s) {
		for _, t := range q.a.Universal(e.Dst) {
			if c.Of[t] == c.Of[s] {
				if err := f(e, t); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Properties of the text. Each answer names a state with something that the property forbids.

func (q *question) stateLabels() error {
	w := &q.a.Written
	return cmp.Or(written(w.EdgeLabels, "edges of state %d have labels"), written(w.ImplicitLabels, "edges of state %d have none but implicit labels"))
}

func (q *question) transLabels() error {
	return written(q.a.Written.StateLabels, "state %d has a label")
}

func (q *question) implicitLabels() error {
	w := &q.a.Written
	return cmp.Or(written(w.EdgeLabels, "edges of state %d have labels"), written(w.StateLabels, "state %d has a label"))
}

func (q *question) explicitLabels() error {
	// Labels on states are explicit, too.
	return written(q.a.Written.ImplicitLabels, "edges of state %d have none")
}

func (q *question) transMarks() error { return written(q.a.Written.StateMarks, "state %d has marks") }

// written says for which state something is written that should not be. x is one more, or 0 if
// there is none.
func written(x omega.State, wrong string) error {
	if x == 0 {
		return nil
	}
	return because(wrong, x-1)
}

func (q *question) stateMarks() error {
	if err := written(q.a.Written.EdgeMarks, "edges of state %d have marks"); err != nil {
		return err
	}
	// Automata that were not read from a text have only the marks themselves.
	return q.states(func(s omega.State) error {
		edges := q.a.Edges(s)
		for _, e := range edges {
			if e.Marks != edges[0].Marks {
				return because("edges of state %d carry the marks %s and %s", s, q.marks(edges[0]), q.marks(e))
			}
		}
		return nil
	})
}

func (q *question) universal() error {
	if q.a.Alternating() {
		return nil
	}
	return because("there is no universal branching")
}

func (q *question) deterministic() error {
	// Version 1 of the format does not mind universal branching.
	if q.a.Declared.Draft && q.a.Alternating() {
		return because("there is universal branching")
	}
	return q.choices()
}

// choices says that some letter leaves a choice.
func (q *question) choices() error {
	if n := len(q.a.Initial()); n > 1 {
		return because("there are %d initial states", n)
	}
	return q.states(q.choice)
}

// choice says that two edges of a state meet.
func (q *question) choice(s omega.State) error {
	alphabet := q.a.Alphabet()
	sum := omega.False
	for i, e := range q.a.Edges(s) {
		if !alphabet.Meet(sum, e.Label) {
			sum = alphabet.Or(sum, e.Label)
			continue
		}
		for _, f := range q.a.Edges(s)[:i] {
			if both := alphabet.And(e.Label, f.Label); both != omega.False {
				return because("state %d has two edges on %s", s, q.label(both))
			}
		}
	}
	return nil
}

func (q *question) complete() error {
	// Version 1 of the format asks for a state, and version 1.1 for an initial one.
	switch {
	case q.a.NumStates() == 0:
		return because("there is no state")
	case q.a.Declared.Draft && len(q.a.Initial()) == 0:
		return because("there is no initial state")
	}
	return q.states(func(s omega.State) error {
		if l := q.a.Uncovered(s); l != omega.False {
			return because("state %d has no edge on %s", s, q.label(l))
		}
		return nil
	})
}

func (q *question) colored() error {
	return q.states(func(s omega.State) error {
		for _, e := range q.a.Edges(s) {
			if len(q.given(e)) != 1 { // marks that the reader added don't count
				return because("an edge of state %d carries the marks %s", s, q.marks(e))
			}
		}
		return nil
	})
}

func (q *question) weak() error {
	c := q.a.Components()
	type first struct {
		state omega.State
		edge  omega.Edge
		some  bool
	}
	seen := make([]first, c.Count) // by component: what the others are compared with
	return q.states(func(s omega.State) error {
		return q.within(c, s, func(e omega.Edge, _ omega.State) error {
			x := &seen[c.Of[s]]
			if !x.some {
				*x = first{s, e, true}
			}
			switch {
			case e.Marks == x.edge.Marks:
				return nil
			case s == x.state:
				return because("state %d has edges within its component with the marks %s and %s", s, q.marks(x.edge), q.marks(e))
			}
			return because("states %d and %d are in one component, and have edges in it with the marks %s and %s", x.state, s, q.marks(x.edge), q.marks(e))
		})
	})
}

func (q *question) veryWeak() error {
	if err := q.weak(); err != nil {
		return err
	}
	c := q.a.Components()
	return q.states(func(s omega.State) error {
		return q.within(c, s, func(_ omega.Edge, t omega.State) error {
			if s != t {
				return because("states %d and %d are in one component", s, t)
			}
			return nil
		})
	})
}

// kinds returns the components, and of what kind they are.
func (q *question) kinds() (c omega.Components, kinds []omega.Kind, err error) {
	c = q.a.Components()
	kinds, err = q.a.Kinds(q.ctx, c)
	return c, kinds, err
}

// inherentlyWeak says which component has cycles of both kinds. With 0→1 {0}, 1→0 and Inf(0), the
// only cycle accepts: the component is inherently weak, though it is not weak. The edge 1→1 in
// addition is a rejecting cycle.
func (q *question) inherentlyWeak() error {
	c, kinds, err := q.kinds()
	if err != nil {
		return err
	}
	return q.states(func(s omega.State) error {
		if kinds[c.Of[s]] == omega.Mixed {
			return because("the component of state %d has accepting and rejecting cycles", s)
		}
		return nil
	})
}

func (q *question) terminal() error {
	if err := q.weak(); err != nil {
		return err
	}
	c, kinds, err := q.kinds()
	if err != nil {
		return err
	}
	// The format is taken at its word: a state without a cycle, behind accepting ones, may have no
	// edge on some letter.
	err = q.states(func(s omega.State) error {
		if l := q.a.Uncovered(s); kinds[c.Of[s]] == omega.Accepting && l != omega.False {
			return because("state %d, in a component with an accepting cycle, has no edge on %s", s, q.label(l))
		}
		return nil
	})
	if err != nil {
		return err
	}
	return q.behind(c, kinds, func(from, s omega.State) error {
		if kinds[c.Of[s]] == omega.Rejecting {
			return because("a rejecting cycle at state %d can be reached from an accepting one at state %d", s, from)
		}
		return nil
	})
}

// semiDeterministic asks for what can be reached from an accepting cycle to be
// deterministic. State 0 of 0 -a-> 0, 0 -a-> 1, 1 -a {0}-> 1 may have its choice. State 1 may not.
func (q *question) semiDeterministic() error {
	c, kinds, err := q.kinds()
	if err != nil {
		return err
	}
	return q.behind(c, kinds, func(from, s omega.State) error {
		if err := q.choice(s); err != nil {
			return because("%v, and can be reached from an accepting cycle at state %d", err, from)
		}
		return nil
	})
}

// behind calls f for each state that can be reached from one of a component with accepting
// cycles, with that one, until it fails.
func (q *question) behind(c omega.Components, kinds []omega.Kind, f func(from, s omega.State) error) error {
	seen := make([]bool, q.a.NumStates())
	var queue []omega.State
	return q.states(func(from omega.State) error {
		// Other components have no accepting cycle.
		if k := kinds[c.Of[from]]; seen[from] || k != omega.Accepting && k != omega.Mixed {
			return nil
		}
		// What an earlier search has seen is behind an accepting cycle as well.
		for queue = append(queue[:0], from); len(queue) > 0; {
			s := queue[len(queue)-1]
			if queue = queue[:len(queue)-1]; seen[s] {
				continue
			}
			seen[s] = true
			if err := f(from, s); err != nil {
				return err
			}
			for _, e := range q.a.Edges(s) {
				queue = append(queue, q.a.Universal(e.Dst)...)
			}
		}
		return nil
	})
}
