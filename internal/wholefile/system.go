package wholefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// plain opens a file without following a link or waiting for a pipe.
const plain = unix.O_NOFOLLOW | unix.O_NONBLOCK

// CheckFolder returns why no file can be created in a folder, as far as that is known without
// creating one.
func CheckFolder(path string) error { return unix.Access(path, unix.W_OK|unix.X_OK) }

// lock locks a file or folder for this process. If somebody else has it locked, it waits or fails.
func lock(file *os.File, wait bool) error {
	if wait {
		return unix.Flock(int(file.Fd()), unix.LOCK_EX)
	}
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

// duplicate returns a second descriptor of an open file.
func duplicate(file *os.File, path string) (*os.File, error) {
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// chown gives a file the owner and the group of another one, as far as we may.
func chown(file *os.File, old fs.FileInfo) {
	stat, ok := old.Sys().(*syscall.Stat_t)
	if ok && (int(stat.Uid) != os.Geteuid() || int(stat.Gid) != os.Getegid()) {
		file.Chown(int(stat.Uid), int(stat.Gid))
	}
}

// removeOpen removes a file or folder that is open and locked.
func removeOpen(_ *os.File, name string) { os.RemoveAll(name) }

// rename is os.Rename, but for tests.
var rename = os.Rename

// commit renames the temporary file. Where that can't be done (the file is a mount, or in a
// folder that we may not change), what it has is copied.
func (f *File) commit() error {
	if f.temp == "" {
		return f.file.Close()
	}
	err := rename(f.temp, f.path) // while it is locked
	if err == nil {
		return f.file.Close()
	}
	if _, none := os.Stat(f.path); none == nil {
		var content []byte
		if content, err = io.ReadAll(io.NewSectionReader(f.file, 0, f.Size())); err == nil {
			err = os.WriteFile(f.path, content, 0o666)
		}
		if err == nil {
			return f.Discard()
		}
	}
	return errors.Join(fmt.Errorf("%w (its new content is in %s)", err, f.temp), f.file.Close())
}
