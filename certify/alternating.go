package certify

import "slices"

// alternating decides membership in an alternating automaton: a word is accepted from a node
// if some edge leads only to nodes from which it is, and no path stays for ever in a
// component that rejects. All cycles of a component must agree, as in a weak automaton;
// otherwise it fails with ErrNotWeak.
//
// Components are decided from the last to the first. Within an accepting one, all nodes
// are assumed to accept until it is clear that one does not; within a rejecting one, the
// other way round.
func (p *product) alternating() (bool, error) {
	accepts := make([]bool, len(p.nodes.list))
	of, count := components(len(accepts), p.arcs)
	parts, arcs := make([][]int, count), inner(of, count, p.arcs)
	for n, i := range of {
		parts[i] = append(parts[i], n)
	}
	for i, part := range slices.Backward(parts) {
		good, err := p.kind(arcs[i])
		if err != nil {
			return false, err
		}
		for _, n := range part {
			accepts[n] = good
		}
		for changed := true; changed; {
			changed = false
			for _, n := range part {
				if won := p.wins(n, accepts); won != accepts[n] {
					accepts[n] = won
					changed = true
				}
			}
			if err := p.ctx.Err(); err != nil {
				return false, err
			}
		}
	}
	return slices.ContainsFunc(p.automaton.Start, func(start []int) bool {
		return !slices.ContainsFunc(start, func(s int) bool { return !accepts[p.nodes.of(node{s, 0})] })
	}), nil
}

// wins reports whether some edge leads only to nodes that accept.
func (p *product) wins(n int, accepts []bool) bool {
	return slices.ContainsFunc(p.choices[n], func(all []int) bool {
		return !slices.ContainsFunc(all, func(m int) bool { return !accepts[m] })
	})
}

// kind reports whether the cycles of a component are accepting.
func (p *product) kind(arcs []arc) (bool, error) {
	good, err := cycle(p.ctx, arcs, p.automaton.Acceptance)
	if err != nil || !good {
		return false, err
	}
	bad, err := cycle(p.ctx, arcs, negation(p.automaton.Acceptance))
	if err == nil && bad {
		err = ErrNotWeak
	}
	return true, err
}
