package history

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"database/sql"
	"encoding"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"slices"

	"github.com/xcheck-ltl/xcheck/omega"
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
	sample []sampled      // the plain cases with the least hashes, in order: runs of the same formulas have the same ones
	most   int            // cases in the sample
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
	k.most = sampleOf(info.Shards)
	columns := func(x *sampled) []any { return []any{&x.hash, &x.number} }
	var err error
	k.sample, err = query(ctx, s.reads(), columns, "SELECT sample, number FROM cases WHERE run = ? AND sample > 0 ORDER BY sample, number", info.Run)
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
		one := sampled{x.keep[r.number], r.number}
		at, _ := slices.BinarySearchFunc(k.sample, one, sampled.compare)
		k.sample = slices.Insert(k.sample, at, one)
		if err := k.evict(ctx, x); err != nil {
			return err
		}
	}
	x.data = answers.bytes()
	return k.evict(ctx, x)
}

// evict drops what is too much in the sample.
func (k *compactor) evict(ctx context.Context, x *slice) error {
	for len(k.sample) > k.most {
		number := k.sample[len(k.sample)-1].number
		k.sample = k.sample[:len(k.sample)-1]
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
// that nobody has looked at, some 0.2 ms each. Other processes may compact the same run.
func (s *Store) compact(ctx context.Context, run int64) error {
	info, err := s.Info(ctx, run)
	if err != nil || info.whole() {
		return err
	}
	const all = 1<<63 - 1
	for n := 1; n > 0 && err == nil; {
		err = s.writes(ctx, func(tx *sql.Tx) error {
			k, err := s.within(tx).compactor(ctx, info)
			if err != nil {
				return err
			}
			k.spans = !info.Finished
			n, err = k.slice(ctx, all)
			return err
		})
	}
	return err
}

// compactEnded compacts all runs that have ended and are not compacted: a run that has just ended, and
// those that were killed then. It does not fail for these, which stay as they are.
func (s *Store) compactEnded(ctx context.Context, run int64) (err error) {
	list, err := query(ctx, s.reads(), column[int64], `SELECT id FROM runs WHERE ended IS NOT NULL AND cases > ? / shards
		AND EXISTS (SELECT 1 FROM cases WHERE run = runs.id AND sample IS NULL)`, wholeCases)
	for _, x := range list {
		if failed := s.compact(ctx, x); x == run {
			err = failed
		}
	}
	return s.failed(err)
}

// whole reports whether the run keeps all its cases: it has few of them. One of many shards has its
// share of few.
func (x *Info) whole() bool { return x.Cases <= wholeCases/max(1, x.Shards) }

// A sampled is a case of the sample.
type sampled struct {
	hash   int64
	number int
}

func (x sampled) compare(y sampled) int {
	return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.number, y.number))
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

// A compaction makes sums of the cases of a run while it is written. The zero value is for a run
// that has just begun.
type compaction struct {
	compactor *compactor // nil until there are many cases
	answer    func(*outcome.Case) []byte
	reported  int        // cases, including cases from before the run was resumed
	waiting   []int      // numbers of reported cases that nobody has looked at
	slicing   chan error // of the slice that is under way, or nil

	spans   []span // of the run that was resumed
	summed  int    // cases of which that has only sums
	answers map[int][]byte
	read    span // numbers whose answers are there
}

// Learns has the run keep, of each case that it compacts, what a guide learns from it. Call it
// before Reported.
func (r *Run) Learns(answer func(*outcome.Case) []byte) { r.answer = answer }

// Reported says that a case of the run is in its reports, and was added before. When there are many,
// the first ones of these are compacted while the run goes on.
func (r *Run) Reported(number int) error {
	r.reported++
	if x, ok := slices.BinarySearch(r.waiting, number); !ok {
		r.waiting = slices.Insert(r.waiting, x, number)
	}
	if r.reported <= wholeCases || len(r.waiting) < 2*sliceCases {
		return nil
	}
	if err := r.compacted(); err != nil { // one slice at a time
		return err
	}
	if err := r.Flush(); err != nil || r.Lost() { // a slice reads what is stored
		return err
	}
	ctx := context.Background()
	if r.compactor == nil {
		info, err := r.store.Info(ctx, r.RunID.Run)
		if err != nil {
			return err
		}
		if r.compactor, err = r.store.compactor(ctx, info); err != nil {
			return err
		}
		r.compactor.spans, r.compactor.answer = true, r.answer
	}
	upTo := r.waiting[sliceCases-1]
	r.waiting = slices.Delete(r.waiting, 0, sliceCases)
	r.slicing = make(chan error, 1)
	go func() {
		_, err := r.compactor.slice(ctx, upTo)
		r.slicing <- err
	}()
	return nil
}

// compacted waits until no slice is under way.
func (r *Run) compacted() (err error) {
	if r.slicing != nil {
		err = <-r.slicing
		r.slicing = nil
	}
	return err
}

// resume reads what is known of the compaction of a run that resumes.
func (r *Run) resume(ctx context.Context) (err error) {
	if r.spans, err = readSpans(ctx, r.store.reads(), r.RunID.Run); err != nil {
		return err
	}
	for _, x := range r.spans {
		r.last = max(r.last, x.last)
	}
	return r.store.reads().QueryRowContext(ctx, "SELECT ifnull(sum(cases), 0) FROM sums WHERE run = ?", r.RunID.Run).Scan(&r.summed)
}

// Summed reports whether there are only sums of a case since the run was compacted before it was resumed.
func (r *Run) Summed(number int) bool {
	return len(r.spans) > 0 && !r.stored[number] && slices.ContainsFunc(r.spans, func(x span) bool { return x.has(number) })
}

// Answer returns what a guide has learned from a case of which there are only sums, nil if nothing.
func (r *Run) Answer(ctx context.Context, number int) ([]byte, error) {
	if r.answers == nil || number < r.read.first || number > r.read.last { // it is not in the answers that were read last
		type row struct {
			span
			data []byte
		}
		columns := func(x *row) []any { return []any{&x.first, &x.last, &x.data} }
		r.answers, r.read = map[int][]byte{}, span{first: number, last: number} // nothing, unless a row has it
		for x, err := range each(ctx, r.store.reads(), columns, "SELECT first, last, data FROM answers WHERE run = ? AND first <= ? AND last >= ?", r.RunID.Run, number, number) {
			if err != nil {
				return nil, r.store.failed(err)
			}
			if r.answers, err = readAnswers(x.data); err != nil {
				return nil, r.store.failed(err)
			}
			r.read = x.span
		}
	}
	return r.answers[number], nil
}

// A span has the numbers first, first + shards, and so on up to last.
type span struct {
	shards, shard, first, last int
}

func (x *span) columns() []any { return []any{&x.shards, &x.shard, &x.first, &x.last} }

func (x *span) has(number int) bool {
	return x.first <= number && number <= x.last && number%x.shards == x.shard-1
}

// readSpans returns the spans of a run, in order.
func readSpans(ctx context.Context, q querier, run int64) ([]span, error) {
	return query(ctx, q, (*span).columns, "SELECT shards, shard, first, last FROM spans WHERE run = ? ORDER BY shards, shard, first", run)
}

// addSpans adds ascending numbers to the spans of a run, as few as possible.
func addSpans(ctx context.Context, tx *sql.Tx, run int64, shards int, numbers []int) error {
	list, err := readSpans(ctx, tx, run)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(x span) bool { return x.shards != shards }) // the others stay as they are
	for _, n := range numbers {
		list = append(list, span{shards, n%shards + 1, n, n})
	}
	if err := execute(ctx, tx, "DELETE FROM spans WHERE run = ? AND shards = ?", run, shards); err != nil {
		return err
	}
	for _, x := range joined(list) {
		if err := execute(ctx, tx, "INSERT INTO spans VALUES (?, ?, ?, ?, ?)", run, x.shards, x.shard, x.first, x.last); err != nil {
			return err
		}
	}
	return nil
}

