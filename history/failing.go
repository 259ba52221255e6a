package history

import (
	"context"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// FailingCase returns the newest stored case of an input, given by its text, in which a translator
// fails; nil if there is none.
func (s *Store) FailingCase(ctx context.Context, text, translator string) (*outcome.Case, error) {
	for document, err := range each(ctx, s.reads(), column[[]byte], `SELECT document FROM cases JOIN formulas ON formulas.id = formula
			WHERE text = ? AND failed ORDER BY run DESC, number`, text) {
		if err != nil {
			return nil, s.failed(err)
		}
		c, err := unpack(document)
		if err != nil {
			return nil, s.failed(err)
		}
		for _, f := range c.Faults() {
			if f.Translator == translator {
				return c, nil
			}
		}
	}
	return nil, nil
}
