package certify

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A Strategy shows that the right automaton accepts each word that the left one accepts. It answers each
// edge of the left by one of the right. Node 0 is at the start, and answers edges of any initial state by
// edges of any initial state. The others have a state of each.
//
// No cycle of answers sees marks that the left accepts and the right rejects. So the answers to an accepting run
// of the left are an accepting run of the right. Edges of the left to states without an accepting run
// need no answer.
//
// Take the automaton of F a with [!a] 0, [a] 1 and [t] 1 {0} on the right, and on the left the tableau in
// the comment of Tableau. The nodes are
//
//	0 start       a, to 1: [a] 1, node 2      a, to 0: [a] 1, node 3      !a, to 1: [!a] 0, node 1
//	1 state 1, 0  the same
//	2 state 1, 1  each edge to 1: [t] 1, node 2, and to 0: [t] 1, node 3
//	3 state 0, 1  !a, to 0: [t] 1, node 3
//
// The only cycle without mark 0 of the right is at node 1, on !a, and it lacks the tableau's mark.
type Strategy struct {
	Left, Right *Automaton
	Nodes       []Node
}

// A Node is a state of the left automaton and a state of the right one, with its answers.
type Node struct {
	Left, Right int
	Answers     []Answer
}

// An Answer answers the left's edges to state To, on the letters of the cube. It takes an edge of the right,
// by its place in Automaton.List, and the strategy continues at node Next. The first answer of a node
// that fits counts.
type Answer struct {
	Cube           Cube
	To, Edge, Next int
}

// A Proof shows that an automaton accepts exactly the words of a formula, or of its negation: the strategy
// answers the formula's tableau, and the automaton has no word in common with the tableau of the other
// truth. The proof says nothing of that product, since Check makes it.
//
// If Tableau is nil, the proof shows that the automaton is equivalent to a given one, by strategies both ways.
type Proof struct {
	Tableau   *Tableau
	Truth     bool // of the formula on the words that the automaton should accept
	Given     *Automaton
	Automaton *Automaton
	Nodes     []Node
	Back      []Node // the strategy that answers edges of Automaton by edges of Given
}

// A Refusal says what is wrong in a proof.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return "no proof: " + r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// ErrTooMuch reports an automaton that accepts a word which it should reject.
var ErrTooMuch = errors.New("the automaton accepts a word that it should reject")

// Check checks the proof. It returns a *Refusal if a strategy is wrong, and ErrTooMuch if the automaton accepts too
// much. It fails with ErrLarge past limit arcs of a product or parts of labels, for more than 64
// propositions, and for alternating automata; and when ctx is done.
func (p *Proof) Check(ctx context.Context, limit int) error {
	if p.Tableau == nil {
		if err := (&Strategy{p.Given, p.Automaton, p.Nodes}).Check(ctx, limit); err != nil {
			return err
		}
		return (&Strategy{p.Automaton, p.Given, p.Back}).Check(ctx, limit)
	}
	err := (&Strategy{p.Tableau.Automaton(p.Truth), p.Automaton, p.Nodes}).Check(ctx, limit)
	if err != nil {
		return err
	}
	none, err := Disjoint(ctx, p.Automaton, p.Tableau.Automaton(!p.Truth), limit)
	if err == nil && !none {
		err = ErrTooMuch
	}
	return err
}

// Check checks the strategy. It fails as Proof.Check does.
func (s *Strategy) Check(ctx context.Context, limit int) error {
	x, err := newPair(ctx, s.Left, s.Right, limit)
	if err != nil {
		return err
	}
	lives, err := s.Left.Live(ctx)
	if err != nil {
		return err
	}
	if len(s.Nodes) == 0 {
		return refuse("there are no nodes")
	}
	edges := s.Right.List()
	for i, n := range s.Nodes {
		left, right := []int{n.Left}, []int{n.Right}
		if i == 0 {
			left, right = slices.Concat(s.Left.Start...), slices.Concat(s.Right.Start...)
		}
		for _, r := range n.Answers {
			if r.Edge < 0 || r.Edge >= len(edges) || r.Next < 1 || r.Next >= len(s.Nodes) {
				return refuse("node %d answers by an edge or a node that does not exist", i)
			}
			f, next := edges[r.Edge], s.Nodes[r.Next]
			if !slices.Contains(right, f.From) || next.Left != r.To || next.Right != f.To[0] {
				return refuse("node %d answers by edge %d, which does not lead to node %d", i, r.Edge, r.Next)
			}
		}
		for _, state := range left {
			for _, e := range s.Left.Edges(state) {
				if !lives[e.To[0]] {
					continue
				}
				if err := x.answered(i, e, Cube{}, edges, n.Answers); err != nil {
					return err
				}
			}
		}
	}
	bad, err := live(ctx, len(s.Nodes), x.arcs, &Condition{Op: AllOf, Args: []*Condition{x.left, negation(s.Right.Acceptance)}})
	if slices.Contains(bad, true) {
		err = refuse("some cycle of answers is accepting on the left, but not on the right")
	}
	return err
}

