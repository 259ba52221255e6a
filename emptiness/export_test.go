package emptiness

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/transform/convert"
)

// CheckSplits is Check with or without the test of unavoidable marks. It also returns how often a
// component was split.
func CheckSplits(ctx context.Context, src omega.Source, unavoidable bool) (*Result, int, error) {
	s := &search{Explorer: NewExplorer(ctx, src, Limits{}), noUnavoidable: !unavoidable}
	s.hasFin = s.Cond.HasFin()
	result, err := s.any()
	return result, s.splits, err
}

// BlackStates returns the states that are black when the colour DFS has ended.
func BlackStates(ctx context.Context, src omega.Source) ([]omega.State, error) {
	c, _, err := newHunt(ctx, src, &Minimizer{}).colour(false)
	if err != nil {
		return nil, err
	}
	var list []omega.State
	for s := range c.colouring {
		if c.is(omega.State(s), black) {
			list = append(list, omega.State(s))
		}
	}
	return list, nil
}

// A Colour is what a nested search knows of a state: whether the paper's colors blue, red and cyan
// apply, and whether the path leaves it by an accepting edge.
type Colour struct{ Outer, Inner, OnPath, Accepted bool }

// SEColours returns the colours that the states of a Büchi automaton have when BySE ends.
func SEColours(ctx context.Context, src omega.Source) ([]Colour, error) {
	list, _ := convert.Clauses(src.Acceptance().Condition, src.Marks())
	n := &nested{Explorer: NewExplorer(ctx, src, Limits{}), nestedRules: nestedRules{onPath: true, early: true},
		accepting: clause{marks: src.Marks(), any: list[0]}}
	_, err := n.Decide(n.outer)
	var colours []Colour
	for _, c := range n.colour {
		colours = append(colours, Colour{c&byOuter != 0, c&byInner != 0, c&onOuter != 0, c&accepted != 0})
	}
	return colours, err
}
