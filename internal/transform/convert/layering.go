package convert

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A clauseGraph is a strongly connected component of an automaton, and says which edges count for
// which clauses. The edges of state s are numbered from first[s] to before first[s+1]. Edge e
// counts for clause k if sees[e*count+k].
type clauseGraph struct {
	count int
	first []int32
	dst   []omega.State
	sees  []bool
}

// A layering is a strongly connected graph of pairs of a state and a level. Each state occurs in
// it.
type layering struct {
	pairs     []pair
	next      []omega.State // by pair and edge: number of the pair that it leads to
	marked    []bool        // by pair and edge
	accepting []bool        // by pair
}

type pair struct{ state, level int32 }

// flat returns the graph with one level.
func (g *clauseGraph) flat(accepting bool) *layering {
	n := len(g.first) - 1
	l := &layering{next: g.dst}
	for s := range n {
		l.pairs = append(l.pairs, pair{state: int32(s)})
	}
	l.accepting = slices.Repeat([]bool{accepting}, n)
	l.marked = slices.Repeat([]bool{accepting}, len(g.dst))
	return l
}

// saturate makes each edge count for clause k if all cycles through it see the clause. With 0→1 {k}
// and 1→0, the second edge counts too.
func (g *clauseGraph) saturate(k int, w *budget.Budget) {
	n := len(g.first) - 1
	first := make([]int32, 1, n+1)
	var dst []omega.State // of the edges that don't see the clause
	for s := range n {
		for e := g.first[s]; e < g.first[s+1]; e++ {
			if !g.sees[int(e)*g.count+k] {
				dst = append(dst, g.dst[e])
			}
		}
		first = append(first, int32(len(dst)))
	}
	c := scc.Find(w, first, dst)
	if w.Err() != nil {
		return
	}
	for s := range n {
		for e := g.first[s]; e < g.first[s+1]; e++ {
			if c.Of[s] != c.Of[g.dst[e]] { // no cycle without the clause goes through it
				g.sees[int(e)*g.count+k] = true
			}
		}
	}
}

// needed returns the clauses that must be waited for. It leaves out a clause if each edge counts
// for it that counts for another one, and all but the first of several equal clauses.
func (g *clauseGraph) needed(w *budget.Budget) []int {
	within := func(j, k int) bool { // whoever sees j sees k
		for e := range g.dst {
			if w.Stop() || g.sees[e*g.count+j] && !g.sees[e*g.count+k] {
				return false
			}
		}
		return true
	}
	var list []int
next:
	for k := range g.count {
		if w.Err() != nil {
			return list
		}
		always := true
		for e := range g.dst {
			always = always && g.sees[e*g.count+k]
		}
		if always { // no need to wait
			continue
		}
		for j := range g.count {
			if w.Stop() {
				return list
			}
			if j != k && within(j, k) && (j < k || !within(k, j)) { // waiting for j is enough
				continue next
			}
		}
		list = append(list, k)
	}
	return list
}

// A policy chooses the level at which a round begins, after an edge that has ended the last round
// and counts for the next one up to some level.
type policy uint8

const (
	known   policy = iota // the highest up to that at which the state is known, or that
	highest               // that
	lowest                // 0
)

// layered returns the smallest bottom component of the graph of pairs, explored from the first
// state. Levels 0, 1, … wait for the clauses in the given order. With onStates, there is one more
// level, which is accepting.
func (g *clauseGraph) layered(order []int, policy policy, onStates bool, w *budget.Budget) *layering {
	x := &layeredSearch{clauseGraph: g, order: order, policy: policy, onStates: onStates}
	x.levels = len(order)
	if onStates {
		x.levels++
	}
	x.number = make([]int32, (len(g.first)-1)*x.levels)
	x.visit(pair{})
	first := []int32{0}
	for i := 0; i < len(x.pairs); i++ { // visit appends to the pairs
		p := x.pairs[i]
		for e := g.first[p.state]; e < g.first[p.state+1]; e++ {
			if w.Stop() {
				return nil
			}
			level, ended := x.after(e, p.level)
			x.marked = append(x.marked, ended && !onStates)
			x.next = append(x.next, x.visit(pair{int32(g.dst[e]), level}))
		}
		first = append(first, int32(len(x.next)))
	}
	return x.bottom(first, w)
}

// layeredSearch is an exploration of the graph of pairs.
type layeredSearch struct {
	*clauseGraph
	layering
	order    []int
	policy   policy
	onStates bool
	levels   int
	number   []int32 // by state and level: of the pair, plus one
}

func (x *layeredSearch) visit(p pair) omega.State {
	n := &x.number[int(p.state)*x.levels+int(p.level)]
	if *n == 0 {
		x.pairs = append(x.pairs, p)
		*n = int32(len(x.pairs))
	}
	return omega.State(*n - 1)
}

// after returns the level to which edge e leads, and whether it ends a round. With onStates, ended
// says that the round had ended before the edge.
func (x *layeredSearch) after(e, level int32) (next int32, ended bool) {
	n := int32(len(x.order))
	if level == n { // with onStates: the round has ended before
		return x.begin(e), true
	}
	if level = x.passed(e, level); level == n && !x.onStates {
		return x.begin(e), true
	}
	return level, false
}

// passed returns the level that edge e reaches from the given one.
func (x *layeredSearch) passed(e, level int32) int32 {
	for int(level) < len(x.order) && x.sees[int(e)*x.count+x.order[level]] {
		level++
	}
	return level
}

// begin returns the level at which a round begins after edge e.
func (x *layeredSearch) begin(e int32) int32 {
	most := x.passed(e, 0)
	if x.policy == known {
		at := x.number[int(x.dst[e])*x.levels:]
		for l := min(int(most), x.levels-1); l >= 0; l-- {
			if at[l] != 0 {
				return int32(l)
			}
		}
	}
	if x.policy == lowest || int(most) == x.levels {
		return 0 // an edge that ends this round as well has one mark, and that is enough
	}
	return most
}

// bottom returns the smallest bottom component.
func (x *layeredSearch) bottom(first []int32, w *budget.Budget) *layering {
	c := scc.Find(w, first, x.next)
	if w.Err() != nil {
		return nil
	}
	size, leaves := make([]int, c.Count), make([]bool, c.Count)
	for i := range x.pairs {
		size[c.Of[i]]++
		for _, j := range x.next[first[i]:first[i+1]] {
			leaves[c.Of[i]] = leaves[c.Of[i]] || c.Of[i] != c.Of[j]
		}
	}
	best := -1
	for i := range size {
		if !leaves[i] && (best < 0 || size[i] < size[best]) { // no edge leaves it
			best = i
		}
	}
	l := &layering{}
	number := make([]omega.State, len(x.pairs))
	for i, p := range x.pairs {
		if c.Of[i] == int32(best) {
			number[i] = omega.State(len(l.pairs))
			l.pairs = append(l.pairs, p)
			l.accepting = append(l.accepting, x.onStates && int(p.level) == len(x.order))
		}
	}
	for i := range x.pairs {
		if c.Of[i] != int32(best) {
			continue
		}
		for k := first[i]; k < first[i+1]; k++ {
			l.next = append(l.next, number[x.next[k]])
			l.marked = append(l.marked, x.marked[k])
		}
	}
	return l
}
