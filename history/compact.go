package history

import (
	"cmp"
	"container/heap"
	"context"
	"database/sql"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// Numbers of cases. Tests make them smaller.
var (
	// wholeCases is how many cases a run has at most that keeps all.
	wholeCases = 20_000
	// sliceCases are looked at at a time.
	sliceCases = 10_000
	// sampleCases is how many plain cases are kept of a compacted run: enough to find what is slower
	// or larger than in another run.
	sampleCases = 10_000
)

// sampleOf returns how many plain cases a shard keeps: those that are in the sample of the whole run.
// That one shard has four times its share of these, and 64 more, does not happen. Each of 8 shards
// keeps up to 5,064.
func sampleOf(shards int) int {
	if shards == 1 {
		return sampleCases
	}
	return min(sampleCases, 64+4*sampleCases/shards)
}

// A compactor makes sums of the plain cases of a run, but for a sample. All others stay.
type compactor struct {
	store  *Store
	run    int64
	places map[string]int // of translators
	shards int            // that the cases are of
	sample least
	// answer, if not nil, returns what the guide learns from a case, and spans says that the run may
	// resume, so that cases of which nothing is left must be known.
	answer func(*outcome.Case) []byte
	spans  bool
}

// compactor returns the compactor of a run, which may be a shard or a union.
func (s *Store) compactor(ctx context.Context, info *Info) (*compactor, error) {
	k := &compactor{store: s, run: info.Run, places: places(info.Tools), shards: info.Shards}
	for _, part := range info.Parts { // a union
		k.shards = part.Shards
	}
	k.sample.most = sampleOf(info.Shards)
	columns := func(x *sampled) []any { return []any{&x.hash, &x.number} }
	list, err := query(ctx, s.reads(), columns, "SELECT sample, number FROM cases WHERE run = ? AND sample > 0", info.Run)
	k.sample.list = list
	k.sample.order()
	return k, s.failed(err)
}

// A slice is a part of the cases, as it becomes.
type slice struct {
	looked []int                 // numbers of cases that were looked at
	keep   map[int]int64         // their new sample, by their numbers
	drop   []int                 // numbers of cases of which only sums are left
	sums   map[int]*sums.Sums    // of these, by shards
	fresh  map[int]*outcome.Case // cases that are new in the sample
	data   []byte                // answers
}

// slice looks at the next cases that nobody has looked at, up to a number, and returns how many it
// looked at. It works in one transaction: whenever the process is killed, each case is either
// stored or counted in the sums.
func (k *compactor) slice(ctx context.Context, upTo int) (int, error) {
	x := &slice{keep: map[int]int64{}, sums: map[int]*sums.Sums{}, fresh: map[int]*outcome.Case{}}
	if err := k.read(ctx, upTo, x); err != nil {
		return 0, k.store.failed(err)
	}
	if len(x.looked)+len(x.drop) == 0 { // a united run may have too many in its samples
		return 0, nil
	}
	return len(x.looked), k.store.writes(ctx, func(tx *sql.Tx) error { return k.write(ctx, tx, x) })
}

// read fills a slice.
func (k *compactor) read(ctx context.Context, upTo int, x *slice) error {
	type row struct {
		number   int
		document []byte
	}
	columns := func(x *row) []any { return []any{&x.number, &x.document} }
	var answers answerWriter
	for r, err := range each(ctx, k.store.reads(), columns,
		"SELECT number, document FROM cases WHERE run = ? AND sample IS NULL AND number <= ? ORDER BY number LIMIT ?", k.run, upTo, sliceCases) {
		if err != nil {
			return err
		}
		c, err := unpack(r.document)
		if err != nil {
			return err
		}
		x.looked = append(x.looked, r.number)
		if k.answer != nil {
			answers.add(r.number, k.answer(c))
		}
		if !sums.Plain(c) {
			x.keep[r.number] = 0 // kept, but not in the sample
			continue
		}
		x.fresh[r.number] = c
		x.keep[r.number] = sampleHash(c.Text())
		k.sample.add(sampled{x.keep[r.number], r.number})
		if err := k.evict(ctx, x); err != nil {
			return err
		}
	}
	x.data = answers.bytes()
	return k.evict(ctx, x)
}

// evict drops what is too much in the sample.
func (k *compactor) evict(ctx context.Context, x *slice) error {
	for len(k.sample.list) > k.sample.most {
		number := k.sample.remove()
		c := x.fresh[number]
		if c == nil { // of an earlier slice
			var err error
			if c, err = k.store.storedCase(ctx, k.run, number); err != nil {
				return err
			}
		}
		delete(x.fresh, number)
		delete(x.keep, number)
		x.drop = append(x.drop, number)
		shard := number % k.shards
		if x.sums[shard] == nil {
			x.sums[shard] = &sums.Sums{}
		}
		x.sums[shard].Add(c, number/k.shards+1) // the place in the shard, from 1
	}
	return nil
}

// write stores a slice.
func (k *compactor) write(ctx context.Context, tx *sql.Tx, x *slice) error {
	touched := maps.Clone(x.sums)
	// Shards without sums get a row, too.
	for _, number := range x.looked {
		if shard := number % k.shards; touched[shard] == nil {
			touched[shard] = &sums.Sums{}
		}
	}
	for _, shard := range slices.Sorted(maps.Keys(touched)) {
		row, err := readSums(ctx, tx, k.run, k.shards, shard+1)
		if err != nil {
			return err
		}
		if row == nil {
			row = &sumsRow{shards: k.shards, shard: shard + 1}
		}
		row.Merge(touched[shard])
		if err := writeSums(ctx, tx, k.run, k.places, row); err != nil {
			return err
		}
	}
	if err := k.drop(ctx, tx, x.drop); err != nil {
		return err
	}
	keep, err := tx.PrepareContext(ctx, "UPDATE cases SET sample = ? WHERE run = ? AND number = ?")
	if err != nil {
		return err
	}
	defer keep.Close()
	for number, sample := range x.keep {
		if _, err := keep.ExecContext(ctx, sample, k.run, number); err != nil {
			return err
		}
	}
	if !k.spans || len(x.looked) == 0 { // nobody resumes it, or there is nothing to note
		return nil
	}
	if k.answer != nil {
		if err := execute(ctx, tx, "INSERT INTO answers VALUES (?, ?, ?, ?)", k.run, x.looked[0], x.looked[len(x.looked)-1], x.data); err != nil {
			return err
		}
	}
	return addSpans(ctx, tx, k.run, k.shards, x.looked)
}

// drop deletes cases, and formulas that no other case has.
func (k *compactor) drop(ctx context.Context, tx *sql.Tx, numbers []int) error {
	of, err := tx.PrepareContext(ctx, "DELETE FROM cases WHERE run = ? AND number = ? RETURNING formula")
	if err != nil {
		return err
	}
	defer of.Close()
	forget, err := tx.PrepareContext(ctx, "DELETE FROM formulas WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM cases WHERE formula = ?1)")
	if err != nil {
		return err
	}
	defer forget.Close()
	for _, number := range numbers {
		var formula int64
		if err := of.QueryRowContext(ctx, k.run, number).Scan(&formula); err != nil {
			return err
		}
		if _, err := forget.ExecContext(ctx, formula); err != nil {
			return err
		}
	}
	return nil
}

// compact compacts all cases of a run that has more than wholeCases. The time is linear in the cases
// that nobody has looked at, some 0.2 ms each.
func (s *Store) compact(ctx context.Context, run int64) error {
	info, err := s.Info(ctx, run)
	if err != nil || info.whole() {
		return err
	}
	k, err := s.compactor(ctx, info)
	if err != nil {
		return err
	}
	k.spans = !info.Finished
	const all = 1<<63 - 1
	for {
		if n, err := k.slice(ctx, all); n == 0 || err != nil {
			return err
		}
	}
}

// whole reports whether the run keeps all its cases: it has few of them. One of many shards has its
// share of few.
func (x *Info) whole() bool { return x.Cases <= wholeCases/max(1, x.Shards) }

// A sampled is a case of the sample.
type sampled struct {
	hash   int64
	number int
}

// A least has the cases with the least hashes, so that runs of the same formulas have the same
// sample.
type least struct {
	list []sampled // a heap, with the greatest first
	most int
}

// sampleHash returns the hash of a formula: positive, and about as often in each interval.
func sampleHash(text string) int64 {
	h := fnv.New64a()
	io.WriteString(h, text)
	x := h.Sum64()
	// The finalizer of SplitMix64: the upper bits of FNV hardly depend on the end of a short text.
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return max(1, int64(x>>1)) // 0 is for cases outside of the sample
}

func (s *least) order()        { heap.Init((*leastHeap)(s)) }
func (s *least) add(x sampled) { heap.Push((*leastHeap)(s), x) }

// remove removes the case with the greatest hash, and returns its number.
func (s *least) remove() int { return heap.Pop((*leastHeap)(s)).(sampled).number }

// A leastHeap is a least as container/heap wants it.
type leastHeap least

func (s *leastHeap) Len() int      { return len(s.list) }
func (s *leastHeap) Swap(i, k int) { s.list[i], s.list[k] = s.list[k], s.list[i] }
func (s *leastHeap) Less(i, k int) bool {
	return cmp.Or(cmp.Compare(s.list[i].hash, s.list[k].hash), cmp.Compare(s.list[i].number, s.list[k].number)) > 0
}
func (s *leastHeap) Push(x any) { s.list = append(s.list, x.(sampled)) }
func (s *leastHeap) Pop() any {
	last := len(s.list) - 1
	x := s.list[last]
	s.list = s.list[:last]
	return x
}
