package certify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// A Proof shows that an automaton accepts exactly the words of a formula, or of its negation.
//
// Nothing is missed: the nodes are a strategy, which answers each edge of the formula's tableau by an edge
// of the automaton. Node 0 is at the start of the tableau, and answers by an edge of any initial state.
// The others have a state of the tableau and one of the automaton. No cycle of answers sees all marks
// of the tableau, and marks that the automaton rejects. The tableau has an accepting run on each word
// of the formula; so the answers to it are an accepting run of the automaton.
//
// Nothing is too much: the product of the automaton and of the tableau of the negation has no accepting
// cycle. The proof says nothing of this product, since Check makes it.
//
// Take the automaton of F a with [!a] 0, [a] 1 and [t] 1 {0}, and the tableau in the comment of Tableau.
// The nodes of a proof are
//
//	0 start       a, to 1: [a] 1, node 2      a, to 0: [a] 1, node 3      !a, to 1: [!a] 0, node 1
//	1 state 1, 0  the same
//	2 state 1, 1  each edge to 1: [t] 1, node 2, and to 0: [t] 1, node 3
//	3 state 0, 1  !a, to 0: [t] 1, node 3
//
// The only cycle without mark 0 of the automaton is at node 1, on !a, and it lacks the tableau's mark.
type Proof struct {
	Tableau   *Tableau
	Truth     bool // of the formula on the words that the automaton should accept
	Automaton *Automaton
	Nodes     []ProofNode
}

// A ProofNode is a state of the tableau and a state of the automaton, with its answers.
type ProofNode struct {
	Tableau, State int
	Answers        []Answer
}

// An Answer answers the edges of the tableau to state To, on the letters of the cube. It takes an edge of the
// automaton, by its place in Automaton.List, and the strategy continues at node Next. The first answer
// of a node that fits counts.
type Answer struct {
	Cube           Cube
	To, Edge, Next int
}

// A Refusal says what is wrong in a proof.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "no proof: " + r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// ErrTooMuch reports an automaton that accepts a word which it should reject.
var ErrTooMuch = errors.New("the automaton accepts a word that it should reject")

// Check checks the proof. It returns a *Refusal if the strategy is wrong, and ErrTooMuch if the
// automaton accepts too much. It fails with ErrLarge past limit arcs of a product or parts of labels, for
// more than 64 propositions, and for alternating automata; and when ctx is done.
func (p *Proof) Check(ctx context.Context, limit int) error {
	t, a := p.Tableau, p.Automaton
	if err := a.check(); err != nil || t == nil {
		return cmp.Or(err, errNoFormula)
	}
	letters, err := t.Bits(a)
	if err != nil || a.alternating() {
		return ErrLarge
	}
	x := &game{ctx: ctx, Proof: p, edges: a.List(), letters: letters, shift: a.marks(), limit: limit, known: map[question]bool{}}
	start, other, all := t.Start[0], t.Start[1], t.fair(x.shift)
	if p.Truth {
		start, other = other, start
	}
	if err := x.answers(start); err != nil {
		return err
	}
	bad, err := cycle(ctx, len(p.Nodes), x.arcs, &Condition{Op: AllOf, Args: []*Condition{all, negation(a.Acceptance)}})
	if err == nil && bad {
		err = refuse("some cycle of answers is accepting in the tableau, but not in the automaton")
	}
	if err != nil {
		return err
	}

	// The product of the automaton with the tableau of the other truth.
	var pairs numbering[[2]int]
	for _, s := range a.Start {
		pairs.of([2]int{s[0], other})
	}
	x.arcs = nil
	for i := 0; i < len(pairs.list); i++ {
		for _, f := range a.Edges(pairs.list[i][0]) {
			for _, e := range t.States[pairs.list[i][1]].Edges {
				meet, err := x.some(f.Label, e.Cube, true)
				if err != nil {
					return err
				}
				if meet {
					x.arc(i, pairs.of([2]int{f.To[0], e.To}), e, f)
				}
			}
		}
	}
	much, err := cycle(ctx, len(pairs.list), x.arcs, &Condition{Op: AllOf, Args: []*Condition{all, a.Acceptance}})
	if err == nil && much {
		err = ErrTooMuch
	}
	return err
}

// A game is the check of a proof.
type game struct {
	ctx context.Context
	*Proof
	edges   []*Edge
	letters []uint64 // of each proposition of the automaton: its bit in cubes
	shift   int      // mark m of the tableau is m+shift in arcs
	limit   int
	arcs    []arc
	marks   []int // of arcs
	known   map[question]bool
}

