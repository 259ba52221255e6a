package history

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A Plan describes a run before it starts.
type Plan struct {
	// Configuration is a JSON text of everything that decides what the cases contain, except
	// Seed, Shard and Replayed. Runs with the same configuration can be compared. A killed run
	// resumes only with the same one.
	Configuration []byte
	File          string // of the configuration, or ""
	Name          string // given by the user, or ""
	Shard, Shards int    // it has the cases of which the index is Shard-1 modulo Shards
	Seed          *uint64
	Version       string // of xcheck
	Tools         []Tool // in the order of results in a case
	// Replayed are the formulas to check first; see [Store.Replays].
	Replayed []string
	// Start are the formulas that guided formulas start from; see [Store.Corpus].
	Start []string
	// Settings is a JSON text of what has no effect on the cases.
	Settings []byte
}

// A Tool is a translator of a run.
type Tool struct {
	Name, Command string
	Version       string // "" if it is not known
}

func (p *Plan) hash() string { return Hash(p.Configuration) }

// Hash returns the SHA-256 of a configuration, in hexadecimal: the Hash of an [Info].
func Hash(configuration []byte) string {
	sum := sha256.Sum256(configuration)
	return hex.EncodeToString(sum[:])
}

// A Run is a run that is being written.
type Run struct {
	outcome.RunID
	store  *Store
	places map[string]int // of translators
	began  time.Time      // this process
	before float64        // seconds spent by others
	stored map[int]bool   // cases that were there when it was resumed
	last   int            // greatest number in stored and in the spans, or -1
	compaction

	mu      sync.Mutex
	pending []entry
	bytes   int         // of pending
	timer   *time.Timer // that commits pending
	err     error       // of a commit that nobody has been told of yet
	lost    bool        // a commit has failed: nothing more is written
	beat    *time.Timer // that says that the run is at work
	over    bool        // it is not any more
}

const (
	// delay is how long a case waits for others to be committed with.
	delay = 100 * time.Millisecond
	// most cases, and bytes of them, wait.
	most, maxBytes = 500, 4 << 20
)

