package certify

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// AcceptsAll reports whether the automaton accepts every completion of the word. The answer is
// exact. It fails as AcceptsNone does. If some completion is rejected, so is a lasso that repeats
// some rounds of the cycle.
func AcceptsAll(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newProduct(ctx, a, w, limit, false)
	if err != nil {
		return false, err
	}
	if p.single { // the only run on a completion may be rejecting
		found, err := cycle(ctx, len(p.nodes.list), p.arcs, negation(a.Acceptance))
		return !found, err
	}
	// All that counts of a finite word is what it can do. There are finitely many relations of words
	// of whole rounds, and finitely many sets of states that the prefix and some rounds lead to. After
	// each of these sets, each of the relations, repeated for ever, must be accepted from some state.
	letters, condition, err := p.relations()
	if err != nil {
		return false, err
	}
	var start []step
	for _, states := range a.Start {
		start = append(start, step{from: outside, to: states[0]})
	}
	before := len(w.Prefix)
	sets, err := p.follow([]relation{newRelation(start)}, letters[:before])
	if err != nil {
		return false, err
	}
	round, err := p.follow(letters[before], letters[before+1:])
	if err != nil {
		return false, err
	}
	if sets, err = p.extend(sets, round, true); err != nil {
		return false, err
	}
	loops, err := p.extend(round, round, true)
	if err != nil {
		return false, err
	}
	for _, loop := range loops {
		good := map[int]bool{} // the states from which the loop is accepted
		for i, s := range loop {
			if i > 0 && loop[i-1].from == s.from {
				continue
			}
			if good[s.from], err = p.accepted(loop, s.from, condition); err != nil {
				return false, err
			}
		}
		for _, set := range sets {
			if !slices.ContainsFunc(set, func(s step) bool { return good[s.to] }) {
				return false, nil
			}
		}
		if err := p.spend(len(sets)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// A relation is what a finite word can do in an automaton: its steps, sorted, without repetition.
// Take two states, and a word that leads from 0 to 1 with mark 0, and from 1 to 1 without: its
// relation is {0 -{0}-> 1, 1 -> 1}. The relation of the word twice is {0 -{0}-> 1, 1 -> 1} as well.
type relation []step

// A step leads from one state to another. Its marks have a bit for each part of the acceptance
// condition: whether some edge on the way is one that the part counts. Steps from outside lead to a
// set of states, and have no marks.
type step struct {
	from, to int
	marks    uint64
}

const outside = -1

func newRelation(steps []step) relation {
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.marks, b.marks))
	})
	return slices.Compact(steps)
}

func (r relation) key() string {
	var b []byte
	for _, s := range r {
		b = binary.AppendUvarint(binary.AppendVarint(binary.AppendVarint(b, int64(s.from)), int64(s.to)), s.marks)
	}
	return string(b)
}

// then returns the relation of two words in a row: r is of the first one, s of the second one.
func (r relation) then(s relation) relation {
	var steps []step
	for _, x := range r {
		for _, y := range s {
			if x.from == outside {
				y.marks = 0
			}
			if x.to == y.from {
				steps = append(steps, step{x.from, y.to, x.marks | y.marks})
			}
		}
	}
	return newRelation(steps)
}

// relations returns, for each letter, the relations of its completions on the states that are reached
// before it, and the condition on the bits of their marks.
func (p *product) relations() (letters [][]relation, condition *Condition, err error) {
	var leaves []*Condition // by bit
	condition = replace(p.automaton.Acceptance, func(leaf *Condition) *Condition {
		i := slices.IndexFunc(leaves, func(x *Condition) bool { return x.Mark == leaf.Mark && x.Complement == leaf.Complement })
		if i < 0 {
			i = len(leaves)
			leaves = append(leaves, leaf)
		}
		return &Condition{Op: leaf.Op, Mark: i}
	})
	if len(leaves) > 64 {
		return nil, nil, ErrLarge
	}
	edges := make([][]*Edge, p.word.size())
	for n := range p.nodes.list {
		state, pos := p.at(n)
		edges[pos] = append(edges[pos], p.automaton.Edges(state)...)
	}
	letters = make([][]relation, p.word.size())
	for pos := range letters {
		var seen numbering[string]
		err := p.completions(&p.letters[pos], edges[pos], nil, func(enabled []*Edge) {
			var steps []step
			for _, e := range enabled {
				s := step{from: e.From, to: e.To[0]}
				for i, leaf := range leaves {
					if sees(arc{marks: e.Marks}, leaf) {
						s.marks |= 1 << i
					}
				}
				steps = append(steps, s)
			}
			if r := newRelation(steps); seen.of(r.key()) == len(letters[pos]) {
				letters[pos] = append(letters[pos], r)
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return letters, condition, nil
}

// follow returns the relations of a word of list and then a letter of each position.
func (p *product) follow(list []relation, letters [][]relation) (_ []relation, err error) {
	for _, letter := range letters {
		if list, err = p.extend(list, letter, false); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// extend returns the relations of a word of list and then one of more. If repeat is set, they are of
// a word of list and any number of words of more.
func (p *product) extend(list, more []relation, repeat bool) (found []relation, err error) {
	var seen numbering[string]
	add := func(r relation) {
		if seen.of(r.key()) == len(found) {
			found = append(found, r)
		}
	}
	from := &list
	if repeat {
		for _, r := range list {
			add(r)
		}
		from = &found
	}
	for i := 0; i < len(*from); i++ {
		for _, s := range more {
			r := (*from)[i].then(s)
			if err := p.spend(1 + len((*from)[i])*len(s) + len(r)); err != nil {
				return nil, err
			}
			add(r)
		}
	}
	return found, nil
}

// accepted reports whether a word with this relation, repeated for ever, is accepted from a state.
func (p *product) accepted(loop relation, from int, condition *Condition) (bool, error) {
	var reached numbering[int]
	reached.of(from)
	var arcs []arc
	for at := 0; at < len(reached.list); at++ {
		for _, s := range loop {
			if s.from != reached.list[at] {
				continue
			}
			a := arc{from: at, to: reached.of(s.to)}
			for i := range 64 {
				if s.marks>>i&1 != 0 {
					a.marks = append(a.marks, i)
				}
			}
			arcs = append(arcs, a)
		}
		if err := p.spend(len(loop)); err != nil {
			return false, err
		}
	}
	return cycle(p.ctx, len(reached.list), arcs, condition)
}