// Disjoint reports whether no word is accepted by both automata. It fails as Proof.Check does.
func Disjoint(ctx context.Context, a, b *Automaton, limit int) (bool, error) {
	x, err := newPair(ctx, a, b, limit)
	if err != nil {
		return false, err
	}
	var pairs numbering[[2]int]
	for _, s := range a.Start {
		for _, t := range b.Start {
			pairs.of([2]int{s[0], t[0]})
		}
	}
	for i := 0; i < len(pairs.list); i++ {
		for _, e := range a.Edges(pairs.list[i][0]) {
			for _, f := range b.Edges(pairs.list[i][1]) {
				meet, err := x.some(question{e.Label, f.Label, true, Cube{}})
				if err != nil {
					return false, err
				}
				if meet {
					x.arc(i, pairs.of([2]int{e.To[0], f.To[0]}), e, f)
				}
			}
		}
	}
	found, err := live(ctx, len(pairs.list), x.arcs, &Condition{Op: AllOf, Args: []*Condition{x.left, b.Acceptance}})
	return !slices.Contains(found, true), err
}

// A pair is two automata, with arcs that have an edge of each.
type pair struct {
	ctx     context.Context
	letters [2][]uint64 // of each proposition of the automata: its bit in cubes
	left    *Condition  // of the left on the marks of arcs
	shift   int         // mark m of the left is m+shift in arcs
	limit   int
	arcs    []arc
	marks   []int // of arcs
	known   map[question]bool
}

func newPair(ctx context.Context, left, right *Automaton, limit int) (*pair, error) {
	_, bits, err := Letters(left, right)
	if err == nil && (left.Alternating() || right.Alternating()) {
		err = ErrLarge
	}
	if err != nil {
		return nil, err
	}
	x := &pair{letters: bits, ctx: ctx, shift: right.marks(), limit: limit, known: map[question]bool{}}
	x.left = replace(left.Acceptance, func(leaf *Condition) *Condition {
		return &Condition{Op: leaf.Op, Mark: leaf.Mark + x.shift, Complement: leaf.Complement}
	})
	return x, nil
}

// answered checks that the first answer that fits the edge, on each of these letters, is one. Letters
// that it does not fit are for the answers after it.
func (x *pair) answered(node int, e *Edge, letters Cube, edges []*Edge, answers []Answer) error {
	if err := x.spend(); err != nil {
		return err
	}
	split := func(bit uint64) error {
		if err := x.answered(node, e, letters.And(Cube{Neg: bit}), edges, answers); err != nil {
			return err
		}
		return x.answered(node, e, letters.And(Cube{Pos: bit}), edges, answers)
	}
	reads, undecided := e.Label.On(letters, x.letters[0])
	if undecided != 0 {
		return split(undecided)
	}
	if !reads {
		return nil
	}
	for len(answers) > 0 && (answers[0].To != e.To[0] || !answers[0].Cube.Meets(letters)) {
		answers = answers[1:]
	}
	if len(answers) == 0 {
		return refuse("node %d does not answer the edge to state %d of the left on all letters", node, e.To[0])
	}
	r := answers[0]
	if open := (r.Cube.Pos | r.Cube.Neg) &^ (letters.Pos | letters.Neg); open != 0 {
		return split(open & -open)
	}
	f := edges[r.Edge]
	fails, err := x.some(question{e.Label, f.Label, false, letters})
	if err == nil && fails {
		err = refuse("node %d answers by edge %d, which does not read all letters", node, r.Edge)
	}
	x.arc(node, r.Next, e, f)
	return err
}

// arc adds an arc with the marks of both edges.
func (x *pair) arc(from, to int, e, f *Edge) {
	at := len(x.marks)
	x.marks = append(x.marks, f.Marks...)
	for _, mark := range e.Marks {
		x.marks = append(x.marks, mark+x.shift)
	}
	x.arcs = append(x.arcs, arc{from, to, x.marks[at:len(x.marks):len(x.marks)]})
}

func (x *pair) spend() error {
	if x.limit--; x.limit < 0 {
		return ErrLarge
	}
	return x.ctx.Err()
}

// A question is whether on some letter of a cube, the left label is true and the right one has a truth.
type question struct {
	left, right *Label
	truth       bool
	letters     Cube
}

// some answers a question. It decides one more proposition for as long as that matters, and remembers what
// took more than one.
func (x *pair) some(q question) (bool, error) {
	if err := x.spend(); err != nil {
		return false, err
	}
	if found, ok := x.known[q]; ok {
		return found, nil
	}
	found, undecided := q.left.On(q.letters, x.letters[0])
	if found {
		found, undecided = q.right.On(q.letters, x.letters[1])
		found = found == q.truth
	}
	if undecided == 0 {
		return found, nil
	}
	half := q
	var err error
	half.letters = q.letters.And(Cube{Neg: undecided})
	if found, err = x.some(half); err == nil && !found {
		half.letters = q.letters.And(Cube{Pos: undecided})
		found, err = x.some(half)
	}
	if err == nil {
		x.known[q] = found
	}
	return found, err
}

// Letters returns the propositions of automata, in the order in which they first come. Bit i of a cube
// stands for number i of them; bits has the bit of each proposition of each automaton. It fails with
// ErrLarge if there are more than 64.
func Letters(left, right *Automaton) (props []string, bits [2][]uint64, err error) {
	var names numbering[string]
	for i, a := range []*Automaton{left, right} {
		if err := a.check(); err != nil {
			return nil, bits, err
		}
		for _, name := range a.Props {
			bits[i] = append(bits[i], 1<<names.of(name))
		}
	}
	if len(names.list) > maxBits {
		err = ErrLarge
	}
	return names.list, bits, err
}
