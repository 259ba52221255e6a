package emptiness

import (
	"cmp"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A subgraph is a copy of a strongly connected component with local numbers for
// its states, to be cut into ever smaller pieces. Of edges that differ in their
// labels only, one is kept, without the label: 12 bytes.
type subgraph struct {
	search *search
	states []omega.State // by local number
	first  []int32       // the edges of i are those from first[i] to first[i+1]
	dst    []int32       // of each edge, as a local number
	marks  []omega.Marks // of each edge

	// piece[i] is the number of the piece that local state i is in now. Each
	// call of split gives new numbers to the pieces that it makes.
	piece     []int32
	lastPiece int32
	local     []int32 // used by split: the place among its members
}

// inner looks for an accepting part in a complete component whose marks, all together, do not
// satisfy the condition.
func (s *search) inner(states []omega.State, all omega.Marks) (*Component, error) {
	if rest := s.assume(s.Cond, all, 0); !rest.HasFin() {
		return nil, nil // monotone in the marks there are, or constant
	}
	g := &subgraph{search: s, states: states, first: make([]int32, 1, len(states)+1)}
	root := s.order[states[0]] // the live states are numbered without gaps
	var buf []omega.Edge
	for _, state := range states {
		_, stacks := s.sizes()
		s.Stacks = int64(stacks) + g.memory()
		var err error
		if buf, err = s.Src.AppendEdges(buf[:0], state); err != nil {
			return nil, err
		}
		if s.Budget.Spend(1 + len(buf)) {
			return nil, s.Budget.Err()
		}
		slices.SortFunc(buf, func(e, f omega.Edge) int {
			if e.Dst != f.Dst {
				return cmp.Compare(e.Dst, f.Dst)
			}
			return cmp.Compare(e.Marks, f.Marks)
		})
		for k, e := range buf {
			// A lower number belongs to a complete component: the edge is on no cycle.
			n := s.order[e.Dst]
			if n < root || k > 0 && e.Dst == buf[k-1].Dst && e.Marks == buf[k-1].Marks {
				continue
			}
			g.dst = append(grow.By(g.dst, 1), n-root)
			g.marks = append(grow.By(g.marks, 1), e.Marks)
		}
		g.first = append(g.first, int32(len(g.dst)))
	}
	s.measure()
	g.piece = make([]int32, len(states))
	g.local = make([]int32, len(states))
	members := make([]int32, len(states))
	for i := range members {
		members[i] = int32(i)
	}
	return g.find(members, 0, s.Cond)
}

func (g *subgraph) memory() int64 {
	return int64(4*cap(g.dst)+8*cap(g.marks)+4*cap(g.first)) + 12*int64(len(g.states)) // and pieces, and numbers
}

// assume returns the rest of c if only the marks of all occur, and the marks of seen are seen
// infinitely often.
func (s *search) assume(c *omega.Condition, all, seen omega.Marks) *omega.Condition {
	return c.Assume(func(i int) int {
		switch {
		case !s.Marks.Has(all, i):
			return -1
		case s.Marks.Has(seen, i):
			return 1
		}
		return 0
	})
}

// unavoidable returns the marks that are on all edges of a piece, which each walk through it sees.
// With 0→1 {0,1}, 1→0 {0}, that is mark 0: Fin(0) & Inf(1) fails without another split.
func (g *subgraph) unavoidable(p piece, cut omega.Marks) omega.Marks {
	t := g.search.Marks
	all := p.marks
	for _, n := range p.members {
		for k := g.first[n]; k < g.first[n+1] && all != 0; k++ {
			if g.piece[g.dst[k]] == p.number && !t.Common(g.marks[k], cut) {
				all = t.Minus(all, t.Minus(all, g.marks[k]))
			}
		}
	}
	return all
}

// find looks for a closed walk among the given states (all of one piece) that
// satisfies c and carries no mark of cut. It is the recursion of Gillard 2019,
// section 5.2, with its numbers of steps.
//
// Take Fin(0) & Inf(1) and the states 0→1 {0}, 1→0 {1}, 1→1 {1}. All marks together don't satisfy
// it (step one). Step two cuts the edges with mark 0. The piece that is left, 1→1 {1}, does.
func (g *subgraph) find(members []int32, cut omega.Marks, c *omega.Condition) (*Component, error) {
	s := g.search
	if s.Budget.Spend(c.Size()) {
		return nil, s.Budget.Err()
	}
	pieces, err := g.split(members, cut)
	if err != nil {
		return nil, err
	}
	for _, p := range pieces {
		// Step one: is the piece trivially accepting or rejecting?
		rest := s.assume(c, p.marks, 0)
		if rest.Eval(s.Marks, p.marks) {
			states := make([]omega.State, len(p.members))
			for i, m := range p.members {
				states[i] = g.states[m]
			}
			return &Component{states, p.marks}, nil
		}
		// Marks on all edges are seen whatever the walk, so the Fins of these fail without a split.
		if rest.HasFin() && !s.noUnavoidable {
			rest = s.assume(rest, p.marks, g.unavoidable(p, cut))
		}
		// Without Fin, fewer marks don't help, and all marks together are not enough.
		if !rest.HasFin() {
			continue
		}
		// Otherwise, what to search the piece for, in turn.
		type part struct {
			cut omega.Marks
			c   *omega.Condition
		}
		var parts []part
		conjuncts, forced := []*omega.Condition{rest}, cut
		if rest.Op == omega.CondAnd {
			conjuncts = rest.Args
		}
		for _, d := range conjuncts {
			if d.Op == omega.CondFin {
				forced = s.Marks.Union(forced, s.Marks.Of(d.Mark))
			}
		}
		switch {
		case forced != cut: // step two: marks that must not be seen are cut
			parts = append(parts, part{forced, rest})
		case rest.Op == omega.CondOr: // step three: each operand of a disjunction for itself
			for _, d := range rest.Args {
				parts = append(parts, part{cut, d})
			}
		default:
			// Step four: some mark under a Fin is cut, in a conjunct that fails with all marks. Step
			// five: the mark is seen, so that this Fin fails. Inf of the same mark stays as it is: it has
			// to be seen in the part that is accepted.
			from := rest
			if k := slices.IndexFunc(conjuncts, func(d *omega.Condition) bool { return !d.Eval(s.Marks, p.marks) }); k >= 0 {
				from = conjuncts[k]
			}
			fin := -1
			from.Leaves(func(l *omega.Condition) {
				if l.Op == omega.CondFin && fin < 0 {
					fin = l.Mark
				}
			})
			parts = append(parts, part{s.Marks.Union(cut, s.Marks.Of(fin)), rest}, part{cut, rest.GiveUp(fin)})
		}
		for _, x := range parts {
			if found, err := g.find(p.members, x.cut, x.c); found != nil || err != nil {
				return found, err
			}
		}
	}
	return nil, nil
}

// piece is a strongly connected part of a subgraph that has edges, and the
// union of their marks.
type piece struct {
	members []int32
	marks   omega.Marks
	number  int32 // of its states in subgraph.piece, until they are split again
}

// split returns the strongly connected parts of the given states of one piece,
// without the edges that carry a mark of cut.
func (g *subgraph) split(members []int32, cut omega.Marks) ([]piece, error) {
	s := g.search
	s.splits++
	g.lastPiece++
	for i, m := range members {
		g.piece[m], g.local[m] = g.lastPiece, int32(i)
	}
	// stays calls f for the edges of a state that are not cut, and stay in a piece.
	stays := func(m, number int32, f func(k int32)) {
		for k := g.first[m]; k < g.first[m+1]; k++ {
			if g.piece[g.dst[k]] == number && !s.Marks.Common(g.marks[k], cut) {
				f(k)
			}
		}
	}
	first, dst := make([]int32, 1, len(members)+1), []int32(nil)
	for _, m := range members {
		stays(m, g.lastPiece, func(k int32) { dst = append(dst, g.local[g.dst[k]]) })
		first = append(first, int32(len(dst)))
		if s.Budget.Spend(s.Marks.Words() * int(1+g.first[m+1]-g.first[m])) {
			return nil, s.Budget.Err()
		}
	}
	c := scc.Find(s.Budget, first, dst)
	if err := s.Budget.Err(); err != nil {
		return nil, err
	}
	first, list := scc.Grouped(c.Count, func(yield func(int32, int32) bool) {
		for i, m := range members {
			yield(c.Of[i], m)
		}
	})
	var pieces []piece
	for i := range c.Count {
		g.lastPiece++
		p, closed := piece{members: list[first[i]:first[i+1]], number: g.lastPiece}, false
		for _, m := range p.members {
			g.piece[m] = p.number
		}
		for _, m := range p.members {
			stays(m, p.number, func(k int32) { p.marks, closed = s.Marks.Union(p.marks, g.marks[k]), true })
		}
		if closed { // a single state without a loop has no cycle
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}
