package prove

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/ltl"
)

// A tracker makes formulas for what an automaton guesses when it enters a state, from a game that it lost.
//
// Take a state with the loop !a&!b and the exit a to a state that accepts all. A run that enters it guesses
// that (!a & !b) U a holds. This is the language of the state.
//
// A formula that is tracked may double the states of the tableau, so it says as little as the game needs. The pairs of
// the game with this state of the automaton are won, are lost since no word is left, or are open. With
// formulas that tell these apart, of what the tableau knows already, it is
//
//	(open & stay) U (won | open & leave)
//
// for a state with loops, and won | open & first & (stay U leave) for one in a larger component, where stay and leave
// are of the whole component, and first is the first step.
type tracker struct {
	*ltl.Store
	ctx        context.Context
	a          *certify.Automaton
	formulas   []*ltl.Formula
	states     []int                           // what the formulas are for
	tableau    *certify.Tableau                // it tracks the formulas
	components []int                           // of the automaton
	labels     map[*certify.Label]*ltl.Formula // labels share parts, and would take exponential time
	standings  [][]standing                    // see lostError.guesses
	languages  []*ltl.Formula                  // by state, when known
	err        error
}

// What a tracker makes at most: formulas, their sizes, for automata of so many states, with labels of so many parts.
const maxTrack, maxSize, maxStates, maxParts = 8, 1 << 14, 1 << 10, 1 << 16

// more adds the smallest formula that could help in a lost game, and reports whether there is one.
func (t *tracker) more(lost *lostError) bool {
	var guessed []int
	if guessed, t.standings, t.err = lost.guesses(); t.err != nil || t.a.States > maxStates {
		return false
	}
	t.components, t.labels, t.languages = t.a.Components(), map[*certify.Label]*ltl.Formula{}, make([]*ltl.Formula, t.a.States)
	for i, q := range t.states {
		t.languages[q] = t.formulas[i]
	}
	var least *ltl.Formula
	state := 0
	for _, q := range guessed {
		f := t.language(q)
		if size := f.Size(); f != t.True() && f != t.False() && size <= maxSize && (least == nil || size < least.Size()) && !slices.Contains(t.formulas, f) {
			least, state = f, q
		}
	}
	if least == nil || t.err != nil {
		return false
	}
	t.formulas, t.states = append(t.formulas, least), append(t.states, state)
	return true
}

// language returns the formula for a state.
func (t *tracker) language(q int) *ltl.Formula {
	if f := t.languages[q]; f != nil {
		return f
	}
	first, stay, leave, states := t.False(), t.False(), t.False(), 0
	loops := certify.Automaton{States: 1, Acceptance: t.a.Acceptance} // how the component may be stayed in
	for r, c := range t.components {
		if c != t.components[q] {
			continue
		}
		states++
		for _, e := range t.a.Edges(r) {
			step := t.label(e.Label)
			if t.components[e.To[0]] == c {
				stay = t.Or(stay, step)
				loops.AddEdge(0, nil, e.Marks, 0)
			} else {
				step = t.And(step, t.Next(t.language(e.To[0])))
				leave = t.Or(leave, step)
			}
			if r == q {
				first = t.Or(first, step)
			}
		}
	}
	op := ltl.OpUntil
	if live, err := loops.Live(t.ctx); err == nil && live[0] {
		op = ltl.OpWeakUntil
	}
	won := t.tree(t.standings[q], func(s standing) bool { return s.won }, t.False(), 5)
	open := t.tree(t.standings[q], func(s standing) bool { return s.open }, t.True(), 2)
	f := t.Binary(op, t.And(open, stay), t.Or(won, t.And(open, leave)))
	if states > 1 {
		f = t.Or(won, t.And(open, t.And(first, t.Binary(op, stay, leave))))
	}
	t.languages[q] = t.Simplify(f)
	return t.languages[q]
}

// tree returns a decision tree over the digits of the tableau, which tells whether pairs are as they should be. It is
// otherwise of those that stand differently, but can't be told apart at this depth.
func (t *tracker) tree(pairs []standing, is func(standing) bool, otherwise *ltl.Formula, depth int) *ltl.Formula {
	t.err = cmp.Or(t.err, t.ctx.Err())
	divide := func(digit int) (halves [2][]standing, mixed float64) {
		var counts [2]float64
		for _, s := range pairs {
			half := t.tableau.States[s.left].Kernel >> digit & 1
			halves[half] = append(halves[half], s)
			if is(s) {
				counts[half]++
			}
		}
		for half, n := range counts {
			all := float64(len(halves[half]))
			mixed += n * (all - n) / max(1, all)
		}
		return halves, mixed
	}
	switch {
	case !slices.ContainsFunc(pairs, is):
		return t.False()
	case !slices.ContainsFunc(pairs, func(s standing) bool { return !is(s) }):
		return t.True()
	case depth == 0 || t.err != nil:
		return otherwise
	}
	best, least := 0, math.Inf(1)
	for digit, f := range t.tableau.Kernel {
		if _, mixed := divide(digit); mixed < least || mixed == least && f.Size() < t.tableau.Kernel[best].Size() {
			best, least = digit, mixed
		}
	}
	halves, _ := divide(best)
	if len(halves[0]) == 0 || len(halves[1]) == 0 { // no digit tells anything
		return otherwise
	}
	no, yes, digit := t.tree(halves[0], is, otherwise, depth-1), t.tree(halves[1], is, otherwise, depth-1), t.Import(t.tableau.Kernel[best])
	switch t.True() {
	case no:
		return t.Implies(digit, yes)
	case yes:
		return t.Or(digit, no)
	}
	return t.Simplify(t.Or(t.And(digit, yes), t.And(t.Not(digit), no)))
}

// label returns the formula of a label.
func (t *tracker) label(l *certify.Label) (f *ltl.Formula) {
	if t.err = cmp.Or(t.err, t.ctx.Err()); t.err != nil {
		return t.True()
	}
	if f := t.labels[l]; f != nil {
		return f
	}
	var args []*ltl.Formula
	for _, arg := range l.Args {
		args = append(args, t.label(arg))
	}
	switch l.Op {
	case certify.Prop:
		f = t.Prop(t.a.Props[l.Prop])
	case certify.Not:
		f = t.Not(args[0])
	case certify.False, certify.Or:
		f = t.Join(ltl.OpOr, append(args, t.False()))
	default:
		f = t.Join(ltl.OpAnd, append(args, t.True()))
	}
	if len(t.labels) > maxParts || f.Size() > maxParts { // chains share no parts
		t.err = certify.ErrLarge
	}
	t.labels[l] = f
	return f
}
