package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// An Info describes a stored run.
type Info struct {
	Line
	Configuration json.RawMessage
	Hash          string  // of Configuration
	Version       string  // of xcheck
	Spent         float64 // seconds at work
	Good          bool    // it has finished, and found nothing new
	Replayed      []string
	Tools         []Tool
	// Totals is the part of the run's JSON document beside its cases. It is nil for a killed run.
	Totals json.RawMessage
	// Settings have no effect on the cases.
	Settings json.RawMessage
	Parts    []Part // the shards that it was united from, if it was

	uid, alive, process string
}

// A Line is what a list of runs says of a run.
type Line struct {
	outcome.RunID
	File     string    `json:"file"`        // the configuration; empty without one
	Shard    int       `json:"shard"`       // number of the shard, from 1; 0 for a whole run
	Shards   int       `json:"shards"`      // number of shards that the run is divided into
	Ended    time.Time `json:"ended"`       // when it ended, or last wrote something
	Finished bool      `json:"finished"`    // true if the run came to its end
	Working  bool      `json:"at_work"`     // true if a process is at work on the run
	Pruned   bool      `json:"pruned"`      // true if results of the run were removed
	Cases    int       `json:"cases"`       // number of formulas, or of automata if these are the inputs
	Failed   int       `json:"failed"`      // number of formulas on which something failed
	New      int       `json:"new"`         // number of groups of failures that are new or back again
	Status   *int      `json:"exit_status"` // exit status of the run; null if it was killed

	checked bool // its totals have a check that was decided, or a proof
}

// State says in a word or two how the run ended, or how far it is: "FAIL", "PASS, pruned", "running".
func (x *Line) State() string {
	switch {
	case x.Working && !x.Pruned:
		return "running"
	case x.Status == nil || !x.Finished && !x.Pruned:
		return "unfinished"
	}
	word := outcome.ExitStatus(*x.Status).Word(x.checked)
	if x.Pruned {
		word += ", pruned"
	}
	return word
}

// Runs returns all runs, the oldest first.
func (s *Store) Runs(ctx context.Context) ([]*Info, error) {
	return s.infos(ctx, "")
}

