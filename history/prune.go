package history

import (
	"context"
	"database/sql"
	"os"
	"time"
)

// Pruned says what a prune did.
type Pruned struct {
	Runs  []int64 // of which the cases were deleted
	Cases int
	// Bytes of the file that were freed.
	Bytes int64
	// Busy says that a run is at work: then the file is left as large as it is.
	Busy bool
}

// Prune deletes the cases of old runs: of all but the newest keep of those that have ended, or, if keep
// is negative, of those begun before a moment. What is left of a run are its sums, totals and
// translators, and what became of failures in it; the formulas by which they are replayed are
// left too. Runs that did not end are pruned only if it is said, and then they can't go on;
// those at work never are. The file is written anew as a smaller one, for which there must be
// room on the disk. Nobody can write it meanwhile, for minutes if it is large: so if a run is at
// work, that is left to the next prune.
func (s *Store) Prune(ctx context.Context, keep int, before time.Time, unfinished bool) (*Pruned, error) {
	list, err := s.Runs(ctx)
	if err != nil {
		return nil, err
	}
	p := &Pruned{Runs: []int64{}}
	newer := 0
	var old []*Info
	for i := len(list) - 1; i >= 0; i-- {
		x := list[i]
		if x.Finished {
			newer++
		}
		p.Busy = p.Busy || x.Working()
		isOld := newer > keep
		if keep < 0 {
			isOld = x.Started.Before(before)
		}
		if isOld && !x.Pruned && (x.Finished || unfinished && !x.Working()) {
			old = append(old, x)
		}
	}
	size := fileSize(s.path)
	err = s.writes(ctx, func(tx *sql.Tx) error {
		for _, x := range old {
			p.Runs, p.Cases = append(p.Runs, x.Run), p.Cases+x.Cases
			if err := sumUp(ctx, tx, x.Run); err != nil {
				return err
			}
			for _, query := range []string{"DELETE FROM cases WHERE run = ?", "UPDATE runs SET pruned = TRUE WHERE id = ?"} {
				if _, err := tx.ExecContext(ctx, query, x.Run); err != nil {
					return err
				}
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM formulas WHERE id NOT IN (SELECT formula FROM cases)")
		return err
	})
	if err != nil || p.Busy {
		return p, err
	}
	for _, query := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.db.ExecContext(ctx, query); err != nil {
			return nil, s.failed(err)
		}
	}
	p.Bytes = size - fileSize(s.path)
	return p, nil
}

// fileSize returns the bytes of a database and its log.
func fileSize(path string) (n int64) {
	for _, name := range []string{path, path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n
}
