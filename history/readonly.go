package history

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

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

// A way is how a history that can't be written is read.
type way int

const (
	// inPlace: all is in the file, and nobody changes it. SQLite then needs no other file.
	inPlace way = iota
	// withLog: the write-ahead log and its index are there. SQLite reads what is in them.
	withLog
	// copied: SQLite would have to make the index, or the schema is old. It works on a copy.
	copied
)

// wayTo decides how to read a history: by the sizes of its write-ahead log and of the index, -1 if
// there is no such file.
func wayTo(log, index int64) way {
	switch {
	case log <= 0: // no log, or an empty one
		return inPlace
	case index > 0:
		return withLog
	}
	return copied
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// openReadOnly opens a history that can't be written, as on read-only media. A history that was not
// closed, or has an old schema, is first copied to a temporary folder, and repaired or upgraded
// there.
func openReadOnly(ctx context.Context, path string) (*Store, error) {
	if _, err := checkHeader(path); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	busy := fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds())
	settings := url.Values{"mode": {"ro"}, "_pragma": {busy}}
	switch wayTo(sizeOf(absolute+"-wal"), sizeOf(absolute+"-shm")) {
	case copied:
		return openCopy(ctx, path, absolute)
	case inPlace:
		settings.Set("immutable", "1")
	}
	db, err := connect(absolute, settings)
	if err != nil {
		return nil, err
	}
	version, err := schemaVersion(ctx, db)
	if err == nil && version == len(migrations) {
		return &Store{path: path, db: db, readOnly: true}, nil
	}
	if closing := db.Close(); err == nil || cannotWrite(err) {
		return openCopy(ctx, path, absolute)
	} else {
		return nil, errors.Join(err, closing)
	}
}

// openCopy opens a copy of a history, which is removed when the store is closed.
func openCopy(ctx context.Context, path, absolute string) (*Store, error) {
	dir, err := os.MkdirTemp("", "xcheck-history-")
	if err != nil {
		return nil, err
	}
	to := filepath.Join(dir, "history.db")
	err = copyFile(ctx, absolute, to)
	if err == nil && sizeOf(absolute+"-wal") > 0 {
		err = copyFile(ctx, absolute+"-wal", to+"-wal")
	}
	var s *Store
	if err == nil {
		s, err = open(ctx, to)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.path, s.readOnly, s.folder = path, true, dir
	return s, nil
}

// copyFile copies a file until the context is done.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for err == nil { // in portions, so that ctx is looked at
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(out, in, 4<<20)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return errors.Join(err, out.Close())
}
