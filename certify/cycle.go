package certify

import (
	"context"
	"slices"
)

// cycle reports whether some closed walk along the arcs, between nodes numbered from 0, sees
// marks that satisfy c. Such a walk stays within one strongly connected component.
func cycle(ctx context.Context, nodes int, arcs []arc, c *Condition) (bool, error) {
	of, count := components(nodes, arcs)
	for _, part := range inner(of, count, arcs) {
		if len(part) == 0 {
			continue
		}
		if found, err := walk(ctx, part, c); found || err != nil {
			return found, err
		}
	}
	return false, ctx.Err()
}

// walk does the same for the arcs of one component.
//
// The walk along all arcs sees everything. If that satisfies c, we are done. If not, some
// part of c fails because of a Fin: a good walk either avoids what that Fin forbids, or it
// satisfies c without that Fin. Take Fin(0) & Inf(1) | Inf(2) in a component that sees 0 and
// 1: first the arcs with mark 0 are removed and what remains is searched; then Inf(1) alone
// is not enough, as Fin(0) has become false.
func walk(ctx context.Context, arcs []arc, c *Condition) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	carriers := map[int]int{} // of a mark: how many arcs have it
	for _, a := range arcs {
		for i, mark := range a.marks {
			if !slices.Contains(a.marks[:i], mark) {
				carriers[mark]++
			}
		}
	}
	// Without an arc that carries it, a mark is never seen: Inf of it fails, and Fin of it holds.
	c = replace(c, func(leaf *Condition) *Condition {
		seen := carriers[leaf.Mark] > 0
		if leaf.Complement {
			seen = carriers[leaf.Mark] < len(arcs)
		}
		switch {
		case seen:
			return leaf
		case leaf.Op == Fin:
			return &Condition{Op: Always}
		}
		return &Condition{Op: Never}
	})
	if full(c) {
		return true, nil
	}
	if c.Op == AnyOf {
		for _, arg := range c.Args {
			if found, err := walk(ctx, arcs, arg); found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	fin := failing(c)
	if fin == nil {
		return false, nil
	}
	rest, nodes := numbered(slices.DeleteFunc(slices.Clone(arcs), func(a arc) bool { return sees(a, fin) }))
	if found, err := cycle(ctx, nodes, rest, c); found || err != nil {
		return found, err
	}
	return walk(ctx, arcs, replace(c, func(leaf *Condition) *Condition {
		if leaf.Op == Fin && leaf.Mark == fin.Mark && leaf.Complement == fin.Complement {
			return &Condition{Op: Never}
		}
		return leaf
	}))
}

// sees reports whether the arc has what the leaf speaks of.
func sees(a arc, leaf *Condition) bool { return slices.Contains(a.marks, leaf.Mark) != leaf.Complement }

// replace returns c with other leaves, and without constants in conjunctions and
// disjunctions.
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
	switch len(args) {
	case 0:
		return &Condition{Op: unit}
	case 1:
		return args[0]
	}
	return &Condition{Op: c.Op, Args: args}
}

// negation returns the condition that holds where c does not.
func negation(c *Condition) *Condition {
	n := &Condition{Op: [...]CondOp{Never: Always, Always: Never, Inf: Fin, Fin: Inf, AllOf: AnyOf, AnyOf: AllOf}[c.Op],
		Mark: c.Mark, Complement: c.Complement}
	for _, arg := range c.Args {
		n.Args = append(n.Args, negation(arg))
	}
	return n
}

// full reports whether c holds if everything that it speaks of is seen infinitely often.
func full(c *Condition) bool {
	switch c.Op {
	case Always, Inf:
		return true
	case AllOf:
		return !slices.ContainsFunc(c.Args, func(arg *Condition) bool { return !full(arg) })
	case AnyOf:
		return slices.ContainsFunc(c.Args, full)
	}
	return false
}

