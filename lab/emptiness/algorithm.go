package emptiness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	product "github.com/xcheck-ltl/xcheck/internal/emptiness"
	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/omega"
)

// An Algorithm is the name of an emptiness check. The empty name means the product's Check.
//
// All except ByGeneric take time linear in the explored part. For ByCVWY, ByHPY, ByGMZ, BySE,
// ByGV and ByTerminal, that is the part of a Büchi automaton: generalized Büchi acceptance with n
// sets is converted on the fly, which multiplies the size by up to n (Schwoon and Esparza
// 2005, section 5.2). In addition to the memory given for each, all keep the edges of the
// states on their path: 24 bytes each, and 24 for the state.
type Algorithm string

const (
	// ByCVWY, ByHPY, ByGMZ and BySE are nested searches: after an accepting edge, an inner search
	// looks for a way back to it. ByHPY's ends at any state of the outer path. The outer search of
	// ByGMZ and BySE finds some cycles by itself, and inner searches of ByGMZ do not enter black
	// states, whose edges all lead to black states. They handle generalized Büchi acceptance, take
	// a byte per state, and request the edges of each state at most twice. The run consists of the
	// paths of both searches.
	ByCVWY Algorithm = "cvwy"
	ByHPY  Algorithm = "hpy"
	ByGMZ  Algorithm = "gmz-color"
	BySE   Algorithm = "se-ndfs"
	// ByTauriainen is a nested search for any condition without Fin, without conversion: its
	// inner searches carry the marks of the edges before them. It takes 9 bytes per state, and
	// requests the edges of each state at most n+1 times, where n is the number of marks.
	ByTauriainen Algorithm = "tauriainen"
	// ByTarjan examines components when they are complete. It handles any condition without Fin.
	// It takes two integers per state, one more while its component is not complete, and 16 bytes
	// per state on the path.
	ByTarjan Algorithm = "tarjan"
	// ByGV stops as soon as the edges followed close an accepting cycle. It handles generalized
	// Büchi acceptance. It takes two integers per state, one more while its component is not
	// complete, and one per state on the path.
	ByGV Algorithm = "gv"
	// ByCouvreur also stops then. It handles any condition without Fin, without conversion. It
	// takes an integer per state, another while its component is not complete (instead of the
	// paper's second search), and 32 bytes per component on the path. It follows edges to visited
	// states first.
	ByCouvreur Algorithm = "couvreur"
	// BySECouvreur is Figure 5 of Schwoon and Esparza 2005 as printed: a second search finds
	// the states of a complete component again, so the edges of each state are requested twice at
	// most, in their order. BySEComponents is the same without line 18, and examines components
	// when they are complete. They take an integer per state, and 32 bytes per component on the
	// path.
	BySECouvreur   Algorithm = "se-couvreur"
	BySEComponents Algorithm = "se-scc"
	// ByWeak looks for an edge back to the path in a single search. It handles any condition, if
	// the Source has a method IsWeak as omega.Automaton does, and is weak. It takes a byte per
	// state.
	ByWeak Algorithm = "weak-dfs"
	// ByTerminal looks for an accepting edge, and follows one path from there. It handles
	// generalized Büchi acceptance, and takes a byte per state. It decides terminal automata:
	// after an accepting edge, every path is infinite and accepting. For others, it fails with
	// ErrUnfit unless it finds no accepting edge, or happens to find an accepting cycle.
	ByTerminal Algorithm = "terminal"
	// ByGeneric is Check, for any condition: Gillard 2019, section 5.2.
	ByGeneric Algorithm = "generic"

	// ByGMZMin, ByGMMin and ByL2S find a shortest run.
	ByGMZMin Algorithm = "gmz-min" // Gastin, Moro, Zeitoun 2004, Algorithm 2: Büchi
	ByGMMin  Algorithm = "gm-min"  // Gastin, Moro 2007, Algorithms 2 to 5: any condition
	ByL2S    Algorithm = "l2s"     // Schuppan, Biere 2005: any condition
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
	{ByHPY, "the same, but may end at the outer path: Holzmann, Peled, Yannakakis 1996", checkNested(ByHPY, nestedRules{onPath: true})},
	{ByGMZ, "the same, with black states: Gastin, Moro, Zeitoun 2004", checkNested(ByGMZ, nestedRules{onPath: true, early: true, black: true})},
	{BySE, "the same, without black states: Schwoon, Esparza 2005, Figure 3", checkNested(BySE, nestedRules{onPath: true, early: true})},
	{ByTauriainen, "nested search for n acceptance sets, n+1 visits: Tauriainen 2003", checkTauriainen},
	{ByTarjan, "complete components: Tarjan 1972", checkTarjan},
	{ByGV, "components, ending early: Geldenhuys, Valmari 2004", checkGV},
	{ByCouvreur, "components, ending early: Couvreur 1999", product.Check},
	{BySECouvreur, "the same, in less memory: Schwoon, Esparza 2005, Figure 5", checkRemoving(false)},
	{BySEComponents, "complete components, in as little memory: Schwoon, Esparza 2005, 4.4", checkRemoving(true)},
	{ByWeak, "one depth-first search, for weak automata: Černá, Pelánek 2003", checkWeak},
	{ByTerminal, "reachability, for terminal automata: Černá, Pelánek 2003", checkTerminal},
	{ByGeneric, "any acceptance condition: Gillard 2019", product.Check},
}

