package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A Result says whether an automaton is empty. Run is nil if it is, and an
// accepting run if not. The counts are those of the search, without that for
// the run.
type Result struct {
	Run    *Run
	States int // distinct states visited
	Edges  int // edges looked at
	Depth  int // greatest length of the depth-first search's path
}

// Empty reports whether no word is accepted.
func (r *Result) Empty() bool { return r.Run == nil }

// A Run is an accepting run: Prefix leads from an initial state to the first
// state of Cycle, and Cycle from there back to it. Cycle is not empty.
type Run struct {
	Prefix, Cycle []Step
}

// A Step is an edge with the state that it leaves.
type Step struct {
	From omega.State
	Edge omega.Edge
}

// Limits bound a search. Zero is no limit.
type Limits struct {
	States int   // distinct states visited
	Memory int64 // bytes that the search and the Source take, as far as the Source is omega.Sized
}

// A Pruner is a Source that can tell of some states that the search need not
// visit them.
type Pruner interface {
	omega.Source
	// Dead is told states from which no word is accepted.
	Dead(states []omega.State)
	// Hopeless reports whether it follows that no word is accepted from s.
	Hopeless(s omega.State) bool
}

// Check decides emptiness for any acceptance condition.
//
// Time and memory are linear in the part explored as long as no Fin occurs in
// the condition; each state costs an integer, each state of the path its edges.
// With Fin, a component that is not accepting as a whole is copied and searched
// again, at worst for every subset of the marks under Fin (deciding emptiness of
// Emerson–Lei automata is NP-complete); Rabin, Streett and parity stay
// polynomial.
//
// It fails where src does, when ctx is done, or with an omega.LimitError past a
// limit. The Result's counts are then how far the search came.
func Check(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	s := &search{
		ctx:    ctx,
		src:    src,
		limits: limits,
		cond:   src.Acceptance().Condition,
		marks:  src.Marks(),
	}
	s.hasFin = s.cond.HasFin()
	s.pruner, _ = src.(Pruner)
	s.sized, _ = src.(omega.Sized)
	found, err := s.explore()
	result := &Result{States: s.visited, Edges: s.looked, Depth: s.depth}
	if err == nil && found != nil {
		result.Run, err = s.run(found)
	}
	return result, err
}

// search is the state of one check.
type search struct {
	ctx    context.Context
	src    omega.Source
	limits Limits
	pruner Pruner      // nil if src is none
	sized  omega.Sized // nil if src is not
	cond   *omega.Condition
	marks  *omega.MarkTable
	hasFin bool

	order []int32       // by state: 0 if new, its number if live, dead
	live  []omega.State // states of components not yet complete, by number
	path  []frame
	edges []omega.Edge // those of the path's states, one after the other
	roots []root

	visited, looked, depth int
	inside                 int64 // bytes that a copy of a component takes
}

// dead marks the states of components that are complete.
const dead = -1

// frame is a state on the path; its edges from next to the end of the buffer
// part that belongs to it have not been followed.
type frame struct {
	state      omega.State
	next, base int
}

// root is a component of the part of the graph that the search has seen, among
// the live states: those numbered from order up to the next root's. The
// components form a path; arc are the marks of the edge by which the search came
// to this one from the one below.
type root struct {
	order      int32
	closed     bool // some cycle is in it
	marks, arc omega.Marks
}

// component is a strongly connected part of the automaton with an accepting
// closed walk: all edges between its states the marks of which are within
// marks.
type component struct {
	states []omega.State
	marks  omega.Marks
}

// explore runs the depth-first search until it meets an accepting component,
// which it returns, or has seen everything.
func (s *search) explore() (*component, error) {
	for _, init := range s.src.Initial() {
		if s.at(init) != 0 {
			continue
		}
		if found, err := s.push(init, 0); found != nil || err != nil {
			return found, err
		}
		for len(s.path) > 0 {
			top := &s.path[len(s.path)-1]
			if top.next == len(s.edges) {
				found, err := s.pop()
				if found != nil || err != nil {
					return found, err
				}
				continue
			}
			e := s.edges[top.next]
			top.next++
			var found *component
			var err error
			if s.at(e.Dst) == 0 {
				found, err = s.push(e.Dst, e.Marks)
			} else {
				found = s.meet(e)
			}
			if found != nil || err != nil {
				return found, err
			}
		}
	}
	return nil, nil
}

