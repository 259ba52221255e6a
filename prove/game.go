package prove

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
)

// strategy returns the nodes of a proof that nothing is missed, or ErrLost. They are sure to be one unless
// the automaton is deterministic.
//
// It solves a game of two players on pairs of states. One walks through the tableau, and the other
// answers each edge by an edge of the automaton. The second wins if he always has an answer, and sees
// all marks of some disjunct of the acceptance condition infinitely often, or the first does not see
// all marks of the tableau. For one disjunct, such a game is a fixpoint of depth three (Kesten, Piterman
// and Pnueli, "Bridging the gap between fair simulation and trace inclusion", 2005):
//
//	νZ. for each goal j  μY. for some mark i of the tableau  νX.
//	    always an answer with goal j that leads to Z, or one that leads to Y,
//	    or the edge lacks mark i, and an answer leads to X
//
// A round of Y is a rank: an answer within Y comes nearer to goal j, and one within X waits for as long
// as mark i does not come. For several disjuncts, or with Fin, the second player announces on the way
// which disjunct he will satisfy. From then on he avoids what its Fins forbid. He can know when, since a
// state of the tableau knows the truth of every subformula on the rest of the word.
func strategy(ctx context.Context, t *certify.Tableau, truth bool, a *certify.Automaton, limit int) (nodes []certify.ProofNode, sure bool, err error) {
	g := &game{ctx: ctx, tableau: t, automaton: a, edges: a.List(), limit: limit,
		from: make([][]int, a.States), classes: make([][]class, a.States), numbers: map[place]int{}}
	for i, e := range g.edges {
		g.from[e.From] = append(g.from[e.From], i)
	}
	if g.letters, err = t.Bits(a); err != nil {
		return nil, false, err
	}
	// A deterministic automaton answers by itself. Whether its runs are accepting is for the check.
	deterministic := len(a.Start) == 1
	for s := 0; s < a.States && deterministic; s++ {
		classes, err := g.classesOf(s)
		if err != nil {
			return nil, false, err
		}
		deterministic = !slices.ContainsFunc(classes, func(c class) bool { return len(c.edges) > 1 })
	}
	if deterministic {
		g.disjuncts = []certify.Disjunct{{}}
	} else if list, ok := a.Acceptance.Disjuncts(); ok {
		g.disjuncts = list
	} else {
		return nil, false, certify.ErrLarge
	}
	start := t.Start[0]
	if truth {
		start = t.Start[1]
	}
	if err := g.build(start); err != nil {
		return nil, false, err
	}

	goals := 1
	for _, d := range g.disjuncts {
		goals = max(goals, len(d.Inf))
	}
	z := make([]bool, len(g.positions))
	for at := range z {
		z[at] = true
	}
	plans := make([]plan, goals)
	for changed := true; changed; {
		changed = false
		for j := range plans {
			p, err := g.pursue(j, z)
			if err != nil {
				return nil, false, err
			}
			plans[j] = p
			if !slices.Equal(p.won, z) {
				z, changed = p.won, true
			}
		}
	}
	if !z[0] {
		return nil, false, ErrLost
	}

	// A node of the strategy is a position and the goal that is pursued there.
	type node struct{ at, goal int }
	list, numbers := []node{{0, 0}}, map[node]int{{0, 0}: 0}
	for i := 0; i < len(list); i++ {
		at, j := list[i].at, list[i].goal
		here, p := &g.positions[at], &plans[j]
		out := certify.ProofNode{Tableau: here.tableau, State: max(here.state, 0), Answers: make([]certify.Answer, 0, len(here.demands))}
		for k := range here.demands {
			d := &here.demands[k]
			best, goal := -1, j
			for o, c := range d.answers {
				switch {
				case !z[c.next]:
				case c.sees&(1<<j) != 0:
					best, goal = o, (j+1)%goals
				case goal != j:
				case p.rank[c.next] < p.rank[at] || p.rank[c.next] == p.rank[at] && d.lacks(p.awaited[at]):
					if best < 0 || p.rank[c.next] < p.rank[d.answers[best].next] {
						best = o
					}
				}
			}
			c := d.answers[best]
			for steps := 1; goal != j && steps < goals && c.sees&(1<<goal) != 0; steps++ {
				goal = (goal + 1) % goals
			}
			next := node{c.next, goal}
			if _, ok := numbers[next]; !ok {
				numbers[next] = len(list)
				list = append(list, next)
			}
			out.Answers = append(out.Answers, certify.Answer{Cube: d.letters, To: d.to, Edge: c.edge, Next: numbers[next]})
		}
		nodes = append(nodes, out)
	}
	return nodes, !deterministic, nil
}

// A game has a position for each pair of states that can be reached, and for each disjunct that the
// second player may have announced.
type game struct {
	ctx         context.Context
	tableau     *certify.Tableau
	automaton   *certify.Automaton
	edges       []*certify.Edge
	letters     []uint64
	from        [][]int   // the edges of each state
	classes     [][]class // of each state, when known
	disjuncts   []certify.Disjunct
	positions   []position
	numbers     map[place]int
	size, limit int
}

// A place names a position. The state is -1 at the start. Disjunct 0 is none yet.
type place struct{ tableau, state, disjunct int }

type position struct {
	place
	demands []demand
}

