package history

import (
	"context"
	"database/sql"
	"errors"
)

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

// aggregate computes the sums from the results.
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
			FROM results WHERE run = ?1 GROUP BY translator) AS sums ON translator = place WHERE run = ?1 ORDER BY place`, run)
	for _, t := range sums.tools {
		sums.formulas = max(sums.formulas, t.formulas)
		sums.failures += t.failures
	}
	return sums, err
}
