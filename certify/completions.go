package certify

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// A word may leave propositions open: cycle{a} says nothing of b. Its completions are the infinite
// words that choose the truth of b at each position. The choices may differ from round to round of
// the cycle, so most completions are no lassos.

// AcceptsNone reports whether the automaton rejects every completion of the word. The answer is
// exact: each path through the product of the two is a run on some completion. It fails with
// ErrLarge past limit edges of the product, for alternating automata, and when ctx is done.
//
// An automaton of G b accepts no completion of cycle{a; !b}. It accepts one of cycle{a}.
func AcceptsNone(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newOpenProduct(ctx, a, w, limit)
	if err != nil {
		return false, err
	}
	found, err := cycle(ctx, len(p.nodes.list), p.arcs, a.Acceptance)
	return !found, err
}

// AcceptsAll reports whether the automaton accepts every completion of the word. The answer is
// exact. It fails as AcceptsNone does.
//
// If the automaton has a single run on each completion, AcceptsAll looks for one that is rejecting.
// Otherwise it looks at what a whole number of rounds of the cycle can do: see rounds. If some
// completion is rejected, so is a lasso that repeats some rounds.
func AcceptsAll(ctx context.Context, a *Automaton, w *Word, limit int) (bool, error) {
	p, err := newOpenProduct(ctx, a, w, limit)
	if err != nil {
		return false, err
	}
	if p.single && len(a.Start) == 1 {
		found, err := cycle(ctx, len(p.nodes.list), p.arcs, negation(a.Acceptance))
		return !found, err
	}
	return p.acceptsAll()
}

// openProduct is the product of an automaton and the completions of a word.
type openProduct struct {
	product
	limit  int
	single bool // each node has exactly one arc for each completion of its letter

	leaves    []*Condition // of the condition, by bit: see step
	condition *Condition   // over these bits
}

