package ltl

// A composed matcher is that of an expression with operands.
type composed struct {
	*matchers
	r        *SERE
	operands []matcher

	number map[part]int32
	parts  []part   // inverse of number
	made   [][]move // by state; nil if not made
	list   []move   // being made
}

// A part is what a state of a composed matcher is made of.
type part struct {
	kind        partKind
	left, right int32  // states of operands
	count       int    // the number of the operand, or of the word of an iteration, that is read
	set         string // of a first match: states of the operand
}

type partKind uint8

const (
	atStart partKind = iota
	inOne            // left, of the operand or word with a number
	inLeft           // only the first operand is read
	inRight          // only the second one
	inBoth
	inSet
	atEnd // accepting, without moves
)

func (x *composed) state(p part) int32 {
	n, ok := x.number[p]
	if !ok {
		n = int32(len(x.parts))
		x.number[p] = n
		x.parts = append(x.parts, p)
		x.made = append(x.made, nil)
		x.spend(8 + len(p.set)/4) // for the memory
	}
	return n
}

// add adds a move to those of the state being expanded.
func (x *composed) add(on guard, p part) {
	if on != noLetter && !x.spend(1) {
		x.list = append(x.list, move{on, x.state(p)})
	}
}

func (x *composed) moves(state int32) []move {
	if x.made[state] == nil {
		x.list = []move{}
		x.expand(x.parts[state])
		x.made[state] = x.list
	}
	return x.made[state]
}

// expand adds the moves of a state.
func (x *composed) expand(p part) {
	switch x.r.op {
	case SEREOr:
		for i, r := range x.operands {
			if p.kind == atStart || p.count == i {
				x.follow(r, p.left, part{kind: inOne, count: i})
			}
		}
	case SEREConcat:
		x.follow(x.operands[p.count], p.left, part{kind: inOne, count: p.count})
		for i := p.count; x.operands[i].accepts(p.left); p.left = 0 {
			if i++; i == len(x.operands) {
				break
			}
			x.follow(x.operands[i], 0, part{kind: inOne, count: i})
		}
	case SEREFusion:
		x.fuse(p)
	case SEREIntersection, SEREAnd:
		x.pair(p)
	case SEREStar:
		x.iterate(p)
	case SEREFusionStar:
		x.chain(p)
	case SEREFirstMatch:
		x.first(p)
	}
}

// follow adds the moves of an operand from a state, each to the part p with its destination.
func (x *composed) follow(in matcher, state int32, p part) {
	for _, m := range in.moves(state) {
		if p.kind == inRight {
			p.right = m.to
		} else {
			p.left = m.to
		}
		x.add(m.on, p)
	}
}

// fuse adds the moves for r:s. A letter may be the last one of r and the first one of s.
func (x *composed) fuse(p part) {
	r, s := x.operands[0], x.operands[1]
	if p.kind == inRight {
		x.follow(s, p.right, p)
		return
	}
	x.follow(r, p.left, part{kind: inLeft})
	for _, m := range r.moves(p.left) {
		if !r.accepts(m.to) {
			continue
		}
		for _, n := range s.moves(0) {
			x.add(x.guards.and(m.on, n.on), part{kind: inRight, right: n.to})
		}
	}
}

// pair adds the moves for r && s and r & s.
func (x *composed) pair(p part) {
	r, s := x.operands[0], x.operands[1]
	switch p.kind {
	case inLeft:
		x.follow(r, p.left, p)
		return
	case inRight:
		x.follow(s, p.right, p)
		return
	}
	right := s.moves(p.right)
	for _, m := range r.moves(p.left) {
		for _, n := range right {
			x.add(x.guards.and(m.on, n.on), part{kind: inBoth, left: m.to, right: n.to})
		}
	}
	if x.r.op == SEREAnd && s.accepts(p.right) {
		x.follow(r, p.left, part{kind: inLeft})
	}
	if x.r.op == SEREAnd && r.accepts(p.left) {
		x.follow(s, p.right, part{kind: inRight})
	}
}

// least returns how many words of r an iteration has at least. Empty words may fill up the number.
func (x *composed) least() int {
	if x.r.op == SEREStar && x.operands[0].accepts(0) {
		return 0
	}
	return x.r.low
}

// after returns the number of the word of r after another one, and whether there may be one.
// Without an upper bound, the numbers stay the same once the lower bound is reached.
func (x *composed) after(count int) (next int, ok bool) {
	if x.r.high == Unbounded {
		return min(count+1, max(1, x.least())), true
	}
	return count + 1, count < x.r.high
}

// iterate adds the moves for r[*i..j]. Words of r that are empty are not counted.
func (x *composed) iterate(p part) {
	r := x.operands[0]
	if p.kind == inOne {
		x.follow(r, p.left, p)
	}
	if next, ok := x.after(p.count); ok && (p.kind == atStart || r.accepts(p.left)) {
		x.follow(r, 0, part{kind: inOne, count: next})
	}
}

// chain adds the moves for r[:*i..j].
func (x *composed) chain(p part) {
	r := x.operands[0]
	switch p.kind {
	case atStart:
		if x.r.low == 0 {
			x.add(anyLetter, part{kind: atEnd})
		}
		x.enter(anyLetter, 0)
	case inOne:
		x.follow(r, p.left, p)
		for _, m := range r.moves(p.left) {
			if r.accepts(m.to) {
				x.enter(m.on, p.count)
			}
		}
	}
}

// enter adds the moves into the word after one with a number, by a letter that a guard allows. The
// letter may end this word as well and start the next one, and so on.
func (x *composed) enter(on guard, count int) {
	type entry struct {
		on    guard
		count int
	}
	r := x.operands[0]
	met := map[entry]bool{}
	for todo := []entry{{on, count}}; len(todo) > 0 && !x.spend(1); {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next, ok := x.after(e.count)
		if !ok || met[e] {
			continue
		}
		met[e] = true
		for _, m := range r.moves(0) {
			both := x.guards.and(e.on, m.on)
			x.add(both, part{kind: inOne, left: m.to, count: next})
			if both != noLetter && r.accepts(m.to) {
				todo = append(todo, entry{both, next})
			}
		}
	}
}

func (x *composed) accepts(state int32) bool {
	p, r := x.parts[state], x.operands[0]
	switch x.r.op {
	case SEREOr:
		for i, r := range x.operands {
			if (p.kind == atStart || p.count == i) && r.accepts(p.left) {
				return true
			}
		}
		return false
	case SEREConcat:
		for _, r := range x.operands[p.count:] {
			if !r.accepts(p.left) {
				return false
			}
			p.left = 0
		}
		return true
	case SEREFusion:
		return p.kind == inRight && x.operands[1].accepts(p.right)
	case SEREIntersection, SEREAnd:
		return (p.kind == inRight || r.accepts(p.left)) &&
			(p.kind == inLeft || x.operands[1].accepts(p.right))
	case SEREStar:
		return p.kind == atStart && x.least() == 0 ||
			p.kind == inOne && p.count >= x.least() && r.accepts(p.left)
	case SEREFusionStar:
		return p.kind == atEnd || p.kind == inOne && p.count >= x.r.low && r.accepts(p.left)
	}
	return p.kind == atEnd || p.kind == atStart && r.accepts(0)
}
