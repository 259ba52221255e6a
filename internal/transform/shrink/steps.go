// Package shrink finds small automata on which something goes wrong.
//
// [Steps] returns the automata that are one step smaller. A search tries them until one still shows
// the failure, and continues from there. When none does, the automaton is as small as single steps
// make it. The steps change the language; package reduce keeps it.
package shrink

import (
	"context"
	"iter"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
)

// Steps returns the automata that are one step smaller than a, much smaller ones first. A
// step removes
//
//   - many states at once, or one state, or merges it into another,
//   - a proposition, by fixing its value,
//   - a mark, or a part of the acceptance condition,
//   - an edge, a mark of an edge (or state), or a part of a label,
//   - a universal branch,
//
// or starts from a successor of the initial state. Unreachable states are removed too. For example,
// one step from
//
//	State: 0  [a] 0 {0}  [!a] 1
//	State: 1  [t] 0
//
// are, among others: without state 1; with the two states merged; without the loop; without the
// mark; with a simpler label:
//
//	State: 0  [a] 0 {0}
//	State: 0  [a] 0 {0}  [!a] 0
//	State: 0  [!a] 1  State: 1  [t] 0
//	State: 0  [a] 0  [!a] 1  State: 1  [t] 0
//	State: 0  [t] 0 {0}  [!a] 1  State: 1  [t] 0
//
// The results usually have other languages than a. Steps serves to find a smallest automaton
// on which something goes wrong. (Reduce and Shrink keep the language.)
//
// Each result is smaller by Measure, so a descent by single steps ends. The results have no
// names and no declared properties, and each has its own alphabet. There are O(n²+m) of them
// for n states and m edges, each made on request. There are no more once ctx is done.
func Steps(ctx context.Context, a *omega.Automaton) iter.Seq[*omega.Automaton] {
	a = a.OrEmpty()
	return func(yield func(*omega.Automaton) bool) {
		whole := newDraft(a)
		// What can't be reached is gone in any case.
		from := MeasureOf(whole.automaton())
		if from.less(MeasureOf(a)) && !yield(whole.automaton()) {
			return
		}
		for change := range whole.changes() {
			if ctx.Err() != nil {
				return
			}
			d := *whole // edges share their lists with it: changes replace them
			d.start, d.edges = slices.Clone(whole.start), slices.Clone(whole.edges)
			change(&d)
			if b := d.automaton(); MeasureOf(b).less(from) && !yield(b) { // some changes remove nothing
				return
			}
		}
	}
}

// A Measure is the size of an automaton for people. Earlier fields count first.
type Measure struct {
	States, Edges int
	Props         int
	Condition     int // leaves of the acceptance condition
	Branches      int // destinations and initial states, each of a universal one
	Marks         int // on edges
	Labels        int // characters
}

// MeasureOf measures an automaton. It takes as long as writing it.
func MeasureOf(a *omega.Automaton) Measure {
	a = a.OrEmpty()
	m := Measure{States: a.NumStates(), Edges: a.NumEdges(), Props: a.Alphabet().Len()}
	a.Acceptance().Condition.Leaves(func(*omega.Condition) { m.Condition++ })
	m.Condition += a.Acceptance().Sets // unused marks count too
	for _, s := range a.Initial() {
		m.Branches += len(a.Universal(s))
	}
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			m.Branches += len(a.Universal(e.Dst))
			m.Marks += len(a.Marks().AppendTo(nil, e.Marks))
			if e.Label != a.Alphabet().True() { // the simplest label
				m.Labels += len(a.Alphabet().Format(e.Label, func(int) string { return "p" }))
			}
		}
	}
	return m
}

// Compare compares measures.
func (m Measure) Compare(n Measure) int { return slices.Compare(m.list(), n.list()) }

func (m Measure) less(n Measure) bool { return m.Compare(n) < 0 }

func (m Measure) list() []int {
	return []int{m.States, m.Edges, m.Props, m.Condition, m.Branches, m.Marks, m.Labels}
}

func (d *draft) changes() iter.Seq[func(*draft)] {
	return func(yield func(func(*draft)) bool) {
		for step := range d.withoutStates() {
			if !yield(step) {
				return
			}
		}
		// The largest steps come first.
		for _, steps := range []func() []func(*draft){d.withoutProps, d.withoutMarks, d.withoutParts,
			d.withoutEdges, d.withoutBranches, d.otherStarts, d.withFewerMarks, d.withSimplerLabels} {
			for _, step := range steps() {
				if !yield(step) {
					return
				}
			}
		}
	}
}

