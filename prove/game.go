package prove

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/disjuncts"
	"github.com/xcheck-ltl/xcheck/omega"
)

// strategy returns the nodes of a strategy that answers the left automaton by the right one, or ErrLost. They
// are sure to be one unless the right is deterministic or same is set. If same is set, an edge is answered only by
// edges with the same marks.
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
		from: make([][]int, right.States+1), classes: make([][]class, right.States+1), needs: make([][][]int32, right.States+1)}
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
		deterministic = !slices.ContainsFunc(g.classesOf(s), func(c class) bool { return len(c.edges) > 1 })
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
		return nil, false, &lostError{g, z}
	}
	g.size = 0 // what follows has the limit for itself: most steps so far kept nothing

	list, numbers := []choice{{}}, map[choice]int{{}: 0} // the nodes of the strategy, as choices of no edge
	for i := 0; i < len(list); i++ {
		at, j := list[i].next, list[i].goal
		here, p := g.positions[at], &plans[j] // goal j is pursued
		demands := g.demands(here)
		out := certify.Node{Left: here.left % max(left.States, 1), Right: here.right % max(right.States, 1)}
		choices := func(d *demand) (list []choice) {
			g.some(here, d.leftEdge, d.class, func(c answer) bool {
				goal := j
				switch {
				case !z[c.next]: // leaves the winning positions
					return false
				case c.sees&(1<<j) != 0: // goal j is reached, and perhaps others by the same edge
					for goal = (j + 1) % goals; goal != j && c.sees&(1<<goal) != 0; {
						goal = (goal + 1) % goals
					}
				case p.rank[c.next] > p.rank[at] || p.rank[c.next] == p.rank[at] && !d.waits(p.awaited[at]): // neither nearer, nor waiting for a mark of the left
					return false
				}
				list = append(list, choice{c.edge, c.next, goal})
				return false
			})
			return list
		}
		for from := 0; from < len(demands); { // demands come by destination
			to := from + 1
			for to < len(demands) && demands[to].to == demands[from].to {
				to++
			}
			for _, a := range answers(demands[from:to], choices) {
				next := choice{next: a.next, goal: a.goal}
				if _, ok := numbers[next]; !ok {
					numbers[next] = len(list)
					list = append(list, next)
				}
				out.Answers = append(out.Answers, certify.Answer{Cube: a.letters, To: demands[from].to, Edge: int(a.edge), Next: numbers[next]})
			}
			from = to
		}
		if nodes = append(nodes, out); g.spend(6+3*len(out.Answers)) != nil {
			return nil, false, g.err
		}
	}
	return nodes, !deterministic && !same, nil
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
// second player may have announced. What he has to answer there is not kept, since it would be by far the
// largest part.
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
	needs       [][][]int32     // see need; of each state of the right and set of letters, when known
	sets        int             // how many sets of letters the moves have
	disjuncts   []disjuncts.Disjunct
	sees        [][]*uint64 // of each disjunct and edge of the right: the goals that it sees, nil if it must not be taken forever
	first       place
	positions   []place
	numbers     [][]int32 // of each disjunct and state of the left, when needed, and state of the right: see number
	made        bool      // all positions are
	size, limit int
	err         error // why the game was given up
}

// A leftEdge stands for the edges of a left state that need the same answers: those with this destination that
// mean the same for acceptance. The letters are disjoint cubes.
type leftEdge struct {
	letters []certify.Cube
	set     int // the number of these letters
	to      int
	lacks   uint64 // bit i: a run that takes such edges forever fails in way i
	marks   []int
	escapes bool // a run that takes such edges again and again is not accepting
}

// A place names a position. At the start, left and right are the numbers of states. Disjunct 0 is none yet.
type place struct{ left, right, disjunct int }

// A demand is an edge of the left, on letters for which the right has the same edges.
type demand struct {
	*leftEdge
	class *class
}

