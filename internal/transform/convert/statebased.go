package convert

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// StateBased returns an automaton with the language and acceptance condition of a and with
// marks on states: all edges of a state carry the same ones. A deterministic automaton stays
// deterministic. A Büchi automaton goes through Degeneralize. Otherwise, a new state is a
// state of a with the marks of the edge that entered it, so a run sees them one step later. Under
// Fin(0),
//
//	State: 0  [a] 0  [!a] 0 {0}
//
// becomes two copies of the state, entered by !a and by a:
//
//	State: 0  [a] 1 {0}  [!a] 0 {0}
//	State: 1  [a] 1  [!a] 0
//
// Strongly connected components that already have marks on states stay unchanged. Marks on
// edges between components do not matter, so these edges lead to some existing copy.
// StateBased fails with ErrAlternating, with a LimitError past limits.Macrostates,
// and when ctx is done.
func StateBased(ctx context.Context, a *omega.Automaton, limits omega.Limits) (*omega.Automaton, error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	if a.Acceptance().IsBuchi() && !a.HasStateMarks() {
		return Degeneralize(ctx, a, true, limits)
	}
	w := budget.New(ctx)
	src := newEntered(a, w)
	if w.Err() != nil {
		return nil, w.Err()
	}
	b, err := omega.Explore(ctx, src, limits)
	if err == nil {
		b.StateMarks, b.Reduced = true, false // copies may be superfluous
	}
	return b, err
}

// uniformParts reports for each component whether the edges of each state that stay inside carry
// the same marks.
func uniformParts(a *omega.Automaton, c omega.Components, w *budget.Budget) []bool {
	uniform := slices.Repeat([]bool{true}, c.Count)
	for s := range omega.State(a.NumStates()) {
		marks, found := a.OwnMarks(s, c)
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return uniform
			}
			if found && c.Of[e.Dst] == c.Of[s] && e.Marks != marks {
				uniform[c.Of[s]] = false
			}
		}
	}
	return uniform
}

// entered is the Source of StateBased.
type entered struct {
	a       *omega.Automaton
	parts   omega.Components
	uniform []bool        // by component
	entry   []omega.Marks // by state of a: the marks of the copy that is entered from other components
	states  []enteredBy
	number  map[enteredBy]omega.State
	initial []omega.State
}

// enteredBy is a state of a with the marks that its edges get.
type enteredBy struct {
	state omega.State
	marks omega.Marks
}

// newEntered chooses the copy of each state that edges from other components enter: the only copy
// in a uniform component, and otherwise one that an edge of the component enters.
func newEntered(a *omega.Automaton, w *budget.Budget) *entered {
	x := &entered{a: a, parts: a.ComponentsWithin(w), number: make(map[enteredBy]omega.State)}
	if w.Err() != nil {
		return nil
	}
	x.uniform = uniformParts(a, x.parts, w)
	x.entry = make([]omega.Marks, a.NumStates())
	for s := range omega.State(a.NumStates()) {
		if x.uniform[x.parts.Of[s]] {
			x.entry[s], _ = a.OwnMarks(s, x.parts)
			continue
		}
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			if x.parts.Of[s] == x.parts.Of[e.Dst] {
				x.entry[e.Dst] = e.Marks // a copy that there is anyway
			}
		}
	}
	for _, s := range a.Initial() {
		x.initial = append(x.initial, x.visit(enteredBy{s, x.entry[s]}))
	}
	return x
}

func (x *entered) visit(k enteredBy) omega.State {
	s, ok := x.number[k]
	if !ok {
		s = omega.State(len(x.states))
		x.number[k] = s
		x.states = append(x.states, k)
	}
	return s
}

func (x *entered) Alphabet() *omega.Alphabet    { return x.a.Alphabet() }
func (x *entered) Acceptance() omega.Acceptance { return x.a.Acceptance() }
func (x *entered) Marks() *omega.MarkTable      { return x.a.Marks() }
func (x *entered) Initial() []omega.State       { return x.initial }

func (x *entered) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	from := x.states[s]
	part := x.parts.Of[from.state]
	for _, e := range x.a.Edges(from.state) {
		to := enteredBy{e.Dst, x.entry[e.Dst]}
		if x.parts.Of[e.Dst] == part && !x.uniform[part] { // a copy for each set of marks
			to.marks = e.Marks
		}
		buf = append(buf, omega.Edge{Label: e.Label, Marks: from.marks, Dst: x.visit(to)})
	}
	return buf, nil
}
