package complement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of a complement construction.
type Algorithm string

// constructions lists the complement constructions. Adding one takes a row here, and a row in
// docs/complement.md.
var constructions = []construction{
	{"deterministic", "deterministic", turn{classDeterministic, 1}, nil, "determinization",
		"a sink, and the dual condition"},
	{"dualization", "alternating", turn{classAlternating, 1}, nil, "determinization",
		"Muller and Schupp 1987"},
	{"breakpoint", "inherently weak", turn{classWeak, 1}, onlyBreakpoints, "determinization",
		"Miyano and Hayashi 1984"},
	{"ncsb", "limit-deterministic", never, onlyNCSB(eagerNCSB), "determinization",
		"Blahoudek, Heizmann, Schewe, Strejček, Tsai 2016"},
	{"ncsb-lazy", "limit-deterministic", never, onlyNCSB(lazyNCSB), "determinization",
		"Chen, Heizmann, Lengál, Li, Tsai, Turrini, Zhang 2018"},
	{"ncsb-joint", "limit-deterministic", never, onlyNCSB(jointNCSB), "determinization",
		"Havlena, Lengál, Li, Šmahlíková, Turrini 2023"},
	{"modular", anyBuchi, turn{classGeneral, 1}, modular, "ranks",
		"Havlena, Lengál, Li, Šmahlíková, Turrini 2023"},
	{"determinization", anyBuchi, turn{classGeneral, 3}, everywhere(oneTree), "ranks",
		"Safra 1988; Piterman 2007; Schewe 2009; Redziejowski 2012"},
	{"determinization-scc", anyBuchi, turn{classGeneral, 2}, treePerComponent, "ranks",
		"Li, Turrini, Feng, Vardi, Zhang 2022"},
	{"ranks", anyBuchi, never, everywhere(rankings), "determinization",
		"Kupferman and Vardi 2001; Friedgut, Kupferman, Vardi 2006; Schewe 2009"},
}

// A construction is a row of constructions.
type construction struct {
	name Algorithm
	fits string // what the automaton has to be
	turn turn
	// choose shares out the components, unless the automaton is complemented as a whole.
	choose chooser
	// again is the construction that repeats checks made with this one: one with as little in
	// common with it as there is.
	again  Algorithm
	source string // the papers
}

// build returns the complement of a Subject. It fails with ErrUnfit itself if that is not what
// fits.
func (c *construction) build(ctx context.Context, s *Subject, m *allowance) (omega.Source, error) {
	switch {
	case c.choose != nil:
		return blocks(ctx, s, m, c.choose)
	case s.class != c.turn.class:
		return nil, ErrUnfit
	case s.class == classDeterministic:
		return deterministic(s.a, m), nil
	}
	return s.dual.nondeterministic(m), nil
}

// anyBuchi is what fits automata with Büchi acceptance that are not alternating. The others are
// made so before, so that all automata fit but alternating ones.
const anyBuchi = "any"

// A turn is the class of automata for which a construction is chosen by itself, and when it is
// tried: first, second, ….
type turn struct {
	class class
	place int
}

// never is the turn of a construction that is used only by name.
var never turn

// Algorithms lists the constructions.
func Algorithms() []Algorithm {
	var list []Algorithm
	for _, c := range constructions {
		list = append(list, c.name)
	}
	return list
}

func find(name Algorithm) (*construction, error) {
	i := slices.IndexFunc(constructions, func(c construction) bool { return c.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown complementation algorithm %q%s", name, spelling.Of(string(name), Algorithms()))
	}
	return &constructions[i], nil
}

// ErrUnfit reports a construction that can't complement the given automaton.
var ErrUnfit = errors.New("the construction does not fit the automaton")

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

// Other returns the complement of a by a construction of Others, without reducing a first. Usually
// With makes fewer states. Both fail in the same way.
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
