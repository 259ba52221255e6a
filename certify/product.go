package certify

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
)

// ErrLarge reports automata, words or formulas past a limit, or with too many propositions.
var ErrLarge = errors.New("too large for a naive check")

// ErrNotWeak reports an alternating automaton with a component that has accepting and
// rejecting cycles. Membership in such an automaton is not decided.
var ErrNotWeak = errors.New("unsupported: alternating automaton that is not weak")

// Accepts reports whether the automaton accepts the word. Unless it finds an accepting run before, it fails with an
// *OpenError if a letter leaves open a proposition that a label needs, with ErrNotWeak, and when ctx is done.
//
// It takes time linear in the product of the automaton and the word, times the number of conditions that the search
// for a cycle tries. That is one for Büchi, and exponential in the number of marks at worst.
func Accepts(ctx context.Context, a *Automaton, w *Word) (bool, error) {
	if err := cmp.Or(a.check(), w.check()); err != nil {
		return false, err
	}
	return product(ctx, a, w.Automaton(), math.MaxInt, a.Acceptance, func(from, i, at, _ int) (bool, error) {
		reads, undecided := a.Edges(from)[i].Label.eval(func(prop int) value { return w.at(at).value(a.Props[prop]) })
		if reads == open {
			return false, &OpenError{a.Props[undecided]}
		}
		return reads == yes, nil
	})
}

// An arc joins an edge of a left automaton and one of a right automaton, if there is one.
type arc struct {
	from, to    int
	left, right *Edge
}

// product reports whether two automata have a common word, where an accepting run of both satisfies c. It makes the
// pairs of states that can be reached, and arcs for the edges that meet: edge i of state s and edge j of state t.
// No cycle leaves a pair of components, so each pair of them is done by itself. limit bounds all arcs, and 16 times
// what is in memory. The left automaton may be alternating, if it accepts by c: then all is done at once, with an arc
// for each destination of an edge.
func product(ctx context.Context, a, b *Automaton, limit int, c *Condition, meet func(s, i, t, j int) (bool, error)) (bool, error) {
	all, inA, inB := a.Alternating(), a.Components(), b.Components()
	if all {
		inA, inB = make([]int, a.States), make([]int, b.States)
	}
	reached := map[[2]int]*numbering[[2]int]{} // pairs of states, by components
	made, kept := 0, 0                         // all arcs; pairs and arcs in memory
	reach := func(s, t int) (pairs *numbering[[2]int], number int) {
		key := [2]int{inA[s], inB[t]}
		if reached[key] == nil {
			reached[key] = &numbering[[2]int]{}
		}
		pairs = reached[key]
		kept -= len(pairs.list)
		number = pairs.of([2]int{s, t})
		kept += len(pairs.list)
		return pairs, number
	}
	for _, s := range slices.Concat(a.Start...) {
		for _, t := range b.Start {
			reach(s, t[0])
		}
	}
	most := 1 + slices.Max(append([]int{0}, inB...))
	for k := most*(1+slices.Max(append([]int{0}, inA...))) - 1; k >= 0 && ctx.Err() == nil; k-- { // components come after those that they lead to
		key := [2]int{k / most, k % most}
		pairs, arcs := reached[key], []arc(nil)
		if pairs == nil {
			continue
		}
		for at := 0; at < len(pairs.list); at++ {
			s, t := pairs.list[at][0], pairs.list[at][1]
			for i, e := range a.Edges(s) {
				for j, f := range b.Edges(t) {
					ok, err := meet(s, i, t, j)
					if made > limit || kept > limit/16 {
						err = ErrLarge
					}
					if err = cmp.Or(err, ctx.Err()); err != nil {
						return false, err
					}
					for k := 0; ok && k < len(e.To); k++ { // a conjunction goes on in each of its states
						made++
						if to, n := reach(e.To[k], f.To[0]); to == pairs {
							arcs = append(arcs, arc{at, n, e, f})
							kept++
						}
					}
				}
			}
		}
		if all {
			return alternating(ctx, a, pairs, arcs)
		}
		good, err := live(ctx, len(pairs.list), arcs, c)
		if err != nil || slices.Contains(good, true) {
			return err == nil, err
		}
		kept -= len(pairs.list) + len(arcs)
		delete(reached, key)
	}
	return false, ctx.Err()
}

