package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
	"github.com/xcheck-ltl/xcheck/outcome"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A Store is an open history. Several goroutines may call its methods, and several processes
// may open the file.
type Store struct {
	path string
	db   *sql.DB
	tx   *sql.Tx // in which all is done, or nil: see [Store.within]
	// writing is full while a goroutine writes. Another one waits here, however long that takes:
	// SQLite would give up after busy.
	writing chan struct{}

	absolute string
	file     os.FileInfo // that is open

	readOnly bool

	opened context.Context // the context of Open
}

// within returns the store as it is in a transaction: all that is asked of it, or written, is part of that.
func (s *Store) within(tx *sql.Tx) *Store { return &Store{path: s.path, db: s.db, tx: tx} }

// reads returns what is asked.
func (s *Store) reads() querier {
	if s.tx != nil {
		return s.tx
	}
	return s.db
}

var errNoHistory = errors.New("not a history of xcheck, but another SQLite database: name one that xcheck run wrote with --history FILE")

// busy is how long SQLite waits for another process that writes. Tests shorten it, and silent, which is
// how long nobody is told.
var busy, silent = time.Minute, 5 * time.Second

// Noting returns a context for [Open]. When the store waits for another process that writes, it calls
// note, in any goroutine. It waits until it can write or the context is done, then for a minute at most.
func Noting(ctx context.Context, note func(text string)) context.Context {
	return context.WithValue(ctx, noteKey{}, note)
}

type noteKey struct{}

// locking calls what needs the file's lock until it has that.
func (s *Store) locking(ctx context.Context, try func() error) (err error) {
	if note, ok := s.opened.Value(noteKey{}).(func(string)); ok {
		defer time.AfterFunc(silent, func() { note(fmt.Sprintf("history %s: waiting for another process that writes to it", s.path)) }).Stop()
	}
	for err = try(); isBusy(err) && ctx.Err() == nil && s.opened.Err() == nil; err = try() {
		time.Sleep(10 * time.Millisecond) // SQLite waits for a writer, but not to give a new file its log
	}
	return err
}

// Open opens the history in a file, and upgrades its schema. It creates the file if necessary,
// but not its folder.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := open(ctx, path)
	if err != nil {
		return nil, inFile(path, err)
	}
	return s, nil
}

// OpenExisting is Open for a file that must exist. One that can't be written, as on read-only media,
// is opened for reading.
func OpenExisting(ctx context.Context, path string) (*Store, error) {
	switch info, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("history %s: no such file: name one that xcheck run wrote with --history FILE", path)
	case err != nil:
		return nil, inFile(path, err)
	case info.Size() == 0 && info.Mode().IsRegular():
		return nil, fmt.Errorf("history %s: the file is empty: name one that xcheck run wrote with --history FILE", path)
	}
	if writable(path) {
		s, err := Open(ctx, path)
		if !cannotWrite(err) {
			return s, err
		}
	}
	s, err := openReadOnly(ctx, path)
	if err != nil {
		return nil, inFile(path, err)
	}
	return s, nil
}

func open(ctx context.Context, path string) (*Store, error) {
	absolute, err := checkPath(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := checkLog(ctx, path, absolute); err != nil {
		return nil, err
	}
	// With a write-ahead log and synchronous = NORMAL, a process that is killed leaves all that it has
	// committed, and a machine that loses its power a file that is whole, perhaps without the last commits.
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)"}}
	db, err := connect(absolute, settings)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, db: db, writing: make(chan struct{}, 1), absolute: absolute, opened: ctx}
	if err = s.locking(ctx, func() error { return migrate(ctx, db) }); err == nil {
		s.file, err = os.Stat(absolute)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// there fails if the file has another name by now, or none: SQLite would go on writing it, and
// all would be lost when it is closed.
func (s *Store) there() error {
	if info, err := os.Stat(s.absolute); err != nil || !os.SameFile(info, s.file) {
		return errors.New("another process deleted, moved or replaced the file during the run, so the run is not stored")
	}
	return nil
}

func isBusy(err error) bool {
	var of *sqlite.Error
	return errors.As(err, &of) && of.Code()&primary == sqlite3.SQLITE_BUSY
}

func connect(absolute string, settings url.Values) (*sql.DB, error) {
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(absolute), RawQuery: settings.Encode()}
	return sql.Open("sqlite", uri.String())
}

