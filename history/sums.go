package history

import (
	"context"
	"database/sql"
)

// sumUp stores the sums over the cases of a run: they are asked for more often than they
// change, and are left when the cases are deleted. It takes one pass over the results.
func sumUp(ctx context.Context, tx *sql.Tx, run int64) error {
	sums, err := aggregate(ctx, tx, run)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE runs SET cases = (SELECT count(*) FROM cases WHERE run = runs.id),
		failed = (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed),
		formulas = ?, disagreeing = ?, failures = ? WHERE id = ?`, sums.formulas, sums.disagreeing, sums.failures, run)
	if err != nil {
		return err
	}
	for place, t := range sums.tools {
		if _, err := tx.ExecContext(ctx, "UPDATE translators SET made = ?, states = ?, edges = ?, seconds = ? WHERE run = ? AND place = ?",
			t.made, t.states, t.edges, t.seconds, run, place); err != nil {
			return err
		}
	}
	return nil
}

// runSums are sums over the cases of a run, and over the automata of its translators, by
// their places.
type runSums struct {
	formulas, disagreeing, failures int
	tools                           map[int]*toolSums
}

type toolSums struct {
	made, states, edges int
	seconds             float64
}

// aggregate computes the sums from the results.
func aggregate(ctx context.Context, q querier, run int64) (*runSums, error) {
	sums := &runSums{tools: map[int]*toolSums{}}
	if err := q.QueryRowContext(ctx, "SELECT count(DISTINCT number) FROM witnesses WHERE run = ?", run).Scan(&sums.disagreeing); err != nil {
		return nil, err
	}
	places, err := q.QueryContext(ctx, "SELECT place FROM translators WHERE run = ?", run)
	if err != nil {
		return nil, err
	}
	defer places.Close()
	for places.Next() {
		var place int
		if err := places.Scan(&place); err != nil {
			return nil, err
		}
		sums.tools[place] = &toolSums{}
	}
	if err := places.Err(); err != nil {
		return nil, err
	}
	rows, err := q.QueryContext(ctx, `SELECT translator, count(DISTINCT number), sum(status NOT IN ('ok', 'skipped')), sum(status = 'ok'),
		sum(iif(status = 'ok', states, 0)), sum(iif(status = 'ok', edges, 0)), sum(iif(status = 'ok', time, 0.0))
		FROM results WHERE run = ? GROUP BY translator`, run)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var place, formulas, failures int
		var t toolSums
		if err := rows.Scan(&place, &formulas, &failures, &t.made, &t.states, &t.edges, &t.seconds); err != nil {
			return nil, err
		}
		sums.formulas = max(sums.formulas, formulas)
		sums.failures += failures
		sums.tools[place] = &t
	}
	return sums, rows.Err()
}
