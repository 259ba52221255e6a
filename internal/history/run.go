package history

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
	Once          bool   // Begin fails if this shard of this configuration and name has begun
	Seed          *uint64
	Version       string // of xcheck
	Tools         []Tool // in the order of results in a case
	// Replayed are the formulas to check first; see [Store.Replays].
	Replayed []string
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
	last   int            // greatest number in stored, or -1

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
		if err := addConfiguration(ctx, tx, p.hash(), p.Configuration); err != nil {
			return err
		}
		const begun = "SELECT runs.id FROM runs JOIN configurations ON configurations.id = configuration WHERE hash = ? AND shard = ? AND shards = ? AND name = ?"
		if list, err := query(ctx, tx, column[int64], begun, p.hash(), p.Shard, p.Shards, p.Name); err != nil || p.Once && len(list) > 0 {
			return cmp.Or(err, fmt.Errorf("shard %d/%d of %s has ended, or another process works on it: run %v; use another --name for another run", p.Shard, p.Shards, p.Name, list))
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO runs (uid, configuration, file, name, shard, shards, seed, version, process, started, alive, spent, replayed, settings, pruned)
			SELECT ?, id, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, FALSE FROM configurations WHERE hash = ?`,
			newUID(), p.File, p.Name, p.Shard, p.Shards, seedText(p.Seed), p.Version, thisProcess(), now, now, string(replayed), string(p.Settings), p.hash())
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

// addConfiguration adds the text of a configuration unless it is there.
func addConfiguration(ctx context.Context, tx *sql.Tx, hash string, text []byte) error {
	return execute(ctx, tx, "INSERT INTO configurations (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING", hash, string(text))
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

// Forget deletes the cases of a run that did not end, so that they are checked again from the start, with the
// versions of a plan and all of its time. It returns how many there were.
func (s *Store) Forget(ctx context.Context, info *Info, p *Plan) (cases int, err error) {
	err = s.writes(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM cases WHERE run = ?", info.Run).Scan(&cases); err != nil {
			return err
		}
		for place, t := range p.Tools {
			if err := execute(ctx, tx, "UPDATE translators SET version = ? WHERE run = ? AND place = ?", t.Version, info.Run, place); err != nil {
				return err
			}
		}
		return execute(ctx, tx, `DELETE FROM cases WHERE run = ?1; UPDATE runs SET version = ?2, spent = 0 WHERE id = ?1`, info.Run, p.Version)
	})
	if err == nil {
		info.Spent, info.Tools, info.Version = 0, p.Tools, p.Version
	}
	return cases, err
}

// Has reports whether a case was stored when the run was resumed.
func (r *Run) Has(number int) bool { return r.stored[number] }

// Last returns the number of the last case that was stored when the run was resumed, or -1.
func (r *Run) Last() int { return r.last }

// Stored returns the number of cases that were stored when the run was resumed.
func (r *Run) Stored() int { return len(r.stored) }

// Case returns a case that was stored when the run was resumed.
func (r *Run) Case(ctx context.Context, number int) (*outcome.Case, error) {
	var document []byte
	if err := r.store.reads().QueryRowContext(ctx, "SELECT document FROM cases WHERE run = ? AND number = ?", r.RunID.Run, number).Scan(&document); err != nil {
		return nil, r.store.failed(err)
	}
	c, err := unpack(document)
	if err != nil {
		return nil, fmt.Errorf("case %d of run %d: %w", number, r.RunID.Run, err)
	}
	return c, nil
}

// An entry is a case that waits to be committed.
type entry struct {
	c        *outcome.Case
	document []byte
}

// Add writes a case. It is committed together with the cases of the next tenth of a second. A case that is
// already stored stays unchanged. The error may come from an earlier commit; then nothing more is written.
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

// commit writes what waits. It takes no context: what was found is kept also when the run is interrupted.
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
		if err := r.writeCases(ctx, tx, r.pending); err != nil {
			return err
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

// Spent returns how long processes have worked on the run, without the pauses between a kill and a resume.
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
func (r *Run) End(status int, finished bool, totals []byte) error {
	err := r.Flush()
	r.rest()
	var ended any // NULL: it can be resumed
	if finished {
		ended = toText(time.Now())
	}
	ctx := context.Background()
	return errors.Join(err, r.store.writes(ctx, func(tx *sql.Tx) error {
		if err := endRun(ctx, tx, r.RunID.Run, ended, status, totals); err != nil {
			return err
		}
		return r.touch(ctx, tx)
	}))
}

// endRun records how a run ended, and when; nil if it did not.
func endRun(ctx context.Context, tx *sql.Tx, run int64, ended any, status int, totals []byte) error {
	err := execute(ctx, tx, `UPDATE runs SET ended = ?1, status = ?2, totals = ?3, process = '',
		checked = iif(json_valid(?3), ?3 ->> '$.Summary.passed' OR ?3 ->> '$.Summary.proved' OR ?3 ->> '$.Summary.disagreements', FALSE),
		good = ?1 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sightings WHERE run = runs.id AND state IN (?4, ?5)) WHERE id = ?6`,
		ended, status, string(totals), outcome.StateNew, outcome.StateBackAgain, run)
	return errors.Join(err, countCases(ctx, tx, run))
}

// countCases stores the numbers of the cases of a run, which are left when the cases are deleted.
func countCases(ctx context.Context, tx *sql.Tx, run int64) error {
	return execute(ctx, tx, `UPDATE runs SET cases = (SELECT count(*) FROM cases WHERE run = runs.id),
		failed = (SELECT count(*) FROM cases WHERE run = runs.id AND cases.failed) WHERE id = ?`, run)
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
	err := r.Flush()
	r.rest()
	return errors.Join(err, r.write("UPDATE runs SET process = '' WHERE id = ?", r.RunID.Run))
}

// Discard deletes the run from the history.
func (r *Run) Discard() error {
	r.rest()
	return r.write("DELETE FROM runs WHERE id = ?", r.RunID.Run)
}

// thisProcess names this process, as "host 1234 5678": its number and when it was started,
// as numbers of processes come again.
func thisProcess() string {
	return fmt.Sprintf("%s %d %s", thisHost(), os.Getpid(), started(os.Getpid()))
}

func thisHost() string {
	host, _ := os.Hostname()
	return strings.ReplaceAll(host, " ", "_")
}

// A process that is at work says so every heartbeat. One on another host that has said nothing for
// silence is taken for dead.
const (
	heartbeat = 10 * time.Second
	silence   = time.Minute
)

// elsewhere reports whether a process is on another host. Of such a one nothing is known but when
// it last wrote something.
func elsewhere(process string) bool {
	name, _, _ := strings.Cut(process, " ")
	return name != "" && name != thisHost()
}

// working reports whether a process other than this one is still there, which last wrote something at a time.
func working(process string, wrote time.Time) bool {
	fields := strings.SplitN(process, " ", 3)
	if len(fields) != 3 {
		return false
	}
	if elsewhere(process) {
		return time.Since(wrote) < silence
	}
	number, err := strconv.Atoi(fields[1])
	if err != nil || number <= 0 || number == os.Getpid() { // what this process left, it may resume
		return false
	}
	err = syscall.Kill(number, 0)
	return (err == nil || errors.Is(err, os.ErrPermission)) && started(number) == fields[2]
}

// started returns when a process was started, in the kernel's ticks since it was; "" where that
// is not known. A process that has ended but is still listed is none.
func started(number int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", number))
	if err != nil {
		return ""
	}
	// The name, in parentheses, may have anything in it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "ended"
	}
	return fields[19]
}

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
	if x.Working {
		running := &RunningError{Run: x.Run, Process: x.process}
		if elsewhere(x.process) {
			running.Until = x.Ended.Add(silence)
		}
		return nil, s.failed(running)
	}
	return x, nil
}

// A case is stored as in the JSON document of a run, compressed: a byte for the way, then the
// text. Cases are much alike, and short: a dictionary, which is the text of a typical one,
// makes them a third of what they would be without.
const packed1 = 1

// dictionary1 is a case with a disagreement, a failure and a finding. As all that was ever
// packed needs it, it must never change: a better one gets a new number.
//
//go:embed dictionary1.json
var dictionary1 []byte

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriterDict(nil, flate.BestSpeed, dictionary1)
	if err != nil {
		panic(err) // of the level only
	}
	return w
}}

func pack(c *outcome.Case) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteByte(packed1)
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(text.Bytes()); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func unpack(document []byte) (*outcome.Case, error) {
	if len(document) == 0 || document[0] != packed1 {
		return nil, errors.New("stored in a format that this xcheck does not know: use a newer version")
	}
	c := new(outcome.Case)
	text, err := io.ReadAll(io.LimitReader(flate.NewReaderDict(bytes.NewReader(document[1:]), dictionary1), 1<<30))
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err != nil {
		return nil, fmt.Errorf("the stored data is damaged: %w", err)
	}
	return c, nil
}

// writeCases inserts cases, and what tables have of them for queries.
func (r *Run) writeCases(ctx context.Context, tx *sql.Tx, list []entry) error {
	var formula, number, result *sql.Stmt
	for _, x := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&formula, "INSERT INTO formulas (text) VALUES (?) ON CONFLICT DO NOTHING"},
		{&number, "INSERT INTO cases (run, number, formula, seed, replayed, failed, document) SELECT ?, ?, id, ?, ?, ?, ? FROM formulas WHERE text = ?"},
		{&result, "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
	} {
		var err error
		if *x.stmt, err = tx.PrepareContext(ctx, x.text); err != nil {
			return err
		}
	}
	run := r.RunID.Run
	write := func(c *outcome.Case, document []byte) error {
		if _, err := formula.ExecContext(ctx, c.Text()); err != nil {
			return err
		}
		if _, err := number.ExecContext(ctx, run, c.Index, seedText(c.Seed), c.Replayed, len(c.Failures()) > 0, document, c.Text()); err != nil {
			return err
		}
		for i := range c.Results {
			x := &c.Results[i]
			if !x.Asked() {
				continue
			}
			place, ok := r.places[x.Translator]
			if !ok {
				return fmt.Errorf("it has a result of %s, which is not of the run", x.Translator)
			}
			if _, err := result.ExecContext(ctx, run, c.Index, place, x.Polarity, string(x.Status), x.Seconds, x.CPU, x.MaxRSS, x.States, x.Edges, x.Transitions, x.Sets); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range list {
		if err := write(e.c, e.document); err != nil {
			return fmt.Errorf("case %d: %w", e.c.Index, err)
		}
	}
	return nil
}

// FailingCase returns the newest stored case of an input, given by its text, in which a translator
// fails; nil if there is none.
func (s *Store) FailingCase(ctx context.Context, text, translator string) (*outcome.Case, error) {
	for document, err := range each(ctx, s.reads(), column[[]byte], `SELECT document FROM cases JOIN formulas ON formulas.id = formula
			WHERE text = ? AND failed ORDER BY run DESC, number`, text) {
		if err != nil {
			return nil, s.failed(err)
		}
		c, err := unpack(document)
		if err != nil {
			return nil, s.failed(err)
		}
		for _, f := range c.Faults() { // another one may have failed
			if f.Translator == translator {
				return c, nil
			}
		}
	}
	return nil, nil
}
