package patterns

import (
	"slices"
	"strconv"
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
	Name  string `json:"name"`  // name of the parameter
	Least int    `json:"least"` // the least value
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
	syn = "S. Jacobs et al.: The Reactive Synthesis Competition (SYNTCOMP): 2018–2021. STTT 26, 2024 (benchmarks, CC BY 4.0)"
	tv  = "D. Tabakov, M. Y. Vardi: Optimized Temporal Monitors for SystemC. RV 2010, LNCS 6418"
	// Families that have no publication of their own.
	spot = "A. Duret-Lutz: Manipulating LTL Formulas Using Spot 1.0. ATVA 2013, LNCS 8172 (the tool genltl)"
)

// maxSize is the maximum size of a formula of a family.
const maxSize = 100_000

// tooLarge is the value that a builder panics with.
type tooLarge struct{}

// A builder makes the formula of a family. It panics with tooLarge when a formula becomes larger
// than the limit, or after making more formulas than the limit. So time and memory are bounded for
// any parameter.
type builder struct {
	*ltl.Store
	made, limit int
}

// build returns the formula for the given parameters, and false if it would be larger than the
// limit.
func (s *Set) build(parameters [2]int, limit int) (f *ltl.Formula, ok bool) {
	b := &builder{Store: ltl.NewStore(), limit: limit}
	defer func() {
		switch problem := recover(); problem {
		case nil:
		case tooLarge{}:
			f, ok = nil, false
		default:
			panic(problem)
		}
	}()
	return b.checked(s.make(b, parameters[0], parameters[1])), true
}

// checked counts f.
func (b *builder) checked(f *ltl.Formula) *ltl.Formula {
	if b.made++; b.made > b.limit || f.Size() > b.limit {
		panic(tooLarge{})
	}
	return f
}

// p returns the proposition of the given letter and number: p1.
func (b *builder) p(letter string, i int) *ltl.Formula {
	return b.Prop(letter + strconv.Itoa(i))
}

// x returns f under k operators X.
func (b *builder) x(k int, f *ltl.Formula) *ltl.Formula {
	for range k {
		f = b.checked(b.Next(f))
	}
	return f
}

func (b *builder) gf(f *ltl.Formula) *ltl.Formula { return b.Globally(b.Finally(f)) }
func (b *builder) fg(f *ltl.Formula) *ltl.Formula { return b.Finally(b.Globally(f)) }

// and returns the conjunction of at least one formula.
func (b *builder) and(list ...*ltl.Formula) *ltl.Formula {
	f := list[0]
	for _, g := range list[1:] {
		f = b.checked(b.And(f, g))
	}
	return f
}

// each returns f(low) op … op f(high), nested to the left; low ≤ high.
func (b *builder) each(op ltl.Op, low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	all := f(low)
	for i := low + 1; i <= high; i++ {
		all = b.checked(b.Binary(op, all, f(i)))
	}
	return all
}

// all returns f(low) & … & f(high).
func (b *builder) all(low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	return b.each(ltl.OpAnd, low, high, f)
}

// some returns f(low) | … | f(high).
func (b *builder) some(low, high int, f func(i int) *ltl.Formula) *ltl.Formula {
	return b.each(ltl.OpOr, low, high, f)
}

// template reads a formula. [builder.fill] replaces i and j at the ends of its propositions by a
// number and the next one, and f by a formula. From pi U (pj & f), with 3 and g, it makes
//
//	p3 U (p4 & g)
func (b *builder) template(text string) *ltl.Formula {
	t, err := b.Parse(text, ltl.Spot)
	if err != nil {
		panic(err) // the templates are our own
	}
	return t
}

func (b *builder) fill(t *ltl.Formula, i int, f *ltl.Formula) *ltl.Formula {
	// In pi and pj, i stands for the number and j for the next one.
	letter, last := t.Name(), ""
	if n := len(letter) - 1; n > 0 {
		letter, last = letter[:n], letter[n:]
	}
	switch {
	case letter == "f":
		return f
	case last == "i":
		return b.p(letter, i)
	case last == "j":
		return b.p(letter, i+1)
	case t.Op().Arity() == 1:
		return b.Unary(t.Op(), b.fill(t.Left(), i, f))
	case t.Op().Arity() == 2:
		return b.Binary(t.Op(), b.fill(t.Left(), i, f), b.fill(t.Right(), i, f))
	}
	return t
}

// around returns a template without numbers, with f in it. From G(p -> f) and q it makes G(p -> q).
func (b *builder) around(text string, f *ltl.Formula) *ltl.Formula {
	return b.fill(b.template(text), 0, f)
}

// row returns a template for i = 1, …, n, joined by op to the left. From F pi, for 3, it makes
// Fp1 & Fp2 & Fp3.
func (b *builder) row(op ltl.Op, n int, text string) *ltl.Formula {
	t := b.template(text)
	return b.each(op, 1, n, func(i int) *ltl.Formula { return b.fill(t, i, nil) })
}

// nest returns the template for i = low, with the template for low+1 as its f, and so on. The one
// for high has the given f. From pi & X f, for 1 to 2 and q, it makes p1 & X(p2 & Xq).
func (b *builder) nest(low, high int, f *ltl.Formula, text string) *ltl.Formula {
	t := b.template(text)
	for i := high; i >= low; i-- {
		f = b.checked(b.fill(t, i, f))
	}
	return f
}

// steps returns X^low f op … op X^high f.
func (b *builder) steps(op ltl.Op, low, high int, f *ltl.Formula) *ltl.Formula {
	return b.each(op, low, high, func(i int) *ltl.Formula { return b.x(i, f) })
}

// exclusive says that no two of at least two formulas hold now: !(a & b) & !(a & c) & !(b & c).
func (b *builder) exclusive(list ...*ltl.Formula) *ltl.Formula {
	var pairs []*ltl.Formula
	for i, f := range list {
		for _, g := range list[i+1:] {
			pairs = append(pairs, b.Not(b.And(f, g)))
		}
	}
	return b.and(pairs...)
}
