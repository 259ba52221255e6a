// Package reduce makes automata smaller without changing their language.
//
//   - [Reduce] removes useless states and marks, and merges states that are bisimilar or simulate
//     each other.
//   - [StateBased] is Reduce for automata with marks on states.
//   - [Parity] is for deterministic automata with a parity condition.
//   - [WithoutDeadEnds] only removes states from which no infinite run starts.
//   - [NewPreorder] returns the simulations themselves.
//
// # Simulation
//
// State q simulates p if each edge of p has an answer: on each of its letters, an edge of q with
// marks at least as good, to a state that simulates where the first one leads. Here 1 simulates 0,
// because the edge on true answers the one on a:
//
//	0 --a {0}--> 1
//	1 --t {0}--> 1
//
// Then an edge to 0 is superfluous if there is one to 1 with the same letters and marks. States
// that simulate each other become one.
//
// These simulations are matrices of all pairs of states. To prove inclusion, package simulation
// plays a game between two automata instead, which is slower but knows fair simulation and
// lookahead.
package reduce

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Reduce returns a smaller automaton with the same language:
//
//   - States that are unreachable, or accept no word, are gone.
//   - Marks that do not matter are gone.
//   - Edges with the same marks and destination become one.
//   - Bisimilar states are merged. So are states that simulate each other, and redundant edges are
//     gone, unless that takes too long. Büchi automata use delayed simulation.
//
// The acceptance condition becomes simpler too, and weak automata get Büchi acceptance, t or
// f. A Büchi automaton (one mark, Inf(0)) keeps its acceptance.
//
// Reduced automata are returned unchanged, unless an earlier reduction took too long. Reduce
// fails with ErrAlternating, and promptly when ctx is done.
func Reduce(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	if a != nil && a.Reduced {
		b := *a
		b.Name, b.StateNames, b.Declared, b.StateMarks = "", nil, omega.Declared{}, false
		return &b, ctx.Err()
	}
	return reduce(ctx, a, trim, simplified, quotient,
		simulated, delayed)
}

// Merged is Reduce without simulation: it merges bisimilar states only. So it maps each accepting
// run to an accepting run of the same type, and a tight automaton stays tight (Schuppan, Biere
// 2005).
func Merged(ctx context.Context, a *omega.Automaton) (*omega.Automaton, error) {
	x, err := reduce(ctx, a, trim, simplified, quotient)
	if err != nil {
		return nil, err
	}
	b := *x
	b.Reduced = false // simulation may still reduce it
	return &b, nil
}

// A reducer is the budget of a reduction, and remembers which parts were given up.
type reducer struct {
	*budget.Budget
	simulation int  // steps that a simulation may take
	gaveUp     bool // an attempt took too long

	// Parts that were given up, and are not to be tried again.
	noUnion, noDirect, noDelayed bool
}

func newReducer(ctx context.Context) *reducer {
	return &reducer{Budget: budget.New(ctx), simulation: simulationBudget}
}

// attempt is Alphabet.Attempt for an optional part of a reduction.
func (w *reducer) attempt(a *omega.Automaton, steps int, part func(v *budget.Budget)) bool {
	ok := a.Alphabet().Attempt(w.Budget, steps, part)
	w.gaveUp = w.gaveUp || !ok
	return ok
}

// reduce repeats the passes until nothing changes.
func reduce(ctx context.Context, a *omega.Automaton, passes ...func(*omega.Automaton, *reducer) *omega.Automaton) (_ *omega.Automaton, err error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	w := newReducer(ctx)
	defer a.Alphabet().Bind(w.Budget).Release(&err)
	for w.Err() == nil {
		b := a
		for _, pass := range passes {
			if b = pass(b, w); w.Err() != nil {
				return nil, w.Err()
			}
		}
		// No pass has made it smaller.
		if b.NumStates() == a.NumStates() && b.NumEdges() == a.NumEdges() && b.Acceptance().Sets == a.Acceptance().Sets {
			b.Reduced = !w.gaveUp
			return b, nil
		}
		a = b
	}
	return nil, w.Err()
}

