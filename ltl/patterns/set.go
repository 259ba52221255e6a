package patterns

import (
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A Set is a list of formulas, or a family of formulas.
type Set struct {
	Name string
	Also []string // other names of it in the literature
	// About describes a list, and defines a family.
	About  string
	Source string // the publication
	// Parameters are the one or two parameters of a family. A list has none.
	Parameters []Parameter

	list []string // of a list, in Spot's syntax
	make func(b *builder, n, m int) *ltl.Formula
}

// A Parameter is a number that selects a formula of a family.
type Parameter struct {
	Name  string
	Least int
}

// Len returns the number of formulas of a list, and 0 for a family.
func (s *Set) Len() int { return len(s.list) }

// Sets returns the lists, then the families, each by name. Do not change the result.
func Sets() []*Set { return sets() }

var sets = sync.OnceValue(func() []*Set {
	families := slices.Concat(fairness, nested, counters, blowUps, arbiters)
	slices.SortFunc(families, func(a, b *Set) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(lists, families)
})

var byName = sync.OnceValue(func() map[string]*Set {
	m := map[string]*Set{}
	for _, s := range sets() {
		m[s.Name] = s
		for _, name := range s.Also {
			m[name] = s
		}
	}
	return m
})

// one is the parameter of most families.
var one = []Parameter{{"n", 1}}

// Where the formulas come from.
const (
	ccj = "J. Cichoń, A. Czubak, A. Jasiński: Minimal Büchi Automata for Certain Classes of LTL Formulas. DepCoS-RELCOMEX 2009"
	dac = "M. B. Dwyer, G. S. Avrunin, J. C. Corbett: Property Specification Patterns for Finite-State Verification. FMSP 1998"
	eh  = "K. Etessami, G. J. Holzmann: Optimizing Büchi Automata. CONCUR 2000, LNCS 1877"
	gh  = "J. Geldenhuys, H. Hansen: Larger Automata and Less Work for LTL Model Checking. SPIN 2006, LNCS 3925"
	gol = "P. Gastin, D. Oddoux: Fast LTL to Büchi Automata Translation. CAV 2001, LNCS 2102"
	hol = "J. Holeček, T. Kratochvíla, V. Řehák, D. Šafránek, P. Šimeček: Verification Results in Liberouter Project. Technical report 03/2004, CESNET, 2004"
	jb  = "B. Jobstmann, R. Bloem: Optimizations for LTL Synthesis. FMCAD 2006"
	kr  = "O. Kupferman, A. Rosenberg: The Blow-Up in Translating LTL to Deterministic Automata. MoChArt 2010, LNAI 6572"
	kv  = "O. Kupferman, M. Y. Vardi: From Linear Time to Branching Time. ACM Transactions on Computational Logic 6(2), 2005"
	ms  = "D. Müller, S. Sickert: LTL to Deterministic Emerson-Lei Automata. GandALF 2017, EPTCS 256"
	pel = "R. Pelánek: BEEM: Benchmarks for Explicit Model Checkers. SPIN 2007, LNCS 4595"
	pps = "N. Piterman, A. Pnueli, Y. Sa’ar: Synthesis of Reactive(1) Designs. VMCAI 2006, LNCS 3855"
	rv  = "K. Y. Rozier, M. Y. Vardi: LTL Satisfiability Checking. SPIN 2007, LNCS 4595"
	sb  = "F. Somenzi, R. Bloem: Efficient Büchi Automata from LTL Formulae. CAV 2000, LNCS 1855"
	sch = "V. Schuppan, A. Biere: Shortest Counterexamples for Symbolic Model Checking of LTL with Past. TACAS 2005, LNCS 3440"
	sej = "S. Sickert, J. Esparza, S. Jaax, J. Křetínský: Limit-Deterministic Büchi Automata for Linear Temporal Logic. CAV 2016, LNCS 9780"
	tv  = "D. Tabakov, M. Y. Vardi: Optimized Temporal Monitors for SystemC. RV 2010, LNCS 6418"
	// Families that have no publication of their own.
	spot = "A. Duret-Lutz: Manipulating LTL Formulas Using Spot 1.0. ATVA 2013, LNCS 8172 (the tool genltl)"
)
