package complement

import (
	"context"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Algorithms lists the names of the constructions, as Of returns them.
func Algorithms() []string { return []string{"deterministic", "determinization"} }

// Of returns the complement of a, reduced first, and the name of the
// construction chosen. The Source fails with an omega.LimitError when it would
// make more than limit macrostates (if limit > 0), and when ctx is done. Of
// itself fails with omega.ErrAlternating, or if ctx is done.
func Of(ctx context.Context, a *omega.Automaton, limit int) (omega.Source, string, error) {
	a, err := omega.Reduce(ctx, a)
	if err != nil {
		return nil, "", err
	}
	if a.IsDeterministic() {
		return Deterministic(a), "deterministic", nil
	}
	src, err := byDeterminization(ctx, a, limit)
	return src, "determinization", err
}

func byDeterminization(ctx context.Context, a *omega.Automaton, limit int) (omega.Source, error) {
	b, err := Buchi(ctx, a)
	if err != nil {
		return nil, err
	}
	if b, err = omega.Reduce(ctx, b); err != nil {
		return nil, err
	}
	return dual{Determinize(ctx, b, limit)}, nil
}

// dual is a complete deterministic automaton with its acceptance negated.
type dual struct{ omega.Source }

func (d dual) Acceptance() omega.Acceptance { return d.Source.Acceptance().Dual() }

// With returns the complement of a by the construction of the given name, or by
// that which Of chooses if the name is empty. It fails as Of does, and if the
// construction is unknown or can't complement a.
func With(ctx context.Context, algorithm string, a *omega.Automaton, limit int) (omega.Source, string, error) {
	switch algorithm {
	case "":
		return Of(ctx, a, limit)
	case "deterministic":
		if !a.IsDeterministic() {
			return nil, "", fmt.Errorf("the automaton is not deterministic: use determinization")
		}
		return Deterministic(a), algorithm, nil
	case "determinization":
		src, err := byDeterminization(ctx, a, limit)
		return src, algorithm, err
	}
	return nil, "", fmt.Errorf("unknown complementation algorithm %q: expected %s", algorithm, strings.Join(Algorithms(), " or "))
}
