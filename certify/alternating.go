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
	accepts := make([]bool, len(p.nodes))
	parts := p.ordered()
	for i, arcs := range p.inner(parts) {
		part := parts[i]
		good, err := p.kind(arcs)
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
		return !slices.ContainsFunc(start, func(s int) bool { return !accepts[p.number[node{s, 0}]] })
	}), nil
}

// wins reports whether some edge leads only to nodes that accept.
func (p *product) wins(n int, accepts []bool) bool {
	return slices.ContainsFunc(p.choices[n], func(all []int) bool {
		return !slices.ContainsFunc(all, func(m int) bool { return !accepts[m] })
	})
}

// inner returns the arcs within each component.
func (p *product) inner(parts [][]int) [][]arc {
	of := make([]int, len(p.nodes))
	for i, part := range parts {
		for _, n := range part {
			of[n] = i
		}
	}
	arcs := make([][]arc, len(parts))
	for _, a := range p.arcs {
		if i := of[a.from]; i == of[a.to] {
			arcs[i] = append(arcs[i], a)
		}
	}
	return arcs
}

// kind reports whether the cycles of a component are accepting.
func (p *product) kind(arcs []arc) (bool, error) {
	s := search{ctx: p.ctx}
	good, err := s.cycle(arcs, p.automaton.Acceptance)
	if err != nil || !good {
		return false, err
	}
	bad, err := s.cycle(arcs, opposite(p.automaton.Acceptance))
	if err == nil && bad {
		err = ErrNotWeak
	}
	return true, err
}

// opposite returns the condition that holds where c does not.
func opposite(c *Condition) *Condition {
	to := map[CondOp]CondOp{Never: Always, Always: Never, Inf: Fin, Fin: Inf, AllOf: AnyOf, AnyOf: AllOf}
	d := &Condition{Op: to[c.Op], Mark: c.Mark, Complement: c.Complement}
	for _, arg := range c.Args {
		d.Args = append(d.Args, opposite(arg))
	}
	return d
}

// ordered returns the components of the product, each after those that it leads to.
func (p *product) ordered() [][]int {
	forward := make([][]int, len(p.nodes))
	backward := make([][]int, len(p.nodes))
	for _, a := range p.arcs {
		forward[a.from] = append(forward[a.from], a.to)
		backward[a.to] = append(backward[a.to], a.from)
	}
	var finished []int
	visit(forward, slices.Collect(upTo(len(p.nodes))), func(_, n int) { finished = append(finished, n) })
	slices.Reverse(finished)
	var parts [][]int
	last := -1
	visit(backward, finished, func(root, n int) {
		if root != last {
			parts, last = append(parts, nil), root
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], n)
	})
	slices.Reverse(parts) // the second search finds them from the first to the last
	return parts
}
