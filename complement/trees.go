package complement

import (
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/omega"
)

// trees refutes runs in any components by following all of them (Safra 1988, "On
// the complexity of ω-automata", with Piterman's names by age, "From
// nondeterministic Büchi and Streett automata to deterministic parity automata",
// 2007; in the form for marks on edges of Schewe 2009, "Tighter bounds for the
// determinisation of Büchi automata", and Redziejowski 2012, "An improved
// construction of deterministic omega-automaton using derivatives").
//
// The part is an ordered tree of nodes, numbered by age from 0, the root. Each state of the block
// has a node as its host. A node stands for all states hosted in its subtree. On a letter:
//
//   - A state that is reached by an edge without the mark stays with its host. One that is
//     reached by an edge with the mark moves to a new child of the host, the youngest. One that
//     enters from outside, or from another component, goes to the root. States outside that may
//     enter count as hosted by the root.
//   - If several hosts claim a state, it goes to the best one: descendants come before
//     ancestors, and in different subtrees the older one wins.
//   - A node dies if no state is in its subtree.
//   - A node is good if it hosts no state itself, because all have moved to children. Then
//     every state in it has been reached by an edge with the mark since the node was last good.
//     Its descendants are dissolved into it.
//   - The nodes that are left are numbered again, in the same order. The root is always left.
//
// Some run is accepting if and only if some number is good infinitely often, and finally neither
// that node nor an older one dies. So when node i dies, the edge carries the mark 2i, and when it
// is good, 2i+1. Only the least of these marks counts. All runs are rejecting if the least mark
// that is seen infinitely often is even, or if there is none. The number of trees is up to about
// (1.64n)^n for n states.
//
// For example, this automaton accepts the words in which a is false twice in a row infinitely
// often:
//
//	State: 0  [1] 0   [!a] 1
//	State: 1  [!a] 1 {0}   [a] 0
//
// The second !a takes state 1 to itself by an edge with the mark, and so to a new child of the
// root. A third one takes it to a child of this child, which keeps no state of its own: it is good,
// and its child is dissolved into it. On a, the run from 1 gets to state 0. It is in the better
// host, so that now the root keeps no state of its own, and is good:
//
//	({0}, 0 hosts {0}) on !a to ({0,1}, 0 hosts {0,1})
//	({0,1}, 0 hosts {0,1}) on !a to ({0,1}, 0 hosts {0}, 1 hosts {1} below 0)
//	({0,1}, 0 hosts {0}, 1 hosts {1} below 0) on !a to ({0,1}, 0 hosts {0}, 1 hosts {1} below 0), mark 3
//	({0,1}, 0 hosts {0}, 1 hosts {1} below 0) on a to ({0}, 0 hosts {0}), mark 1
//
// A state is left out if another one simulates it that is in the same host or a better one, and not
// in an earlier component. An accepting run then continues from the other one, as if that host had
// claimed its state.
type trees struct {
	states int // of the block
	part   []int32
	order  *reduce.Preorder // or nil

	// Scratch space.
	parent []int32 // of each old node; -1 is the root's
	host   []int32 // by state: its node in the part, or -1
	claim  []int32 // by state: its node in the next part, or -1
	hosted []int32 // the states of the next part
	left   []int32 // those left out
	nodes  []node
}

// node is what rename finds out about a node.
type node struct {
	own, all int32 // states hosted, states of the subtree
	into     int32 // the node that it is dissolved into, or itself
	name     int32 // its new number
	good     bool
}

// The kinds of blocks with trees: one for all components, or one for each.
var (
	oneTree = &blockKind{block: newTrees}
	ownTree = &blockKind{block: newTrees, single: true}
)

func newTrees(_ *allowance, x *Subject, of []int32, i int32) block {
	t := &trees{host: make([]int32, len(of)), claim: make([]int32, len(of)), part: x.parts.Of, order: x.order}
	for q, b := range of {
		t.host[q], t.claim[q] = -1, -1
		if b == i {
			t.states++
		}
	}
	return t
}

func (t *trees) acceptance() omega.Acceptance {
	// Each node hosts a state, but for the root what is outside may count.
	return omega.Parity("parity min odd", 2*(t.states+1)).Dual()
}

func (t *trees) deterministic() bool { return true }

// start puts all states into the root. A part begins with the number of nodes. Then come the
// parents of all nodes but the root, and the states with their nodes.
func (t *trees) start(states []int32, to *choices) {
	to.words = append(to.words, 1)
	for _, q := range states {
		to.words = append(to.words, q, 0)
	}
	to.add(-1)
}

