package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// PutBisection stores the result of a bisection with the group of a key, instead of an earlier one.
func (s *Store) PutBisection(ctx context.Context, key string, b *outcome.Bisection) error {
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return s.writes(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `INSERT INTO bisections (failure, document) SELECT id, ? FROM failures WHERE key = ?
			ON CONFLICT (failure) DO UPDATE SET document = excluded.document`, string(text), key)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n > 0 || err != nil {
			return err
		}
		return fmt.Errorf("no group of failures %q", key)
	})
}

// bisections puts the results of bisections into the groups.
func (s *Store) bisections(ctx context.Context, groups map[int64]*outcome.Timeline) error {
	type row struct {
		failure  int64
		document string
	}
	for x, err := range each(ctx, s.reads(), func(x *row) []any { return []any{&x.failure, &x.document} }, "SELECT failure, document FROM bisections") {
		if err != nil {
			return err
		}
		t := groups[x.failure]
		if t == nil {
			continue
		}
		t.Bisection = new(outcome.Bisection)
		if err := json.Unmarshal([]byte(x.document), t.Bisection); err != nil {
			return fmt.Errorf("the stored data is damaged: %w", err)
		}
	}
	return nil
}
