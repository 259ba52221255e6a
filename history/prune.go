package history

import (
	"context"
	"database/sql"
	"os"
	"slices"
	"time"
)

// A Pruned is the result of a prune.
type Pruned struct {
	Runs  []int64 // of which the cases were deleted
	Cases int
	// Bytes is the number of bytes that the file shrank by.
	Bytes int64
	// Busy says that a run is at work, so the file keeps its size.
	Busy bool
}

// Prune deletes the cases of old runs. If keep is not negative, it keeps the cases of the
// newest keep runs that have ended. Otherwise it deletes the cases of runs begun before the
// given time. Sums, totals, translators, and the states of failures stay, and so do the
// formulas to replay, and the corpus.
//
// Runs that did not end are pruned only if unfinished is set, and can't be resumed afterwards.
// Runs at work are never pruned. Prune rewrites the file, which needs disk space, and blocks
// writers, for minutes if the file is large. So while a run is at work, the next prune does
// that.
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
		if x.Finished { // finished runs from here on
			newer++
		}
		p.Busy = p.Busy || x.Working
		isOld := newer > keep
		if keep < 0 {
			isOld = x.Started.Before(before)
		}
		if isOld && !x.Pruned && (x.Finished || unfinished && !x.Working) {
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
			if err := execute(ctx, tx, "DELETE FROM cases WHERE run = ?1; DELETE FROM starts WHERE run = ?1; UPDATE runs SET pruned = TRUE WHERE id = ?1", x.Run); err != nil {
				return err
			}
		}
		return execute(ctx, tx, "DELETE FROM formulas WHERE id NOT IN (SELECT formula FROM cases)")
	})
	if err != nil || p.Busy {
		return p, err
	}
	if err := s.vacuum(ctx); err != nil {
		return nil, s.failed(err)
	}
	p.Bytes = size - fileSize(s.path)
	return p, nil
}

// vacuum rewrites the file without free pages.
func (s *Store) vacuum(ctx context.Context) (err error) {
	for _, query := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if err == nil {
			_, err = s.db.ExecContext(ctx, query)
		}
	}
	return err
}

// shrink makes the file smaller if more than half of it is free, and nobody else writes it.
func (s *Store) shrink(ctx context.Context) error {
	var free, pages int
	err := s.db.QueryRowContext(ctx, "SELECT (SELECT freelist_count FROM pragma_freelist_count), (SELECT page_count FROM pragma_page_count)").Scan(&free, &pages)
	if err != nil || 2*free <= pages {
		return s.failed(err)
	}
	list, err := s.Runs(ctx)
	if err != nil || slices.ContainsFunc(list, func(x *Info) bool { return x.Working }) {
		return err
	}
	if err := s.vacuum(ctx); !isBusy(err) {
		return s.failed(err)
	}
	return nil // somebody else writes it
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
