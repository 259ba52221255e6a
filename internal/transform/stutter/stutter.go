// Package stutter adds and removes repetitions of letters.
//
// Two words are stutter-equivalent if they differ only in how often each letter is repeated before
// the next one comes (Lamport 1983; Peled, Wilke and Wolper 1998). A language is stutter-invariant
// if with a word it has all equivalent ones. For that, neither removing a repetition of a letter
// nor adding one may lead out of it.
//
// [Closure] and [SelfLoops] return the words that removing and adding lead to. They are the closure
// and the self-loopization of Michaud and Duret-Lutz 2015, "Practical stutter-invariance checks for
// ω-regular languages". Package productcheck decides stutter-invariance with them.
package stutter

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/internal/transform/letters"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Closure returns an automaton of the words of a, and of the words with fewer repetitions
// of letters. This is the closure: it adds an edge for each walk of a on a single letter, with
// all marks of the walk:
//
//	State: 0  [a] 1
//	State: 1  [a] 2
//	State: 2  [t] 2 {0}
//
// becomes
//
//	State: 0  [a] 1  [a] 2
//	State: 1  [a] 2
//	State: 2  [t] 2 {0}
//
// If there is no edge to add, it returns a. The states and the condition are unchanged.
//
// There may be an edge for each set of marks and destination. Closure fails with
// ErrAlternating, with a LimitError past limit edges (if limit > 0), and when ctx is done.
func Closure(ctx context.Context, a *omega.Automaton, limit int) (_ *omega.Automaton, err error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	w := budget.New(ctx)
	defer a.Alphabet().Bind(w).Release(&err)
	d := &destutterer{a: a, marks: dominance.Of(a), budget: w, parts: a.ComponentsWithin(w), last: make([]int32, a.NumStates())}
	if w.Err() != nil {
		return nil, w.Err()
	}
	b := a.NewBuilder()
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	grown, total := false, 0
	for s := range omega.State(a.NumStates()) {
		grown = d.walks(s) || grown
		for _, e := range d.edges {
			b.AddEdge(s, e.Label, e.Marks, e.Dst)
		}
		if total += len(d.edges); limit > 0 && total > limit {
			return nil, &omega.LimitError{What: "edges", Limit: limit}
		}
		if w.Err() != nil {
			return nil, w.Err()
		}
	}
	if !grown {
		return a, nil
	}
	return b.Automaton(), nil
}

// destutterer finds the walks from a state on a single letter.
type destutterer struct {
	a      *omega.Automaton
	marks  dominance.Order
	budget *budget.Budget
	parts  omega.Components
	edges  []omega.Edge // of the present state: for each walk, as one edge
	next   []int32      // of an edge: the one found before it with the same destination, plus one
	last   []int32      // by destination: the last edge, plus one
}

// walks finds the edges of s, and reports whether it has walks that its own edges do not stand for.
func (d *destutterer) walks(s omega.State) (grown bool) {
	for _, e := range d.edges { // of the state before
		d.last[e.Dst] = 0
	}
	d.edges, d.next = d.edges[:0], d.next[:0]
	for _, e := range d.a.Edges(s) {
		d.add(s, e)
	}
	for i := 0; i < len(d.edges); i++ { // add appends longer walks
		e := d.edges[i]
		for _, f := range d.a.Edges(e.Dst) {
			if d.budget.Stop() {
				return grown
			}
			if l := d.a.Alphabet().And(e.Label, f.Label); l != omega.False {
				grown = d.add(s, omega.Edge{Label: l, Marks: d.a.Marks().Union(e.Marks, f.Marks), Dst: f.Dst}) || grown
			}
		}
	}
	return grown
}

// add adds an edge, on the letters on which there is none at least as good to the same state. Marks
// on an edge to another component are seen once, and do not matter.
func (d *destutterer) add(s omega.State, e omega.Edge) bool {
	if d.parts.Of[s] != d.parts.Of[e.Dst] {
		e.Marks = 0
	}
	for i := d.last[e.Dst]; i != 0 && e.Label != omega.False; i = d.next[i-1] {
		if f := d.edges[i-1]; d.marks.Better(f.Marks, e.Marks) {
			e.Label = d.a.Alphabet().And(e.Label, d.a.Alphabet().Not(f.Label))
		}
	}
	if e.Label == omega.False {
		return false
	}
	d.edges = append(d.edges, e)
	d.next = append(d.next, d.last[e.Dst])
	d.last[e.Dst] = int32(len(d.edges))
	return true
}

