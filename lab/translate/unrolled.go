package translate

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/ondemand"
	"github.com/xcheck-ltl/xcheck/internal/scc"
	"github.com/xcheck-ltl/xcheck/internal/transform/reduce"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// The smaller tight automata of Schuppan and Biere 2005, section 7. The paper has the idea alone:
// apply virtual unrolling to an automaton whose runs have loops as short as the word's, after a
// longer stem.
//
// The automaton of cgh is one. Let h be the nesting depth of past operators. On u·v^ω, its run is
// in the same state after u·v^h and after u·v^(h+1). Merging bisimilar states keeps that. So the
// automaton B that is unrolled is the one of cgh, merged. The result has
//
//   - all states and edges of B: its runs that need not be longer;
//   - tuples of h+1 states of B. Component i is the state of B in round i of v, and all components
//     read the same letters. The last one stands for all later rounds.
//
// A run may go from B to a tuple whose first component is B's next state. It guesses the others. At
// each step it may guess that a round ends. After that, component i is component i+1. For the last
// one, both the last two must lead to the same state. The first component is guessed anew. The last
// component has the acceptance sets. One more says that rounds must end forever.
//
//	GO p, where B has the states 0 (no p yet, p must come) and 1 (p has come), on cycle{p}:
//	B's run is 0 1 1 …; the tuple (0, 1) ends a round at each step, and so repeats at once
//
// Every run of tuples is one of B: follow component 0 in the first round, component 1 in the second
// one, and the last one forever. So the language is the language of B. For a lasso of B the right
// guesses are B's states in the first rounds, and the run repeats after one round.
//
// Only the tuples on cycles that accept are kept, because a run may enter them at the start of the
// first round. B's own states do for cycles on which all components are the same.

// unrolledSource is the newSource of the construction. It makes the whole automaton.
func unrolledSource(ctx context.Context, _ *ltl.Store, f *ltl.Formula) (omega.Source, error) {
	b := newBasis()
	root := b.atStart(b.formula(f))
	src, err := newValuations(ctx, omega.NewAlphabet(f.Props()...), b, root, false)
	if err != nil {
		return nil, err
	}
	a, err := omega.Explore(ctx, src, omega.NoLimits())
	if err != nil {
		return nil, err
	}
	if a, err = reduce.Merged(ctx, a); err != nil {
		return nil, err
	}
	if a.NumStates() == 0 { // its condition is false now, and generalized Büchi is promised
		return omega.NewBuilder(a.Alphabet(), omega.GeneralizedBuchi(0)).Automaton(), nil
	}
	depth := b.pastDepth(root)
	if depth == 0 {
		return a, nil
	}
	if a, err = unroll(ctx, a, depth); err != nil {
		return nil, err
	}
	return reduce.Merged(ctx, a)
}

// pastDepth returns how deep past operators are nested in f.
func (b *basis) pastDepth(f signed) int {
	depth := make([]int, len(b.nodes))
	for i := 1; i <= f.node(); i++ {
		g := b.nodes[i]
		depth[i] = max(depth[g.left.node()], depth[g.right.node()])
		if g.op == ltl.OpYesterday || g.op == ltl.OpSince {
			depth[i]++
		}
	}
	return depth[f.node()]
}

// maxUnrolled bounds the states of an automaton that is unrolled: each pair of states takes a byte.
const maxUnrolled = 1 << 13

// An unroller makes the tuples of an automaton.
type unroller struct {
	*budget.Budget
	base   *omega.Automaton
	size   int    // of a tuple
	paired []bool // of two states, by paired[p*n+q]: may q be one of the components after p?
	last   []bool // of a state: may it be the last component?
	tuples intern.Lists[omega.State]

	first []int32 // of the edges of each tuple
	edges []tupleEdge
}

// A tupleEdge leads from one tuple to another. Its marks come from the last component.
type tupleEdge struct {
	omega.Edge
	ends bool // a round
}

// perTupleEdge is about how many bytes an edge takes, here and in the automaton.
const perTupleEdge = 64

