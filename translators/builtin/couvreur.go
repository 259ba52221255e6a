package builtin

import (
	"context"
	"fmt"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// NewCouvreur returns the automaton of f, a formula of store s, by the construction
// of Couvreur (1999), over the alphabet of f's propositions in order of occurrence.
// It is generalized Büchi, with one acceptance set for each formula that an F, U or
// M of the simplified negation normal form promises. The edges of a state are made
// when first asked for, and kept; this also computes the expansions of the states
// that they lead to, since states with the same expansion are one. It fails once
// ctx is canceled, and with an omega.LimitError when it takes more memory than
// 512 MiB. NewCouvreur itself makes the expansion of f, and fails if ctx is canceled
// or if an operator is not one of LTL.
func NewCouvreur(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	return newCouvreur(ctx, s, omega.NewAlphabet(f.Props()...), s.Reduce(f, ltl.LevelImplications), couvreurMemory)
}

// couvreurMemory is how many bytes the expansions of a formula and the edges may take.
const couvreurMemory = 512 << 20

// newCouvreur returns the automaton of f, in negation normal form, over an alphabet
// that has its propositions, which may take so many bytes.
func newCouvreur(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula, memory int) (*couvreur, error) {
	f = prepare(s, f)
	o := &obligations{number: make(map[*ltl.Formula]int), promise: make(map[*ltl.Formula]int)}
	if err := o.collect(f, make(map[*ltl.Formula]bool)); err != nil {
		return nil, err
	}
	c := &couvreur{
		formula:     f,
		obligations: o,
		alphabet:    alphabet,
		acceptance:  omega.GeneralizedBuchi(len(o.promise)),
		marks:       omega.NewMarkTable(len(o.promise)),
		made:        make(map[*ltl.Formula]expansion),
		at:          make(map[omega.Edge]int),
	}
	c.literals = (len(o.promise) + 1) &^ 1
	split := min(alphabet.Len(), couvreurProps)
	c.next = c.literals + 2*(alphabet.Len()-split)
	t := newTermTable(c.next+len(o.formulas), c.literals, c.next)
	o.order(s, t, c.next)
	c.expansions = newExpansions(ctx, split, t)
	c.look = func() error {
		if c.expansions.memory()+24*c.kept+alphabet.Memory() > int64(memory) {
			return &omega.LimitError{What: "memory", Limit: memory}
		}
		return nil
	}
	c.nextMask = make([]uint64, t.words)
	for i := c.next; i < c.next+len(o.formulas); i++ {
		c.nextMask[i/64] |= 1 << (i % 64)
	}
	all := make([]int, len(o.promise))
	for i := range all {
		all[i] = i
	}
	c.full = c.marks.Of(all...)
	if x := c.expand(f); x != never {
		c.initial = []omega.State{c.state(x)}
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return c, nil
}

// couvreurProps is how many propositions a decision diagram may ask for, one letter
// after the other at worst. What depends on others is in the terms.
const couvreurProps = 8

// A couvreur is the automaton. A state is an expansion.
type couvreur struct {
	*expansions
	*obligations
	formula    *ltl.Formula
	alphabet   *omega.Alphabet
	acceptance omega.Acceptance
	marks      *omega.MarkTable
	full       omega.Marks
	initial    []omega.State

	// The bits of a term: promises, the literals of propositions that the diagrams
	// do not ask for, and from next on obligations.
	literals, next int
	nextMask       []uint64

	made   map[*ltl.Formula]expansion
	met    []expansion    // by term of obligations, plus one: their expansion
	number []omega.State  // by expansion, plus one
	states []expansion    // inverse of number
	edges  [][]omega.Edge // of each state; nil: not yet made
	kept   int64          // edges

	// Scratch space.
	letters []omega.Label // by expansion: the letters that lead to it
	queue   [][]expansion // by level
	at      map[omega.Edge]int
	list    []int
}

func (c *couvreur) Alphabet() *omega.Alphabet    { return c.alphabet }
func (c *couvreur) Acceptance() omega.Acceptance { return c.acceptance }
func (c *couvreur) Marks() *omega.MarkTable      { return c.marks }
func (c *couvreur) Initial() []omega.State       { return c.initial }

func (c *couvreur) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	if c.edges[s] == nil {
		edges := c.edgesOf(c.states[s])
		if c.err != nil {
			return buf, c.err
		}
		c.edges[s] = edges
	}
	return append(buf, c.edges[s]...), nil
}

// expand returns the expansion of f.
func (c *couvreur) expand(f *ltl.Formula) expansion {
	if x, ok := c.made[f]; ok {
		return x
	}
	x := never
	switch f.Op() {
	case ltl.OpTrue:
		x = always
	case ltl.OpProp:
		x = c.literal(f, 0)
	case ltl.OpNot:
		x = c.literal(f.Left(), 1)
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
	c.made[f] = x
	return x
}

// literal returns the expansion of a proposition, or of its negation if neg is 1.
func (c *couvreur) literal(p *ltl.Formula, neg int) expansion {
	i, _ := c.alphabet.Index(p.Name())
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
	return c.leaf([]term{c.bit(c.next + c.obligations.number[f])})
}

// putOff returns the expansion to f next, which promises goal.
func (c *couvreur) putOff(f, goal *ltl.Formula) expansion {
	return c.and(c.later(f), c.leaf([]term{c.bit(c.promise[goal])}))
}

// state returns the state with an expansion that is not never.
func (c *couvreur) state(x expansion) omega.State {
	for int(x) >= len(c.number) {
		c.number = append(c.number, 0)
	}
	if c.number[x] == 0 {
		c.states = append(c.states, x)
		c.edges = append(c.edges, nil)
		c.number[x] = omega.State(len(c.states))
	}
	return c.number[x] - 1
}

// meet returns the expansion of the obligations of a term.
func (c *couvreur) meet(t term) expansion {
	t = c.masked(t, c.nextMask)
	for int(t) >= len(c.met) {
		c.met = append(c.met, 0)
	}
	if c.met[t] > 0 {
		return c.met[t] - 1
	}
	x := always
	for _, i := range c.appendTo(nil, t, c.next) {
		x = c.and(x, c.expand(c.formulas[i]))
	}
	c.met[t] = x + 1
	return x
}

// edgesOf returns the edges of a state. The result is not nil.
func (c *couvreur) edgesOf(x expansion) []omega.Edge {
	edges := make([]omega.Edge, 0, 4)
	clear(c.at)
	for _, leaf := range c.leavesOf(x) {
		for _, t := range c.alternatives(leaf) {
			edges = c.appendEdge(edges, c.letters[leaf], t, c.meet(t))
		}
		c.letters[leaf] = omega.False
	}
	return edges
}

// appendEdge appends an edge that puts off the promises of t, to the state of x. It
// is merged with one that has the same marks and destination.
func (c *couvreur) appendEdge(edges []omega.Edge, letters omega.Label, t term, x expansion) []omega.Edge {
	if x == never || c.err != nil {
		return edges
	}
	c.list = c.appendTo(c.list[:0], t, 0)
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
	e := omega.Edge{Marks: c.marks.Minus(c.full, c.marks.Of(c.list[:open]...)), Dst: c.state(x)}
	if i, ok := c.at[e]; ok {
		edges[i].Label = c.alphabet.Or(edges[i].Label, letters)
		return edges
	}
	c.stopped()
	c.kept++
	c.at[e] = len(edges)
	e.Label = letters
	return append(edges, e)
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
			if c.stopped() {
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

// obligations are the formulas that may have to hold next, in order of occurrence,
// and the promises.
type obligations struct {
	formulas []*ltl.Formula
	number   map[*ltl.Formula]int // inverse of formulas
	promise  map[*ltl.Formula]int // by what is promised
}

// collect adds those of f, in negation normal form.
func (o *obligations) collect(f *ltl.Formula, seen map[*ltl.Formula]bool) error {
	if f == nil || seen[f] {
		return nil
	}
	seen[f] = true
	switch f.Op() {
	case ltl.OpTrue, ltl.OpFalse, ltl.OpProp, ltl.OpAnd, ltl.OpOr:
	case ltl.OpNot:
		if f.Left().Op() != ltl.OpProp {
			return fmt.Errorf("couvreur: unsupported operator in %s", f)
		}
	case ltl.OpNext:
		o.add(f.Left())
	case ltl.OpGlobally, ltl.OpWeakUntil, ltl.OpRelease:
		o.add(f)
	case ltl.OpFinally, ltl.OpStrongRelease:
		o.add(f)
		o.promised(f.Left())
	case ltl.OpUntil:
		o.add(f)
		o.promised(f.Right())
	default:
		return fmt.Errorf("couvreur: unsupported operator in %s", f)
	}
	if err := o.collect(f.Left(), seen); err != nil {
		return err
	}
	return o.collect(f.Right(), seen)
}

// add adds the conjuncts of f.
func (o *obligations) add(f *ltl.Formula) {
	if f.Op() == ltl.OpAnd {
		o.add(f.Left())
		o.add(f.Right())
		return
	}
	if _, ok := o.number[f]; !ok {
		o.number[f] = len(o.formulas)
		o.formulas = append(o.formulas, f)
	}
}

func (o *obligations) promised(goal *ltl.Formula) {
	if _, ok := o.promise[goal]; !ok {
		o.promise[goal] = len(o.promise)
	}
}

// couvreurImplications is how many pairs of formulas are looked at for implications
// between obligations.
const couvreurImplications = 1 << 14

// order tells the table which obligations imply which, whose bits are from next on.
func (o *obligations) order(s *ltl.Store, t *termTable, next int) {
	known := ltl.NewImplication(s, couvreurImplications)
	for i, f := range o.formulas {
		for j, g := range o.formulas {
			if i != j && known.Holds(f, g) {
				t.imply(next+i, next+j)
			}
		}
	}
	t.close()
}
