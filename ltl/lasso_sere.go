package ltl

import "errors"

// ErrLarge reports an expression that has too many states to be evaluated on a word.
var ErrLarge = errors.New("regular expression too large to be evaluated on a word")

// maxMatching bounds the steps that the expressions of a formula may take on a word: a fraction of
// a second, and some hundred megabytes at worst.
const maxMatching = 1 << 20

// An allowance counts the steps that are left. Once it is used up, results mean nothing.
type allowance struct{ left int }

// Spend counts steps, and reports whether there are none left.
func (a *allowance) Spend(n int) bool {
	a.left = max(a.left-n, -1)
	return a.left < 0
}

// oneLetter is the algebra of sets of letters in which all that counts of a set is whether it has a
// certain letter.
type oneLetter struct {
	*allowance // nil: unlimited
	value      func(prop string) bool
}

func (l oneLetter) Letter(f *Formula) bool {
	if f.op == OpProp {
		return l.value(f.name)
	}
	holds, err := f.Holds(0, 1, func(prop string, _ int) bool { return l.value(prop) })
	return holds && err == nil
}
func (oneLetter) And(x, y bool) bool { return x && y }
func (oneLetter) Or(x, y bool) bool  { return x || y }
func (oneLetter) Not(x bool) bool    { return !x }
func (l oneLetter) Spend(n int) bool { return l.allowance != nil && l.allowance.Spend(n) }

// bindings evaluate {r}, {r}<>->f and {r}[]->f on a word. A node of their graph is a position and
// what is left of r before the letter at this position is read. A word of r ends at a position if
// what is left after the letter has the empty word. For {a;b[*];c} on cycle{a; b; c}:
//
//	0: a;b[*];c  ->  1: b[*];c  ->  2: b[*];c  ->  0: [*0], a word ends at 2
type bindings struct {
	allowance
	store   *Store // with the expressions and what is left of them
	prefix  int
	truths  map[string][]bool  // by proposition and position
	letters []*Derivation[bool] // by position
}

func newBindings(prefix, cycle int, truths map[string][]bool) *bindings {
	x := &bindings{allowance: allowance{maxMatching}, store: NewStore(), prefix: prefix, truths: truths}
	first := NewDerivation(x.store, oneLetter{})
	for p := range prefix + cycle {
		d := *first // shares unions: equal terms give equal expressions at all positions
		d.labels = oneLetter{&x.allowance, func(prop string) bool { return truths[prop][p] }}
		d.known = make(map[*SERE][]Derivative[bool])
		x.letters = append(x.letters, &d)
	}
	return x
}

// evaluate fills r with the truth of g at each position, given the truth of its operand.
func (x *bindings) evaluate(g *Formula, r, operand []bool) error {
	sere := x.rightNested(g.sere, make(map[*SERE]*SERE))
	var live map[*SERE]bool
	if g.op == OpClosure {
		live = x.live(sere)
	}
	// The graph that is reached from r at each position: node p is the start at position p.
	type node struct {
		pos  int
		left *SERE
	}
	var nodes []node
	var ends []bool  // by node: a word ends with the letter there
	var out []int    // by node: the number of edges from it
	var from [][]int // by node: the nodes with an edge to it
	number := make(map[node]int)
	numberOf := func(k node) int {
		i, ok := number[k]
		if !ok {
			i = len(nodes)
			number[k] = i
			nodes, ends, out, from = append(nodes, k), append(ends, false), append(out, 0), append(from, nil)
			x.Spend(4) // for the memory
		}
		return i
	}
	for p := range r {
		numberOf(node{p, sere})
	}
	for i := 0; i < len(nodes) && x.left >= 0; i++ {
		next := nodes[i].pos + 1
		if next == len(r) {
			next = x.prefix
		}
		for _, d := range x.letters[nodes[i].pos].Of(nodes[i].left) {
			if x.Spend(1) || live != nil && !live[d.Rest] {
				continue
			}
			ends[i] = ends[i] || d.Rest.null
			j := numberOf(node{next, d.Rest})
			from[j] = append(from[j], i)
			out[i]++
		}
	}
	if x.left < 0 {
		return ErrLarge
	}
	if g.op == OpClosure {
		// All prefixes can be continued to a word of r if there is an infinite path of expressions
		// that have words (König's lemma). Such a path starts at the nodes that remain when nodes
		// without edges are removed, one after the other.
		copy(r, backward(from, func(i int) bool { return ends[i] }))
		dead := make([]bool, len(nodes))
		var todo []int
		for i := range nodes {
			if out[i] == 0 {
				todo = append(todo, i)
			}
		}
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			dead[i] = true
			for _, j := range from[i] {
				if out[j]--; out[j] == 0 {
					todo = append(todo, j)
				}
			}
		}
		for p := range r {
			r[p] = r[p] || !dead[p]
		}
		return nil
	}
	// {r}[]->f fails where {r}<>->!f holds.
	all := g.op == OpSuffixImplication
	some := backward(from, func(i int) bool { return ends[i] && operand[nodes[i].pos] != all })
	for p := range r {
		r[p] = some[p] != all
	}
	return nil
}

