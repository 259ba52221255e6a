package reduce

import (
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/omega"
)

// redirectSteps limits the search for states that can replace others.
const redirectSteps = 1 << 26

// redirected returns a deterministic automaton with parity acceptance, in which states that accept
// the same words are merged if possible. It merges one state at a time: all edges into it lead to
// the other one instead. Here each of the two states accepts the words with infinitely many a:
//
//	State: 0  [a] 0 {0}  [!a] 1
//	State: 1  [a] 0 {0}  [!a] 0
//
// becomes
//
//	State: 0  [a] 0 {0}  [!a] 0
//
// A run may change to the other state again and again, and this can change the language. So keeps
// checks each step.
func redirected(a *omega.Automaton, w *reducer) *omega.Automaton {
	if a.NumStates() < 2 || w.noRedirect {
		return a
	}
	var r *redirection
	if !w.attempt(a, redirectSteps, func(v *budget.Budget) {
		if t := newLetterTable(a, v); t != nil {
			if class := t.residuals(v); class != nil {
				r = t.redirection(a.Initial(), class, v)
			}
		}
	}) {
		w.noRedirect = true
	}
	if r == nil || r.none || w.Err() != nil {
		return a
	}
	return trim(led(a, r.instead), w)
}

// redirection says where edges lead in another automaton with the same language.
type redirection struct {
	*letterTable
	start   []omega.State
	instead []omega.State // by destination
	none    bool          // they lead where they did
	live    []bool        // by state: reachable
	number  []omega.State // scratch space: by pair of states, its number in a graph, plus one
	pairs   [][2]omega.State
	graph   statePairs
}

// redirection replaces states by others of their class, one after the other, until no more can be
// replaced. When the budget ends, it returns the replacements found so far.
func (t *letterTable) redirection(start, class []omega.State, w *budget.Budget) *redirection {
	n := omega.State(t.states)
	r := &redirection{letterTable: t, start: start, none: true, number: make([]omega.State, n*n)}
	for s := range n {
		r.instead = append(r.instead, s)
	}
	r.reach()
	for done := false; !done; {
		done = true
		for q := n - 1; q >= 0; q-- {
			for p := range n {
				if p == q || class[p] != class[q] || !r.live[p] || !r.live[q] || !r.keeps(q, p, w) {
					continue
				}
				for s, to := range r.instead {
					if to == q {
						r.instead[s] = p
					}
				}
				r.reach()
				r.none, done = false, false
			}
		}
	}
	return r
}

func (r *redirection) reach() {
	r.live = make([]bool, r.states)
	var work []omega.State
	visit := func(s omega.State) {
		if s = r.instead[s]; !r.live[s] {
			r.live[s] = true
			work = append(work, s)
		}
	}
	for _, s := range r.start {
		visit(s)
	}
	for len(work) > 0 {
		s := int(work[len(work)-1])
		work = work[:len(work)-1]
		for _, to := range r.dst[s*r.letters : (s+1)*r.letters] {
			if to >= 0 {
				visit(to)
			}
		}
	}
}

// keeps reports whether the automaton is known to accept the same words if edges into q lead to p.
// It explores pairs of states: the one that the current automaton is in after a word, and the one
// that the new automaton is in. It begins where they first differ. Both must have edges on the same
// letters, and each cycle must be accepted by both or by neither.
func (r *redirection) keeps(q, p omega.State, w *budget.Budget) bool {
	g := &r.graph
	*g = statePairs{first: append(g.first[:0], 0), dst: g.dst[:0], left: g.left[:0], right: g.right[:0]}
	r.pairs = r.pairs[:0]
	defer func() { // number is used again
		for _, x := range r.pairs {
			r.number[int(x[0])*r.states+int(x[1])] = 0
		}
	}()
	r.visit(q, p)
	for i := 0; i < len(r.pairs); i++ {
		x, y := int(r.pairs[i][0])*r.letters, int(r.pairs[i][1])*r.letters
		for k := range r.letters {
			e, f := r.dst[x+k], r.dst[y+k]
			if w.Stop() || (e < 0) != (f < 0) { // only one of them goes on
				return false
			}
			if e < 0 {
				continue
			}
			if f = r.instead[f]; f == q {
				f = p
			}
			g.add(r.visit(r.instead[e], f), r.priority[x+k], r.priority[y+k])
		}
		g.end()
	}
	differ := make([]bool, len(r.pairs))
	for x, y := range g.opposed() {
		if g.markCycles(x, y, differ, w) || w.Err() != nil {
			return false
		}
	}
	return true
}

func (r *redirection) visit(x, y omega.State) omega.State {
	k := &r.number[int(x)*r.states+int(y)]
	if *k == 0 {
		r.pairs = append(r.pairs, [2]omega.State{x, y})
		*k = omega.State(len(r.pairs))
	}
	return *k - 1
}
