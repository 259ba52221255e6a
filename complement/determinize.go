package complement

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// determinized is the Source of Determinize.
//
// A macrostate is an ordered tree of nodes, numbered by age from 0, the root. It
// says for each state that the automaton may be in which node is its host. A
// node stands for all states hosted in its subtree. Reading a letter,
//
//   - a successor by an edge without the mark stays with its host, by one with
//     the mark it moves to a new child of it, the youngest;
//   - a state that is claimed by several hosts goes to the best: descendants come
//     before ancestors, and in different subtrees the older one wins;
//   - a node without states in its subtree dies;
//   - a node without states of its own, all of them having moved to children, is
//     good: since it was good the last time, every state in it has been reached by
//     an edge with the mark. Its descendants are dissolved into it;
//   - the nodes that are left are numbered anew, in the same order.
//
// A word is accepted if and only if some node number is good infinitely often
// and from some time on neither that node nor an older one dies. So when node i
// dies, the edge carries the mark 2i, and when it is good 2i+1; only the least
// of these marks counts, and the acceptance condition is that the least mark
// seen infinitely often is odd.
type determinized struct {
	ctx     context.Context
	a       *omega.Automaton
	limit   int
	inside  []bool // by state: in a component with an edge that has the mark
	part    []int32
	sets    int
	marks   *omega.MarkTable
	initial []omega.State

	trees  [][]byte // by macrostate
	number map[string]omega.State

	// Scratch space of AppendEdges.
	from    tree
	next    tree
	dst     []slot // by state of a: its host in next
	letters []omega.Label
	key     []byte
}

// A tree is a macrostate. A node's parent has a smaller number; the root's is -1.
type tree struct {
	parent []int32
	hosted []slot // in order of states
}

// slot puts a state of the automaton into a node.
type slot struct {
	state omega.State
	node  int32
}

// Determinize returns a deterministic and complete automaton with the language
// of a, which must have Büchi acceptance on edges. Its acceptance is parity min
// odd with two marks for each node that a tree can have: one more than there are
// states in components with an accepting cycle.
//
// The construction is Safra's (1988) with Piterman's (2007) names by age, in the
// form for acceptance on edges (Schewe 2009; Redziejowski 2012). States outside
// of components with marked edges are hosted by the root: no run that is
// accepting stays there. The number of macrostates is up to about (1.64n)^n for
// n states.
//
// It fails with an omega.LimitError past limit macrostates (if limit > 0), and
// when ctx is done.
func Determinize(ctx context.Context, a *omega.Automaton, limit int) omega.Source {
	d := &determinized{ctx: ctx, a: a, limit: limit, number: make(map[string]omega.State)}
	c := a.Components()
	d.part = c.Of
	marked := make([]bool, c.Count)
	for s := range a.NumStates() {
		for _, e := range a.Edges(omega.State(s)) {
			if c.Of[s] == c.Of[e.Dst] && e.Marks != 0 {
				marked[c.Of[s]] = true
			}
		}
	}
	nodes := 1
	for s := range a.NumStates() {
		d.inside = append(d.inside, marked[c.Of[s]])
		if d.inside[s] {
			nodes++
		}
	}
	d.sets = 2 * nodes
	d.marks = omega.NewMarkTable(d.sets)
	d.dst = make([]slot, a.NumStates())
	root := tree{parent: []int32{-1}}
	for _, s := range a.Initial() {
		root.hosted = append(root.hosted, slot{s, 0})
	}
	slices.SortFunc(root.hosted, func(x, y slot) int { return int(x.state - y.state) })
	d.initial = []omega.State{d.intern(&root)}
	return d
}

func (d *determinized) Alphabet() *omega.Alphabet    { return d.a.Alphabet() }
func (d *determinized) Acceptance() omega.Acceptance { return omega.ParityMinOdd(d.sets) }
func (d *determinized) Marks() *omega.MarkTable      { return d.marks }
func (d *determinized) Initial() []omega.State       { return d.initial }

// intern returns the number of a macrostate. The key is the parents, then the
// hosted states with their nodes, as varints; its length is not ambiguous,
// because the number of nodes comes first.
func (d *determinized) intern(t *tree) omega.State {
	k := binary.AppendUvarint(d.key[:0], uint64(len(t.parent)))
	for _, p := range t.parent {
		k = binary.AppendUvarint(k, uint64(p+1))
	}
	for _, h := range t.hosted {
		k = binary.AppendUvarint(k, uint64(h.state))
		k = binary.AppendUvarint(k, uint64(h.node))
	}
	d.key = k
	if s, ok := d.number[string(k)]; ok {
		return s
	}
	s := omega.State(len(d.trees))
	text := string(k)
	d.number[text] = s
	d.trees = append(d.trees, []byte(text))
	return s
}

// load reads macrostate s into d.from.
func (d *determinized) load(s omega.State) {
	k := d.trees[s]
	word := func() int32 {
		x, n := binary.Uvarint(k)
		k = k[n:]
		return int32(x)
	}
	t := &d.from
	t.parent, t.hosted = t.parent[:0], t.hosted[:0]
	for range word() {
		t.parent = append(t.parent, word()-1)
	}
	for len(k) > 0 {
		state := word()
		t.hosted = append(t.hosted, slot{omega.State(state), word()})
	}
}

