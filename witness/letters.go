package witness

import (
	"context"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// letters are the sets of valuations that no label of the automata tells apart,
// without those that others make superfluous. They are ordered by weight.
type letters struct {
	label  []omega.Label // the representative, one valuation
	weight []int32       // how many propositions it sets
}

// mostLetters is the number of letters past which a search is given up: there
// are that many words already of a single letter.
const mostLetters = 1 << 12

// split cuts the set of all valuations by the labels of the edges.
func split(ctx context.Context, alphabet *omega.Alphabet, sides []*side) ([]omega.Label, error) {
	parts := []omega.Label{alphabet.True()}
	known := map[omega.Label]bool{}
	for _, s := range sides {
		for i, e := range s.edges {
			if i%64 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if known[e.label] {
				continue
			}
			known[e.label] = true
			for _, p := range parts[:len(parts):len(parts)] {
				if !alphabet.Meet(p, e.label) || alphabet.Implies(p, e.label) {
					continue
				}
				i := slices.Index(parts, p)
				parts[i] = alphabet.And(p, e.label)
				parts = append(parts, alphabet.And(p, alphabet.Not(e.label)))
			}
			if len(parts) > mostLetters {
				return nil, &omega.LimitError{What: "letters", Limit: mostLetters}
			}
		}
	}
	return parts, nil
}

// newLetters returns the letters, and sets what they do on each side.
func newLetters(ctx context.Context, alphabet *omega.Alphabet, sides []*side) (*letters, error) {
	parts, err := split(ctx, alphabet, sides)
	if err != nil {
		return nil, err
	}
	type candidate struct {
		label  omega.Label
		weight int32
		moves  [][]uint64 // by side: the set of moves
	}
	all := make([]candidate, len(parts))
	for i, p := range parts {
		v, _ := alphabet.Letter(p)
		c := candidate{label: alphabet.LetterLabel(v)}
		for _, set := range v {
			if set {
				c.weight++
			}
		}
		for _, s := range sides {
			set := make([]uint64, (len(s.moves)+63)/64)
			for _, e := range s.edges {
				if alphabet.Meet(e.label, c.label) {
					set[e.move/64] |= 1 << (e.move % 64)
				}
			}
			c.moves = append(c.moves, set)
		}
		all[i] = c
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return int(x.weight - y.weight) })
	l := &letters{}
	var kept []candidate
	for i, c := range all {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// Those before c set no more propositions. A letter with the same weight
		// that comes later may make c superfluous, too.
		worse := func(d candidate) bool {
			for j, s := range sides {
				if !s.better(d.moves[j], c.moves[j]) {
					return false
				}
			}
			return true
		}
		if slices.ContainsFunc(kept, worse) {
			continue
		}
		later := false
		for _, d := range all[i+1:] {
			if d.weight > c.weight || later {
				break
			}
			later = worse(d) && !equal(d.moves, c.moves)
		}
		if !later {
			kept = append(kept, c)
		}
	}
	for _, c := range kept {
		l.label = append(l.label, c.label)
		l.weight = append(l.weight, c.weight)
		for j, s := range sides {
			s.letters = append(s.letters, c.moves[j])
		}
	}
	return l, nil
}

func equal(x, y [][]uint64) bool { return slices.EqualFunc(x, y, slices.Equal[[]uint64]) }

// trailing is the number of the lowest bit that is set.
func trailing(x uint64) int { return bits.TrailingZeros64(x) }

// each calls f for the numbers in a bit set, in ascending order.
func each(set []uint64, f func(i int)) {
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			f(64*w + trailing(x))
		}
	}
}
