package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// maxCompared is how many formulas of two runs are compared at most: the first ones. Beyond
// that, nothing is found that a tenth of them does not show.
const maxCompared = 100_000

// Measure compares the sizes and times of a run with another run, and adds the result to the
// regression. baseline is the number or name of the other run. With "", it is the last
// finished run that found nothing new and is comparable: it has the same configuration, a
// configuration file of the same name, or at least one translator in common. If no earlier run
// is comparable, a note says so. The time is linear in the formulas of both runs. inputs names what the
// runs check: "formulas" or "automata".
func (s *Store) Measure(ctx context.Context, r *outcome.Regression, baseline, inputs string) error {
	info, err := s.baseline(ctx, r, baseline)
	if info == nil || err != nil {
		return err
	}
	own, err := s.tools(ctx, r.Run)
	if err != nil {
		return err
	}
	r.Baseline = &info.RunID
	c := Comparison{Inputs: inputs}
	for _, is := range own {
		for _, was := range info.Tools {
			if is.Name == was.Name {
				c.Translator(is.Name, was.Version, is.Version)
			}
		}
	}
	if err := s.pairs(ctx, r.Run, info.Run, c.Add); err != nil {
		return err
	}
	changes, notes := c.Changes()
	for i := range changes {
		if inputs != "formulas" {
			changes[i].Inputs = inputs
		}
	}
	r.Changes = append([]outcome.Change{}, changes...) // never nil: [] in JSON
	r.Notes = append(r.Notes, notes...)
	return nil
}

// baseline returns the run to compare with. It is nil if there is none, and a note says so if a run
// of the same translators has ended before.
func (s *Store) baseline(ctx context.Context, r *outcome.Regression, text string) (*Info, error) {
	if text != "" {
		x, err := s.find(ctx, text, r.Run)
		if x == nil && err == nil {
			err = s.failed(fmt.Errorf("no run %q to compare with: use a number or name from xcheck history list, or last", text))
		}
		return x, err
	}
	var id int64
	var good bool
	err := s.reads().QueryRowContext(ctx, `SELECT was.id, was.good FROM runs was JOIN runs own ON own.id = ?
		WHERE was.id <> own.id AND was.started <= own.started AND was.ended IS NOT NULL AND EXISTS (
			SELECT 1 FROM translators a JOIN translators b ON a.name = b.name WHERE a.run = was.id AND b.run = own.id)
		ORDER BY was.good DESC, was.configuration = own.configuration DESC, was.file = own.file DESC, was.started DESC LIMIT 1`, r.Run).Scan(&id, &good)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, s.failed(err)
	case !good:
		r.Notes = append(r.Notes, "sizes and times not compared: no earlier run ended without new failures; use --baseline to choose one")
		return nil, nil
	}
	return s.Info(ctx, id)
}

// pairs calls use for every question that some translator answered in both runs. A formula that
// a run has several times counts as where it comes first.
func (s *Store) pairs(ctx context.Context, run, baseline int64, use func(translator string, before, after Call)) error {
	places, err := s.shardPlaces(ctx, run)
	if err != nil {
		return err
	}
	placesBefore, err := s.shardPlaces(ctx, baseline)
	if err != nil {
		return err
	}
	type pair struct {
		name          string
		before, after Call
	}
	columns := func(x *pair) []any {
		return []any{&x.name, &x.before.Place, &x.before.States, &x.before.Edges, &x.before.Seconds, &x.before.CPU,
			&x.after.Place, &x.after.States, &x.after.Edges, &x.after.Seconds, &x.after.CPU}
	}
	// CROSS JOIN has SQLite look things up in this order, by their keys.
	for x, err := range each(ctx, s.reads(), columns, `WITH
		own(formula, number) AS (SELECT formula, min(number) FROM cases WHERE run = ?1 GROUP BY formula),
		was(formula, number) AS (SELECT formula, min(number) FROM cases WHERE run = ?2 GROUP BY formula),
		both(own, was) AS (SELECT own.number, was.number FROM own JOIN was USING (formula) ORDER BY own.number LIMIT ?3)
		SELECT a.name, y.number, y.states, y.edges, y.time, y.cpu_time, x.number, x.states, x.edges, x.time, x.cpu_time
		FROM both
		CROSS JOIN results x ON x.run = ?1 AND x.number = both.own AND x.status = 'ok'
		CROSS JOIN translators a ON a.run = ?1 AND a.place = x.translator
		CROSS JOIN translators b ON b.run = ?2 AND b.name = a.name
		CROSS JOIN results y ON y.run = ?2 AND y.number = both.was AND y.translator = b.place AND y.negated = x.negated AND y.status = 'ok'`,
		run, baseline, maxCompared) {
		if err != nil {
			return s.failed(err)
		}
		x.before.Place, x.after.Place = placesBefore(x.before.Place), places(x.after.Place)
		use(x.name, x.before, x.after)
	}
	return nil
}

// shardPlaces returns the function that makes the place of a call of the index of its case: in a
// run that was united, the cases of one shard come first, then those of the next.
func (s *Store) shardPlaces(ctx context.Context, run int64) (func(int64) int64, error) {
	var shards sql.NullInt64
	if err := s.reads().QueryRowContext(ctx, "SELECT max(shards) FROM parts WHERE run = ?", run).Scan(&shards); err != nil {
		return nil, s.failed(err)
	}
	n := max(1, shards.Int64)
	return func(number int64) int64 { return number%n<<32 + number }, nil
}
