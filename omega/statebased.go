package omega

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// StateBased returns an automaton with the language and acceptance condition of a and with
// marks on states: all edges of a state carry the same ones. A deterministic automaton stays
// deterministic. A Büchi automaton goes through Degeneralize. Otherwise, a new state is a
// state of a with the marks of the edge that entered it, so a run sees them one step later.
//
// Strongly connected components that already have marks on states stay unchanged. Marks on
// edges between components do not matter, so these edges lead to some existing copy.
// StateBased fails with ErrAlternating, with a LimitError past limit states (if limit > 0),
// and when ctx is done.
func StateBased(ctx context.Context, a *Automaton, limit int) (*Automaton, error) {
	if a.Alternating() {
		return nil, ErrAlternating
	}
	if a.isBuchi() && !a.HasStateMarks() {
		return Degeneralize(ctx, a, true, limit)
	}
	w := budget.New(ctx)
	src := newEntered(a, w)
	if w.Err() != nil {
		return nil, w.Err()
	}
	b, err := Explore(ctx, src, limit)
	if err == nil {
		b.StateMarks, b.reduced = true, false
	}
	return b, err
}

// isBuchi reports whether the acceptance is Büchi, with one mark.
func (a *Automaton) isBuchi() bool {
	return a.acceptance.Sets == 1 && a.acceptance.Condition.Op == CondInf
}

// uniformParts reports of each component whether its own edges carry the same marks
// if they have the same source.
func (a *Automaton) uniformParts(c Components, w *budget.Budget) []bool {
	uniform := slices.Repeat([]bool{true}, c.Count)
	for s := range State(a.NumStates()) {
		marks, found := a.ownMarks(s, c)
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

// ownMarks returns the marks of the first edge of s that stays in its component,
// if there is one.
func (a *Automaton) ownMarks(s State, c Components) (Marks, bool) {
	for _, e := range a.Edges(s) {
		if c.Of[e.Dst] == c.Of[s] {
			return e.Marks, true
		}
	}
	return 0, false
}

// entered is the Source of StateBased.
type entered struct {
	a       *Automaton
	parts   Components
	uniform []bool  // by component
	entry   []Marks // by state of a: the marks of the copy that is entered from other components
	states  []enteredBy
	number  map[enteredBy]State
	initial []State
}

// enteredBy is a state of a with the marks that its edges are to carry.
type enteredBy struct {
	state State
	marks Marks
}

// newEntered chooses the entries: in uniform components the only copy, elsewhere one
// that some edge of the component itself leads to.
func newEntered(a *Automaton, w *budget.Budget) *entered {
	x := &entered{a: a, parts: a.components(w), number: make(map[enteredBy]State)}
	if w.Err() != nil {
		return nil
	}
	x.uniform = a.uniformParts(x.parts, w)
	x.entry = make([]Marks, a.NumStates())
	for s := range State(a.NumStates()) {
		if x.uniform[x.parts.Of[s]] {
			x.entry[s], _ = a.ownMarks(s, x.parts)
			continue
		}
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			if x.parts.Of[s] == x.parts.Of[e.Dst] {
				x.entry[e.Dst] = e.Marks
			}
		}
	}
	for _, s := range a.start {
		x.initial = append(x.initial, x.visit(enteredBy{s, x.entry[s]}))
	}
	return x
}

func (x *entered) visit(k enteredBy) State {
	s, ok := x.number[k]
	if !ok {
		s = State(len(x.states))
		x.number[k] = s
		x.states = append(x.states, k)
	}
	return s
}

func (x *entered) Alphabet() *Alphabet    { return x.a.alphabet }
func (x *entered) Acceptance() Acceptance { return x.a.acceptance }
func (x *entered) Marks() *MarkTable      { return x.a.marks }
func (x *entered) Initial() []State       { return x.initial }

func (x *entered) AppendEdges(buf []Edge, s State) ([]Edge, error) {
	from := x.states[s]
	part := x.parts.Of[from.state]
	for _, e := range x.a.Edges(from.state) {
		to := enteredBy{e.Dst, x.entry[e.Dst]}
		if x.parts.Of[e.Dst] == part && !x.uniform[part] {
			to.marks = e.Marks
		}
		buf = append(buf, Edge{e.Label, from.marks, x.visit(to)})
	}
	return buf, nil
}

// ReduceStateBased is Reduce for an automaton with marks on states, and keeps them there. It
// fails as Reduce does.
func ReduceStateBased(ctx context.Context, a *Automaton) (*Automaton, error) {
	b, err := reduce(ctx, a, simulationBudget, (*Automaton).useful, (*Automaton).simplified, (*Automaton).settled, (*Automaton).quotient,
		(*Automaton).simulated, (*Automaton).delayedStates)
	if err == nil {
		b.StateMarks = true
	}
	return b, err
}

// settled returns an automaton in which the edges of each state that stay in its
// component carry the same marks with these marks on all of its edges. A state on
// no cycle may have any: it gets those of one with the same edges, if there is one,
// so that they are bisimilar. (Neither useful nor simplified keeps marks on edges
// that leave.)
func (a *Automaton) settled(w *reducer) *Automaton {
	c := a.components(w.Budget)
	if w.Err() != nil {
		return nil
	}
	marks := make([]Marks, a.NumStates())
	byEdges := make(map[string]Marks)
	var open []State
	for s := range State(a.NumStates()) {
		if w.Stop() {
			return nil
		}
		var found bool
		if marks[s], found = a.ownMarks(s, c); found {
			byEdges[string(a.edgeKey(s))] = marks[s]
		} else {
			open = append(open, s)
		}
	}
	for _, s := range open {
		if w.Stop() {
			return nil
		}
		marks[s] = byEdges[string(a.edgeKey(s))]
	}
	return a.withMarks(marks, w.Budget)
}

// edgeKey tells states apart that have other edges, whatever their marks.
func (a *Automaton) edgeKey(s State) []byte {
	edges := slices.Clone(a.Edges(s))
	slices.SortFunc(edges, func(e, f Edge) int {
		return cmp.Or(cmp.Compare(e.Dst, f.Dst), cmp.Compare(e.Label, f.Label))
	})
	var key []byte
	for _, e := range edges {
		key = binary.LittleEndian.AppendUint64(key, uint64(e.Label))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.Dst))
	}
	return key
}

// withMarks returns a with the given marks on the edges of each state.
func (a *Automaton) withMarks(marks []Marks, w *budget.Budget) *Automaton {
	b := a.successor()
	b.AddStates(a.NumStates())
	for _, s := range a.start {
		b.AddStart(s)
	}
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			b.AddEdge(s, e.Label, marks[s], e.Dst)
		}
	}
	return b.Automaton()
}

// delayedStates is delayed for marks on states: a merged state is accepting if one
// of its members is, which is the quotient of Etessami, Wilke and Schuller.
func (a *Automaton) delayedStates(w *reducer) *Automaton {
	b := a.delayed(w)
	if b == a || w.Err() != nil {
		return b
	}
	marks := make([]Marks, b.NumStates())
	for s := range State(b.NumStates()) {
		for _, e := range b.Edges(s) {
			marks[s] |= e.Marks
		}
	}
	return b.withMarks(marks, w.Budget)
}
