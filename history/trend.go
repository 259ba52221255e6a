package history

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Trend returns what a run adds to curves over many, and those before it that can be
// compared with it, the newest most of them, the oldest first: runs of a configuration file
// of the same name, with a translator in common. A shard is not among them.
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
			(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN (?, ?)), id, name, started, seed
		FROM runs, (SELECT file AS this_file, started AS this_started FROM runs WHERE id = ?)
		WHERE id = ? OR file = this_file AND shards = 1 AND (started, id) < (this_started, ?)
			AND EXISTS (SELECT 1 FROM translators JOIN translators AS ours USING (name) WHERE translators.run = runs.id AND ours.run = ?)
		ORDER BY started DESC, id DESC LIMIT ?`, outcome.StateNew, outcome.StateBackAgain, run, run, run, run, most)
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
