package certify

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// ErrLarge reports two automata that are too large for Disjoint.
var ErrLarge = errors.New("too large for a naive product")

// Disjoint reports whether no word is accepted by both automata. It builds their product over
// all 2^n letters of n propositions. It fails with ErrLarge past limit edges of the product,
// for alternating automata, and for more than 10 propositions. It also fails when ctx is done.
//
// Take one state with the loops [a] 0 {0} and [!a] 0, with the condition Inf(0) on the left and Fin(0)
// on the right. The product has two loops, on a with the marks 0 and 1, and on !a without. No cycle
// satisfies Inf(0) & Fin(1), so the two are disjoint.
func Disjoint(ctx context.Context, a, b *Automaton, limit int) (bool, error) {
	if err := cmp.Or(a.check(), b.check()); err != nil {
		return false, err
	}
	props := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.Props, b.Props))))
	if len(props) > maxProps || a.alternating() || b.alternating() {
		return false, ErrLarge
	}
	p := &pairs{ctx: ctx, a: a, b: b, shift: a.marks(), limit: limit,
		left: newLabelSets(a.Props, props), right: newLabelSets(b.Props, props)}
	if err := p.explore(); err != nil {
		return false, err
	}
	shifted := replace(b.Acceptance, func(leaf *Condition) *Condition {
		return &Condition{Op: leaf.Op, Mark: leaf.Mark + p.shift, Complement: leaf.Complement}
	})
	both := &Condition{Op: AllOf, Args: []*Condition{a.Acceptance, shifted}}
	found, err := cycle(ctx, len(p.states.list), p.arcs, both)
	return !found, err
}

// pairs is the product of two automata.
type pairs struct {
	ctx         context.Context
	a, b        *Automaton
	shift       int // mark m of b is m+shift in the product
	left, right *labelSets
	limit       int
	states      numbering[[2]int]
	arcs        []arc
}

func (p *pairs) explore() error {
	for _, s := range p.a.Start {
		for _, t := range p.b.Start {
			p.states.of([2]int{s[0], t[0]})
		}
	}
	for i := 0; i < len(p.states.list); i++ {
		s, t := p.states.list[i][0], p.states.list[i][1]
		for _, e := range p.a.Edges(s) {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			for _, f := range p.b.Edges(t) {
				if !p.left.of(e.Label).meets(p.right.of(f.Label)) {
					continue
				}
				marks := append([]int(nil), e.Marks...)
				for _, mark := range f.Marks {
					marks = append(marks, mark+p.shift)
				}
				p.arcs = append(p.arcs, arc{i, p.states.of([2]int{e.To[0], f.To[0]}), marks})
				if len(p.arcs) > p.limit {
					return ErrLarge
				}
			}
		}
	}
	return nil
}

// ErrNondeterministic reports an automaton that has several runs on some word, or universal
// branching.
var ErrNondeterministic = errors.New("nondeterministic automaton")

// Complement returns an automaton of the words that a rejects. It negates the condition. If
// the only run on a word would end, it goes to a new state instead, in which every run is
// accepting. The complement of the automaton in the package comment is
//
//	State: 0
//	[0]        0 {0}
//	[!0]       0
//	[!0 & !!0] 1
//	State: 1
//	[t]       1 {1}
//
// with the condition Inf(1) | Fin(0). Complement fails with ErrNondeterministic, and for more
// than 10 propositions with ErrLarge.
func Complement(a *Automaton) (*Automaton, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if len(a.Props) > maxProps {
		return nil, ErrLarge
	}
	if len(a.Start) > 1 || a.alternating() {
		return nil, ErrNondeterministic
	}
	rest, mark := a.States, a.marks()
	c := a.Renamed(a.Props)
	c.States++
	c.Acceptance = &Condition{Op: AnyOf, Args: []*Condition{{Op: Inf, Mark: mark}, negation(a.Acceptance)}}
	if len(a.Start) == 0 {
		c.Start = [][]int{{rest}}
	}
	sets := newLabelSets(a.Props, a.Props)
	for s := range a.States {
		edges := a.Edges(s)
		none := &Label{Op: And}
		for i, e := range edges {
			for _, f := range edges[:i] {
				if sets.of(e.Label).meets(sets.of(f.Label)) {
					return nil, ErrNondeterministic
				}
			}
			none.Args = append(none.Args, &Label{Op: Not, Args: []*Label{e.Label}})
		}
		c.AddEdge(s, none, nil, rest)
	}
	c.AddEdge(rest, &Label{Op: True}, []int{mark}, rest)
	return c, nil
}

// negation returns the condition that holds where c does not.
func negation(c *Condition) *Condition {
	n := &Condition{Op: [...]CondOp{Never: Always, Always: Never, Inf: Fin, Fin: Inf, AllOf: AnyOf, AnyOf: AllOf}[c.Op],
		Mark: c.Mark, Complement: c.Complement}
	for _, arg := range c.Args {
		n.Args = append(n.Args, negation(arg))
	}
	return n
}

