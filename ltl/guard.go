package ltl

import (
	"encoding/binary"
	"slices"
)

// A guard is a set of letters: the number of a list of literals, which must all hold. A literal is
// a Boolean formula or its negation.
type guard int32

const (
	noLetter  guard = -1
	anyLetter guard = 0 // no literals
)

// A literal is twice the number of a formula, or one more for its negation.
type literal int32

// guards makes guards, each only once.
type guards struct {
	*allowance
	letters []*Formula
	place   map[*Formula]literal
	lists   [][]literal // ascending
	number  map[string]guard
	both    map[[2]guard]guard
	met     map[guard]bool // by guard: is it possible?
}

func newGuards(a *allowance) *guards {
	g := &guards{
		allowance: a, place: make(map[*Formula]literal), number: make(map[string]guard),
		both: make(map[[2]guard]guard), met: make(map[guard]bool),
	}
	g.list(nil) // anyLetter
	return g
}

// letter returns the guard of a Boolean formula.
func (g *guards) letter(f *Formula) guard {
	switch f.op {
	case OpTrue:
		return anyLetter
	case OpFalse:
		return noLetter
	}
	neg := literal(0)
	for ; f.op == OpNot; f = f.left {
		neg ^= 1
	}
	l, ok := g.place[f]
	if !ok {
		l = literal(2 * len(g.letters))
		g.letters = append(g.letters, f)
		g.place[f] = l
	}
	return g.literal(l | neg)
}

func (g *guards) literal(l literal) guard { return g.list([]literal{l}) }

func (g *guards) list(list []literal) guard {
	key := make([]byte, 0, 4*len(list))
	for _, l := range list {
		key = binary.LittleEndian.AppendUint32(key, uint32(l))
	}
	n, ok := g.number[string(key)]
	if !ok {
		g.spend(8 + len(list))
		n = guard(len(g.lists))
		g.number[string(key)] = n
		g.lists = append(g.lists, list)
	}
	return n
}

// and returns the guard that allows what both allow.
func (g *guards) and(x, y guard) guard {
	switch {
	case x == noLetter || y == noLetter:
		return noLetter
	case x == y || y == anyLetter:
		return x
	case x == anyLetter:
		return y
	}
	key := [2]guard{min(x, y), max(x, y)}
	if z, ok := g.both[key]; ok {
		return z
	}
	list := slices.Concat(g.lists[x], g.lists[y])
	slices.Sort(list)
	list = slices.Compact(list)
	z := noLetter
	if !contradictory(list) {
		z = g.list(list)
	}
	g.spend(4 + len(list))
	g.both[key] = z
	return z
}

// contradictory reports whether an ascending list has a literal and its negation.
func contradictory(list []literal) bool {
	for i := 1; i < len(list); i++ {
		if list[i] == list[i-1]^1 {
			return true
		}
	}
	return false
}

// undecided returns a literal of y of which x leaves open whether it holds, if y is possible beside
// x.
func (g *guards) undecided(x, y guard) (l literal, ok bool) {
	both := g.and(x, y)
	if both == noLetter || both == x {
		return 0, false
	}
	for _, l := range g.lists[y] {
		if _, found := slices.BinarySearch(g.lists[x], l); !found {
			return l, true
		}
	}
	return 0, false
}

// possible reports whether a guard allows any letter, by trying values of the propositions.
func (g *guards) possible(x guard) bool {
	if x == noLetter || x == anyLetter {
		return x == anyLetter
	}
	p, ok := g.met[x]
	if !ok {
		p = g.satisfiable(g.lists[x], make(map[*Formula]bool))
		g.met[x] = p
	}
	return p
}

func (g *guards) satisfiable(list []literal, value map[*Formula]bool) bool {
	var open *Formula
	for _, l := range list {
		if g.spend(1) {
			return false
		}
		v, p := g.value(g.letters[l/2], value)
		switch {
		case p != nil:
			open = p
		case v == (l&1 != 0):
			return false
		}
	}
	if open == nil {
		return true
	}
	defer delete(value, open)
	for _, v := range []bool{false, true} {
		value[open] = v
		if g.satisfiable(list, value) {
			return true
		}
	}
	return false
}

// value returns the value of a Boolean formula, or a proposition that it depends on.
func (g *guards) value(f *Formula, value map[*Formula]bool) (v bool, open *Formula) {
	if f.op == OpProp {
		v, ok := value[f]
		if !ok {
			return false, f
		}
		return v, nil
	}
	if f.left == nil || g.spend(1) {
		return f.op == OpTrue, nil
	}
	a, openA := g.value(f.left, value)
	if f.op == OpNot {
		return !a, openA
	}
	b, openB := g.value(f.right, value)
	switch {
	case openA == nil && openB == nil:
		return connect(f.op, a, b), nil
	case openA == nil && connect(f.op, a, false) == connect(f.op, a, true):
		return connect(f.op, a, false), nil
	case openB == nil && connect(f.op, false, b) == connect(f.op, true, b):
		return connect(f.op, false, b), nil
	case openA == nil:
		return false, openB
	}
	return false, openA
}

// connect returns the value of a binary Boolean operator.
func connect(op Op, a, b bool) bool {
	switch op {
	case OpAnd:
		return a && b
	case OpOr:
		return a || b
	case OpImplies:
		return !a || b
	case OpEquiv:
		return a == b
	}
	return a != b // OpXor
}