func (d *draft) withoutStates() iter.Seq[func(*draft)] {
	return func(yield func(func(*draft)) bool) {
		// Of large automata many states at once, or a descent takes forever.
		size := d.states / 2
		if d.states < manyStates {
			size = 1
		}
		for ; size > 0; size /= 2 {
			for s := omega.State(0); int(s) < d.states; s += omega.State(size) {
				if !yield(func(c *draft) { c.drop(s, s+omega.State(size)) }) {
					return
				}
			}
		}
		for s := range omega.State(d.states) {
			for t := range omega.State(d.states) {
				if s != t && !yield(func(c *draft) { c.merge(s, t) }) {
					return
				}
			}
		}
	}
}

// manyStates is the number of states from which one step removes several.
const manyStates = 10

// drop removes the states from first to before end, with the edges to them.
func (d *draft) drop(first, end omega.State) {
	gone := func(s omega.State) bool { return first <= s && s < end }
	d.start = slices.DeleteFunc(d.start, func(set []omega.State) bool { return slices.ContainsFunc(set, gone) })
	d.edges = slices.DeleteFunc(d.edges, func(e draftEdge) bool { return gone(e.src) || slices.ContainsFunc(e.dst, gone) })
}

// merge redirects all edges of s to t.
func (d *draft) merge(s, t omega.State) {
	lead := func(set []omega.State) []omega.State {
		if !slices.Contains(set, s) {
			return set
		}
		set = slices.Clone(set)
		for i := range set {
			if set[i] == s {
				set[i] = t
			}
		}
		slices.Sort(set)
		return slices.Compact(set) // t may have been in the set
	}
	for i := range d.start {
		d.start[i] = lead(d.start[i])
	}
	d.edges = slices.DeleteFunc(d.edges, func(e draftEdge) bool { return e.src == s }) // nothing leads to s any more
	for i := range d.edges {
		d.edges[i].dst = lead(d.edges[i].dst)
	}
}

func (d *draft) withoutProps() (list []func(*draft)) {
	for i := range d.alphabet.Len() {
		for _, value := range []bool{false, true} {
			list = append(list, func(c *draft) { c.fix(i, value) })
		}
	}
	return list
}

// fix removes a proposition, and restricts each label to the given value of it: with a true, a&b
// becomes b.
func (d *draft) fix(i int, value bool) {
	side := d.alphabet.Prop(i)
	if !value {
		side = d.alphabet.Not(side)
	}
	left := omega.NewAlphabet(slices.Delete(slices.Clone(d.alphabet.Props()), i, i+1)...)
	project := d.alphabet.To(left)
	d.relabel(left, func(l omega.Label) omega.Label { return project.Label(d.alphabet.And(l, side)) })
}

// relabel changes all labels to another alphabet, and removes edges without a letter.
func (d *draft) relabel(alphabet *omega.Alphabet, label func(omega.Label) omega.Label) {
	edges := d.edges[:0]
	for _, e := range d.edges {
		if e.label = label(e.label); e.label != omega.False {
			edges = append(edges, e)
		}
	}
	d.edges, d.alphabet = edges, alphabet
}

// conjunction returns the label of a cube. From its last proposition on, each And adds one node on top.
func conjunction(a *omega.Alphabet, c []omega.Literal) omega.Label {
	l := a.True()
	for _, x := range slices.Backward(c) {
		p := a.Prop(x.Prop())
		if x.Negated() {
			p = a.Not(p)
		}
		l = a.And(p, l)
	}
	return l
}

func (d *draft) withoutMarks() (list []func(*draft)) {
	for i := range d.acceptance.Sets {
		for _, seen := range []int{-1, 1} {
			list = append(list, func(c *draft) { c.forget(i, seen) })
		}
	}
	return list
}

