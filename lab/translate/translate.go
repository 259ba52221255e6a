// Package translate has all translations of the papers behind one interface. No run of xcheck uses the
// three variants of the construction of Clarke, Grumberg and Hamaguchi:
//
//	cgh        valuations: Clarke, Grumberg and Hamaguchi, FMSD 1997
//	tight      cgh, unrolled for the past: Schuppan and Biere, TACAS 2005
//	unrolled   the same, from a smaller automaton
//
// They handle the past directly, and give shortest runs and large automata: for tight, the number of
// states is exponential in the square of the size of the formula at worst. Use them in products with
// something small, which visit few of their states.
//
// The file of each construction has its theory: cgh.go (also of tight, by basis.go) and unrolled.go.
package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	product "github.com/xcheck-ltl/xcheck/translate"
)

// An Algorithm is a construction that translates a formula.
type Algorithm struct {
	product.Algorithm
	OnDemand bool // most of its automata are too large to be explored

	tight func(*ltl.Formula) bool // are the automata of such formulas tight? nil: not as a rule
}

// Algorithms returns all constructions, always in the same order.
func Algorithms() []Algorithm {
	var list []Algorithm
	for _, a := range product.Algorithms() {
		list = append(list, Algorithm{Algorithm: a})
	}
	future := func(f *ltl.Formula) bool { return !f.Ops().HasPast() }
	always := func(*ltl.Formula) bool { return true }
	return append(list,
		Algorithm{product.New("cgh", "valuations of the temporal subformulas (Clarke, Grumberg, Hamaguchi, FMSD 1997), past included, generalized Büchi", valuationsOf(false)), true, future},
		Algorithm{product.New("tight", "the same, with past unrolled virtually (Schuppan, Biere 2005): tight, generalized Büchi", valuationsOf(true)), true, always},
		Algorithm{product.New("unrolled", "the automaton of cgh made smaller, then unrolled virtually (Schuppan, Biere 2005, section 7): tight, generalized Büchi", unrolledSource), true, always})
}

// ParseAlgorithm returns the construction with the given name. The error lists all names.
func ParseAlgorithm(name string) (Algorithm, error) {
	return spelling.Find("translation algorithm", name, Algorithms(), func(a Algorithm) string { return a.Name })
}

// With returns the automaton of f, a formula of store s, by the named construction, as the product's
// With does. It declares that it is tight, if the construction guarantees that.
func With(ctx context.Context, algorithm string, s *ltl.Store, f *ltl.Formula) (*omega.Automaton, error) {
	a, err := ParseAlgorithm(algorithm)
	if err != nil {
		return nil, err
	}
	made, err := a.Automaton(ctx, s, f)
	if err == nil && a.tight != nil && a.tight(f) {
		made.Declared.Properties = []string{"tight"}
	}
	return made, err
}
