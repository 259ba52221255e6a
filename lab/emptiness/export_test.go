package emptiness

import (
	"context"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/transform/convert"
	"github.com/xcheck-ltl/xcheck/omega"
)

// BlackStates returns the states that are black when the colour DFS has ended.
func BlackStates(ctx context.Context, src omega.Source) ([]omega.State, error) {
	var list []omega.State
	_, err := product.Search(ctx, src, &product.Minimizer{}, func(h *product.Hunt) error {
		c, _, err := colour(h, false)
		if err != nil {
			return err
		}
		for s := range c.colouring {
			if c.black(omega.State(s)) {
				list = append(list, omega.State(s))
			}
		}
		return nil
	})
	return list, err
}

// A Colour is what a nested search knows of a state: whether the paper's colors blue, red and cyan
// apply, and whether the path leaves it by an accepting edge.
type Colour struct{ Outer, Inner, OnPath, Accepted bool }

// SEColours returns the colours that the states of a Büchi automaton have when BySE ends.
func SEColours(ctx context.Context, src omega.Source) ([]Colour, error) {
	list, _ := convert.Clauses(src.Acceptance().Condition, src.Marks())
	n := &nested{Explorer: product.NewExplorer(ctx, src, Limits{}), nestedRules: nestedRules{onPath: true, early: true},
		accepting: clause{marks: src.Marks(), any: list[0]}}
	_, err := n.Decide(n.outer)
	var colours []Colour
	for _, c := range n.colour {
		colours = append(colours, Colour{c&byOuter != 0, c&byInner != 0, c&onOuter != 0, c&accepted != 0})
	}
	return colours, err
}
