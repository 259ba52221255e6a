package history

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Part is a shard of a merged run.
type Part struct {
	Shard, Shards int
	UID           string
	Started       time.Time
	Spent         float64 // seconds at work
	Finished      bool    // it came to its end
	Ended         time.Time
	// Totals is the part of the shard's JSON document beside its cases. It is nil for a killed shard.
	Totals []byte

	alive string
}

// A Union is a run merged from shards. Its cases are stored. Whatever depends on all of them
// must be computed again.
type Union struct {
	Info
	// Store is the history with the union in it. Do not use it later.
	Store *Store
	// Missing are the shards that are not there, Unfinished those that have not ended.
	Missing, Unfinished []int
	// Notes say why shards that seem to be missing were not merged.
	Notes []string
}

// Whole reports whether all shards are there and have ended.
func (u *Union) Whole() bool { return len(u.Missing)+len(u.Unfinished) == 0 }

// Compare is [Run.Compare] of the union.
func (u *Union) Compare(ctx context.Context, causes []*outcome.Cause, again func(*outcome.Cause) string, decided *Decided) (*outcome.Regression, error) {
	r := &Run{RunID: u.RunID, store: u.Store, places: places(u.Tools)}
	return r.Compare(ctx, causes, again, decided)
}

// Unreplayed returns how many formulas on which a translator of the union failed in earlier runs its
// shards have not replayed.
func (u *Union) Unreplayed(ctx context.Context) (n int, err error) {
	if err := u.Store.check(); err != nil {
		return 0, err
	}
	err = u.Store.reads().QueryRowContext(ctx, `SELECT count(DISTINCT replays.formula) FROM replays JOIN failures ON failures.id = failure
		JOIN translators ON translators.run = ?1 AND translators.name = failures.translator
		WHERE EXISTS (SELECT 1 FROM sightings WHERE failure = failures.id AND run < ?1)
			AND replays.formula NOT IN (SELECT value FROM runs JOIN json_each(replayed) WHERE runs.id = ?1)`, u.Run).Scan(&n)
	return n, u.Store.failed(err)
}

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
// For each union, Merge calls finish after its cases are stored. finish returns the exit
// status and totals; see [Run.End].
//
// A merge is one transaction: if it fails, or the process is killed, nothing has changed. It
// streams, and keeps no case in memory. It only reads the other files, apart from upgrades by
// [Open], and has few of them open at a time. A run with many cases is then compacted.
//
// Merge calls check, if it is not nil, for each of the other histories.
func (s *Store) Merge(ctx context.Context, names []string, check func(*Store) error, finish func(*Union) (status int, totals []byte, err error)) (*Merged, error) {
	m := &merge{ctx: ctx, merged: &Merged{}, changed: map[int64]*Union{}}
	defer m.reading.close()
	if err := m.read(s, names, check); err != nil {
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
		return m.finish(finish)
	})
	if err != nil {
		return nil, err
	}
	return m.merged, s.shrink(ctx)
}

