package ltl

import (
	"context"
	"encoding/binary"
	"slices"
)

// A Level says which rules Reduce may use. Each level includes the earlier ones.
type Level uint8

// The levels.
const (
	LevelNNF          Level = iota // nothing but negation normal form
	LevelIdentities                // the identities of Simplify
	LevelRules                     // rewriting rules
	LevelImplications              // rules with the condition that one formula implies another
)

// Reduce returns an equivalent formula in negation normal form that is usually easier to
// translate. It has at most as many distinct subformulas as NNF(f), and at most as many with a
// temporal operator at the top. The result depends only on f and the level.
//
//	F F a & 1              F a            LevelIdentities
//	F(a U b) | X b         F b | X b      LevelRules
//	F(a U b) | X b         F b            LevelImplications, since X b => F b
//	(a U b) & (c U b)      (a & c) U b    LevelRules
//	GF(a | X b)            GF(a | b)      LevelRules
//	a U (a U b)            a U b          LevelImplications
//
// Reduce applies rewriting rules from left to right, operands first. It reduces the operands
// of past operators, but no rule looks into a past operator. This is sound, because each rule
// holds at every position of every word.
//
// The number of steps is linear in the number of subformulas. Very large formulas are reduced
// less than possible. Reduce fails only when ctx is done.
func (s *Store) Reduce(ctx context.Context, f *Formula, level Level) (*Formula, error) {
	if f == nil {
		return nil, errNil
	}
	if level == LevelNNF {
		return s.NNF(f), ctx.Err()
	}
	t := NewStore() // what is made on the way does not stay
	f = t.Import(f)
	nnf := t.NNF(f)
	limit := costOf(nnf)
	simple := t.NNF(t.Simplify(f))
	for ; level >= LevelIdentities; level-- { // with fewer rules if the result is too large
		const least, perNode = 50000, 15
		fuel := least + perNode*costOf(simple).all
		r := &reducer{s: t, made: make(map[node]*Formula), sets: make(map[string]*Formula), ctx: ctx, fuel: fuel, moves: fuel}
		if level >= LevelRules {
			r.rules = rules()
		}
		if level >= LevelImplications {
			r.implied = t.Implications(ctx, fuel)
		}
		g := t.rebuild(func() *Formula { return r.reduce(simple) })
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// What a rule makes smaller as a tree may be larger as a graph, if it
		// separates parts that were shared. That is rare.
		if costOf(g).most(limit) {
			return s.Import(g), nil
		}
	}
	return s.Import(nnf), nil
}

// cost counts the distinct subformulas.
type cost struct{ temporal, all int }

func costOf(f *Formula) cost {
	var c cost
	for _, g := range f.Subformulas() {
		c.all++
		if g.op >= OpNext { // the temporal operators come last
			c.temporal++
		}
		if g.sere != nil { // each of its letters may become an operator
			c.all += g.sere.size
			c.temporal += g.sere.size
		}
	}
	return c
}

// most reports whether c is at most d in both numbers.
func (c cost) most(d cost) bool { return c.temporal <= d.temporal && c.all <= d.all }

// A reducer rewrites the parts of a formula.
type reducer struct {
	s       *Store
	rules   *ruleIndex        // nil if only identities are to be used
	implied *Implication      // nil if rules with a premise are not to be used
	made    map[node]*Formula // by an operator and reduced operands
	sets    map[string]*Formula
	ctx     context.Context
	fuel    int // how many more times rules may be looked at
	moves   int // how many more operands of conjunctions and disjunctions may be listed
	depth   int // of rules whose right side is being made
}