// Begin starts a run. Add its cases with their indexes.
func (s *Store) Begin(ctx context.Context, p *Plan) (*Run, error) {
	r := &Run{store: s, began: time.Now(), last: -1}
	r.Name, r.Started, r.Seed = p.Name, r.began, p.Seed
	now := toText(r.began)
	replayed, err := json.Marshal(append([]string{}, p.Replayed...))
	if err != nil {
		return nil, err
	}
	err = s.writes(ctx, func(tx *sql.Tx) error {
		configuration, err := s.configuration(ctx, tx, p)
		if err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO runs (uid, configuration, file, name, shard, shards, seed, version, process, started, alive, spent, replayed, settings, pruned)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, FALSE)`,
			newUID(), configuration, p.File, p.Name, p.Shard, p.Shards, seedText(p.Seed), p.Version, thisProcess(), now, now, string(replayed), string(p.Settings))
		if err != nil {
			return err
		}
		if r.RunID.Run, err = result.LastInsertId(); err != nil {
			return err
		}
		for place, t := range p.Tools {
			if err := execute(ctx, tx, "INSERT INTO translators (run, place, name, command, version) VALUES (?, ?, ?, ?, ?)", r.RunID.Run, place, t.Name, t.Command, t.Version); err != nil {
				return err
			}
		}
		for place, formula := range p.Start {
			if _, err := tx.ExecContext(ctx, "INSERT INTO starts (run, place, formula) VALUES (?, ?, ?)", r.RunID.Run, place, formula); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.places = places(p.Tools)
	r.live()
	return r, nil
}

// live says every heartbeat that the run is at work, also if no case ends.
func (r *Run) live() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beat = time.AfterFunc(heartbeat, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.over || r.lost {
			return
		}
		ctx := context.Background()
		// If it fails, so will the next commit, which tells.
		r.store.writes(ctx, func(tx *sql.Tx) error { return r.touch(ctx, tx) })
		r.beat.Reset(heartbeat)
	})
}

// rest ends the heartbeat.
func (r *Run) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.beat.Stop()
}

func places(tools []Tool) map[string]int {
	m := map[string]int{}
	for i, t := range tools {
		m[t.Name] = i
	}
	return m
}

// configuration returns the number of the plan's configuration, which it adds if it is not
// there.
func (s *Store) configuration(ctx context.Context, tx *sql.Tx, p *Plan) (id int64, err error) {
	if _, err = tx.ExecContext(ctx, "INSERT INTO configurations (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING", p.hash(), string(p.Configuration)); err == nil {
		err = tx.QueryRowContext(ctx, "SELECT id FROM configurations WHERE hash = ?", p.hash()).Scan(&id)
	}
	return id, err
}

func seedText(seed *uint64) any {
	if seed == nil {
		return nil
	}
	return strconv.FormatUint(*seed, 10)
}

// failed says of which file an error is.
func (s *Store) failed(err error) error { return inFile(s.path, err) }

// Resume continues a run that did not end, and stores the Settings of info.
func (s *Store) Resume(ctx context.Context, info *Info) (*Run, error) {
	r := &Run{RunID: info.RunID, store: s, places: places(info.Tools), began: time.Now(), before: info.Spent, stored: map[int]bool{}, last: -1}
	for number, err := range each(ctx, s.reads(), column[int], "SELECT number FROM cases WHERE run = ?", info.Run) {
		if err != nil {
			return nil, s.failed(err)
		}
		r.stored[number] = true
		r.last = max(r.last, number)
	}
	if err := r.resume(ctx); err != nil {
		return nil, s.failed(err)
	}
	err := s.writes(ctx, func(tx *sql.Tx) error {
		// Another process may have been faster.
		var process string
		if err := tx.QueryRowContext(ctx, "SELECT process FROM runs WHERE id = ?", info.Run).Scan(&process); err != nil {
			return err
		}
		if process != info.process {
			return &RunningError{Run: info.Run, Process: process}
		}
		return execute(ctx, tx, "UPDATE runs SET process = ?, alive = ?, ended = NULL, status = NULL, good = NULL, totals = NULL, cases = NULL, settings = ? WHERE id = ?",
			thisProcess(), toText(r.began), string(info.Settings), info.Run)
	})
	if err != nil {
		return nil, err
	}
	r.live()
	return r, nil
}

// Has reports whether a case was stored when the run was resumed.
func (r *Run) Has(number int) bool { return r.stored[number] }

// Last returns the number of the last case that was stored when the run was resumed, or -1.
func (r *Run) Last() int { return r.last }

// Stored returns the number of cases that were stored when the run was resumed.
func (r *Run) Stored() int { return len(r.stored) + r.summed }

// Case returns a case that was stored when the run was resumed.
func (r *Run) Case(ctx context.Context, number int) (*outcome.Case, error) {
	c, err := r.store.storedCase(ctx, r.RunID.Run, number)
	return c, r.store.failed(err)
}

func (s *Store) storedCase(ctx context.Context, run int64, number int) (*outcome.Case, error) {
	var document []byte
	if err := s.reads().QueryRowContext(ctx, "SELECT document FROM cases WHERE run = ? AND number = ?", run, number).Scan(&document); err != nil {
		return nil, err
	}
	c, err := unpack(document)
	if err != nil {
		return nil, fmt.Errorf("case %d of run %d: %w", number, run, err)
	}
	return c, nil
}

// An entry is a case that waits to be committed.
type entry struct {
	c        *outcome.Case
	document []byte
}

// Add writes a case. It is committed together with the cases of the next tenth of a second. A
// case that is already stored stays unchanged. The error may come from an earlier commit; then
// nothing more is written.
func (r *Run) Add(c *outcome.Case) error {
	if r.stored[c.Index] {
		return nil
	}
	document, err := pack(c)
	if err != nil {
		return r.store.failed(fmt.Errorf("case %d: %w", c.Index, err))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost {
		return r.tell()
	}
	r.pending = append(r.pending, entry{c, document})
	r.bytes += len(document)
	switch {
	case len(r.pending) >= most || r.bytes >= maxBytes:
		r.commit()
	case r.timer == nil:
		r.timer = time.AfterFunc(delay, func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.commit()
		})
	}
	return r.tell()
}

// tell returns the error of a commit, once.
func (r *Run) tell() error {
	err := r.err
	r.err = nil
	return err
}

// commit writes what waits. It takes no context: what was found is kept also when the run is
// interrupted.
func (r *Run) commit() {
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	if len(r.pending) == 0 || r.lost {
		return
	}
	ctx := context.Background()
	err := r.store.writes(ctx, func(tx *sql.Tx) error {
		w, err := newCaseWriter(ctx, tx, r.RunID.Run, r.places)
		if err != nil {
			return err
		}
		for _, e := range r.pending {
			if err := w.write(ctx, e.c, e.document); err != nil {
				return fmt.Errorf("case %d: %w", e.c.Index, err)
			}
		}
		return r.touch(ctx, tx)
	})
	r.pending, r.bytes = nil, 0 // also if the commit failed: nothing is tried twice
	if err != nil {
		r.err, r.lost = err, true
	}
}

func (r *Run) touch(ctx context.Context, tx *sql.Tx) error {
	return execute(ctx, tx, "UPDATE runs SET alive = ?, spent = ? WHERE id = ?", toText(time.Now()), r.Spent().Seconds(), r.RunID.Run)
}

// Spent returns how long processes have worked on the run, without the pauses between a kill
// and a resume.
func (r *Run) Spent() time.Duration {
	return time.Duration(r.before*float64(time.Second)) + time.Since(r.began)
}

// Lost reports whether a commit has failed. Nothing is written afterwards.
func (r *Run) Lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// Flush commits the waiting cases.
func (r *Run) Flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.commit()
	return r.tell()
}

// End records how the run ended. If finished is false, it was interrupted or failed, and can
// be resumed. totals is a JSON text: the part of the run's document beside its cases.
//
// A finished run of many cases is then compacted.
func (r *Run) End(status int, finished bool, totals []byte) error {
	err := errors.Join(r.Flush(), r.compacted())
	r.rest()
	var ended any // NULL: it can be resumed
	if finished {
		ended = toText(time.Now())
	}
	ctx := context.Background()
	err = errors.Join(err, r.store.writes(ctx, func(tx *sql.Tx) error {
		if err := endRun(ctx, tx, r.RunID.Run, ended, status, totals); err != nil {
			return err
		}
		return r.touch(ctx, tx)
	}))
	if err != nil || !finished {
		return err
	}
	if err := r.store.compact(ctx, r.RunID.Run); err != nil {
		return err
	}
	return r.store.shrink(ctx)
}

// endRun records how a run ended, and when; nil if it did not.
func endRun(ctx context.Context, tx *sql.Tx, run int64, ended any, status int, totals []byte) error {
	err := execute(ctx, tx, `UPDATE runs SET ended = ?1, status = ?2, totals = ?3, process = '',
		good = ?1 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sightings WHERE run = runs.id AND state IN (?4, ?5)) WHERE id = ?6`,
		ended, status, string(totals), outcome.StateNew, outcome.StateBackAgain, run)
	if err != nil {
		return err
	}
	if ended != nil { // it will not be resumed
		if err := execute(ctx, tx, "DELETE FROM spans WHERE run = ?1; DELETE FROM answers WHERE run = ?1", run); err != nil {
			return err
		}
	}
	return sumUp(ctx, tx, run)
}

// Only deletes the cases of the run that are not in reported. They were done when an earlier
// case stopped the run, and are in no report.
func (r *Run) Only(reported map[int]bool) error {
	err := r.Flush()
	numbers, _ := json.Marshal(slices.AppendSeq([]int{}, maps.Keys(reported))) // never fails
	return errors.Join(err, r.write("DELETE FROM cases WHERE run = ? AND number NOT IN (SELECT value FROM json_each(?))", r.RunID.Run, string(numbers)))
}

func (r *Run) write(text string, args ...any) error {
	ctx := context.Background()
	return r.store.writes(ctx, func(tx *sql.Tx) error { return execute(ctx, tx, text, args...) })
}

// Leave stops writing a run without changing it. Any host can resume it later.
func (r *Run) Leave() error {
	err := errors.Join(r.Flush(), r.compacted())
	r.rest()
	return errors.Join(err, r.write("UPDATE runs SET process = '' WHERE id = ?", r.RunID.Run))
}

// Discard deletes the run from the history.
func (r *Run) Discard() error {
	r.rest()
	return r.write("DELETE FROM runs WHERE id = ?", r.RunID.Run)
}
