package certify

import (
	"cmp"
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
// need no answer. docs/proofs.md has an example.
type Strategy struct {
	Left, Right *Automaton
	Nodes       []Node
}

// A Node is a state of the left automaton and a state of the right one, with its answers.
type Node struct {
	Left, Right int
	Answers     []Answer
}

// An Answer answers the left's edges to state To, on the letters of the cube. It takes an edge of the right, by its
// place in Automaton.List, and the strategy continues at node Next. The first answer of a node that fits counts.
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
// much. It fails with ErrLarge past limit arcs of a product, a sixteenth of that at once, or limit parts of labels,
// for more than 64 propositions, and for alternating automata; and when ctx is done.
func (p *Proof) Check(ctx context.Context, limit int) error {
	left := p.Given
	if p.Tableau != nil {
		left = p.Tableau.Automata[p.Truth]
	}
	if err := (&Strategy{left, p.Automaton, p.Nodes}).Check(ctx, limit); err != nil {
		return err
	}
	if p.Tableau == nil {
		return (&Strategy{p.Automaton, left, p.Back}).Check(ctx, limit)
	}
	none, err := Disjoint(ctx, p.Automaton, p.Tableau.Automata[!p.Truth], limit)
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
	if err != nil || len(s.Nodes) == 0 {
		return cmp.Or(err, refuse("there are no nodes"))
	}
	edges, arcs := s.Right.List(), []arc(nil) // arcs between components, on no cycle, are left out
	inLeft, inRight := s.Left.Components(), s.Right.Components()
	// answer takes the first answer of a node to an edge that fits.
	answer := func(i int, e *Edge, letters Cube) (undecided uint64, err error) {
		for _, r := range s.Nodes[i].Answers {
			if r.To != e.To[0] || !r.Cube.Meets(letters) {
				continue // the first answer that fits counts
			}
			if more := (r.Cube.Pos | r.Cube.Neg) &^ (letters.Pos | letters.Neg); more != 0 {
				return more & -more, nil // other letters are for the answers after it
			}
			f := edges[r.Edge]
			reads, undecided := f.Label.On(letters, x.numbers[1])
			if !reads && undecided == 0 {
				return 0, refuse("node %d answers by edge %d, which does not read all letters", i, r.Edge)
			}
			if reads && inLeft[e.From] == inLeft[e.To[0]] && inRight[f.From] == inRight[f.To[0]] {
				arcs = append(arcs, arc{i, r.Next, e, f})
			}
			return undecided, nil
		}
		return 0, refuse("node %d does not answer the edge to state %d of the left on all letters", i, e.To[0])
	}
	for i, n := range s.Nodes {
		left, right := []int{n.Left}, []int{n.Right} // node 0 stands for all initial states
		if i == 0 {
			left, right = slices.Concat(s.Left.Start...), slices.Concat(s.Right.Start...)
		}
		for _, r := range n.Answers {
			if r.Edge < 0 || r.Edge >= len(edges) || r.Next < 1 || r.Next >= len(s.Nodes) { // node 0 is the start
				return refuse("node %d answers by an edge or a node that does not exist", i)
			}
			f, next := edges[r.Edge], s.Nodes[r.Next]
			if !slices.Contains(right, f.From) || next.Left != r.To || next.Right != f.To[0] {
				return refuse("node %d answers by edge %d, which does not lead to node %d", i, r.Edge, r.Next)
			}
		}
		for _, state := range left {
			for _, e := range s.Left.Edges(state) {
				if !lives[e.To[0]] { // no accepting run goes on from there
					continue
				}
				cubes, err := x.read(0, e.Label)
				for k := 0; k < len(cubes) && err == nil; k++ {
					err = x.split(cubes[k], func(letters Cube) (uint64, error) { return answer(i, e, letters) })
				}
				if err != nil {
					return err
				}
			}
		}
	}
	// A cycle of answers is wrong if its left side is accepting, and its right side is not.
	bad, err := live(ctx, len(s.Nodes), arcs, both(s.Left.Acceptance, negation(s.Right.Acceptance)))
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
	// Many edges share labels. For each pair of labels, meets says whether they share a letter, once that is known.
	var labels [2]numbering[*Label]
	var numbers [2][][]int // by state and edge
	for side, a := range []*Automaton{a, b} {
		numbers[side] = make([][]int, a.States)
		for _, e := range a.List() {
			numbers[side][e.From] = append(numbers[side][e.From], labels[side].of(e.Label))
		}
	}
	if len(labels[0].list)*len(labels[1].list) > limit {
		return false, ErrLarge
	}
	known := make([]bool, len(labels[0].list)*len(labels[1].list))
	meets := slices.Clone(known)
	common, err := product(ctx, a, b, limit, both(a.Acceptance, b.Acceptance), func(s, i, t, j int) (bool, error) {
		l, m := numbers[0][s][i], numbers[1][t][j]
		at := l*len(labels[1].list) + m
		if known[at] {
			return meets[at], nil
		}
		known[at] = true
		cubes, err := x.read(1, labels[1].list[m])
		for i := 0; i < len(cubes) && err == nil && !meets[at]; i++ {
			err = x.split(cubes[i], func(letters Cube) (uint64, error) {
				reads, undecided := labels[0].list[l].On(letters, x.numbers[0])
				if meets[at] = meets[at] || reads; meets[at] { // one common letter is enough
					return 0, nil
				}
				return undecided, nil
			})
		}
		return meets[at], err
	})
	return err == nil && !common, err
}

// A pair is two automata that read the same letters.
type pair struct {
	ctx     context.Context
	numbers [2][]int // see Letters
	limit   int
	cubes   [2]map[*Label][]Cube // see read
}

func newPair(ctx context.Context, left, right *Automaton, limit int) (*pair, error) {
	_, numbers, err := Letters(left, right)
	if err == nil && (left.Alternating() || right.Alternating()) {
		err = ErrLarge
	}
	return &pair{ctx, numbers, limit, [2]map[*Label][]Cube{{}, {}}}, err
}

// split calls visit for the letters of a cube. As long as visit returns the bit of an undecided proposition, it
// is called again for both halves of the letters.
func (x *pair) split(letters Cube, visit func(letters Cube) (undecided uint64, err error)) error {
	if x.limit--; x.limit < 0 {
		return ErrLarge
	}
	undecided, err := visit(letters)
	if err = cmp.Or(err, x.ctx.Err()); undecided == 0 || err != nil {
		return err
	}
	if err = x.split(letters.And(Cube{Neg: undecided}), visit); err == nil {
		err = x.split(letters.And(Cube{Pos: undecided}), visit)
	}
	return err
}

// read returns disjoint cubes of the letters that a label of the left or the right reads. Many edges share labels.
func (x *pair) read(side int, l *Label) ([]Cube, error) {
	list, ok := x.cubes[side][l]
	if ok {
		return list, nil
	}
	err := x.split(Cube{}, func(letters Cube) (undecided uint64, err error) {
		reads, undecided := l.On(letters, x.numbers[side])
		if reads {
			list = append(list, letters)
		}
		return undecided, nil
	})
	x.cubes[side][l] = list
	return list, err
}

// Letters returns the propositions of automata, in the order in which they first come. Bit i of a cube
// stands for number i of them; numbers has the number of each proposition of each automaton. It fails with
// ErrLarge if there are more than 64.
func Letters(left, right *Automaton) (props []string, numbers [2][]int, err error) {
	var names numbering[string]
	for i, a := range []*Automaton{left, right} {
		if err := a.check(); err != nil {
			return nil, numbers, err
		}
		for _, name := range a.Props {
			numbers[i] = append(numbers[i], names.of(name))
		}
	}
	if len(names.list) > maxBits {
		err = ErrLarge
	}
	return names.list, numbers, err
}
