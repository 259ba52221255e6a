package omega

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"github.com/xcheck-ltl/xcheck/internal/grow"
	"github.com/xcheck-ltl/xcheck/internal/intern"
)

// Marks is a set of marks of one automaton. Read and combine it with the MarkTable of that
// automaton. The zero value is the empty set.
type Marks uint64

// A MarkTable owns the sets of marks of an automaton. With at most 64 marks, a set is its own
// bit set, and the table is empty. With more, a set is the number of a bit set in the table.
// Either way, equal sets are equal as integers.
type MarkTable struct {
	sets  int
	words int // 64-bit words of a set
	wide  *wideMarks
}

// wideMarks interns bit sets of more than one word. Most sets have few marks: of each only
// the words that are not 0 are kept.
type wideMarks struct {
	first []int32 // the words of set i are those from first[i] to first[i+1]
	at    []int32 // of each word: its place in the bit set
	words []uint64
	index intern.Index
	union map[[2]Marks]Marks
	buf   []uint64 // a whole bit set
}

// NewMarkTable returns a table for sets of the marks 0, …, sets-1.
func NewMarkTable(sets int) *MarkTable {
	t := &MarkTable{sets: sets, words: max(1, (sets+63)/64)}
	if t.words > 1 {
		t.wide = &wideMarks{
			first: []int32{0},
			union: make(map[[2]Marks]Marks),
			buf:   make([]uint64, t.words),
		}
		t.intern(t.wide.buf)
	}
	return t
}

// clone returns a copy with the same sets.
func (t *MarkTable) clone() *MarkTable {
	c := *t
	if w := t.wide; w != nil {
		c.wide = &wideMarks{first: slices.Clone(w.first), at: slices.Clone(w.at), words: slices.Clone(w.words),
			index: w.index.Clone(), union: maps.Clone(w.union), buf: make([]uint64, len(w.buf))}
	}
	return &c
}

// set returns the words of a set that are not 0, and their places.
func (w *wideMarks) set(m Marks) (at []int32, words []uint64) {
	from, to := w.first[m], w.first[m+1]
	return w.at[from:to], w.words[from:to]
}

func (w *wideMarks) word(m Marks, place int32) uint64 {
	at, words := w.set(m)
	if i, ok := slices.BinarySearch(at, place); ok {
		return words[i]
	}
	return 0
}

// Sets returns the number of marks.
func (t *MarkTable) Sets() int { return t.sets }

// Inline reports whether sets are their own bit sets, that is, whether there are at most 64
// marks.
func (t *MarkTable) Inline() bool { return t.wide == nil }

// Of returns the set of the given marks, without those that are negative or not below Sets().
func (t *MarkTable) Of(marks ...int) Marks { return t.Changed(0, nil, marks) }

// Changed returns m without the marks of drop and with the marks of add.
func (t *MarkTable) Changed(m Marks, drop, add []int) Marks {
	if t.wide == nil {
		return m&^t.inline(drop) | t.inline(add)
	}
	buf := t.wide.buf
	clear(buf) // shared by all operations: intern copies it
	at, words := t.wide.set(m)
	for i, place := range at {
		buf[place] = words[i]
	}
	for _, i := range drop {
		if uint(i) < uint(t.sets) {
			buf[i/64] &^= 1 << (i % 64)
		}
	}
	for _, i := range add {
		if uint(i) < uint(t.sets) {
			buf[i/64] |= 1 << (i % 64)
		}
	}
	return t.intern(buf)
}

func (t *MarkTable) inline(marks []int) (m Marks) {
	for _, i := range marks {
		if uint(i) < uint(t.sets) {
			m |= 1 << i
		}
	}
	return m
}

func (t *MarkTable) intern(set []uint64) Marks {
	w := t.wide
	i, slot := w.index.First(intern.Hash(set))
	for ; i >= 0; i, slot = w.index.Next(slot) {
		if w.is(Marks(i), set) {
			return Marks(i)
		}
	}
	// first also has the end of the last set.
	i = int32(len(w.first) - 1)
	for place, x := range set {
		if x != 0 {
			w.at, w.words = append(grow.By(w.at, 1), int32(place)), append(grow.By(w.words, 1), x)
		}
	}
	w.first = append(w.first, int32(len(w.at)))
	w.index.Add(slot, i, func(i int32) uint64 { return w.hash(Marks(i)) })
	return Marks(i)
}

// is reports whether m is a set, given as a whole.
func (w *wideMarks) is(m Marks, set []uint64) bool {
	at, words := w.set(m)
	for place, x := range set {
		if len(at) > 0 && int(at[0]) == place {
			if words[0] != x {
				return false
			}
			at, words = at[1:], words[1:]
		} else if x != 0 {
			return false
		}
	}
	return true
}

// hash returns the hash of the whole set. It uses the buffer.
func (w *wideMarks) hash(m Marks) uint64 {
	clear(w.buf)
	at, words := w.set(m)
	for i, place := range at {
		w.buf[place] = words[i]
	}
	return intern.Hash(w.buf)
}

