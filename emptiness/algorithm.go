package emptiness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of an emptiness check. The empty name stands for the
// one that fits: Check.
//
// All of them take time linear in the part of the automaton that they explore
// but ByGeneric; it is meant of the Büchi automaton that generalized Büchi
// acceptance with n sets is brought to on demand, which is up to n times as
// large, for the nested searches, ByGV and ByTerminal (Schwoon and Esparza 2005,
// section 5.2). Beside the memory that is said of each, all keep the edges of the
// states on their path: 24 bytes each, and 24 for the state. Nothing is recursive
// over states.
type Algorithm string

const (
	// ByCVWY is the nested depth-first search of Courcoubetis, Vardi, Wolper,
	// Yannakakis 1992 (Schwoon and Esparza 2005, Figure 1): after an accepting
	// edge is complete, an inner search looks for a way from it back to itself.
	// Generalized Büchi acceptance. A byte a state, of which two bits are used;
	// the edges of each state are asked for at most twice. The run is the two
	// searches' paths.
	ByCVWY Algorithm = "cvwy"
	// ByHPY is that with the inner search ending at any state of the outer
	// one's path: Holzmann, Peled, Yannakakis 1996 (Schwoon and Esparza,
	// section 3.1). It costs as much; three bits are used.
	ByHPY Algorithm = "hpy"
	// ByGMZ is the color-DFS of Gastin, Moro, Zeitoun 2004, Algorithm 1, with
	// their Remark 2: as ByHPY; the outer search finds some cycles by itself, and
	// states are black if all edges lead to black ones; inner searches do not
	// enter these. Four bits are used.
	ByGMZ Algorithm = "gmz-color"
	// BySE is the nested search of Schwoon and Esparza 2005, Figure 3: as ByHPY,
	// but the outer search finds some cycles by itself, and no black states. The
	// paper's four colors, two bits, are five here, where edges are accepting;
	// they are kept as four bits.
	BySE Algorithm = "se-ndfs"
	// ByTarjan looks at components when they are complete: Tarjan 1972 (Schwoon
	// and Esparza 2005, section 4). Any condition without Fin. Two integers a
	// state, and one for each whose component is not complete.
	ByTarjan Algorithm = "tarjan"
	// ByGV stops as soon as the edges followed close an accepting cycle:
	// Geldenhuys and Valmari 2004 (Schwoon and Esparza 2005, Figure 7).
	// Generalized Büchi acceptance. It costs as much as ByTarjan, and an integer
	// for each state of the path.
	ByGV Algorithm = "gv"
	// ByCouvreur stops as soon as that, too: Couvreur 1999, in the form of
	// Schwoon and Esparza 2005, Figure 5. Any condition without Fin, as it is. An
	// integer a state, another for each whose component is not complete (instead
	// of the paper's second search for them), and 32 bytes for each component on
	// the path.
	ByCouvreur Algorithm = "couvreur"
	// ByWeak looks for an edge back to the path in a single search: Schwoon and
	// Esparza 2005, section 5.1, after Černá and Pelánek 2003. Any condition, if
	// the Source is Weak and says so. A byte a state.
	ByWeak Algorithm = "weak-dfs"
	// ByTerminal looks for an accepting edge, and follows one way on: the same
	// section. Generalized Büchi acceptance. A byte a state. It decides all
	// automata from whose accepting edges every way on is accepting and none
	// ends, and others if it finds no accepting edge or happens to find an
	// accepting cycle; else it fails with ErrUnfit.
	ByTerminal Algorithm = "terminal"
	// ByGeneric is Check, for any condition: Gillard 2019, section 5.2.
	ByGeneric Algorithm = "generic"
)

type check func(ctx context.Context, src omega.Source, limits Limits) (*Result, error)

// entry is an algorithm. It fails with ErrUnfit for a Source that it is not made
// for.
type entry struct {
	name  Algorithm
	about string
	check check
}

