package prove

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
	"github.com/xcheck-ltl/xcheck/omega"
)

// strategy returns the nodes of a strategy that answers the left automaton by the right one, or ErrLost. They
// are sure to be one unless the right is deterministic.
//
// It solves a game of two players on pairs of states. One walks through the left automaton, and the other
// answers each edge by an edge of the right one. The second wins if he always has an answer, and sees
// all marks of some disjunct of the acceptance condition infinitely often, or the run of the first is not
// accepting. Say that it is accepting if it sees all marks of a set: so a tableau's. For one disjunct, such a
// game is a fixpoint of depth three (Kesten, Piterman and Pnueli, "Bridging the gap between fair
// simulation and trace inclusion", 2005):
//
//	νZ. for each goal j  μY. for some mark i of the left  νX.
//	    always an answer with goal j that leads to Z, or one that leads to Y,
//	    or the edge lacks mark i, and an answer leads to X
//
// For several disjuncts, or with Fin, the second player announces on the way which disjunct he will
// satisfy. From then on he avoids what its Fins forbid. He can know when, since a state of a tableau
// knows the truth of every subformula on the rest of the word.
func strategy(ctx context.Context, left, right *certify.Automaton, same bool, limit int) (nodes []certify.Node, sure bool, err error) {
	_, letters, err := certify.Letters(left, right)
	if err != nil {
		return nil, false, err
	}
	g := &game{ctx: ctx, left: left, right: right, same: same, edges: right.List(), letters: letters, limit: limit,
		from: make([][]int, right.States+1), classes: make([][]class, right.States+1), numbers: map[place]int{}}
	if left.Alternating() || right.Alternating() {
		return nil, false, omega.ErrAlternating
	}
	for i, e := range g.edges {
		g.from[e.From] = append(g.from[e.From], i)
	}
	for _, s := range right.Start { // the start answers like any initial state
		g.from[right.States] = append(g.from[right.States], g.from[s[0]]...)
	}
	if err := g.readLeft(); err != nil {
		return nil, false, err
	}
	// A deterministic automaton answers by itself. Whether its runs are accepting is for the check.
	deterministic := len(right.Start) == 1
	for s := 0; s < right.States && deterministic; s++ {
		classes, err := g.classesOf(s)
		if err != nil {
			return nil, false, err
		}
		deterministic = !slices.ContainsFunc(classes, func(c class) bool { return len(c.edges) > 1 })
	}
	// If only the same marks answer marks, both have the same condition, and the game has no goals.
	if deterministic || same {
		g.disjuncts = []disjuncts.Disjunct{{}}
	} else if list, ok := disjuncts.Of(right.Acceptance); ok {
		g.disjuncts = list
	} else {
		return nil, false, certify.ErrLarge
	}
	if err := g.build(); err != nil {
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
	// The outer fixpoint: a position stays in Z if from there all goals can be reached within Z.
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
	if !z[0] { // the start
		g.positions = nil // the largest part: guesses does not need it
		return nil, false, &lostError{g, z}
	}

	list, numbers := []choice{{}}, map[choice]int{{}: 0} // the nodes of the strategy, as choices of no edge
	for i := 0; i < len(list); i++ {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		at, j := list[i].next, list[i].goal
		here, p := &g.positions[at], &plans[j] // goal j is pursued
		out := certify.Node{Left: here.left % max(left.States, 1), Right: here.right % max(right.States, 1)}
		choices := func(d *demand) (list []choice) {
			for _, c := range d.answers {
				goal := j
				switch {
				case !z[c.next]: // leaves the winning positions
					continue
				case c.sees&(1<<j) != 0: // goal j is reached, and perhaps others by the same edge
					for goal = (j + 1) % goals; goal != j && c.sees&(1<<goal) != 0; {
						goal = (goal + 1) % goals
					}
				case p.rank[c.next] > p.rank[at] || p.rank[c.next] == p.rank[at] && !d.waits(p.awaited[at]): // neither nearer, nor waiting for a mark of the left
					continue
				}
				list = append(list, choice{c.edge, c.next, goal})
			}
			return list
		}
		for from := 0; from < len(here.demands); { // demands come by destination
			to := from + 1
			for to < len(here.demands) && here.demands[to].to == here.demands[from].to {
				to++
			}
			for _, a := range answers(here.demands[from:to], choices) {
				next := choice{next: a.next, goal: a.goal}
				if _, ok := numbers[next]; !ok {
					numbers[next] = len(list)
					list = append(list, next)
				}
				out.Answers = append(out.Answers, certify.Answer{Cube: a.letters, To: here.demands[from].to, Edge: int(a.edge), Next: numbers[next]})
			}
			from = to
		}
		nodes = append(nodes, out)
	}
	return nodes, !deterministic && !same, nil
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
func (g *lostError) guesses() ([]int, error) {
	// The product has the condition of both. Marks of the right come first, then one for each way of the left.
	product := &certify.Automaton{Acceptance: &certify.Condition{Op: certify.AllOf, Args: []*certify.Condition{g.right.Acceptance}}}
	first := 0
	for _, e := range g.edges {
		first = max(first, slices.Max(append(e.Marks, -1))+1)
	}
	for way := range g.waits {
		product.Acceptance.Args = append(product.Acceptance.Args, &certify.Condition{Op: certify.Inf, Mark: first + way})
	}
	pairs, numbers := []place{{left: g.left.States, right: g.right.States}}, map[place]int{} // without disjuncts
	for at := 0; at < len(pairs); at++ {
		for _, e := range g.moves[pairs[at].left] {
			var read []int
			if err := g.each(pairs[at], e, func(c class) { read = append(read, c.edges...) }); err != nil {
				return nil, err
			}
			slices.Sort(read)
			for _, i := range slices.Compact(read) {
				marks := slices.Clone(g.edges[i].Marks)
				for way := range g.waits {
					if e.lacks>>way&1 == 0 {
						marks = append(marks, first+way)
					}
				}
				p := place{left: e.to, right: g.edges[i].To[0]}
				to, ok := numbers[p]
				if !ok {
					to = len(pairs)
					numbers[p], pairs = to, append(pairs, p)
				}
				product.AddEdge(at, nil, marks, to)
				if err := g.spend(12); err != nil {
					return nil, err
				}
			}
		}
	}
	product.States = len(pairs)
	live, err := product.Live(g.ctx)
	if err != nil {
		return nil, err
	}
	won := func(pair int) bool {
		p := pairs[pair]
		for p.disjunct = 0; p.disjunct <= len(g.disjuncts); p.disjunct++ {
			if at, ok := g.numbers[p]; ok && at >= 0 && g.won[at] {
				return true
			}
		}
		return false
	}
	queue, queued, guessed := []int{0}, map[int]bool{0: true}, map[int]bool{}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range g.moves[pairs[at].left] {
			if err := g.each(pairs[at], e, func(c class) {
				var list []int
				for _, i := range c.edges {
					if to := numbers[place{left: e.to, right: g.edges[i].To[0]}]; live[to] && !slices.Contains(list, to) {
						list = append(list, to)
					}
				}
				switch {
				case slices.ContainsFunc(list, won):
				case len(list) > 1:
					for _, pair := range list {
						guessed[pairs[pair].right] = true
					}
				case len(list) == 1 && !queued[list[0]]:
					queued[list[0]] = true
					queue = append(queue, list[0])
				}
			}); err != nil {
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(guessed)), nil
}

// each calls visit for the classes at a place that share letters with an edge of the left.
func (g *game) each(at place, e leftEdge, visit func(class)) error {
	classes, err := g.classesOf(at.right)
	for _, c := range classes {
		if meets(e.letters, c.letters) {
			visit(c)
		}
	}
	return cmp.Or(err, g.spend(1+len(classes)))
}

// A choice is an answer: an edge of the right, the next position, and the goal that is pursued there.
type choice struct {
	edge, next int32
	goal       int
}

type chosen struct {
	choice
	letters certify.Cube
}

// answers chooses answers to demands that have the same destination: greedily, always one for as many letters as
// possible. The first answer that fits counts, so the most frequent comes last, and is for all letters that are left.
//
// Each demand has a choice, since its position wins. It is an edge of the left with a class of letters of the right.
// Classes share no letters, and readLeft has made one of edges that do. So if all demands of an edge have one answer,
// the letters of the edge say enough, and likewise for a class.
func answers(demands []demand, choices func(d *demand) []choice) (list []chosen) {
	open, made := make([][]choice, len(demands)), make([]choice, len(demands))
	for i := range demands {
		open[i] = choices(&demands[i])
	}
	for most := 1; most > 0; {
		var best choice
		most = 0
		count := map[choice]int{}
		for i, some := range open {
			for _, c := range some {
				if count[c] += len(demands[i].letters) * len(demands[i].class.letters); count[c] > most {
					best, most = c, count[c]
				}
			}
		}
		if most > 0 && len(list) == 0 {
			list = []chosen{{choice: best}}
		}
		for i := range demands {
			if slices.Contains(open[i], best) {
				made[i], open[i] = best, nil
			}
		}
	}
	covered := map[any]bool{} // edges and classes that have one answer for all of their letters
	for i, d := range demands {
		onEdge := func(o demand) bool { return o.leftEdge == d.leftEdge }
		inClass := func(o demand) bool { return o.class == d.class }
		several := func(of func(demand) bool) bool {
			for k, o := range demands {
				if of(o) && made[k] != made[i] {
					return true
				}
			}
			return false
		}
		edges, letters := d.letters, d.class.letters
		switch {
		case made[i] == list[0].choice || covered[d.leftEdge] || covered[d.class]:
			continue
		case !several(onEdge):
			letters, covered[d.leftEdge] = []certify.Cube{{}}, true
		case !several(inClass):
			edges, covered[d.class] = []certify.Cube{{}}, true
		}
		for _, x := range edges {
			for _, y := range letters {
				if x.Meets(y) {
					list = append(list, chosen{made[i], x.And(y)})
				}
			}
		}
	}
	slices.Reverse(list)
	return list
}

// A game has a position for each pair of states that can be reached, and for each disjunct that the
// second player may have announced.
type game struct {
	ctx         context.Context
	left, right *certify.Automaton
	same        bool
	edges       []*certify.Edge // of the right
	letters     [2][]int        // see certify.Letters
	from        [][]int         // the edges of each state of the right, and of all initial states together
	classes     [][]class       // of these edges, when known
	moves       [][]leftEdge    // of each state of the left, and of all initial states together
	waits       int             // in how many ways the run of the left may fail to be accepting, or 1
	disjuncts   []disjuncts.Disjunct
	positions   []position
	numbers     map[place]int
	size, limit int
}

// A leftEdge stands for the edges of a left state that need the same answers: those with this destination that
// mean the same for acceptance. The letters are disjoint cubes.
type leftEdge struct {
	letters []certify.Cube
	to      int
	lacks   uint64 // bit i: a run that takes such edges forever fails in way i
	marks   []int
	escapes bool // a run that takes such edges again and again is not accepting
}

// A place names a position. At the start, left and right are the numbers of states. Disjunct 0 is none yet.
type place struct{ left, right, disjunct int }

type position struct {
	place
	demands []demand
}

// A demand is an edge of the left, on letters for which the right has the same edges.
type demand struct {
	*leftEdge
	class   *class
	answers []answer
}

// waits reports whether the run of the left is not accepting if it is for ever at such demands.
func (d *demand) waits(way int) bool { return d.lacks>>way&1 != 0 }

// An answer is an edge of the right, with the goals of the announced disjunct that it sees.
type answer struct {
	edge, next int32
	sees       uint64
}

// A class is a set of letters that the same edges of a state read.
type class struct {
	letters []certify.Cube // disjoint
	edges   []int
}

// number returns the number of a position. It is negative if the position is lost at once, since the right can't
// read a letter. Most are, so they are not kept.
func (g *game) number(p place) (int, error) {
	i, ok := g.numbers[p]
	if ok {
		return i, nil
	}
	classes, err := g.classesOf(p.right)
	if err != nil {
		return -1, err
	}
	i = -1
	if !slices.ContainsFunc(classes, func(c class) bool {
		return len(c.edges) == 0 && slices.ContainsFunc(g.moves[p.left], func(e leftEdge) bool { return meets(e.letters, c.letters) })
	}) {
		i = len(g.positions)
		g.positions = append(g.positions, position{place: p})
	}
	g.numbers[p] = i
	return i, g.spend(6)
}

// readLeft finds the edges of the left that need an answer.
func (g *game) readLeft() error {
	live, err := g.left.Live(g.ctx)
	if err != nil {
		return err
	}
	list, ok := disjuncts.Of(g.left.Acceptance)
	// A run fails that lacks one mark of each disjunct, so the second player waits for a mark of each.
	ways := [][]*certify.Condition{nil}
	for _, d := range list {
		var longer [][]*certify.Condition
		for _, way := range ways {
			for _, leaf := range d.Inf {
				longer = append(longer, append(slices.Clip(way), leaf))
			}
		}
		if ways = longer; len(ways) > 64 { // bits of lacks
			ok = false
			break
		}
	}
	if !ok {
		return certify.ErrLarge
	}
	g.waits = max(len(ways), 1)
	g.moves = make([][]leftEdge, g.left.States)
	components := g.left.Components()
	for _, e := range g.left.List() {
		if !live[e.To[0]] {
			continue // no accepting run goes on from there
		}
		// A run that sees these Fins again and again is not accepting. So for one disjunct, they reach all goals.
		move := leftEdge{to: e.To[0], marks: e.Marks, escapes: len(list) == 1 && slices.ContainsFunc(list[0].Fin, func(leaf *certify.Condition) bool { return leaf.Names(e.Marks) })}
		for i, way := range ways {
			// A run takes an edge between two components just once, so that its marks don't matter.
			if components[e.From] != components[e.To[0]] || !slices.ContainsFunc(way, func(leaf *certify.Condition) bool { return leaf.Names(e.Marks) }) {
				move.lacks |= 1 << i
			}
		}
		var split func(letters certify.Cube) error
		split = func(letters certify.Cube) error {
			reads, open := e.Label.On(letters, g.letters[0])
			if open != 0 {
				// A label may depend on more propositions: split until it reads all of these letters or none.
				if err := split(letters.And(certify.Cube{Neg: open})); err != nil {
					return err
				}
				return split(letters.And(certify.Cube{Pos: open}))
			}
			if reads {
				move.letters = append(move.letters, letters)
			}
			return g.spend(1)
		}
		if err := split(certify.Cube{}); err != nil {
			return err
		}
		g.moves[e.From] = append(g.moves[e.From], move)
	}
	var first []leftEdge
	for _, s := range g.left.Start {
		first = append(first, g.moves[s[0]]...)
	}
	g.moves = append(g.moves, first)
	for state, moves := range g.moves {
		slices.SortStableFunc(moves, func(x, y leftEdge) int { return cmp.Compare(x.to, y.to) })
		list := moves[:0]
		for from := 0; from < len(moves); {
			to := from + 1
			for to < len(moves) && moves[to].to == moves[from].to {
				to++
			}
			group := moves[from:to]
			from = to
			same := func(x, y leftEdge) bool { return x.lacks == y.lacks && x.escapes == y.escapes }
			// An answer is for all edges to a state, whatever their marks: so count none of them if they differ.
			if slices.ContainsFunc(group, func(x leftEdge) bool {
				return g.ctx.Err() != nil || slices.ContainsFunc(group, func(y leftEdge) bool { return !same(x, y) && meets(x.letters, y.letters) })
			}) {
				for i := range group {
					group[i].lacks, group[i].escapes = 0, false
				}
			}
			// Edges that need the same answers are one.
			first := len(list)
			for _, x := range group {
				if at := slices.IndexFunc(list[first:], func(y leftEdge) bool { return same(x, y) && (!g.same || slices.Equal(x.marks, y.marks)) }); at < 0 {
					list = append(list, x)
				} else {
					list[first+at].letters = slices.Concat(list[first+at].letters, x.letters)
				}
			}
			if err := g.spend(len(group)); err != nil {
				return err
			}
		}
		g.moves[state] = list
	}
	return nil
}

// meets reports whether two sets of letters, as disjunctions of cubes, share one.
func meets(x, y []certify.Cube) bool {
	return slices.ContainsFunc(x, func(c certify.Cube) bool { return slices.ContainsFunc(y, c.Meets) })
}

// build makes the positions that can be reached.
func (g *game) build() error {
	first := place{g.left.States, g.right.States, 0}
	if len(g.disjuncts) == 1 && len(g.disjuncts[0].Fin) == 0 {
		first.disjunct = 1 // there is nothing to announce
	}
	if i, err := g.number(first); i < 0 || err != nil {
		return cmp.Or(err, ErrLost)
	}
	for at := 0; at < len(g.positions); at++ {
		p := g.positions[at].place
		classes, err := g.classesOf(p.right)
		if err != nil {
			return err
		}
		var demands []demand
	moves:
		for k := range g.moves[p.left] {
			e := &g.moves[p.left][k]
			for n := range classes {
				d := demand{leftEdge: e, class: &classes[n]}
				if !meets(e.letters, d.class.letters) {
					continue
				}
				for _, i := range d.class.edges {
					if g.same && !slices.Equal(g.edges[i].Marks, e.marks) {
						continue
					}
					to, last, goals := place{e.to, g.edges[i].To[0], p.disjunct}, p.disjunct, uint64(0)
					switch {
					case e.escapes: // the run of the left has to start anew, so all is open again
						to.disjunct, last, goals = first.disjunct, len(g.disjuncts), ^goals
					case p.disjunct == 0:
						last = len(g.disjuncts)
					default:
						choice := &g.disjuncts[p.disjunct-1]
						has, ok := choice.Take(g.edges[i])
						if !ok {
							continue
						}
						// A disjunct with fewer goals than another sees the rest always.
						goals = has | ^uint64(0)<<len(choice.Inf)
					}
					for ; to.disjunct <= last; to.disjunct++ {
						next, err := g.number(to)
						if err != nil {
							return err
						}
						if next >= 0 {
							d.answers = append(d.answers, answer{int32(i), int32(next), goals})
						}
					}
				}
				if err := g.spend(3 + len(d.answers)); err != nil {
					return err
				}
				if len(d.answers) == 0 { // the position is lost, whatever the other answers
					demands = []demand{d}
					break moves
				}
				demands = append(demands, d)
			}
		}
		g.positions[at].demands = demands
	}
	return nil
}

// spend counts memory, by 16 bytes: an answer, or as many steps that keep nothing.
func (g *game) spend(n int) error {
	if g.size += n; g.size > g.limit {
		return certify.ErrLarge
	}
	return g.ctx.Err()
}

// classesOf returns the classes of a state of the right, or of all initial states together.
func (g *game) classesOf(state int) (list []class, err error) {
	if list = g.classes[state]; list != nil {
		return list, nil
	}
	edges := g.from[state]
	var split func(letters certify.Cube) error
	split = func(letters certify.Cube) error {
		if err := g.spend(1 + len(edges)); err != nil {
			return err
		}
		var read []int
		for _, i := range edges {
			// Each split fixes a proposition, so classes are disjoint cubes that all edges read or don't.
			reads, open := g.edges[i].Label.On(letters, g.letters[1])
			if open != 0 {
				if err := split(letters.And(certify.Cube{Neg: open})); err != nil {
					return err
				}
				return split(letters.And(certify.Cube{Pos: open}))
			}
			if reads {
				read = append(read, i)
			}
		}
		at := slices.IndexFunc(list, func(c class) bool { return slices.Equal(c.edges, read) })
		if at < 0 {
			at = len(list)
			list = append(list, class{edges: read})
		}
		list[at].letters = append(list[at].letters, letters)
		return nil
	}
	err = split(certify.Cube{})
	g.classes[state] = list
	return list, err
}

// A plan says how to reach a goal: which positions are won, in which round each was, and in which way the
// left fails that waits there.
type plan struct {
	won           []bool
	rank, awaited []int
}

// pursue returns the positions of z from which the second player can do one of two things: reach goal j
// by an answer that leads to z, or go on for ever while the run of the left fails in one way, so that it
// is not accepting. It is the μY of the formula at strategy, for one goal and one Z.
func (g *game) pursue(j int, z []bool) (plan, error) {
	n := len(g.positions)
	y := plan{make([]bool, n), make([]int, n), make([]int, n)}
	// Each round adds the νX for one way in which the left may fail. The search ends when no way adds a
	// position.
	for round, idle := 1, 0; idle < g.waits; round++ {
		way := round % g.waits
		x := slices.Clone(z) // the largest fixpoint: begin with all of z, since Z only shrinks
		for shrunk := true; shrunk; {
			if err := g.ctx.Err(); err != nil {
				return y, err
			}
			shrunk = false
			for at, in := range x {
				// Some demand has no answer.
				if in && !y.won[at] && slices.ContainsFunc(g.positions[at].demands, func(d demand) bool {
					return !slices.ContainsFunc(d.answers, func(c answer) bool {
						return c.sees&(1<<j) != 0 && z[c.next] || y.won[c.next] || x[c.next] && d.waits(way)
					})
				}) {
					x[at], shrunk = false, true
				}
			}
		}
		idle++
		// The round is a rank: an answer within Y comes nearer to goal j, and one within X waits for as long
		// as the mark does not come.
		for at, in := range x {
			if in && !y.won[at] {
				y.won[at], y.rank[at], y.awaited[at], idle = true, round, way, 0
			}
		}
	}
	return y, nil
}
