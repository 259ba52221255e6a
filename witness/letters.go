package witness

import (
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/bitset"
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

// meetSteps is what the question costs whether two labels have a letter in common.
const meetSteps = 16

// letter is one of those that labels tell apart.
type letter struct {
	label  omega.Label
	weight int32
	moves  [][]uint64 // by side: the set of moves
}

// findLetters finds the letters, and sets what they do on each side.
func (s *search) findLetters() error {
	parts, err := s.split()
	if err != nil {
		return err
	}
	all := make([]letter, len(parts))
	for i, p := range parts {
		if all[i], err = s.letter(p); err != nil {
			return err
		}
	}
	slices.SortStableFunc(all, func(x, y letter) int { return int(x.weight - y.weight) })
	s.letters = &letters{}
	var kept []letter
	for i, c := range all {
		needed, err := s.needed(c, kept, all[i+1:])
		if err != nil {
			return err
		}
		if !needed {
			continue
		}
		kept = append(kept, c)
		s.letters.label = append(s.letters.label, c.label)
		s.letters.weight = append(s.letters.weight, c.weight)
		for j, t := range s.sides {
			t.letters = append(t.letters, c.moves[j])
		}
	}
	return nil
}

// split cuts the set of all valuations by the labels of the edges. The labels a and a|b cut it into
// three parts: a, !a&b and !a&!b.
func (s *search) split() ([]omega.Label, error) {
	parts := []omega.Label{s.alphabet.True()}
	known := map[omega.Label]bool{}
	for _, t := range s.sides {
		for _, g := range t.labels {
			if known[g.label] {
				continue
			}
			known[g.label] = true
			for i, p := range parts[:len(parts):len(parts)] {
				if !s.alphabet.Meet(p, g.label) || s.alphabet.Implies(p, g.label) {
					continue
				}
				parts[i] = s.alphabet.And(p, g.label)
				parts = append(parts, s.alphabet.And(p, s.alphabet.Not(g.label)))
			}
			if len(parts) > mostLetters {
				return nil, &omega.LimitError{What: "letters", Limit: mostLetters}
			}
			if err := s.count(meetSteps * len(parts)); err != nil {
				return nil, err
			}
		}
	}
	return parts, nil
}

// letter returns the letter that stands for all valuations of a part.
func (s *search) letter(part omega.Label) (letter, error) {
	v, _ := s.alphabet.Letter(part)
	c := letter{label: s.alphabet.LetterLabel(v), weight: weight(v)}
	for _, t := range s.sides {
		set := make([]uint64, bitset.Words(len(t.moves)))
		s.held += int64(8 * len(set))
		for _, g := range t.labels {
			if s.alphabet.Meet(g.label, c.label) {
				for _, m := range g.moves {
					bitset.Add(set, m)
				}
			}
			if err := s.count(meetSteps + len(g.moves)); err != nil {
				return c, err
			}
		}
		c.moves = append(c.moves, set)
	}
	return c, nil
}

// weight returns how many propositions a letter sets.
func weight(v omega.Letter) (n int32) {
	for _, set := range v {
		if set {
			n++
		}
	}
	return n
}

// needed reports whether no other letter does as well as c: none of those that are
// kept, which set no more propositions, and none of the later ones that set as many.
func (s *search) needed(c letter, kept, later []letter) (bool, error) {
	asGood := func(d letter) bool {
		for j, t := range s.sides {
			if !t.better(d.moves[j], c.moves[j]) {
				return false
			}
		}
		return true
	}
	for i := 0; i < len(later) && later[i].weight == c.weight; i++ {
		if asGood(later[i]) && !equal(later[i].moves, c.moves) {
			return false, nil
		}
		if err := s.count(len(c.moves[0])); err != nil {
			return false, err
		}
	}
	return !slices.ContainsFunc(kept, asGood), s.count(len(kept) * len(c.moves[0]))
}

func equal(x, y [][]uint64) bool { return slices.EqualFunc(x, y, slices.Equal[[]uint64]) }

// each calls f for the numbers in a bit set, in ascending order.
func each(set []uint64, f func(i int)) {
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			f(64*w + bits.TrailingZeros64(x))
		}
	}
}
