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

// constructions lists the complement constructions. Adding one takes a file with its [blockKind] and
// the [chooser] that says which components it fits, and a row here: see CONTRIBUTING.md.
var constructions = []construction{
	{"deterministic", "deterministic", alone, isDeterministic, deterministic, nil, "determinization",
		"a sink, and the dual condition"},
	{"dualization", "alternating", alone, isAlternating, dualized, nil, "determinization",
		"Muller and Schupp 1987"},
	{"breakpoint", "inherently weak", alone, nil, nil, onlyBreakpoints, "determinization",
		"Miyano and Hayashi 1984"},
	{"ncsb", "limit-deterministic", never, nil, nil, onlyNCSB(eagerNCSB), "determinization",
		"Blahoudek, Heizmann, Schewe, Strejček, Tsai 2016"},
	{"ncsb-lazy", "limit-deterministic", never, nil, nil, onlyNCSB(lazyNCSB), "determinization",
		"Chen, Heizmann, Lengál, Li, Tsai, Turrini, Zhang 2018"},
	{"ncsb-joint", "limit-deterministic", never, nil, nil, onlyNCSB(jointNCSB), "determinization",
		"Havlena, Lengál, Li, Šmahlíková, Turrini 2023"},
	{"modular", anyBuchi, 1, nil, nil, modular, "ranks",
		"Havlena, Lengál, Li, Šmahlíková, Turrini 2023"},
	{"determinization", anyBuchi, 3, nil, nil, everywhere(oneTree), "ranks",
		"Safra 1988; Piterman 2007; Schewe 2009; Redziejowski 2012"},
	{"determinization-scc", anyBuchi, 2, nil, nil, treePerComponent, "ranks",
		"Li, Turrini, Feng, Vardi, Zhang 2022"},
	{"ranks", anyBuchi, never, nil, nil, everywhere(rankings), "determinization",
		"Kupferman and Vardi 2001; Friedgut, Kupferman, Vardi 2006; Schewe 2009"},
}

// A construction is a row of constructions. It complements an automaton that fits as a whole, or
// chooses how each component is refuted.
type construction struct {
	name   Algorithm
	class  string // what the automaton has to be
	turn   turn
	fits   func(s *Subject) bool
	make   func(s *Subject, m *allowance) omega.Source
	choose chooser
	// instead is the construction that an error suggests if this one does not fit.
	instead Algorithm
	source  string // the papers
}

func isDeterministic(s *Subject) bool { return s.kinds == nil && s.dual == nil }
func isAlternating(s *Subject) bool   { return s.dual != nil }

// anyBuchi is the class of automata with Büchi acceptance that are not alternating. The others get
// Büchi acceptance before, so that only alternating ones are outside.
const anyBuchi = "any"

// A turn says when a construction that fits is tried by itself: first, second, ….
type turn int

const (
	alone turn = -1 // it takes no turns: the first such row that fits is the only candidate
	never turn = 0  // it is used only by name
)

// build returns the complement of a Subject. It fails with ErrUnfit itself if that is not of the
// class.
func (c *construction) build(ctx context.Context, s *Subject, m *allowance) (omega.Source, error) {
	switch {
	case c.choose != nil:
		return blocks(ctx, s, m, c.choose)
	case !c.fits(s):
		return nil, ErrUnfit
	}
	return c.make(s, m), nil
}

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

// others lists the constructions to use if the given one does not fit, the best first.
func others(used Algorithm) []Algorithm {
	list := []Algorithm{"determinization"}
	if row, err := find(used); err == nil {
		list[0] = row.instead
	}
	for _, c := range constructions {
		if c.class == anyBuchi && c.name != used && c.name != list[0] {
			list = append(list, c.name)
		}
	}
	return list
}
