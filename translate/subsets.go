package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// subsets is the subset construction of an automaton, as a Source: deterministic
// and complete, since the empty set counts. It has no marks, and every word is
// accepted.
type subsets struct {
	header
	*budget.Budget
	long  int // steps of the budget that one of ours takes
	a     *omega.Automaton
	words int // of a set
	sets  intern.Lists[uint64]

	// Scratch space.
	members []int // of a set
	parts   []part
	at      map[omega.State]int // position of the edge to a set
}

// A part is the set that the letters of a label lead to.
type part struct {
	label omega.Label
	set   bitSet
}

// newSubsets returns the subset construction of a. It fails with an omega.LimitError
// when it has looked at limit pairs of an edge and a part of the letters, or a few
// more.
func newSubsets(ctx context.Context, a *omega.Automaton, limit int) *subsets {
	x := &subsets{header: newHeader(a.Alphabet(), 0), Budget: budget.New(ctx), long: 1, a: a, words: max(1, (a.NumStates()+63)/64)}
	x.LimitSteps(limit)
	x.at = make(map[omega.State]int)
	start := make(bitSet, x.words)
	for _, s := range a.Initial() {
		start.add(int(s))
	}
	x.initial = []omega.State{x.state(start)}
	return x
}

func (x *subsets) state(set []uint64) omega.State {
	s, _ := x.sets.Number(set)
	return omega.State(s)
}

func (x *subsets) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	all := x.a.Alphabet()
	x.parts = x.parts[:0]
	x.grow(all.True())
	clear(x.parts[0].set)
	x.members = bitSet(x.sets.At(int32(s))).appendTo(x.members[:0], 0)
	for _, q := range x.members {
		for _, e := range x.a.Edges(omega.State(q)) {
			if x.add(e); x.Err() != nil {
				return buf, x.Err()
			}
		}
	}
	clear(x.at)
	for _, p := range x.parts {
		dst := x.state(p.set)
		if i, ok := x.at[dst]; ok {
			buf[i].Label = all.Or(buf[i].Label, p.label)
			continue
		}
		x.at[dst] = len(buf)
		buf = append(buf, omega.Edge{Label: p.label, Dst: dst})
	}
	return buf, nil
}

// add divides the parts by the letters of an edge, and adds its destination to those
// that have them.
func (x *subsets) add(e omega.Edge) {
	all := x.a.Alphabet()
	for i := range len(x.parts) {
		if x.Spend(x.long) {
			return
		}
		p := &x.parts[i]
		in := all.And(p.label, e.Label)
		if in == omega.False {
			continue
		}
		if out := all.And(p.label, all.Not(e.Label)); out != omega.False {
			rest := x.grow(out)
			p = &x.parts[i] // may have moved
			copy(rest.set, p.set)
			p.label = in
		}
		p.set.add(int(e.Dst))
	}
}

// grow adds a part, whose set may have any content.
func (x *subsets) grow(label omega.Label) *part {
	n := len(x.parts)
	if n < cap(x.parts) {
		x.parts = x.parts[:n+1]
	} else {
		x.parts = append(x.parts, part{})
	}
	p := &x.parts[n]
	if p.label = label; p.set == nil {
		p.set = make(bitSet, x.words)
	}
	return p
}
