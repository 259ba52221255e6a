package bench

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/lab/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// spin is what SPIN does with option -i, as Gastin, Moro, Zeitoun 2004, sections 2.1 and 3.1,
// describe it: a nested depth-first search (Holzmann, Peled, Yannakakis 1996) that
// goes on at a state if it is new to the search, or met on a shorter path than before
// in either search, and does not follow paths as long as the best run. It is for Büchi
// acceptance.
//
// It does not always find a shortest run. With 0→3, 0→1, 1→2 {0}, 1→3 {0}, 2→3, 3→0 (Figure 4), it
// finds 0 1 2 3. Then it misses 0 1 3: state 3 was second on the first path, and is third now.
func spin(ctx context.Context, src omega.Source, limits omega.Limits, how spinning) (*emptiness.Minimal, error) {
	s := &spinSearch{spinning: how, src: src, limits: limits}
	if acc := src.Acceptance(); acc.Condition.Op != omega.CondInf {
		return s.end(), fmt.Errorf("%w: SPIN's search can't decide %s", emptiness.ErrUnfit, acc)
	}
	for _, init := range src.Initial() {
		// A state that an earlier start has met is met again only on a shorter path. With once, a path is
		// left when a run is found. It is as long as the run, so meet adds nothing to it.
		if err := s.meet(init, outer); err != nil {
			return s.end(), err
		}
		for len(s.path) > 0 && !(s.once && s.result.Run != nil) {
			if s.steps++; s.steps%1024 == 0 && ctx.Err() != nil {
				return s.end(), ctx.Err()
			}
			if err := s.step(); err != nil {
				return s.end(), err
			}
		}
	}
	return s.end(), nil
}

// spinning has the variants of spin.
type spinning struct {
	// once: the search ends with the first run, and goes on at new states only.
	once bool
	// cycles: the outer search closes every accepting cycle that it meets. Otherwise it closes
	// those that begin at an accepting state (Algorithm 1, line 3). With 0→1, 1→2 {0}, 2→0, it
	// leaves the edge 2→0 to the inner search.
	cycles bool
}

// The two searches.
const (
	outer = iota
	inner // from an accepting edge, for a way back to the path of the outer one
)

type spinSearch struct {
	spinning
	src    omega.Source
	limits omega.Limits
	least  []int32   // by state: the least place on the path in either search, from 1 on
	met    [2][]bool // by search and state
	place  []int32   // by state: the place on the outer search's path, 0 if it is not there
	path   []spinFrame
	buf    []omega.Edge
	steps  int
	result emptiness.Minimal
}

type spinFrame struct {
	state      omega.State
	base, next int
	search     uint8
	accepted   int32 // the place of the last state before this one that the path leaves by an accepting edge, or 0
	waiting    bool  // the outer search has dealt with the edge before next, the inner one has not
}

func (s *spinSearch) end() *emptiness.Minimal {
	s.result.Memory = int64(4*(cap(s.least)+cap(s.place)) + cap(s.met[outer]) + cap(s.met[inner]) + 32*cap(s.path) + 24*cap(s.buf))
	return &s.result
}

// step continues with the state at the end of the path.
func (s *spinSearch) step() error {
	f := &s.path[len(s.path)-1]
	if f.waiting {
		// The outer search is done with what follows an accepting edge: the inner one looks for a way back. The edge
		// does not lead to the path, as the outer search would have closed that cycle.
		f.waiting = false
		return s.meet(s.buf[f.next-1].Dst, inner)
	}
	if f.next == len(s.buf) {
		if f.search == outer {
			s.place[f.state] = 0 // the inner search may not close a cycle here any more
		}
		s.buf = s.buf[:f.base]
		s.path = s.path[:len(s.path)-1]
		return nil
	}
	e := s.buf[f.next]
	f.next++
	if s.result.Run != nil && len(s.path) >= s.result.Run.Size() {
		return nil // no run along this path would be shorter
	}
	if f.search == inner {
		if int(e.Dst) < len(s.place) && s.place[e.Dst] != 0 {
			s.close(e.Dst)
			return nil
		}
		return s.meet(e.Dst, inner)
	}
	if s.closes(f, e) {
		s.close(e.Dst)
		return nil
	}
	f.waiting = e.Marks != 0
	return s.meet(e.Dst, outer)
}

// closes tells whether an edge from the end of the path closes a cycle for the outer search.
func (s *spinSearch) closes(f *spinFrame, e omega.Edge) bool {
	if int(e.Dst) >= len(s.place) || s.place[e.Dst] == 0 {
		return false
	}
	// The cycle accepts if its first edge does, or its last one, or with cycles any edge of it.
	place := s.place[e.Dst]
	start := s.path[place-1]
	return e.Marks != 0 || s.buf[start.next-1].Marks != 0 || s.cycles && f.accepted >= place
}

// meet continues at a state if it is new or on a shorter path than before.
func (s *spinSearch) meet(t omega.State, search uint8) error {
	for len(s.place) <= int(t) { // states are numbered when they are met
		s.place, s.least = append(s.place, 0), append(s.least, 0)
		s.met[outer], s.met[inner] = append(s.met[outer], false), append(s.met[inner], false)
	}
	if s.result.Run != nil && len(s.path) >= s.result.Run.Size() {
		return nil // no run along this path would be shorter
	}
	n := int32(len(s.path) + 1)
	switch {
	case s.met[search][t]:
		s.result.Matched++
		if n >= s.least[t] || s.once {
			return nil // SPIN goes on at a known state only on a shorter path
		}
	case search == outer:
		if s.result.States++; s.limits.ProductStates > 0 && s.result.States > s.limits.ProductStates {
			return &omega.LimitError{What: "states", Limit: s.limits.ProductStates}
		}
	}
	s.met[search][t] = true
	if s.least[t] == 0 || n < s.least[t] { // one depth for both searches: Figure 4
		s.least[t] = n
	}
	if search == outer {
		s.place[t] = n
	}
	f := spinFrame{state: t, base: len(s.buf), next: len(s.buf), search: search}
	if len(s.path) > 0 {
		top := s.path[len(s.path)-1]
		if f.accepted = top.accepted; s.buf[top.next-1].Marks != 0 {
			f.accepted = int32(len(s.path))
		}
	}
	var err error
	s.buf, err = s.src.AppendEdges(s.buf, t)
	s.result.Edges += len(s.buf) - f.base
	s.path = append(s.path, f)
	s.result.Depth = max(s.result.Depth, int(n))
	return err
}

// close notes the run that an edge from the end of the path to t makes.
func (s *spinSearch) close(t omega.State) {
	s.result.Matched++
	if s.result.Run != nil && len(s.path) >= s.result.Run.Size() {
		return
	}
	steps := make([]emptiness.Step, len(s.path))
	for i, f := range s.path {
		steps[i] = emptiness.Step{From: f.state, Edge: s.buf[f.next-1]}
	}
	start := s.place[t] - 1
	s.result.Run = &emptiness.Run{Lasso: omega.Lasso[emptiness.Step]{Prefix: steps[:start], Cycle: steps[start:]}}
	s.result.Runs++
}