// failing returns a Fin in a part of c that fails. If no such Fin exists, it returns nil, and
// c fails whatever is avoided.
func failing(c *Condition) *Condition {
	if c.Op == Fin {
		return c
	}
	for _, arg := range c.Args {
		if c.Op == AllOf && full(arg) {
			continue
		}
		if fin := failing(arg); fin != nil || c.Op == AllOf {
			return fin
		}
	}
	return nil
}

// Live returns which states of an automaton, if it is not alternating, have an accepting run.
func (a *Automaton) Live(ctx context.Context) ([]bool, error) {
	var arcs []arc
	for _, e := range a.List() {
		arcs = append(arcs, arc{e.From, e.To[0], e.Marks})
	}
	of, count := components(a.States, arcs)
	good, exits := make([]bool, count), make([][]int, count)
	for _, e := range arcs {
		exits[of[e.from]] = append(exits[of[e.from]], of[e.to])
	}
	for i, part := range inner(of, count, arcs) { // what a component leads to has a smaller number
		good[i] = slices.ContainsFunc(exits[i], func(j int) bool { return good[j] })
		if !good[i] && len(part) > 0 {
			var err error
			if good[i], err = walk(ctx, part, a.Acceptance); err != nil {
				return nil, err
			}
		}
	}
	live := make([]bool, a.States)
	for s, i := range of {
		live[s] = good[i]
	}
	return live, ctx.Err()
}

// inner returns the arcs within each component.
func inner(of []int, count int, arcs []arc) [][]arc {
	parts := make([][]arc, count)
	for _, a := range arcs {
		if i := of[a.from]; i == of[a.to] {
			parts[i] = append(parts[i], a)
		}
	}
	return parts
}

// numbered returns the arcs with their nodes numbered from 0, and how many nodes there are.
func numbered(arcs []arc) (list []arc, nodes int) {
	var places numbering[int]
	list = slices.Clone(arcs)
	for i, a := range arcs {
		list[i].from, list[i].to = places.of(a.from), places.of(a.to)
	}
	return list, len(places.list)
}

// components returns for each node the number of its strongly connected component, and how many
// there are. A component has a greater number than those that it leads to.
//
// Nodes are numbered as a depth-first search comes to them. Those on the list are in no component yet.
// When the search leaves a node, its component is what follows it on the list, unless some node there
// leads to a smaller number on the list (Tarjan 1972). With 0→1, 1→2, 2→1, that is {1 2}, and then {0}.
// The searches use internal/scc; this package shares no code with them.
func components(nodes int, arcs []arc) (of []int, count int) {
	// Node n leads to to[first[n]:first[n+1]].
	first, to := make([]int, nodes+2), make([]int, len(arcs))
	for _, a := range arcs {
		first[a.from+2]++
	}
	for n := range nodes {
		first[n+2] += first[n+1]
	}
	for _, a := range arcs {
		to[first[a.from+1]] = a.to
		first[a.from+1]++
	}
	next := slices.Clone(first)
	least := make([]int, nodes) // 0 for a new node; the smallest number that is known to be reached
	of = make([]int, nodes)
	var path, list []int
	last := 0
	for root := range nodes {
		if least[root] == 0 {
			path = append(path, root)
		}
		for len(path) > 0 {
			n := path[len(path)-1]
			if least[n] == 0 {
				last++
				least[n] = last
				list = append(list, n)
			}
			if next[n] < first[n+1] {
				if m := to[next[n]]; least[m] == 0 {
					path = append(path, m)
				}
				next[n]++
				continue
			}
			path = path[:len(path)-1]
			own := least[n]
			for _, m := range to[first[n]:first[n+1]] {
				least[n] = min(least[n], least[m])
			}
			if least[n] < own {
				continue
			}
			for m := -1; m != n; list = list[:len(list)-1] {
				m = list[len(list)-1]
				of[m], least[m] = count, nodes+1 // no longer on the list
			}
			count++
		}
	}
	return of, count
}
