package productcheck

import (
	"cmp"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/xcheck-ltl/xcheck/omega"
)

// A plan says how the edges of a product's sides are put into buckets. Two edges that share
// no bucket don't meet. A good plan leaves few candidates for each edge. It depends on the
// labels, which are known only when some edges are. So plans are made from a sample, and
// made again when there are four times as many edges.
//
// There are 16 words of 64 buckets. A hash of the propositions that (nearly) all labels fix
// chooses the word. If there are many such propositions, the hash also chooses the bucket.
// Otherwise an edge is in a bucket for each valuation of the first six propositions that its
// label allows. An edge is loose if its label does not fix all of these propositions, or if
// it would be in many buckets. Loose edges are tried with all edges of the other side. If
// most edges would be loose, there is no index.
//
// For example, if each label is a single letter of ten propositions, their values are the number
// of the bucket. Then two edges meet if they are in one of the 1024 buckets together.
type plan struct {
	useful bool   // there are to be indexes
	fixed  uint64 // the propositions that are hashed
	hashed bool   // the hash chooses the bucket as well
	// Few neighboring propositions are not hashed: their values are the number of
	// the bucket, or of the word, after a shift.
	direct bool
	shift  int
}

const (
	sampled   = 128 // edges of each side that a plan is made from
	manyFixed = 8   // fixed propositions that tell apart enough by themselves
	fewFixed  = 3   // the least that are worth a hash
	narrow    = 4   // an edge in more buckets is loose
	words     = 16  // a power of two, of 64 buckets each
	keptPlans = 4   // plans by which a shared side keeps indexes
)

// A sample is what a plan is made from. For some edges, it has the propositions that each label
// fixes, and the total number of buckets by the first six propositions.
type sample struct {
	fixed   []uint64
	buckets int
}

// addEvery adds edge number next and each step-th one after it. It returns the number of the
// next one, counted from the end of these edges.
func (v *sample) addEvery(step, next int, s *side, edges []omega.Edge) int {
	for ; next < len(edges); next += step {
		l := edges[next].Label
		pos, neg := s.alphabet.Literals(l)
		v.fixed = append(v.fixed, pos|neg)
		v.buckets += bits.OnesCount64(s.alphabet.Key(l) & s.domain)
	}
	return next - len(edges)
}

// newPlan makes a plan for two sides with such edges.
func newPlan(left, right *sample) plan {
	all := slices.Concat(left.fixed, right.fixed)
	fixed := fixedIn(all)
	switch n := bits.OnesCount64(fixed); {
	// Many fixed propositions tell edges apart by themselves.
	case n >= manyFixed:
		return newHash(fixed, 10, true)
	case left.buckets+right.buckets <= narrow*len(all):
		return newHash(fixed&^(1<<6-1), 4, false)
	case n >= fewFixed:
		return newHash(fixed, 10, true)
	}
	return plan{}
}

// newHash returns a plan that hashes the fixed propositions to n bits.
func newHash(fixed uint64, n int, hashed bool) plan {
	shift := bits.TrailingZeros64(fixed)
	return plan{useful: true, fixed: fixed, hashed: hashed, direct: fixed>>shift < 1<<n, shift: shift}
}

// fixedIn returns a set of propositions such that three quarters of the labels fix all of
// them. It adds them one by one, starting with the one that most labels fix.
func fixedIn(literals []uint64) uint64 {
	var count [64]int
	var any uint64
	for _, l := range literals {
		any |= l
		for ; l != 0; l &= l - 1 {
			count[bits.TrailingZeros64(l)]++
		}
	}
	var order []int
	for ; any != 0; any &= any - 1 {
		order = append(order, bits.TrailingZeros64(any))
	}
	// Stable: equal counts in order of the propositions.
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(count[j], count[i]) })
	var fixed uint64
	for _, i := range order {
		with := fixed | 1<<i
		n := 0
		for _, l := range literals {
			if with&^l == 0 {
				n++
			}
		}
		if 4*n < 3*len(literals) {
			break
		}
		fixed = with
	}
	return fixed
}

// place returns the buckets of an edge: a word and some of its bits, or no bit if the edge is
// loose. The key is used only if the plan is not hashed.
func (p *plan) place(alphabet *omega.Alphabet, l omega.Label, key uint64) (word int, set uint64) {
	var h uint64
	if p.fixed != 0 {
		pos, neg := alphabet.Literals(l)
		// An edge that leaves one open may meet edges in any bucket.
		if (pos|neg)&p.fixed != p.fixed || l == omega.False {
			return 0, 0
		}
		if h = pos & p.fixed; p.direct {
			h >>= p.shift & 63
		} else {
			h *= 0x9e3779b97f4a7c15
			h ^= h >> 32
			h = h * 0x9e3779b97f4a7c15 >> 54
		}
	}
	word = int(h % words)
	if p.hashed {
		return word, 1 << (h / words)
	}
	// An edge in many buckets is cheaper to try each time.
	if bits.OnesCount64(key) > narrow {
		return 0, 0
	}
	return word, key
}

