package complement

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// ncsb refutes runs in components that are deterministic: from each state, at
// most one edge on each letter stays in the component. So there are no more runs
// inside than states, and a word is rejected if each sees its last mark at some
// time (Blahoudek, Heizmann, Schewe, Strejček, Tsai 2016, "Complementing
// semi-deterministic Büchi automata"; N, there, is the set of other states).
//
// The part says of each state of the block one of:
//
//   - check: its run may see more marks;
//   - due: the same, and the run was inside when the due ones were chosen. When
//     none is left the edge carries the mark, and all that are to be checked are
//     due;
//   - safe: it was guessed that its run sees no more marks. If it does, the guess
//     was wrong, and there is no successor.
//
// A run has to become safe when it takes its last marked edge, or when it comes
// in if it has none. What is guessed when is the variant.
type ncsb struct {
	allowance *allowance
	variant   variant
	state     []uint8 // scratch, by state: what is known of it in the next part
	touched   []int32
	source    []uint8 // by state: its status in the part
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

// variant is when states of an ncsb block become safe.
type variant uint8

const (
	// eager: any subset of those that have just come in or seen a mark
	// (Blahoudek et al. 2016).
	eager variant = iota
	// lazy: only due ones, any subset of those that have just become due or seen
	// a mark (Chen, Heizmann, Lengál, Li, Tsai, Turrini, Zhang 2018, "Advanced
	// automata-based algorithms for program termination checking").
	lazy
	// together: all due ones at once, or none; when they have just become due, or
	// one of them has seen a mark (Havlena et al. 2023): there are at most three
	// successors.
	together
)

// Status of a state in a part; the others are properties of the way to it.
const (
	check uint8 = 1 << iota
	due
	safe
	touchedMark // by a marked edge, or from outside
	untouched   // also by an edge without mark, from a state that is not safe
)

const status = check | due | safe

func (n *ncsb) acceptance() omega.Acceptance { return omega.Buchi() }
func (n *ncsb) deterministic() bool          { return false }

// start leaves the status of all states open: what they do on the first letter
// counts as coming in.
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
	last := false // a due run may have taken its last mark
	for _, m := range in.list {
		if n.state[m.dst] == 0 {
			n.touched = append(n.touched, m.dst)
		}
		switch from := n.source[m.src]; {
		case !m.inside || from == 0:
			n.state[m.dst] |= check | touchedMark
		case from == safe && m.marked:
			return nil // the guess was wrong
		case from == safe:
			n.state[m.dst] |= safe
		case m.marked:
			last = last || from == due
			n.state[m.dst] |= from | touchedMark
		default:
			n.state[m.dst] |= from | untouched
		}
	}
	slices.Sort(n.touched)
	for _, q := range n.touched {
		switch s := &n.state[q]; {
		case *s&safe != 0: // what is safe by one way is so by all
			*s = safe
		case *s&due != 0:
			*s = *s&^status | due
		}
	}
	return n.choose(last, to)
}

// choose adds the parts that the variant allows. Where no state is left due, those
// to be checked become due, and so may be safe at once as well.
func (n *ncsb) choose(last bool, to *choices) error {
	var checked, owed, free, fresh []int32
	for _, q := range n.touched {
		s := n.state[q]
		switch {
		case s&safe != 0:
			continue
		case s&due != 0:
			owed = append(owed, q)
		default:
			checked = append(checked, q)
		}
		if s&touchedMark != 0 && s&untouched == 0 {
			fresh = append(fresh, q)
		}
		if s&due != 0 && s&touchedMark != 0 {
			free = append(free, q)
		}
	}
	switch {
	case n.variant == eager:
		return n.subsets(nil, fresh, to)
	case n.variant == lazy && len(owed) == 0:
		return n.subsets(nil, checked, to)
	case n.variant == lazy && len(free) == len(owed) && len(checked) > 0:
		if err := n.subsets(nil, free, to); err != nil {
			return err
		}
		return n.subsets(owed, checked, to)
	case n.variant == lazy:
		return n.subsets(nil, free, to)
	}
	n.write(nil, to)
	if len(owed) == 0 || last {
		if len(owed) > 0 {
			n.write(owed, to)
		}
		if len(checked) > 0 {
			n.write(append(owed, checked...), to)
		}
	}
	return nil
}

// write adds the part that is in n.state, but with the states of now safe; if
// no state is due then, all that are to be checked are.
func (n *ncsb) write(now []int32, to *choices) {
	refill := true
	base := len(to.words)
	for _, q := range n.touched {
		s := n.state[q] & status
		if slices.Contains(now, q) {
			s = safe
		}
		refill = refill && s != due
		to.words = append(to.words, q<<3|int32(s))
	}
	mark := -1
	if refill {
		mark = 0
		for i, w := range to.words[base:] {
			if uint8(w&7) == check {
				to.words[base+i] = w&^7 | int32(due)
			}
		}
	}
	to.add(mark)
}

// subsets adds a part for each subset of free: its states are safe, and those of
// always.
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
