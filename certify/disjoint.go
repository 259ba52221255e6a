package certify

import (
	"context"
	"errors"
)

// ErrLarge says that two automata are too large for Disjoint.
var ErrLarge = errors.New("too large for a naive product")

// Disjoint reports whether no word is accepted by both automata, by their product over all
// letters: 2^n of them for n propositions. It fails with ErrLarge past limit edges of the
// product, and at once for alternating automata and more than 10 propositions; and when ctx
// is done.
func Disjoint(ctx context.Context, a, b *Automaton, limit int) (bool, error) {
	props := union(a.Props, b.Props)
	if len(props) > 10 || a.alternating() || b.alternating() {
		return false, ErrLarge
	}
	p := &pairs{ctx: ctx, a: a, b: b, limit: limit, number: map[[2]int]int{}}
	for v := range 1 << len(props) {
		letter := Letter{}
		for i, name := range props {
			letter[name] = v>>i&1 != 0
		}
		p.letters = append(p.letters, [2]*evaluation{
			{a.Props, letter, map[*Label]bool{}}, {b.Props, letter, map[*Label]bool{}}})
	}
	if err := p.explore(); err != nil {
		return false, err
	}
	both := &Condition{Op: AllOf, Args: []*Condition{a.Acceptance, shifted(b.Acceptance, p.shift())}}
	s := search{ctx: ctx}
	found, err := s.cycle(p.arcs, both)
	return !found, err
}

func union(x, y []string) (all []string) {
	seen := map[string]bool{}
	for _, list := range [][]string{x, y} {
		for _, name := range list {
			if !seen[name] {
				seen[name] = true
				all = append(all, name)
			}
		}
	}
	return all
}

// pairs is the product of two automata.
type pairs struct {
	ctx     context.Context
	a, b    *Automaton
	limit   int
	letters [][2]*evaluation
	number  map[[2]int]int
	states  [][2]int
	arcs    []arc
}

func (p *pairs) visit(s, t int) int {
	key := [2]int{s, t}
	i, ok := p.number[key]
	if !ok {
		i = len(p.states)
		p.number[key] = i
		p.states = append(p.states, key)
	}
	return i
}

// shift is added to the marks of b, so that they differ from those of a.
func (p *pairs) shift() int {
	most := 0
	for i := range p.a.Edges {
		for _, mark := range p.a.Edges[i].Marks {
			most = max(most, mark+1)
		}
	}
	return max(most, used(p.a.Acceptance))
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

func shifted(c *Condition, by int) *Condition {
	d := &Condition{Op: c.Op, Mark: c.Mark + by, Complement: c.Complement}
	for _, arg := range c.Args {
		d.Args = append(d.Args, shifted(arg, by))
	}
	return d
}

func (p *pairs) explore() error {
	shift := p.shift()
	for _, s := range p.a.Start {
		for _, t := range p.b.Start {
			p.visit(s[0], t[0])
		}
	}
	for i := 0; i < len(p.states); i++ {
		s, t := p.states[i][0], p.states[i][1]
		for _, e := range p.a.edges(s) {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			for _, f := range p.b.edges(t) {
				meet, err := p.meet(e.Label, f.Label)
				if err != nil {
					return err
				}
				if !meet {
					continue
				}
				marks := append([]int(nil), e.Marks...)
				for _, mark := range f.Marks {
					marks = append(marks, mark+shift)
				}
				p.arcs = append(p.arcs, arc{i, p.visit(e.To[0], f.To[0]), marks})
				if len(p.arcs) > p.limit {
					return ErrLarge
				}
			}
		}
	}
	return nil
}

// meet reports whether some letter satisfies both labels.
func (p *pairs) meet(l, m *Label) (bool, error) {
	for _, letter := range p.letters {
		x, err := letter[0].label(l)
		if err != nil {
			return false, err
		}
		y, err := letter[1].label(m)
		if err != nil {
			return false, err
		}
		if x && y {
			return true, nil
		}
	}
	return false, nil
}
