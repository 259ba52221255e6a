package certify

import (
	"context"
	"errors"
)

// ErrLarge reports two automata that are too large for Disjoint.
var ErrLarge = errors.New("too large for a naive product")

// Disjoint reports whether no word is accepted by both automata. It builds their product over
// all 2^n letters of n propositions. It fails with ErrLarge past limit edges of the product,
// for alternating automata, and for more than 10 propositions. It also fails when ctx is done.
func Disjoint(ctx context.Context, a, b *Automaton, limit int) (bool, error) {
	props := union(a.Props, b.Props)
	if len(props) > maxProps || a.alternating() || b.alternating() {
		return false, ErrLarge
	}
	p := &pairs{ctx: ctx, a: a, b: b, limit: limit, number: map[[2]int]int{},
		left: newLabelSets(a.Props, props), right: newLabelSets(b.Props, props)}
	if err := p.explore(); err != nil {
		return false, err
	}
	both := &Condition{Op: AllOf, Args: []*Condition{a.Acceptance, shifted(b.Acceptance, a.marks())}}
	found, err := cycle(ctx, p.arcs, both)
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
	ctx         context.Context
	a, b        *Automaton
	left, right *labelSets
	limit       int
	number      map[[2]int]int
	states      [][2]int
	arcs        []arc
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

// shifted returns c about marks with numbers that are larger by so much.
func shifted(c *Condition, by int) *Condition {
	d := &Condition{Op: c.Op, Mark: c.Mark + by, Complement: c.Complement}
	for _, arg := range c.Args {
		d.Args = append(d.Args, shifted(arg, by))
	}
	return d
}

func (p *pairs) explore() error {
	shift := p.a.marks() // so that the marks of b differ
	for _, s := range p.a.Start {
		for _, t := range p.b.Start {
			p.visit(s[0], t[0])
		}
	}
	for i := 0; i < len(p.states); i++ {
		s, t := p.states[i][0], p.states[i][1]
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
