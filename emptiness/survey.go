package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Survey says for every state of an automaton whether it accepts some word from there.
type Survey struct {
	// NonEmpty has an element for each visited state, and perhaps for others.
	NonEmpty []bool
	// Reached[i] counts what is reachable from the initial states up to i.
	Reached []Reached
}

// Reached counts a part of an automaton. Edges are those that the Source gives.
type Reached struct{ States, Edges, Components int }

// TakeSurvey decides for all reachable states whether the language from there is empty, for
// any acceptance condition.
//
// It is the search of Check, continued after the first accepting component (Gabow 2000). A
// state accepts a word if its component has an accepting part, or an edge to a state that
// accepts a word. Cost and errors are those of Check on an empty automaton.
func TakeSurvey(ctx context.Context, src omega.Source, limits Limits) (_ *Survey, err error) {
	if alternating(src) {
		return nil, omega.ErrAlternating
	}
	s := &surveyor{search: search{explorer: newExplorer(ctx, src, limits)}}
	defer s.start().Release(&err)
	s.hasFin = s.cond.HasFin()
	result := &Survey{}
	for _, init := range src.Initial() {
		if err := s.from(init); err != nil {
			return nil, err
		}
		result.Reached = append(result.Reached, Reached{s.result.States, s.result.Edges, s.components})
	}
	result.NonEmpty = s.nonEmpty
	return result, nil
}

// A surveyor is a search that knows of each complete component whether it is empty.
type surveyor struct {
	search
	nonEmpty   []bool // by state, of complete components
	hopeful    []bool // by root: an edge leads from the component to a state that is not empty
	components int    // complete ones
}

// from visits all that can be reached from a state and has not been visited.
func (s *surveyor) from(init omega.State) error {
	if s.at(init) != 0 {
		return nil
	}
	if err := s.visit(init, 0); err != nil {
		return err
	}
	for len(s.path) > 0 {
		e, ok := s.next()
		var err error
		switch {
		case !ok:
			err = s.complete()
		case s.at(e.Dst) == 0:
			err = s.visit(e.Dst, e.Marks)
		default:
			s.meet(e)
			err = s.budget.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// visit comes to a new state. As in search, its edges to states that have been visited
// are followed at once.
func (s *surveyor) visit(state omega.State, arc omega.Marks) error {
	if err := s.enter(); err != nil {
		return err
	}
	if err := s.push(state, s.tables()+cap(s.nonEmpty)); err != nil {
		return err
	}
	s.live = append(s.live, state)
	s.at(state)
	s.order[state] = int32(len(s.live))
	s.roots = append(s.roots, root{order: s.order[state], arc: arc})
	s.hopeful = append(s.hopeful, false)
	base := s.path[len(s.path)-1].base
	kept := base
	for _, e := range s.edges[base:] {
		if s.at(e.Dst) == 0 {
			s.edges[kept] = e
			kept++
		} else if s.meet(e); s.budget.Err() != nil {
			return s.budget.Err()
		}
	}
	s.edges = s.edges[:kept]
	return nil
}

// meet follows an edge from the end of the path to a state that has been visited.
func (s *surveyor) meet(e omega.Edge) {
	n := s.order[e.Dst]
	last := len(s.roots) - 1
	if n == dead {
		s.hopeful[last] = s.hopeful[last] || s.nonEmpty[e.Dst]
		return
	}
	s.merge(n, e.Marks)
	top := len(s.roots) - 1
	for ; last > top; last-- {
		s.hopeful[top] = s.hopeful[top] || s.hopeful[last]
	}
	s.hopeful = s.hopeful[:top+1]
}

// complete leaves the state at the end of the path, and its component if it was the
// first of that.
func (s *surveyor) complete() error {
	n := s.order[s.pop().state]
	last := len(s.roots) - 1
	r := s.roots[last]
	if r.order != n {
		return nil
	}
	states := s.live[n-1:]
	some := s.hopeful[last] || r.closed && s.cond.Eval(s.marks, r.marks)
	if !some && r.closed && s.hasFin {
		found, err := s.inner(states, r.marks)
		if err != nil {
			return err
		}
		some = found != nil
	}
	for _, state := range states {
		s.nonEmpty = grown(s.nonEmpty, state)
		s.nonEmpty[state] = some
		s.order[state] = dead
	}
	s.components++
	s.live, s.roots, s.hopeful = s.live[:n-1], s.roots[:last], s.hopeful[:last]
	if some && last > 0 {
		s.hopeful[last-1] = true
	}
	return nil
}