// rightNested returns r with a;{b;c} for {a;b};c. So what is left of a long sequence is part of it.
func (x *bindings) rightNested(r *SERE, made map[*SERE]*SERE) *SERE {
	q, ok := made[r]
	switch {
	case ok:
		return q
	case r.op.Arity() == 0:
		q = x.store.importSERE(r)
	case r.op == SEREConcat:
		list := r.operands(r.op)
		for i := len(list) - 1; i >= 0; i-- {
			if part := x.rightNested(list[i], made); q == nil {
				q = part
			} else {
				q = x.store.concat(part, q)
			}
		}
	default:
		left := x.rightNested(r.left, made)
		var right *SERE
		if r.right != nil {
			right = x.rightNested(r.right, made)
		}
		q = x.store.sereWith(r, left, right)
	}
	made[r] = q
	return q
}

// live returns what can be left of r after any letters and has a word.
func (x *bindings) live(r *SERE) map[*SERE]bool {
	d := NewDerivation(x.store, newDiagrams(&x.allowance))
	d.unions = x.letters[0].unions
	list, number := []*SERE{r}, map[*SERE]int{r: 0}
	from := [][]int{nil}
	for i := 0; i < len(list) && x.left >= 0; i++ {
		for _, y := range d.Of(list[i]) {
			j, ok := number[y.Rest]
			if !ok {
				j = len(list)
				number[y.Rest] = j
				list, from = append(list, y.Rest), append(from, nil)
				x.Spend(4) // for the memory
			}
			from[j] = append(from[j], i)
			x.Spend(1)
		}
	}
	live := make(map[*SERE]bool)
	for i, reaches := range backward(from, func(i int) bool { return list[i].null }) {
		live[list[i]] = reaches
	}
	return live
}

// backward returns from which nodes a path leads to one that is wanted.
func backward(from [][]int, wanted func(i int) bool) []bool {
	reaches := make([]bool, len(from))
	var todo []int
	for i := range from {
		if wanted(i) {
			reaches[i] = true
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, j := range from[i] {
			if !reaches[j] {
				reaches[j] = true
				todo = append(todo, j)
			}
		}
	}
	return reaches
}

// diagrams are sets of letters as binary decision diagrams (Bryant 1986). A diagram is the number of
// its top node. 0 is the empty set, and 1 has all letters.
type diagrams struct {
	*allowance
	nodes  []diagramNode
	number map[diagramNode]int
	chosen map[[3]int]int // results of choose
	props  map[string]int
}

type diagramNode struct{ prop, low, high int }

func newDiagrams(a *allowance) *diagrams {
	end := diagramNode{prop: 1 << 30} // below all propositions
	return &diagrams{a, []diagramNode{end, end}, make(map[diagramNode]int), make(map[[3]int]int), make(map[string]int)}
}

func (d *diagrams) And(x, y int) int { return d.choose(x, y, 0) }
func (d *diagrams) Or(x, y int) int  { return d.choose(x, 1, y) }
func (d *diagrams) Not(x int) int    { return d.choose(x, 0, 1) }

func (d *diagrams) Letter(f *Formula) int {
	made := make(map[*Formula]int)
	for _, g := range f.Subformulas() {
		x, y := made[g.left], made[g.right]
		switch g.op {
		case OpTrue:
			x = 1
		case OpProp:
			p, ok := d.props[g.name]
			if !ok {
				p = len(d.props)
				d.props[g.name] = p
			}
			x = d.node(diagramNode{p, 0, 1})
		case OpNot:
			x = d.Not(x)
		case OpAnd:
			x = d.And(x, y)
		case OpOr:
			x = d.Or(x, y)
		case OpImplies:
			x = d.choose(x, y, 1)
		case OpEquiv:
			x = d.choose(x, y, d.Not(y))
		case OpXor:
			x = d.choose(x, d.Not(y), y)
		}
		made[g] = x
	}
	return made[f]
}

// choose returns the letters of y that are in x, and the letters of z that are not in x.
func (d *diagrams) choose(x, y, z int) int {
	switch {
	case x == 1 || y == z:
		return y
	case x == 0:
		return z
	}
	key := [3]int{x, y, z}
	r, ok := d.chosen[key]
	if ok || d.Spend(4) {
		return r
	}
	top := min(d.nodes[x].prop, d.nodes[y].prop, d.nodes[z].prop)
	var low, high [3]int
	for i, k := range key {
		low[i], high[i] = k, k
		if n := d.nodes[k]; n.prop == top {
			low[i], high[i] = n.low, n.high
		}
	}
	r = d.node(diagramNode{top, d.choose(low[0], low[1], low[2]), d.choose(high[0], high[1], high[2])})
	d.chosen[key] = r
	return r
}

func (d *diagrams) node(n diagramNode) int {
	if n.low == n.high {
		return n.low
	}
	k, ok := d.number[n]
	if !ok {
		k = len(d.nodes)
		d.number[n] = k
		d.nodes = append(d.nodes, n)
	}
	return k
}
