package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
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
// promises and formulas, called terms. No term implies another. (Implications known from
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
// A subformula with a regular expression expands by an automaton of the expression: see binding.
//
// Before the expansion, [ltl.Store.Reduce] simplifies the formula. Afterwards With reduces the
// automaton by [reduce.Reduce].

// couvreurSource is the newSource of the construction. Each formula that an F, U or M promises has
// an acceptance set. It makes the expansion of f; the edges of a state come with the expansions of
// their destinations.
func couvreurSource(ctx context.Context, s *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	g, err := s.Reduce(ctx, f, ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	c, err := newCouvreur(ctx, s, omega.NewAlphabet(f.Props()...), g)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// couvreurProps is how many propositions a decision diagram may ask for: at worst it
// has a leaf for each letter. Other propositions are in the terms.
const couvreurProps = 8

// newCouvreur returns the automaton of f, in negation normal form, over an alphabet that has its
// propositions.
func newCouvreur(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) (*couvreur, error) {
	b, err := bind(ctx, s, alphabet, f)
	if err != nil {
		return nil, err
	}
	o := &obligations{number: map[*ltl.Formula]int{}, promise: map[*ltl.Formula]int{}, bindings: b}
	o.collect(f, map[*ltl.Formula]bool{})
	o.mark()
	// The first propositions are levels of the diagrams. Each other one takes two bits of a term.
	split := min(alphabet.Len(), couvreurProps)
	if err := ondemand.AdmitBits(o.promises + 2*(alphabet.Len()-split) + len(o.list)); err != nil {
		return nil, err
	}
	t := newTermTable(o.promises, alphabet.Len()-split, len(o.list))
	o.order(ctx, s, t) // before any term is made
	c := &couvreur{
		expansions: newExpansions(ctx, split, t),
		Automaton:  ondemand.New(alphabet, o.sets),
		due:        o,
		known:      make(map[*ltl.Formula]expansion),
	}
	c.MakeEdges = c.edgesOf
	all := make([]int, o.sets)
	for i := range all {
		all[i] = i
	}
	c.full = c.MarkTable.Of(all...)
	c.long = ondemand.StepLength(alphabet, 64*t.words)
	perEdge := int64(24 + 2*len(all)/8) // bytes, with its marks
	c.LimitMemory(ondemand.MaxMemory, func() int64 { return c.memory() + perEdge*c.Made + alphabet.Memory() })
	if x := c.expand(f); x != never {
		c.Starts = []omega.State{c.state(x)}
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return c, nil
}

// A couvreur is the automaton. A state is an expansion.
type couvreur struct {
	*expansions
	ondemand.Automaton
	due  *obligations
	full omega.Marks // all marks

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
	if b := c.due.bindings[f]; b != nil {
		x = c.run(b, 0, false)
		c.known[f] = x
		return x
	}
	switch f.Op() {
	case ltl.OpTrue:
		x = always
	case ltl.OpProp, ltl.OpNot: // only propositions are negated
		p, neg := f, 0
		if f.Op() == ltl.OpNot {
			p, neg = f.Left(), 1
		}
		i, _ := c.Over.Index(p.Name())
		x = c.literal(i, neg)
	case ltl.OpAnd:
		x = c.and(c.expand(f.Left()), c.expand(f.Right()))
	case ltl.OpOr:
		x = c.or(c.expand(f.Left()), c.expand(f.Right()))
	case ltl.OpNext:
		x = c.later(f.Left())
	case ltl.OpFinally:
		x = c.or(c.expand(f.Left()), c.putOff(f, f.Left())) // must be kept one day
	case ltl.OpGlobally:
		x = c.and(c.expand(f.Left()), c.later(f))
	case ltl.OpUntil:
		x = c.or(c.expand(f.Right()), c.and(c.expand(f.Left()), c.putOff(f, f.Right())))
	case ltl.OpWeakUntil:
		x = c.or(c.expand(f.Right()), c.and(c.expand(f.Left()), c.later(f))) // may wait for ever
	case ltl.OpRelease:
		x = c.and(c.expand(f.Right()), c.or(c.expand(f.Left()), c.later(f)))
	case ltl.OpStrongRelease:
		x = c.and(c.expand(f.Right()), c.or(c.expand(f.Left()), c.putOff(f, f.Left())))
	}
	c.known[f] = x
	return x
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
		// A breakpoint: what starts from now on is waited for next.
		t = c.remarked(t)
	}
	for int(t) >= len(c.met) {
		c.met = append(c.met, 0)
	}
	if c.met[t] > 0 { // plus one
		return c.met[t] - 1
	}
	x := always
	for _, i := range c.of(t).AppendTo(nil, c.next) {
		switch o := c.due.list[i]; {
		case o.of != nil:
			x = c.and(x, c.run(o.of, o.state, o.marked))
		default:
			x = c.and(x, c.expand(o.formula))
		}
	}
	c.met[t] = x + 1
	return x
}

// letter returns the expansion to nothing on the letters of a label.
func (c *couvreur) letter(l omega.Label) expansion {
	switch l {
	case omega.False:
		return never
	case c.Over.True():
		return always
	}
	i, lo, hi := c.Over.Split(l)
	return c.or(c.and(c.literal(i, 1), c.letter(lo)), c.and(c.literal(i, 0), c.letter(hi)))
}

// edgesOf returns the edges of a state. The result is not nil.
func (c *couvreur) edgesOf(s omega.State) ([]omega.Edge, error) {
	edges := make([]omega.Edge, 0, 4)
	for _, leaf := range c.leavesOf(c.states[s]) {
		for _, t := range c.alternatives(leaf) {
			edges = c.appendEdge(edges, c.letters[leaf], t, c.meet(t))
		}
		// Ready for the next state.
		c.letters[leaf] = omega.False
	}
	return edges, c.Err()
}

// appendEdge appends an edge that puts off the promises of t, to the state of x.
func (c *couvreur) appendEdge(edges []omega.Edge, letters omega.Label, t term, x expansion) []omega.Edge {
	if x == never || c.Err() != nil {
		return edges
	}
	// While marked obligations are left, the breakpoint's mark is missing.
	pending := len(c.unmarked) > 0 && !c.breakpoint(t)
	c.list = c.of(t).AppendTo(c.list[:0], 0)
	open := 0 // promises
	for _, i := range c.list {
		switch {
		case i < c.literals:
			open++
		case i < c.next:
			p := c.Over.Prop(int(c.levels) + (i-c.literals)/2)
			if i%2 != 0 {
				p = c.Over.Not(p)
			}
			letters = c.Over.And(letters, p)
		}
	}
	c.Spend(c.long)
	marks := c.MarkTable.Minus(c.full, c.MarkTable.Of(c.list[:open]...))
	if pending {
		marks = c.MarkTable.Minus(marks, c.MarkTable.Of(c.due.promises))
	}
	return c.Merge(edges, omega.Edge{Label: letters, Marks: marks, Dst: c.state(x)})
}

// leavesOf returns the leaves of x, and leaves in c.letters what letters lead to each.
func (c *couvreur) leavesOf(x expansion) []expansion {
	for len(c.queue) <= int(c.levels) {
		c.queue = append(c.queue, nil)
	}
	for i := range c.queue {
		c.queue[i] = c.queue[i][:0]
	}
	c.reach(x, c.Over.True())
	for level := range c.levels {
		p := c.Over.Prop(int(level))
		// All ways into a node come from lower levels, so its letters are complete.
		for _, x := range c.queue[level] {
			if c.Spend(c.long) {
				return nil
			}
			l := c.letters[x]
			c.letters[x] = omega.False
			n := c.nodes[x]
			c.reach(expansion(n.lo), c.Over.And(l, c.Over.Not(p)))
			c.reach(expansion(n.hi), c.Over.And(l, p))
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
	c.letters[x] = c.Over.Or(c.letters[x], l)
}

// obligations are the demands that may have to hold next, in order of occurrence, and the promises.
type obligations struct {
	list     []demand
	number   map[*ltl.Formula]int // of each formula that may have to hold next
	promise  map[*ltl.Formula]int // by what is promised
	promises int                  // all, also of bindings

	bindings    map[*ltl.Formula]*binding
	firstMarked int   // the number of the first marked obligation
	unmarked    []int // by marked obligation, from the first on: the number of the same one, unmarked
	sets        int   // promises, and the breakpoints if there are any
}

// A demand is a formula, or the words that an automaton accepts from a state.
type demand struct {
	formula *ltl.Formula // that the automaton is of, or that is expanded by its operator
	of      *binding     // has the automaton, or is nil
	state   omega.State
	marked  bool // see binding
}

// collect adds the obligations of f, in negation normal form.
func (o *obligations) collect(f *ltl.Formula, seen map[*ltl.Formula]bool) {
	if f == nil || seen[f] {
		return
	}
	seen[f] = true
	if b := o.bindings[f]; b != nil {
		o.bound(b)
		// An !{r} has no operand but the expression.
		if f.Op() != ltl.OpNot {
			o.collect(f.Left(), seen)
		}
		return
	}
	switch f.Op() {
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
	}
	o.collect(f.Left(), seen)
	o.collect(f.Right(), seen)
}

// add adds the conjuncts of f.
func (o *obligations) add(f *ltl.Formula) {
	if f.Op() == ltl.OpAnd {
		o.add(f.Left())
		o.add(f.Right())
		return
	}
	if b := o.bindings[f]; b != nil && b.by != nil {
		o.bound(b)
		return
	}
	if _, ok := o.number[f]; !ok {
		o.number[f] = len(o.list)
		o.list = append(o.list, demand{formula: f})
	}
}

func (o *obligations) promised(goal *ltl.Formula) {
	if _, ok := o.promise[goal]; !ok {
		o.promise[goal] = o.promises
		o.promises++
	}
}

// couvreurImplications is how many pairs of formulas are looked at for implications
// between obligations.
const couvreurImplications = 1 << 14

// couvreurOrder is the number of obligations past which they are not compared.
const couvreurOrder = 512

// order tells a table which obligations imply which.
func (o *obligations) order(ctx context.Context, s *ltl.Store, t *termTable) {
	t.marked = t.next + o.firstMarked
	for _, i := range o.unmarked {
		t.unmarked = append(t.unmarked, t.next+i)
	}
	if len(o.list) > couvreurOrder {
		return
	}
	known := s.Implications(ctx, couvreurImplications)
	t.imply(len(o.list), func(i, j int) bool {
		x, y := o.list[i], o.list[j]
		return x.of == nil && y.of == nil && known.Holds(x.formula, y.formula)
	})
}

// A binding is a subformula with a regular expression r. Its obligations are the states of the
// automaton of r, which is a part of an alternating one. For a state q with steps on letters l to
// states s, final or not, the expansions are
//
//	{r}<>->f     disjunction:  l & (⟦f⟧ if s is final, or x(s))
//	{r}          disjunction:  l & (true if s is final, or x(s))
//	{r}[]->f     conjunction:  !l | (⟦f⟧ if s is final, and x(s))
//	!{r}         conjunction:  !l | (false if s is final, and x(s))
//
// For {a[*];b}<>->c, the automaton has the state 0 with the steps a to 0, and b to a final state
// without steps. Its expansion is a & x(0) | b & c. For {a;b}<>->c, the states 0 and 1 expand to
// a & x(1) and to b & c.
//
// A final state can be reached from each state, so {r} holds if a run goes on forever (König's
// lemma). In {r}<>->f and !{r} no run may: all must end. Where a state has a cycle through other
// states, no promise can say so, because new runs start before old ones end. So these states are
// obligations twice: unmarked, and marked. As long as a term has marked ones, an edge lacks the
// breakpoint's mark. When it has none, all unmarked ones become marked (Miyano and Hayashi,
// "Alternating finite automata on ω-words", 1984). A state whose only cycle is the edge to itself
// has a promise, as F f has.
type binding struct {
	formula *ltl.Formula
	op      bindingOp
	by      *expression // nil: no words
	first   int         // the number of state 0 among the obligations
	marked  []int       // by state: its number if it is marked; -1: none
	promise []int       // by state; -1: none
}

type bindingOp uint8

const (
	someMatch bindingOp = iota // {r}<>->f
	allMatch                   // {r}[]->f
	closed                     // {r}
	notClosed                  // !{r}
)

// bind returns the bindings of f, in negation normal form, with the automata of their expressions.
func bind(
	ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula,
) (_ map[*ltl.Formula]*binding, err error) {
	if !f.Ops().HasPSL() {
		return nil, nil
	}
	b := budget.New(ctx)
	defer alphabet.Bind(b).Release(&err)
	d := newDerivation(b, s, alphabet)
	found := make(map[*ltl.Formula]*binding)
	for _, g := range f.Subformulas() {
		op, h := closed, g
		switch g.Op() {
		case ltl.OpSuffixConjunction:
			op = someMatch
		case ltl.OpSuffixImplication:
			op = allMatch
		case ltl.OpNot:
			op, h = notClosed, g.Left()
		}
		if r := h.SERE(); r != nil {
			found[g] = &binding{formula: g, op: op, by: d.automaton(r)}
		}
		if b.Err() != nil {
			return nil, b.Err()
		}
	}
	return found, nil
}

// ends reports whether no run may go on forever.
func (b *binding) ends() bool { return b.op == someMatch || b.op == notClosed }

// bound adds the states of a binding.
func (o *obligations) bound(b *binding) {
	if _, ok := o.number[b.formula]; ok || b.by == nil {
		return
	}
	b.first = len(o.list)
	o.number[b.formula] = b.first
	for i := range b.by.steps {
		o.list = append(o.list, demand{formula: b.formula, of: b, state: omega.State(i)})
		b.marked, b.promise = append(b.marked, -1), append(b.promise, -1)
		if b.ends() && b.by.kind[i] == selfLoop {
			b.promise[i] = o.promises
			o.promises++
		}
	}
}

// mark adds the marked obligations, after all others.
func (o *obligations) mark() {
	o.firstMarked = len(o.list)
	for i := range o.firstMarked {
		x := o.list[i]
		if x.of != nil && x.of.ends() && x.of.by.kind[x.state] == cyclic {
			x.of.marked[x.state] = len(o.list)
			x.marked = true
			o.list = append(o.list, x)
			o.unmarked = append(o.unmarked, i)
		}
	}
	o.sets = o.promises
	if len(o.unmarked) > 0 {
		o.sets++ // for the breakpoints
	}
}

// run returns the expansion of a state of a binding.
func (c *couvreur) run(b *binding, state omega.State, marked bool) expansion {
	all := b.op == allMatch || b.op == notClosed
	// Without words, nothing matches: all matches are right, and there is none.
	if b.by == nil {
		if all {
			return always
		}
		return never
	}
	x := never
	if all {
		x = always
	}
	for _, e := range b.by.steps[state] {
		y := c.goOn(b, state, e.to, marked)
		final := b.by.final[e.to]
		switch {
		case final && b.op == closed:
			y = always // one match is enough
		case final && b.op == notClosed:
			y = never // no match may come
		case final && all:
			y = c.and(y, c.expand(b.formula.Left()))
		case final:
			y = c.or(y, c.expand(b.formula.Left()))
		}
		if all {
			x = c.and(x, c.or(c.letter(c.Over.Not(e.label)), y))
		} else {
			x = c.or(x, c.and(c.letter(e.label), y))
		}
		if c.Err() != nil {
			return never
		}
	}
	return x
}

// goOn returns the expansion to a state of a binding next, after a step from another one.
func (c *couvreur) goOn(b *binding, from omega.State, to int, marked bool) expansion {
	// No longer word begins like this: nothing is left to refute, or to find.
	if len(b.by.steps[to]) == 0 {
		if b.op == allMatch || b.op == notClosed {
			return always
		}
		return never
	}
	i := b.first + to
	// A run that has left its component can't come back, so it need not stay marked.
	if marked && b.marked[to] >= 0 && b.by.part[from] == b.by.part[to] {
		i = b.marked[to]
	}
	x := c.leaf([]term{c.bit(c.next + i)})
	// The loop puts the end off. The way into the state does not.
	if b.promise[to] >= 0 && int(from) == to {
		x = c.and(x, c.leaf([]term{c.bit(b.promise[to])}))
	}
	return x
}