// joined joins spans that touch each other. In the first of two shards, which has the even numbers,
// 0 to 4 and 6 to 6 become 0 to 6.
func joined(list []span) (few []span) {
	slices.SortFunc(list, func(a, b span) int { return slices.Compare([]int{a.shard, a.first}, []int{b.shard, b.first}) })
	for _, x := range list {
		if last := len(few) - 1; last >= 0 && few[last].shard == x.shard && x.first <= few[last].last+x.shards {
			few[last].last = max(few[last].last, x.last)
		} else {
			few = append(few, x)
		}
	}
	return few
}

// An answerWriter writes what a guide learned from cases: the number of each, how long the answer
// is, and the answer, compressed.
type answerWriter struct {
	b bytes.Buffer
	w *flate.Writer
}

func (a *answerWriter) add(number int, answer []byte) {
	if a.w == nil {
		a.w, _ = flate.NewWriter(&a.b, flate.BestSpeed) // an error is of the level only
	}
	head := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)), uint64(len(answer)))
	a.w.Write(append(head, answer...)) // never fails
}

func (a *answerWriter) bytes() []byte {
	if a.w == nil {
		return []byte{}
	}
	a.w.Close()
	return a.b.Bytes()
}

var errAnswers = errors.New("the stored answers are damaged")

