package session

import (
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// spelled are the formulas of a run as ltlcross spells them, which depends on those that come
// before. So they are spelled in the order of the inputs, however the cases come.
type spelled struct {
	sync.Mutex
	speller spelling.Speller
	texts   map[int][2]string // of the cases that are not reported yet
}

// see spells the next formula. It is that of a case with an index, or if wanted is false, of
// another shard.
func (s *spelled) see(f *ltl.Formula, index int, wanted bool) {
	if s == nil || f == nil {
		return
	}
	s.Lock()
	defer s.Unlock()
	formula, negation := s.speller.Spell(f)
	if s.texts == nil {
		s.texts = map[int][2]string{}
	}
	if wanted {
		s.texts[index] = [2]string{formula, negation}
	}
}

// of returns the spellings of the formula of a case and of its negation, once.
func (s *spelled) of(c *outcome.Case) [2]string {
	s.Lock()
	defer s.Unlock()
	texts, ok := s.texts[c.Index]
	if !ok { // it did not come from the feed
		texts[0], texts[1] = s.speller.SpellText(c.Formula)
	}
	delete(s.texts, c.Index)
	return texts
}