// reduce returns the reduced form of f. It does so for all subformulas, operands first, but for the
// conjunctions that are merely the first part of a longer one, which would take quadratic time; and
// the same of disjunctions. When the context is done, the result may be any formula.
func (r *reducer) reduce(f *Formula) *Formula {
	subs := f.Subformulas()
	needed := neededParts(f, subs)
	reduced := make(map[*Formula]*Formula, len(needed))
	for i, g := range subs {
		if i%256 == 0 && r.ctx.Err() != nil {
			break
		}
		switch {
		case !needed[g]:
		case g.op == OpAnd || g.op == OpOr:
			// When too many operands were listed, the first of them is the result for the first
			// operands, if these are also needed by themselves.
			var list []*Formula
			h := g
			for ; h.op == g.op && (r.moves >= 0 || reduced[h] == nil); h = h.left {
				list = append(list, reduced[h.right])
			}
			list = append(list, reduced[h])
			slices.Reverse(list)
			reduced[g] = r.combine(g.op, list)
		case g.op == OpNot || g.op.Arity() == 0: // a closure too
			reduced[g] = g
		case g.sere != nil:
			reduced[g] = r.s.simplifySERE(g, reduced[g.left])
		default:
			reduced[g] = r.apply(g.op, reduced[g.left], reduced[g.right])
		}
	}
	if g := reduced[f]; g != nil {
		return g
	}
	return r.s.False() // the context is done
}

// neededParts returns which subformulas of f are f or an operand of some operator, other than
// conjunctions that are only the first part of a longer one; and the same of disjunctions.
func neededParts(f *Formula, subs []*Formula) map[*Formula]bool {
	needed := map[*Formula]bool{f: true}
	for _, g := range subs {
		if g.left != nil && (g.op != OpAnd && g.op != OpOr || g.left.op != g.op) {
			needed[g.left] = true
		}
		if g.right != nil {
			needed[g.right] = true
		}
	}
	return needed
}

// apply returns the reduced form of an operator, other than negation, applied to reduced operands.
func (r *reducer) apply(op Op, a, b *Formula) *Formula {
	switch op {
	case OpFalse, OpTrue:
		return r.s.make(node{op: op})
	case OpAnd, OpOr:
		return r.combine(op, []*Formula{a, b})
	}
	n := node{op: op, left: a, right: b}
	if f, ok := r.made[n]; ok {
		return f
	}
	f := r.rewrite(n)
	r.made[n] = f
	return f
}

func (r *reducer) rewrite(n node) *Formula {
	f := r.s.make(n)
	g := f
	if f.right == nil {
		g = r.s.simplifyUnary(f.op, f.left)
	} else if h := r.s.simplifyBinary(f.op, f.left, f.right); h != nil {
		g = h
	}
	if g != f {
		if g == n.left || g == n.right || g.op.Arity() == 0 { // reduced already
			return g
		}
		return r.apply(g.op, g.left, g.right)
	}
	if r.rules == nil {
		return f
	}
	for _, rule := range r.rules.byTop[n.op] {
		if !r.may() {
			return f
		}
		m := r.match(rule)
		if m.solve(&goal{rule.left, f, nil}) {
			return r.use(rule, &m)
		}
	}
	return f
}

func (r *reducer) match(rule *rule) match {
	return match{s: r.s, implied: r.implied, premise: rule.premise}
}

// maxReduceDepth bounds the recursion that a formula of great depth may cause.
const maxReduceDepth = 1000

// may reports whether another rule may be looked at.
func (r *reducer) may() bool {
	if r.fuel%256 == 0 && r.ctx.Err() != nil {
		r.fuel, r.moves = 0, 0
	}
	r.fuel--
	return r.fuel >= 0 && r.depth < maxReduceDepth
}

// use returns the reduced form of the right side of a rule that matched.
func (r *reducer) use(rule *rule, m *match) *Formula {
	r.depth++
	f := r.instance(rule.right, &m.bound)
	r.depth--
	return f
}

// instance returns the reduced form of p with formulas for the variables.
func (r *reducer) instance(p *pattern, bound *[maxSlots]*Formula) *Formula {
	switch {
	case p.op == OpProp:
		return bound[p.slot]
	case p.left == nil:
		return r.apply(p.op, nil, nil)
	case p.right == nil:
		return r.apply(p.op, r.instance(p.left, bound), nil)
	}
	return r.apply(p.op, r.instance(p.left, bound), r.instance(p.right, bound))
}

