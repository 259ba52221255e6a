package history

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Trend sums up a run and earlier runs that can be compared with it: at most the newest most, the oldest first. These
// are runs of a configuration file of the same name, with a translator in common, and no shards.
//
// It reads one row for each run and each of its translators, where the sums over their cases
// are; only of runs that were killed it adds up the results.
func (s *Store) Trend(ctx context.Context, run int64, most int) (trend []outcome.Trend, err error) {
	type row struct {
		outcome.Trend
		summed bool
	}
	columns := func(x *row) []any { return aRun(&x.RunID, &x.summed, &x.Formulas, &x.Disagreeing, &x.Failures, &x.New) }
	list, err := query(ctx, s.reads(), columns, `SELECT cases IS NOT NULL, ifnull(formulas, 0), ifnull(disagreeing, 0), ifnull(failures, 0),
			(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN (?3, ?4)), id, name, started, seed
		FROM runs, (SELECT file AS this_file FROM runs WHERE id = ?1)
		WHERE id = ?1 OR file = this_file AND shards = 1 AND id < ?1
			AND EXISTS (SELECT 1 FROM translators JOIN translators AS ours USING (name) WHERE translators.run = runs.id AND ours.run = ?1)
		ORDER BY id DESC LIMIT ?2`, run, most, outcome.StateNew, outcome.StateBackAgain)
	if err != nil {
		return nil, s.failed(err)
	}
	for _, x := range slices.Backward(list) {
		if err := s.trendTools(ctx, &x.Trend, x.summed); err != nil {
			return nil, s.failed(err)
		}
		trend = append(trend, x.Trend)
	}
	return trend, nil
}

// trendTools adds what is known of the translators: by the stored sums, if there are any.
func (s *Store) trendTools(ctx context.Context, t *outcome.Trend, summed bool) error {
	var tools []toolSums
	if summed {
		var err error
		tools, err = query(ctx, s.reads(), (*toolSums).columns, `SELECT place, name, version, 0, 0, ifnull(made, 0), ifnull(states, 0), ifnull(edges, 0), ifnull(seconds, 0.0)
			FROM translators WHERE run = ? ORDER BY place`, t.Run)
		if err != nil {
			return err
		}
	} else {
		sums, err := aggregate(ctx, s.reads(), t.Run)
		if err != nil {
			return err
		}
		tools, t.Formulas, t.Disagreeing, t.Failures = sums.tools, sums.formulas, sums.disagreeing, sums.failures
	}
	for _, of := range tools {
		total := outcome.TrendTotal{Name: of.name, Version: of.version, Made: of.made}
		if n := float64(of.made); n > 0 {
			total.States, total.Edges, total.Seconds = float64(of.states)/n, float64(of.edges)/n, of.seconds/n
		}
		t.Tools = append(t.Tools, total)
	}
	return nil
}

// sumUp stores the sums over the cases of a run: they are asked for more often than they
// change, and are left when the cases are deleted. It takes one pass over the results.
func sumUp(ctx context.Context, tx *sql.Tx, run int64) error {
	sums, err := aggregate(ctx, tx, run)
	if err != nil {
		return err
	}
	err = execute(ctx, tx, `UPDATE runs SET cases = (SELECT count(*) FROM cases WHERE run = runs.id),
		failed = (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed),
		formulas = ?, disagreeing = ?, failures = ? WHERE id = ?`, sums.formulas, sums.disagreeing, sums.failures, run)
	for _, t := range sums.tools {
		err = errors.Join(err, execute(ctx, tx, "UPDATE translators SET made = ?, states = ?, edges = ?, seconds = ? WHERE run = ? AND place = ?",
			t.made, t.states, t.edges, t.seconds, run, t.place))
	}
	return err
}

// runSums are sums over the cases of a run, and over the automata of its translators.
type runSums struct {
	formulas, disagreeing, failures int
	tools                           []toolSums // in their order
}

type toolSums struct {
	place                                   int
	name, version                           string
	formulas, failures, made, states, edges int
	seconds                                 float64
}

func (t *toolSums) columns() []any {
	return []any{&t.place, &t.name, &t.version, &t.formulas, &t.failures, &t.made, &t.states, &t.edges, &t.seconds}
}

func aggregate(ctx context.Context, q querier, run int64) (*runSums, error) {
	sums := &runSums{}
	if err := q.QueryRowContext(ctx, "SELECT count(DISTINCT number) FROM witnesses WHERE run = ?", run).Scan(&sums.disagreeing); err != nil {
		return nil, err
	}
	var err error
	sums.tools, err = query(ctx, q, (*toolSums).columns, `SELECT place, name, version, ifnull(asked, 0), ifnull(failures, 0),
			ifnull(sums.made, 0), ifnull(sums.states, 0), ifnull(sums.edges, 0), ifnull(sums.seconds, 0.0)
		FROM translators LEFT JOIN (SELECT translator, count(DISTINCT number) AS asked, sum(status NOT IN ('ok', 'skipped')) AS failures, sum(status = 'ok') AS made,
			sum(iif(status = 'ok', states, 0)) AS states, sum(iif(status = 'ok', edges, 0)) AS edges, sum(iif(status = 'ok', time, 0.0)) AS seconds
			FROM results WHERE run = ?1 GROUP BY translator) AS sums ON sums.translator = place WHERE run = ?1 ORDER BY place`, run)
	for _, t := range sums.tools {
		sums.formulas = max(sums.formulas, t.formulas)
		sums.failures += t.failures
	}
	return sums, err
}

// Snapshot calls use with the present state of the history: what other processes write in the meantime is
// not seen.
func (s *Store) Snapshot(ctx context.Context, use func(*Store) error) error {
	if err := s.check(); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.failed(err)
	}
	defer tx.Rollback()
	return use(s.within(tx))
}