func newOpenProduct(ctx context.Context, a *Automaton, w *Word, limit int) (*openProduct, error) {
	if err := cmp.Or(a.check(), w.check()); err != nil {
		return nil, err
	}
	if a.alternating() {
		return nil, ErrLarge
	}
	p := &openProduct{limit: limit, single: true,
		product: product{ctx: ctx, automaton: a, word: w, letters: evaluations(a.Props, w)}}
	p.nodes.dense(a.States, w.size())
	for _, start := range a.Start {
		p.nodes.of(node{start[0], 0})
	}
	for i := 0; i < len(p.nodes.list); i++ {
		n := p.nodes.list[i]
		next := p.word.next(n.pos)
		err := p.completions(p.letters[n.pos], a.Edges(n.state), func(enabled []*Edge) error {
			p.single = p.single && len(enabled) == 1
			for _, e := range enabled {
				p.arcs = append(p.arcs, arc{i, p.nodes.of(node{e.To[0], next}), e.Marks})
			}
			return p.spend(1 + len(enabled))
		})
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// spend fails when the limit is used up, or ctx is done.
func (p *openProduct) spend(n int) error {
	if p.limit -= n; p.limit < 0 {
		return ErrLarge
	}
	return p.ctx.Err()
}

// completions calls each with the edges that are enabled under each completion of a letter.
// Completions that no label tells apart are one: it chooses a proposition only if the truth of a
// label needs it.
func (p *openProduct) completions(letter evaluation, edges []*Edge, each func(enabled []*Edge) error) error {
	var enabled []*Edge
	for _, e := range edges {
		reads, err := letter.label(e.Label)
		var undetermined *OpenError
		if errors.As(err, &undetermined) {
			if err := p.spend(len(edges)); err != nil {
				return err
			}
			for _, truth := range []value{no, yes} {
				more := evaluation{names: letter.names, props: slices.Clone(letter.props)}
				more.props[slices.Index(letter.names, undetermined.Prop)] = truth
				if err := p.completions(more, edges, each); err != nil {
					return err
				}
			}
			return nil
		}
		if err != nil {
			return err
		}
		if reads {
			enabled = append(enabled, e)
		}
	}
	return each(enabled)
}

// HoldsOnAll reports whether the formula has the given truth on every completion of the word. The
// answer is exact. It fails with ErrLarge past limit steps, with an *OpenError if a letter leaves a
// proposition of {r}, {r}<>->f or {r}[]->f open, and when ctx is done.
//
// First, each subformula gets a value at each position that may be open, as letters have it: yes
// and no hold for all completions. If the formula itself is open, HoldsOnAll searches for a
// completion on which it has the other truth. It chooses the open propositions and the open
// operators of the future, position by position. A choice for f U g or G f must agree with its law,
// at the next position, and must not put off forever what it promises: a tableau, of what is open
// only.
//
// On all completions of cycle{a}, a | Gb is true. F b is open there, and so is b: always choosing b
// false puts F b off forever, so F b is false on one completion, and true on others.
func HoldsOnAll(ctx context.Context, f *ltl.Formula, truthOf bool, w *Word, limit int) (bool, error) {
	if err := w.check(); err != nil || f == nil {
		return false, cmp.Or(err, errNoFormula)
	}
	o := &openTruth{truth: truth{ctx: ctx, word: w, nesting: map[*ltl.Formula]int{}, known: map[*ltl.Formula][]bool{}},
		place: map[*ltl.Formula]int{}, limit: limit}
	o.rounds = 1 + o.pastDepth(f)
	if err := o.evaluate(f); err != nil {
		return false, err
	}
	if v := o.values[o.place[f]][0]; v != open {
		return v == valueOf(truthOf), nil
	}
	return o.refute(f, valueOf(!truthOf))
}

func valueOf(truth bool) value {
	if truth {
		return yes
	}
	return no
}

// openTruth is the truth of a formula on the completions of a word.
type openTruth struct {
	truth  // of the parts that no letter leaves open
	parts  []*ltl.Formula
	place  map[*ltl.Formula]int // of each part: its operands are before it
	values [][]value            // by part and position
	limit  int

	nodes numbering[string] // the position, and the truth of each part there
	arcs  []arc
}

// spend fails when the limit is used up, or ctx is done.
func (o *openTruth) spend() error {
	if o.limit--; o.limit < 0 {
		return ErrLarge
	}
	return o.ctx.Err()
}

// evaluate sets the values of f and its parts.
func (o *openTruth) evaluate(f *ltl.Formula) error {
	if _, ok := o.place[f]; f == nil || ok {
		return nil
	}
	for _, part := range []*ltl.Formula{f.Left(), f.Right()} {
		if err := o.evaluate(part); err != nil {
			return err
		}
	}
	list := make([]value, o.positions())
	switch op := f.Op(); {
	case op == ltl.OpClosure || op == ltl.OpSuffixConjunction || op == ltl.OpSuffixImplication:
		truths, err := o.truth.values(f)
		if err != nil {
			return err
		}
		for p := range list {
			list[p] = valueOf(truths[p])
		}
	case op == ltl.OpProp:
		for p := range list {
			list[p] = o.letter(f.Name(), p)
		}
	case ltl.PastOps.Has(op):
		for p := range list {
			a, b, last := o.at(f.Left(), p), o.at(f.Right(), p), open
			if p > 0 {
				last = o.last(f, list[p-1], p-1)
			}
			list[p] = past(op, p, a, b, last)
		}
	case op == ltl.OpNext:
		for p := range list {
			list[p] = o.at(f.Left(), o.next(p))
		}
	case fixpoint(op):
		for p := range list {
			list[p] = valueOf(greatest(op))
		}
		for changed := true; changed; {
			changed = false
			for p, old := range slices.Backward(list) {
				list[p] = future(op, o.at(f.Left(), p), o.at(f.Right(), p), list[o.next(p)])
				changed = changed || list[p] != old
			}
		}
	default:
		for p := range list {
			list[p] = connective(op, o.at(f.Left(), p), o.at(f.Right(), p))
		}
	}
	o.place[f] = len(o.parts)
	o.parts, o.values = append(o.parts, f), append(o.values, list)
	return o.ctx.Err()
}

// at returns the value of a part at a position.
func (o *openTruth) at(f *ltl.Formula, p int) value {
	if f == nil {
		return open
	}
	return o.values[o.place[f]][p]
}

// last returns what an operator of the past needs from position p before it: the truth of its
// operand, or its own, which is given.
func (o *openTruth) last(f *ltl.Formula, own value, p int) value {
	if f.Op() == ltl.OpYesterday || f.Op() == ltl.OpWeakYesterday {
		return o.at(f.Left(), p)
	}
	return own
}

// letter returns the truth of a proposition at a position.
func (o *openTruth) letter(name string, p int) value {
	if before := len(o.word.Prefix); p >= before {
		p = before + (p-before)%len(o.word.Cycle)
	}
	truth, ok := o.word.at(p)[name]
	if !ok {
		return open
	}
	return valueOf(truth)
}

func not(a value) value {
	switch a {
	case no:
		return yes
	case yes:
		return no
	}
	return open
}

func and(a, b value) value {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return open
}

func or(a, b value) value { return not(and(not(a), not(b))) }

// connective returns the value of a formula with an operator that looks at one position only.
func connective(op ltl.Op, a, b value) value {
	switch op {
	case ltl.OpFalse:
		return no
	case ltl.OpTrue:
		return yes
	case ltl.OpNot:
		return not(a)
	case ltl.OpAnd:
		return and(a, b)
	case ltl.OpOr:
		return or(a, b)
	case ltl.OpImplies:
		return or(not(a), b)
	case ltl.OpEquiv:
		return or(and(a, b), and(not(a), not(b)))
	case ltl.OpXor:
		return or(and(a, not(b)), and(not(a), b))
	}
	panic("certify: unknown operator " + op.String())
}

// fixpoint reports whether the operator is one of the future with a law for the next position.
func fixpoint(op ltl.Op) bool {
	switch op {
	case ltl.OpFinally, ltl.OpGlobally, ltl.OpUntil, ltl.OpWeakUntil, ltl.OpRelease, ltl.OpStrongRelease:
		return true
	}
	return false
}

// greatest reports whether the operator is true where it is put off forever.
func greatest(op ltl.Op) bool {
	return op == ltl.OpGlobally || op == ltl.OpWeakUntil || op == ltl.OpRelease
}

// future returns the value that the law of an operator gives, if next is that at the next position.
func future(op ltl.Op, a, b, next value) value {
	switch op {
	case ltl.OpFinally:
		return or(a, next)
	case ltl.OpGlobally:
		return and(a, next)
	case ltl.OpUntil, ltl.OpWeakUntil:
		return or(b, and(a, next))
	}
	return and(b, or(a, next))
}

// past returns the value of an operator of the past at position p, if last is what it needs from the
// position before.
func past(op ltl.Op, p int, a, b, last value) value {
	if p == 0 {
		last = valueOf(op == ltl.OpWeakYesterday || op == ltl.OpHistorically || op == ltl.OpTriggered)
	}
	switch op {
	case ltl.OpYesterday, ltl.OpWeakYesterday:
		return last
	case ltl.OpOnce:
		return or(a, last)
	case ltl.OpHistorically:
		return and(a, last)
	case ltl.OpSince:
		return or(b, and(a, last))
	case ltl.OpTriggered:
		return and(b, or(a, last))
	}
	panic("certify: unknown operator " + op.String())
}

// A step leads from one state to another. Its marks have a bit for each part of the acceptance
// condition: whether some edge on the way is one that the part counts.
type step struct {
	from, to int
	marks    uint64
}

// A relation is what a finite word can do in an automaton: its steps, sorted, without repetition.
// Take two states, and a word that leads from 0 to 1 with mark 0, and from 1 to 1 without: its
// relation is {0 -{0}-> 1, 1 -> 1}. The relation of the word twice is {0 -{0}-> 1, 1 -> 1} as well.
type relation []step

func newRelation(steps []step) relation {
	slices.SortFunc(steps, func(a, b step) int {
		switch {
		case a.from != b.from:
			return a.from - b.from
		case a.to != b.to:
			return a.to - b.to
		case a.marks < b.marks:
			return -1
		case a.marks > b.marks:
			return 1
		}
		return 0
	})
	return slices.Compact(steps)
}

func (r relation) key() string {
	var b []byte
	for _, s := range r {
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, uint64(s.from)), uint64(s.to)), s.marks)
	}
	return string(b)
}

