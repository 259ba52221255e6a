package history

import (
	"context"
	"database/sql"
	"encoding/json"
)

// A Kept is a formula that showed something new in a run.
type Kept struct {
	Number     int // of its case
	Formula    string
	Signatures int // that were new
}

// corpusSize is how many formulas a run starts from at most.
const corpusSize = 2000

// Corpus returns the formulas that showed something new in runs of the same translators, each
// once, 2,000 at most. Those of the last run come first, and of these the last ones: they were the
// hardest to find. Runs that were killed, or are at work, have none.
func (s *Store) Corpus(ctx context.Context, translators []string) ([]string, error) {
	names, _ := json.Marshal(append([]string{}, translators...)) // never fails
	// SQLite takes number from the row with the greatest run.
	list, err := texts(ctx, s.reads(), `SELECT formula FROM corpus WHERE run IN (SELECT run FROM translators GROUP BY run
			HAVING count(*) = json_array_length(?1) AND count(*) = sum(name IN (SELECT value FROM json_each(?1))))
		GROUP BY formula ORDER BY max(run) DESC, number DESC LIMIT ?2`, string(names), corpusSize)
	return list, s.failed(err)
}

// Starts returns the Start of a run's plan. Those of pruned runs are gone.
func (s *Store) Starts(ctx context.Context, run int64) ([]string, error) {
	list, err := texts(ctx, s.reads(), "SELECT formula FROM starts WHERE run = ? ORDER BY place", run)
	return list, s.failed(err)
}

// Keep stores the formulas that showed something new, instead of those stored before.
func (r *Run) Keep(list []Kept) error {
	ctx := context.Background() // also when the run was interrupted
	return r.store.writes(ctx, func(tx *sql.Tx) error {
		if err := execute(ctx, tx, "DELETE FROM corpus WHERE run = ?", r.RunID.Run); err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO corpus (run, number, formula, signatures) VALUES (?, ?, ?, ?)")
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, k := range list {
			if _, err := insert.ExecContext(ctx, r.RunID.Run, k.Number, k.Formula, k.Signatures); err != nil {
				return err
			}
		}
		return nil
	})
}
