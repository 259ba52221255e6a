package certify

import (
	"context"
	"slices"
)

// live returns for each node, numbered from 0, whether some endless walk from there along the arcs sees
// infinitely often marks that satisfy c.
func live(ctx context.Context, nodes int, arcs []arc, c *Condition) (live []bool, err error) {
	live = make([]bool, nodes)
	parts, _ := components(nodes, arcs)
	for _, part := range parts { // the parts that it leads to come first
		good := slices.ContainsFunc(part.exits, func(n int) bool { return live[n] })
		if !good {
			if good, err = cycle(ctx, part.arcs, c); err != nil {
				return nil, err
			}
		}
		for _, n := range part.nodes {
			live[n] = good
		}
	}
	return live, ctx.Err()
}

// cycle reports whether some closed walk along arcs, all in one component, sees marks that satisfy c.
//
// The walk along all arcs sees everything. If that satisfies c, we are done. If not, take a part of c that
// fails. A good walk satisfies one of its alternatives, or avoids what its Fin forbids. Take Fin(0) &
// Inf(1) | Inf(0) & Fin(1) in a component that sees 0 and 1: both alternatives are tried. For the first,
// arcs with mark 0 are removed, and what remains is searched for a component with Inf(1).
func cycle(ctx context.Context, arcs []arc, c *Condition) (bool, error) {
	if err := ctx.Err(); err != nil || len(arcs) == 0 {
		return false, err
	}
	// Without an arc that carries it, a mark is never seen: Inf of it fails, and Fin of it holds.
	c = replace(c, func(leaf *Condition) *Condition {
		if ctx.Err() != nil || slices.ContainsFunc(arcs, leaf.sees) {
			return leaf
		}
		return &Condition{Op: [...]CondOp{Inf: Never, Fin: Always}[leaf.Op]}
	})
	parts := []*Condition{c}
	if c.Op == AllOf {
		parts = c.Args
	}
	i := slices.IndexFunc(parts, func(part *Condition) bool { return !full(part) })
	if i < 0 {
		return ctx.Err() == nil, ctx.Err()
	}
	others := func(part ...*Condition) *Condition {
		return &Condition{Op: AllOf, Args: slices.Concat(parts[:i], part, parts[i+1:])}
	}
	switch failing := parts[i]; failing.Op {
	case AllOf:
		return cycle(ctx, arcs, others(failing.Args...))
	case AnyOf:
		for _, part := range failing.Args {
			if found, err := cycle(ctx, arcs, others(part)); found || err != nil {
				return found, err
			}
		}
	case Fin:
		var rest []arc
		var places numbering[int]
		for _, a := range arcs {
			if !failing.sees(a) {
				rest = append(rest, arc{places.of(a.from), places.of(a.to), a.left, a.right})
			}
		}
		good, err := live(ctx, len(places.list), rest, others())
		return slices.Contains(good, true), err
	}
	return false, nil
}

// Names reports whether a leaf of a condition speaks of edges with these marks: with its mark, or with
// Complement, without it.
func (c *Condition) Names(marks []int) bool {
	return c != nil && slices.Contains(marks, c.Mark) != c.Complement
}

// sees reports whether the arc has an edge that the leaf speaks of.
func (c *Condition) sees(a arc) bool {
	if c.right {
		return c.Names(a.right.Marks)
	}
	return c.Names(a.left.Marks)
}

// replace returns c with other leaves, and without constants in conjunctions and disjunctions.
func replace(c *Condition, leaf func(*Condition) *Condition) *Condition {
	switch c.Op {
	case Never, Always:
		return c
	case Inf, Fin:
		return leaf(c)
	}
	unit, zero := Always, Never
	if c.Op == AnyOf {
		unit, zero = zero, unit
	}
	var args []*Condition
	for _, arg := range c.Args {
		arg = replace(arg, leaf)
		if arg.Op == zero {
			return arg
		}
		if arg.Op != unit {
			args = append(args, arg)
		}
	}
	if len(args) == 0 {
		return &Condition{Op: unit}
	}
	return &Condition{Op: c.Op, Args: args}
}

