package certify

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"
)

// ErrLarge reports automata or words past a limit, or with too many propositions.
var ErrLarge = errors.New("too large for a naive product")

// ErrNotWeak reports an alternating automaton with a component that has accepting and
// rejecting cycles. Membership in such an automaton is not decided.
var ErrNotWeak = errors.New("unsupported: alternating automaton that is not weak")

// Accepts reports whether the automaton accepts the word. It fails with an *OpenError if a
// letter leaves open a proposition that a label needs, with ErrNotWeak, and when ctx is done.
//
// It takes time linear in the product of the automaton and the word, times the number of
// conditions that the search for a cycle tries. That is one for Büchi, and exponential in the
// number of marks at worst.
func Accepts(ctx context.Context, a *Automaton, w *Word) (bool, error) {
	if err := cmp.Or(a.check(), w.check()); err != nil {
		return false, err
	}
	p := &product{ctx: ctx, automaton: a, size: w.size()}
	alternating := a.Alternating()
	letters := make([][]value, p.size) // by position and proposition
	for pos := range letters {
		for _, name := range a.Props {
			letters[pos] = append(letters[pos], w.at(pos).value(name))
		}
	}
	for _, start := range a.Start {
		for _, s := range start {
			p.node(s, 0)
		}
	}
	for i := 0; i < len(p.nodes.list); i++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		state, pos := p.nodes.list[i]/p.size, p.nodes.list[i]%p.size
		p.choices = append(p.choices, nil)
		for _, e := range a.Edges(state) {
			reads, undecided := e.Label.eval(func(prop int) value { return letters[pos][prop] })
			if reads == open {
				return false, &OpenError{a.Props[undecided]}
			}
			if reads == no {
				continue
			}
			var all []int
			for _, t := range e.To {
				to := p.node(t, w.next(pos))
				p.arcs = append(p.arcs, arc{i, to, e.Marks})
				if alternating {
					all = append(all, to)
				}
			}
			if alternating {
				p.choices[i] = append(p.choices[i], all)
			}
		}
	}
	if alternating {
		return p.alternating()
	}
	good, err := live(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
	return slices.Contains(good, true), err
}

// A product has the runs of an automaton on a word. For an alternating automaton there is an arc for each
// destination of an edge.
type product struct {
	ctx       context.Context
	automaton *Automaton
	size      int            // of the word
	nodes     numbering[int] // a state before it reads the letter at a position: see node
	arcs      []arc
	choices   [][][]int // if alternating: by node, the nodes that each enabled edge leads to at once
}

// An arc is an edge of the automaton on a letter of the word.
type arc struct {
	from, to int
	marks    []int
}

// node returns the number of a node.
func (p *product) node(state, pos int) int { return p.nodes.of(state*p.size + pos) }

// eval returns the value of a label; at gives the values of propositions. If the value is open, it
// depends on the proposition with the number undecided.
func (l *Label) eval(at func(prop int) value) (v value, undecided int) {
	parts, known := 0, map[*Label]value(nil)
	var compute func(l *Label) value
	compute = func(l *Label) (v value) {
		switch l.Op {
		case False, True:
			return valueOf(l.Op == True)
		case Prop:
			if v = at(l.Prop); v == open {
				undecided = l.Prop
			}
			return v
		case Not:
			return yes - compute(l.Args[0])
		}
		// Large labels share parts, and would take exponential time. Remembering takes longer than most labels.
		if v, ok := known[l]; ok {
			return v
		}
		v = valueOf(l.Op == And)
		for _, arg := range l.Args {
			if l.Op == And {
				v = min(v, compute(arg))
			} else {
				v = max(v, compute(arg))
			}
		}
		if parts++; parts > maxDirect {
			if known == nil {
				known = map[*Label]value{}
			}
			known[l] = v
		}
		return v
	}
	return compute(l), undecided
}

const maxDirect = 32

// On returns the truth of the label on all letters of a cube, where bit[i] stands for proposition i. If
// that differs, undecided is the bit of a proposition on which it depends.
func (l *Label) On(letters Cube, bit []uint64) (truth bool, undecided uint64) {
	v, prop := l.eval(func(i int) value { return letters.at(bits.TrailingZeros64(bit[i])) })
	if v == open {
		return false, bit[prop]
	}
	return v == yes, 0
}

// conjunction returns the label of a letter that gives propositions these values.
func conjunction(values []value) *Label {
	l := &Label{Op: And}
	for i, v := range values {
		p := &Label{Op: Prop, Prop: i}
		switch v {
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

// alternating decides membership in an alternating automaton: a word is accepted from a node
// if some edge leads only to nodes from which it is, and no path stays for ever in a
// component that rejects. All cycles of a component must agree, as in a weak automaton;
// otherwise it fails with ErrNotWeak.
//
// Take an automaton of G F a with the condition Fin(0): [t] 0&1 from state 0, [!a] 1 {0} and [a] 2 from
// state 1, and [t] 2 from state 2. On cycle{!a}, state 1 is a component that rejects. The only edge of
// state 0 leads there, so state 0 rejects too. On cycle{a}, states 2, 1 and 0 accept.
func (p *product) alternating() (bool, error) {
	accepts := make([]bool, len(p.nodes.list))
	all := func(nodes []int) bool {
		return !slices.ContainsFunc(nodes, func(n int) bool { return !accepts[n] })
	}
	for _, part := range components(len(accepts), p.arcs) { // those that a component leads to are decided before
		good, err := cycle(p.ctx, part.arcs, p.automaton.Acceptance)
		if good {
			var bad bool
			if bad, err = cycle(p.ctx, part.arcs, negation(p.automaton.Acceptance)); bad {
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
				if won := slices.ContainsFunc(p.choices[n], all); won != accepts[n] {
					accepts[n], changed = won, true
				}
			}
			if err := p.ctx.Err(); err != nil {
				return false, err
			}
		}
	}
	return slices.ContainsFunc(p.automaton.Start, func(start []int) bool {
		return !slices.ContainsFunc(start, func(s int) bool { return !accepts[p.node(s, 0)] })
	}), nil
}