// indexes are the indexes of the states of a side, by one plan. Each is made when it is first
// requested.
type indexes struct {
	plan   plan
	byRow  []*index // nil: not asked for as yet
	ints   arena[int32]
	lists  arena[entry]
	copies arena[omega.Edge]
	tables arena[index]
}

func (x *indexes) memory() int64 {
	return int64(8*cap(x.byRow)) + x.ints.memory() + x.lists.memory() + x.copies.memory() + x.tables.memory()
}

// unfit stands for the index of a row with too many loose edges.
var unfit = &index{}

// known returns the index of a state, or nil if none was requested.
func (x *indexes) known(state omega.State) *index {
	if int(state) < len(x.byRow) {
		return x.byRow[state]
	}
	return nil
}

func (x *indexes) of(s *side, state omega.State) *index {
	if t := x.known(state); t != nil {
		return t
	}
	if n := len(s.rows) - len(x.byRow); n > 0 {
		x.byRow = append(x.byRow, make([]*index, n)...)
	}
	x.byRow[state] = x.fill(s, &s.rows[state])
	return x.byRow[state]
}

// index has the edges of a state by bucket.
type index struct {
	sets   [words]uint64 // the occupied buckets of each word
	before [words]uint16 // the number of occupied buckets in the words before each
	// The k-th occupied bucket begins with entry k; the next edges in it, if there
	// are any, are after all of these.
	edges   []omega.Edge // the edges of the state, or copies of the entries' edges
	entries []entry
	placed  bool     // edges are copies
	loose   []int32  // from the last to the first
	_       [16]byte // to 256 bytes, so that what is read together is in few cache lines
}

// entry is an edge in a bucket: its number in the state, and the next entry of the bucket, or 0.
type entry struct{ number, next int32 }

// mostEntries is the greatest number of entries of an index.
const mostEntries = 1<<16 - 1

// rank returns the number of a bucket of a word among all occupied buckets. The bits of below are
// the buckets of the word before it.
func (x *index) rank(word int, below uint64) int32 {
	return int32(x.before[word%words]) + int32(bits.OnesCount64(x.sets[word%words]&below))
}

// edge returns the edge of entry k.
func (x *index) edge(k int32) *omega.Edge {
	if x.placed {
		return &x.edges[k]
	}
	return &x.edges[x.entries[k].number]
}

// spot says where an edge was placed.
type spot struct {
	word int
	set  uint64
}

// fill makes the index of a row, or returns unfit if too many edges are loose.
func (x *indexes) fill(s *side, r *row) *index {
	p := &x.plan
	if !p.hashed {
		s.needKeys(r)
	}
	var sets [words]uint64
	s.spots = s.spots[:0]
	size, loose := 0, 0
	for i := range r.edges {
		var key uint64
		if !p.hashed {
			key = r.keys[i]
		}
		w, set := p.place(s.alphabet, r.edges[i].Label, key)
		s.spots = append(s.spots, spot{w, set})
		sets[w%words] |= set
		if set == 0 {
			loose++
		}
		size += bits.OnesCount64(set)
	}
	// Loose edges are tried with every edge, so an index with many of them saves little.
	if 4*loose > len(r.edges) || size > mostEntries {
		return unfit
	}
	t := &x.tables.take(1)[0]
	t.sets, t.edges = sets, r.edges
	t.entries = x.lists.take(size)
	if loose > 0 {
		t.loose = x.ints.take(loose)[:0]
	}
	occupied := int32(0)
	for w, set := range sets {
		t.before[w] = uint16(occupied)
		occupied += int32(bits.OnesCount64(set))
	}
	// From the last edge to the first, each before those that are in its buckets. The
	// buckets that are in sets are those that have none as yet.
	for i := len(s.spots) - 1; i >= 0; i-- {
		at := s.spots[i]
		if at.set == 0 {
			t.loose = append(t.loose, int32(i))
		}
		for set := at.set; set != 0; set &= set - 1 {
			bit := set & -set
			k := t.rank(at.word, bit-1)
			next := int32(0)
			if sets[at.word%words]&bit == 0 {
				next = occupied
				t.entries[next] = t.entries[k]
				occupied++
			}
			sets[at.word%words] &^= bit
			t.entries[k] = entry{int32(i), next}
		}
	}
	// Most of a long or a later search is for memory that is not in a cache. A copy of
	// the edge saves a step from one place to the next; for a single short search it
	// would take longer to make than it saves.
	if s.shared {
		t.placed, t.edges = true, x.copies.take(size)
		for k, e := range t.entries {
			t.edges[k] = r.edges[e.number]
		}
	}
	return t
}

// A side is one of the two automata of a product. It keeps the edges of each state, which it
// requests once, and finds the edges that meet a given edge of the other side. The side of an
// Indexed automaton is kept for other products, and is both sides of its product with itself.
type side struct {
	src      omega.Source
	explicit *omega.Automaton // src, if that keeps its edges itself
	alphabet *omega.Alphabet
	domain   uint64 // the bits of keys that differ
	shared   bool   // by several products

	rows  []row   // by state
	known int     // number of edges known
	whole *sample // of an explicit automaton, once it is made

	edges   arena[omega.Edge]
	keys    arena[uint64]
	buf     []omega.Edge
	spots   []spot
	indexes []*indexes // those kept, each by another plan, the oldest first
}

