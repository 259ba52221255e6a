package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/omega"
)

// pairs is the product of a deterministic automaton, whose marks it leaves out, and another
// automaton over the same alphabet, as a Source. All its labels are true.
type pairs struct {
	header
	left  *omega.Automaton
	right omega.Source
	known intern.Words // a left state, and a right one
	buf   []omega.Edge
}

func newPairs(left *omega.Automaton, right omega.Source) *pairs {
	p := &pairs{header: header{left.Alphabet(), right.Acceptance(), right.Marks(), nil}, left: left, right: right}
	for _, l := range left.Initial() {
		for _, r := range right.Initial() {
			p.initial = append(p.initial, p.state(l, r))
		}
	}
	return p
}

func (p *pairs) state(l, r omega.State) omega.State {
	s, _ := p.known.Number(uint64(l)<<32 | uint64(r))
	return omega.State(s)
}

func (p *pairs) pair(s omega.State) (l, r omega.State) {
	w := p.known.At(int32(s))
	return omega.State(w >> 32), omega.State(uint32(w))
}

func (p *pairs) AppendEdges(buf []omega.Edge, s omega.State) (_ []omega.Edge, err error) {
	l, r := p.pair(s)
	if p.buf, err = p.right.AppendEdges(p.buf[:0], r); err != nil {
		return buf, err
	}
	for _, e := range p.left.Edges(l) {
		for _, f := range p.buf {
			if p.alphabet.Meet(e.Label, f.Label) {
				buf = append(buf, omega.Edge{Label: p.alphabet.True(), Marks: f.Marks, Dst: p.state(e.Dst, f.Dst)})
			}
		}
	}
	return buf, nil
}

// acceptingComponents reports of each component of the deterministic automaton d whether a, a
// generalized Büchi automaton, has an accepting cycle on some word that d can read in it. It fails
// with an omega.LimitError past limit pairs of states, if a does, and when ctx is done.
func acceptingComponents(ctx context.Context, d *omega.Automaton, c omega.Components, a omega.Source, limit int) ([]bool, error) {
	product := newPairs(d, a)
	explored, err := omega.Explore(ctx, product, limit)
	if err != nil {
		return nil, err
	}
	accepting := make([]bool, c.Count)
	of := explored.Components()
	inside, _, err := explored.Occurring(ctx, of)
	if err != nil {
		return nil, err
	}
	for s := range omega.State(explored.NumStates()) {
		for _, e := range explored.Edges(s) {
			if of.Of[s] == of.Of[e.Dst] && explored.Acceptance().Condition.Eval(explored.Marks(), inside[of.Of[s]]) {
				// A Source numbers its states as Explore does.
				l, _ := product.pair(s)
				accepting[c.Of[l]] = true
				break
			}
		}
	}
	return accepting, nil
}