// AppendEdges appends the edges of macrostate s: one for each set of letters
// that have the same successor and mark.
func (d *determinized) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if err := d.ctx.Err(); err != nil {
		return buf, err
	}
	if d.limit > 0 && len(d.trees) > d.limit {
		return buf, &omega.LimitError{What: "macrostates", Limit: d.limit}
	}
	d.load(s)
	d.split()
	base := len(buf)
next:
	for _, letters := range d.letters {
		mark := d.step(letters)
		e := omega.Edge{Label: letters, Dst: d.intern(&d.next)}
		if mark >= 0 {
			e.Marks = d.marks.Of(mark)
		}
		for i := range buf[base:] {
			if f := &buf[base+i]; f.Dst == e.Dst && f.Marks == e.Marks {
				f.Label = d.a.Alphabet().Or(f.Label, e.Label)
				continue next
			}
		}
		buf = append(buf, e)
	}
	return buf, nil
}

// split collects in d.letters the coarsest partition of all letters such that
// each edge of the macrostate's states can be taken on all letters of a set or
// on none.
func (d *determinized) split() {
	all := d.a.Alphabet()
	d.letters = append(d.letters[:0], all.True())
	var done []omega.Label
	for _, h := range d.from.hosted {
		for _, e := range d.a.Edges(h.state) {
			if slices.Contains(done, e.Label) {
				continue
			}
			done = append(done, e.Label)
			for i, n := 0, len(d.letters); i < n; i++ {
				in := all.And(d.letters[i], e.Label)
				if in != omega.False && in != d.letters[i] {
					d.letters = append(d.letters, in)
					d.letters[i] = all.And(d.letters[i], all.Not(e.Label))
				}
			}
		}
	}
}

// step computes in d.next the successor of the macrostate in d.from on letters
// that all have the same one, and returns the mark of the edge, or -1.
//
// While it works, the new child of node i has the number n+i, for n old nodes:
// this keeps the numbers ordered by age, and parents' below their children's.
func (d *determinized) step(letters omega.Label) int {
	n := int32(len(d.from.parent))
	hosted := d.next.hosted[:0]
	const nobody = -1
	for i := range d.dst {
		d.dst[i].node = nobody
	}
	for _, h := range d.from.hosted {
		for _, e := range d.a.Edges(h.state) {
			if !d.a.Alphabet().Meet(letters, e.Label) {
				continue
			}
			host := int32(0)
			if d.inside[e.Dst] && d.part[h.state] == d.part[e.Dst] {
				if host = h.node; e.Marks != 0 {
					host += n
				}
			}
			switch old := d.dst[e.Dst].node; {
			case old == nobody:
				hosted = append(hosted, slot{state: e.Dst})
				d.dst[e.Dst].node = host
			case d.better(host, old):
				d.dst[e.Dst].node = host
			}
		}
	}
	for i := range hosted {
		hosted[i].node = d.dst[hosted[i].state].node
	}
	slices.SortFunc(hosted, func(x, y slot) int { return int(x.state - y.state) })
	d.next.hosted = hosted
	return d.rename(2 * n)
}

// up returns the parent of a node, old or new.
func (d *determinized) up(node int32) int32 {
	if n := int32(len(d.from.parent)); node >= n {
		return node - n
	}
	return d.from.parent[node]
}

// better reports whether a state goes to host x rather than to y.
func (d *determinized) better(x, y int32) bool {
	childX, childY := int32(-1), int32(-1) // of the common ancestor, towards x and y
	for x != y {
		if x > y {
			childX, x = x, d.up(x)
		} else {
			childY, y = y, d.up(y)
		}
	}
	switch {
	case childX < 0: // x is an ancestor of y, or y itself
		return false
	case childY < 0:
		return true
	}
	return childX < childY
}

// rename finds out which nodes die and which are good, dissolves the
// descendants of these, and numbers what is left. It returns the mark.
func (d *determinized) rename(nodes int32) int {
	old := int32(len(d.from.parent))
	own := make([]int32, nodes) // states hosted
	all := make([]int32, nodes) // states of the subtree
	for _, h := range d.next.hosted {
		own[h.node]++
	}
	for i := nodes - 1; i >= 0; i-- {
		all[i] += own[i]
		if p := d.up(i); p >= 0 {
			all[p] += all[i]
		}
	}
	mark := -1
	event := func(m int32) {
		if mark < 0 || int(m) < mark {
			mark = int(m)
		}
	}
	// into[i] is the node that i is dissolved into, or i itself; name[i] its new
	// number.
	into, name := make([]int32, nodes), make([]int32, nodes)
	good := make([]bool, nodes)
	d.next.parent = d.next.parent[:0]
	for i := range nodes {
		p := d.up(i)
		into[i] = i
		switch {
		case all[i] == 0:
			if i < old {
				event(2 * i)
			}
			continue
		case p >= 0 && (into[p] != p || good[p]):
			into[i] = into[p]
			if i < old {
				event(2 * i)
			}
			continue
		case own[i] == 0:
			good[i] = true
			event(2*i + 1)
		}
		name[i] = int32(len(d.next.parent))
		if p >= 0 {
			p = name[p]
		}
		d.next.parent = append(d.next.parent, p)
	}
	for i := range d.next.hosted {
		h := &d.next.hosted[i]
		h.node = name[into[h.node]]
	}
	return mark
}
