package certify

import (
	"cmp"
	"context"
	"errors"
	"math"
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
	p, err := newProduct(ctx, a, w, math.MaxInt, true)
	if err != nil {
		return false, err
	}
	if a.alternating() {
		return p.alternating()
	}
	return cycle(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
}

// AcceptsNone reports whether the automaton rejects every completion of the word. A word may leave
// propositions open: cycle{a} says nothing of b. Its completions are the infinite words that choose
// the truth of b at each position, not always the same in each round of the cycle.
//
// The answer is exact, because each path through the product is a run on some completion. It fails
// with ErrLarge past limit edges of the product, for alternating automata, and when ctx is done.
//
// An automaton of G b accepts no completion of cycle{a; !b}. It accepts one of cycle{a}.
func AcceptsNone(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newProduct(ctx, a, w, limit, false)
	if err != nil {
		return false, err
	}
	found, err := cycle(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
	return !found, err
}

// A product has the runs of an automaton on a word, or on all its completions. For an alternating
// automaton there is an arc for each destination of an edge.
type product struct {
	ctx       context.Context
	automaton *Automaton
	word      *Word
	limit     int
	closed    bool           // letters have to determine what labels need
	letters   []letter       // by position
	nodes     numbering[int] // a state before it reads the letter at a position: see node
	arcs      []arc
	choices   [][][]int // if alternating: by node, the nodes that each enabled edge leads to at once
	single    bool      // each node has exactly one enabled edge for each completion of its letter
}

// An arc is an edge of the automaton on a letter of the word.
type arc struct {
	from, to int
	marks    []int
}

// newProduct makes the part that the start leads to.
func newProduct(ctx context.Context, a *Automaton, w *Word, limit int, closed bool) (*product, error) {
	if err := cmp.Or(a.check(), w.check()); err != nil {
		return nil, err
	}
	if a.alternating() && !closed {
		return nil, ErrLarge
	}
	p := &product{ctx: ctx, automaton: a, word: w, limit: limit, closed: closed, single: len(a.Start) == 1}
	p.letters = make([]letter, w.size())
	for pos := range p.letters {
		p.letters[pos].props = values(a.Props, w.at(pos))
	}
	for _, start := range a.Start {
		for _, s := range start {
			p.node(s, 0)
		}
	}
	enabled := make([]*Edge, 0, 8)
	for i := 0; i < len(p.nodes.list); i++ {
		state, pos := p.at(i)
		next := w.next(pos)
		if a.alternating() {
			p.choices = append(p.choices, nil)
		}
		err := p.completions(&p.letters[pos], a.Edges(state), enabled, func(enabled []*Edge) {
			p.single = p.single && len(enabled) == 1
			for _, e := range enabled {
				var all []int
				for _, t := range e.To {
					to := p.node(t, next)
					p.arcs = append(p.arcs, arc{i, to, e.Marks})
					if p.choices != nil {
						all = append(all, to)
					}
				}
				if p.choices != nil {
					p.choices[i] = append(p.choices[i], all)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// node returns the number of a node.
func (p *product) node(state, pos int) int { return p.nodes.of(state*p.word.size() + pos) }

func (p *product) at(node int) (state, pos int) {
	return p.nodes.list[node] / p.word.size(), p.nodes.list[node] % p.word.size()
}

// spend fails when the limit is used up, or ctx is done.
func (p *product) spend(n int) error {
	if p.limit -= n; p.limit < 0 {
		return ErrLarge
	}
	return p.ctx.Err()
}

// completions calls each with the edges that are enabled under each completion of a letter, after
// the edges of enabled. Completions that no label tells apart are one: it chooses a proposition only
// if the truth of a label needs it. For the labels a and !b and a letter that says only that a is
// true, it chooses b: both edges are enabled if b is false, and the first one if b is true.
func (p *product) completions(l *letter, edges, enabled []*Edge, each func(enabled []*Edge)) error {
	for i, e := range edges {
		l.parts = 0
		reads, needed := l.holds(e.Label)
		switch {
		case needed >= 0 && p.closed:
			return &OpenError{p.automaton.Props[needed]}
		case needed >= 0:
			for _, truth := range []value{no, yes} {
				more := &letter{props: slices.Clone(l.props)}
				more.props[needed] = truth
				if err := p.completions(more, edges[i:], enabled, each); err != nil {
					return err
				}
			}
			return p.spend(len(edges))
		case reads:
			enabled = append(enabled, e)
		}
	}
	each(enabled)
	return p.spend(1 + len(enabled))
}

// A letter evaluates labels. Labels may share parts, so that a label of n parts may have 2^n paths.
// From the maxDirect-th part of a label on, the truth of parts is remembered; remembering takes
// longer than most labels.
type letter struct {
	props []value // by the number of the proposition in the automaton
	parts int     // of the present label, as often as it was asked for them
	known map[*Label]bool
}

const maxDirect = 32

// values returns the truth of propositions in a letter.
func values(props []string, l Letter) []value {
	list := make([]value, len(props))
	for i, name := range props {
		list[i] = l.value(name)
	}
	return list
}

// holds returns the truth of a label. If it depends on a proposition that is open, needed is the
// number of this proposition, and otherwise -1.
func (v *letter) holds(l *Label) (truth bool, needed int) {
	if truth, ok := v.known[l]; ok {
		return truth, -1
	}
	v.parts++
	switch l.Op {
	case False, True:
		return l.Op == True, -1
	case Prop:
		if v.props[l.Prop] == open {
			return false, l.Prop
		}
		return v.props[l.Prop] == yes, -1
	case Not:
		truth, needed = v.holds(l.Args[0])
		return !truth, needed
	}
	truth = l.Op == And
	for _, arg := range l.Args {
		result, needed := v.holds(arg)
		if needed >= 0 {
			return false, needed
		}
		if result != truth {
			truth = result
			break
		}
	}
	if v.parts > maxDirect {
		if v.known == nil {
			v.known = map[*Label]bool{}
		}
		v.known[l] = truth
	}
	return truth, -1
}

// A numbering numbers what it is asked for from 0.
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
	of, count := components(len(accepts), p.arcs)
	members, arcs := make([][]int, count), inner(of, count, p.arcs)
	for n, i := range of {
		members[i] = append(members[i], n)
	}
	for i, nodes := range members { // what a component leads to is decided before

		part, size := numbered(arcs[i])
		good, err := cycle(p.ctx, size, part, p.automaton.Acceptance)
		if err != nil {
			return false, err
		}
		if good {
			if bad, err := cycle(p.ctx, size, part, negation(p.automaton.Acceptance)); err != nil || bad {
				return false, cmp.Or(err, ErrNotWeak)
			}
		}
		// In an accepting one, all nodes are assumed to accept until it is clear that one does
		// not; in a rejecting one, the other way round.
		for _, n := range nodes {
			accepts[n] = good
		}
		for changed := true; changed; {
			changed = false
			for _, n := range nodes {
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