// A merge is one call of Merge.
type merge struct {
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
func (m *merge) read(s *Store, names []string, check func(*Store) error) error {
	byUID := map[string]*piece{}
	for _, name := range names {
		if sameFile(s.path, name) { // it has nothing else
			continue
		}
		other, err := m.reading.open(m.ctx, name)
		if err == nil && check != nil {
			err = check(other)
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

// runs adds the runs of the other files, except for shards. It collects the shards that unite makes
// runs of: those of the other files and those that this history keeps as runs of their own.
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
	err = errors.Join(m.copyCases(p, run), m.copyFailures(p, run), m.copyRows(p, "SELECT signature FROM signatures WHERE run = ?", []any{p.Run},
		"INSERT INTO signatures (signature, run) VALUES (?, ?) ON CONFLICT DO NOTHING", run)) // those that it was the first to show
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
	if err := execute(m.ctx, m.tx, `DELETE FROM cases WHERE run = ?1 AND number % ?2 = ?3; DELETE FROM corpus WHERE run = ?1 AND number % ?2 = ?3;
		DELETE FROM parts WHERE run = ?1 AND shards = ?2 AND shard = ?3 + 1; DELETE FROM sums WHERE run = ?1 AND shards = ?2 AND shard = ?3 + 1`, union.Run, p.Shards, p.Shard-1); err != nil {
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

func (m *merge) addPart(run int64, p *piece) error {
	m.parts = append(m.parts, p)
	if err := m.copyCases(p, run); err != nil {
		return err
	}
	var totals, ended any
	if p.Totals != nil {
		totals = string(p.Totals)
	}
	if p.Finished {
		ended = toText(p.Ended)
	}
	return execute(m.ctx, m.tx, "INSERT INTO parts (run, shard, shards, uid, started, spent, ended, alive, totals) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		run, p.Shard, p.Shards, p.uid, toText(p.Started), p.Spent, ended, p.alive, totals)
}

// parts returns the shards that a run was united from, in order.
func (s *Store) parts(ctx context.Context, run int64) ([]Part, error) {
	columns := func(p *Part) []any {
		return []any{&p.Shard, &p.Shards, &p.UID, aTime(&p.Started), &p.Spent, &p.Finished, aTime(&p.Ended), &p.alive, &p.Totals}
	}
	parts, err := query(ctx, s.reads(), columns, "SELECT shard, shards, uid, started, spent, ended IS NOT NULL, ended, alive, totals FROM parts WHERE run = ? ORDER BY shard", run)
	return parts, s.failed(err)
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
	uid, totals := p.uid, "totals, status, ended, good"
	if p.Shards > 1 { // the union is another run, and has not ended
		uid, totals = newUID(), "NULL, NULL, NULL, NULL"
	}
	err = m.copyRows(p, fmt.Sprintf(`SELECT file, name, seed, version, iif(shards > 1, '', process), started, alive, spent, replayed, settings, pruned,
			%s, cases, failed, formulas, disagreeing, failures FROM runs WHERE id = ?`, totals), []any{p.Run},
		`INSERT INTO runs (file, name, seed, version, process, started, alive, spent, replayed, settings, pruned,
			totals, status, ended, good, cases, failed, formulas, disagreeing, failures, id, uid, shard, shards, configuration)
			SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, id FROM configurations WHERE hash = ?`, id, uid, p.Hash)
	if err != nil {
		return 0, err
	}
	if err := m.tx.QueryRowContext(m.ctx, "SELECT id FROM runs WHERE uid = ?", uid).Scan(&run); err != nil {
		return 0, err
	}
	err = errors.Join(m.copyTable(p, run, "translators", "place, name, command, version, made, states, edges, seconds", ""),
		m.copyTable(p, run, "starts", "place, formula", ""))
	if p.Shards > 1 || err != nil {
		return run, err
	}
	return run, m.copyTable(p, run, "parts", "shard, shards, uid, started, spent, ended, alive, totals", "")
}

// copyCases copies the cases and the corpus of a run to another run. If the piece is a shard of an
// incomplete union, it copies the cases of this shard only.
func (m *merge) copyCases(p *piece, run int64) error {
	const inShard = " AND number % ? = ?"
	ofShard := []any{p.Run, p.Shards, p.Shard - 1}
	if err := m.copyRows(p, "SELECT DISTINCT text FROM cases JOIN formulas ON formulas.id = formula WHERE run = ?"+inShard, ofShard,
		"INSERT INTO formulas (text) VALUES (?) ON CONFLICT DO NOTHING"); err != nil {
		return err
	}
	if err := m.copyRows(p, "SELECT number, seed, replayed, failed, document, sample, formulas.text FROM cases JOIN formulas ON formulas.id = formula WHERE run = ?"+inShard, ofShard,
		"INSERT INTO cases (number, seed, replayed, failed, document, sample, formula, run) SELECT ?, ?, ?, ?, ?, ?, (SELECT id FROM formulas WHERE text = ?), ?", run); err != nil {
		return err
	}
	for _, x := range []struct{ table, columns string }{
		{"results", "number, translator, negated, status, time, cpu_time, max_rss, states, edges, transitions, acc"},
		{"corpus", "number, formula, signatures"},
		{"witnesses", "number, place, word, size, shortest, truth, kind, blamed"},
	} {
		if err := m.copyTable(p, run, x.table, x.columns, inShard, ofShard[1:]...); err != nil {
			return err
		}
	}
	return m.copySums(p, run)
}

// copySums copies the sums of a compacted run. If the piece is a shard of an incomplete union, it
// copies the sums of this shard only.
func (m *merge) copySums(p *piece, run int64) error {
	const inShard = " AND (?2 = 1 OR shards = ?2 AND shard = ?3)"
	for _, x := range []struct{ table, columns string }{
		{"sums", "shards, shard, cases, unchecked, passed, proved, unproved, no_checks, automata, kinds, signatures"},
		{"tool_sums", "shards, shard, translator, ok, skipped, skip_reason, states, edges, transitions, acc, time, cpu_time, max_rss, states_sketch, edges_sketch, seconds_sketch, excess, excess_automata"},
		{"spans", "shards, shard, first, last"},
	} {
		if err := m.copyTable(p, run, x.table, x.columns, inShard, p.Shards, p.Shard); err != nil {
			return err
		}
	}
	if p.Shards > 1 { // its guide does not resume in a union
		return nil
	}
	return m.copyTable(p, run, "answers", "first, last, data", "")
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

// A shardKey is what the shards of one run have in common.
type shardKey struct {
	hash, file, name, seed, replayed, versions, version string
	shards                                              int
}

func (info *Info) shardKey(shards int) shardKey {
	// The hash covers the commands, except for the path of a built-in translator.
	var tools []string
	for _, t := range info.Tools {
		tools = append(tools, t.Name, t.Version)
	}
	return shardKey{info.Hash, info.File, info.Name, fmt.Sprint(seedText(info.Seed)), fmt.Sprintf("%q", info.Replayed), fmt.Sprintf("%q", tools), info.Version, shards}
}

// differs says what two shards that may have been meant to be of one run do not have in common.
func (p *piece) differs(other *piece) string {
	k, l := p.shardKey(p.Shards), other.shardKey(other.Shards)
	var list []string
	for _, x := range []struct{ what, a, b string }{
		{"configurations (" + difference(p.Configuration, other.Configuration) + ")", k.hash, l.hash}, {"paths of the configuration", k.file, l.file},
		{"seeds", k.seed, l.seed}, {"replayed failures (the shards started from different histories)", k.replayed, l.replayed},
		{"versions of the translators", k.versions, l.versions}, {"versions of xcheck", k.version, l.version},
	} {
		if x.a != x.b {
			list = append(list, x.what)
		}
	}
	return strings.Join(list, ", ")
}

// unite makes runs of the shards.
func (m *merge) unite() error {
	var keys []shardKey
	groups := map[shardKey][]*piece{}
	unions, err := m.into.Runs(m.ctx)
	if err != nil {
		return err
	}
	unions = slices.DeleteFunc(unions, func(info *Info) bool { return len(info.Parts) == 0 })
	m.agree(unions)
	for _, p := range m.shards {
		key := p.shardKey(p.Shards)
		if p.repeated(key, unions) {
			m.merged.Known++
			continue
		}
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	for _, key := range keys {
		pieces, err := m.single(groups[key])
		if err != nil {
			return err
		}
		run, err := m.union(key, pieces, unions)
		if err != nil {
			return err
		}
		u := m.changed[run]
		for _, other := range keys {
			// Shards of the same name, or without one of the same configuration, may have been meant for one run.
			if key != other && key.name == other.name && key.shards == other.shards && (key.name != "" || key.hash == other.hash) {
				u.Notes = append(u.Notes, fmt.Sprintf("%s belongs to another run: different %s", groups[other][0].name(m.into), pieces[0].differs(groups[other][0])))
			}
		}
	}
	return nil
}

// agree lets shards whose host was too slow to find out the version of a translator have the version
// that the others have.
func (m *merge) agree(unions []*Info) {
	known := map[shardKey][]string{}
	list := slices.Clone(m.shards)
	for _, info := range unions {
		list = append(list, &piece{Info: info})
	}
	for range 2 { // what the last one knows is for the first one, too
		for _, p := range list {
			shards := p.Shards
			if len(p.Parts) > 0 {
				shards = p.Parts[0].Shards
			}
			key := p.shardKey(shards)
			key.versions = "" // all else must agree
			if known[key] == nil {
				known[key] = make([]string, len(p.Tools))
			}
			for i, version := range known[key] {
				p.Tools[i].Version = cmp.Or(p.Tools[i].Version, version)
				known[key][i] = cmp.Or(version, p.Tools[i].Version)
			}
		}
	}
}

// repeated reports whether a shard did not end, and was begun once more: then a union has the one that did.
func (p *piece) repeated(key shardKey, unions []*Info) bool {
	return !p.Finished && slices.ContainsFunc(unions, func(info *Info) bool {
		return info.shardKey(p.Shards) == key && slices.ContainsFunc(info.Parts, func(part Part) bool {
			return part.Shard == p.Shard && part.Shards == p.Shards && part.Finished && !part.Started.Before(p.Started)
		})
	})
}

// single leaves one run for each shard: the one that has ended. The error says that there are several.
func (m *merge) single(pieces []*piece) (list []*piece, err error) {
	for _, p := range pieces {
		i := slices.IndexFunc(list, func(other *piece) bool { return other.Shard == p.Shard })
		switch {
		case i < 0:
			list = append(list, p)
		case list[i].Finished == p.Finished:
			return nil, fmt.Errorf("shard %d/%d occurs twice, as %s and as %s: leave out the older file, or give each run its own --name",
				p.Shard, p.Shards, list[i].name(m.into), p.name(m.into))
		case p.Finished:
			list[i] = p
		}
	}
	return list, nil
}

// union makes a run of shards, or adds them to one that lacks them, and returns its number.
func (m *merge) union(key shardKey, pieces []*piece, unions []*Info) (run int64, err error) {
	// A union that lacks all of these shards takes them.
	i := slices.IndexFunc(unions, func(info *Info) bool {
		return !info.Finished && info.shardKey(info.Parts[0].Shards) == key && !slices.ContainsFunc(info.Parts, func(part Part) bool {
			return slices.ContainsFunc(pieces, func(p *piece) bool { return p.Shard == part.Shard })
		})
	})
	if i >= 0 {
		run = unions[i].Run
	} else if run, err = m.copyRun(pieces[0], 0); err != nil {
		return 0, err
	}
	m.change(run)
	for _, p := range pieces {
		if err := m.addPart(run, p); err != nil {
			return 0, err
		}
		if p.from == "" { // the shard itself was a run of this history
			if err := m.delete(p.Run); err != nil {
				return 0, err
			}
		}
	}
	return run, nil
}

// finish completes the unions in the order of their numbers, as each is compared with those before it.
func (m *merge) finish(finish func(*Union) (int, []byte, error)) error {
	for run, u := range m.changed {
		if err := errors.Join(m.complete(run, u), m.into.compact(m.ctx, run), m.reload(run, u)); err != nil {
			return err
		}
		m.merged.Unions = append(m.merged.Unions, u)
	}
	slices.SortFunc(m.merged.Unions, func(a, b *Union) int { return cmp.Compare(a.Run, b.Run) })
	for _, u := range m.merged.Unions {
		status, totals, err := finish(u)
		if err != nil {
			return cmp.Or(m.damaged(), err)
		}
		if err := m.end(u, status, totals); err != nil {
			return err
		}
	}
	return nil
}

// damaged returns why the file of some shard can't be read: cases and totals are copied as they are,
// and the error of the union would name the history that they are copied to.
func (m *merge) damaged() error {
	for _, p := range m.parts {
		from, err := m.source(p)
		if err == nil {
			err = from.Cases(m.ctx, p.Run, func(*outcome.Case) error { return nil })
		}
		if err == nil && p.Totals != nil && !json.Valid(p.Totals) {
			err = from.failed(fmt.Errorf("run %d: damaged totals", p.Run))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// complete finds out what is known of a union from its parts.
func (m *merge) complete(run int64, u *Union) error {
	info, err := m.into.Info(m.ctx, run)
	if err != nil {
		return err
	}
	started, alive, spent := info.Parts[0].Started, "", 0.0
	there := map[int]bool{}
	for _, part := range info.Parts {
		there[part.Shard] = true
		if !part.Finished {
			u.Unfinished = append(u.Unfinished, part.Shard)
		}
		if part.Started.Before(started) {
			started = part.Started
		}
		alive = max(alive, part.alive)
		spent += part.Spent
	}
	for i := 1; i <= info.Parts[0].Shards; i++ {
		if !there[i] {
			u.Missing = append(u.Missing, i)
		}
	}
	// The cases are counted again at the end.
	err = execute(m.ctx, m.tx, "UPDATE runs SET started = ?, alive = ?, spent = ?, cases = NULL WHERE id = ?", toText(started), alive, spent, run)
	return errors.Join(err, m.reload(run, u))
}

// reload reads what the history now has of a union.
func (m *merge) reload(run int64, u *Union) error {
	info, err := m.into.Info(m.ctx, run)
	if err == nil {
		u.Info = *info
	}
	return err
}

// end notes how a union ended: it has, if all its shards have, with the last of them.
func (m *merge) end(u *Union, status int, totals []byte) error {
	var ended any
	if u.Whole() {
		last := slices.MaxFunc(u.Parts, func(a, b Part) int { return a.Ended.Compare(b.Ended) })
		ended = toText(last.Ended)
	}
	if err := endRun(m.ctx, m.tx, u.RunID.Run, ended, status, totals); err != nil {
		return err
	}
	if u.Whole() {
		if err := m.into.uniteSignatures(m.ctx, m.tx, &u.Info); err != nil {
			return err
		}
	}
	return m.reload(u.RunID.Run, u)
}

// difference names the first thing that two JSON texts do not have in common, as in
// Tools[1].Command; "" if there is none.
func difference(a, b []byte) string {
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		return err.Error()
	}
	path, _ := differ(x, y)
	return strings.TrimPrefix(path, ".")
}

// differ returns where two JSON values differ, and whether they do.
func differ(a, b any) (path string, ok bool) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if path, differs := differ(x[key], y[key]); ok && differs {
				return "." + key + path, true
			}
		}
		return "", !ok || len(x) != len(y)
	case []any:
		y, ok := b.([]any)
		for i := range min(len(x), len(y)) {
			if path, differs := differ(x[i], y[i]); differs {
				return fmt.Sprintf("[%d]%s", i, path), true
			}
		}
		return "", !ok || len(x) != len(y)
	}
	return "", a != b
}

func newUID() string {
	uid := make([]byte, 16)
	rand.Read(uid) // never fails
	return hex.EncodeToString(uid)
}
