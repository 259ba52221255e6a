package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A caseWriter inserts cases.
type caseWriter struct {
	formula, number, result, witness *sql.Stmt
	id                               int64 // of the run
	places                           map[string]int
}

func newCaseWriter(ctx context.Context, tx *sql.Tx, run int64, places map[string]int) (*caseWriter, error) {
	w := &caseWriter{id: run, places: places}
	for _, x := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.formula, "INSERT INTO formulas (text) VALUES (?) ON CONFLICT DO NOTHING"},
		{&w.number, "INSERT INTO cases SELECT ?, ?, id, ?, ?, ?, ? FROM formulas WHERE text = ?"},
		{&w.result, "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
		{&w.witness, "INSERT INTO witnesses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"},
	} {
		var err error
		if *x.stmt, err = tx.PrepareContext(ctx, x.text); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// write inserts a case and all that belongs to it.
func (w *caseWriter) write(ctx context.Context, c *outcome.Case, document []byte) error {
	if _, err := w.formula.ExecContext(ctx, c.Title()); err != nil {
		return err
	}
	if _, err := w.number.ExecContext(ctx, w.id, c.Index, seedText(c.Seed), c.Replayed, len(c.Failures()) > 0, document, c.Title()); err != nil {
		return err
	}
	for i := range c.Results {
		r := &c.Results[i]
		if !r.Asked() {
			continue
		}
		place, ok := w.places[r.Translator]
		if !ok {
			return fmt.Errorf("it has a result of %s, which is not of the run", r.Translator)
		}
		if _, err := w.result.ExecContext(ctx, w.id, c.Index, place, r.Polarity, string(r.Status), r.Seconds, r.CPU, r.MaxRSS, r.States, r.Edges, r.Transitions, r.Sets); err != nil {
			return err
		}
	}
	for i := range c.Disagreements {
		d := &c.Disagreements[i]
		blamed, err := json.Marshal(d.Blamed)
		if err != nil {
			return err
		}
		if _, err := w.witness.ExecContext(ctx, w.id, c.Index, i, d.Word, d.Size, d.Shortest, d.Truth, string(d.Kind), string(blamed)); err != nil {
			return err
		}
	}
	return nil
}