// row is a state of a side. The key of an edge is a machine word: the set of valuations of the
// first six propositions that its label allows. Edges whose keys have no common bit don't meet.
// With up to six propositions, the key is the label. For example, over a and b the key of a has the
// bits of a&b and a&!b.
type row struct {
	edges []omega.Edge
	keys  []uint64 // of the edges; nil until they are needed
	known bool
}

// sideOf returns the side of a product for an automaton.
func sideOf(src omega.Source) *side {
	if x, ok := src.(*Indexed); ok {
		return x.side
	}
	a := src.Alphabet()
	s := &side{src: src, alphabet: a, domain: ^uint64(0)}
	if a.Len() < 6 {
		s.domain = 1<<(1<<a.Len()) - 1
	}
	if x, ok := src.(*omega.Automaton); ok && !x.Alternating() {
		s.explicit = x
	}
	return s
}

// know requests the edges of a state, unless they are known.
func (s *side) know(state omega.State) error {
	if int(state) < len(s.rows) && s.rows[state].known {
		return nil
	}
	if n := int(state) + 1 - len(s.rows); n > 0 { // in steps that grow, so that the cost is linear
		s.rows = append(s.rows, make([]row, max(n, len(s.rows)/2))...)
	}
	r := &s.rows[state]
	if s.explicit != nil {
		r.edges = s.explicit.Edges(state)
	} else {
		var err error
		if s.buf, err = s.src.AppendEdges(s.buf[:0], state); err != nil {
			return err
		}
		r.edges = s.edges.take(len(s.buf))
		copy(r.edges, s.buf)
	}
	r.known = true
	s.known += len(r.edges)
	return nil
}

// needKeys makes the keys of the edges of a row, unless it has them.
func (s *side) needKeys(r *row) {
	if r.keys != nil {
		return
	}
	r.keys = s.keys.take(len(r.edges))
	for i := range r.edges {
		r.keys[i] = s.alphabet.Key(r.edges[i].Label) & s.domain
	}
}

// sample examines some known edges, spread over all of them. The edges of an explicit automaton are
// all known, and are examined once.
func (s *side) sample() *sample {
	if s.whole != nil {
		return s.whole
	}
	v := &sample{}
	if x := s.explicit; x != nil {
		step, next := max(1, x.NumEdges()/sampled), 0
		for state := range x.NumStates() {
			next = v.addEvery(step, next, s, x.Edges(omega.State(state)))
		}
		s.whole = v
		return v
	}
	step, next := max(1, s.known/sampled), 0
	for i := range s.rows {
		next = v.addEvery(step, next, s, s.rows[i].edges)
	}
	return v
}

// by returns the indexes by a plan. It returns the kept ones, if there are any.
func (s *side) by(p plan) *indexes {
	for _, x := range s.indexes {
		if x.plan == p {
			return x
		}
	}
	most := 1
	if s.shared {
		most = keptPlans
	}
	if len(s.indexes) == most { // the oldest makes room
		s.indexes = append(s.indexes[:0], s.indexes[1:]...)
	}
	x := &indexes{plan: p}
	s.indexes = append(s.indexes, x)
	return x
}

func (s *side) memory() int64 {
	n := int64(unsafe.Sizeof(row{})) * int64(cap(s.rows))
	n += s.edges.memory() + s.keys.memory()
	for _, x := range s.indexes {
		n += x.memory()
	}
	return n + omega.MemoryOf(s.src)
}

// An arena hands out slices of large pieces of memory, which never move.
type arena[T any] struct {
	free []T
	held int // elements in all pieces
}

// take returns n zero values.
func (a *arena[T]) take(n int) []T {
	if n > len(a.free) {
		piece := max(n, min(max(16, a.held), 1<<14))
		a.free = make([]T, piece)
		a.held += piece
	}
	list := a.free[:n:n]
	a.free = a.free[n:]
	return list
}

func (a *arena[T]) memory() int64 {
	var x T
	return int64(a.held) * int64(unsafe.Sizeof(x))
}

// An Indexed is an automaton for several products. They share the index of its edges, which
// finds the edges that meet the other side's edges. Building the index dominates a short
// search. Only one goroutine at a time may use an Indexed.
type Indexed struct {
	*omega.Automaton
	side *side
}

// NewIndexed returns an Indexed for an automaton. It takes constant time; products build the index
// as they need it. Those of an alternating automaton fail with omega.ErrAlternating.
func NewIndexed(a *omega.Automaton) *Indexed {
	a = a.OrEmpty()
	x := &Indexed{Automaton: a, side: sideOf(a)}
	x.side.shared = true
	return x
}

// Memory returns the number of bytes that the index takes. It is at most a small multiple of
// the edges and states.
func (x *Indexed) Memory() int64 { return x.side.memory() }
