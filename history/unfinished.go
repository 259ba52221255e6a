package history

import (
	"context"
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
	list, err := s.infos(ctx, `WHERE runs.id = (SELECT max(runs.id) FROM runs JOIN configurations ON configurations.id = configuration
		WHERE hash = ? AND shard = ? AND shards = ? AND name = ? AND NOT pruned)`, p.hash(), p.Shard, p.Shards, p.Name)
	if err != nil || len(list) == 0 || list[0].Finished {
		return nil, err
	}
	x := list[0]
	if x.Working() {
		running := &RunningError{Run: x.Run, Process: x.process}
		if elsewhere(x.process) {
			running.Until = x.Ended.Add(silence)
		}
		return nil, s.failed(running)
	}
	return x, nil
}