// unroll returns a tight automaton with the language of a. Each lasso u·v^ω of a must have a run
// that is in the same state after u·v^depth and one more round. Unroll takes time and memory
// exponential in depth.
func unroll(ctx context.Context, a *omega.Automaton, depth int) (_ *omega.Automaton, err error) {
	if a.NumStates() > maxUnrolled {
		return nil, &omega.LimitError{What: "states of an automaton that is unrolled", Limit: maxUnrolled}
	}
	u := &unroller{Budget: budget.New(ctx), base: a, size: depth + 1}
	defer a.Alphabet().Bind(u.Budget).Release(&err)
	u.LimitMemory(ondemand.MaxMemory, func() int64 { return u.tuples.Memory() + perTupleEdge*int64(cap(u.edges)) })
	u.pair()
	u.enumerate(nil)
	u.connect()
	kept := u.keep()
	if u.Err() != nil {
		return nil, u.Err()
	}
	x := u.automaton(kept)
	return x, u.Err()
}

// pair finds the pairs of states that may be in one tuple: the second can be reached from the first
// one, and they read a common word.
func (u *unroller) pair() {
	n := u.base.NumStates()
	scc := u.base.ComponentsWithin(u.Budget)
	kinds, _ := u.base.KindsWithin(scc, u.Budget, n)
	if u.Err() != nil {
		return
	}
	u.last = make([]bool, n)
	u.paired = make([]bool, n*n)
	for p := range n {
		// The last state of a tuple is followed for ever, so its cycles can't all reject.
		u.last[p] = kinds[scc.Of[p]] != omega.Rejecting
		row := u.paired[p*n : (p+1)*n] // what can be reached from p
		for stack := []omega.State{omega.State(p)}; len(stack) > 0 && !u.Stop(); {
			s := stack[len(stack)-1]
			if stack = stack[:len(stack)-1]; !row[s] {
				row[s] = true
				for _, e := range u.base.Edges(s) {
					stack = append(stack, e.Dst)
				}
			}
		}
	}
	// A pair without a letter to a pair goes, until the rest can read common words for ever.
	for changed := true; changed && u.Err() == nil; {
		changed = false
		for i, is := range u.paired {
			if is && !u.common(omega.State(i/n), omega.State(i%n)) {
				u.paired[i], changed = false, true
			}
		}
	}
}

// common reports whether there is a letter that leads from p and q to a pair.
func (u *unroller) common(p, q omega.State) bool {
	n := u.base.NumStates()
	for _, e := range u.base.Edges(p) {
		for _, f := range u.base.Edges(q) {
			if u.Stop() || u.paired[int(e.Dst)*n+int(f.Dst)] && u.base.Alphabet().Meet(e.Label, f.Label) {
				return true
			}
		}
	}
	return false
}

// fits reports whether s may be the component of a tuple after others.
func (u *unroller) fits(before []omega.State, s omega.State) bool {
	for _, p := range before {
		if !u.paired[int(p)*u.base.NumStates()+int(s)] {
			return false
		}
	}
	return len(before) < u.size-1 || u.last[s]
}

// enumerate numbers the tuples that begin with the given components.
func (u *unroller) enumerate(tuple []omega.State) {
	if len(tuple) == u.size {
		u.tuples.Number(tuple)
		return
	}
	for s := range omega.State(u.base.NumStates()) {
		if u.Spend(1 + len(tuple)) {
			return
		}
		if u.fits(tuple, s) {
			u.enumerate(append(tuple, s))
		}
	}
}

// number returns the number of a tuple, -1 if its components do not fit.
func (u *unroller) number(tuple []omega.State) int32 {
	for i, s := range tuple {
		if !u.fits(tuple[:i], s) {
			return -1
		}
	}
	i, _ := u.tuples.Number(tuple)
	return i
}

// connect makes the edges between tuples.
func (u *unroller) connect() {
	to, ended := make([]omega.State, u.size), make([]omega.State, u.size)
	u.first = []int32{0}
	for i := range int32(u.tuples.Len()) {
		u.step(u.tuples.At(i), to, 0, u.base.Alphabet().True(), 0, func(label omega.Label, marks omega.Marks) {
			u.add(label, marks, to, false)
			// A round may end only if the last two components agree: both go on as the last one.
			if to[u.size-2] != to[u.size-1] {
				return
			}
			copy(ended[1:], to)
			for s := range omega.State(u.base.NumStates()) {
				ended[0] = s
				u.add(label, marks, ended, true)
			}
		})
		u.first = append(u.first, int32(len(u.edges)))
	}
}

