package ltl

import (
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// A ruleText is an equivalence of LTL that Reduce uses from left to right. The variables a, b, c
// stand for any formula, e for a pure eventuality, u for a purely universal formula, q for one that
// is both (suspendable); there may be digits after the letter. A condition claims validity: "!a ->
// b" is that a or b holds at every position.
//
// A conjunction or disjunction at the top is any two operands of a longer one; in "a & …", a may
// also be all operands but one. In one below the top, the first is all operands but one.
type ruleText struct {
	name, equation, condition string
}

// ruleTexts has one of each two dual rules: in the other one &, F, U, W, e and 1 are replaced by |,
// G, R, M, u and 0 and vice versa, and conditions are turned around.
//
// In every rule the right side is smaller than the left one, in the
// lexicographic order of three numbers:
//
//   - the size of the syntax tree, where U, R, W and M count thrice and
//     negations not at all;
//   - the sum of the sizes of all subformulas with F, G, U, R, W or M at their top;
//   - the sum of the sizes of all subformulas with X at their top.
//
// That is so whatever the variables stand for, and remains so in any larger formula (a smaller or
// equal size makes no other part larger). So no sequence of rewriting steps is infinite.
//
// Most rules are from Somenzi and Bloem (CAV 2000), Etessami and Holzmann (CONCUR 2000) and Babiak,
// Křetínský, Řehák and Strejček (TACAS 2012), or are listed in the documentation of Spot.
var ruleTexts = []ruleText{
	{"F of U", "F(a U b) = F b", ""},
	{"F of M", "F(a M b) = F(a & b)", ""},
	{"F of X", "F X a = X F a", ""},
	{"F joined", "F a | F b = F(a | b)", ""},
	{"F of universal joined", "F u1 & F u2 = F(u1 & u2)", ""},
	{"GF split", "G F(a & e) = G(F a & e)", ""},
	{"GF in & split", "G(b & F(a & e)) = G(b & F a & e)", ""},

	{"G of & with X of eventual", "G(a & X e) = G(a & e)", ""},
	{"GF of | with X", "G F(a | X b) = G F(a | b)", ""},
	{"GF in & of | with X", "G(c & F(a | X b)) = G(c & F(a | b))", ""},

	{"X joined in &", "X a & X b = X(a & b)", ""},
	{"X joined in U", "X a U X b = X(a U b)", ""},
	{"X joined in W", "X a W X b = X(a W b)", ""},
	{"F folded", "a | X F a = F a", ""},
	{"U folded", "b | (a & X(a U b)) = a U b", ""},
	{"W folded", "b | (a & X(a W b)) = a W b", ""},

	{"U & U", "(a U b) & (c U b) = (a & c) U b", ""},
	{"U | U", "(a U b) | (a U c) = a U (b | c)", ""},
	{"W & W", "(a W b) & (c W b) = (a & c) W b", ""},
	{"W | W", "(a W b) | (a W c) = a W (b | c)", ""},
	{"U & W", "(a U b) & (c W b) = (a & c) U b", ""},
	{"U | W", "(a U b) | (a W c) = a W (b | c)", ""},
	{"U | G", "(a U b) | G a = a W b", ""},
	{"W & F", "(a W b) & F b = a U b", ""},
	{"U of & with its left", "a U (b & a) = b M a", ""},
	{"W of & with its left", "a W (b & a) = b R a", ""},
	{"U of its right, F", "F a U a = F a", ""},
	{"W of its right, F", "F a W a = F a", ""},
	{"U of its right, X", "X a U a = X a | a", ""},
	{"W of its right, X", "X a W a = X a | a", ""},
	{"U of | with G", "a U (b | G a) = a W b", ""},
	{"W of | with G", "a W (b | G a) = a W b", ""},
	{"U of U, same right", "(a U b) U b = a U b", ""},
	{"U of W, same right", "(a W b) U b = a U b", ""},
	{"W of U, same right", "(a U b) W b = a U b", ""},
	{"W of W, same right", "(a W b) W b = a W b", ""},
	{"factor", "(b & a) | (c & a) = (b | c) & a", ""},

	{"F of eventual", "F e = e", ""},
	{"F of | eventual", "F(a | e) = F a | e", ""},
	{"F of & suspendable", "F(a & q) = F a & q", ""},
	{"U of eventual", "a U e = e", ""},
	{"U of | eventual", "a U (b | e) = (a U b) | e", ""},
	{"U of & suspendable", "a U (b & q) = (a U b) & q", ""},
	{"W of eventual", "a W e = e | G a", ""},
	{"W of | eventual", "a W (b | e) = (a W b) | e", ""},
	{"W of suspendable |", "(a | q) W b = (a W b) | q", ""},
	{"W of universal", "u W a = u | a", ""},
	{"X of suspendable", "X q = q", ""},
	{"X of & suspendable", "X(a & q) = X a & q", ""},

	{"& implied", "a & b = a", "a -> b"},
	{"& contradictory", "a & b = 0", "a -> !b"},
	{"| cut", "(b | a) & c = b & c", "a -> !c"},
	{"| without implied &", "c & (d | (b & a)) = c & (d | b)", "c -> a"},
	{"| without contradictory &", "c & (d | (b & a)) = c & d", "c -> !a"},
	{"XG folded", "a & X G b = a & G b", "a -> b"},
	{"U implied", "a U b = b", "a -> b"},
	{"U complementary", "a U b = F b", "!b -> a"},
	{"W implied", "a W b = b", "a -> b"},
	{"W complementary", "a W b = 1", "!b -> a"},
	{"F of | with G", "F(a | G b) = 1", "!b -> a"},
	{"U of U right", "a U (b U c) = b U c", "a -> b"},
	{"U of U left", "a U (b U c) = a U c", "b -> a"},
	{"U of W", "a U (b W c) = b W c", "a -> b"},
	{"U of R", "a U (b R c) = b R c", "a -> c"},
	{"U of M", "a U (b M c) = b M c", "a -> c"},
	{"U of G", "a U G b = G b", "a -> b"},
	{"W of R", "a W (b R c) = b R c", "a -> c"},
	{"W of G", "a W G b = G b", "a -> b"},
	{"W of W right", "a W (b W c) = b W c", "a -> b"},
	{"W of W left", "a W (b W c) = a W c", "b -> a"},
	{"W of U", "a W (b U c) = a W c", "b -> a"},
	{"U of implying |", "(b | a) U c = b U c", "a -> c"},
	{"U of complementary &", "(b & a) U c = b U c", "!c -> a"},
	{"W of implying |", "(b | a) W c = b W c", "a -> c"},
	{"W of complementary &", "(b & a) W c = b W c", "!c -> a"},
}

// A pattern is a formula with variables, which have the operator OpProp.
type pattern struct {
	op          Op
	slot        int // of a variable
	purity      purity
	left, right *pattern
}

// maxSlots bounds the variables of a rule. maxOperands bounds the operands of a conjunction or
// disjunction, because each is tried.
const (
	maxSlots    = 4
	maxOperands = 32
)

// A rule is a ruleText or the dual of one, ready to be used.
type rule struct {
	name        string
	text        [3]*Formula // what the patterns were compiled from
	left, right *pattern
	premise     *pattern // an implication, or nil
}

// ruleIndex has the rules by where they may apply.
type ruleIndex struct {
	all   []*rule
	byTop [numOps][]*rule // none for conjunctions and disjunctions
	// admits has for each operator those numbers of rules in all for two operands whose left
	// side admits it as the one operand and as the other.
	admits [numOps][2]ruleSet
	// whole has the rules for one operand and all others, by the operator of the one.
	whole [numOps][numOps][]*rule
}

// A ruleSet has the bit i%64 of word i/64 set if rule i is in it.
type ruleSet [4]uint64

// pairs yields the rules for a conjunction or disjunction of two operands with the operators
// f and g, in either order.
func (x *ruleIndex) pairs(top, f, g Op) iter.Seq[*rule] {
	return func(yield func(*rule) bool) {
		for i := range len(ruleSet{}) {
			set := x.admits[f][0][i]&x.admits[g][1][i] | x.admits[g][0][i]&x.admits[f][1][i]
			for ; set != 0; set &= set - 1 {
				if r := x.all[64*i+bits.TrailingZeros64(set)]; r.left.op == top && !yield(r) {
					return
				}
			}
		}
	}
}

// rules compiles ruleTexts.
var rules = sync.OnceValue(func() *ruleIndex {
	x := &ruleIndex{}
	for _, text := range ruleTexts {
		s := NewStore()
		equation := strings.Split(text.equation, " = ")
		left, right := must.Get(s.Parse(equation[0], Spot)), must.Get(s.Parse(equation[1], Spot))
		var premise *Formula
		if text.condition != "" {
			premise = must.Get(s.Parse(text.condition, Spot))
		}
		x.add(text.name, left, right, premise)
		dualLeft, dualRight, dualPremise := dualRule(s, left), dualRule(s, right), premise
		if premise != nil { // the contraposition of the duals
			dualPremise = s.Implies(dualRule(s, premise.right), dualRule(s, premise.left))
		}
		if dualLeft != left { // otherwise the rule is its own dual
			x.add(text.name+", dual", dualLeft, dualRight, dualPremise)
		}
	}
	return x
})

// dualRule returns the dual of a side of a rule: the variables stand for negations
// of what they stood for, so that a pure eventuality becomes purely universal.
func dualRule(s *Store, f *Formula) *Formula {
	return s.transform(f, func(g, left, right *Formula) *Formula {
		switch {
		case g.op == OpProp && g.name[0] == 'e':
			return s.Prop("u" + g.name[1:])
		case g.op == OpProp && g.name[0] == 'u':
			return s.Prop("e" + g.name[1:])
		case g.op == OpProp:
			return g
		}
		return s.apply(duals[g.op], left, right)
	})
}

func (x *ruleIndex) add(name string, left, right, premise *Formula) {
	slots := map[string]int{}
	r := &rule{name: name, text: [...]*Formula{left, right, premise}, left: compile(left, slots), right: compile(right, slots), premise: compile(premise, slots)}
	if len(slots) > maxSlots {
		panic("ltl: the rule " + name + " has too many variables")
	}
	n := len(x.all)
	x.all = append(x.all, r)
	top := r.left.op
	if top != OpAnd && top != OpOr {
		x.byTop[top] = append(x.byTop[top], r)
		return
	}
	for op := range numOps {
		for i, p := range []*pattern{r.left.left, r.left.right} {
			if p.op == OpProp || p.op == op {
				x.admits[op][i][n/64] |= 1 << (n % 64)
			}
		}
	}
	if one := r.left.right; r.left.left.op == OpProp && one.op != OpProp { // the variable may be all other operands
		x.whole[top][one.op] = append(x.whole[top][one.op], r)
	}
}

func compile(f *Formula, slots map[string]int) *pattern {
	if f == nil {
		return nil
	}
	p := &pattern{op: f.op, left: compile(f.left, slots), right: compile(f.right, slots)}
	if f.op == OpProp {
		if _, ok := slots[f.name]; !ok {
			slots[f.name] = len(slots)
		}
		p.slot = slots[f.name]
		switch f.name[0] {
		case 'e':
			p.purity = eventual
		case 'u':
			p.purity = universal
		case 'q':
			p.purity = eventual | universal
		}
	}
	return p
}

// A match is an attempt to use a rule: what its variables stand for.
type match struct {
	s       *Store
	implied *Implication // nil if rules with a premise are not to be used
	premise *pattern
	bound   [maxSlots]*Formula
}

// A goal is a list of formulas that are to be matched.
type goal struct {
	p    *pattern
	f    *Formula
	next *goal
}

// solve binds the variables so that all goals are matched and the premise holds. If
// that fails they are as they were.
func (m *match) solve(g *goal) bool {
	if g == nil {
		return m.premise == nil || m.implied != nil && m.holds(m.premise)
	}
	p, f := g.p, g.f
	if !m.fits(p, f) {
		return false
	}
	switch {
	case p.op == OpProp:
		if m.bound[p.slot] != nil { // fits has compared them
			return m.solve(g.next)
		}
		m.bound[p.slot] = f
		if m.solve(g.next) {
			return true
		}
		m.bound[p.slot] = nil
		return false
	case p.op == OpAnd || p.op == OpOr:
		return !f.longer(maxOperands) && m.split(p, f.operands(), g.next)
	case p.left == nil:
		return m.solve(g.next)
	case p.right == nil:
		return m.solve(&goal{p.left, f.left, g.next})
	}
	return m.solve(&goal{p.left, f.left, &goal{p.right, f.right, g.next}})
}

// fits is a quick necessary condition for p to match f.
func (m *match) fits(p *pattern, f *Formula) bool {
	if p.op != OpProp {
		return p.op == f.op
	}
	if g := m.bound[p.slot]; g != nil {
		return f == g
	}
	return p.purity&^f.purity == 0
}

// split matches a conjunction or disjunction: the right part with one of the
// operands and the left part with the others. If the right part is known to be
// several operands they are taken out together. There are at most maxOperands.
func (m *match) split(p *pattern, operands []*Formula, next *goal) bool {
	if g := m.bound[p.right.slot]; p.right.op == OpProp && g != nil && g.op == p.op {
		for _, h := range g.operands() {
			i := slices.Index(operands, h)
			if i < 0 {
				return false
			}
			operands = slices.Delete(operands, i, i+1)
		}
		return len(operands) > 0 && m.solve(&goal{p.left, m.s.without(p.op, operands, -1), next})
	}
	for i := len(operands) - 1; i >= 0; i-- {
		if m.fits(p.right, operands[i]) &&
			m.solve(&goal{p.right, operands[i], &goal{p.left, m.s.without(p.op, operands, i), next}}) {
			return true
		}
	}
	return false
}

// holds decides the premise of a rule.
func (m *match) holds(premise *pattern) bool {
	return m.implied.Holds(m.literal(premise.left), m.literal(premise.right))
}

// literal returns what a variable or its negation stands for.
func (m *match) literal(p *pattern) *Formula {
	if p.op == OpNot {
		return m.implied.not(m.bound[p.left.slot])
	}
	return m.bound[p.slot]
}

// operands returns the operands of a conjunction or disjunction, or f alone if it is neither.
func (f *Formula) operands() []*Formula {
	n := 1
	if f.op == OpAnd || f.op == OpOr {
		for g := f; g.op == f.op; g = g.left {
			n++
		}
	}
	list := make([]*Formula, n)
	for i := n - 1; i > 0; i-- {
		list[i] = f.right
		f = f.left
	}
	list[0] = f
	return list
}

// OperandsOf returns the operands of a conjunction or disjunction, or the formula itself if it has
// another operator at the top.
func (f *Formula) OperandsOf(op Op) []*Formula {
	if f.op != op {
		return []*Formula{f}
	}
	return f.operands()
}

// Join is the opposite, for a list that is not empty.
func (s *Store) Join(op Op, operands []*Formula) *Formula { return s.without(op, operands, -1) }

// longer reports whether a conjunction or disjunction has more than n operands.
func (f *Formula) longer(n int) bool {
	op := f.op
	for ; f.op == op; f = f.left {
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// without returns the conjunction or disjunction of all operands except number skip; -1 skips none. Without
// operands it returns nil.
func (s *Store) without(op Op, operands []*Formula, skip int) *Formula {
	var f *Formula
	for i, g := range operands {
		switch {
		case i == skip:
		case f == nil:
			f = g
		default:
			f = s.Binary(op, f, g)
		}
	}
	return f
}
