package complement

import (
	"context"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Determinize returns a deterministic and complete automaton with the language of a, which
// must have Büchi acceptance. It does not reduce a first. The result has parity min odd
// acceptance, and the macrostates of the construction "determinization". It fails as a Complement does.
func Determinize(ctx context.Context, a *omega.Automaton, limit int) omega.Source {
	s, _ := classify(context.WithoutCancel(ctx), a) // does not fail then
	return determinized{s.macrostates(newAllowance(ctx, limit), everywhere(oneTree))}
}

// determinized is a complement by one tree, complemented again.
type determinized struct{ *macrostates }

func (d determinized) Acceptance() omega.Acceptance { return d.acceptance.Dual() }