// A demand is an edge of the tableau, on letters for which the automaton has the same edges.
type demand struct {
	letters certify.Cube
	to      int
	marks   uint64 // of the tableau
	answers []answer
}

// lacks reports whether the demand lacks a mark of the tableau. A tableau without marks has no such
// demand: all its runs are accepting.
func (d *demand) lacks(mark int) bool { return mark >= 0 && d.marks>>mark&1 == 0 }

// An answer is an edge of the automaton, with the goals of the announced disjunct that it sees.
type answer struct {
	edge, next int
	sees       uint64
}

// A class is a set of letters that the same edges of a state read.
type class struct {
	letters certify.Cube
	edges   []int
}

func (g *game) number(p place) int {
	i, ok := g.numbers[p]
	if !ok {
		i = len(g.positions)
		g.numbers[p] = i
		g.positions = append(g.positions, position{place: p})
	}
	return i
}

// build makes the positions that can be reached.
func (g *game) build(start int) error {
	first := place{start, -1, 0}
	if len(g.disjuncts) == 1 && len(g.disjuncts[0].Fin) == 0 {
		first.disjunct = 1 // there is nothing to announce
	}
	g.number(first)
	for at := 0; at < len(g.positions); at++ {
		p := g.positions[at]
		classes, err := g.classesOf(p.state)
		if err != nil {
			return err
		}
		for _, e := range g.tableau.States[p.tableau].Edges {
			for _, c := range classes {
				if !c.letters.Meets(e.Cube) {
					continue
				}
				d := demand{letters: c.letters.And(e.Cube), to: e.To, marks: e.Marks, answers: make([]answer, 0, len(c.edges))}
				for _, i := range c.edges {
					to := place{e.To, g.edges[i].To[0], p.disjunct}
					if p.disjunct == 0 {
						for to.disjunct = 0; to.disjunct <= len(g.disjuncts); to.disjunct++ {
							d.answers = append(d.answers, answer{i, g.number(to), 0})
						}
						continue
					}
					choice := &g.disjuncts[p.disjunct-1]
					has, ok := choice.Take(g.edges[i])
					if !ok {
						continue
					}
					// A disjunct with fewer goals than another sees the rest always.
					goals := has | ^uint64(0)<<len(choice.Inf)
					d.answers = append(d.answers, answer{i, g.number(to), goals})
				}
				p.demands = append(p.demands, d)
				if err := g.spend(1 + len(d.answers)); err != nil {
					return err
				}
			}
		}
		g.positions[at] = p
	}
	return nil
}

func (g *game) spend(n int) error {
	if g.size += n; g.size > g.limit {
		return certify.ErrLarge
	}
	return g.ctx.Err()
}

// classesOf returns the classes of a state, or of all initial states together for -1.
func (g *game) classesOf(state int) (list []class, err error) {
	var edges []int
	if state < 0 {
		for _, s := range slices.Concat(g.automaton.Start...) {
			edges = append(edges, g.from[s]...)
		}
	} else if list = g.classes[state]; list != nil {
		return list, nil
	} else {
		edges = g.from[state]
	}
	var split func(letters certify.Cube) error
	split = func(letters certify.Cube) error {
		if err := g.spend(1 + len(edges)); err != nil {
			return err
		}
		c := class{letters: letters}
		for _, i := range edges {
			reads, open := g.edges[i].Label.On(letters, g.letters)
			if open != 0 {
				if err := split(letters.And(certify.Cube{Neg: open})); err != nil {
					return err
				}
				return split(letters.And(certify.Cube{Pos: open}))
			}
			if reads {
				c.edges = append(c.edges, i)
			}
		}
		list = append(list, c)
		return nil
	}
	err = split(certify.Cube{})
	if state >= 0 {
		g.classes[state] = list
	}
	return list, err
}

// A plan says how to reach a goal: which positions are won, in which round each was, and which mark of
// the tableau is awaited there, or -1 if none is.
type plan struct {
	won           []bool
	rank, awaited []int
}

// pursue returns the positions from which the second player reaches goal j and then z, again and
// again or once and then never more if the first fails to see a mark.
func (g *game) pursue(j int, z []bool) (plan, error) {
	n := len(g.positions)
	y := plan{make([]bool, n), make([]int, n), make([]int, n)}
	for round, idle := 1, 0; idle < max(g.tableau.Marks, 1); round++ {
		mark := -1
		if g.tableau.Marks > 0 {
			mark = round % g.tableau.Marks
		}
		x := slices.Clone(z)
		for shrunk := true; shrunk; {
			if err := g.ctx.Err(); err != nil {
				return y, err
			}
			shrunk = false
			for at, in := range x {
				if in && !y.won[at] && slices.ContainsFunc(g.positions[at].demands, func(d demand) bool {
					return !slices.ContainsFunc(d.answers, func(c answer) bool {
						return c.sees&(1<<j) != 0 && z[c.next] || y.won[c.next] || x[c.next] && d.lacks(mark)
					})
				}) {
					x[at], shrunk = false, true
				}
			}
		}
		idle++
		for at, in := range x {
			if in && !y.won[at] {
				y.won[at], y.rank[at], y.awaited[at], idle = true, round, mark, 0
			}
		}
	}
	return y, nil
}
