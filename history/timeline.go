package history

import (
	"context"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Timelines returns all groups, the oldest first.
func (s *Store) Timelines(ctx context.Context) ([]*outcome.Timeline, error) {
	type failure struct {
		id int64
		outcome.Timeline
	}
	failures, err := query(ctx, s.reads(), func(t *failure) []any {
		return []any{&t.id, &t.Translator, aClass(&t.Class), &t.Formula, (*bool)(&t.Polarity), &t.Word, &t.Command, &t.Key}
	}, "SELECT id, translator, class, formula, negated, word, command, key FROM failures ORDER BY id")
	if err != nil {
		return nil, s.failed(err)
	}
	list := []*outcome.Timeline{}
	byID := map[int64]*outcome.Timeline{}
	for i := range failures {
		t := &failures[i]
		t.Occurrences = []outcome.Occurrence{}
		if t.Replays, err = texts(ctx, s.reads(), "SELECT formula FROM replays WHERE failure = ? ORDER BY length(formula), formula", t.id); err != nil {
			return nil, s.failed(err)
		}
		byID[t.id] = &t.Timeline
		list = append(list, &t.Timeline)
	}
	type sighting struct {
		failure int64
		outcome.Occurrence
	}
	columns := func(x *sighting) []any { return aRun(&x.RunID, &x.failure, &x.State, &x.Formulas) }
	for x, err := range each(ctx, s.reads(), columns, "SELECT failure, state, sightings.formulas, run, name, started, seed FROM sightings JOIN runs ON runs.id = run ORDER BY started, run") {
		if err != nil {
			return nil, s.failed(err)
		}
		if t := byID[x.failure]; t != nil { // otherwise a run has met it just now
			t.Occurrences = append(t.Occurrences, x.Occurrence)
		}
	}
	return list, nil
}
