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
	shift       int // added to the marks of b, so that they differ from those of a
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
