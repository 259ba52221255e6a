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
	rows, err := s.reads().QueryContext(ctx, `SELECT cases IS NOT NULL, ifnull(formulas, 0), ifnull(disagreeing, 0), ifnull(failures, 0),
			(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN (?, ?)), id, name, started, seed
		FROM runs, (SELECT file AS this_file, started AS this_started FROM runs WHERE id = ?)
		WHERE id = ? OR file = this_file AND shards = 1 AND (started, id) < (this_started, ?)
			AND EXISTS (SELECT 1 FROM translators JOIN translators AS ours USING (name) WHERE translators.run = runs.id AND ours.run = ?)
		ORDER BY started DESC, id DESC LIMIT ?`, outcome.StateNew, outcome.StateBackAgain, run, run, run, run, most)
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	var summed []bool
	for rows.Next() {
		var t outcome.Trend
		var known bool
		if err := scanRun(rows, &t.RunID, &known, &t.Formulas, &t.Disagreeing, &t.Failures, &t.New); err != nil {
			return nil, s.failed(err)
		}
		trend, summed = append(trend, t), append(summed, known)
	}
	if err := rows.Err(); err != nil {
		return nil, s.failed(err)
	}
	for i := range trend {
		if err := s.trendTools(ctx, &trend[i], summed[i]); err != nil {
			return nil, s.failed(err)
		}
	}
	slices.Reverse(trend)
	return trend, nil
}

// trendTools adds what is known of the translators: by the stored sums, if there are any.
func (s *Store) trendTools(ctx context.Context, t *outcome.Trend, summed bool) error {
	sums := &runSums{tools: map[int]*toolSums{}}
	if !summed {
		var err error
		if sums, err = aggregate(ctx, s.reads(), t.Run); err != nil {
			return err
		}
		t.Formulas, t.Disagreeing, t.Failures = sums.formulas, sums.disagreeing, sums.failures
	}
	rows, err := s.reads().QueryContext(ctx, "SELECT place, name, version, ifnull(made, 0), ifnull(states, 0), ifnull(edges, 0), ifnull(seconds, 0.0) FROM translators WHERE run = ? ORDER BY place", t.Run)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var place int
		var total outcome.TrendTotal
		var of toolSums
		if err := rows.Scan(&place, &total.Name, &total.Version, &of.made, &of.states, &of.edges, &of.seconds); err != nil {
			return err
		}
		if !summed {
			of = *sums.tools[place]
		}
		if total.Made = of.made; of.made > 0 {
			n := float64(of.made)
			total.States, total.Edges, total.Seconds = float64(of.states)/n, float64(of.edges)/n, of.seconds/n
		}
		t.Tools = append(t.Tools, total)
	}
	return rows.Err()
}