// withoutFin are the checks that judge components and cycles by all of their marks together. With Fin, a
// part of a component may be accepting although the whole is not.
var withoutFin = []Algorithm{ByTauriainen, ByTarjan, ByCouvreur, BySECouvreur, BySEComponents}

// minimizers are those that look for a shortest run, which takes longer.
var minimizers = []entry{
	{ByGMZMin, "a shortest run, depth-first, Büchi: Gastin, Moro, Zeitoun 2004", minimal(ByGMZMin)},
	{ByGMMin, "a shortest run, breadth-first from pivots: Gastin, Moro 2007", minimal(ByGMMin)},
	{ByL2S, "a shortest run, liveness to safety: Schuppan, Biere 2005", minimal(ByL2S)},
}

// minimal makes an algorithm for shortest runs one for emptiness.
func minimal(by Algorithm) check {
	return func(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
		r, err := (&Minimizer{Algorithm: by, Limits: limits}).Run(ctx, src)
		return &r.Result, err
	}
}

// ErrUnfit reports an algorithm that can't decide the given automaton.
var ErrUnfit = errors.New("the algorithm does not fit the automaton")

// Algorithms lists the emptiness checks, without the Minimizers.
func Algorithms() []Algorithm { return names(checks) }

// Minimizers lists the algorithms that find a shortest run.
func Minimizers() []Algorithm { return names(minimizers) }

// AllAlgorithms lists Algorithms and Minimizers.
func AllAlgorithms() []Algorithm { return names(slices.Concat(checks, minimizers)) }

func names(entries []entry) (list []Algorithm) {
	for _, e := range entries {
		list = append(list, e.name)
	}
	return list
}

func find(a Algorithm) (e entry, ok bool) {
	for _, e := range slices.Concat(checks, minimizers) {
		if e.name == a {
			return e, true
		}
	}
	return entry{}, false
}

// About returns one line on an algorithm, with its source.
func (a Algorithm) About() string {
	e, _ := find(a)
	return e.about
}

// ParseAlgorithm returns the algorithm with the given name. The error lists all names.
func ParseAlgorithm(name string) (Algorithm, error) {
	if e, ok := find(Algorithm(name)); ok {
		return e.name, nil
	}
	return "", fmt.Errorf("unknown emptiness check %q%s", name, spelling.Of(name, AllAlgorithms()))
}

// Check decides emptiness by the algorithm. It fails as the product's Check does, and with
// ErrUnfit.
func (a Algorithm) Check(ctx context.Context, src omega.Source, limits Limits) (*Result, error) {
	if err := omega.Supported(src); err != nil {
		return &Result{}, err
	}
	if a == "" {
		return product.Check(ctx, src, limits)
	}
	e, ok := find(a)
	if !ok {
		return &Result{}, fmt.Errorf("unknown emptiness check %q", a)
	}
	if slices.Contains(withoutFin, a) && src.Acceptance().Condition.HasFin() {
		return &Result{}, unfit(a, src, "a condition without Fin")
	}
	return e.check(ctx, src, limits)
}