// Info returns a run by its number.
func (s *Store) Info(ctx context.Context, run int64) (*Info, error) {
	list, err := s.infos(ctx, "WHERE runs.id = ?", run)
	if err == nil && len(list) == 0 {
		err = s.failed(fmt.Errorf("no run %d: xcheck history list shows all runs", run))
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// Ahead returns the last run that started more than a minute after a time, or nil: if that is the
// present, some clock is wrong.
func (s *Store) Ahead(ctx context.Context, now time.Time) (*Info, error) {
	list, err := s.infos(ctx, "WHERE runs.started > ?", toText(now.Add(time.Minute)))
	if len(list) == 0 {
		return nil, err
	}
	return list[len(list)-1], nil
}

// First reports whether no run of the history is older.
func (r *Run) First(ctx context.Context) (first bool, err error) {
	err = r.store.reads().QueryRowContext(ctx, "SELECT NOT EXISTS (SELECT 1 FROM runs WHERE id < ?)", r.RunID.Run).Scan(&first)
	return first, r.store.failed(err)
}

// Find returns the run with a number, or the last one with a name. "last" is the last run.
func (s *Store) Find(ctx context.Context, text string) (*Info, error) {
	x, err := s.Other(ctx, text, 0)
	switch {
	case x != nil || err != nil:
		return x, err
	case text == "last":
		return nil, s.failed(errors.New("no runs stored"))
	}
	return nil, s.failed(fmt.Errorf("no run %q: use a number or name from xcheck history list, or last", text))
}

// Other finds a run as Find does, and ignores the run with number other. It returns nil if no run fits.
func (s *Store) Other(ctx context.Context, text string, other int64) (*Info, error) {
	where, arg := "name = ?", any(text)
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		where, arg = "runs.id = ?", number
	} else if text == "last" {
		where, arg = "?", true // all runs
	}
	list, err := s.infos(ctx, "WHERE "+where+" AND runs.id <> ?", arg, other)
	if len(list) == 0 {
		return nil, err
	}
	return list[len(list)-1], nil
}

func (x *Info) columns() []any {
	return aRun(&x.RunID, &x.uid, &x.File, &x.Shard, &x.Shards, &x.Version, &x.alive, &x.Spent, &x.Finished, aTime(&x.Ended), &x.Status, &x.Good,
		(*[]byte)(&x.Totals), &x.process, aList(&x.Replayed), &x.Hash, (*[]byte)(&x.Configuration), (*[]byte)(&x.Settings), &x.Pruned, &x.Cases, &x.Failed, &x.New, &x.checked)
}

// infos returns the runs that a condition selects, the oldest first.
func (s *Store) infos(ctx context.Context, where string, args ...any) ([]*Info, error) {
	found, err := query(ctx, s.reads(), (*Info).columns, `SELECT uid, file, shard, shards, version, alive, spent, ended IS NOT NULL, ifnull(ended, alive), status, ifnull(good, FALSE),
			totals, process, replayed, hash, text, settings, pruned,
			ifnull(cases, (SELECT count(*) FROM cases WHERE run = runs.id)), iif(cases IS NULL, (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed), runs.failed),
			(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN ('new', 'back again')),
			ifnull(checked, FALSE), runs.id, name, started, seed
		FROM runs JOIN configurations ON configurations.id = configuration `+where+" ORDER BY runs.id", args...)
	if err != nil {
		return nil, s.failed(err)
	}
	var list []*Info
	for i := range found {
		x := &found[i]
		x.Working = !x.Finished && working(x.process, x.Ended)
		if x.Tools, err = s.tools(ctx, x.Run); err != nil {
			return nil, err
		}
		if x.Parts, err = s.parts(ctx, x.Run); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

func (s *Store) tools(ctx context.Context, run int64) ([]Tool, error) {
	tools, err := query(ctx, s.reads(), func(t *Tool) []any { return []any{&t.Name, &t.Command, &t.Version} },
		"SELECT name, command, version FROM translators WHERE run = ? ORDER BY place", run)
	return tools, s.failed(err)
}

// Cases calls use for the cases of a run, in the order of their indexes.
func (s *Store) Cases(ctx context.Context, run int64, use func(*outcome.Case) error) error {
	type row struct {
		number   int
		document []byte
	}
	columns := func(x *row) []any { return []any{&x.number, &x.document} }
	for x, err := range each(ctx, s.reads(), columns, "SELECT number, document FROM cases WHERE run = ? ORDER BY number", run) {
		if err != nil {
			return s.failed(err)
		}
		c, err := unpack(x.document)
		if err != nil {
			return s.failed(fmt.Errorf("case %d of run %d: %w", x.number, run, err))
		}
		if err := use(c); err != nil {
			return err
		}
	}
	return nil
}

// Check asks SQLite to verify the file, and verifies that no row refers to a missing one.
func (s *Store) Check(ctx context.Context) error {
	answers, err := texts(ctx, s.reads(), "SELECT integrity_check FROM pragma_integrity_check")
	if err != nil {
		return s.failed(err)
	}
	for _, text := range answers {
		if text != "ok" {
			return s.failed(fmt.Errorf("the file is damaged: %s; restore a backup; sqlite3 FILE .recover may save some of it", text))
		}
	}
	if answers, err = texts(ctx, s.reads(), `SELECT "table" || ', which refers to ' || parent FROM pragma_foreign_key_check`); err != nil {
		return s.failed(err)
	}
	if len(answers) > 0 {
		return s.failed(fmt.Errorf("the file is damaged: %d rows refer to missing rows (the first: %s)", len(answers), answers[0]))
	}
	return nil
}

// Configuration returns the configuration of the last run. It is nil if the history has no runs.
func (s *Store) Configuration(ctx context.Context) (json.RawMessage, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	list, err := texts(ctx, s.reads(), "SELECT text FROM runs JOIN configurations ON configurations.id = configuration ORDER BY runs.id DESC LIMIT 1")
	if len(list) == 0 {
		return nil, s.failed(err)
	}
	return json.RawMessage(list[0]), nil
}

// A Pruned is the result of a prune.
type Pruned struct {
	Runs  []int64 // of which the cases were deleted
	Cases int
	// Bytes is the number of bytes that the file shrank by.
	Bytes int64
	// Busy says that a run is at work, so the file keeps its size.
	Busy bool
}

// Prune deletes the cases of old runs. If keep is not negative, it keeps the cases of the newest keep runs
// that have ended. Otherwise it deletes the cases of runs begun before the given time. Totals,
// translators, and the states of failures stay, and so do the formulas to replay.
//
// Runs that did not end are pruned only if unfinished is set, and can't be resumed afterwards. Runs at work
// are never pruned. Prune rewrites the file, which needs disk space, and blocks writers, for minutes if the
// file is large. So while a run is at work, the next prune does that.
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
			if err := errors.Join(countCases(ctx, tx, x.Run), execute(ctx, tx, "DELETE FROM cases WHERE run = ?1; UPDATE runs SET pruned = TRUE WHERE id = ?1", x.Run)); err != nil {
				return err
			}
		}
		return execute(ctx, tx, "DELETE FROM formulas WHERE id NOT IN (SELECT formula FROM cases)")
	})
	if err != nil || p.Busy {
		return p, err
	}
	vacuum := func() error { // it rewrites the file without free pages
		_, err := s.db.ExecContext(ctx, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	}
	if err := s.locking(ctx, vacuum); err != nil {
		return nil, s.failed(err)
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
