package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// An Info describes a stored run.
type Info struct {
	outcome.RunID
	File          string // of the configuration, as it was named; "" for none
	Configuration json.RawMessage
	Hash          string // of Configuration
	Shard, Shards int
	Version       string // of xcheck
	Ended         time.Time
	Spent         float64 // seconds at work
	Finished      bool    // it came to its end; otherwise it can go on
	Status        *int    // nil if it was killed
	Good          bool    // it has finished, and found nothing new
	Replayed      []string
	Cases, Failed int // cases, and those in which something failed
	Tools         []Tool
	// Totals is the part of the run's JSON document beside its cases. It is nil for a killed
	// run.
	Totals json.RawMessage
	// Settings have no effect on the cases.
	Settings json.RawMessage
	Parts    []Part // the shards that it was united from, if it was
	Pruned   bool   // its cases have been deleted
	New      int    // groups of failures that are new, or back again

	uid, alive, process string
}

// Working reports whether a process is working on the run.
func (x *Info) Working() bool {
	alive, err := toTime(x.alive)
	return !x.Finished && err == nil && working(x.process, alive)
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

// Find returns the run with a number, or the last one with a name. "last" is the last run.
func (s *Store) Find(ctx context.Context, text string) (*Info, error) {
	where, arg := selection(text)
	list, err := s.infos(ctx, where, arg)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		if text == "last" {
			return nil, s.failed(errors.New("no runs stored"))
		}
		return nil, s.failed(fmt.Errorf("no run %q: use a number or name from xcheck history list, or last", text))
	}
	return list[len(list)-1], nil
}

// selection returns the condition for the runs that a text stands for.
func selection(text string) (where string, arg any) {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "WHERE runs.id = ?", number
	}
	if text == "last" {
		return "WHERE ?", true
	}
	return "WHERE name = ?", text
}

func (s *Store) infos(ctx context.Context, where string, args ...any) (list []*Info, err error) {
	rows, err := s.reads().QueryContext(ctx, `SELECT runs.id, uid, file, name, shard, shards, seed, version, started, alive, spent, ended, status, good, totals, process, replayed, hash, text, settings, pruned,
		ifnull(cases, (SELECT count(*) FROM cases WHERE run = runs.id)), iif(cases IS NULL, (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed), runs.failed),
		(SELECT count(*) FROM sightings WHERE run = runs.id AND state IN ('new', 'back again'))
		FROM runs JOIN configurations ON configurations.id = configuration `+where+" ORDER BY runs.id", args...)
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		x := new(Info)
		var seed, ended, totals sql.NullString
		var status sql.NullInt64
		var good sql.NullBool
		var started, configuration, replayed, settings string
		if err := rows.Scan(&x.Run, &x.uid, &x.File, &x.Name, &x.Shard, &x.Shards, &seed, &x.Version, &started, &x.alive, &x.Spent, &ended, &status, &good, &totals, &x.process, &replayed,
			&x.Hash, &configuration, &settings, &x.Pruned, &x.Cases, &x.Failed, &x.New); err != nil {
			return nil, s.failed(err)
		}
		x.Configuration, x.Settings = json.RawMessage(configuration), json.RawMessage(settings)
		x.Finished, x.Good = ended.Valid, good.Bool
		if status.Valid {
			n := int(status.Int64)
			x.Status = &n
		}
		if totals.Valid {
			x.Totals = json.RawMessage(totals.String)
		}
		if x.Seed, err = parseSeed(seed); err != nil {
			return nil, s.failed(err)
		}
		if x.Started, err = toTime(started); err != nil {
			return nil, s.failed(err)
		}
		if err := json.Unmarshal([]byte(replayed), &x.Replayed); err != nil {
			return nil, s.failed(err)
		}
		if !ended.Valid {
			ended.String = x.alive
		}
		if x.Ended, err = toTime(ended.String); err != nil {
			return nil, s.failed(err)
		}
		list = append(list, x)
	}
	if err := rows.Err(); err != nil {
		return nil, s.failed(err)
	}
	for _, x := range list {
		if x.Tools, err = s.tools(ctx, x.Run); err != nil {
			return nil, err
		}
		if x.Parts, err = s.parts(ctx, x.Run); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func parseSeed(text sql.NullString) (*uint64, error) {
	if !text.Valid {
		return nil, nil
	}
	n, err := strconv.ParseUint(text.String, 10, 64)
	return &n, err
}

func (s *Store) tools(ctx context.Context, run int64) (tools []Tool, err error) {
	rows, err := s.reads().QueryContext(ctx, "SELECT name, command, version FROM translators WHERE run = ? ORDER BY place", run)
	if err != nil {
		return nil, s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var t Tool
		if err := rows.Scan(&t.Name, &t.Command, &t.Version); err != nil {
			return nil, s.failed(err)
		}
		tools = append(tools, t)
	}
	return tools, s.failed(rows.Err())
}

// Cases calls each for the cases of a run, in the order of their indexes.
func (s *Store) Cases(ctx context.Context, run int64, each func(*outcome.Case) error) error {
	rows, err := s.reads().QueryContext(ctx, "SELECT number, document FROM cases WHERE run = ? ORDER BY number", run)
	if err != nil {
		return s.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		var number int
		var document []byte
		if err := rows.Scan(&number, &document); err != nil {
			return s.failed(err)
		}
		c, err := unpack(document)
		if err != nil {
			return s.failed(fmt.Errorf("case %d of run %d: %w", number, run, err))
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return s.failed(rows.Err())
}

// Check asks SQLite to verify the file, and verifies that no row refers to a missing one.
func (s *Store) Check(ctx context.Context) error {
	answers, err := texts(ctx, s.reads(), "SELECT integrity_check FROM pragma_integrity_check")
	if err != nil {
		return s.failed(err)
	}
	for _, text := range answers {
		if text != "ok" {
			return s.failed(fmt.Errorf("the file is damaged: %s; sqlite3 FILE .recover may save some of it", text))
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
	var text string
	err := s.reads().QueryRowContext(ctx, "SELECT text FROM runs JOIN configurations ON configurations.id = configuration ORDER BY runs.id DESC LIMIT 1").Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return json.RawMessage(text), s.failed(err)
}