// SelfLoops returns an automaton of the words of a, and of the words with more repetitions of
// letters. This is the self-loopization: it puts a state between an edge and its destination,
// in which the edge's letter repeats:
//
//	State: 0  [a] 1 {0}
//	State: 1  [!a] 0
//
// becomes
//
//	State: 0  [a] 1 {0}  [a] 2 {0}
//	State: 1  [!a] 0  [!a] 3
//	State: 2  [a] 2  [a] 1
//	State: 3  [!a] 3  [!a] 0
//
// It does so only where a has no loop with the same effect. If there is no such place, it returns
// a. Of several letters that no label of a distinguishes, only one is repeated.
//
// There may be a new state for each state and letter of a. SelfLoops fails with
// ErrAlternating, with a LimitError past limit states or letters (if limit > 0), and when ctx
// is done.
func SelfLoops(ctx context.Context, a *omega.Automaton, limit int) (_ *omega.Automaton, err error) {
	if err := omega.Supported(a); err != nil {
		return nil, err
	}
	w := budget.New(ctx)
	defer a.Alphabet().Bind(w).Release(&err)
	open, some := unrepeated(a, w)
	if w.Err() != nil || !some {
		return a, w.Err()
	}
	letters := letters.Classes(a, w, func(n int) bool { return limit > 0 && n > limit })
	if w.Err() == nil && letters == nil {
		return nil, &omega.LimitError{What: "letters", Limit: limit}
	}
	for k, l := range letters { // one letter of a class stands for all
		letter, _ := a.Alphabet().Letter(l)
		letters[k] = a.Alphabet().LetterLabel(letter)
	}
	b, marks := stutterer(a)
	b.AddStates(a.NumStates())
	for _, s := range a.Initial() {
		b.AddStart(s)
	}
	type place struct {
		dst    omega.State
		letter int
	}
	repeating := make(map[place]omega.State)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			again := open[0] // open is in the order of the edges
			open = open[1:]
			b.AddEdge(s, e.Label, marks(e.Marks, true), e.Dst)
			for k, l := range letters {
				if w.Stop() {
					return nil, w.Err()
				}
				if !a.Alphabet().Meet(l, again) {
					continue
				}
				p := place{e.Dst, k}
				t, ok := repeating[p]
				if !ok {
					t = b.AddState()
					repeating[p] = t
					b.AddEdge(t, l, marks(0, false), t)
					b.AddEdge(t, l, marks(0, true), e.Dst)
				}
				b.AddEdge(s, l, marks(e.Marks, true), t)
			}
		}
		if limit > 0 && b.NumStates() > limit {
			return nil, &omega.LimitError{What: "states", Limit: limit}
		}
	}
	return b.Automaton(), w.Err()
}

// unrepeated returns, for each edge, the letters that no loop at either of its ends repeats with
// marks that make the run no worse. It also reports whether there are any such letters. Between
// components, loops are taken finitely often, so their marks do not matter.
func unrepeated(a *omega.Automaton, w *budget.Budget) (open []omega.Label, some bool) {
	better := dominance.Of(a)
	c := a.ComponentsWithin(w)
	for s := range omega.State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			again := e.Label
			for _, t := range [2]omega.State{s, e.Dst} {
				for _, f := range a.Edges(t) {
					if w.Stop() {
						return nil, false
					}
					// A loop at either end repeats the letter already, if its marks do no harm.
					if f.Dst == t && (c.Of[s] != c.Of[e.Dst] || better.Better(a.Marks().Union(e.Marks, f.Marks), e.Marks)) {
						again = a.Alphabet().And(again, a.Alphabet().Not(f.Label))
					}
				}
			}
			open = append(open, again)
			some = some || again != omega.False
		}
	}
	return open, some
}

// stutterer returns a Builder for SelfLoops, and the marks of its edges. A run must not repeat a
// letter forever, since the word goes on. Where the condition would accept such a run because it has no
// marks, a fresh mark on all other edges says that the run makes progress.
func stutterer(a *omega.Automaton) (b *omega.Builder, marks func(m omega.Marks, progress bool) omega.Marks) {
	if !a.Acceptance().Condition.Eval(a.Marks(), 0) { // to repeat a letter forever is rejected
		return a.NewBuilder(), func(m omega.Marks, _ bool) omega.Marks { return m }
	}
	fresh := a.Acceptance().Sets
	b = omega.NewBuilder(a.Alphabet(), omega.Acceptance{Sets: fresh + 1, Condition: omega.AllOf(a.Acceptance().Condition, omega.Inf(fresh))})
	return b, func(m omega.Marks, progress bool) omega.Marks {
		list := a.Marks().AppendTo(nil, m)
		if progress {
			list = append(list, fresh)
		}
		return b.Marks().Of(list...)
	}
}

// Collapse returns the word without repetitions of letters, except for a last letter that repeats
// forever: a; a; !a; cycle{!a; a; a} becomes cycle{a; !a}. The word must consist of single
// valuations. All stutter-equivalent words give the same result.
func Collapse(w *omega.Word) *omega.Word {
	if w.Check() != nil {
		return w
	}
	v := omega.NewWord(w.Alphabet, slices.Compact(slices.Clone(w.Prefix)), slices.Compact(slices.Clone(w.Cycle)))
	if n := len(v.Cycle); n > 1 && v.Cycle[0] == v.Cycle[n-1] {
		v.Cycle = v.Cycle[:n-1] // it comes again at once
	}
	if n := len(v.Prefix); n > 0 && v.Prefix[n-1] == v.Cycle[0] { // its repetition begins the cycle
		v.Prefix = v.Prefix[:n-1]
	}
	return v.Concrete()
}

// Class returns a Büchi automaton of the words that are stutter-equivalent to w, which
// must consist of single valuations. For an invalid word, it is empty, over no propositions.
func Class(w *omega.Word) *omega.Automaton {
	if w.Check() != nil {
		return (*omega.Automaton)(nil).OrEmpty()
	}
	w = Collapse(w)
	b := omega.NewBuilder(w.Alphabet, omega.Buchi())
	b.AddStates(w.Size())
	b.AddStart(0)
	for i := range w.Size() {
		next := w.Next(i)
		if next != i { // repeated, but not forever
			b.AddEdge(omega.State(i), w.At(i), 0, omega.State(i))
		}
		b.AddEdge(omega.State(i), w.At(i), b.Marks().Of(0), omega.State(next))
	}
	return b.Automaton()
}
