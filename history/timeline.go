package history

import (
	"context"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Timelines returns all groups, the oldest first.
func (s *Store) Timelines(ctx context.Context) ([]*outcome.Timeline, error) {
	list := []*outcome.Timeline{}
	byID := map[int64]*outcome.Timeline{}
	rows, err := s.reads().QueryContext(ctx, "SELECT id, translator, class, formula, negated, word, command, key FROM failures ORDER BY id")
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		t := &outcome.Timeline{Replays: []string{}, Occurrences: []outcome.Occurrence{}}
		var id int64
		var class string
		if err := rows.Scan(&id, &t.Translator, &class, &t.Formula, (*bool)(&t.Polarity), &t.Word, &t.Command, &t.Key); err != nil {
			return nil, s.failed(err)
		}
		t.Class = outcome.ParseClass(class)
		byID[id] = t
		list = append(list, t)
	}
	if err := rows.Err(); err != nil {
		return nil, s.failed(err)
	}
	for id, t := range byID {
		if t.Replays, err = texts(ctx, s.reads(), "SELECT formula FROM replays WHERE failure = ? ORDER BY length(formula), formula", id); err != nil {
			return nil, s.failed(err)
		}
	}
	seen, err := s.reads().QueryContext(ctx, "SELECT failure, state, sightings.formulas, run, name, started, seed FROM sightings JOIN runs ON runs.id = run ORDER BY started, run")
	if err != nil {
		return nil, s.failed(err)
	}
	defer seen.Close()
	for seen.Next() {
		var id int64
		var x outcome.Occurrence
		if err := scanRun(seen, &x.RunID, &id, &x.State, &x.Formulas); err != nil {
			return nil, s.failed(err)
		}
		if t := byID[id]; t != nil { // otherwise a run has met it just now
			t.Occurrences = append(t.Occurrences, x)
		}
	}
	return list, s.failed(seen.Err())
}