// meet follows an edge from the end of the path to a state that has been visited.
// It returns the component that this makes accepting, if it does.
func (s *search) meet(e omega.Edge) *component {
	if n := s.at(e.Dst); n == dead || !s.merge(n, e.Marks) {
		return nil
	}
	r := s.roots[len(s.roots)-1]
	return &component{s.live[r.order-1:], r.marks}
}

func (s *search) at(state omega.State) int32 {
	if int(state) >= len(s.order) {
		s.order = append(s.order, make([]int32, max(int(state)+1-len(s.order), len(s.order)/2+64))...)
	}
	return s.order[state]
}

// check fails when the context is done or too much memory is taken.
func (s *search) check() error {
	if s.limits.Memory > 0 {
		n := int64(4*cap(s.order)+4*cap(s.live)+24*cap(s.path)+24*cap(s.edges)+32*cap(s.roots)) + s.inside
		if s.sized != nil {
			n += s.sized.Memory()
		}
		if n > s.limits.Memory {
			return &omega.LimitError{What: "memory", Limit: int(s.limits.Memory)}
		}
	}
	return s.ctx.Err()
}

// push visits a new state, to which an edge with marks arc leads. Its edges to
// states that have been visited are followed at once: a cycle is found as early
// as it can be, and they need not be kept while the search is elsewhere, which
// would take most of the memory.
func (s *search) push(state omega.State, arc omega.Marks) (*component, error) {
	if s.pruner != nil && s.pruner.Hopeless(state) {
		s.order[state] = dead
		return nil, nil
	}
	s.visited++
	if s.limits.States > 0 && s.visited > s.limits.States {
		return nil, &omega.LimitError{What: "states", Limit: s.limits.States}
	}
	if s.visited%64 == 0 {
		if err := s.check(); err != nil {
			return nil, err
		}
	}
	base := len(s.edges)
	var err error
	if s.edges, err = s.src.AppendEdges(s.edges, state); err != nil {
		return nil, err
	}
	s.looked += len(s.edges) - base
	s.live = append(s.live, state)
	n := int32(len(s.live))
	s.at(state)
	s.order[state] = n
	s.roots = append(s.roots, root{order: n, arc: arc})
	kept := base
	for _, e := range s.edges[base:] {
		if s.at(e.Dst) == 0 {
			s.edges[kept] = e
			kept++
		} else if found := s.meet(e); found != nil {
			return found, nil
		}
	}
	s.edges = s.edges[:kept]
	s.path = append(s.path, frame{state: state, next: base, base: base})
	s.depth = max(s.depth, len(s.path))
	return nil, nil
}

// merge closes a cycle by an edge with marks m back to the live state of number
// n: all components from the top down to that of n are one. It reports whether
// that one is accepting.
func (s *search) merge(n int32, m omega.Marks) bool {
	top := len(s.roots) - 1
	for ; s.roots[top].order > n; top-- {
		m = s.marks.Union(m, s.marks.Union(s.roots[top].marks, s.roots[top].arc))
	}
	s.roots = s.roots[:top+1]
	r := &s.roots[top]
	if all := s.marks.Union(r.marks, m); all != r.marks || !r.closed {
		r.marks, r.closed = all, true
		return s.cond.Eval(s.marks, all)
	}
	return false
}

// pop leaves the state at the end of the path. If it was the first of its
// component, the component is complete.
func (s *search) pop() (*component, error) {
	top := s.path[len(s.path)-1]
	s.path = s.path[:len(s.path)-1]
	s.edges = s.edges[:top.base]
	n := s.order[top.state]
	if s.roots[len(s.roots)-1].order != n {
		return nil, nil
	}
	states := s.live[n-1:]
	if r := s.roots[len(s.roots)-1]; s.hasFin && r.closed {
		found, err := s.inner(states, r.marks)
		if found != nil || err != nil {
			return found, err
		}
	}
	s.roots = s.roots[:len(s.roots)-1]
	if s.pruner != nil {
		s.pruner.Dead(states)
	}
	for _, state := range states {
		s.order[state] = dead
	}
	s.live = s.live[:n-1]
	return nil, nil
}
