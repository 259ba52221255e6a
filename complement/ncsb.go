package complement

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// ncsb refutes runs in deterministic components: from each state, at most one edge on each letter
// stays in the component. So there are at most as many runs inside as states. A word is rejected if
// each of them finally sees no more marks (Blahoudek, Heizmann, Schewe, Strejček, Tsai 2016,
// "Complementing semi-deterministic Büchi automata"). The name says what a macrostate has. N is the
// set of states outside the block, and the part has three sets of states inside:
//
//   - C: their runs may see more marks;
//   - B, a part of C: their runs were inside when B was last filled, and have not moved to S
//     since. When B is empty, the edge carries the mark, and B becomes C;
//   - S: a guess says that their runs see no more marks. If a run does, the guess was wrong,
//     and there is no successor.
//
// A run must move to S when it takes its last marked edge, or when it enters if it takes no marked
// edge. The variants differ in when they guess.
//
// For example, this automaton accepts the words in which a is true infinitely often:
//
//	State: 0  [1] 0   [a] 1
//	State: 1  [a] 1 {0}   [!a] 1
//
// On a, a run enters the block, in state 1. Either the guess is made at once, or the run is in C,
// and so in B, until it takes a marked edge and the guess is made:
//
//	({0}, C {}, S {}, B {}) on !a to ({0}, C {}, S {}, B {}), mark 0
//	({0}, C {}, S {}, B {}) on a to ({0,1}, C {}, S {1}, B {}), mark 0
//	({0}, C {}, S {}, B {}) on a to ({0,1}, C {1}, S {}, B {1}), mark 0
//	({0,1}, C {1}, S {}, B {1}) on 1 to ({0,1}, C {1}, S {}, B {1})
//	({0,1}, C {1}, S {}, B {1}) on a to ({0,1}, C {}, S {1}, B {}), mark 0
//	({0,1}, C {}, S {1}, B {}) on !a to ({0,1}, C {}, S {1}, B {}), mark 0
//
// The last macrostate has no edge on a, which would see a mark. The variants make the same
// macrostates here. With more states in the block, they make fewer subsets of C or B.
type ncsb struct {
	allowance *allowance
	variant   variant
	state     []uint8 // scratch, by state: what is known of it in the next part
	touched   []int32
	source    []uint8 // by state: its set in the part
}

// The kinds of ncsb blocks.
var (
	eagerNCSB = newNCSB(eager)
	lazyNCSB  = newNCSB(lazy)
	jointNCSB = newNCSB(together)
)

func newNCSB(v variant) *blockKind {
	return &blockKind{block: func(m *allowance, _ *Subject, of []int32, _ int32) block {
		return &ncsb{allowance: m, variant: v, state: make([]uint8, len(of)), source: make([]uint8, len(of))}
	}}
}

// variant is when states of an ncsb block get into S.
type variant uint8

const (
	// eager: any subset of the states that have just entered or seen a mark (Blahoudek et al.
	// 2016).
	eager variant = iota
	// lazy: only states of B, any subset of the ones that entered B or saw a mark just
	// now (Chen, Heizmann, Lengál, Li, Tsai, Turrini, Zhang 2018, "Advanced
	// automata-based algorithms for program termination checking").
	lazy
	// together: all of B at once, or none, when B has just been filled or one of its states has
	// seen a mark (Havlena et al. 2023). There are at most three successors.
	together
)

// Where a state is in a part; the others are properties of the way to it.
const (
	inC uint8 = 1 << iota // and not in B
	inB
	inS
	touchedMark // by a marked edge, or from outside
	untouched   // also by an edge without mark, from a state that is not in S
)

const inSome = inC | inB | inS

func (n *ncsb) acceptance() omega.Acceptance { return omega.Buchi() }
func (n *ncsb) deterministic() bool          { return false }

// start does not yet choose the set of a state. What the state does on the first letter counts as
// entering.
func (n *ncsb) start(states []int32, c *choices) {
	for _, q := range states {
		c.words = append(c.words, q<<3)
	}
	c.add(-1)
}

