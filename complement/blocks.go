package complement

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A component of a Subject decides how the runs that stay in it are refuted. It has a cycle that is
// not rejecting.
type component struct {
	*Subject
	i int
}

func (c component) weak() bool          { return c.kinds[c.i] == omega.Accepting } // all cycles are accepting
func (c component) deterministic() bool { return c.free[c.i] }                     // inside

// A blockKind is a way to refute the runs that stay in some components.
type blockKind struct {
	single bool // each block is for one component
	// block returns block i, where of says for each state in which it is.
	block func(m *allowance, s *Subject, of []int32, i int32) block
}

// A chooser returns how the runs that stay in a component are refuted, or nil if it has no way.
type chooser func(component) *blockKind

func everywhere(kind *blockKind) chooser {
	return func(component) *blockKind { return kind }
}

func onlyBreakpoints(c component) *blockKind {
	if c.weak() {
		return breakpoints
	}
	return nil
}

func onlyNCSB(kind *blockKind) chooser {
	return func(c component) *blockKind {
		if c.deterministic() {
			return kind
		}
		return nil
	}
}

// smallest is the number of states up to which deterministic components have fewer
// trees than NCSB has macrostates: on average over random limit-deterministic
// automata and automata of LTL formulas, by a factor of 1.2 to 2.5. From 6 states on
// NCSB has fewer, by up to 5.
const smallest = 5

// modular and treePerComponent choose a block for each component. For example, this automaton has a
// weak component, state 1, and one that is not weak, state 2:
//
//	State: 0  [1] 0   [!a] 1   [a] 2
//	State: 1  [!a] 1 {0}
//	State: 2  [a] 2 {0}   [!a] 2
//
// Both take breakpoints for the first, and a tree for the second. A macrostate has the reachable
// states, the set of the breakpoints, and the tree. Mark 0 belongs to the breakpoints, and the
// others to the tree:
//
//	({0}, {}, 0 hosts {}) on !a to ({0,1}, {1}, 0 hosts {}), mark 0
//	({0}, {}, 0 hosts {}) on a to ({0,2}, {}, 0 hosts {2}), mark 0
//	({0,1}, {1}, 0 hosts {}) on a to ({0,2}, {}, 0 hosts {2}), mark 0
//	({0,2}, {}, 0 hosts {2}) on a to ({0,2}, {}, 0 hosts {}, 1 hosts {2} below 0), mark 0
//	({0,2}, {}, 0 hosts {}, 1 hosts {2} below 0) on a to ({0,2}, {}, 0 hosts {}, 1 hosts {2} below 0), mark 0 4
//
// In the last macrostate, the root hosts no state of its own. But it is not good, because state 0
// is outside and sends more runs into the block. For a larger deterministic component, modular
// takes NCSB instead of the tree.
func modular(c component) *blockKind {
	switch {
	case c.weak():
		return breakpoints
	case c.deterministic() && c.sizes[c.i] > smallest:
		return jointNCSB
	}
	return ownTree
}

func treePerComponent(c component) *blockKind { return cmp.Or(onlyBreakpoints(c), ownTree) }

// blocks returns the complement by a block for each kind of component. An automaton with another
// acceptance condition gets Büchi acceptance first.
func blocks(ctx context.Context, s *Subject, m *allowance, choose chooser) (omega.Source, error) {
	switch {
	case isAlternating(s):
		return nil, fmt.Errorf("%w: it is alternating: use dualization", ErrUnfit)
	case isDeterministic(s):
		b, err := Buchi(ctx, s.a, omega.Limits{Macrostates: m.limit})
		if err != nil {
			return nil, err
		}
		if s, err = classify(ctx, b); err != nil {
			return nil, err
		}
	}
	p := s.plan(choose)
	if p == nil {
		return nil, ErrUnfit
	}
	return s.macrostates(m, p), nil
}

// A plan says how the runs that stay in the components are refuted.
type plan struct {
	kinds []*blockKind // of the blocks
	block []int32      // of a component, or -1
}

// plan assigns the components to blocks. It returns nil if choose has no block for a component.
func (s *Subject) plan(choose chooser) *plan {
	p := &plan{block: make([]int32, len(s.kinds))}
	for i, cycles := range s.kinds {
		// An accepting run can't stay in a component without accepting cycles, so nothing has to
		// refute it there.
		p.block[i] = -1
		if cycles != omega.Accepting && cycles != omega.Mixed {
			continue
		}
		kind := choose(component{s, i})
		if kind == nil {
			return nil
		}
		block := slices.Index(p.kinds, kind)
		// Components of one kind share a block, unless the kind wants one for each.
		if block < 0 || kind.single {
			block = len(p.kinds)
			p.kinds = append(p.kinds, kind)
		}
		p.block[i] = int32(block)
	}
	return p
}

// equal reports whether two plans make the same macrostates. If there is one component, a tree for
// all components is the same as a tree for each.
func (p *plan) equal(q *plan) bool {
	tree := func(k *blockKind) bool { return k == oneTree || k == ownTree }
	return slices.Equal(p.block, q.block) && slices.EqualFunc(p.kinds, q.kinds, func(x, y *blockKind) bool {
		return x == y || tree(x) && tree(y)
	})
}

// macrostates returns the complement by a plan.
func (s *Subject) macrostates(m *allowance, p *plan) *macrostates {
	of := make([]int32, s.a.NumStates())
	for q, part := range s.parts.Of {
		of[q] = p.block[part]
	}
	var blocks []block
	for i, kind := range p.kinds {
		blocks = append(blocks, kind.block(m, s, of, int32(i)))
	}
	return newMacrostates(newSubsets(m, s, of, len(blocks)), blocks)
}
