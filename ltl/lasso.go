package ltl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Holds reports whether the formula is true at the start of a lasso word. The word has
// prefix+cycle positions, and position prefix again follows the last one; cycle is at least 1.
// Holds calls value once for each proposition and position; without it, propositions are false.
//
// It evaluates every subformula at all positions, operands first. For a least or greatest fixpoint
// (U, M, F and R, W, G), two backward passes are enough. The first starts from the bottom or top
// element and gives the value at the start of the cycle. The second starts from that value. For F b
// on cycle{!b; b; !b}, the first pass gives true, true, false, and the second one true, true, true.
//
// Past operators take one forward pass. They can distinguish the first h rounds of the cycle,
// where h is the formula's PastDepth, and no later ones (Schuppan and Biere 2005, Lemma 2;
// Laroussinie, Markey and Schnoebelen 2002). So the cycle is unrolled h+1 times, and the last
// round repeats. Time and memory are proportional to |f|·(prefix+(h+1)·cycle).
//
// For {r}, {r}<>->f and {r}[]->f, it searches the graph of the positions and the states of an
// automaton of r, which may have exponentially many. Holds fails with ErrLarge if these are too
// many, and not for other formulas.
func (f *Formula) Holds(prefix, cycle int, value func(prop string, pos int) bool) (bool, error) {
	t, err := f.evaluate(prefix, cycle, value)
	return err == nil && t.Holds(len(t.Subformulas)-1, 0), err
}

// evaluate does the work of Holds.
func (f *Formula) evaluate(prefix, cycle int, value func(prop string, pos int) bool) (*Truths, error) {
	if prefix < 0 || cycle < 1 {
		return nil, fmt.Errorf("a word of %d letters and a cycle of %d: expected at least 0 and 1", prefix, cycle)
	}
	if value == nil {
		value = func(string, int) bool { return false }
	}
	letters := prefix + cycle
	prefix += f.PastDepth() * cycle // past operators may distinguish so many rounds
	n := prefix + cycle
	subs, number := f.numbered()
	values := make([]bool, n*len(subs))
	row := func(g *Formula) []bool {
		if g == nil {
			return nil
		}
		i := int(number.get(g))
		return values[(i-1)*n : i*n : i*n]
	}
	// fill makes the letters of later rounds repeat the first ones.
	fill := func(r []bool, prop string) {
		for p := range letters {
			r[p] = value(prop, p)
		}
		for p := letters; p < n; p++ {
			r[p] = r[p-cycle]
		}
	}
	var x *bindings
	if f.ops.HasPSL() {
		x = newBindings(prefix, cycle, make(map[string][]bool))
		for _, prop := range f.Props() {
			x.truths[prop] = make([]bool, n)
			fill(x.truths[prop], prop)
		}
	}
	for _, g := range subs {
		r, a, b := row(g), row(g.left), row(g.right)
		switch g.op {
		case OpFalse: // as rows begin
		case OpTrue:
			for p := range r {
				r[p] = true
			}
		case OpProp:
			if x != nil {
				copy(r, x.truths[g.name])
			} else {
				fill(r, g.name)
			}
		case OpNot:
			for p := range r {
				r[p] = !a[p]
			}
		case OpAnd:
			for p := range r {
				r[p] = a[p] && b[p]
			}
		case OpOr:
			for p := range r {
				r[p] = a[p] || b[p]
			}
		case OpImplies:
			for p := range r {
				r[p] = !a[p] || b[p]
			}
		case OpEquiv:
			for p := range r {
				r[p] = a[p] == b[p]
			}
		case OpXor:
			for p := range r {
				r[p] = a[p] != b[p]
			}
		case OpNext:
			copy(r, a[1:])
			r[n-1] = a[prefix] // the next round
		case OpFinally:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return a[p] || next })
		case OpGlobally:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return a[p] && next })
		case OpUntil:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpWeakUntil:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] || a[p] && next })
		case OpRelease:
			fixpoint(r, prefix, true, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		case OpStrongRelease:
			fixpoint(r, prefix, false, func(p int, next bool) bool { return b[p] && (a[p] || next) })
		case OpYesterday:
			copy(r[1:], a) // false at the first position
		case OpWeakYesterday:
			copy(r[1:], a)
			r[0] = true
		case OpOnce:
			history(r, false, func(p int, last bool) bool { return a[p] || last })
		case OpHistorically:
			history(r, true, func(p int, last bool) bool { return a[p] && last })
		case OpSince:
			history(r, false, func(p int, last bool) bool { return b[p] || a[p] && last })
		case OpTriggered:
			history(r, true, func(p int, last bool) bool { return b[p] && (a[p] || last) })
		case OpClosure, OpSuffixConjunction, OpSuffixImplication:
			if err := x.evaluate(g, r, a); err != nil {
				return nil, err
			}
		}
	}
	return &Truths{Prefix: prefix, Cycle: cycle, Subformulas: subs, values: values}, nil
}