// checkPath returns the absolute name of a file, which may be a history or become one.
func checkPath(ctx context.Context, path string) (absolute string, err error) {
	if path == "" {
		return "", errors.New("expected the name of a file")
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return "", errors.New("expected a file, found a directory")
	case err == nil && !info.Mode().IsRegular():
		return "", errors.New("expected a regular file")
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return "", err
	}
	ours, err := checkHeader(path)
	if err != nil {
		return "", err
	}
	absolute, err = wholefile.Absolute(path)
	if err != nil {
		return "", err
	}
	if ours {
		return absolute, nil
	}
	// Of a new history the header may not be written yet.
	db, err := connect(absolute, url.Values{"mode": {"ro"}})
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := schemaVersion(ctx, db); errors.Is(err, errNoHistory) {
		return "", err
	}
	return absolute, nil // any other error will be met again
}

// CheckFile returns why no run can be stored in a file, as far as that is known without changing the
// file or its folder. The file need not exist.
func CheckFile(ctx context.Context, path string) error {
	absolute, err := checkPath(ctx, path)
	if err == nil && (!writable(absolute) || wholefile.CheckFolder(filepath.Dir(absolute)) != nil) {
		err = errNotWritable
	}
	if err != nil {
		return inFile(path, err)
	}
	return nil
}

// checkHeader tells what is no database before SQLite makes anything of it. Ours says whether
// it is a history for certain, or will be one.
func checkHeader(path string) (ours bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	const magic, at = "SQLite format 3\x00", 68 // where the application ID is
	start := make([]byte, at+4)
	n, err := io.ReadFull(file, start)
	switch {
	case err == io.EOF: // SQLite makes a database of an empty file
		return true, nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return false, err
	case !strings.HasPrefix(string(start[:n]), magic):
		return false, errors.New("not a history of xcheck: not even a SQLite database: name one that xcheck run wrote with --history FILE")
	}
	return binary.BigEndian.Uint32(start[at:]) == applicationID, nil
}

// checkLog fails if the log or the journal beside a file belongs to another file, which it replaced: a
// backup was restored, and they were left. SQLite would put their pages into the file, or empty it.
func checkLog(ctx context.Context, path, absolute string) error {
	foreign := func(suffix string) error {
		return fmt.Errorf("%[1]s%[2]s belongs to the file that %[1]s has replaced: move it away, mv %[1]s%[2]s %[1]s%[2]s.old", path, suffix)
	}
	log := sizeOf(absolute+"-wal") > 0
	if log && sizeOf(absolute) <= 0 {
		return fmt.Errorf("the file is gone or empty, but its log %s-wal is there: restore the file, or move the log away for a new history", path)
	}
	start := make([]byte, 72)
	file, err := os.Open(absolute)
	if err != nil {
		return nil // a new history, or opening it fails next
	}
	defer file.Close()
	if _, err := io.ReadFull(file, start); err != nil || binary.BigEndian.Uint32(start[68:]) != applicationID || start[18] != 2 {
		return nil // nothing is in it, or it has no log
	}
	if sizeOf(absolute+"-journal") > 0 {
		return foreign("-journal")
	}
	if !log {
		return nil
	}
	// What the file has with its log, which is only read, and without.
	with, err := connect(absolute, url.Values{"mode": {"ro"}})
	if err != nil {
		return err
	}
	defer with.Close()
	without, err := connect(absolute, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return err
	}
	defer without.Close()
	const uids = "SELECT uid FROM runs UNION ALL SELECT uid FROM parts"
	type process struct{ name, alive string }
	writing, _ := query(ctx, with, func(p *process) []any { return []any{&p.name, &p.alive} }, "SELECT process, alive FROM runs WHERE process <> ''")
	for _, p := range writing {
		if at, err := toTime(p.alive); err == nil && working(p.name, at) {
			return nil // it is at work, so the log is its own
		}
	}
	before, _ := texts(ctx, without, uids) // a checkpoint may have been cut off, so it may fail
	after, err := texts(ctx, with, uids)
	damaged := (&Store{path: path, db: with}).Check(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(before) > 0 && err == nil && !slices.ContainsFunc(before, func(uid string) bool { return slices.Contains(after, uid) }):
		return foreign("-wal")
	case (err != nil || damaged != nil) && !isBusy(cmp.Or(err, damaged)) && (&Store{path: path, db: without}).Check(ctx) == nil:
		return foreign("-wal")
	}
	return nil
}

