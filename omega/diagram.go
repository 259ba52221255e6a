package omega

import "github.com/xcheck-ltl/xcheck/internal/grow"

// A diagram is a reduced ordered binary decision diagram with complemented
// edges (Bryant 1986; Brace, Rudell, Bryant 1990), the labels of an alphabet of
// more than six propositions.
//
// A label is a node's number shifted left by one, plus one if it is the
// complement of the node's function. Node 0 is the constant false, so that
// False is 0, true is 1, and complementing flips the lowest bit. The lo edge
// of a node is never complemented (and then neither is the function's value
// under "everything false"), which makes the form canonical.
type diagram struct {
	nodes  []ddNode
	unique []int32 // open addressing; 0 is a free place (node 0 is never looked up)
	cache  []ddCached
	facts  []ddFacts // by label: two for each node
	bound  *bound    // says when operations are given up
}

const ddTrue Label = 1

type ddNode struct {
	prop   int32
	lo, hi uint32 // labels; they fit, since a diagram has less than 2^31 nodes
}

// ddCached is one entry of the cache of conjunctions, direct mapped.
type ddCached struct{ l, m, and uint32 }

// ddFacts is what a label says at a glance. It answers most questions whether
// two labels meet without any walk over the diagram.
type ddFacts struct {
	key      uint64 // see Alphabet.Key
	pos, neg uint64 // literals that l implies, of the first 64 propositions
	cube     bool   // l is the conjunction of these literals, and of no others
}

func newDiagram(b *bound) *diagram {
	d := &diagram{
		bound:  b,
		nodes:  make([]ddNode, 1, 64),
		unique: make([]int32, 256),
		cache:  make([]ddCached, 1<<12),
	}
	d.facts = append(d.facts, ddFacts{pos: ^uint64(0), neg: ^uint64(0)}, ddFacts{key: ^uint64(0), cube: true})
	return d
}

// split returns the proposition at the top of l, and what l becomes when it is
// false and true.
func (d *diagram) split(l Label) (prop int, lo, hi Label) {
	n := &d.nodes[l>>1]
	return int(n.prop), Label(n.lo) ^ l&1, Label(n.hi) ^ l&1
}

// node returns the function "if prop then hi else lo", where lo and hi depend
// on later propositions only.
func (d *diagram) node(prop int32, lo, hi Label) Label {
	if lo == hi {
		return lo
	}
	// The lo edge of a node is never complemented, so that a function and its complement share a node.
	neg := lo & 1
	n := ddNode{prop, uint32(lo ^ neg), uint32(hi ^ neg)}
	mask := uint64(len(d.unique) - 1)
	for h := ddHash(uint64(n.lo)<<32|uint64(n.hi), uint64(prop)) & mask; ; h = (h + 1) & mask {
		i := d.unique[h]
		if i == 0 {
			i = int32(len(d.nodes))
			d.unique[h] = i
			d.nodes = append(grow.By(d.nodes, 1), n)
			d.addFacts(n)
			if 2*len(d.nodes) > len(d.unique) { // at most half full: searches stay short
				d.grow()
			}
			return Label(i)<<1 ^ neg
		}
		if d.nodes[i] == n {
			return Label(i)<<1 ^ neg
		}
	}
}

func ddHash(a, b uint64) uint64 {
	h := (a ^ b*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

func (d *diagram) grow() {
	d.unique = make([]int32, 2*len(d.unique))
	mask := uint64(len(d.unique) - 1)
	for i := 1; i < len(d.nodes); i++ {
		n := &d.nodes[i]
		h := ddHash(uint64(n.lo)<<32|uint64(n.hi), uint64(n.prop)) & mask
		for d.unique[h] != 0 {
			h = (h + 1) & mask
		}
		d.unique[h] = int32(i)
	}
	if len(d.cache) < 1<<20 {
		d.cache = make([]ddCached, 2*len(d.cache))
	}
}

// addFacts computes the facts of a new node and of its complement from the facts of its successors.
func (d *diagram) addFacts(n ddNode) {
	d.facts = grow.By(d.facts, 2)
	for neg := Label(0); neg <= 1; neg++ {
		lo, hi := Label(n.lo)^neg, Label(n.hi)^neg
		fl, fh := d.facts[lo], d.facts[hi]
		f := ddFacts{pos: fl.pos & fh.pos, neg: fl.neg & fh.neg}
		small := n.prop < 64
		switch {
		case lo == False && small: // prop & hi
			f.pos, f.neg, f.cube = fh.pos|1<<n.prop, fh.neg, fh.cube
		case hi == False && small: // !prop & lo
			f.pos, f.neg, f.cube = fl.pos, fl.neg|1<<n.prop, fl.cube
		}
		f.key = fl.key | fh.key
		if n.prop < tableProps { // the table of the key has a column for it
			v := uint64(tableVar[n.prop])
			f.key = fl.key&^v | fh.key&v
		}
		d.facts = append(d.facts, f)
	}
}

// meet reports whether l and m have a letter in common, and makes no nodes.
func (d *diagram) meet(l, m Label) bool {
	f, g := &d.facts[l], &d.facts[m]
	// The facts often decide alone.
	if f.key&g.key == 0 || f.pos&g.neg != 0 || f.neg&g.pos != 0 {
		return false
	}
	if f.cube && g.cube || l == ddTrue || m == ddTrue || l == m {
		return true
	}
	if l^m == 1 { // a label and its complement
		return false
	}
	if l > m { // the order does not matter: one entry for both
		l, m = m, l
	}
	at := ddHash(uint64(l), uint64(m))
	c := &d.cache[at&uint64(len(d.cache)-1)]
	if c.l == uint32(l) && c.m == uint32(m) {
		return c.and != uint32(False)
	}
	d.bound.spend(1)
	l0, l1, m0, m1 := d.both(l, m)
	if d.meet(l1, m1) || d.meet(l0, m0) {
		return true
	}
	// Only a failure has searched everything, so only failures are worth an entry.
	*c = ddCached{uint32(l), uint32(m), uint32(False)}
	return false
}

// both splits two labels that are not constant on the first proposition that
// one of them depends on.
func (d *diagram) both(l, m Label) (l0, l1, m0, m1 Label) {
	p, q := d.nodes[l>>1].prop, d.nodes[m>>1].prop
	l0, l1, m0, m1 = l, l, m, m
	if p <= q {
		_, l0, l1 = d.split(l)
	}
	if q <= p {
		_, m0, m1 = d.split(m)
	}
	return l0, l1, m0, m1
}

func (d *diagram) and(l, m Label) Label {
	// And is commutative, so both orders share an entry of the cache.
	if l > m {
		l, m = m, l
	}
	switch {
	case l == False || l^m == 1:
		return False
	case l == ddTrue || l == m:
		return m
	}
	at := ddHash(uint64(l), uint64(m))
	if c := &d.cache[at&uint64(len(d.cache)-1)]; c.l == uint32(l) && c.m == uint32(m) {
		return Label(c.and)
	}
	d.bound.spend(1)
	l0, l1, m0, m1 := d.both(l, m)
	prop := min(d.nodes[l>>1].prop, d.nodes[m>>1].prop)
	lo, hi := d.and(l0, m0), d.and(l1, m1)
	and := d.node(prop, lo, hi)
	d.cache[at&uint64(len(d.cache)-1)] = ddCached{uint32(l), uint32(m), uint32(and)}
	return and
}
