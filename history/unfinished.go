package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A RunningError reports a run that can't be resumed, because a process is working on it.
type RunningError struct {
	Run     int64
	Process string
	// Until is when the process, on another host, is taken for dead if nothing is heard of it; zero
	// for one on this host, which is known to be there.
	Until time.Time
}

func (e *RunningError) Error() string {
	return fmt.Sprintf("run %d is still running (process %s): wait until it ends, or use another --name", e.Run, e.Process)
}

// Unfinished finds the last run of a plan, whatever its seed, and whatever versions its
// translators have, if that run did not end; otherwise it returns nil. The error is
// a *RunningError if a process is at work on it, or may be.
func (s *Store) Unfinished(ctx context.Context, p *Plan) (*Info, error) {
	var id int64
	var ended sql.NullString
	var process, alive string
	err := s.reads().QueryRowContext(ctx, `SELECT runs.id, ended, process, alive FROM runs JOIN configurations ON configurations.id = configuration
		WHERE hash = ? AND shard = ? AND shards = ? AND name = ? AND NOT pruned ORDER BY runs.id DESC LIMIT 1`,
		p.hash(), p.Shard, p.Shards, p.Name).Scan(&id, &ended, &process, &alive)
	if errors.Is(err, sql.ErrNoRows) || err == nil && ended.Valid {
		return nil, nil
	}
	if err != nil {
		return nil, s.failed(err)
	}
	if at, err := toTime(alive); err == nil && working(process, at) {
		running := &RunningError{Run: id, Process: process}
		if elsewhere(process) {
			running.Until = at.Add(silence)
		}
		return nil, s.failed(running)
	}
	return s.Info(ctx, id)
}