// Has reports whether mark i is in m.
func (t *MarkTable) Has(m Marks, i int) bool {
	if t.wide == nil {
		return m>>uint(i)&1 != 0 // none for a negative i
	}
	return i >= 0 && t.wide.word(m, int32(i/64))>>(i%64)&1 != 0
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
	// Searches unite the same few sets again and again, so the results are kept.
	u, ok := w.union[k]
	if !ok {
		clear(w.buf)
		for _, x := range k {
			at, words := w.set(x)
			for i, place := range at {
				w.buf[place] |= words[i]
			}
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
	// Only nonzero words are stored, in order of their places. So this is a merge.
	at, words := t.wide.set(l)
	other, others := t.wide.set(m)
	for i, j := 0, 0; i < len(at) && j < len(other); {
		switch {
		case at[i] < other[j]:
			i++
		case at[i] > other[j]:
			j++
		case words[i]&others[j] != 0:
			return true
		default:
			i++
			j++
		}
	}
	return false
}

// Minus returns the marks of l that are not in m.
func (t *MarkTable) Minus(l, m Marks) Marks {
	if t.wide == nil {
		return l &^ m
	}
	clear(t.wide.buf)
	at, words := t.wide.set(l)
	for i, place := range at {
		t.wide.buf[place] = words[i] &^ t.wide.word(m, place)
	}
	return t.intern(t.wide.buf)
}

// AppendTo appends the marks of m to list, in ascending order.
func (t *MarkTable) AppendTo(list []int, m Marks) []int {
	if t.wide == nil {
		return appendBits(list, 0, uint64(m))
	}
	at, words := t.wide.set(m)
	for i, place := range at {
		list = appendBits(list, 64*int(place), words[i])
	}
	return list
}

func appendBits(list []int, from int, set uint64) []int {
	for ; set != 0; set &= set - 1 {
		list = append(list, from+bits.TrailingZeros64(set))
	}
	return list
}

// A collector unites or intersects many sets of marks. Unlike repeated calls of Union, it adds no
// intermediate sets to the table.
type collector struct {
	some bool // there has been a set
	last Marks
	bits []uint64
}

// add unites with m.
func (c *collector) add(t *MarkTable, m Marks) {
	if c.start(t, m) {
		return
	}
	if t.wide == nil {
		c.bits[0] |= uint64(m)
		return
	}
	at, words := t.wide.set(m)
	for i, place := range at {
		c.bits[place] |= words[i]
	}
}

// keep intersects with m.
func (c *collector) keep(t *MarkTable, m Marks) {
	if c.start(t, m) {
		return
	}
	if t.wide == nil {
		c.bits[0] &= uint64(m)
		return
	}
	for i, x := range c.bits {
		if x != 0 {
			c.bits[i] = x & t.wide.word(m, int32(i))
		}
	}
}

// start reports whether m changes nothing, or is the first set.
func (c *collector) start(t *MarkTable, m Marks) bool {
	if c.some {
		same := m == c.last // edges of a component often repeat the marks
		c.last = m
		return same
	}
	c.some, c.last, c.bits = true, m, make([]uint64, t.words)
	if t.wide == nil {
		c.bits[0] = uint64(m)
		return true
	}
	at, words := t.wide.set(m)
	for i, place := range at {
		c.bits[place] = words[i]
	}
	return true
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

// Memory returns the number of bytes that the table takes.
func (t *MarkTable) Memory() int64 {
	if t.wide == nil {
		return 0
	}
	w := t.wide
	return int64(12*cap(w.words)+4*cap(w.first)+64*len(w.union)) + w.index.Memory()
}

// Words returns the number of machine words of a set, which is the cost of a union.
func (t *MarkTable) Words() int { return t.words }

// JointMarks are the marks of a product of two automata: first the left one's, then the right
// one's, then perhaps some of the product's own.
type JointMarks struct {
	*MarkTable
	left, right *MarkTable
	shift       int                // added to the right side's marks
	known       map[[2]Marks]Marks // by the marks of both sides; nil if Inline
}

// Joint returns the marks of the product of two automata, the left with marks of t and the right with marks of the
// right table. own is how many more marks the product has.
func (t *MarkTable) Joint(right *MarkTable, own int) *JointMarks {
	t, right = cmp.Or(t, NewMarkTable(0)), cmp.Or(right, NewMarkTable(0))
	j := &JointMarks{NewMarkTable(t.sets + right.sets + own), t, right, t.sets, nil}
	if !j.Inline() {
		j.known = make(map[[2]Marks]Marks)
	}
	return j
}

// Join returns the product's marks for l on the left and r on the right.
func (j *JointMarks) Join(l, r Marks) Marks {
	if j.known == nil {
		return l | r<<j.shift
	}
	return j.wide([2]Marks{l, r})
}

func (j *JointMarks) wide(k [2]Marks) Marks {
	m, ok := j.known[k]
	if !ok {
		list := j.left.AppendTo(nil, k[0])
		for _, i := range j.right.AppendTo(nil, k[1]) {
			list = append(list, i+j.shift)
		}
		m = j.Of(list...)
		j.known[k] = m
	}
	return m
}

// Memory returns the number of bytes that the tables take.
func (j *JointMarks) Memory() int64 { return int64(64*len(j.known)) + j.MarkTable.Memory() }
