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
	c = without(arcs, c)
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
	rest := slices.DeleteFunc(slices.Clone(arcs), func(a arc) bool { return sees(a, fin) })
	rest, nodes := numbered(rest)
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

// without returns what c means where nothing is seen but what the arcs have.
func without(arcs []arc, c *Condition) *Condition {
	carriers := map[int]int{} // of a mark: how many arcs have it
	for _, a := range arcs {
		for i, mark := range a.marks {
			if !slices.Contains(a.marks[:i], mark) {
				carriers[mark]++
			}
		}
	}
	return replace(c, func(leaf *Condition) *Condition {
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
}

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
	switch c.Op {
	case Fin:
		return c
	case AllOf:
		for _, arg := range c.Args {
			if !full(arg) {
				return failing(arg)
			}
		}
	case AnyOf:
		for _, arg := range c.Args {
			if fin := failing(arg); fin != nil {
				return fin
			}
		}
	}
	return nil
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
// there are. Two nodes are in one component if each can reach the other (Kosaraju's two searches).
// A component has a smaller number than those that it leads to.
func components(nodes int, arcs []arc) (of []int, count int) {
	forward := grouped(nodes, arcs, func(a *arc) (int, int) { return a.from, a.to })
	backward := grouped(nodes, arcs, func(a *arc) (int, int) { return a.to, a.from })
	of = make([]int, nodes)
	for n := range of {
		of[n] = n
	}
	finished := make([]int, 0, nodes)
	visit(forward, of, func(_, n int) { finished = append(finished, n) })
	slices.Reverse(finished)
	last := -1
	visit(backward, finished, func(root, n int) {
		if root != last {
			last = root
			count++
		}
		of[n] = count - 1
	})
	return of, count
}

// neighbors are lists of nodes, one for each node, one after the other: that of node n is
// all[first[n]:first[n+1]].
type neighbors struct{ first, all []int }

// grouped returns for each node those that its arcs lead to. An arc leads from the first node that
// ends returns to the second.
func grouped(nodes int, arcs []arc, ends func(*arc) (from, to int)) neighbors {
	first, all := make([]int, nodes+2), make([]int, len(arcs))
	for i := range arcs {
		from, _ := ends(&arcs[i])
		first[from+2]++
	}
	for n := range nodes {
		first[n+2] += first[n+1]
	}
	// Now first[n+1] is where the list of n starts, and grows to where it ends.
	for i := range arcs {
		from, to := ends(&arcs[i])
		all[first[from+1]] = to
		first[from+1]++
	}
	return neighbors{first, all}
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

// visit searches depth first from each root in turn, and calls leave with the root when all
// that can be reached from a node has been visited.
func visit(successors neighbors, roots []int, leave func(root, n int)) {
	seen := make([]bool, len(roots))
	next := slices.Clone(successors.first) // of a node: where the successors are that have not been looked at
	for _, root := range roots {
		if seen[root] {
			continue
		}
		seen[root] = true
		for stack := []int{root}; len(stack) > 0; {
			n := stack[len(stack)-1]
			if next[n] == successors.first[n+1] {
				stack = stack[:len(stack)-1]
				leave(root, n)
				continue
			}
			m := successors.all[next[n]]
			next[n]++
			if !seen[m] {
				seen[m] = true
				stack = append(stack, m)
			}
		}
	}
}