// marks returns one more than the greatest mark of the edges and the condition.
func (a *Automaton) marks() int {
	most := used(a.Acceptance)
	for e := range a.all() {
		for _, mark := range e.Marks {
			most = max(most, mark+1)
		}
	}
	return most
}

// used returns one more than the greatest mark that c speaks of.
func used(c *Condition) int {
	most := 0
	if c.Op == Inf || c.Op == Fin {
		most = c.Mark + 1
	}
	for _, arg := range c.Args {
		most = max(most, used(arg))
	}
	return most
}

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
	p := &product{ctx: ctx, automaton: a, word: w, letters: evaluations(a.Props, w)}
	p.nodes.dense(a.States, w.size())
	if err := p.explore(); err != nil {
		return false, err
	}
	if a.alternating() {
		return p.alternating()
	}
	return cycle(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
}

// A node of the product of an automaton and a word: the state before it reads the letter.
type node struct{ state, pos int }

// An arc of the product: an edge of the automaton on a letter of the word. For an alternating
// automaton there is one for each of the edge's destinations.
type arc struct {
	from, to int
	marks    []int
}

type product struct {
	ctx       context.Context
	automaton *Automaton
	word      *Word
	letters   []evaluation // by position
	nodes     nodes
	arcs      []arc
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

// nodes are the nodes of a product, numbered as they are met.
type nodes struct {
	numbering[node]
	size  int   // of the word
	small []int // if the product is small: one more than the number of each node, or 0
}

// maxSmall is how many nodes a small product may have.
const maxSmall = 1 << 10

// dense gets ready for a product of so many states and positions.
func (n *nodes) dense(states, size int) {
	if n.size = size; states <= maxSmall/size {
		n.small = make([]int, states*size)
	}
}

func (n *nodes) of(key node) int {
	if n.small == nil {
		return n.numbering.of(key)
	}
	i := &n.small[key.state*n.size+key.pos]
	if *i == 0 {
		n.list = append(n.list, key)
		*i = len(n.list)
	}
	return *i - 1
}

// explore makes the reachable part.
func (p *product) explore() error {
	for _, start := range p.automaton.Start {
		for _, s := range start {
			p.nodes.of(node{s, 0})
		}
	}
	for i := 0; i < len(p.nodes.list); i++ {
		if i%64 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		n := p.nodes.list[i]
		next := p.word.next(n.pos)
		err := p.enabled(n, func(e *Edge) {
			for _, t := range e.To {
				p.arcs = append(p.arcs, arc{i, p.nodes.of(node{t, next}), e.Marks})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// enabled calls each for the edges of a node that read its letter.
func (p *product) enabled(n node, each func(e *Edge)) error {
	for _, e := range p.automaton.Edges(n.state) {
		if reads, err := p.letters[n.pos].label(e.Label); err != nil {
			return err
		} else if reads {
			each(e)
		}
	}
	return nil
}

// choices returns, by node, the nodes that each enabled edge leads to at once.
func (p *product) choices() (of [][][]int, err error) {
	of = make([][][]int, len(p.nodes.list))
	for i, n := range p.nodes.list {
		next := p.word.next(n.pos)
		err := p.enabled(n, func(e *Edge) {
			var all []int
			for _, t := range e.To {
				all = append(all, p.nodes.of(node{t, next}))
			}
			of[i] = append(of[i], all)
		})
		if err != nil {
			return nil, err
		}
	}
	return of, p.ctx.Err()
}

// alternating decides membership in an alternating automaton: a word is accepted from a node
// if some edge leads only to nodes from which it is, and no path stays for ever in a
// component that rejects. All cycles of a component must agree, as in a weak automaton;
// otherwise it fails with ErrNotWeak.
//
// Components are decided from the last to the first. Within an accepting one, all nodes
// are assumed to accept until it is clear that one does not; within a rejecting one, the
// other way round.
//
// Take an automaton of G F a with the condition Fin(0): [t] 0&1 from state 0, [!a] 1 {0} and [a] 2 from
// state 1, and [t] 2 from state 2. On cycle{!a}, state 1 is a component that rejects. The only edge of
// state 0 leads there, so state 0 rejects too. On cycle{a}, states 2, 1 and 0 accept.
func (p *product) alternating() (bool, error) {
	choices, err := p.choices()
	if err != nil {
		return false, err
	}
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
				if won := wins(choices[n], accepts); won != accepts[n] {
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

// wins reports whether some choice is only of nodes that accept.
func wins(choices [][]int, accepts []bool) bool {
	return slices.ContainsFunc(choices, func(all []int) bool {
		return !slices.ContainsFunc(all, func(m int) bool { return !accepts[m] })
	})
}

// kind reports whether the cycles of a component are accepting.
func (p *product) kind(arcs []arc) (bool, error) {
	arcs, nodes := numbered(arcs)
	good, err := cycle(p.ctx, nodes, arcs, p.automaton.Acceptance)
	if err != nil || !good {
		return false, err
	}
	bad, err := cycle(p.ctx, nodes, arcs, negation(p.automaton.Acceptance))
	if err == nil && bad {
		err = ErrNotWeak
	}
	return true, err
}