func (n *ncsb) step(part []int32, in *moves, to *choices) error {
	for _, w := range part {
		n.source[w>>3] = uint8(w & 7)
	}
	defer func() {
		for _, w := range part {
			n.source[w>>3] = 0
		}
		for _, q := range n.touched {
			n.state[q] = 0
		}
	}()
	n.touched = n.touched[:0]
	last := false // a run of B may have taken its last mark
	for _, m := range in.list {
		if n.state[m.dst] == 0 {
			n.touched = append(n.touched, m.dst)
		}
		switch from := n.source[m.src]; {
		case !m.inside || from == 0:
			n.state[m.dst] |= inC | touchedMark
		case from == inS && m.marked:
			return nil // the guess was wrong
		case from == inS:
			n.state[m.dst] |= inS
		case m.marked:
			last = last || from == inB
			n.state[m.dst] |= from | touchedMark
		default:
			n.state[m.dst] |= from | untouched
		}
	}
	slices.Sort(n.touched)
	for _, q := range n.touched {
		switch s := &n.state[q]; {
		case *s&inS != 0: // what is in S by one way is so by all
			*s = inS
		case *s&inB != 0:
			*s = *s&^inSome | inB
		}
	}
	return n.choose(last, to)
}

// choose adds the parts that the variant allows. They differ in the states that move to S now. If B is
// empty after that, write fills it with C.
func (n *ncsb) choose(last bool, to *choices) error {
	var onlyC, allB []int32 // the states that are not in S, by whether they are in B
	var fresh []int32       // the states of both that all runs have just reached by a mark, or from outside
	var seenB []int32       // the states of B that some run has just reached so
	for _, q := range n.touched {
		s := n.state[q]
		if s&inS != 0 {
			continue
		}
		if s&inB != 0 {
			allB = append(allB, q)
		} else {
			onlyC = append(onlyC, q)
		}
		if s&touchedMark != 0 {
			if s&untouched == 0 {
				fresh = append(fresh, q)
			}
			if s&inB != 0 {
				seenB = append(seenB, q)
			}
		}
	}
	switch n.variant {
	case eager:
		return n.subsets(nil, fresh, to)
	case lazy:
		if len(allB) == 0 {
			// C is about to become B, so each of its states enters B just now.
			return n.subsets(nil, onlyC, to)
		}
		err := n.subsets(nil, seenB, to)
		if err == nil && len(seenB) == len(allB) && len(onlyC) > 0 {
			// One of these parts has all of B in S. Then too C becomes B, and its states may move on.
			err = n.subsets(allB, onlyC, to)
		}
		return err
	}
	// together: all of B moves or nothing. Once it has, C is the next B, which may move as well.
	n.write(nil, to)
	if len(allB) == 0 || last {
		if len(allB) > 0 {
			n.write(allB, to)
		}
		if len(onlyC) > 0 {
			n.write(append(allB, onlyC...), to)
		}
	}
	return nil
}

// write adds the part in n.state, with the states of now moved to S. If B is empty then, it becomes
// C.
func (n *ncsb) write(now []int32, to *choices) {
	refill := true
	base := len(to.words)
	for _, q := range n.touched {
		s := n.state[q] & inSome
		if slices.Contains(now, q) {
			s = inS
		}
		refill = refill && s != inB
		to.words = append(to.words, q<<3|int32(s))
	}
	mark := -1
	if refill {
		mark = 0
		for i, w := range to.words[base:] {
			if uint8(w&7) == inC {
				to.words[base+i] = w&^7 | int32(inB)
			}
		}
	}
	to.add(mark)
}

// subsets adds a part for each subset of free. In this part, the states of the subset and of always are in S.
func (n *ncsb) subsets(always, free []int32, to *choices) error {
	if len(free) > 30 || 1<<len(free) > maxChoices {
		return &omega.LimitError{What: "successors of a macrostate on one letter", Limit: maxChoices}
	}
	for set := range 1 << len(free) {
		if err := n.allowance.poll(); err != nil {
			return err
		}
		now := always[:len(always):len(always)]
		for i, q := range free {
			if set>>i&1 != 0 {
				now = append(now, q)
			}
		}
		n.write(now, to)
	}
	return nil
}