// readAnswers reads what an answerWriter has written.
func readAnswers(data []byte) (map[int][]byte, error) {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, errAnswers
	}
	answers := map[int][]byte{}
	for len(text) > 0 {
		number, n := binary.Uvarint(text)
		length, k := binary.Uvarint(text[max(0, n):])
		if n <= 0 || k <= 0 || length > uint64(len(text)-n-k) {
			return nil, errAnswers
		}
		end := n + k + int(length)
		answers[int(number)] = text[n+k : end]
		text = text[end:]
	}
	return answers, nil
}

// bytesOf returns the forms of values. These types have no errors.
func bytesOf(list ...encoding.BinaryMarshaler) (forms []any) {
	for _, x := range list {
		form, _ := x.MarshalBinary()
		forms = append(forms, form) // never empty, which would become NULL
	}
	return forms
}

// A decoded is where the value of a column of bytes goes.
type decoded struct{ to encoding.BinaryUnmarshaler }

// Scan implements sql.Scanner.
func (d decoded) Scan(value any) error {
	form, _ := value.([]byte)
	return d.to.UnmarshalBinary(form)
}

// A sumsRow has the sums of one shard.
type sumsRow struct {
	sums.Sums
	shards, shard int
}

func (x *sumsRow) columns() []any {
	return []any{&x.shards, &x.shard, &x.Cases, &x.Unchecked, &x.Passed, &x.Proved, &x.Unproved, &x.NoChecks, &x.Automata,
		parsed[sums.Kinds]{&x.Kinds, fromJSON[sums.Kinds]}, decoded{&x.Shown}}
}

func fromJSON[T any](text string) (x T, err error) {
	err = json.Unmarshal([]byte(text), &x)
	return x, err
}

// readSums returns the sums of a shard of a run, nil if there are none.
func readSums(ctx context.Context, q querier, run int64, shards, shard int) (*sumsRow, error) {
	const where = " WHERE run = ?1 AND shards = ?2 AND shard = ?3"
	list, err := query(ctx, q, (*sumsRow).columns,
		"SELECT shards, shard, cases, unchecked, passed, proved, unproved, no_checks, automata, kinds, signatures FROM sums"+where, run, shards, shard)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	x := &list[0]
	columns := func(t *sums.Tool) []any {
		return []any{&t.Name, &t.OK, &t.Skipped, &t.Skip, &t.States, &t.Edges, parsed[omega.Totals]{&t.Totals, fromJSON[omega.Totals]}, &t.Excess, &t.ExcessOf, (*int64)(&t.Time), (*int64)(&t.CPU), &t.MaxRSS,
			decoded{&t.Sketches.States}, decoded{&t.Sketches.Edges}, decoded{&t.Sketches.Seconds}}
	}
	for t, err := range each(ctx, q, columns, `SELECT name, ok, skipped, skip_reason, tool_sums.states, tool_sums.edges, totals, excess, excess_automata, time, cpu_time, max_rss,
			states_sketch, edges_sketch, seconds_sketch
		FROM (SELECT * FROM tool_sums`+where+`) AS tool_sums JOIN translators ON translators.run = tool_sums.run AND place = translator ORDER BY place`, run, shards, shard) {
		if err != nil {
			return nil, err
		}
		x.Tools = append(x.Tools, &t)
	}
	return x, nil
}

