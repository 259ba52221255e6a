package simulation

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/intern"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A game is the known part of the simulation game. In position 0, the start, no pebble is placed.
// Each other position is a pair of states.
type game struct {
	a, b   *omega.Automaton
	rounds rounds
	w      *budget.Budget

	partsA, partsB omega.Components
	groups         intern.Words // pairs of components
	pairs          intern.Words // pairs of states; the pair of position i has number i-1
	positions      []position

	parts []part // scratch space
}

// A position is where Spoiler is to move.
type position struct {
	group   int32 // of its components; a play leaves a group at most once
	demands []demand
	measure int32 // see won
	lost    bool  // with any lookahead: Duplicator can't answer some moves
}

// A demand is a sequence of Spoiler's moves from a position, and some letters for them that
// Duplicator can't tell apart.
type demand struct {
	at      omega.State // where Spoiler is after it
	marked  bool        // Spoiler has seen a mark
	reached []reached   // where Duplicator can be after it
	options []option    // where Duplicator can go on from, after some of the moves
}

// reached is a state that Duplicator can reach, with the greatest priority on the way that depends
// on his moves: 2 or 0.
type reached struct {
	state    omega.State
	priority priority
}

// An option is a position to continue from, with the priority of the rounds to it.
type option struct {
	position int32
	priority priority
}

func newGame(a, b *omega.Automaton, kind Kind, w *budget.Budget) *game {
	g := &game{a: a, b: b, rounds: rounds{kind, dominance.Of(a)}, w: w}
	g.positions = make([]position, 1, 64)
	g.partsA, g.partsB = a.ComponentsWithin(w), b.ComponentsWithin(w)
	if w.Err() != nil {
		return g
	}
	start := position{group: -1} // alone in its group
	for _, p := range a.Initial() {
		d := demand{at: p}
		for _, q := range b.Initial() {
			if w.Stop() {
				return g
			}
			d.reached = append(d.reached, reached{q, 0})
			d.options = append(d.options, option{g.position(p, q), 0})
		}
		start.demands = append(start.demands, d)
	}
	start.lost = hopeless(start.demands)
	g.positions[0] = start
	return g
}

// position returns the number of a pair of states.
func (g *game) position(p, q omega.State) int32 {
	n, fresh := g.pairs.Number(uint64(p)<<32 | uint64(q))
	if fresh {
		group, _ := g.groups.Number(uint64(g.partsA.Of[p])<<32 | uint64(g.partsB.Of[q]))
		g.positions = append(g.positions, position{group: group})
	}
	return n + 1
}

// explore finds the demands of the positions that have none.
func (g *game) explore() {
	for i := 1; i < len(g.positions); i++ {
		if g.positions[i].demands != nil || g.positions[i].lost {
			continue
		}
		pair := g.pairs.At(int32(i - 1))
		start := demand{at: omega.State(pair >> 32), reached: []reached{{omega.State(uint32(pair)), 0}}}
		demands := g.longer(nil, &start)
		g.positions[i].demands, g.positions[i].lost = demands, hopeless(demands)
		if g.w.Err() != nil {
			return
		}
	}
}

// deepen makes the demands that Duplicator can't meet longer by one move. It reports whether there
// are any.
func (g *game) deepen() bool {
	deepened := false
	for i := range len(g.positions) {
		if g.positions[i].lost || g.positions[i].measure != never { // won so far, or lost in any case
			continue
		}
		var list []demand
		for _, d := range g.positions[i].demands {
			// It stays if Duplicator can meet it, or has no move that he could put off.
			if len(d.reached) == 0 || g.least(g.positions[i].group, &d) != never {
				list = append(list, d)
				continue
			}
			deepened = true
			if list = g.longer(list, &d); g.w.Err() != nil {
				return false
			}
		}
		g.positions[i].demands, g.positions[i].lost = list, hopeless(list)
	}
	return deepened
}

// hopeless reports whether no lookahead helps: after some moves, Duplicator has none.
func hopeless(demands []demand) bool {
	for i := range demands {
		if len(demands[i].reached) == 0 && len(demands[i].options) == 0 {
			return true
		}
	}
	return false
}
