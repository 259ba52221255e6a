package history

import (
	"context"
	"database/sql"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// Show stores the signatures that the run has shown, and returns how many of them no other run of
// the history has shown before. A signature is stored once, with the first run that showed it.
func (r *Run) Show(ctx context.Context, list []outcome.Signature) (fresh int, err error) {
	err = r.store.writes(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx, "INSERT INTO signatures (signature, run) VALUES (?, ?) ON CONFLICT DO NOTHING")
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, s := range list {
			if _, err := insert.ExecContext(ctx, int64(s), r.RunID.Run); err != nil {
				return err
			}
		}
		return tx.QueryRowContext(ctx, "SELECT count(*) FROM signatures WHERE run = ?", r.RunID.Run).Scan(&fresh)
	})
	return fresh, err
}

// Show is [Run.Show] of the union.
func (u *Union) Show(ctx context.Context, list []outcome.Signature) (fresh int, err error) {
	r := &Run{RunID: u.RunID, store: u.Store}
	return r.Show(ctx, list)
}

// copySignatures copies those that a run was the first to show.
func (m *merge) copySignatures(p *piece, run int64) error {
	return m.copyRows(p, "SELECT signature FROM signatures WHERE run = ?", []any{p.Run},
		"INSERT INTO signatures (signature, run) VALUES (?, ?) ON CONFLICT DO NOTHING", run)
}
