package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Other returns the complement of a by another construction than used, and without reducing a
// first. It serves to repeat a check in another way, and usually has more states. It fails as
// With does.
func Other(ctx context.Context, used Algorithm, a *omega.Automaton, limit int) (*Complement, error) {
	if a.Alternating() {
		src, err := Nondeterministic(ctx, a, limit)
		if err != nil {
			return nil, err
		}
		if a, err = omega.Explore(ctx, src, limit); err != nil {
			return nil, err
		}
	}
	b, err := Buchi(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	s, err := classify(ctx, b)
	if err != nil {
		return nil, err
	}
	by := Algorithm("determinization")
	if row, err := find(used); err == nil {
		by = row.again
	}
	return s.Complement(ctx, by, limit)
}
