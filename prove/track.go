package prove

import (
	"cmp"
	"context"
	"maps"
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
// A formula that is tracked may double the states of the tableau, so it says as little as the game needs. The game
// tells where pairs with the state are won, and where they are open. Both are said by the digits of the tableau:
//
//	(open & stay) U (won | open & leave)
//
// A state in a larger component has won | open & first & (stay U leave). There, stay and leave are of the whole
// component, and first is the first step.
type tracker struct {
	*ltl.Store
	ctx        context.Context
	a          *certify.Automaton
	formulas   []*ltl.Formula
	states     []int                           // what the formulas are for
	tableau    *certify.Tableau                // it tracks the formulas
	components []int                           // of the automaton
	bounds     map[int]*bound                  // of components
	labels     map[*certify.Label]*ltl.Formula // labels share parts, and would take exponential time
	pairs      []standings                     // with each state
	languages  []*ltl.Formula                  // by state, when known
	err        error
}

// A tracker makes at most maxTrack formulas, of size maxSize. Automata have up to maxStates states, and labels maxParts parts.
const maxTrack, maxSize, maxStates, maxParts = 8, 1 << 12, 1 << 10, 1 << 16

// add adds the smallest formula that could help in a lost game, and reports whether there is one.
func (t *tracker) add(lost *lostError) bool {
	if len(t.formulas) == maxTrack || t.a.States > maxStates {
		return false
	}
	var guessed []int
	if guessed, t.pairs, t.err = lost.guesses(); t.err != nil {
		return false
	}
	t.components, t.bounds, t.languages = t.a.Components(), map[int]*bound{}, make([]*ltl.Formula, t.a.States)
	for i, q := range t.states {
		t.languages[q] = t.formulas[i]
	}
	best := -1
	for _, q := range guessed {
		f := t.language(q)
		if f != t.True() && f != t.False() && f.Size() <= maxSize && (best < 0 || f.Size() < t.languages[best].Size()) && !slices.Contains(t.formulas, f) {
			best = q
		}
	}
	if best < 0 || t.err != nil {
		return false
	}
	t.formulas, t.states = append(t.formulas, t.languages[best]), append(t.states, best)
	return true
}

// language returns the formula for a state.
func (t *tracker) language(q int) *ltl.Formula {
	if f := t.languages[q]; f != nil {
		return f
	}
	b := t.boundOf(t.components[q])
	p := t.pairs[q]
	isWon := t.tree(p[won], slices.Concat(p[dead], p[open]), t.False(), 5)
	isOpen := t.tree(p[open], slices.Concat(p[dead], p[won]), t.True(), 2)
	f := t.False()
	if b.states == 1 {
		f = t.Binary(b.op, t.And(isOpen, b.stay), t.Or(isWon, t.And(isOpen, b.leave)))
	} else {
		for _, e := range t.a.Edges(q) {
			f = t.Or(f, t.step(e))
		}
		f = t.Or(isWon, t.And(isOpen, t.And(f, t.Binary(b.op, b.stay, b.leave))))
	}
	t.languages[q] = t.Simplify(f)
	return t.languages[q]
}

// A bound holds for a run in a component: stay U leave, or stay W leave if a run that stays may be accepting.
type bound struct {
	states      int
	op          ltl.Op
	stay, leave *ltl.Formula
}

func (t *tracker) boundOf(component int) *bound {
	if b := t.bounds[component]; b != nil {
		return b
	}
	b := &bound{op: ltl.OpUntil, stay: t.False(), leave: t.False()}
	loops := certify.Automaton{States: 1, Acceptance: t.a.Acceptance} // the component as one state
	for q, c := range t.components {
		if c != component {
			continue
		}
		b.states++
		for _, e := range t.a.Edges(q) {
			if t.components[e.To[0]] == c {
				b.stay = t.Or(b.stay, t.step(e))
				loops.AddEdge(0, nil, e.Marks, 0)
			} else {
				b.leave = t.Or(b.leave, t.step(e))
			}
		}
	}
	live, err := loops.Live(t.ctx)
	if t.err = cmp.Or(t.err, err); t.err == nil && live[0] {
		b.op = ltl.OpWeakUntil
	}
	t.bounds[component] = b
	return b
}

// step returns what holds where a run takes an edge. It says no more of a run that stays in the component.
func (t *tracker) step(e *certify.Edge) *ltl.Formula {
	f := t.label(e.Label)
	if t.components[e.To[0]] != t.components[e.From] {
		f = t.And(f, t.Next(t.language(e.To[0])))
	}
	return f
}

// tree returns a decision tree that tells states of yes from states of no, by digits of the tableau. A leaf that has
// states of both is mixed.
func (t *tracker) tree(yes, no []int, mixed *ltl.Formula, depth int) *ltl.Formula {
	switch {
	case len(yes) == 0:
		return t.False()
	case len(no) == 0:
		return t.True()
	case depth == 0:
		return mixed
	}
	half := func(list []int, digit int, bit uint64) (some []int) {
		for _, s := range list {
			if t.tableau.States[s].Kernel>>digit&1 == bit {
				some = append(some, s)
			}
		}
		return some
	}
	left := func(y, n int) float64 { return float64(y*n) / float64(y+n) } // how far they are from being told apart
	best, least := -1, math.Inf(1)
	for digit, f := range t.tableau.Kernel {
		if t.err = cmp.Or(t.err, t.ctx.Err()); t.err != nil {
			return mixed
		}
		y, n := len(half(yes, digit, 1)), len(half(no, digit, 1))
		if y+n == 0 || y+n == len(yes)+len(no) {
			continue
		}
		cost := left(y, n) + left(len(yes)-y, len(no)-n)
		if cost < least || cost == least && f.Size() < t.tableau.Kernel[best].Size() {
			best, least = digit, cost
		}
	}
	if best < 0 {
		return mixed
	}
	without := t.tree(half(yes, best, 0), half(no, best, 0), mixed, depth-1)
	with := t.tree(half(yes, best, 1), half(no, best, 1), mixed, depth-1)
	digit := t.Import(t.tableau.Kernel[best])
	switch t.True() {
	case without:
		return t.Implies(digit, with)
	case with:
		return t.Or(digit, without)
	}
	return t.Simplify(t.Or(t.And(digit, with), t.And(t.Not(digit), without)))
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

// A lostError is an ErrLost with the positions that win.
type lostError struct {
	*game
	won []bool
}

func (*lostError) Error() string { return ErrLost.Error() }
func (*lostError) Unwrap() error { return ErrLost }

// guesses returns states of the right among which the second player had to guess. From the start, it follows answers
// that have no alternative, since they must be right if the right automaton accepts all words of the left. It ends
// at demands with several answers: after each of them both automata accept some word, and none of them wins.
// For each state of the right, it also returns how the pairs with it stand.
func (g *lostError) guesses() (states []int, with []standings, err error) {
	// The product has the condition of both. Marks of the right come first, then one for each way of the left.
	product := &certify.Automaton{Acceptance: &certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{g.right.Acceptance}}}
	first := 0
	for _, e := range g.edges {
		first = max(first, slices.Max(append([]int{-1}, e.Marks...))+1)
	}
	for way := range g.waits {
		product.Acceptance.Args = append(product.Acceptance.Args, &certify.Condition{Op: certify.Inf, Mark: first + way})
	}
	pairs, numbers := []place{{left: g.left.States, right: g.right.States}}, map[place]int{} // without disjuncts
	for at := 0; at < len(pairs) && g.spend(1+len(g.moves[pairs[at].left])) == nil; at++ {
		for _, d := range g.demands(pairs[at]) {
			for _, i := range d.class.edges {
				marks := slices.Clone(g.edges[i].Marks)
				for way := range g.waits {
					if !d.waits(way) {
						marks = append(marks, first+way)
					}
				}
				p := place{left: d.to, right: g.edges[i].To[0]}
				to, ok := numbers[p]
				if !ok {
					to = len(pairs)
					numbers[p], pairs = to, append(pairs, p)
				}
				product.AddEdge(at, nil, marks, to)
				g.spend(12)
			}
		}
	}
	product.States = len(pairs)
	live, err := product.Live(g.ctx)
	if err = cmp.Or(g.err, err); err != nil {
		return nil, nil, err
	}
	stands := make([]int, len(pairs))
	with = make([]standings, g.right.States)
	for k, p := range pairs {
		if live[k] {
			stands[k] = open
		}
		for p.disjunct = 0; p.disjunct <= len(g.disjuncts); p.disjunct++ {
			if at := g.number(p); at >= 0 && g.won[at] {
				stands[k] = won
			}
		}
		if k > 0 {
			list := &with[p.right][stands[k]]
			*list = append(*list, p.left)
		}
	}
	queue, queued, guessed := []int{0}, map[int]bool{0: true}, map[int]bool{}
	for k := 0; k < len(queue) && g.ctx.Err() == nil; k++ {
		for _, d := range g.demands(pairs[queue[k]]) {
			var list []int
			for _, i := range d.class.edges {
				if to := numbers[place{left: d.to, right: g.edges[i].To[0]}]; live[to] && !slices.Contains(list, to) {
					list = append(list, to)
				}
			}
			switch {
			case slices.ContainsFunc(list, func(k int) bool { return stands[k] == won }):
			case len(list) > 1:
				for _, k := range list {
					guessed[pairs[k].right] = true
				}
			case len(list) == 1 && !queued[list[0]]:
				queued[list[0]] = true
				queue = append(queue, list[0])
			}
		}
	}
	return slices.Sorted(maps.Keys(guessed)), with, g.ctx.Err()
}

// Standings are the states of the left in pairs with one state of the right: where no word is accepted by both, where
// the second player wins, and the others.
type standings [3][]int

const dead, won, open = 0, 1, 2
