package emptiness

import (
	"context"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Nested depth-first searches. An outer search goes through the automaton; when
// it has seen all that can be reached from an accepting state, an inner search
// looks for a way from there back. No state is visited more than once by either,
// since what an inner search has seen in vain, no later one needs to see.
//
// Take the edges 0→1, 1→2 {0}, 2→0, 2→2. The outer search visits 0, 1 and 2. When 2 is
// complete, the accepting edge 1→2 starts an inner search at 2. ByHPY stops at its edge to 0,
// which is on the outer path; ByCVWY goes on to 0, and stops at 0→1, back at the start.
//
// Here edges are accepting. An accepting edge from s to t stands for two edges
// with an accepting state m between them. On the automaton with these states,
// the algorithms do the same as in the papers, so the proofs there apply. The
// states m need no place in any table, as each has one edge to it and one from
// it: m is visited when s follows the edge, is complete when t is (at once, if t
// was visited before), and then the inner search from m starts at t. If that
// comes to s, it has come to m.
//
// One thing is added. The papers find a cycle without an inner search if the
// outer one meets a state of its path that is accepting. With the states m that
// never happens, but the same cycles are found by looking whether the path leaves
// the state that is met by an accepting edge; for this there is a bit. (Where the
// accepting edges are those that leave some states, this is the test of the
// papers. An accepting edge back to the path needs no test: the inner search
// that it starts ends at once.)

// nestedRules say in what the algorithms differ.
type nestedRules struct {
	onPath bool // the inner search ends at any state of the outer one's path
	early  bool // the outer search looks for cycles, too
	black  bool // states are black if nothing is accepted from any successor
}

// What is known of a state.
const (
	byOuter  uint8 = 1 << iota // the outer search has come here
	byInner                    // an inner search has, or need not: red, or black
	onOuter                    // it is on the outer search's path
	accepted                   // and the path leaves it by an accepting edge
)

// nested is the state of a nested search.
type nested struct {
	product.Explorer
	nestedRules
	accepting clause
	colour    []uint8 // by state
}

func checkNested(name Algorithm, rules nestedRules) check {
	return func(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
		return asBuchi(name, generalizedBuchi, src, func(src omega.Source, accepting clause) (*Result, error) {
			n := &nested{Explorer: product.NewExplorer(ctx, src, limits), nestedRules: rules, accepting: accepting}
			return n.Decide(n.outer)
		})
	}
}

// at returns what is known of a state.
func (n *nested) at(s omega.State) *uint8 {
	if int(s) >= len(n.colour) {
		n.colour = product.Grown(n.colour, s)
	}
	return &n.colour[s]
}

// enter is the outer or an inner search coming to a state.
func (n *nested) enter(s omega.State, as uint8) error {
	c := n.at(s)
	if *c&(byOuter|byInner) == 0 {
		if err := n.Explorer.Enter(); err != nil {
			return err
		}
	}
	n.colour[s] |= as
	return n.Push(s, cap(n.colour), 0)
}

// outer is the outer search (dfs_blue in the papers).
func (n *nested) outer() (*Run, error) {
	for _, init := range n.Src.Initial() {
		if *n.at(init)&byOuter != 0 {
			continue
		}
		if err := n.visit(init); err != nil {
			return nil, err
		}
		for len(n.Path) > 0 {
			e, ok := n.Next()
			if !ok {
				n.leave()
				if len(n.Path) == 0 {
					break
				}
				// The edge that led to the state that is complete now.
				top := n.Path[len(n.Path)-1]
				n.colour[top.State] &^= accepted
				e = n.Edges[top.Next-1]
			} else if c := *n.at(e.Dst); c&byOuter == 0 {
				if n.accepting.has(e) {
					n.colour[n.Path[len(n.Path)-1].State] |= accepted
				}
				if err := n.visit(e.Dst); err != nil {
					return nil, err
				}
				continue
			} else if n.early && c&accepted != 0 {
				return lasso(&n.Explorer, e.Dst), nil
			}
			// The inner searches start in postorder. When a state is complete, so is all that it
			// leads to outside the path. What earlier inner searches saw in vain therefore leads to
			// no state of the path, and this one need not see it again.
			if n.accepting.has(e) {
				if run, err := n.inner(e); run != nil || err != nil {
					return run, err
				}
			}
		}
	}
	return nil, nil
}

// visit is the outer search coming to a new state. Of its edges, those are
// dropped with which nothing is to be done.
func (n *nested) visit(s omega.State) error {
	if err := n.enter(s, byOuter|onOuter); err != nil {
		return err
	}
	base := n.Path[len(n.Path)-1].Base
	kept := n.Edges[:base]
	for _, e := range n.Edges[base:] {
		// The outer search has left such a state. Its edge is of use only if an inner search has
		// not been there, and then to start one, or to tell whether s is black.
		c := *n.at(e.Dst)
		done := c&byOuter != 0 && c&onOuter == 0
		if done && (c&byInner != 0 || !n.black && !n.accepting.has(e)) {
			continue
		}
		kept = append(kept, e)
	}
	n.Edges = kept
	return nil
}

// leave is the outer search leaving the state at the end of its path.
func (n *nested) leave() {
	top := n.Path[len(n.Path)-1]
	c := &n.colour[top.State]
	*c &^= onOuter
	if n.black {
		// A state is black if nothing is accepted from any of its successors.
		all := byInner
		for _, e := range n.Edges[top.Base:] {
			all &= n.colour[e.Dst]
		}
		*c |= all
	}
	n.Pop()
}

// inner is an inner search (dfs_red in the papers) that starts by an accepting
// edge from the end of the outer search's path.
func (n *nested) inner(e omega.Edge) (*Run, error) {
	depth := len(n.Path)
	seed := n.Path[depth-1].State
	for {
		c := *n.at(e.Dst)
		if e.Dst == seed || n.onPath && c&onOuter != 0 {
			// The path leads from there to the seed, past the accepting edge, and the inner search
			// back.
			return lasso(&n.Explorer, e.Dst), nil
		}
		if c&byInner == 0 {
			if err := n.enter(e.Dst, byInner); err != nil {
				return nil, err
			}
		}
		for {
			if len(n.Path) == depth {
				return nil, nil
			}
			var ok bool
			if e, ok = n.Next(); ok {
				break
			}
			n.Pop()
		}
	}
}