// forget removes a mark as if it were on all edges (seen is 1) or on none (-1). If mark 0 is on all,
// Inf(0)&Inf(1) becomes Inf(0), which was Inf(1).
func (d *draft) forget(i, seen int) {
	condition := d.acceptance.Condition.Assume(func(k int) int {
		if k == i {
			return seen
		}
		return 0
	}).Renumber(func(k int) int {
		if k > i {
			return k - 1 // no gap is left
		}
		return k
	})
	d.acceptance = omega.Acceptance{Sets: d.acceptance.Sets - 1, Condition: condition}
	for k := range d.edges {
		var marks []int
		for _, m := range d.edges[k].marks {
			if m < i {
				marks = append(marks, m)
			} else if m > i {
				marks = append(marks, m-1)
			}
		}
		d.edges[k].marks = marks
	}
}

// withoutParts removes one argument of a conjunction or disjunction from the condition.
func (d *draft) withoutParts() (list []func(*draft)) {
	for _, c := range without(d.acceptance.Condition) {
		list = append(list, func(x *draft) { x.acceptance.Condition = c })
	}
	return list
}

// without returns the conditions that lack one argument of an operator in c: Inf(0)&Inf(1) gives
// Inf(1) and Inf(0).
func without(c *omega.Condition) []*omega.Condition {
	var list []*omega.Condition
	join := omega.AllOf
	if c.Op == omega.CondOr {
		join = omega.AnyOf
	}
	for i, d := range c.Args {
		list = append(list, join(slices.Delete(slices.Clone(c.Args), i, i+1)...))
		for _, e := range without(d) {
			args := slices.Clone(c.Args)
			args[i] = e
			list = append(list, join(args...))
		}
	}
	return list
}

func (d *draft) withoutEdges() (list []func(*draft)) {
	for i := range d.start {
		if len(d.start) > 1 {
			list = append(list, func(c *draft) { c.start = slices.Delete(c.start, i, i+1) })
		}
	}
	for i := range d.edges {
		list = append(list, func(c *draft) { c.edges = slices.Delete(c.edges, i, i+1) })
	}
	return list
}

// withoutBranches removes a state from a universal destination or initial state.
func (d *draft) withoutBranches() (list []func(*draft)) {
	for i, set := range d.start {
		for k := range set {
			if len(set) > 1 {
				// Drafts share the sets.
				list = append(list, func(c *draft) { c.start[i] = slices.Delete(slices.Clone(set), k, k+1) })
			}
		}
	}
	for i, e := range d.edges {
		for k := range e.dst {
			if len(e.dst) > 1 {
				list = append(list, func(c *draft) { c.edges[i].dst = slices.Delete(slices.Clone(e.dst), k, k+1) })
			}
		}
	}
	return list
}

// otherStarts starts from a single other state. This is smaller if some states become unreachable.
func (d *draft) otherStarts() (list []func(*draft)) {
	for s := range omega.State(d.states) {
		list = append(list, func(c *draft) { c.start = [][]omega.State{{s}} })
	}
	return list
}

func (d *draft) withFewerMarks() (list []func(*draft)) {
	for i, e := range d.edges {
		if d.stateMarks && i > 0 && d.edges[i-1].src == e.src {
			continue // the marks of a state go from all its edges
		}
		for _, m := range e.marks {
			change := func(c *draft) {
				for k := range c.edges {
					if k == i || d.stateMarks && c.edges[k].src == e.src {
						c.edges[k].marks = slices.DeleteFunc(slices.Clone(c.edges[k].marks), func(x int) bool { return x == m })
					}
				}
			}
			list = append(list, change)
		}
	}
	return list
}

// withSimplerLabels makes a label true, one of its cubes, or a cube with one literal less.
func (d *draft) withSimplerLabels() (list []func(*draft)) {
	for i, e := range d.edges {
		for _, l := range simpler(d.alphabet, e.label) {
			list = append(list, func(c *draft) { c.edges[i].label = l })
		}
	}
	return list
}

// manyCubes is the number of cubes from which it only tries whole ones.
const manyCubes = 5

func simpler(a *omega.Alphabet, l omega.Label) []omega.Label {
	if l == a.True() {
		return nil
	}
	list := []omega.Label{a.True()}
	cubes, _ := a.Cover(l)
	for _, cube := range cubes {
		if len(cubes) > 1 { // otherwise it is the label itself
			list = append(list, conjunction(a, cube))
		}
		for k := range cube {
			if len(cube) > 1 && len(cubes) < manyCubes {
				list = append(list, conjunction(a, slices.Delete(slices.Clone(cube), k, k+1)))
			}
		}
	}
	return list
}
