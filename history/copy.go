package history

import (
	"errors"
	"fmt"
	"strings"
)

// copyRun copies the row of a run, of its configuration and of its translators, and returns
// its number, which is a free one if none is given. A shard becomes a run that has no cases
// yet, and its own name.
func (m *merge) copyRun(p *piece, number int64) (run int64, err error) {
	if _, err := m.tx.ExecContext(m.ctx, "INSERT INTO configurations (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING", p.Hash, string(p.Configuration)); err != nil {
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
	if err := m.copyTable(p, run, "results", "number, translator, negated, status, time, cpu_time, max_rss, states, edges, transitions, acc", inShard, ofShard[1:]...); err != nil {
		return err
	}
	if err := m.copyTable(p, run, "corpus", "number, formula, signatures", inShard, ofShard[1:]...); err != nil {
		return err
	}
	if err := m.copyTable(p, run, "witnesses", "number, place, word, size, shortest, truth, kind, blamed", inShard, ofShard[1:]...); err != nil {
		return err
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

// copyRows inserts the rows that a query reads from the file of a piece. It appends more to
// each row.
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