var errNotWritable = errors.New("cannot write to it: the folder, and the file if it exists, must be writable")

// primary are the bits of an error's code that say what it is; the rest says more of the reason.
const primary = 0xff

// explained says what to do about an error of SQLite or of the system for a file.
func explained(path string, err error) error {
	var of *sqlite.Error
	var system *fs.PathError
	isSystem := errors.As(err, &system)
	switch {
	case errors.Is(err, os.ErrPermission):
		return &explainedError{"permission denied: make the file and its folder readable, or run xcheck as their owner", err}
	case errors.Is(err, os.ErrNotExist):
		return &explainedError{"its folder does not exist: create it, or name another file", err}
	case isSystem:
		return &explainedError{system.Err.Error(), err}
	case !errors.As(err, &of):
		return err
	}
	code := of.Code() & primary
	switch code {
	case sqlite3.SQLITE_BUSY:
		return &explainedError{fmt.Sprintf("locked: another process has been writing to it for %s: wait until it ends", busy), err}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return &explainedError{"the file is damaged or cut: restore a backup; sqlite3 FILE .recover may save some of it", err}
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		// SQLite does not say why it can't write or create a file. A file beside it, with a name as long as
		// that of a journal, may show that.
		beside, why := os.OpenFile(path+"-xcheck.", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if why == nil {
			_, why = beside.Write(make([]byte, 64<<10))
			beside.Close()
			os.Remove(beside.Name())
		}
		switch {
		case errors.Is(why, syscall.ENAMETOOLONG):
			return &explainedError{"its name is too long: SQLite creates files with -journal after it", err}
		case code == sqlite3.SQLITE_FULL, errors.Is(why, syscall.ENOSPC), errors.Is(why, syscall.EDQUOT):
			return &explainedError{"the disk is full, or has no inodes left (df -i): make room and try again; xcheck run --resume continues a run", err}
		case code == sqlite3.SQLITE_IOERR:
			return fmt.Errorf("%w: the disk is faulty, or was full: try again; xcheck run --resume continues a run", err)
		}
		return &explainedError{errNotWritable.Error(), err}
	}
	return err
}

// A fileError names the history that an error is about.
type fileError struct {
	path string
	err  error
}

func (e *fileError) Error() string { return fmt.Sprintf("history %s: %s", e.path, e.err) }
func (e *fileError) Unwrap() error { return e.err }

// inFile adds the name of a history to an error that has none. A merge reads several histories.
func inFile(path string, err error) error {
	if named := (*fileError)(nil); err == nil || errors.As(err, &named) {
		return err
	}
	return &fileError{path, explained(path, err)}
}

// An explainedError says in our words what an error of SQLite or of the system means.
type explainedError struct {
	text string
	err  error
}

func (e *explainedError) Error() string { return e.text }
func (e *explainedError) Unwrap() error { return e.err }

// Path returns the name of the file.
func (s *Store) Path() string {
	if s == nil {
		return ""
	}
	return s.path
}

var errNoStore = errors.New("no history given")

// check fails for a Store that is nil or has the zero value.
func (s *Store) check() error {
	if s == nil || s.db == nil {
		return errNoStore
	}
	return nil
}

// Close closes the file. Cases that are not committed are lost, so end all runs first.
func (s *Store) Close() error { return s.db.Close() }

// writes calls f in a transaction, which is committed if f does not fail. Within another one,
// that is left to it.
func (s *Store) writes(ctx context.Context, f func(tx *sql.Tx) error) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.readOnly {
		return s.failed(errReadOnly)
	}
	if s.tx != nil {
		return f(s.tx)
	}
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
	case <-ctx.Done():
		return s.failed(ctx.Err())
	}
	var tx *sql.Tx
	err := s.locking(ctx, func() (err error) { tx, err = s.db.BeginTx(ctx, nil); return err })
	if err != nil {
		return s.failed(err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err = f(tx); err == nil {
		err = s.there()
	}
	if err == nil {
		err = tx.Commit()
	}
	return s.failed(err)
}

// Snapshot calls use with the present state of the history: what other processes write in the meantime is
// not seen.
func (s *Store) Snapshot(ctx context.Context, use func(*Store) error) error {
	if err := s.check(); err != nil {
		return err
	}
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return s.failed(err)
	}
	defer tx.Rollback()
	return use(s.within(tx))
}