// eval returns the value of a label; at gives the values of propositions. If the value is open, it
// depends on the proposition with the number undecided.
func (l *Label) eval(at func(prop int) value) (v value, undecided int) {
	type result struct {
		value
		prop int // the undecided one
	}
	known := map[*Label]result{} // large labels share parts, and would take exponential time
	var compute func(part *Label) result
	compute = func(part *Label) (r result) {
		switch part.Op {
		case Prop:
			return result{at(part.Prop), part.Prop}
		case Not:
			r = compute(part.Args[0])
			return result{yes - r.value, r.prop}
		}
		if r, ok := known[part]; ok {
			return r
		}
		r.value = valueOf(part.Op == And || part.Op == True) // True and False have no operands
		for _, arg := range part.Args {
			if x := compute(arg); x.value < r.value == (part.Op == And) && x.value != r.value {
				r = x
			}
		}
		if part != l { // most labels have one operator, and need no entry
			known[part] = r
		}
		return r
	}
	r := compute(l)
	return r.value, r.prop
}

// On returns the truth of the label on all letters of a cube, where number[i] is the number of proposition i
// there. If that differs, undecided is the bit of a proposition on which it depends.
func (l *Label) On(letters Cube, number []int) (truth bool, undecided uint64) {
	v, prop := l.eval(func(i int) value { return letters.at(number[i]) })
	if v == open {
		return false, 1 << number[prop]
	}
	return v == yes, 0
}

// conjunction returns the label of the letters that give n propositions these values.
func conjunction(n int, at func(prop int) value) *Label {
	l := &Label{Op: And}
	for i := range n {
		p := &Label{Op: Prop, Prop: i}
		switch at(i) {
		case yes:
			l.Args = append(l.Args, p)
		case no:
			l.Args = append(l.Args, &Label{Op: Not, Args: []*Label{p}})
		}
	}
	return l
}

// A numbering numbers keys from 0, in the order of first requests.
type numbering[K comparable] struct {
	number map[K]int
	list   []K // by number
}

func (n *numbering[K]) of(key K) int {
	i, ok := n.number[key]
	if !ok {
		if n.number == nil {
			n.number = map[K]int{}
		}
		i = len(n.list)
		n.number[key] = i
		n.list = append(n.list, key)
	}
	return i
}

// alternating decides membership in an alternating automaton: a word is accepted from a node if some edge leads
// only to nodes from which it is, and no path stays for ever in a component that rejects. All cycles of a component
// must agree, as in a weak automaton; otherwise it fails with ErrNotWeak.
func alternating(ctx context.Context, a *Automaton, nodes *numbering[[2]int], arcs []arc) (bool, error) {
	choices := make([][][]int, len(nodes.list)) // by node, the nodes that each edge leads to at once
	for i, x := range arcs {
		here := &choices[x.from]
		if i == 0 || x.from != arcs[i-1].from || x.left != arcs[i-1].left {
			*here = append(*here, nil)
		}
		last := &(*here)[len(*here)-1]
		*last = append(*last, x.to)
	}
	accepts := make([]bool, len(nodes.list))
	all := func(list []int) bool { return !slices.ContainsFunc(list, func(n int) bool { return !accepts[n] }) }
	parts, _ := components(len(accepts), arcs)
	for _, part := range parts { // those that a component leads to are decided before
		good, err := cycle(ctx, part.arcs, a.Acceptance)
		if good {
			var bad bool
			if bad, err = cycle(ctx, part.arcs, negation(a.Acceptance)); bad {
				err = ErrNotWeak
			}
		}
		if err != nil {
			return false, err
		}
		// In an accepting one, all nodes are assumed to accept until it is clear that one does
		// not; in a rejecting one, the other way round.
		for _, n := range part.nodes {
			accepts[n] = good
		}
		for changed := true; changed; {
			changed = false
			for _, n := range part.nodes {
				if won := slices.ContainsFunc(choices[n], all); won != accepts[n] {
					accepts[n], changed = won, true
				}
			}
			if err := ctx.Err(); err != nil {
				return false, err
			}
		}
	}
	return slices.ContainsFunc(a.Start, func(start []int) bool {
		return !slices.ContainsFunc(start, func(s int) bool { return !accepts[nodes.of([2]int{s, 0})] })
	}), nil
}
