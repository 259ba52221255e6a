package history

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/xcheck-ltl/xcheck/outcome/sums"
)

// kinds are the counts of formulas, and of the words tried on them, as they are stored.
type kinds struct {
	Sizes   map[int]int    `json:"sizes,omitempty"`
	Props   map[int]int    `json:"propositions,omitempty"`
	Classes map[string]int `json:"classes,omitempty"`
	Short   sums.Short     `json:"exhaustive,omitempty"`
}

// A marshaler has a form for a column of bytes.
type marshaler interface {
	MarshalBinary() ([]byte, error)
}

// bytesOf returns the forms of values. These types have no errors.
func bytesOf(list ...marshaler) (forms []any) {
	for _, x := range list {
		form, _ := x.MarshalBinary()
		forms = append(forms, form) // never empty, which would become NULL
	}
	return forms
}

// A decoded is where the value of a column of bytes goes.
type decoded struct {
	to interface{ UnmarshalBinary([]byte) error }
}

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
		parsed[kinds]{new(kinds), x.kinds}, decoded{&x.Shown}}
}

// kinds reads the counts of formulas.
func (x *sumsRow) kinds(text string) (k kinds, err error) {
	err = json.Unmarshal([]byte(text), &k)
	x.Sizes, x.Props, x.Classes, x.Short = k.Sizes, k.Props, k.Classes, k.Short
	return k, err
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
		return []any{&t.Name, &t.OK, &t.Skipped, &t.Skip, &t.States, &t.Edges, &t.Transitions, &t.Sets, &t.Excess, &t.ExcessOf, (*int64)(&t.Time), (*int64)(&t.CPU), &t.MaxRSS,
			decoded{&t.Sketches.States}, decoded{&t.Sketches.Edges}, decoded{&t.Sketches.Seconds}}
	}
	for t, err := range each(ctx, q, columns, `SELECT name, ok, skipped, skip_reason, tool_sums.states, tool_sums.edges, transitions, acc, excess, excess_automata, time, cpu_time, max_rss,
			states_sketch, edges_sketch, seconds_sketch
		FROM (SELECT * FROM tool_sums`+where+`) AS tool_sums JOIN translators ON translators.run = tool_sums.run AND place = translator ORDER BY place`, run, shards, shard) {
		if err != nil {
			return nil, err
		}
		x.Tools = append(x.Tools, &t)
	}
	return x, nil
}

// writeSums stores the sums of a shard, instead of what was there.
func writeSums(ctx context.Context, tx *sql.Tx, run int64, places map[string]int, x *sumsRow) error {
	text, err := json.Marshal(kinds{x.Sizes, x.Props, x.Classes, x.Short})
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
		if err := execute(ctx, tx, "INSERT OR REPLACE INTO tool_sums VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			append([]any{run, x.shards, x.shard, places[t.Name], t.OK, t.Skipped, t.Skip, t.States, t.Edges, t.Transitions, t.Sets, int64(t.Time), int64(t.CPU), t.MaxRSS},
				append(bytesOf(&t.Sketches.States, &t.Sketches.Edges, &t.Sketches.Seconds), t.Excess, t.ExcessOf)...)...); err != nil {
			return err
		}
	}
	return nil
}

// Sums returns the sums over the plain cases of a run that are not kept whole, and the distance
// between the indexes of its cases. They are nil if the run has all its cases. The place of a
// signature is the place of its first case, from 1, among all cases of the run, or of the shard.
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
		if info.Shards == 1 { // the places in the shard become those in the whole run
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
