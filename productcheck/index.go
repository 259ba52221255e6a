package productcheck

import (
	"cmp"
	"math/bits"
	"slices"

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

// every adds edge number next and each step-th one after it. It returns the number of the
// next one, counted from the end of these edges.
func (v *sample) every(step, next int, s *side, edges []omega.Edge) int {
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
	edges   []omega.Edge // those of the state, or copies of those of the entries
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
