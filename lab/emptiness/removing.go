package emptiness

import (
	"context"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Figure 5 of Schwoon and Esparza 2005 does without Tarjan's stack. The states of a complete
// component are those that can be reached from its first state and are in no component that
// was completed before. A second search finds and removes them. So a state takes one integer,
// but its edges are made twice, and are followed in their order.
//
// With 0→1, 1→2, 2→1, the states have numbers 1, 2, 3. When the search leaves 1, the first state
// of a component, remove follows 1→2 and 2→1 again: 1 and 2 are dead.
type removing struct {
	product.Explorer
	late  bool    // components are judged when they are complete, not when they become accepting
	order []int32 // by state: 0 if new, its number if live, dead
	roots []root
	todo  []omega.State // used by remove
}

// root is a component on the path: the live states numbered from order up to the next root's. The
// edge by which the search came to it from the one below has the marks arc.
type root struct {
	order      int32
	closed     bool // some cycle is in it
	marks, arc omega.Marks
}

// checkRemoving is the check of Figure 5. If late, it is the search for components of section
// 4.4, which leaves out line 18, with a look at each component when it is complete.
func checkRemoving(late bool) check {
	return func(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
		s := &removing{Explorer: product.NewExplorer(ctx, src, limits), late: late}
		return s.Decide(func() (*Run, error) {
			found, err := s.search()
			if err != nil || found == nil {
				return nil, err
			}
			return s.Run(found, func(state omega.State) bool { return s.at(state) != 0 })
		})
	}
}

// search returns the first accepting component that it finds.
func (s *removing) search() (found *product.Component, err error) {
	for _, init := range s.Src.Initial() {
		if s.at(init) != 0 {
			continue
		}
		err = s.visit(init, 0)
		for err == nil && len(s.Path) > 0 {
			e, ok := s.Next()
			if !ok {
				// The last root is the state itself, or an earlier one of the path, whose component goes on.
				if state := s.Pop().State; s.roots[len(s.roots)-1].order == s.order[state] {
					found, err = s.remove(state)
				}
			} else if n := s.at(e.Dst); n == 0 {
				err = s.visit(e.Dst, e.Marks)
			} else if n != dead && s.merge(n, e.Marks) && !s.late {
				found = s.topmost()
			}
			if found != nil {
				return found, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (s *removing) at(state omega.State) int32 {
	s.order = product.Grown(s.order, state)
	return s.order[state]
}

func (s *removing) stacks() int { return 32*cap(s.roots) + 4*cap(s.todo) }

func (s *removing) visit(state omega.State, arc omega.Marks) error {
	if s.Pruner != nil && s.Pruner.Hopeless(state) {
		s.order[state] = dead
		return nil
	}
	if err := s.Enter(); err != nil {
		return err
	}
	if err := s.Push(state, 4*cap(s.order), s.stacks()); err != nil {
		return err
	}
	s.order[state] = int32(s.Result.States)
	s.roots = append(s.roots, root{order: s.order[state], arc: arc})
	s.Result.Roots = max(s.Result.Roots, len(s.roots))
	return nil
}

// merge joins the components from the live state numbered n to the end of the path: an edge with
// marks m closes a cycle through them. It reports whether the marks satisfy the condition.
func (s *removing) merge(n int32, m omega.Marks) bool {
	top := len(s.roots) - 1
	for ; s.roots[top].order > n; top-- {
		m = s.Marks.Union(m, s.Marks.Union(s.roots[top].marks, s.roots[top].arc))
	}
	s.roots = s.roots[:top+1]
	r := &s.roots[top]
	r.marks, r.closed = s.Marks.Union(r.marks, m), true
	s.Budget.Spend(s.Cost)
	return s.Cond.Eval(s.Marks, r.marks)
}

// topmost returns the last component of the path: all live states numbered from its root on. That
// takes time linear in the number of all visited states.
func (s *removing) topmost() *product.Component {
	r := s.roots[len(s.roots)-1]
	c := &product.Component{Marks: r.marks}
	for state, n := range s.order {
		if n >= r.order {
			c.States = append(c.States, omega.State(state))
		}
	}
	return c
}

// remove completes the topmost component, which begins with the given state. It returns it if
// it is accepting. A list stands for the recursion of the paper's procedure.
func (s *removing) remove(first omega.State) (*product.Component, error) {
	if r := s.roots[len(s.roots)-1]; s.late && r.closed && s.Cond.Eval(s.Marks, r.marks) {
		return s.topmost(), nil
	}
	s.roots = s.roots[:len(s.roots)-1]
	end := len(s.Edges)
	s.todo = append(s.todo[:0], first)
	// A state on the list is dead. So no state is added twice.
	s.order[first] = dead
	for len(s.todo) > 0 {
		last := len(s.todo) - 1
		state := s.todo[last]
		s.todo = s.todo[:last]
		var err error
		if s.Edges, err = s.Src.AppendEdges(s.Edges[:end], state); err != nil {
			return nil, err
		}
		s.Result.Edges += len(s.Edges) - end
		s.Stacks = int64(s.stacks())
		if s.Budget.Spend(1 + len(s.Edges) - end) {
			return nil, s.Budget.Err()
		}
		for _, e := range s.Edges[end:] {
			// A live state that the component leads to is in it: otherwise both would be one
			// component.
			if s.order[e.Dst] > 0 {
				s.order[e.Dst] = dead
				s.todo = append(grow.By(s.todo, 1), e.Dst)
			}
		}
		if s.Pruner != nil {
			s.Pruner.Dead([]omega.State{state})
		}
	}
	s.Edges = s.Edges[:end]
	return nil, nil
}
