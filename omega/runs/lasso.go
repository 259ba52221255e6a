package runs

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// lassoSteps bounds the search for a short lasso, in arcs looked at: each node of a
// component may be where the cycle starts.
const lassoSteps = 1 << 20

// shortest returns a short lasso with a cycle in a strongly connected part that sees
// some marks, or best if none was found that is shorter than that. It is a shortest one
// if there are at most stageMarks marks, as far as lassoSteps allows to try all nodes
// as starts.
func (g *runGraph) shortest(part []runArc, marks []int, best *omega.Lasso[runArc]) *omega.Lasso[runArc] {
	s := newPartSearch(g, part)
	for i := 0; i < len(s.nodes) && s.steps < lassoSteps; i++ {
		start := s.nodes[i] // in breadth-first order
		way := int(g.depth[start])
		if best != nil && way+1 >= best.Size() || g.budget.Stop() {
			break
		}
		most := -1
		if best != nil {
			most = best.Size() - way
		}
		if cycle := s.cycle(start, marks, most); cycle != nil {
			best = &omega.Lasso[runArc]{Prefix: g.trace(start, g.way), Cycle: cycle}
		}
	}
	return best
}

func (g *runGraph) run(l *omega.Lasso[runArc]) *Run {
	r := &Run{Lasso: omega.Lasso[Step]{Prefix: g.steps(l.Prefix), Cycle: g.steps(l.Cycle)}}
	// Steps before the cycle that it ends with as well are rolled into it.
	for len(r.Prefix) > 0 && r.Prefix[len(r.Prefix)-1] == r.Cycle[len(r.Cycle)-1] {
		last := len(r.Cycle) - 1
		r.Cycle = slices.Concat(r.Cycle[last:], r.Cycle[:last])
		r.Prefix = r.Prefix[:len(r.Prefix)-1]
	}
	return r
}

// A partSearch walks through a strongly connected part of a runGraph.
type partSearch struct {
	g     *runGraph
	part  []runArc // in the order of their sources
	nodes []int32  // ascending
	first []int32  // the arcs of nodes[i] are part[first[i]:first[i+1]]
	// A place is an index in nodes and the set of marks that have been seen.
	seen  []int32 // the stage in which the place was last visited
	from  []int32 // and the place that it was then reached from
	way   []int32 // and the arc of part
	queue []int32
	stage int32
	steps int
}

func newPartSearch(g *runGraph, part []runArc) *partSearch {
	s := &partSearch{g: g, part: part}
	s.nodes, s.first = g.sources(part)
	return s
}

// stageMarks is how many marks are looked for at a time: a stage takes time exponential
// in that.
const stageMarks = 4

// cycle returns a closed walk from start that sees the marks, or nil if it would have
// most arcs or more (unless that is negative): a shortest one if one stage is enough.
func (s *partSearch) cycle(start int32, marks []int, most int) []runArc {
	var walk []runArc
	at := start
	for {
		n := min(len(marks), stageMarks)
		last := n == len(marks)
		from := len(walk)
		walk = s.extend(walk, at, marks[:n], start, last)
		if len(walk) == from || most >= 0 && len(walk) >= most {
			return nil
		}
		if last {
			return walk
		}
		marks = slices.DeleteFunc(slices.Clone(marks[n:]), func(i int) bool {
			return slices.ContainsFunc(walk[from:], func(arc runArc) bool { return s.g.a.Marks().Has(arc.marks, i) })
		})
		at = walk[len(walk)-1].dst
	}
}

// extend appends a shortest walk from a node that sees the marks and, if it is to go
// home, ends there.
func (s *partSearch) extend(walk []runArc, at int32, marks []int, home int32, goHome bool) []runArc {
	k := len(marks)
	if size := len(s.nodes) << k; len(s.seen) < size {
		s.seen, s.from, s.way = make([]int32, size), make([]int32, size), make([]int32, size)
		s.stage = 0
	}
	s.stage++
	origin := s.g.index[at] << k // not visited: a walk has an arc
	s.queue = append(s.queue[:0], origin)
	for head := 0; head < len(s.queue); head++ {
		place := s.queue[head]
		n := place >> k
		for i := s.first[n]; i < s.first[n+1]; i++ {
			s.steps++
			arc := s.part[i]
			next := s.g.index[arc.dst]<<k | place&(1<<k-1)
			for j, mark := range marks {
				if s.g.a.Marks().Has(arc.marks, mark) {
					next |= 1 << j
				}
			}
			if s.seen[next] == s.stage {
				continue
			}
			s.seen[next], s.from[next], s.way[next] = s.stage, place, i
			if next&(1<<k-1) == 1<<k-1 && (!goHome || arc.dst == home) {
				return s.trace(walk, next, origin)
			}
			s.queue = append(s.queue, next)
		}
	}
	return walk
}

// trace appends the walk to a place. The first place of the queue may have been reached
// again: the walk starts where it is met first.
func (s *partSearch) trace(walk []runArc, place, origin int32) []runArc {
	end := len(walk)
	for {
		walk = append(walk, s.part[s.way[place]])
		if place = s.from[place]; place == origin {
			slices.Reverse(walk[end:])
			return walk
		}
	}
}