// then returns the relation of two words in a row: r is of the first one, s of the second one.
func (r relation) then(s relation) relation {
	var steps []step
	for _, x := range r {
		for _, y := range s {
			if x.to == y.from {
				steps = append(steps, step{x.from, y.to, x.marks | y.marks})
			}
		}
	}
	return newRelation(steps)
}

// image returns the states that r leads to from a set of states, sorted.
func (r relation) image(set []int) []int {
	var to []int
	for _, s := range r {
		if slices.Contains(set, s.from) {
			to = append(to, s.to)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// acceptsAll decides whether all completions are accepted from what the finite words of the
// prefix and of whole rounds of the cycle do. There are finitely many relations of such words and
// finitely many sets of states that they lead to. All pairs of a set and a relation must accept:
// the relation again and again, from some state of the set.
func (p *openProduct) acceptsAll() (bool, error) {
	if err := p.number(); err != nil {
		return false, err
	}
	letters, err := p.relations()
	if err != nil {
		return false, err
	}
	before := len(p.word.Prefix)
	sets := map[string][]int{}
	for _, start := range p.automaton.Start {
		sets[""] = append(sets[""], start[0])
	}
	for _, choice := range letters[:before] {
		if sets, err = p.after(sets, choice); err != nil {
			return false, err
		}
	}
	round := letters[before]
	for _, choice := range letters[before+1:] {
		if round, err = p.products(round, choice); err != nil {
			return false, err
		}
	}
	all, err := p.closure(round)
	if err != nil {
		return false, err
	}
	for fresh := sets; len(fresh) > 0; {
		next, err := p.after(fresh, round)
		if err != nil {
			return false, err
		}
		fresh = map[string][]int{}
		for key, set := range next {
			if _, ok := sets[key]; !ok {
				sets[key], fresh[key] = set, set
			}
		}
	}
	for _, loop := range all {
		good, err := p.acceptedFrom(loop)
		if err != nil {
			return false, err
		}
		for _, set := range sets {
			if !slices.ContainsFunc(set, func(s int) bool { return good[s] }) {
				return false, nil
			}
		}
		if err := p.spend(len(sets)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// relations returns, for each letter, the relations of its completions on the states that are reached
// before the letter.
func (p *openProduct) relations() ([][]relation, error) {
	edges := make([][]*Edge, p.word.size())
	for _, n := range p.nodes.list {
		edges[n.pos] = append(edges[n.pos], p.automaton.Edges(n.state)...)
	}
	letters := make([][]relation, p.word.size())
	for pos := range letters {
		seen := map[string]bool{}
		err := p.completions(p.letters[pos], edges[pos], func(enabled []*Edge) error {
			steps := make([]step, 0, len(enabled))
			for _, e := range enabled {
				s := step{from: e.From, to: e.To[0]}
				for i, leaf := range p.leaves {
					if sees(arc{marks: e.Marks}, leaf) {
						s.marks |= 1 << i
					}
				}
				steps = append(steps, s)
			}
			if r := newRelation(steps); !seen[r.key()] {
				seen[r.key()] = true
				letters[pos] = append(letters[pos], r)
			}
			return p.spend(1 + len(enabled))
		})
		if err != nil {
			return nil, err
		}
	}
	return letters, nil
}

// number gives each Inf and Fin of the condition that speaks of other edges than those before a bit.
func (p *openProduct) number() error {
	p.condition = replace(p.automaton.Acceptance, func(leaf *Condition) *Condition {
		i := slices.IndexFunc(p.leaves, func(x *Condition) bool { return x.Mark == leaf.Mark && x.Complement == leaf.Complement })
		if i < 0 {
			i = len(p.leaves)
			p.leaves = append(p.leaves, leaf)
		}
		return &Condition{Op: leaf.Op, Mark: i}
	})
	if len(p.leaves) > 64 {
		return ErrLarge
	}
	return nil
}

// products returns the relations of two words in a row, the first one in list, the second one in more.
func (p *openProduct) products(list, more []relation) ([]relation, error) {
	var found []relation
	seen := map[string]bool{}
	for _, x := range list {
		for _, y := range more {
			r := x.then(y)
			if err := p.spend(1 + len(x)*len(y) + len(r)); err != nil {
				return nil, err
			}
			if !seen[r.key()] {
				seen[r.key()] = true
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// closure returns the relations of one or more rounds.
func (p *openProduct) closure(round []relation) ([]relation, error) {
	seen := map[string]bool{}
	for _, r := range round {
		seen[r.key()] = true
	}
	all := slices.Clone(round)
	for fresh := round; len(fresh) > 0; {
		longer, err := p.products(fresh, round)
		if err != nil {
			return nil, err
		}
		fresh = nil
		for _, r := range longer {
			if !seen[r.key()] {
				seen[r.key()] = true
				fresh = append(fresh, r)
			}
		}
		all = append(all, fresh...)
	}
	return all, nil
}

// after returns the sets of states that the words of list lead to from some sets.
func (p *openProduct) after(sets map[string][]int, list []relation) (map[string][]int, error) {
	next := map[string][]int{}
	for _, set := range sets {
		for _, r := range list {
			image := r.image(set)
			next[keyOf(image)] = image
			if err := p.spend(1 + len(r)); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

func keyOf(set []int) string {
	var b []byte
	for _, s := range set {
		b = binary.AppendUvarint(b, uint64(s))
	}
	return string(b)
}

// acceptedFrom returns the states from which a word with this relation, repeated for ever, is
// accepted.
func (p *openProduct) acceptedFrom(loop relation) (map[int]bool, error) {
	good := map[int]bool{}
	for i, s := range loop {
		if i > 0 && loop[i-1].from == s.from {
			continue
		}
		reached := numbering[int]{}
		reached.of(s.from)
		var arcs []arc
		for at := 0; at < len(reached.list); at++ {
			for _, x := range loop {
				if x.from == reached.list[at] {
					a := arc{from: at, to: reached.of(x.to)}
					for i := range p.leaves {
						if x.marks>>i&1 != 0 {
							a.marks = append(a.marks, i)
						}
					}
					arcs = append(arcs, a)
				}
			}
			if err := p.spend(len(loop)); err != nil {
				return nil, err
			}
		}
		found, err := cycle(p.ctx, len(reached.list), arcs, p.condition)
		if err != nil {
			return nil, err
		}
		good[s.from] = found
	}
	return good, nil
}

// refute reports whether no completion gives f the truth that is unwanted. A node of the graph that
// it searches is a position with the truth of each part there. Arcs lead to the nodes of the next
// position that agree with the laws.
func (o *openTruth) refute(f *ltl.Formula, unwanted value) (bool, error) {
	var states [][]value
	var places []int
	note := func(p int, v []value) int {
		key := string(binary.AppendUvarint(nil, uint64(p)))
		for _, x := range v {
			key += string(rune(x))
		}
		n := o.nodes.of(key)
		if n == len(states) {
			states, places = append(states, v), append(places, p)
		}
		return n
	}
	first := make([]value, len(o.parts))
	first[o.place[f]] = unwanted
	err := o.choose(0, nil, first, func(v []value) { note(0, v) })
	for n := 0; err == nil && n < len(states); n++ {
		v, p := states[n], o.next(places[n])
		demands, marks := o.demands(v)
		if demands == nil {
			continue
		}
		err = o.choose(p, v, demands, func(next []value) {
			o.arcs = append(o.arcs, arc{n, note(p, next), marks})
		})
	}
	if err != nil {
		return false, err
	}
	fair := &Condition{Op: AllOf}
	for i, part := range o.parts {
		if fixpoint(part.Op()) {
			fair.Args = append(fair.Args, &Condition{Op: Inf, Mark: i})
		}
	}
	found, err := cycle(o.ctx, len(states), o.arcs, fair)
	return !found, err
}

// demands returns the truth that parts must have at the next position, if v is their truth at one;
// nil if some part would have to be true and false. The marks are the parts that v does not put off:
// those that have to wait forever are not fulfilled.
func (o *openTruth) demands(v []value) (list []value, marks []int) {
	list = make([]value, len(v))
	for i, f := range o.parts {
		part := i
		switch {
		case f.Op() == ltl.OpNext:
			part = o.place[f.Left()]
		case !fixpoint(f.Op()):
			continue
		case o.law(f, v) != open:
			marks = append(marks, i)
			continue
		case v[i] == valueOf(greatest(f.Op())):
			marks = append(marks, i)
		}
		if list[part] == not(v[i]) {
			return nil, nil
		}
		list[part] = v[i]
	}
	return list, marks
}

// law returns the truth of a future operator if its operands settle it.
func (o *openTruth) law(f *ltl.Formula, v []value) value {
	return future(f.Op(), o.among(v, f.Left()), o.among(v, f.Right()), open)
}

func (o *openTruth) among(v []value, f *ltl.Formula) value {
	if f == nil {
		return open
	}
	return v[o.place[f]]
}

// choose calls each with every truth of the parts at position p that agrees with the letter, the
// demands, and the truth of the parts one position earlier (nil at the first position).
func (o *openTruth) choose(p int, before, demands []value, each func([]value)) error {
	v := make([]value, len(o.parts))
	var from func(i int) error
	from = func(i int) error {
		if err := o.spend(); err != nil {
			return err
		}
		if i == len(v) {
			each(append([]value(nil), v...))
			return nil
		}
		allowed := [...]value{o.values[i][p], demands[i], o.computed(i, p, before, v)}
		for _, x := range []value{no, yes} {
			fits := true
			for _, y := range allowed {
				fits = fits && (y == open || x == y)
			}
			if v[i] = x; !fits {
				continue
			}
			if err := from(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return from(0)
}

// computed returns the truth of part i at position p, if it follows from the parts before it
// and from the position before.
func (o *openTruth) computed(i, p int, before, v []value) value {
	f := o.parts[i]
	switch op := f.Op(); {
	case op == ltl.OpProp || op == ltl.OpNext || o.values[i][p] != open:
		return o.values[i][p]
	case fixpoint(op):
		return o.law(f, v)
	case ltl.PastOps.Has(op):
		last := open
		if before != nil {
			last = before[i]
			if op == ltl.OpYesterday || op == ltl.OpWeakYesterday {
				last = before[o.place[f.Left()]]
			}
		}
		return past(op, p, o.among(v, f.Left()), o.among(v, f.Right()), last)
	default:
		return connective(op, o.among(v, f.Left()), o.among(v, f.Right()))
	}
}