// fixpoint fills r with the least solution (if start is false) or the greatest
// (if it is true) of r[p] = step(p, r at the position after p).
func fixpoint(r []bool, prefix int, start bool, step func(p int, next bool) bool) {
	next := start
	for p := len(r) - 1; p >= prefix; p-- { // the value after the end of the cycle
		next = step(p, next)
	}
	for p := len(r) - 1; p >= 0; p-- {
		next = step(p, next)
		r[p] = next
	}
}

// history fills r with the solution of r[p] = step(p, r at the position before p),
// where start stands for what is before the first position.
func history(r []bool, start bool, step func(p int, last bool) bool) {
	last := start
	for p := range r {
		last = step(p, last)
		r[p] = last
	}
}

// Truths has the truth of each subformula of a formula at each position of a lasso word.
// Position Prefix+Cycle is position Prefix again.
type Truths struct {
	Prefix, Cycle int
	Subformulas   []*Formula // distinct ones, operands before what they are operands of
	values        []bool     // of subformula i at position p: i*(Prefix+Cycle)+p
}

// Holds reports whether subformula i is true at position pos. It is false if there is none.
func (t *Truths) Holds(i, pos int) bool {
	k := i*(t.Prefix+t.Cycle) + pos
	return uint(k) < uint(len(t.values)) && t.values[k]
}

// Truths evaluates the formula as Holds does. It returns the truth of all subformulas at all
// positions, operands first. If past operators distinguish the first rounds of the cycle,
// these rounds become positions of the prefix. Letters of expressions are no subformulas.
func (f *Formula) Truths(prefix, cycle int, value func(prop string, pos int) bool) (*Truths, error) {
	t, err := f.evaluate(prefix, cycle, value)
	if err != nil {
		return nil, err
	}
	// Rounds that are like the next one are left out.
	rounds := 0
	for t.Prefix-rounds*cycle > prefix && t.alike(t.Prefix-(rounds+1)*cycle) {
		rounds++
	}
	order := make([]int, len(t.Subformulas))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(t.Subformulas[i].size, t.Subformulas[j].size) })
	u := &Truths{Prefix: t.Prefix - rounds*cycle, Cycle: cycle}
	for _, i := range order {
		u.Subformulas = append(u.Subformulas, t.Subformulas[i])
		for p := range u.Prefix + cycle {
			u.values = append(u.values, t.Holds(i, p))
		}
	}
	return u, nil
}

// alike reports whether the round of the cycle that starts at a position is like that behind it.
func (t *Truths) alike(pos int) bool {
	for i := range t.Subformulas {
		for p := pos; p < pos+t.Cycle; p++ {
			if t.Holds(i, p) != t.Holds(i, p+t.Cycle) {
				return false
			}
		}
	}
	return true
}

// ErrLarge reports an expression that has too many states to be evaluated on a word.
var ErrLarge = errors.New("regular expression too large to be evaluated on a word")

// maxMatching bounds the steps that the expressions of a formula may take on a word: a fraction of
// a second, and some hundred megabytes at worst.
const maxMatching = 1 << 20

// An allowance counts the steps that are left. Once it is used up, results mean nothing.
type allowance struct{ left int }

// Spend counts n steps, and reports whether that is more than were left.
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
	truths  map[string][]bool   // by proposition and position
	letters []*derivation[bool] // by position
}

func newBindings(prefix, cycle int, truths map[string][]bool) *bindings {
	x := &bindings{allowance: allowance{maxMatching}, store: NewStore(), prefix: prefix, truths: truths}
	first := newDerivation(x.store, oneLetter{})
	for p := range prefix + cycle {
		d := *first // shares unions: equal terms give equal expressions at all positions
		d.labels = oneLetter{&x.allowance, func(prop string) bool { return truths[prop][p] }}
		d.known = make(map[*SERE][]derivative[bool])
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
		for _, d := range x.letters[nodes[i].pos].of(nodes[i].left) {
			if x.Spend(1) || live != nil && !live[d.Rest] {
				continue // no word of r can be completed
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
	d := newDerivation(x.store, newDiagrams(&x.allowance))
	d.unions = x.letters[0].unions // equal terms give the same expressions there
	list, number := []*SERE{r}, map[*SERE]int{r: 0}
	from := [][]int{nil}
	for i := 0; i < len(list) && x.left >= 0; i++ {
		for _, y := range d.of(list[i]) {
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
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !reaches[i] {
			reaches[i] = true
			todo = append(todo, from[i]...)
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
		x, y := made[g.left], made[g.right] // 0 for the constant, too
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
		low[i], high[i] = k, k // k does not depend on the proposition
		if n := d.nodes[k]; n.prop == top {
			low[i], high[i] = n.low, n.high
		}
	}
	r = d.node(diagramNode{top, d.choose(low[0], low[1], low[2]), d.choose(high[0], high[1], high[2])})
	d.chosen[key] = r
	return r
}

func (d *diagrams) node(n diagramNode) int {
	if n.low == n.high { // the proposition makes no difference
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
