package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Others lists the constructions that can repeat a check made with the given one. The first has as
// little in common with it as there is.
func Others(used Algorithm) []Algorithm {
	list := []Algorithm{"determinization"}
	if row, err := find(used); err == nil {
		list[0] = row.again
	}
	for _, c := range constructions {
		if c.fits == anyBuchi && c.name != used && c.name != list[0] {
			list = append(list, c.name)
		}
	}
	return list
}

// Other returns the complement of a by a construction of Others, without reducing a first. It
// usually has more states than that of With, and fails as that does.
func Other(ctx context.Context, by Algorithm, a *omega.Automaton, limit int) (*Complement, error) {
	a, err := Nonalternating(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	s, err := withBuchi(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	return s.Complement(ctx, by, limit)
}