// checks are those that look for any run, in the order in which they are listed.
var checks = []entry{
	{ByCVWY, "nested depth-first search: Courcoubetis, Vardi, Wolper, Yannakakis 1992", checkNested(ByCVWY, nestedRules{})},
	{ByHPY, "the same, ending at the outer path: Holzmann, Peled, Yannakakis 1996", checkNested(ByHPY, nestedRules{onPath: true})},
	{ByGMZ, "the same, with black states: Gastin, Moro, Zeitoun 2004", checkNested(ByGMZ, nestedRules{onPath: true, early: true, black: true})},
	{BySE, "the same, with two bits a state: Schwoon, Esparza 2005", checkNested(BySE, nestedRules{onPath: true, early: true})},
	{ByTarjan, "complete components: Tarjan 1972", checkTarjan},
	{ByGV, "components, ending early: Geldenhuys, Valmari 2004", checkGV},
	{ByCouvreur, "components, ending early: Couvreur 1999", checkCouvreur},
	{ByWeak, "one depth-first search, for weak automata: Černá, Pelánek 2003", checkWeak},
	{ByTerminal, "reachability, for terminal automata: Černá, Pelánek 2003", checkTerminal},
	{ByGeneric, "any acceptance condition: Gillard 2019", Check},
}

// minimizers are those that look for a shortest run, which takes longer.
var minimizers = []entry{
	{ByGMZMin, "a shortest run, depth-first, Büchi: Gastin, Moro, Zeitoun 2004", minimal(ByGMZMin)},
	{ByGMMin, "a shortest run, breadth-first from pivots: Gastin, Moro 2007", minimal(ByGMMin)},
	{ByL2S, "a shortest run, liveness to safety: Schuppan, Biere 2005", minimal(ByL2S)},
}

// ErrUnfit says that an algorithm can't decide automata like the given one.
var ErrUnfit = errors.New("the algorithm does not fit the automaton")

// Algorithms lists the emptiness checks, without the Minimizers.
func Algorithms() []Algorithm { return names(checks) }

// Minimizers lists the algorithms whose run is a shortest one.
func Minimizers() []Algorithm { return names(minimizers) }

func names(entries []entry) (list []Algorithm) {
	for _, e := range entries {
		list = append(list, e.name)
	}
	return list
}

// find returns the entry of an algorithm, if there is one.
func find(a Algorithm) (e entry, ok bool) {
	for _, e := range slices.Concat(checks, minimizers) {
		if e.name == a {
			return e, true
		}
	}
	return entry{}, false
}

// About returns a line on an algorithm, with its source.
func (a Algorithm) About() string {
	e, _ := find(a)
	return e.about
}

// Names lists the names of the emptiness checks that Algorithms lists.
func Names() (list []string) {
	for _, a := range Algorithms() {
		list = append(list, string(a))
	}
	return list
}

// ParseAlgorithm returns the algorithm of that name, and fails with an error that
// lists them if there is none.
func ParseAlgorithm(name string) (Algorithm, error) {
	if e, ok := find(Algorithm(name)); ok {
		return e.name, nil
	}
	all := Names()
	for _, a := range Minimizers() {
		all = append(all, string(a))
	}
	return "", fmt.Errorf("unknown emptiness check %q: expected one of %s", name, strings.Join(all, ", "))
}

// Check decides emptiness by the algorithm. It fails as the function Check does,
// and with ErrUnfit.
func (a Algorithm) Check(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	if alternating(src) {
		return &Result{}, omega.ErrAlternating
	}
	if a == "" {
		return Check(ctx, src, limits)
	}
	e, ok := find(a)
	if !ok {
		return &Result{}, fmt.Errorf("unknown emptiness check %q", a)
	}
	return e.check(ctx, src, limits)
}

// checkCouvreur is Check where no Fin occurs.
func checkCouvreur(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	if src.Acceptance().Condition.HasFin() {
		return &Result{}, unfit(ByCouvreur, src, "a condition without Fin")
	}
	return Check(ctx, src, limits)
}
