package omega

import (
	"encoding/binary"
	"math/bits"
)

// Marks is a set of marks of one automaton, to be read and combined by the
// MarkTable of that automaton. The zero value is the empty set.
type Marks uint64

// A MarkTable owns the sets of marks of an automaton. With at most 64 marks a
// set is its own bit set and the table holds nothing; with more it is the
// number of a bit set that the table keeps once. Equal sets are equal as
// integers either way.
type MarkTable struct {
	sets  int
	words int // 64-bit words of a set
	wide  *wideMarks
}

// wideMarks interns bit sets of more than one word.
type wideMarks struct {
	bits  []uint64 // set i is bits[i*words : (i+1)*words]
	index map[string]Marks
	union map[[2]Marks]Marks
	buf   []uint64
	key   []byte
}

// NewMarkTable returns a table for sets of the marks 0, …, sets-1.
func NewMarkTable(sets int) *MarkTable {
	t := &MarkTable{sets: sets, words: max(1, (sets+63)/64)}
	if t.words > 1 {
		t.wide = &wideMarks{
			index: make(map[string]Marks),
			union: make(map[[2]Marks]Marks),
			buf:   make([]uint64, t.words),
		}
		t.intern(t.wide.buf)
	}
	return t
}

// Sets returns the number of marks that there are.
func (t *MarkTable) Sets() int { return t.sets }

// Inline reports whether sets are their own bit sets: there are at most 64
// marks.
func (t *MarkTable) Inline() bool { return t.wide == nil }

// Of returns the set of the given marks, each of which must be below Sets().
func (t *MarkTable) Of(marks ...int) Marks {
	if t.wide == nil {
		var m Marks
		for _, i := range marks {
			m |= 1 << i
		}
		return m
	}
	clear(t.wide.buf)
	for _, i := range marks {
		t.wide.buf[i/64] |= 1 << (i % 64)
	}
	return t.intern(t.wide.buf)
}

func (t *MarkTable) intern(set []uint64) Marks {
	w := t.wide
	w.key = w.key[:0]
	for _, x := range set {
		w.key = binary.LittleEndian.AppendUint64(w.key, x)
	}
	if m, ok := w.index[string(w.key)]; ok {
		return m
	}
	m := Marks(len(w.index))
	w.bits = append(w.bits, set...)
	w.index[string(w.key)] = m
	return m
}

// Has reports whether mark i is in m.
func (t *MarkTable) Has(m Marks, i int) bool {
	if t.wide == nil {
		return m>>i&1 != 0
	}
	return t.wide.bits[int(m)*t.words+i/64]>>(i%64)&1 != 0
}

// Union returns the marks that are in l or m.
func (t *MarkTable) Union(l, m Marks) Marks {
	if t.wide == nil {
		return l | m
	}
	if l == m || m == 0 {
		return l
	}
	if l == 0 {
		return m
	}
	w := t.wide
	k := [2]Marks{min(l, m), max(l, m)}
	u, ok := w.union[k]
	if !ok {
		x, y := w.bits[int(l)*t.words:], w.bits[int(m)*t.words:]
		for i := range w.buf {
			w.buf[i] = x[i] | y[i]
		}
		u = t.intern(w.buf)
		w.union[k] = u
	}
	return u
}

// Common reports whether l and m have a mark in common.
func (t *MarkTable) Common(l, m Marks) bool {
	if t.wide == nil {
		return l&m != 0
	}
	x, y := t.wide.bits[int(l)*t.words:], t.wide.bits[int(m)*t.words:]
	for i := range t.words {
		if x[i]&y[i] != 0 {
			return true
		}
	}
	return false
}

// Minus returns the marks of l that are not in m.
func (t *MarkTable) Minus(l, m Marks) Marks {
	if t.wide == nil {
		return l &^ m
	}
	x, y := t.wide.bits[int(l)*t.words:], t.wide.bits[int(m)*t.words:]
	for i := range t.wide.buf {
		t.wide.buf[i] = x[i] &^ y[i]
	}
	return t.intern(t.wide.buf)
}

// AppendTo appends the marks of m, ascending, to list.
func (t *MarkTable) AppendTo(list []int, m Marks) []int {
	for i := range t.words {
		w := uint64(m)
		if t.wide != nil {
			w = t.wide.bits[int(m)*t.words+i]
		}
		for ; w != 0; w &= w - 1 {
			list = append(list, 64*i+bits.TrailingZeros64(w))
		}
	}
	return list
}

// A collector unites or intersects many sets of marks. Unlike repeated calls of Union, it
// leaves none of those in between in the table.
type collector struct {
	some bool // there has been a set
	last Marks
	bits []uint64
}

// add unites with m.
func (c *collector) add(t *MarkTable, m Marks) {
	if !c.some || m != c.last {
		c.each(t, m, func(x *uint64, y uint64) { *x |= y })
	}
}

// keep intersects with m.
func (c *collector) keep(t *MarkTable, m Marks) {
	if !c.some || m != c.last {
		c.each(t, m, func(x *uint64, y uint64) { *x &= y })
	}
}

func (c *collector) each(t *MarkTable, m Marks, join func(x *uint64, y uint64)) {
	c.last = m
	if t.wide == nil {
		if !c.some {
			c.some, c.bits = true, []uint64{uint64(m)}
		}
		join(&c.bits[0], uint64(m))
		return
	}
	set := t.wide.bits[int(m)*t.words : (int(m)+1)*t.words]
	if !c.some {
		c.some, c.bits = true, append(c.bits, set...)
	}
	for i := range c.bits {
		join(&c.bits[i], set[i])
	}
}

// marks returns the result, the empty set if there was none.
func (c *collector) marks(t *MarkTable) Marks {
	switch {
	case !c.some:
		return 0
	case t.wide == nil:
		return Marks(c.bits[0])
	}
	return t.intern(c.bits)
}

// Memory returns the bytes that the table takes.
func (t *MarkTable) Memory() int64 {
	if t.wide == nil {
		return 0
	}
	w := t.wide
	return int64(8*cap(w.bits) + (8*t.words+64)*len(w.index) + 64*len(w.union))
}

// Words returns the number of machine words of a set: what it costs to unite two.
func (t *MarkTable) Words() int { return t.words }
