package ltl

// bindings evaluate {r}, {r}<>->f and {r}[]->f on a word. A node of their graph is a position and a
// state of a matcher of r, before the letter at this position is read. A word of r ends at a
// position where a letter leads to an accepting state.
type bindings struct {
	*matchers
	prefix, cycle int
	letters       int // positions from here on repeat those one round before
	value         func(prop string, pos int) bool
	props         map[*Formula][]bool // by proposition and position
	live          map[matcher][]bool
}

func newBindings(prefix, cycle, letters int, value func(prop string, pos int) bool) *bindings {
	return &bindings{newMatchers(), prefix, cycle, letters, value,
		make(map[*Formula][]bool), make(map[matcher][]bool)}
}

// evaluate fills r with the truth of g, given that of its operand.
func (x *bindings) evaluate(g *Formula, r, operand []bool) error {
	m := x.of(g.sere)
	var live []bool
	if g.op == OpClosure {
		live = x.liveStates(m)
	}
	if x.left < 0 {
		return ErrLarge
	}
	n := x.explore(m, live)
	switch g.op {
	case OpClosure:
		// All prefixes can be continued to a word of g.sere if there is an infinite path through
		// states that can still reach an accepting one (König's lemma).
		good := n.backward(func(end int) bool { return true })
		endless := n.endless()
		for p := range r {
			r[p] = good[p] || endless[p]
		}
	case OpSuffixConjunction:
		copy(r, n.backward(func(end int) bool { return operand[end] }))
	case OpSuffixImplication:
		bad := n.backward(func(end int) bool { return !operand[end] })
		for p := range r {
			r[p] = !bad[p]
		}
	}
	if x.left < 0 {
		return ErrLarge
	}
	return nil
}

// nodes is the graph that is reached from the initial state of a matcher at each position: node p
// is that at position p.
type nodes struct {
	pos  []int32   // by node
	ends []bool    // by node: a word ends with the letter there
	from [][]int32 // by node: the nodes with an edge to it
	out  []int32   // by node: the number of edges from it
}

// explore returns the graph, with states that are live only, unless live is nil.
func (x *bindings) explore(m matcher, live []bool) *nodes {
	size := x.prefix + x.cycle
	type node struct{ pos, state int32 }
	var list []node
	number := make(map[node]int32)
	n := &nodes{}
	of := func(k node) int32 {
		i, ok := number[k]
		if !ok {
			i = int32(len(list))
			number[k] = i
			list = append(list, k)
			n.pos, n.ends, n.out = append(n.pos, k.pos), append(n.ends, false), append(n.out, 0)
			n.from = append(n.from, nil)
			x.spend(4) // for the memory
		}
		return i
	}
	for p := range size {
		of(node{pos: int32(p)})
	}
	for i := int32(0); int(i) < len(list) && x.left >= 0; i++ {
		k := list[i]
		next := int(k.pos) + 1
		if next == size {
			next = x.prefix
		}
		for _, e := range m.moves(k.state) {
			if x.spend(1) || !x.allows(e.on, int(k.pos)) || live != nil && !live[e.to] {
				continue
			}
			n.ends[i] = n.ends[i] || m.accepts(e.to)
			j := of(node{int32(next), e.to})
			n.from[j] = append(n.from[j], i)
			n.out[i]++
		}
	}
	return n
}

// backward returns for each node whether a path from it leads to the end of a word at a position
// that is wanted.
func (n *nodes) backward(wanted func(end int) bool) []bool {
	reaches := make([]bool, len(n.pos))
	var todo []int32
	for i, end := range n.ends {
		if end && wanted(int(n.pos[i])) {
			reaches[i] = true
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range n.from[i] {
			if !reaches[j] {
				reaches[j] = true
				todo = append(todo, j)
			}
		}
	}
	return reaches
}

// endless returns for each node whether an infinite path starts there.
func (n *nodes) endless() []bool {
	endless := make([]bool, len(n.pos))
	var todo []int32
	for i, out := range n.out {
		if endless[i] = out > 0; out == 0 {
			todo = append(todo, int32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range n.from[i] {
			if n.out[j]--; n.out[j] == 0 {
				endless[j] = false
				todo = append(todo, j)
			}
		}
	}
	return endless
}

// allows reports whether the letter at a position is in a guard.
func (x *bindings) allows(on guard, pos int) bool {
	if on == noLetter {
		return false
	}
	for _, l := range x.guards.lists[on] {
		if x.holds(x.guards.letters[l/2], pos) != (l&1 == 0) {
			return false
		}
	}
	return true
}

// holds returns the truth of a Boolean formula at a position.
func (x *bindings) holds(f *Formula, pos int) bool {
	switch f.op {
	case OpFalse, OpTrue:
		return f.op == OpTrue
	case OpProp:
		return x.row(f)[pos]
	case OpNot:
		return !x.holds(f.left, pos)
	}
	x.spend(1)
	return connect(f.op, x.holds(f.left, pos), x.holds(f.right, pos))
}

// row returns the truth of a proposition at each position.
func (x *bindings) row(f *Formula) []bool {
	r, ok := x.props[f]
	if !ok {
		r = make([]bool, x.prefix+x.cycle)
		for p := range x.letters {
			r[p] = x.value(f.name, p)
		}
		for p := x.letters; p < len(r); p++ {
			r[p] = r[p-x.cycle]
		}
		x.props[f] = r
	}
	return r
}

// liveStates returns which states of a matcher can reach an accepting one, by any letters.
func (x *bindings) liveStates(m matcher) []bool {
	if live, ok := x.live[m]; ok {
		return live
	}
	var from [][]int32
	grow := func(s int32) {
		for int(s) >= len(from) {
			from = append(from, nil)
		}
	}
	grow(0)
	for s := int32(0); int(s) < len(from) && x.allowance.left >= 0; s++ {
		for _, e := range m.moves(s) {
			if !x.spend(1) && x.guards.possible(e.on) {
				grow(e.to)
				from[e.to] = append(from[e.to], s)
			}
		}
	}
	live := make([]bool, len(from))
	var todo []int32
	for s := range live {
		if m.accepts(int32(s)) {
			live[s] = true
			todo = append(todo, int32(s))
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range from[s] {
			if !live[q] {
				live[q] = true
				todo = append(todo, q)
			}
		}
	}
	x.live[m] = live
	return live
}
