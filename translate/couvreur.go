package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The construction of Couvreur, "On-the-fly Verification of Linear Temporal Logic" (FM 1999).
//
// A formula is expanded into a Boolean function of the letter, of the promises that are postponed,
// and of the formulas that must hold next. Write p(f) for "the promise of f is postponed", and x(f)
// for "f must hold next". The expansion ⟦f⟧ is
//
//	X f         x(f)
//	F f         ⟦f⟧ | p(f) & x(F f)
//	G f         ⟦f⟧ & x(G f)
//	f U g       ⟦g⟧ | ⟦f⟧ & p(g) & x(f U g)
//	f W g       ⟦g⟧ | ⟦f⟧ & x(f W g)
//	f R g       ⟦g⟧ & (⟦f⟧ | x(f R g))
//	f M g       ⟦g⟧ & (⟦f⟧ | p(f) & x(f M g))
//
// and a literal expands to itself. The function is monotone in p and x. So it is stored as a
// decision diagram over the propositions. A leaf has the prime implicants of the rest: sets of
// promises and formulas, called terms, none of which implies another. (Implications known from
// [ltl.Implication] also count.) Equal expansions are one node, and a state is an expansion.
//
//	⟦a U b⟧  =  b | a & p(b) & x(a U b)
//
// has the leaf {true} on b, {p(b) & x(a U b)} on a&!b, and the empty leaf on !a&!b.
//
// For each term of a leaf, the state has an edge on the letters that lead to the leaf. The edge
// goes to the expansion of the conjunction of the term's formulas. It is in the acceptance set of
// each promise that the term does not postpone. So a U b has two states:
//
//	a U b:  -b-> true with the mark;  -a&!b-> a U b
//	true:   -1-> true with the mark
//
// Untils with the same right side share a promise.
//
// Only the necessary terms of each letter remain. So the automaton is deterministic where the
// formula leaves no choice, and GF a & GF b has one state. Beyond eight propositions, literals are
// parts of terms, because a diagram may have exponentially many leaves.
//
// A subformula with a regular expression expands by an automaton of the expression: see
// couvreur_bindings.go.
//
// A subformula GF g, where g is a guarantee, expands by an automaton that looks for one g at a
// time, where that is smaller: see recurrence.go.
//
// Before the expansion, [ltl.Store.Reduce] simplifies the formula, and couvreur_prepare.go arranges
// it so that choices come late. Afterwards With reduces the automaton by [reduce.Backward]
// (simulation in both directions).
//
// An obligation is a Boolean combination of safety and guarantee properties. It has a least
// deterministic weak automaton. With uses that one if it has no more states (Dax, Eisinger and
// Klaedtke, "Mechanizing the powerset construction for restricted classes of ω-automata", ATVA
// 2007). The minimization is that of Löding, "Efficient minimization of deterministic weak
// ω-automata" (2001). Whether a formula is an obligation is seen from its operators, or decided by
// comparing languages. The search ends when it has made four times as many sets as the automaton
// has states.

