package report

import (
	"github.com/xcheck-ltl/xcheck/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// inOrder returns what spells the formulas of cases and their negations as ltlcross does, if they
// come in the order of the inputs.
func inOrder() func(*outcome.Case) [2]string {
	var s spelling.Speller
	return func(c *outcome.Case) [2]string {
		formula, negation := s.SpellText(c.Formula)
		return [2]string{formula, negation}
	}
}

// A speller returns the text of the input of a result. Each case is spelled once.
type speller struct {
	spell func(*outcome.Case) [2]string
	of    *outcome.Case
	texts [2]string
}

func (s *speller) input(c *outcome.Case, p outcome.Polarity) string {
	if s.of != c {
		s.of, s.texts = c, s.spell(c)
	}
	if p == outcome.Negation {
		return s.texts[1]
	}
	return s.texts[0]
}
