package history

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Merged is the result of a merge.
type Merged struct {
	Unions []*Union
	// Added are other runs that did not exist before, or had fewer cases.
	Added []*Info
	// Known is the number of runs that existed before.
	Known int
}

// Merge adds the runs of other histories that are missing here, with the states of their
// failures. Shards become one run. Shards belong together if they have the same configuration,
// seed, name, translators, replayed formulas, and number of shards. A later merge can add
// missing shards. A killed run is added as far as it went, and the rest after it was resumed.
//
// A merge is one transaction: if it fails, or the process is killed, nothing has changed. It
// streams, and keeps no case in memory. It only reads the other files, apart from upgrades by
// [Open], and has few of them open at a time.
func (s *Store) Merge(ctx context.Context, names []string, by Merging) (*Merged, error) {
	m := &merge{Merging: by, ctx: ctx, merged: &Merged{}, changed: map[int64]*Union{}}
	defer m.reading.close()
	if err := m.read(s, names); err != nil {
		return nil, err
	}
	err := s.writes(ctx, func(tx *sql.Tx) error {
		m.tx, m.into = tx, s.within(tx)
		if err := m.runs(); err != nil {
			return err
		}
		if err := m.unite(); err != nil {
			return err
		}
		return m.finish()
	})
	if err != nil {
		return nil, err
	}
	return m.merged, nil
}

// Merging has the functions that [Store.Merge] calls. All must be set.
type Merging struct {
	// Check returns an error for a history that can't be merged.
	Check func(*Store) error
	// Programs identifies the programs of a run's translators, by their names, if that was stored.
	Programs func(*Info) map[string]string
	// Finish returns the exit status and totals of a union, whose cases are stored; see [Run.End].
	Finish func(*Union) (status int, totals []byte, err error)
}

// A merge is one call of Merge.
type merge struct {
	Merging
	ctx     context.Context
	tx      *sql.Tx
	into    *Store
	reading readings         // of the other files
	found   []*piece         // runs of the other files, each once, the first one first
	parts   []*piece         // shards that were added to unions
	shards  []*piece         // that are to be united
	changed map[int64]*Union // by their runs
	merged  *Merged
}

// A piece is a run of some file.
type piece struct {
	*Info
	from  string // its file; "" for the history itself
	order time.Time
}

func (p *piece) name(into *Store) string {
	return fmt.Sprintf("run %d of %s (started %s)", p.Run, cmp.Or(p.from, into.path), p.Started.Format(time.DateTime))
}

// further reports whether p is a later state of the same run.
func (p *piece) further(other *Info) bool {
	if p.Finished != other.Finished {
		return p.Finished
	}
	return p.Spent > other.Spent
}

// source is where a piece is read.
func (m *merge) source(p *piece) (*Store, error) {
	if p.from == "" {
		return m.into, nil
	}
	return m.reading.open(m.ctx, p.from)
}

// read lists the runs of the other files. For a run that lacks shards, it lists each shard.
func (m *merge) read(s *Store, names []string) error {
	byUID := map[string]*piece{}
	for _, name := range names {
		if sameFile(s.path, name) { // it has nothing else
			continue
		}
		other, err := m.reading.open(m.ctx, name)
		if err == nil {
			err = m.Check(other)
		}
		if err != nil {
			return err
		}
		list, err := other.Runs(m.ctx)
		if err != nil {
			return err
		}
		var latest time.Time // so far: runs of a file are ordered by number, whatever their times
		for _, info := range list {
			if info.Started.After(latest) {
				latest = info.Started
			}
			for _, p := range (&piece{Info: info, from: name}).apart() {
				p.order = latest
				if was := byUID[p.uid]; was == nil || p.further(was.Info) { // several files may have a run
					byUID[p.uid] = p
				}
			}
		}
	}
	for _, p := range byUID {
		m.found = append(m.found, p)
	}
	slices.SortFunc(m.found, func(a, b *piece) int {
		return cmp.Or(a.order.Compare(b.order), strings.Compare(a.from, b.from), cmp.Compare(a.Run, b.Run), cmp.Compare(a.Shard, b.Shard))
	})
	// A finished union has all of its shards. The first one of the same shards is enough.
	united := map[string]*piece{} // by shard
	for _, p := range m.found {
		for _, part := range p.Parts {
			united[part.UID] = cmp.Or(united[part.UID], p)
		}
	}
	m.found = slices.DeleteFunc(m.found, func(p *piece) bool {
		known := united[p.uid] != nil || len(p.Parts) > 0 && united[p.Parts[0].UID] != p
		if known {
			m.merged.Known++
		}
		return known
	})
	return nil
}

