// Package simulation proves that one automaton's language is included in another's.
//
// [Proves] looks for a simulation between the two. If it finds one, each word of the first
// automaton is in the second. If not, nothing is known. A simulation is found in polynomial time,
// where inclusion takes exponential time at worst.
//
// # The game
//
// Two players move a pebble each. Spoiler starts in an initial state of the first automaton, and
// Duplicator in one of the second that he chooses. In each round, Spoiler takes an edge and a
// letter of its label, and Duplicator an edge with the same letter. A player who can't move loses.
// What an infinite play needs is a matter of the [Kind]:
//
//   - Direct (Dill, Hu, Wong-Toi 1991): in each round, Duplicator's marks are at least as good as
//     Spoiler's. Both automata need the same acceptance condition, which may be any.
//   - Fair (Henzinger, Kupferman, Rajamani 1997): if Spoiler's run is accepting, so is Duplicator's.
//     Both automata need Büchi acceptance.
//
// If Duplicator can win, he turns each accepting run into an accepting run on the same word. For
// Büchi automata, a direct simulation is a delayed one, and a delayed simulation is a fair one
// (Etessami, Wilke and Schuller 2005). So for inclusion, the fair game alone is enough. The other
// two are for merging states, which fair simulation does not allow; see package reduce.
//
// # Lookahead
//
// Duplicator often loses because he has to choose too early:
//
//	Spoiler:  State: 0  [1] 1        Duplicator:  State: 0  [1] 1   [1] 2
//	          State: 1  [1] 0 {0}                 State: 1  [a] 0 {0}
//	                                              State: 2  [!a] 0 {0}
//
// Duplicator has to guess whether a comes next. With a lookahead of two, Spoiler has to show two
// moves before Duplicator answers the first of them (Mayr and Clemente 2013). Duplicator may answer
// as many of these moves as he likes, and play goes on from there. Here, lookahead is increased
// only in positions that are lost without it.
//
// # Solving the game
//
// Only pairs of states that can be reached are positions. A move of Spoiler, or several if there is
// lookahead, is a demand: a set of positions. Duplicator chooses one. For the fair game, a round
// has priority 2 if Duplicator saw a mark in it, or else 1 if Spoiler did, or else 0. Duplicator
// wins if the greatest priority that comes again and again is even. The least progress measure says
// from where he can do that (Jurdziński 2000): for each position, the number of rounds of priority
// 1 that he may have to take before the next one of priority 2, or none if it is not bounded.
//
// # Why package reduce has another one
//
// Package reduce computes direct and delayed simulation between all pairs of states, as a matrix of
// bits. For that, the game takes 28 times as long and 100 times the memory, with 100 states; but a
// matrix is not enough for fair simulation and lookahead.
package simulation

import (
	"context"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/transform/internal/dominance"
	"github.com/xcheck-ltl/xcheck/omega"
)

// A Kind says what Duplicator has to achieve.
type Kind uint8

// The kinds of simulation.
const (
	Direct Kind = iota // marks at least as good in each round
	Fair               // an accepting run against each accepting run
)

// Fits reports whether a simulation of this kind between a and b proves inclusion: Direct needs the
// same acceptance condition with at most 64 sets, and Fair needs Büchi acceptance. Neither may be
// alternating.
func (k Kind) Fits(a, b *omega.Automaton) bool {
	switch {
	case omega.Supported(a) != nil || omega.Supported(b) != nil:
		return false
	case k == Fair:
		return a.Acceptance().IsBuchi() && b.Acceptance().IsBuchi()
	}
	return a.Marks().Inline() && b.Marks().Inline() && a.Acceptance().String() == b.Acceptance().String()
}

// Proves looks for a simulation that proves that b accepts each word of a. It returns the least
// lookahead up to the given one that is enough, or 0 if it finds none within so many steps. The
// automata are over one alphabet, and the kind must fit them. Proves fails only when ctx is done.
//
// For n reachable pairs of states and degree d, a lookahead of k makes n·d^k demands. The steps
// count looks at labels and at demands, of some ten nanoseconds each, so the result does not depend
// on time.
func Proves(ctx context.Context, a, b *omega.Automaton, kind Kind, lookahead, steps int) (int, error) {
	if a.Alphabet() != b.Alphabet() || !kind.Fits(a, b) {
		return 0, ctx.Err()
	}
	w := budget.New(ctx)
	found := 0
	ok := a.Alphabet().Attempt(w, steps, func(v *budget.Budget) {
		g := newGame(a, b, kind, v)
		for k := 1; k <= lookahead && v.Err() == nil; k++ {
			if k > 1 && !g.deepen() { // nothing would change
				return
			}
			if g.explore(); g.won() {
				found = k
				return
			}
		}
	})
	if !ok {
		found = 0
	}
	return found, w.Err()
}

// A priority is the priority of a round, or the greatest priority of several.
type priority uint8

// rounds tells how Duplicator's edges answer Spoiler's edges.
type rounds struct {
	kind  Kind
	marks dominance.Order
}

// answers reports whether an edge with the marks f may answer one with the marks e, and what
// priority the round then has.
func (r *rounds) answers(e, f omega.Marks) (priority, bool) {
	switch {
	case r.kind == Direct:
		return 0, r.marks.Better(f, e)
	case f != 0:
		return 2, true
	case e != 0:
		return 1, true
	}
	return 0, true
}