// step calls found for each choice of edges of the components from the i-th one on.
func (u *unroller) step(from, to []omega.State, i int, label omega.Label, marks omega.Marks, found func(omega.Label, omega.Marks)) {
	if i == u.size {
		found(label, marks)
		return
	}
	for _, e := range u.base.Edges(from[i]) {
		if u.Spend(1 + i) {
			return
		}
		to[i] = e.Dst
		if both := u.base.Alphabet().And(label, e.Label); both != omega.False && u.fits(to[:i], e.Dst) {
			u.step(from, to, i+1, both, e.Marks, found)
		}
	}
}

// add adds an edge to a tuple, if there is that one.
func (u *unroller) add(label omega.Label, marks omega.Marks, to []omega.State, ends bool) {
	if i := u.number(to); i >= 0 && !u.Spend(len(to)*len(to)) {
		u.edges = append(grow.By(u.edges, 1), tupleEdge{omega.Edge{Label: label, Marks: marks, Dst: omega.State(i)}, ends})
	}
}

// keep returns the component of each tuple on a cycle that is needed, and -1 for the others.
func (u *unroller) keep() []int32 {
	if u.Err() != nil {
		return nil
	}
	dst := make([]int32, len(u.edges))
	for i, e := range u.edges {
		dst[i] = int32(e.Dst)
	}
	c := scc.Find(u.Budget, u.first, dst)
	if u.Err() != nil {
		return nil
	}
	ends, differ := make([]bool, c.Count), make([]bool, c.Count)
	marks := make([]omega.Marks, c.Count)
	for i, of := range c.Of {
		tuple := u.tuples.At(int32(i))
		differ[of] = differ[of] || tuple[0] != tuple[u.size-1] || tuple[0] != tuple[u.size-2]
		for _, e := range u.edges[u.first[i]:u.first[i+1]] {
			if u.Stop() {
				return nil
			}
			if c.Of[e.Dst] == of {
				ends[of] = ends[of] || e.ends
				marks[of] = u.base.Marks().Union(marks[of], e.Marks)
			}
		}
	}
	for i, of := range c.Of {
		// Rounds must end for ever, and the last component must accept. If all components are the
		// same, the states of the base do.
		if !ends[of] || !differ[of] || !u.base.Acceptance().Condition.Eval(u.base.Marks(), marks[of]) {
			c.Of[i] = -1
		}
	}
	return c.Of
}

// automaton returns the base with the tuples that are kept.
func (u *unroller) automaton(kept []int32) *omega.Automaton {
	sets := u.base.Acceptance().Sets
	all := sets
	if sets > 0 {
		all++ // the ends of rounds; if each run accepts, they need not recur
	}
	b := omega.NewBuilder(u.base.Alphabet(), omega.GeneralizedBuchi(all))
	marked := func(m omega.Marks, ends bool) omega.Marks {
		list := u.base.Marks().AppendTo(nil, m)
		if ends && sets < all {
			list = append(list, sets)
		}
		return b.Marks().Of(list...)
	}
	b.AddStates(u.base.NumStates())
	state := make([]omega.State, len(kept))
	entries := make([][]omega.State, u.base.NumStates()) // where rounds begin, by the first component
	for i, of := range kept {
		if of < 0 {
			continue
		}
		state[i] = b.AddState()
	}
	begins := make([]bool, len(kept))
	for i, of := range kept {
		if of < 0 {
			continue
		}
		for _, e := range u.edges[u.first[i]:u.first[i+1]] {
			if u.Stop() || kept[e.Dst] != of {
				continue
			}
			b.AddEdge(state[i], e.Label, marked(e.Marks, e.ends), state[e.Dst])
			if e.ends && !begins[e.Dst] {
				begins[e.Dst] = true
				s := u.tuples.At(int32(e.Dst))[0]
				entries[s] = append(entries[s], state[e.Dst])
			}
		}
	}
	for _, s := range u.base.Initial() {
		b.AddStart(s)
		for _, to := range entries[s] {
			b.AddStart(to)
		}
	}
	for s := range omega.State(u.base.NumStates()) {
		for _, e := range u.base.Edges(s) {
			// The runs of the base need no rounds: each of its edges counts as the end of one.
			b.AddEdge(s, e.Label, marked(e.Marks, true), e.Dst)
			for _, to := range entries[e.Dst] {
				if u.Stop() {
					break
				}
				b.AddEdge(s, e.Label, 0, to)
			}
		}
	}
	return b.Automaton()
}