// negation returns the condition that holds where c does not.
func negation(c *Condition) *Condition {
	n := *c
	n.Op = [...]CondOp{Never: Always, Always: Never, Inf: Fin, Fin: Inf, AllOf: AnyOf, AnyOf: AllOf}[c.Op]
	n.Args = nil
	for _, arg := range c.Args {
		n.Args = append(n.Args, negation(arg))
	}
	return &n
}

// both returns the condition that left and right edges of arcs satisfy these.
func both(left, right *Condition) *Condition {
	return &Condition{Op: AllOf, Args: []*Condition{left, replace(right, func(leaf *Condition) *Condition {
		r := *leaf
		r.right = true
		return &r
	})}}
}

// full reports whether c holds if everything that it speaks of is seen infinitely often.
func full(c *Condition) bool {
	return replace(c, func(leaf *Condition) *Condition {
		return &Condition{Op: [...]CondOp{Inf: Always, Fin: Never}[leaf.Op]}
	}).Op == Always
}

// Components returns the number of the strongly connected component of each state. No cycle has an edge
// between two of them.
func (a *Automaton) Components() []int {
	if a.component != nil {
		return a.component
	}
	var arcs []arc
	for _, e := range a.List() {
		for _, to := range e.To {
			arcs = append(arcs, arc{from: e.From, to: to})
		}
	}
	_, of := components(a.States, arcs)
	return of
}

// Live returns which states of an automaton, if it is not alternating, have an accepting run.
func (a *Automaton) Live(ctx context.Context) ([]bool, error) {
	if a.live != nil {
		return a.live, nil
	}
	var arcs []arc
	for _, e := range a.List() {
		arcs = append(arcs, arc{e.From, e.To[0], e, nil})
	}
	return live(ctx, a.States, arcs, a.Acceptance)
}

// A component is a strongly connected one, or a node on no cycle: its nodes, the arcs between them, and
// where other arcs lead.
type component struct {
	nodes []int
	arcs  []arc
	exits []int
}

// components returns each component after those that it leads to, and the place of the one of each node.
//
// A depth-first search against the arcs leaves last a node of a component that leads to no other. So a walk
// along the arcs from there reaches just this component, and then the same for the rest (Sharir 1981). With
// 0→1, 1→2, 2→1, the search leaves 0, then 2, then 1. The walk from 1 finds {1 2}, and then the one from 0 {0}.
func components(nodes int, arcs []arc) (list []component, of []int) {
	out, in := make([][]int, nodes), make([][]int, nodes)
	for _, a := range arcs {
		out[a.from], in[a.to] = append(out[a.from], a.to), append(in[a.to], a.from)
	}
	// search returns the nodes that are reached from root and new, in the order in which it leaves them.
	search := func(root int, next [][]int, seen []bool) (left []int) {
		for path := []int{root}; len(path) > 0; {
			n := path[len(path)-1]
			seen[n] = true
			for len(next[n]) > 0 && seen[next[n][0]] {
				next[n] = next[n][1:]
			}
			if len(next[n]) > 0 {
				path = append(path, next[n][0])
			} else {
				path, left = path[:len(path)-1], append(left, n)
			}
		}
		return left
	}
	var order []int
	seen := make([]bool, nodes)
	for n := range nodes {
		if !seen[n] {
			order = append(order, search(n, in, seen)...)
		}
	}
	clear(seen)
	of = make([]int, nodes)
	for _, n := range slices.Backward(order) {
		if !seen[n] {
			members := search(n, out, seen)
			for _, m := range members {
				of[m] = len(list)
			}
			list = append(list, component{nodes: members})
		}
	}
	for _, a := range arcs {
		if part := &list[of[a.from]]; of[a.to] == of[a.from] {
			part.arcs = append(part.arcs, a)
		} else {
			part.exits = append(part.exits, a.to)
		}
	}
	return list, of
}
