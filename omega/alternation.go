package omega

import (
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// ErrNotWeak reports an alternating automaton with a component that is not weak: it has
// accepting and rejecting cycles.
var ErrNotWeak = errors.New("unsupported: alternating automaton with components that are not weak")

// A game is an alternating automaton on one word: the automaton is in a state
// before it reads a letter, and one player picks an edge, the other a state that
// it leads to. The first wins a play that stays in an accepting component.
type game struct {
	a      *Automaton
	word   *Word
	budget *budget.Budget
	kinds  []Kind
	parts  Components
	won    []bool // by state*size+position
}

// game returns the solved game of an alternating automaton on a word over its alphabet. It fails if
// a letter leaves open whether it is in a label.
func (a *Automaton) game(w *Word, b *budget.Budget) (*game, error) {
	if err := a.closed(w, b); err != nil {
		return nil, err
	}
	g := &game{a: a, word: w, parts: a.ComponentsWithin(b), budget: b}
	g.kinds, _ = a.KindsWithin(g.parts, b, budget.Unlimited)
	if b.Err() != nil {
		return nil, b.Err()
	}
	if slices.Contains(g.kinds, Mixed) {
		return nil, ErrNotWeak
	}
	g.won = make([]bool, a.PositionsWithin(w, b))
	if b.Err() != nil {
		return nil, b.Err()
	}
	// Every component is accepting or rejecting as a whole. They are numbered against the edges, so
	// it is known who wins a play that leaves.
	for i, list := range g.parts.Members() {
		g.solve(list, g.kinds[i] == Accepting)
	}
	return g, b.Err()
}

// solve finds the positions won in a component.
func (g *game) solve(list []State, accepting bool) {
	size := g.word.Size()
	// In an accepting component, they are the greatest set that can be kept up, and all start as
	// won; in a rejecting one, they are the least set that is forced, and none does. They are
	// corrected until nothing changes, which only goes one way.
	for _, s := range list {
		for pos := range size {
			g.won[int(s)*size+pos] = accepting
		}
	}
	for changed := true; changed && g.budget.Err() == nil; {
		changed = false
		for _, s := range list {
			// Backwards, since a position depends on the next one.
			for pos := size - 1; pos >= 0; pos-- {
				at := int(s)*size + pos
				if v := g.can(s, pos); v != g.won[at] {
					g.won[at] = v
					changed = true
				}
			}
		}
	}
}

// can reports whether the first player has an edge to states that are all won.
func (g *game) can(s State, pos int) bool {
	next := g.word.Next(pos)
	for _, e := range g.a.Edges(s) {
		if g.budget.Spend(len(g.a.Universal(e.Dst))) {
			return g.won[int(s)*g.word.Size()+pos] // nothing changes any more
		}
		if g.a.alphabet.Meet(e.Label, g.word.At(pos)) && g.all(g.a.Universal(e.Dst), next) {
			return true
		}
	}
	return false
}

func (g *game) all(list []State, pos int) bool {
	return !slices.ContainsFunc(list, func(s State) bool { return !g.won[int(s)*g.word.Size()+pos] })
}

// closed fails if a letter of the word leaves open whether it is in a label of the automaton.
func (a *Automaton) closed(w *Word, b *budget.Budget) error {
	for _, e := range a.edges {
		for pos := range w.Size() {
			if b.Stop() {
				return b.Err()
			}
			l, open := w.At(pos), func(l Label) bool { return a.alphabet.Meet(l, e.Label) && !a.alphabet.Implies(l, e.Label) }
			// Some valuations of an open letter are in the label, others not. One may then be good for one
			// branch of a run and another for the next, though there is only one word. Propositions become
			// false one after the other, until that decides.
			for i := 0; open(l); i++ {
				without := a.alphabet.And(l, a.alphabet.Not(a.alphabet.Prop(i)))
				if without != False && !open(without) {
					return &OpenError{Prop: a.alphabet.props[i], Letter: pos + 1}
				} else if without != False {
					l = without
				}
			}
		}
	}
	return nil
}