// block is how many operands of a conjunction or disjunction are compared with each other.
const block = 64

// combine returns the reduced form of a conjunction or disjunction of reduced formulas.
func (r *reducer) combine(op Op, list []*Formula) *Formula {
	if r.moves < 0 {
		// To list the operands again and again as a conjunction grows would take quadratic time.
		return r.s.without(op, list, -1)
	}
	var operands []*Formula
	for _, f := range list {
		operands = append(operands, f.OperandsOf(op)...)
	}
	r.moves -= len(operands)
	operands = r.unite(op, operands)
	if len(operands) <= maxOperands && r.rules != nil {
		for i, one := range operands {
			for _, rule := range r.rules.whole[op][one.op] { // one operand, and all others together
				if len(operands) < 2 || !r.may() {
					break
				}
				m := r.match(rule)
				if m.solve(&goal{rule.left.right, one, &goal{rule.left.left, r.s.without(op, operands, i), nil}}) {
					return r.use(rule, &m)
				}
			}
		}
	}
	return r.join(op, operands)
}

// unite reduces a long list of operands by halves, in time proportional to n·log n.
// Operands of different blocks are compared only if little of the blocks remains.
func (r *reducer) unite(op Op, operands []*Formula) []*Formula {
	if len(operands) > block {
		half := len(operands) / 2
		left, right := r.unite(op, operands[:half]), r.unite(op, operands[half:])
		operands = slices.Concat(left, right)
		if len(operands) > block {
			return operands
		}
	}
	return r.saturate(op, operands)
}

// saturate rewrites pairs of operands until no rule applies to any two.
func (r *reducer) saturate(op Op, operands []*Formula) []*Formula {
	unit, zero := r.s.constant(op == OpAnd), r.s.constant(op == OpOr)
	todo := slices.Clone(operands)
	slices.Reverse(todo) // a stack: the first one is taken first
	var done []*Formula
next:
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case f.op == op:
			list := f.operands()
			slices.Reverse(list)
			todo = append(todo, list...)
			continue
		case f == unit:
			continue
		case f == zero:
			return []*Formula{f}
		}
		for i, g := range done {
			if f == g {
				continue next
			}
			if h := r.pair(op, g, f); h != nil {
				done = slices.Delete(done, i, i+1)
				todo = append(todo, h) // it may fit another one
				continue next
			}
		}
		done = append(done, f)
	}
	return done
}

// pair returns what two operands are rewritten to, or nil.
func (r *reducer) pair(op Op, f, g *Formula) *Formula {
	if f.op == OpNot && f.left == g || g.op == OpNot && g.left == f {
		return r.s.constant(op == OpOr)
	}
	if r.rules == nil {
		return nil
	}
	for rule := range r.rules.pairs(op, f.op, g.op) {
		if !r.may() {
			return nil
		}
		for _, ordered := range [2][2]*Formula{{f, g}, {g, f}} {
			m := r.match(rule)
			if m.solve(&goal{rule.left.left, ordered[0], &goal{rule.left.right, ordered[1], nil}}) {
				return r.use(rule, &m)
			}
		}
	}
	return nil
}

// join makes a conjunction or disjunction that no rule applies to. The same set of operands is
// always in the same order: the order of its first occurrence.
func (r *reducer) join(op Op, operands []*Formula) *Formula {
	switch len(operands) {
	case 0:
		return r.s.constant(op == OpAnd)
	case 1:
		return operands[0]
	}
	ids := make([]int32, len(operands))
	for i, f := range operands {
		ids[i] = f.id
	}
	slices.Sort(ids)
	key := []byte{byte(op)}
	for _, id := range ids {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	if f, ok := r.sets[string(key)]; ok {
		return f
	}
	f := r.s.without(op, operands, -1)
	r.sets[string(key)] = f
	return f
}