// trim returns the part of a that accepting runs use, without marks on edges
// between components.
func trim(a *omega.Automaton, w *reducer) *omega.Automaton {
	c := a.ComponentsWithin(w.Budget)
	live, complete := a.LiveWithin(c, w.Budget, searchSteps(a))
	w.gaveUp = w.gaveUp || !complete
	if w.Err() != nil {
		return nil
	}
	b := a.NewBuilder()
	number := make([]omega.State, a.NumStates()) // in b, plus one
	var queue []omega.State
	visit := func(s omega.State) omega.State {
		if number[s] == 0 {
			queue = append(queue, s)
			number[s] = b.AddState() + 1
		}
		return number[s] - 1
	}
	for _, s := range a.Initial() {
		if live[c.Of[s]] {
			b.AddStart(visit(s))
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		for _, e := range a.Edges(s) {
			if w.Stop() {
				return nil
			}
			if !live[c.Of[e.Dst]] {
				continue
			}
			if c.Of[s] != c.Of[e.Dst] {
				e.Marks = 0
			}
			b.AddEdge(omega.State(i), e.Label, e.Marks, visit(e.Dst))
		}
	}
	return b.Automaton()
}

// quotientBudget limits the search for bisimilar states where labels are diagrams. All states are
// in one class at first. So labels are united that have little in common, and their unions are
// large.
const quotientBudget = 1 << 24

// quotient merges bisimilar states: states with edges on the same letters, with the same marks, to
// bisimilar states. Here 1 and 2 are bisimilar:
//
//	State: 0  [a] 1  [!a] 2
//	State: 1  [t] 0 {0}
//	State: 2  [a] 0 {0}  [!a] 0 {0}
//
// becomes
//
//	State: 0  [t] 1
//	State: 1  [t] 0 {0}
//
// It changes nothing else, and numbers the new states by their first members.
func quotient(a *omega.Automaton, w *reducer) *omega.Automaton {
	var class []omega.State
	exact := func(v *budget.Budget) { class = bisimilarity(a, true, v).class }
	switch {
	case a.Alphabet().Exact():
		exact(w.Budget)
	case w.noUnion || !w.attempt(a, quotientBudget, exact):
		w.noUnion = true
		class = bisimilarity(a, false, w.Budget).class // without unions
	}
	if w.Err() != nil {
		return nil
	}
	byFirst(class)
	b := a.NewBuilder()
	for _, c := range class {
		b.AddStates(int(c) + 1)
	}
	var edges []omega.Edge
	for s, next := 0, omega.State(0); s < a.NumStates(); s++ {
		if class[s] < next {
			continue // classes are numbered by their first state
		}
		next++
		edges = merged(a, edges[:0], class, w.Budget, omega.State(s))
		if w.Err() != nil {
			return nil
		}
		for _, e := range edges {
			b.AddEdge(class[s], e.Label, e.Marks, e.Dst)
		}
	}
	for _, s := range a.Initial() {
		b.AddStart(class[s])
	}
	return b.Automaton()
}

// merged appends the edges of some states, with the class of each destination. It orders them by
// class and marks, and makes one edge of all that share both.
func merged(a *omega.Automaton, buf []omega.Edge, class []omega.State, w *budget.Budget, states ...omega.State) []omega.Edge {
	base := len(buf)
	buf = sorted(a, buf, class, states...)
	out := buf[:base]
	for _, e := range buf[base:] {
		if w.Stop() {
			break
		}
		if k := len(out) - 1; k >= base && out[k].Dst == e.Dst && out[k].Marks == e.Marks {
			out[k].Label = a.Alphabet().Or(out[k].Label, e.Label)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// sorted is merged, but leaves the edges apart.
func sorted(a *omega.Automaton, buf []omega.Edge, class []omega.State, states ...omega.State) []omega.Edge {
	base := len(buf)
	for _, s := range states {
		for _, e := range a.Edges(s) {
			e.Dst = class[e.Dst]
			buf = append(buf, e)
		}
	}
	slices.SortFunc(buf[base:], func(e, f omega.Edge) int {
		switch {
		case e.Dst != f.Dst:
			return cmp.Compare(e.Dst, f.Dst)
		case e.Marks != f.Marks:
			return cmp.Compare(e.Marks, f.Marks)
		}
		return cmp.Compare(e.Label, f.Label)
	})
	return buf
}
