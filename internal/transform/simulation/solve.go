package simulation

import (
	"math"

	"github.com/xcheck-ltl/xcheck/internal/scc"
)

// never is the measure of a position from which Duplicator is not known to win.
const never = math.MaxInt32

// won reports whether Duplicator wins from the start. It computes the least measures: how many
// rounds of priority 1 Duplicator has to take at most before the next one of priority 2, or before
// the play is in other components for good.
//
// Here Duplicator sees the mark in every second round:
//
//	Spoiler:  State: 0  [t] 0 {0}        Duplicator:  State: 0  [t] 1
//	                                                  State: 1  [t] 0 {0}
//
// From the pair (0, 0) he takes one round of priority 1, from (0, 1) none. So the measures are 1 and
// 0, and he wins. If he never saw a mark, no measure would be large enough.
func (g *game) won() bool {
	if g.w.Err() != nil {
		return false
	}
	// A measure is less than the number of positions of the group where Spoiler may see a mark. Beyond
	// that, a play without priority 2 would come to the same position again.
	bound := g.bounds()
	first, from := g.predecessors()
	waiting := make([]bool, len(g.positions))
	var queue []int32
	for i := range g.positions {
		g.positions[i].measure = 0
		waiting[i] = true
		queue = append(queue, int32(i))
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		waiting[i] = false
		x := &g.positions[i]
		m := g.lifted(x, bound)
		if g.w.Stop() {
			return false
		}
		if m <= x.measure { // measures only grow
			continue
		}
		x.measure = m
		for _, p := range from[first[i]:first[i+1]] {
			if !waiting[p] && g.positions[p].measure != never {
				waiting[p] = true
				queue = append(queue, p)
			}
		}
	}
	return g.positions[0].measure != never
}

// bounds returns for each group how many positions have a demand with a mark of Spoiler.
func (g *game) bounds() []int32 {
	bound := make([]int32, g.groups.Len())
	for i := range g.positions[1:] {
		x := &g.positions[1+i]
		for k := range x.demands {
			if x.demands[k].marked {
				bound[x.group]++
				break
			}
		}
	}
	return bound
}

// predecessors returns, for each position, the positions that have it as an option.
func (g *game) predecessors() (first, from []int32) {
	return scc.Grouped(len(g.positions), func(yield func(dst, src int32) bool) {
		for i := range g.positions {
			for k := range g.positions[i].demands {
				options := g.positions[i].demands[k].options
				g.w.Spend(len(options))
				for _, o := range options {
					yield(o.position, int32(i))
				}
			}
		}
	})
}

// lifted returns the measure that a position needs, given the measures of its options.
func (g *game) lifted(x *position, bound []int32) int32 {
	if x.lost {
		return never
	}
	most := int32(0)
	for i := range x.demands {
		m := g.least(x.group, &x.demands[i])
		if m == never || x.group >= 0 && m > bound[x.group] {
			return never
		}
		most = max(most, m)
	}
	return most
}

// least returns the measure that Duplicator can reach by the best option for a demand.
func (g *game) least(group int32, d *demand) int32 {
	g.w.Spend(len(d.options))
	least := int32(never)
	for _, o := range d.options {
		to := &g.positions[o.position]
		m := to.measure
		switch {
		case m == never:
			continue
		case o.priority == 2 || to.group != group:
			return 0 // the count starts again
		case o.priority == 1:
			m++
		}
		least = min(least, m)
	}
	return least
}