// apart returns the shards of a union that lacks some, as if they were runs; of another run, it is that.
func (p *piece) apart() (list []*piece) {
	if len(p.Parts) == 0 || p.Finished {
		return []*piece{p}
	}
	for _, part := range p.Parts {
		info := *p.Info
		info.uid, info.Parts, info.Shard, info.Shards = part.UID, nil, part.Shard, part.Shards
		info.Started, info.Spent, info.Finished, info.Totals, info.alive = part.Started, part.Spent, part.Finished, part.Totals, part.alive
		info.Ended = part.Ended
		list = append(list, &piece{Info: &info, from: p.from})
	}
	return list
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y) || filepath.Clean(a) == filepath.Clean(b)
}

// runs adds the runs of the other files, except for shards. For unite, it collects the
// shards of the other files, and the shards that are runs of their own in this history.
func (m *merge) runs() error {
	here, err := m.into.Runs(m.ctx)
	if err != nil {
		return err
	}
	byUID, byPart := map[string]*Info{}, map[string]*Info{}
	for _, info := range here {
		byUID[info.uid] = info
		for _, part := range info.Parts {
			byPart[part.UID] = info
		}
		// A shard of this history is united, too, unless it is at work or a file has a later state of it.
		if info.Shards > 1 && !info.Working && !slices.ContainsFunc(m.found, func(p *piece) bool { return p.uid == info.uid && p.further(info) }) {
			m.shards = append(m.shards, &piece{Info: info})
		}
	}
	for _, p := range m.found {
		was := byUID[p.uid]    // the same run in this history
		union := byPart[p.uid] // the run of this history that was united from p and others
		switch {
		case len(p.Parts) > 0 && was == nil: // a finished union: read lists the shards of any other
			err = m.addUnion(p, byUID, byPart)
		case union != nil: // a shard that is part of a union already
			err = m.again(union, p)
		case was != nil && (was.Finished || !p.further(was)): // this history has all of it
			if m.merged.Known++; len(was.Parts) > 0 && !was.Finished {
				m.change(was.Run) // so that the merge says what it lacks
			}
		case was != nil && p.Shards > 1: // a later state of a shard
			if err = m.delete(was.Run); err == nil {
				m.shards = append(m.shards, p)
			}
		default: // a new run, a new shard, or a later state of a run
			err = m.add(p, was)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *merge) delete(run int64) error {
	return execute(m.ctx, m.tx, "DELETE FROM runs WHERE id = ?", run)
}

// addUnion copies a finished union. Its shards, and unions that lack some of them, are deleted here: the
// copy has all of their cases.
func (m *merge) addUnion(p *piece, byUID, byPart map[string]*Info) error {
	for _, part := range p.Parts {
		if union := byPart[part.UID]; union != nil && union.Finished {
			// The same shards were united here. Both unions have the same cases.
			m.merged.Known++
			return nil
		}
	}
	for _, part := range p.Parts {
		m.shards = slices.DeleteFunc(m.shards, func(shard *piece) bool { return shard.uid == part.UID }) // don't unite it
		if was := cmp.Or(byPart[part.UID], byUID[part.UID]); was != nil {
			if err := m.delete(was.Run); err != nil {
				return err
			}
		}
	}
	return m.add(p, nil)
}

// add copies a run. What was there of it gives way.
func (m *merge) add(p *piece, was *Info) error {
	if p.Shards > 1 {
		m.shards = append(m.shards, p)
		return nil
	}
	var number int64
	if was != nil {
		number = was.Run
		if err := m.delete(number); err != nil {
			return err
		}
	}
	run, err := m.copyRun(p, number)
	if err != nil {
		return err
	}
	err = errors.Join(m.copyCases(p, run), m.copyFailures(p, run))
	if err != nil {
		return err
	}
	info, err := m.into.Info(m.ctx, run)
	if err == nil {
		m.merged.Added = append(m.merged.Added, info)
	}
	return err
}

// again takes a shard that is already part of a union, if it was resumed since. A union that lacks
// shards is among the unions of this merge too: one that merges the same files again must hear of it.
func (m *merge) again(union *Info, p *piece) error {
	part := union.Parts[slices.IndexFunc(union.Parts, func(part Part) bool { return part.UID == p.uid })]
	if !union.Finished {
		m.change(union.Run)
	}
	if union.Finished || part.Finished || !p.Finished && p.Spent <= part.Spent {
		m.merged.Known++
		return nil
	}
	if err := execute(m.ctx, m.tx, `DELETE FROM cases WHERE run = ?1 AND number % ?2 = ?3;
		DELETE FROM parts WHERE run = ?1 AND shards = ?2 AND shard = ?3 + 1`, union.Run, p.Shards, p.Shard-1); err != nil {
		return err
	}
	return m.addPart(union.Run, p)
}

// change notes that a union gets cases.
func (m *merge) change(run int64) {
	if m.changed[run] == nil {
		m.changed[run] = &Union{Store: m.into}
	}
}

// maxReadings is how many files a merge has open. Each takes some megabytes, and three descriptors.
const maxReadings = 16

// readings are the files that a merge reads, the one that was asked for last first. As long as there
// are few, none of them changes for the merge. Otherwise a run may be further when it is copied than
// it was when the merge began: then it has more cases.
type readings []reading

type reading struct {
	store *Store
	tx    *sql.Tx // nothing is written in it
}

// open returns a history that must exist.
func (r *readings) open(ctx context.Context, name string) (*Store, error) {
	if i := slices.IndexFunc(*r, func(x reading) bool { return x.store.path == name }); i >= 0 {
		x := (*r)[i]
		*r = slices.Insert(slices.Delete(*r, i, i+1), 0, x) // the last that was asked for is closed last
		return x.store.within(x.tx), nil
	}
	for len(*r) >= maxReadings {
		(*r)[len(*r)-1].close()
		*r = (*r)[:len(*r)-1]
	}
	store, err := OpenExisting(ctx, name)
	if err != nil {
		return nil, err
	}
	tx, err := store.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		store.Close()
		return nil, store.failed(err)
	}
	*r = slices.Insert(*r, 0, reading{store, tx})
	return store.within(tx), nil
}

func (x reading) close() {
	x.tx.Rollback()
	x.store.Close()
}

func (r *readings) close() {
	for _, x := range *r {
		x.close()
	}
	*r = nil
}

// copyRun copies the row of a run, of its configuration and of its translators, and returns its number, which
// is a free one if none is given. A shard becomes a run that has no cases yet, and its own name.
func (m *merge) copyRun(p *piece, number int64) (run int64, err error) {
	if err := addConfiguration(m.ctx, m.tx, p.Hash, p.Configuration); err != nil {
		return 0, err
	}
	id := any(nil) // SQLite chooses one
	if number != 0 {
		id = number
	}
	uid, totals := p.uid, "totals, checked, status, ended, good"
	if p.Shards > 1 { // the union is another run, and has not ended
		uid, totals = newUID(), "NULL, NULL, NULL, NULL, NULL"
	}
	err = m.copyRows(p, fmt.Sprintf(`SELECT file, name, seed, version, iif(shards > 1, '', process), started, alive, spent, replayed, settings, pruned,
			%s, cases, failed FROM runs WHERE id = ?`, totals), []any{p.Run},
		`INSERT INTO runs (file, name, seed, version, process, started, alive, spent, replayed, settings, pruned,
			totals, checked, status, ended, good, cases, failed, id, uid, shard, shards, configuration)
			SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, id FROM configurations WHERE hash = ?`, id, uid, p.Hash)
	if err != nil {
		return 0, err
	}
	if err := m.tx.QueryRowContext(m.ctx, "SELECT id FROM runs WHERE uid = ?", uid).Scan(&run); err != nil {
		return 0, err
	}
	err = m.copyTable(p, run, "translators", "place, name, command, version", "")
	if p.Shards > 1 || err != nil {
		return run, err
	}
	return run, m.copyTable(p, run, "parts", "shard, shards, uid, started, spent, ended, alive, totals", "")
}

// copyCases copies the cases of a run to another run. If the piece is a shard of an
// incomplete union, it copies the cases of this shard only.
func (m *merge) copyCases(p *piece, run int64) error {
	const inShard = " AND number % ? = ?"
	ofShard := []any{p.Run, p.Shards, p.Shard - 1}
	if err := m.copyRows(p, "SELECT DISTINCT text FROM cases JOIN formulas ON formulas.id = formula WHERE run = ?"+inShard, ofShard,
		"INSERT INTO formulas (text) VALUES (?) ON CONFLICT DO NOTHING"); err != nil {
		return err
	}
	if err := m.copyRows(p, "SELECT number, seed, replayed, failed, document, formulas.text FROM cases JOIN formulas ON formulas.id = formula WHERE run = ?"+inShard, ofShard,
		"INSERT INTO cases (number, seed, replayed, failed, document, formula, run) SELECT ?, ?, ?, ?, ?, (SELECT id FROM formulas WHERE text = ?), ?", run); err != nil {
		return err
	}
	return m.copyTable(p, run, "results", "number, translator, negated, status, time, cpu_time, max_rss, states, edges, transitions, acc", inShard, ofShard[1:]...)
}

// copyTable copies what a table has of a run, as far as a condition holds, to another run.
func (m *merge) copyTable(p *piece, run int64, table, columns, condition string, args ...any) error {
	return m.copyRows(p, "SELECT "+columns+" FROM "+table+" WHERE run = ?"+condition, append([]any{p.Run}, args...),
		"INSERT INTO "+table+" ("+columns+", run) VALUES (?"+strings.Repeat(", ?", strings.Count(columns, ",")+1)+")", run)
}

func (m *merge) copyFailures(p *piece, run int64) error {
	err := m.copyRows(p, "SELECT "+failureColumns+` FROM failures
			WHERE id IN (SELECT failure FROM sightings WHERE run = ?)`, []any{p.Run},
		putFailure)
	if err != nil {
		return err
	}
	err = m.copyRows(p, `SELECT replays.formula, key FROM replays JOIN failures ON failures.id = failure
			WHERE failure IN (SELECT failure FROM sightings WHERE run = ?)`, []any{p.Run},
		"INSERT INTO replays (formula, failure) SELECT ?, id FROM failures WHERE key = ? ON CONFLICT DO NOTHING")
	if err != nil {
		return err
	}
	err = m.copyRows(p, "SELECT state, formulas, key FROM sightings JOIN failures ON failures.id = failure WHERE run = ?", []any{p.Run},
		"INSERT INTO sightings (state, formulas, failure, run) SELECT ?, ?, (SELECT id FROM failures WHERE key = ?), ?", run)
	if err != nil {
		return err
	}
	// Both histories together may have too many.
	return execute(m.ctx, m.tx, `DELETE FROM replays WHERE failure IN (SELECT failure FROM sightings WHERE run = ?) AND formula NOT IN
		(SELECT formula FROM replays AS other WHERE other.failure = replays.failure ORDER BY length(formula), formula LIMIT ?)`, run, replaysOfOne)
}

// copyRows inserts the rows that a query reads from the file of a piece. It appends more to each row.
func (m *merge) copyRows(p *piece, read string, args []any, write string, more ...any) error {
	from, err := m.source(p)
	if err != nil {
		return err
	}
	insert, err := m.tx.PrepareContext(m.ctx, write)
	if err != nil {
		return err
	}
	defer insert.Close()
	rows, err := from.reads().QueryContext(m.ctx, read, args...)
	if err != nil {
		return from.failed(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return from.failed(err)
	}
	values := append(make([]any, len(columns)), more...)
	places := make([]any, len(columns))
	for i := range places {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return from.failed(err)
		}
		if _, err := insert.ExecContext(m.ctx, values...); err != nil {
			return err
		}
	}
	return from.failed(rows.Err())
}

func newUID() string {
	uid := make([]byte, 16)
	rand.Read(uid) // never fails
	return hex.EncodeToString(uid)
}
