package emptiness

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of an emptiness check. The empty name stands for the
// one that fits: Check.
type Algorithm string

const (
	ByCouvreur Algorithm = "couvreur" // Couvreur 1999, without Fin
	ByGeneric  Algorithm = "generic"  // Gillard 2019, section 5.2: any condition
)

// checks are the algorithms by name, in the order in which they are listed.
// Each fails with ErrUnfit for a Source that it is not made for.
var checks = []struct {
	name  Algorithm
	check func(ctx context.Context, src omega.Source, limits Limits) (*Result, error)
}{
	{ByCouvreur, checkCouvreur},
	{ByGeneric, Check},
}

// ErrUnfit says that an algorithm can't decide automata like the given one.
var ErrUnfit = errors.New("the algorithm does not fit the automaton")

// Algorithms lists the emptiness checks.
func Algorithms() []Algorithm {
	var names []Algorithm
	for _, c := range checks {
		names = append(names, c.name)
	}
	return names
}

// ParseAlgorithm returns the algorithm of that name, and fails with an error that
// lists them if there is none.
func ParseAlgorithm(name string) (Algorithm, error) {
	var names []string
	for _, c := range checks {
		if string(c.name) == name {
			return c.name, nil
		}
		names = append(names, string(c.name))
	}
	return "", fmt.Errorf("unknown emptiness check %q: expected one of %s", name, strings.Join(names, ", "))
}

// Check decides emptiness by the algorithm. It fails as the function Check does,
// and with ErrUnfit.
func (a Algorithm) Check(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	for _, c := range checks {
		if c.name == a {
			return c.check(ctx, src, limits)
		}
	}
	if a != "" {
		return &Result{}, fmt.Errorf("unknown emptiness check %q", a)
	}
	return Check(ctx, src, limits)
}

// checkCouvreur is Check where no Fin occurs.
func checkCouvreur(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	if acc := src.Acceptance(); acc.Condition.HasFin() {
		return &Result{}, fmt.Errorf("%w: couvreur can't decide %s, which has Fin: use generic", ErrUnfit, acc)
	}
	return Check(ctx, src, limits)
}
