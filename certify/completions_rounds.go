package certify

import (
	"encoding/binary"
	"slices"
)

// A step leads from one state to another. Its marks have a bit for each part of the acceptance
// condition: whether some edge on the way is one that the part counts.
type step struct {
	from, to int
	marks    uint64
}

// A relation is what a finite word can do in an automaton: its steps, sorted, without repetition.
// Take two states, and a word that leads from 0 to 1 with mark 0, and from 1 to 1 without: its
// relation is {0 -{0}-> 1, 1 -> 1}. The relation of the word twice is {0 -{0}-> 1, 1 -> 1} as well.
type relation []step

func newRelation(steps []step) relation {
	slices.SortFunc(steps, func(a, b step) int {
		switch {
		case a.from != b.from:
			return a.from - b.from
		case a.to != b.to:
			return a.to - b.to
		case a.marks < b.marks:
			return -1
		case a.marks > b.marks:
			return 1
		}
		return 0
	})
	return slices.Compact(steps)
}

func (r relation) key() string {
	var b []byte
	for _, s := range r {
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.from)), uint64(s.to)), s.marks)
	}
	return string(b)
}

// then returns the relation of two words in a row: r is of the first one, s of the second one.
func (r relation) then(s relation) relation {
	var steps []step
	for _, x := range r {
		for _, y := range s {
			if x.to == y.from {
				steps = append(steps, step{x.from, y.to, x.marks | y.marks})
			}
		}
	}
	return newRelation(steps)
}

// image returns the states that r leads to from a set of states, sorted.
func (r relation) image(set []int) []int {
	var to []int
	for _, s := range r {
		if slices.Contains(set, s.from) {
			to = append(to, s.to)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// acceptsAll decides whether all completions are accepted from what the finite words of the
// prefix and of whole rounds of the cycle do. There are finitely many relations of such words and
// finitely many sets of states that they lead to. All pairs of a set and a relation must accept:
// the relation again and again, from some state of the set.
func (p *openProduct) acceptsAll() (bool, error) {
	if err := p.number(); err != nil {
		return false, err
	}
	letters, err := p.relations()
	if err != nil {
		return false, err
	}
	before := len(p.word.Prefix)
	sets := map[string][]int{}
	for _, start := range p.automaton.Start {
		sets[""] = append(sets[""], start[0])
	}
	for _, choice := range letters[:before] {
		if sets, err = p.after(sets, choice); err != nil {
			return false, err
		}
	}
	round := letters[before]
	for _, choice := range letters[before+1:] {
		if round, err = p.products(round, choice); err != nil {
			return false, err
		}
	}
	all, err := p.closure(round)
	if err != nil {
		return false, err
	}
	for fresh := sets; len(fresh) > 0; {
		next, err := p.after(fresh, round)
		if err != nil {
			return false, err
		}
		fresh = map[string][]int{}
		for key, set := range next {
			if _, ok := sets[key]; !ok {
				sets[key], fresh[key] = set, set
			}
		}
	}
	for _, loop := range all {
		good, err := p.acceptedFrom(loop)
		if err != nil {
			return false, err
		}
		for _, set := range sets {
			if !slices.ContainsFunc(set, func(s int) bool { return good[s] }) {
				return false, nil
			}
		}
		if err := p.spend(len(sets)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// relations returns, for each letter, the relations of its completions on the states that are reached
// before the letter.
func (p *openProduct) relations() ([][]relation, error) {
	edges := make([][]*Edge, p.word.size())
	for _, n := range p.nodes.list {
		edges[n.pos] = append(edges[n.pos], p.automaton.Edges(n.state)...)
	}
	letters := make([][]relation, p.word.size())
	for pos := range letters {
		seen := map[string]bool{}
		err := p.completions(p.letters[pos], edges[pos], func(enabled []*Edge) error {
			steps := make([]step, 0, len(enabled))
			for _, e := range enabled {
				s := step{from: e.From, to: e.To[0]}
				for i, leaf := range p.leaves {
					if sees(arc{marks: e.Marks}, leaf) {
						s.marks |= 1 << i
					}
				}
				steps = append(steps, s)
			}
			if r := newRelation(steps); !seen[r.key()] {
				seen[r.key()] = true
				letters[pos] = append(letters[pos], r)
			}
			return p.spend(1 + len(enabled))
		})
		if err != nil {
			return nil, err
		}
	}
	return letters, nil
}

// number gives each Inf and Fin of the condition that speaks of other edges than those before a bit.
func (p *openProduct) number() error {
	p.condition = replace(p.automaton.Acceptance, func(leaf *Condition) *Condition {
		i := slices.IndexFunc(p.leaves, func(x *Condition) bool { return x.Mark == leaf.Mark && x.Complement == leaf.Complement })
		if i < 0 {
			i = len(p.leaves)
			p.leaves = append(p.leaves, leaf)
		}
		return &Condition{Op: leaf.Op, Mark: i}
	})
	if len(p.leaves) > 64 {
		return ErrLarge
	}
	return nil
}

// products returns the relations of two words in a row, the first one in list, the second one in more.
func (p *openProduct) products(list, more []relation) ([]relation, error) {
	var found []relation
	seen := map[string]bool{}
	for _, x := range list {
		for _, y := range more {
			r := x.then(y)
			if err := p.spend(1 + len(x)*len(y) + len(r)); err != nil {
				return nil, err
			}
			if !seen[r.key()] {
				seen[r.key()] = true
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// closure returns the relations of one or more rounds.
func (p *openProduct) closure(round []relation) ([]relation, error) {
	seen := map[string]bool{}
	for _, r := range round {
		seen[r.key()] = true
	}
	all := slices.Clone(round)
	for fresh := round; len(fresh) > 0; {
		longer, err := p.products(fresh, round)
		if err != nil {
			return nil, err
		}
		fresh = nil
		for _, r := range longer {
			if !seen[r.key()] {
				seen[r.key()] = true
				fresh = append(fresh, r)
			}
		}
		all = append(all, fresh...)
	}
	return all, nil
}

// after returns the sets of states that the words of list lead to from some sets.
func (p *openProduct) after(sets map[string][]int, list []relation) (map[string][]int, error) {
	next := map[string][]int{}
	for _, set := range sets {
		for _, r := range list {
			image := r.image(set)
			next[keyOf(image)] = image
			if err := p.spend(1 + len(r)); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

func keyOf(set []int) string {
	var b []byte
	for _, s := range set {
		b = binary.AppendUvarint(b, uint64(s))
	}
	return string(b)
}

// acceptedFrom returns the states from which a word with this relation, repeated for ever, is
// accepted.
func (p *openProduct) acceptedFrom(loop relation) (map[int]bool, error) {
	good := map[int]bool{}
	for i, s := range loop {
		if i > 0 && loop[i-1].from == s.from {
			continue
		}
		reached := numbering[int]{}
		reached.of(s.from)
		var arcs []arc
		for at := 0; at < len(reached.list); at++ {
			for _, x := range loop {
				if x.from == reached.list[at] {
					a := arc{from: at, to: reached.of(x.to)}
					for i := range p.leaves {
						if x.marks>>i&1 != 0 {
							a.marks = append(a.marks, i)
						}
					}
					arcs = append(arcs, a)
				}
			}
			if err := p.spend(len(loop)); err != nil {
				return nil, err
			}
		}
		found, err := cycle(p.ctx, len(reached.list), arcs, p.condition)
		if err != nil {
			return nil, err
		}
		good[s.from] = found
	}
	return good, nil
}