// sumColumns are the columns of tool_sums, but for run.
const sumColumns = "shards, shard, translator, ok, skipped, skip_reason, states, edges, totals, excess, excess_automata, time, cpu_time, max_rss, states_sketch, edges_sketch, seconds_sketch"

// writeSums stores the sums of a shard, instead of what was there.
func writeSums(ctx context.Context, tx *sql.Tx, run int64, places map[string]int, x *sumsRow) error {
	text, err := json.Marshal(x.Kinds)
	if err != nil {
		return err
	}
	if err := execute(ctx, tx, `INSERT INTO sums (run, shards, shard, cases, unchecked, passed, proved, unproved, no_checks, automata, kinds, signatures) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET cases = excluded.cases, unchecked = excluded.unchecked, passed = excluded.passed, proved = excluded.proved, unproved = excluded.unproved,
			no_checks = excluded.no_checks, automata = excluded.automata, kinds = excluded.kinds, signatures = excluded.signatures`,
		append([]any{run, x.shards, x.shard, x.Cases, x.Unchecked, x.Passed, x.Proved, x.Unproved, x.NoChecks, x.Automata, string(text)}, bytesOf(x.Shown)...)...); err != nil {
		return err
	}
	for _, t := range x.Tools {
		totals, err := json.Marshal(t.Totals)
		if err != nil {
			return err
		}
		if err := execute(ctx, tx, `INSERT OR REPLACE INTO tool_sums (run, `+sumColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			append([]any{run, x.shards, x.shard, places[t.Name], t.OK, t.Skipped, t.Skip, t.States, t.Edges, string(totals), t.Excess, t.ExcessOf, int64(t.Time), int64(t.CPU), t.MaxRSS},
				bytesOf(&t.Sketches.States, &t.Sketches.Edges, &t.Sketches.Seconds)...)...); err != nil {
			return err
		}
	}
	return nil
}

// Sums returns the sums over the plain cases of a run that are not kept whole, or nil if all cases
// are kept. The indexes of the run's cases are stride apart: shard 2 of 3 has cases 1, 4, 7, … For
// each signature, By.First is the place of its first case, from 1, in that sequence.
func (s *Store) Sums(ctx context.Context, info *Info) (all *sums.Sums, stride int, err error) {
	type key struct{ shards, shard int }
	columns := func(k *key) []any { return []any{&k.shards, &k.shard} }
	list, err := query(ctx, s.reads(), columns, "SELECT shards, shard FROM sums WHERE run = ? ORDER BY shards, shard", info.Run)
	for _, k := range list {
		x, err := readSums(ctx, s.reads(), info.Run, k.shards, k.shard) // one by one, as they may be large
		if err != nil {
			return nil, 0, s.failed(err)
		}
		if all == nil {
			all = &sums.Sums{}
		}
		// If shards became one run, their places become those in the run: with shards 1 to 3, the second
		// case of shard 1 is the fourth of the run.
		if info.Shards == 1 {
			for signature, by := range x.Shown {
				by.First = (by.First-1)*x.shards + x.shard
				x.Shown[signature] = by
			}
		}
		all.Merge(&x.Sums)
	}
	return all, info.Shards, s.failed(err)
}

// uniteSignatures merges the signatures of all shards of a union. Most shards have the same, and no
// shard will be replaced any more.
func (s *Store) uniteSignatures(ctx context.Context, tx *sql.Tx, info *Info) error {
	all, _, err := s.Sums(ctx, info)
	if all == nil || err != nil {
		return err
	}
	none, _ := sums.Shown{}.MarshalBinary() // never fails
	if err := execute(ctx, tx, "UPDATE sums SET signatures = ? WHERE run = ?", none, info.Run); err != nil {
		return err
	}
	return writeSums(ctx, tx, info.Run, nil, &sumsRow{sums.Sums{Shown: all.Shown}, 1, 1})
}
