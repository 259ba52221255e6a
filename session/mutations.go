package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Mutating says which smaller formulas [Mutations] returns.
type Mutating struct {
	Steps  ltl.Steps
	Times  int  // how many steps smaller
	Most   int  // how many; 0: all
	Sorted bool // the smallest first; then all are found before the first are taken
}

// Mutations returns the formulas that are some steps smaller than f. The error comes from ctx.
func Mutations(ctx context.Context, f *ltl.Formula, how Mutating) ([]*ltl.Formula, error) {
	store := ltl.NewStore()
	list := []*ltl.Formula{store.Import(f)}
	for i := range how.Times {
		var smaller []*ltl.Formula
		seen := map[*ltl.Formula]bool{}
		last := i == how.Times-1 && !how.Sorted
	all:
		for _, g := range list {
			for h := range store.Shrink(g, how.Steps) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if seen[h] {
					continue
				}
				seen[h] = true
				if smaller = append(smaller, h); last && len(smaller) == how.Most {
					break all
				}
			}
		}
		list = smaller
	}
	if how.Sorted {
		slices.SortStableFunc(list, func(a, b *ltl.Formula) int { return cmp.Compare(a.Size(), b.Size()) })
	}
	if n := how.Most; n > 0 && len(list) > n {
		list = list[:n]
	}
	return list, nil
}