var errReadOnly = errors.New("opened for reading only: copy it to a folder that you can write to")

// cannotWrite reports whether an error of SQLite is that the file, or its folder, can't be written.
func cannotWrite(err error) bool {
	var of *sqlite.Error
	if !errors.As(err, &of) {
		return false
	}
	code := of.Code() & primary
	return code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_CANTOPEN
}

// writable reports whether the file may be written, as far as its mode and its file system say.
func writable(path string) bool {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		file.Close()
	}
	return !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.EROFS)
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// openReadOnly opens a history that can't be written, as on read-only media. One that was not closed, or has
// an old schema, can't be read there.
func openReadOnly(ctx context.Context, path string) (*Store, error) {
	if _, err := checkHeader(path); err != nil {
		return nil, err
	}
	absolute, err := wholefile.Absolute(path)
	if err != nil {
		return nil, err
	}
	settings := url.Values{"mode": {"ro"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())}}
	switch log, index := sizeOf(absolute+"-wal"), sizeOf(absolute+"-shm"); {
	case log <= 0: // all is in the file, and nobody changes it: SQLite then needs no other file
		settings.Set("immutable", "1")
	case index <= 0: // SQLite would have to make the index of the log
		return nil, errUnclosed
	}
	db, err := connect(absolute, settings)
	if err != nil {
		return nil, err
	}
	version, err := schemaVersion(ctx, db)
	if err == nil && version == newest() {
		return &Store{path: path, db: db, readOnly: true}, nil
	}
	if err == nil || cannotWrite(err) { // the schema is old, or SQLite wants to write
		err = errUnclosed
	}
	return nil, errors.Join(err, db.Close())
}

var errUnclosed = errors.New("a run writes it or was killed, or an earlier xcheck wrote it: copy it, with its -wal if there is one, to a folder that you can write to")

// A querier is a database, or a transaction in it.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each reads the rows of a query one by one. columns says where the values of a row go. After an
// error nothing follows.
func each[T any](ctx context.Context, q querier, columns func(*T) []any, text string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var row, zero T
		rows, err := q.QueryContext(ctx, text, args...)
		if err != nil {
			yield(zero, err)
			return
		}
		defer rows.Close()
		for values := columns(&row); rows.Next(); row = zero { // NULL leaves a parsed value unchanged
			if err := rows.Scan(values...); err != nil {
				yield(zero, err)
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(zero, err)
		}
	}
}

func query[T any](ctx context.Context, q querier, columns func(*T) []any, text string, args ...any) (list []T, err error) {
	for row, err := range each(ctx, q, columns, text, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

// column is the only one of a query.
func column[T any](x *T) []any { return []any{x} }

// texts returns the only column of a query.
func texts(ctx context.Context, q querier, text string, args ...any) ([]string, error) {
	return query(ctx, q, column[string], text, args...)
}

// execute executes statements that return no rows.
func execute(ctx context.Context, tx *sql.Tx, text string, args ...any) error {
	_, err := tx.ExecContext(ctx, text, args...)
	return err
}

// A parsed is where a value goes of which the store has a text. That of NULL stays as it is.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
}

// Scan implements sql.Scanner.
func (p parsed[T]) Scan(value any) (err error) {
	if text, ok := value.(string); ok {
		*p.to, err = p.parse(text)
	}
	return err
}

// A moment is a time in the form that the store has it.
const moment = "2006-01-02T15:04:05.000000000Z"

func toText(t time.Time) string { return t.UTC().Format(moment) }

func toTime(text string) (time.Time, error) { return time.Parse(moment, text) }

func aTime(to *time.Time) any { return parsed[time.Time]{to, toTime} }

func aSeed(to **uint64) any {
	return parsed[*uint64]{to, func(text string) (*uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		return &n, err
	}}
}

func aClass(to *outcome.Class) any {
	return parsed[outcome.Class]{to, func(text string) (outcome.Class, error) { return outcome.ParseClass(text), nil }}
}

func aList(to *[]string) any {
	return parsed[[]string]{to, func(text string) (list []string, err error) {
		err = json.Unmarshal([]byte(text), &list)
		return list, err
	}}
}

// aRun is where run, name, started and seed of a run go, after other values.
func aRun(n *outcome.RunID, others ...any) []any {
	return append(others, &n.Run, &n.Name, aTime(&n.Started), aSeed(&n.Seed))
}
