package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// plain opens a file.
const plain = 0

// CheckFolder returns why no file can be created in a folder, as far as that is known without
// creating one: here, never.
func CheckFolder(string) error { return nil }

// lock locks a file for this process, if nobody else has it locked. A folder has no lock.
func lock(file *os.File, _ bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	// One byte far behind the end: Windows keeps others from reading what is locked.
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &at)
}

// duplicate returns a second handle of an open file.
func duplicate(file *os.File, path string) (*os.File, error) {
	own := windows.CurrentProcess()
	var again windows.Handle
	err := windows.DuplicateHandle(own, windows.Handle(file.Fd()), own, &again, 0, false, windows.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(again), path), nil
}

// chown does nothing: a file inherits its rights from its folder.
func chown(*os.File, fs.FileInfo) {}

// removeOpen removes a file. Windows removes none that is open.
func removeOpen(file *os.File, name string) {
	file.Close()
	os.Remove(name)
}

// rename is os.Rename, but for tests.
var rename = os.Rename

// commit renames the temporary file. Windows renames none that is open.
func (f *File) commit() error {
	if err := f.file.Close(); err != nil || f.temp == "" {
		return err
	}
	if err := rename(f.temp, f.path); err != nil {
		return errors.Join(fmt.Errorf("%w (its new content is in %s)", err, f.temp))
	}
	return nil
}