// answers checks that the strategy answers each edge on each letter, and sets its arcs.
func (x *game) answers(start int) error {
	if len(x.Nodes) == 0 || x.Nodes[0].Tableau != start {
		return refuse("node 0 is not at the start")
	}
	for i, n := range x.Nodes {
		if n.Tableau < 0 || n.Tableau >= len(x.Proof.Tableau.States) {
			return refuse("node %d has no state of the tableau", i)
		}
		for _, r := range n.Answers {
			if r.Edge < 0 || r.Edge >= len(x.edges) || r.Next < 1 || r.Next >= len(x.Nodes) {
				return refuse("node %d answers by an edge or a node that does not exist", i)
			}
			f, next := x.edges[r.Edge], x.Nodes[r.Next]
			from := []int{n.State}
			if i == 0 {
				from = slices.Concat(x.Automaton.Start...)
			}
			if !slices.Contains(from, f.From) || next.Tableau != r.To || next.State != f.To[0] {
				return refuse("node %d answers by edge %d, which does not lead to node %d", i, r.Edge, r.Next)
			}
		}
		for _, e := range x.Proof.Tableau.States[n.Tableau].Edges {
			if err := x.answered(i, e, e.Cube, n.Answers); err != nil {
				return err
			}
		}
	}
	return nil
}

// answered checks that the first answer that fits the edge, on each of these letters, is one. Letters
// that it does not fit are for the answers after it.
func (x *game) answered(node int, e TableauEdge, letters Cube, answers []Answer) error {
	if err := x.spend(); err != nil {
		return err
	}
	if len(answers) == 0 {
		return refuse("node %d does not answer the edge to state %d of the tableau on all letters", node, e.To)
	}
	r := answers[0]
	if r.To != e.To || !r.Cube.Meets(letters) {
		return x.answered(node, e, letters, answers[1:])
	}
	open := (r.Cube.Pos | r.Cube.Neg) &^ (letters.Pos | letters.Neg)
	if open != 0 {
		one := Cube{Pos: open & -open}
		if r.Cube.Neg&one.Pos != 0 {
			one = Cube{Neg: one.Pos}
		}
		if err := x.answered(node, e, letters.And(Cube{one.Neg, one.Pos}), answers[1:]); err != nil {
			return err
		}
		return x.answered(node, e, letters.And(one), answers)
	}
	f := x.edges[r.Edge]
	if fails, err := x.some(f.Label, letters, false); err != nil || fails {
		return cmp.Or(err, refuse("node %d answers by edge %d, which does not read all letters", node, r.Edge))
	}
	x.arc(node, r.Next, e, f)
	return nil
}

// arc adds an arc with the marks of both edges.
func (x *game) arc(from, to int, e TableauEdge, f *Edge) {
	at := len(x.marks)
	x.marks = e.marks(append(x.marks, f.Marks...), x.shift)
	x.arcs = append(x.arcs, arc{from, to, x.marks[at:len(x.marks):len(x.marks)]})
}

func (x *game) spend() error {
	if x.limit--; x.limit < 0 {
		return ErrLarge
	}
	return x.ctx.Err()
}

// A question is whether a label has some truth on some letter of a cube.
type question struct {
	label   *Label
	letters Cube
	truth   bool
}

// some answers a question. It decides one more proposition for as long as that matters.
func (x *game) some(l *Label, letters Cube, truth bool) (bool, error) {
	if err := x.spend(); err != nil {
		return false, err
	}
	q := question{l, letters, truth}
	if found, ok := x.known[q]; ok {
		return found, nil
	}
	found, open := l.On(letters, x.letters)
	found = found == truth
	if open != 0 {
		var err error
		if found, err = x.some(l, letters.And(Cube{Neg: open}), truth); err == nil && !found {
			found, err = x.some(l, letters.And(Cube{Pos: open}), truth)
		}
		if err != nil {
			return false, err
		}
	}
	x.known[q] = found
	return found, nil
}

// Letters returns the propositions of the tableau, and then all others of the automaton. Bit i of a cube
// stands for number i of them.
func (t *Tableau) Letters(a *Automaton) []string {
	props := slices.Clone(t.Props)
	for _, name := range a.Props {
		if !slices.Contains(props, name) {
			props = append(props, name)
		}
	}
	return props
}

// Bits returns the bit in such cubes of each proposition of the automaton. It fails with ErrLarge if
// there are more than 64.
func (t *Tableau) Bits(a *Automaton) (bit []uint64, err error) {
	props := t.Letters(a)
	for _, name := range a.Props {
		bit = append(bit, 1<<slices.Index(props, name))
	}
	if len(props) > maxBits {
		err = ErrLarge
	}
	return bit, err
}

// On returns the truth of the label on all letters of a cube, where bit[i] stands for proposition i. If
// that differs, undecided is the bit of a proposition on which it depends.
func (l *Label) On(letters Cube, bit []uint64) (truth bool, undecided uint64) {
	parts, known := 0, map[*Label]value(nil)
	var compute func(l *Label) value
	compute = func(l *Label) (v value) {
		switch l.Op {
		case False, True:
			return valueOf(l.Op == True)
		case Prop:
			v = letters.at(bits.TrailingZeros64(bit[l.Prop]))
			if v == open {
				undecided = bit[l.Prop]
			}
			return v
		case Not:
			return yes - compute(l.Args[0])
		}
		// Large labels share parts, and would take exponential time.
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
	v := compute(l)
	if v != open {
		undecided = 0
	}
	return v == yes, undecided
}

// List returns the edges in their order.
func (a *Automaton) List() []*Edge { return slices.Collect(a.all()) }