// step follows the moves. While it works, the new child of node i has the number n+i, for n old
// nodes. So the numbers are ordered by age, and each parent has a smaller number than its children.
func (t *trees) step(part []int32, in *moves, to *choices) error {
	n := part[0]
	t.parent = append(append(t.parent[:0], -1), part[1:n]...)
	for k := int(n); k < len(part); k += 2 {
		t.host[part[k]] = part[k+1]
	}
	t.hosted = t.hosted[:0]
	for _, m := range in.list {
		host := int32(0)
		if m.inside {
			if host = t.host[m.src]; host < 0 {
				continue // the state was left out
			}
			if m.marked {
				host += n
			}
		}
		switch old := t.claim[m.dst]; {
		case old < 0:
			t.hosted = append(t.hosted, m.dst)
			t.claim[m.dst] = host
		case t.better(host, old):
			t.claim[m.dst] = host
		}
	}
	slices.Sort(t.hosted)
	t.prune()
	t.rename(2*n, in.outside, to)
	for k := int(n); k < len(part); k += 2 {
		t.host[part[k]] = -1
	}
	for _, q := range t.hosted {
		t.claim[q] = -1
	}
	return nil
}

// prune removes superfluous states.
func (t *trees) prune() {
	if t.order == nil {
		return
	}
	kept := t.hosted[:0]
	for _, p := range t.hosted {
		if t.superfluous(p) {
			t.left = append(t.left, p)
		} else {
			kept = append(kept, p)
		}
	}
	t.hosted = kept
	for _, p := range t.left {
		t.claim[p] = -1
	}
	t.left = t.left[:0]
}

// superfluous reports whether another state with the same host or a better one simulates the state.
// Of two states that simulate each other, the first one stays.
func (t *trees) superfluous(p int32) bool {
	for k, w := range t.order.Simulators(omega.State(p)) {
		for ; w != 0; w &= w - 1 {
			q := int32(64*k + bits.TrailingZeros64(w))
			x, y := t.claim[q], t.claim[p]
			if q == p || x < 0 || t.part[q] > t.part[p] {
				continue
			}
			mutual := bitset.Has(t.order.Simulators(omega.State(q)), p)
			if x == y && (!mutual || q < p) || x != y && t.better(x, y) {
				return true
			}
		}
	}
	return false
}

// up returns the parent of a node, old or new.
func (t *trees) up(node int32) int32 {
	if n := int32(len(t.parent)); node >= n {
		return node - n
	}
	return t.parent[node]
}

// better reports whether a state goes to host x rather than to y.
func (t *trees) better(x, y int32) bool {
	childX, childY := int32(-1), int32(-1) // of the common ancestor, towards x and y
	for x != y {
		// An ancestor has a smaller number, so the node with the greater one is no ancestor of the
		// other.
		if x > y {
			childX, x = x, t.up(x)
		} else {
			childY, y = y, t.up(y)
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

// rename finds the nodes that die and the good ones, dissolves the descendants of good ones,
// numbers the rest, and adds the part.
func (t *trees) rename(count int32, outside bool, to *choices) {
	old := int32(len(t.parent))
	t.nodes = slices.Grow(t.nodes[:0], int(count))[:count]
	clear(t.nodes)
	if outside {
		t.nodes[0].own = 1
	}
	for _, q := range t.hosted {
		t.nodes[t.claim[q]].own++
	}
	// A child has a greater number than its parent, so subtrees are summed from below.
	for i := count - 1; i >= 0; i-- {
		v := &t.nodes[i]
		v.all += v.own
		if p := t.up(i); p >= 0 {
			t.nodes[p].all += v.all
		}
	}
	mark := -1
	event := func(m int32) {
		if mark < 0 || int(m) < mark {
			mark = int(m)
		}
	}
	base := len(to.words)
	to.words = append(to.words, 0)
	left := int32(0)
	for i := range count {
		p, v := t.up(i), &t.nodes[i]
		v.into = i
		switch {
		case v.all == 0:
			// A node that this letter made was never good, so its end need not show.
			if i < old {
				event(2 * i)
			}
			// The root stays, even without states.
			if i > 0 {
				continue
			}
		case p >= 0 && (t.nodes[p].into != p || t.nodes[p].good):
			// The parent was dissolved, or is good and takes its descendants in.
			v.into = t.nodes[p].into
			if i < old {
				event(2 * i)
			}
			continue
		case v.own == 0:
			v.good = true
			event(2*i + 1)
		}
		v.name = left
		if left++; p >= 0 {
			to.words = append(to.words, t.nodes[p].name)
		}
	}
	to.words[base] = left
	for _, q := range t.hosted {
		to.words = append(to.words, q, t.nodes[t.nodes[t.claim[q]].into].name)
	}
	to.add(mark)
}