// waits reports whether the run of the left is not accepting if it takes such edges for ever.
func (e *leftEdge) waits(way int) bool { return e.lacks>>way&1 != 0 }

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
func (g *game) number(p place) int32 {
	row := &g.numbers[p.disjunct*(g.left.States+1)+p.left]
	if *row == nil && g.made {
		return -1
	} else if *row == nil {
		*row = make([]int32, g.right.States+1)
		g.spend(2 + g.right.States/4)
	}
	at := &(*row)[p.right]
	if *at != 0 || g.made {
		return *at - 1
	}
	*at = -1
	g.spend(6)
	if !slices.ContainsFunc(g.classesOf(p.right), func(c class) bool {
		return len(c.edges) == 0 && slices.ContainsFunc(g.moves[p.left], func(e leftEdge) bool { return meets(e.letters, c.letters) })
	}) {
		g.positions = append(g.positions, p)
		*at = int32(len(g.positions))
	}
	return *at - 1
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
	edges := g.left.List()
	for k, e := range edges {
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
		if g.split(certify.Cube{}, edges, []int{k}, g.letters[0], func(letters certify.Cube, read []int) {
			if len(read) > 0 {
				move.letters = append(move.letters, letters)
			}
		}); g.err != nil {
			return g.err
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
	sets := map[string]int{}
	for _, moves := range g.moves {
		for i := range moves {
			var key []byte
			for _, c := range moves[i].letters {
				key = binary.AppendUvarint(binary.AppendUvarint(key, c.Pos), c.Neg)
			}
			if _, ok := sets[string(key)]; !ok {
				sets[string(key)] = len(sets)
			}
			moves[i].set = sets[string(key)]
		}
	}
	g.sets = len(sets)
	return g.ctx.Err()
}

// meets reports whether two sets of letters, as disjunctions of cubes, share one.
func meets(x, y []certify.Cube) bool {
	return slices.ContainsFunc(x, func(c certify.Cube) bool { return slices.ContainsFunc(y, c.Meets) })
}

// need returns the classes of a state of the right that share letters with an edge of the left.
func (g *game) need(right int, e *leftEdge) []int32 {
	if g.needs[right] == nil {
		g.needs[right] = make([][]int32, g.sets)
		g.spend(2 + 2*g.sets)
	}
	need := &g.needs[right][e.set]
	if *need != nil {
		return *need
	}
	classes := g.classesOf(right)
	g.spend(1 + len(classes))
	*need = []int32{}
	for n := range classes {
		if meets(e.letters, classes[n].letters) {
			*need = append(*need, int32(n))
		}
	}
	return *need
}

// every reports whether do is true of all demands at a position.
func (g *game) every(p place, do func(*leftEdge, *class) bool) bool {
	for k := range g.moves[p.left] {
		e := &g.moves[p.left][k]
		for _, n := range g.need(p.right, e) {
			if !do(e, &g.classes[p.right][n]) {
				return false
			}
		}
	}
	return true
}

// some reports whether do is true of an answer to an edge of the left on a class of letters.
func (g *game) some(p place, e *leftEdge, c *class, do func(answer) bool) bool {
	for _, i := range c.edges {
		if g.same && !slices.Equal(g.edges[i].Marks, e.marks) {
			continue
		}
		to, last, sees := place{e.to, g.edges[i].To[0], p.disjunct}, p.disjunct, uint64(0)
		switch {
		case e.escapes: // the run of the left has to start anew, so all is open again
			to.disjunct, last, sees = g.first.disjunct, len(g.disjuncts), ^sees
		case p.disjunct == 0:
			last = len(g.disjuncts)
		default:
			goals := g.sees[p.disjunct-1][i]
			if goals == nil {
				continue
			}
			sees = *goals
		}
		for ; to.disjunct <= last; to.disjunct++ {
			if next := g.number(to); next >= 0 && do(answer{int32(i), next, sees}) {
				return true
			}
		}
	}
	return false
}

// demands returns all demands at a position. They come by destination.
func (g *game) demands(p place) (list []demand) {
	g.every(p, func(e *leftEdge, c *class) bool {
		list = append(list, demand{e, c})
		return true
	})
	return list
}

// build makes the positions that can be reached.
func (g *game) build() error {
	g.numbers = make([][]int32, (len(g.disjuncts)+1)*(g.left.States+1))
	for _, d := range g.disjuncts {
		sees := make([]*uint64, len(g.edges))
		for i, e := range g.edges {
			if has, ok := d.Take(e); ok {
				sees[i] = new(has | ^uint64(0)<<len(d.Inf)) // a disjunct with fewer goals than another sees the rest always
			}
		}
		g.sees = append(g.sees, sees)
	}
	g.first = place{g.left.States, g.right.States, 0}
	if len(g.disjuncts) == 1 && len(g.disjuncts[0].Fin) == 0 {
		g.first.disjunct = 1 // there is nothing to announce
	}
	if g.number(g.first) < 0 {
		return cmp.Or(g.err, ErrLost)
	}
	for at := 0; at < len(g.positions) && g.err == nil; at++ {
		p := g.positions[at]
		g.every(p, func(e *leftEdge, c *class) bool {
			answered := false
			g.some(p, e, c, func(answer) bool { answered = true; return false })
			return answered && g.err == nil // without an answer, the position is lost, whatever the others
		})
		g.spend(len(g.moves[p.left]))
	}
	g.made = true
	return g.err
}

// spend counts n pieces of 16 bytes, or n steps that keep nothing. It asks ctx now and then.
func (g *game) spend(n int) error {
	if g.size += n; g.size > g.limit {
		g.err = certify.ErrLarge
	} else if g.size>>8 != (g.size-n)>>8 { // to ask each time takes a tenth of a proof
		g.err = cmp.Or(g.ctx.Err(), g.err)
	}
	return g.err
}

// classesOf returns the classes of a state of the right, or of all initial states together.
func (g *game) classesOf(state int) (list []class) {
	if list = g.classes[state]; list != nil {
		return list
	}
	g.split(certify.Cube{}, g.edges, g.from[state], g.letters[1], func(letters certify.Cube, read []int) {
		at := slices.IndexFunc(list, func(c class) bool { return slices.Equal(c.edges, read) })
		if at < 0 {
			at = len(list)
			list = append(list, class{edges: read})
		}
		list[at].letters = append(list[at].letters, letters)
	})
	g.classes[state] = list
	return list
}

// split divides letters into sets, and calls visit for each. Of some edges, those in read read every letter of the set,
// and the others read none.
func (g *game) split(letters certify.Cube, all []*certify.Edge, some, numbers []int, visit func(letters certify.Cube, read []int)) {
	if g.spend(1+len(some)) != nil {
		return
	}
	var read []int
	for _, i := range some {
		reads, open := all[i].Label.On(letters, numbers)
		if open != 0 { // the label depends on one more proposition
			g.split(letters.And(certify.Cube{Neg: open}), all, some, numbers, visit)
			g.split(letters.And(certify.Cube{Pos: open}), all, some, numbers, visit)
			return
		}
		if reads {
			read = append(read, i)
		}
	}
	visit(letters, read)
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
		x := slices.Clone(z) // the largest fixpoint: what is outside of z is lost in the end
		for shrunk := true; shrunk; {
			shrunk = false
			for at, in := range x {
				if err := cmp.Or(g.err, g.ctx.Err()); err != nil {
					return y, err
				}
				// Some demand has no answer.
				if p := g.positions[at]; in && !y.won[at] && !g.every(p, func(e *leftEdge, c *class) bool {
					return g.some(p, e, c, func(a answer) bool {
						return a.sees&(1<<j) != 0 && z[a.next] || y.won[a.next] || x[a.next] && e.waits(way)
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
