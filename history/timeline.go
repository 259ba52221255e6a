package history

import (
	"context"
	"slices"
)

// A Timeline is a group of failures of one translator, with its state in each run that could
// decide it.
type Timeline struct {
	Translator string     `json:"translator"`
	Class      string     `json:"class"`
	Formula    string     `json:"formula"` // the smallest that shows it; its negation, if Negated
	Negated    bool       `json:"negated"`
	Word       string     `json:"word,omitempty"`
	Command    string     `json:"command"`
	Replays    []string   `json:"replays"` // formulas by which it is looked for in each run
	Key        string     `json:"key"`
	Sightings  []Sighting `json:"sightings"`
}

// A Sighting is the state of a group in a run.
type Sighting struct {
	Night
	State    State `json:"state"`
	Formulas int   `json:"formulas"` // of the run that show it
}

// Timelines returns all groups, the oldest first.
func (s *Store) Timelines(ctx context.Context) ([]*Timeline, error) {
	list := []*Timeline{}
	byID := map[int64]*Timeline{}
	rows, err := s.reads().QueryContext(ctx, "SELECT id, translator, class, formula, negated, word, command, key FROM failures ORDER BY id")
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		t := &Timeline{Replays: []string{}, Sightings: []Sighting{}}
		var id int64
		if err := rows.Scan(&id, &t.Translator, &t.Class, &t.Formula, &t.Negated, &t.Word, &t.Command, &t.Key); err != nil {
			return nil, s.failed(err)
		}
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
		var x Sighting
		if err := scanNight(seen, &x.Night, &id, &x.State, &x.Formulas); err != nil {
			return nil, s.failed(err)
		}
		if t := byID[id]; t != nil { // otherwise a run has met it just now
			t.Sightings = append(t.Sightings, x)
		}
	}
	return list, s.failed(seen.Err())
}

// Met reports whether the group failed in a run.
func (t *Timeline) Met(run int64) bool {
	return slices.ContainsFunc(t.Sightings, func(x Sighting) bool { return x.Run == run && x.State != Fixed })
}
