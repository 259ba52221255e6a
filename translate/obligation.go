package translate

import (
	"context"
	"errors"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// weakSets bounds the search for a minimal deterministic weak automaton with fewer
// states than an automaton of n states has: the number of sets of these.
func weakSets(n int) int { return min(4*n+64, 4096) }

// weakSteps bounds the subset construction: pairs of an edge and a part of the letters.
const weakSteps = 1 << 20

// weakMemory is how many bytes the expansions of the negation may take to confirm it.
const weakMemory = 16 << 20

// reduceCouvreur returns the smallest automaton found for the formula of src, where a is
// the first: a reduced, another construction, or the minimal deterministic weak
// automaton. The last one is used if it has fewer states, or as many and no more edges.
func reduceCouvreur(ctx context.Context, s *ltl.Store, f *ltl.Formula, src omega.Source, a *omega.Automaton) (*omega.Automaton, error) {
	a, err := reduce.Backward(ctx, a)
	switch {
	case err != nil:
		return nil, err
	case a.NumStates() == 0:
		// The acceptance condition is f then.
		return omega.NewBuilder(a.Alphabet(), omega.GeneralizedBuchi(0)).Automaton(), nil
	case a.NumStates() == 1:
		return a, nil
	}
	if c, ok := src.(*couvreur); ok {
		f = c.formula
		if a, err = c.smallest(ctx, s, a); err != nil {
			return nil, err
		}
	} else {
		f = s.NNF(f) // with past
	}
	m, err := asObligation(ctx, s, f, a)
	if err != nil || m == nil {
		return a, unlessLimit(err)
	}
	m = trimmed(m)
	if omega.CompareSizes(m, a) > 0 {
		return a, nil
	}
	return m, nil
}

// smallest returns a, a reduced automaton of the formula of c, or a smaller one: without
// recurrences, if there are any, or of the formula without waiting. It gives up one that has many
// more states before it is reduced.
func (c *couvreur) smallest(ctx context.Context, s *ltl.Store, a *omega.Automaton) (*omega.Automaton, error) {
	try := func(f *ltl.Formula, r map[*ltl.Formula]*recurrence) error {
		b, err := expanded(ctx, s, c.Over, f, r, weakSets(a.NumStates()))
		if err == nil && omega.CompareSizes(b, a) < 0 {
			a = b
		}
		return unlessLimit(err)
	}
	if len(c.due.recurrences) > 0 {
		if err := try(prepare(ctx, s, c.formula, nil), nil); err != nil {
			return nil, err
		}
	}
	f := withoutWaiting(s, c.formula)
	if f == c.formula {
		return a, nil
	}
	f, err := s.Reduce(ctx, f, ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	f, r, err := preparedFor(ctx, s, c.Over, f)
	if err != nil {
		return nil, err
	}
	return a, try(f, r)
}

// asObligation returns the minimal deterministic weak automaton of f, in negation normal form, of
// which a is a reduced automaton. It is nil if f is found not to be an obligation.
//
// The formula is an obligation by its form, or because a is deterministic and weak. If a is
// deterministic and not weak then it is not. Otherwise what minimalWeak returns, which accepts all
// that a does, is compared with f, by a product with the automaton of the negation.
//
// F a is an obligation by its form, and the result has two states. The automaton of GF a
// is deterministic and not weak, so GF a is none. That of FG a is not deterministic:
// minimalWeak returns one that accepts all words, and cycle{!a} does not satisfy FG a.
func asObligation(ctx context.Context, s *ltl.Store, f *ltl.Formula, a *omega.Automaton) (*omega.Automaton, error) {
	limit := weakSets(a.NumStates())
	certain := f.SyntacticClass().In(ltl.Obligation)
	if !certain && a.IsDeterministic() {
		if certain = a.IsWeak(); !certain {
			return nil, nil
		}
	}
	m, err := minimalWeak(ctx, a, limit)
	if err != nil || certain {
		return m, err
	}
	// The automaton m accepts all words of f. It accepts no more if none of its accepting cycles is
	// on a word of the negation.
	negation, err := couvreurOver(ctx, s, a.Alphabet(), s.NNF(s.Not(f)))
	if err != nil {
		return nil, err
	}
	parts := m.Components()
	wrong, err := acceptingComponents(ctx, m, parts, negation, 8*limit)
	if err != nil {
		return nil, err
	}
	for s := range omega.State(m.NumStates()) {
		for _, e := range m.Edges(s) {
			if i := parts.Of[s]; i == parts.Of[e.Dst] && e.Marks != 0 && wrong[i] {
				return nil, nil // m accepts a word that f does not
			}
		}
	}
	return m, nil
}

// couvreurOver returns an automaton of f, in negation normal form, over an alphabet
// that has its propositions.
func couvreurOver(ctx context.Context, s *ltl.Store, alphabet *omega.Alphabet, f *ltl.Formula) (omega.Source, error) {
	if !f.Ops().HasPast() {
		return newCouvreur(ctx, s, alphabet, f, weakMemory)
	}
	f, err := s.Reduce(ctx, withoutPast(s, s.Simplify(f), alphabet), ltl.LevelImplications)
	if err != nil {
		return nil, err
	}
	src, err := newCouvreur(ctx, s, omega.Union(alphabet, omega.NewAlphabet(f.Props()...)), f, weakMemory)
	if err != nil {
		return nil, err
	}
	return ondemand.Project(src, alphabet), nil
}

// unlessLimit returns err, unless it is an omega.LimitError.
func unlessLimit(err error) error {
	var limit *omega.LimitError
	if errors.As(err, &limit) {
		return nil
	}
	return err
}

// minimalWeak returns the deterministic weak automaton that accepts the language of a, a
// generalized Büchi automaton, if there is one, and one that accepts more if there is none. It is
// complete, has Büchi acceptance, and no automaton that is all that is smaller (Dax, Eisinger and
// Klaedtke 2007, "Mechanizing the powerset construction for restricted classes of ω-automata").
//
// The subset construction gives its states and edges. In one that is as the language needs it, the
// cycles of a strongly connected component are all accepting or all rejecting, so that any
// accepting one tells which. (If a accepts a word, its run ends in a component of the product of
// both that is accepting, and so is the component of the subset construction that the word ends in.
// So no word is missing, whatever the language is.) The components are coloured by that, and then
// the automaton is minimized as one on finite words, with the states of even colour as final
// (Löding 2001, "Efficient minimization of deterministic weak ω-automata"): all edges of these
// carry the mark, so that bisimilar states are those to merge.
//
// For F a, gpvw has the states 0 and 1 with the edges 0 -1-> 0, 0 -a-> 1 {0} and 1 -1-> 1 {0}. The
// sets are {0}, which rejects, and {0,1}, which accepts. For GF a, which is not weak, there is one
// set, with an accepting cycle, and so the result accepts every word.
//
// It fails with an omega.LimitError past limit sets of states, or eight times as many pairs of a
// set and a state of it, or when there are many more edges than sets; and when ctx is done.
func minimalWeak(ctx context.Context, a *omega.Automaton, limit int) (*omega.Automaton, error) {
	x := &subsets{Header: ondemand.NewHeader(a.Alphabet(), 0), Budget: budget.New(ctx), a: a, words: max(1, (a.NumStates()+63)/64), at: make(map[omega.State]int)}
	x.LimitSteps(weakSteps)
	start := make(ondemand.BitSet, x.words)
	for _, s := range a.Initial() {
		start.Add(int(s))
	}
	x.Starts = []omega.State{x.state(start)}
	d, err := omega.Explore(ctx, x, limit)
	if err != nil {
		return nil, err
	}
	// The minimization takes time by edges, and few states may have very many.
	if most := 16*limit + 4*a.NumEdges(); d.NumEdges() > most {
		return nil, &omega.LimitError{What: "edges", Limit: most}
	}
	c := d.Components()
	accepting, err := acceptingComponents(ctx, d, c, a, 8*limit)
	if err != nil {
		return nil, err
	}
	// A word that ends in an even component is accepted, so any of its edges may have the mark.
	even := evenStates(d, c, accepting)
	b := omega.NewBuilder(d.Alphabet(), omega.Buchi())
	mark := b.Marks().Of(0)
	b.Copy(d, budget.Free(), func(s omega.State, e omega.Edge) omega.Edge {
		if even[s] {
			e.Marks = mark
		}
		return e
	})
	return reduce.Bisimilar(ctx, b.Automaton())
}

// evenStates colours the components by even numbers where they are accepting and by odd ones where
// they are not, those without cycles by either, such that no edge leads to a smaller colour; and
// each with the greatest that there can be. It returns which states have even ones.
func evenStates(d *omega.Automaton, c omega.Components, accepting []bool) []bool {
	down := make([]int, c.Count) // the colour, counted from the greatest even one down
	even := make([]bool, d.NumStates())
	for i, members := range c.Members() { // edges lead to components of smaller numbers
		cyclic := false
		for _, s := range members {
			for _, e := range d.Edges(s) {
				j := int(c.Of[e.Dst])
				cyclic = cyclic || i == j
				down[i] = max(down[i], down[j])
			}
		}
		// One colour further down, where the parity fits the component.
		if cyclic && (down[i]%2 == 0) != accepting[i] {
			down[i]++
		}
		for _, s := range members {
			even[s] = down[i]%2 == 0
		}
	}
	return even
}

// trimmed returns a minimal deterministic weak automaton without its sink, which is the state from
// which no word is accepted, and without marks if every run is accepting then.
func trimmed(m *omega.Automaton) *omega.Automaton {
	sink := func(s omega.State) bool {
		e := m.Edges(s)
		return len(e) == 1 && e[0].Dst == s && e[0].Marks == 0
	}
	c := m.Components()
	all := true
	for s := range omega.State(m.NumStates()) {
		for _, e := range m.Edges(s) {
			all = all && (sink(s) || c.Of[s] != c.Of[e.Dst] || e.Marks != 0)
		}
	}
	acceptance := m.Acceptance()
	if all {
		acceptance = omega.GeneralizedBuchi(0)
	}
	b := omega.NewBuilder(m.Alphabet(), acceptance)
	b.Copy(m, budget.Free(), func(s omega.State, e omega.Edge) omega.Edge {
		// Marks between components are seen once at most, and mean nothing.
		if all || c.Of[s] != c.Of[e.Dst] {
			e.Marks = 0
		}
		if sink(s) {
			e.Label = omega.False // so that it is a dead end
		}
		return e
	})
	return reduce.WithoutDeadEnds(b.Automaton())
}

// pairs is the product of a deterministic automaton, whose marks it leaves out, and another
// automaton over the same alphabet, as a Source. All its labels are true.
type pairs struct {
	ondemand.Header
	left  *omega.Automaton
	right omega.Source
	known intern.Words // a left state, and a right one
	buf   []omega.Edge
}

func (p *pairs) state(l, r omega.State) omega.State {
	s, _ := p.known.Number(uint64(l)<<32 | uint64(r))
	return omega.State(s)
}

func (p *pairs) pair(s omega.State) (l, r omega.State) {
	w := p.known.At(int32(s))
	return omega.State(w >> 32), omega.State(uint32(w))
}

func (p *pairs) AppendEdges(buf []omega.Edge, s omega.State) (_ []omega.Edge, err error) {
	l, r := p.pair(s)
	if p.buf, err = p.right.AppendEdges(p.buf[:0], r); err != nil {
		return buf, err
	}
	for _, e := range p.left.Edges(l) {
		for _, f := range p.buf {
			if p.Over.Meet(e.Label, f.Label) {
				buf = append(buf, omega.Edge{Label: p.Over.True(), Marks: f.Marks, Dst: p.state(e.Dst, f.Dst)})
			}
		}
	}
	return buf, nil
}

// acceptingComponents reports of each component of the deterministic automaton d whether a, a
// generalized Büchi automaton, has an accepting cycle on some word that d can read in it. It fails
// with an omega.LimitError past limit pairs of states, if a does, and when ctx is done.
func acceptingComponents(ctx context.Context, d *omega.Automaton, c omega.Components, a omega.Source, limit int) ([]bool, error) {
	product := &pairs{Header: ondemand.Header{Over: d.Alphabet(), Accepts: a.Acceptance(), MarkTable: a.Marks()}, left: d, right: a}
	for _, l := range d.Initial() {
		for _, r := range a.Initial() {
			product.Starts = append(product.Starts, product.state(l, r))
		}
	}
	explored, err := omega.Explore(ctx, product, limit)
	if err != nil {
		return nil, err
	}
	accepting := make([]bool, c.Count)
	of := explored.Components()
	inside, _, err := explored.Occurring(ctx, of)
	if err != nil {
		return nil, err
	}
	for s := range omega.State(explored.NumStates()) {
		for _, e := range explored.Edges(s) {
			// Generalized Büchi: a cycle through all edges of the component sees all of its marks.
			if of.Of[s] == of.Of[e.Dst] && explored.Acceptance().Condition.Eval(explored.Marks(), inside[of.Of[s]]) {
				// A Source numbers its states as Explore does.
				l, _ := product.pair(s)
				accepting[c.Of[l]] = true
				break
			}
		}
	}
	return accepting, nil
}

// subsets is the subset construction of an automaton, as a Source: deterministic and complete,
// since the empty set counts. It has no marks, and every word is accepted.
type subsets struct {
	ondemand.Header
	*budget.Budget
	a     *omega.Automaton
	words int // of a set
	sets  intern.Lists[uint64]

	// Scratch space.
	members []int // of a set
	parts   []part
	at      map[omega.State]int // position of the edge to a set
}

// A part is the set that the letters of a label lead to.
type part struct {
	label omega.Label
	set   ondemand.BitSet
}

func (x *subsets) state(set []uint64) omega.State {
	s, _ := x.sets.Number(set)
	return omega.State(s)
}

func (x *subsets) AppendEdges(buf []omega.Edge, s omega.State) ([]omega.Edge, error) {
	all := x.a.Alphabet()
	x.parts = x.parts[:0]
	x.grow(all.True())
	clear(x.parts[0].set)
	x.members = ondemand.BitSet(x.sets.At(int32(s))).AppendTo(x.members[:0], 0)
	for _, q := range x.members {
		for _, e := range x.a.Edges(omega.State(q)) {
			// Each edge divides the letters further, into those that it can read and the others.
			if x.add(e); x.Err() != nil {
				return buf, x.Err()
			}
		}
	}
	clear(x.at)
	for _, p := range x.parts {
		dst := x.state(p.set)
		if i, ok := x.at[dst]; ok {
			buf[i].Label = all.Or(buf[i].Label, p.label)
			continue
		}
		x.at[dst] = len(buf)
		buf = append(buf, omega.Edge{Label: p.label, Dst: dst})
	}
	return buf, nil
}

// add divides the parts by the letters of an edge, and adds its destination to those
// that have them.
func (x *subsets) add(e omega.Edge) {
	all := x.a.Alphabet()
	for i := range len(x.parts) {
		if x.Stop() {
			return
		}
		p := &x.parts[i]
		in := all.And(p.label, e.Label)
		if in == omega.False {
			continue
		}
		if out := all.And(p.label, all.Not(e.Label)); out != omega.False {
			rest := x.grow(out)
			p = &x.parts[i] // may have moved
			copy(rest.set, p.set)
			p.label = in
		}
		p.set.Add(int(e.Dst))
	}
}

// grow adds a part, whose set may have any content.
func (x *subsets) grow(label omega.Label) *part {
	n := len(x.parts)
	if n < cap(x.parts) {
		x.parts = x.parts[:n+1]
	} else {
		x.parts = append(x.parts, part{})
	}
	p := &x.parts[n]
	if p.label = label; p.set == nil {
		p.set = make(ondemand.BitSet, x.words)
	}
	return p
}