// couvreurSource is the newSource of the construction. Each formula that an F, U or M promises has
// an acceptance set. It makes the expansion of f; the edges of a state come with the expansions of
// their destinations.
func couvreurSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	g, err := s.Reduce(ctx, f, ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	c, err := newCouvreur(ctx, s, omega.NewAlphabet(f.Props()...), g, maxMemory)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// couvreurProps is how many propositions a decision diagram may ask for: at worst it
// has a leaf for each letter. Other propositions are in the terms.
const couvreurProps = 8

// newCouvreur returns the automaton of f, in negation normal form, over an alphabet
// that has its propositions, which may take so many bytes.
func newCouvreur(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula, memory int) (*couvreur, error) {
	g, r, err := preparedFor(ctx, s, alphabet, f)
	if err != nil {
		return nil, err
	}
	c, err := couvreurOf(ctx, s, alphabet, g, r, memory)
	if err == nil {
		c.formula = f
	}
	return c, err
}

// couvreurOf is newCouvreur for a formula that is prepared, with recurrences for some of its
// subformulas.
func couvreurOf(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula, r map[*ltl.Formula]*recurrence, memory int) (*couvreur, error) {
	b, err := bind(ctx, s, alphabet, f)
	if err != nil {
		return nil, err
	}
	o := newObligations(f, r, b)
	split := min(alphabet.Len(), couvreurProps)
	if err := admitBits(o.promises + 2*(alphabet.Len()-split) + len(o.list)); err != nil {
		return nil, err
	}
	t := newTermTable(o.promises, alphabet.Len()-split, len(o.list))
	o.order(ctx, s, t)
	c := &couvreur{
		expansions: newExpansions(ctx, split, t),
		onDemand:   newOnDemand(alphabet, o.sets),
		due:        o,
		formula:    f,
		known:      make(map[*ltl.Formula]expansion),
	}
	c.makeEdges = c.edgesOf
	all := make([]int, o.sets)
	for i := range all {
		all[i] = i
	}
	c.full = c.marks.Of(all...)
	c.long = stepLength(alphabet, 64*t.words)
	perEdge := int64(24 + 2*len(all)/8) // with its marks
	c.LimitMemory(int64(memory), func() int64 { return c.memory() + perEdge*c.made + alphabet.Memory() })
	if x := c.expand(f); x != never {
		c.initial = []omega.State{c.state(x)}
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// A couvreur is the automaton. A state is an expansion.
type couvreur struct {
	*expansions
	onDemand
	due     *obligations
	formula *ltl.Formula
	full    omega.Marks // all marks

	known  map[*ltl.Formula]expansion
	met    []expansion   // by term of obligations, plus one: their expansion
	number []omega.State // by expansion, plus one
	states []expansion   // inverse of number

	// Scratch space.
	letters []omega.Label // by expansion: the letters that lead to it
	queue   [][]expansion // by level
	list    []int
}

func (c *couvreur) expand(f *ltl.Formula) expansion {
	if x, ok := c.known[f]; ok {
		return x
	}
	x := never
	if r := c.due.recurrences[f]; r != nil {
		return c.start(f, r)
	}
	if b := c.due.bindings[f]; b != nil {
		x = c.run(b, 0, false)
		c.known[f] = x
		return x
	}
	switch f.Op() {
	case ltl.OpTrue:
		x = always
	case ltl.OpProp:
		x = c.literal(c.index(f), 0)
	case ltl.OpNot:
		x = c.literal(c.index(f.Left()), 1)
	case ltl.OpAnd:
		x = c.and(c.expand(f.Left()), c.expand(f.Right()))
	case ltl.OpOr:
		x = c.or(c.expand(f.Left()), c.expand(f.Right()))
	case ltl.OpNext:
		x = c.later(f.Left())
	case ltl.OpFinally:
		x = c.or(c.expand(f.Left()), c.putOff(f, f.Left()))
	case ltl.OpGlobally:
		x = c.and(c.expand(f.Left()), c.later(f))
	case ltl.OpUntil:
		x = c.or(c.expand(f.Right()), c.and(c.expand(f.Left()), c.putOff(f, f.Right())))
	case ltl.OpWeakUntil:
		x = c.or(c.expand(f.Right()), c.and(c.expand(f.Left()), c.later(f)))
	case ltl.OpRelease:
		x = c.and(c.expand(f.Right()), c.or(c.expand(f.Left()), c.later(f)))
	case ltl.OpStrongRelease:
		x = c.and(c.expand(f.Right()), c.or(c.expand(f.Left()), c.putOff(f, f.Left())))
	}
	c.known[f] = x
	return x
}

// index returns the number of a proposition.
func (c *couvreur) index(p *ltl.Formula) int {
	i, _ := c.alphabet.Index(p.Name())
	return i
}

// literal returns the expansion of proposition i, or of its negation if neg is 1.
func (c *couvreur) literal(i, neg int) expansion {
	if i < int(c.levels) {
		branch := [2]expansion{always, never}
		return c.node(int32(i), branch[1-neg], branch[neg])
	}
	return c.leaf([]term{c.bit(c.literals + 2*(i-int(c.levels)) + neg)})
}

// later returns the expansion to f next, whose conjuncts are obligations.
func (c *couvreur) later(f *ltl.Formula) expansion {
	switch f.Op() {
	case ltl.OpTrue:
		return always
	case ltl.OpFalse:
		return never
	case ltl.OpAnd:
		return c.and(c.later(f.Left()), c.later(f.Right()))
	}
	return c.leaf([]term{c.bit(c.next + c.due.number[f])})
}

// putOff returns the expansion to f next, which promises goal.
func (c *couvreur) putOff(f, goal *ltl.Formula) expansion {
	return c.and(c.later(f), c.leaf([]term{c.bit(c.due.promise[goal])}))
}

// state returns the state with an expansion that is not never.
func (c *couvreur) state(x expansion) omega.State {
	for int(x) >= len(c.number) {
		c.number = append(c.number, 0)
	}
	if c.number[x] == 0 {
		c.states = append(c.states, x)
		c.number[x] = omega.State(len(c.states))
	}
	return c.number[x] - 1
}

// meet returns the expansion of the obligations of a term.
func (c *couvreur) meet(t term) expansion {
	t = c.obligations(t)
	if c.breakpoint(t) {
		t = c.remarked(t)
	}
	for int(t) >= len(c.met) {
		c.met = append(c.met, 0)
	}
	if c.met[t] > 0 {
		return c.met[t] - 1
	}
	x := always
	for _, i := range c.of(t).appendTo(nil, c.next) {
		switch o := c.due.list[i]; {
		case o.by != nil:
			x = c.and(x, c.step(o.by, o.state))
		case o.of != nil:
			x = c.and(x, c.run(o.of, o.state, o.marked))
		default:
			x = c.and(x, c.expand(o.formula))
		}
	}
	c.met[t] = x + 1
	return x
}

// edgesOf returns the edges of a state. The result is not nil.
func (c *couvreur) edgesOf(s omega.State) ([]omega.Edge, error) {
	edges := make([]omega.Edge, 0, 4)
	for _, leaf := range c.leavesOf(c.states[s]) {
		for _, t := range c.alternatives(leaf) {
			edges = c.appendEdge(edges, c.letters[leaf], t, c.meet(t))
		}
		c.letters[leaf] = omega.False
	}
	return edges, c.Err()
}

// appendEdge appends an edge that puts off the promises of t, to the state of x.
func (c *couvreur) appendEdge(edges []omega.Edge, letters omega.Label, t term, x expansion) []omega.Edge {
	if x == never || c.Err() != nil {
		return edges
	}
	pending := len(c.unmarked) > 0 && !c.breakpoint(t)
	c.list = c.of(t).appendTo(c.list[:0], 0)
	open := 0 // promises
	for _, i := range c.list {
		switch {
		case i < c.literals:
			open++
		case i < c.next:
			p := c.alphabet.Prop(int(c.levels) + (i-c.literals)/2)
			if i%2 != 0 {
				p = c.alphabet.Not(p)
			}
			letters = c.alphabet.And(letters, p)
		}
	}
	c.Spend(c.long)
	marks := c.marks.Minus(c.full, c.marks.Of(c.list[:open]...))
	if pending {
		marks = c.marks.Minus(marks, c.marks.Of(c.due.promises))
	}
	return c.merge(edges, omega.Edge{Label: letters, Marks: marks, Dst: c.state(x)})
}

// leavesOf returns the leaves of x, and leaves in c.letters what letters lead to
// each.
func (c *couvreur) leavesOf(x expansion) []expansion {
	for len(c.queue) <= int(c.levels) {
		c.queue = append(c.queue, nil)
	}
	for i := range c.queue {
		c.queue[i] = c.queue[i][:0]
	}
	c.reach(x, c.alphabet.True())
	for level := range c.levels {
		p := c.alphabet.Prop(int(level))
		for _, x := range c.queue[level] {
			if c.Spend(c.long) {
				return nil
			}
			l := c.letters[x]
			c.letters[x] = omega.False
			n := c.nodes[x]
			c.reach(expansion(n.lo), c.alphabet.And(l, c.alphabet.Not(p)))
			c.reach(expansion(n.hi), c.alphabet.And(l, p))
		}
	}
	return c.queue[c.levels]
}

// reach says that x is reached on the letters of l.
func (c *couvreur) reach(x expansion, l omega.Label) {
	for int(x) >= len(c.letters) {
		c.letters = append(c.letters, omega.False)
	}
	if c.letters[x] == omega.False {
		level := c.nodes[x].level
		c.queue[level] = append(c.queue[level], x)
	}
	c.letters[x] = c.alphabet.Or(c.letters[x], l)
}
