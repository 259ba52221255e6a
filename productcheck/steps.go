package productcheck

import (
	"context"
	"errors"
	"strings"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/omega/isomorphic"
	"github.com/xcheck-ltl/xcheck/transform/reduce"
	"github.com/xcheck-ltl/xcheck/transform/simulation"
)

// A Step names what decided a check. For a complement that was made, it is the name of the
// construction, or two of them joined by "+".
type Step string

// The steps besides complements.
const (
	ByProduct   Step = "product"   // no complement was needed
	ByIdentity  Step = "identical" // the reduced automata are isomorphic
	ByKept      Step = "kept"      // complements of earlier checks had all macrostates
	ByDirect    Step = "direct"    // direct simulation
	ByFair      Step = "fair"      // fair simulation
	ByLookahead Step = "lookahead" // simulation with lookahead
	ByDelayed   Step = "delayed"   // delayed simulation, when a complement was not soon enough
	ByForq      Step = "forq"      // package forq: sets and relations of states, no complement
)

// proofs are ways to prove that each word of a is in b without a complement, in the order in which
// they are tried. They are tried only if a complement would have to be made otherwise. Each one is
// cheap: it counts its steps, and gives up early. To add one, add a row.
var proofs = []struct {
	// prove returns what has proved it, or "".
	prove func(ctx context.Context, a, b *Language) (Step, error)
	// last is set if it is cheap only beside a complement that is not deterministic.
	last bool
}{
	{isomorphicAutomata, false},
	{directSimulation, true},
	{fairSimulation, true},
}

const (
	maxLookahead    = 4
	simulationSteps = 1 << 17 // some two milliseconds
	// buchiStates bounds automata with Büchi acceptance that are made for a simulation. Larger ones
	// would exceed simulationSteps.
	buchiStates = 1 << 12
)

// proved tries to prove that a check finds no word. It returns what has proved it, or "".
func (d *Decider) proved(ctx context.Context, x, y operand) (Step, error) {
	a, b := included(x, y)
	if d.Algorithm != "" || d.Emptiness != "" || a == nil || len(b.made) > 0 {
		return "", nil
	}
	var automata [2]*omega.Automaton
	for i, l := range []*Language{a, b} {
		var err error
		if automata[i], err = l.Reduced(ctx, d.Limits.Macrostates); err != nil {
			return "", unlimited(err)
		}
	}
	for _, p := range proofs {
		if p.last && automata[1].IsDeterministic() {
			continue
		}
		by, err := p.prove(ctx, a, b)
		if err = unlimited(err); by != "" || err != nil {
			return by, err
		}
	}
	return "", nil
}

// unlimited returns the error, or nil if it reports a limit, because then there is only no proof.
func unlimited(err error) error {
	var over *omega.LimitError
	if errors.As(err, &over) || errors.Is(err, omega.ErrNotWeak) {
		return nil
	}
	return err
}

// included returns two languages such that no word is in x and y if and only if each word of a is
// in b. It returns nil where that takes no complement, or one on both sides.
func included(x, y operand) (a, b *Language) {
	known := func(o operand) *Language {
		if o.in {
			return o.Language
		}
		return o.dual
	}
	switch {
	case !y.in && y.dual == nil && known(x) != nil:
		return known(x), y.Language
	case !x.in && x.dual == nil && known(y) != nil:
		return known(y), x.Language
	}
	return nil, nil
}

// isomorphicAutomata compares the reduced automata.
func isomorphicAutomata(ctx context.Context, a, b *Language) (Step, error) {
	x, y := a.search, b.search
	if x.NumStates() != y.NumStates() || x.NumEdges() != y.NumEdges() {
		return "", nil
	}
	same, err := isomorphic.Equal(ctx, x, y)
	return given(ByIdentity, same), err
}

func given(by Step, proved bool) Step {
	if proved {
		return by
	}
	return ""
}

// directSimulation is for conditions that fair simulation needs another automaton for.
func directSimulation(ctx context.Context, a, b *Language) (Step, error) {
	if simulation.Fair.Fits(a.search, b.search) || !simulation.Direct.Fits(a.search, b.search) {
		return "", nil
	}
	k, err := simulation.Proves(ctx, a.search, b.search, simulation.Direct, 1, simulationSteps)
	return given(ByDirect, k > 0), err
}

func fairSimulation(ctx context.Context, a, b *Language) (Step, error) {
	x, err := a.withBuchi(ctx)
	if err != nil {
		return "", err
	}
	y, err := b.withBuchi(ctx)
	if err != nil {
		return "", err
	}
	k, err := simulation.Proves(ctx, x, y, simulation.Fair, maxLookahead, simulationSteps)
	if k > 1 {
		return ByLookahead, err
	}
	return given(ByFair, k == 1), err
}

// withBuchi returns the reduced automaton with Büchi acceptance.
func (l *Language) withBuchi(ctx context.Context) (*omega.Automaton, error) {
	if l.buchi == nil {
		a, err := complement.Buchi(ctx, l.search, buchiStates)
		if err != nil {
			return nil, err
		}
		if l.buchi, err = reduce.Reduce(ctx, a); err != nil {
			l.buchi = nil
			return nil, err
		}
	}
	return l.buchi, nil
}

// step returns what has decided a check by search.
func (d *Decision) step() Step {
	if len(d.Constructions) == 0 {
		return ByProduct
	}
	var names []string
	for i, by := range d.Constructions {
		if i == 0 || by != d.Constructions[0] {
			names = append(names, string(by))
		}
	}
	by := Step(strings.Join(names, "+"))
	if d.Macrostates == 0 && by != Step(ByNegation) {
		return ByKept
	}
	return by
}
