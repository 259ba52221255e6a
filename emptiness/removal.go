package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Figure 5 of Schwoon and Esparza 2005 does without Tarjan's stack. The states of a complete
// component are those that can be reached from its first state and are in no component that
// was completed before. A second search finds and removes them. So a state takes one integer,
// but its edges are made twice.
//
// With 0→1, 1→2, 2→1, the states have numbers 1, 2, 3. When the search leaves 1, the first state
// of a component, remove follows 1→2 and 2→1 again: 1 and 2 are dead.

// checkRemoving is the check of Figure 5. If late, it is the search for components of section
// 4.4, which leaves out line 18, with a look at each component when it is complete.
func checkRemoving(name Algorithm, late bool) check {
	return func(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
		if src.Acceptance().Condition.HasFin() {
			return &Result{}, unfit(name, src, "a condition without Fin")
		}
		return (&search{explorer: newExplorer(ctx, src, limits), removes: true, late: late}).any()
	}
}

// remove completes the topmost component, which begins with the given state. It returns it if
// it is accepting. A list stands for the recursion of the paper's procedure.
func (s *search) remove(first omega.State) (*component, error) {
	if r := s.roots[len(s.roots)-1]; s.late && r.closed && s.cond.Eval(s.marks, r.marks) {
		return s.topmost(), nil
	}
	s.roots = s.roots[:len(s.roots)-1]
	end := len(s.edges)
	s.todo = append(s.todo[:0], first)
	s.order[first] = dead
	for len(s.todo) > 0 {
		last := len(s.todo) - 1
		state := s.todo[last]
		s.todo = s.todo[:last]
		var err error
		if s.edges, err = s.src.AppendEdges(s.edges[:end], state); err != nil {
			return nil, err
		}
		s.result.Edges += len(s.edges) - end
		_, stacks := s.sizes()
		s.stacks = int64(stacks)
		if s.budget.Spend(1 + len(s.edges) - end) {
			return nil, s.budget.Err()
		}
		for _, e := range s.edges[end:] {
			if s.order[e.Dst] > 0 {
				s.order[e.Dst] = dead
				s.todo = append(grow.By(s.todo, 1), e.Dst)
			}
		}
		if s.pruner != nil {
			s.pruner.Dead([]omega.State{state})
		}
	}
	s.edges = s.edges[:end]
	return nil, nil
}

// unremoved returns the states with that number or a higher one. It takes time linear in the
// number of all visited states.
func (s *search) unremoved(least int32) (states []omega.State) {
	for state, n := range s.order {
		if n >= least {
			states = append(states, omega.State(state))
		}
	}
	return states
}
