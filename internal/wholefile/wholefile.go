// Package wholefile replaces files atomically: a reader sees the old content or the new, never a
// part, even if the writer is killed.
//
// The new content goes to a temporary file in the same folder, and closing renames it:
//
//	f, err := wholefile.Create("a.json")   // creates .xcheck-a.json-4711-5a8e21c0.tmp
//	f.Write(content)                       // a.json has its old content
//	f.Close()                              // a.json has the new content
//
// A killed writer leaves its temporary file. The next writer in that folder removes it, if nobody
// holds its lock.
package wholefile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A File is a file that is being written.
type File struct {
	file *os.File
	path string // without symbolic links
	temp string // the temporary file; "" if the file is written directly
	bad  bool   // a write failed
}

// Temporary files are called .xcheck-NAME-PID-RANDOM.tmp.
const prefix, suffix = ".xcheck-", ".tmp"

// Create begins to write a file, which is replaced by Close. It follows symbolic links. It writes
// directly to devices, pipes, and the standard output and error of this process. Create fails if
// the file is not writable, or the folder of a new one, and if the disk is full.
func Create(name string) (*File, error) {
	path, info, err := resolve(name)
	if err != nil {
		return nil, err
	}
	if file := own(info); file != nil {
		return shared(file, path)
	}
	if info != nil && (!info.Mode().IsRegular() || opened(path)) {
		return direct(name, path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	}
	if info != nil {
		// The file itself must be writable as well: whoever forbids that means it.
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		file.Close()
	}
	clean(filepath.Dir(path), prefix)
	f, err := create(filepath.Dir(path), path, info)
	if info != nil && (errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS)) {
		f, err = create(os.TempDir(), path, info) // the folder is not ours, but the file is
	}
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: cause(err)}
	}
	if err := f.probe(); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "write", Path: name, Err: cause(err)}, f.Discard())
	}
	return f, nil
}

// Append opens a file for writing at its end.
func Append(name string) (*File, error) { return begin(name, os.O_APPEND) }

// Overwrite opens a file for writing, at once and from its start.
func Overwrite(name string) (*File, error) { return begin(name, os.O_TRUNC) }

func begin(name string, flag int) (*File, error) {
	path, _, err := resolve(name)
	if err != nil {
		return nil, err
	}
	return direct(name, path, os.O_WRONLY|os.O_CREATE|flag)
}

// Write replaces a file by what a function writes. It is for many small files: it neither removes
// the temporary files of killed writers nor waits for the disk.
func Write(name string, write func(io.Writer) error) error {
	path, info, err := resolve(name)
	if err != nil {
		return err
	}
	var f *File
	if info != nil && (!info.Mode().IsRegular() || opened(path)) {
		f, err = direct(name, path, os.O_WRONLY|os.O_TRUNC)
	} else {
		f, err = create(filepath.Dir(path), path, info)
	}
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.commit()
}

func direct(name, path string, flag int) (*File, error) {
	file, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return &File{file: file, path: path}, nil
}

// resolve follows symbolic links, also to a file that does not exist, and returns what is there, or
// nil.
func resolve(name string) (path string, info fs.FileInfo, err error) {
	if name == "" {
		return "", nil, errors.New("expected the name of a file")
	}
	const links = 40 // as Linux follows
	path = name
	for range links {
		target, err := os.Readlink(path)
		if err != nil || opened(path) {
			break
		}
		if !filepath.IsAbs(target) {
			folder, _ := filepath.Split(path)
			target = folder + target
		}
		path = target
	}
	// The file itself may be missing, but not its folder.
	if info, err = os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		info = nil
	} else if err != nil {
		return "", nil, err
	}
	folder, base := filepath.Split(path) // as it is: in filepath.Dir, link/.. is no folder above the link's target
	folder, err = filepath.EvalSymlinks(cmp.Or(folder, "."))
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return "", nil, &fs.PathError{Op: "create", Path: name, Err: cause(err)}
	}
	return filepath.Join(folder, base), info, nil
}

// Absolute returns the absolute name of a file, without symbolic links. The file may be missing, but
// not its folder.
func Absolute(name string) (string, error) {
	path, _, err := resolve(name)
	return path, err
}

// In is [filepath.Join] for a file in a folder. But link/.. stays, unless it is known that the link's
// target is in the same folder as the link.
func In(folder, name string) string {
	clean, path := filepath.Join(folder, name), cmp.Or(folder, ".")+string(filepath.Separator)+name
	if !strings.Contains(path, "..") {
		return clean
	}
	folder, _ = filepath.Split(path)
	is, err := os.Stat(folder)
	lexical, missing := os.Stat(filepath.Dir(clean))
	if err == nil && missing == nil && os.SameFile(is, lexical) {
		return clean
	}
	return path
}

// CheckFolder returns why no file can be created in a folder, as far as that is known without
// creating one.
func CheckFolder(path string) error { return unix.Access(path, unix.W_OK|unix.X_OK) }

// opened reports whether a path stands for an open file, such as /dev/fd/3.
func opened(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/fd/")
}

// own returns the standard output or error if the file is one of them, and nil if not.
func own(info fs.FileInfo) *os.File {
	for _, file := range []*os.File{os.Stdout, os.Stderr} {
		if is, err := file.Stat(); info != nil && err == nil && os.SameFile(is, info) {
			return file
		}
	}
	return nil
}

// shared writes to a file that is open already, at its end.
func shared(file *os.File, path string) (*File, error) {
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, &fs.PathError{Op: "dup", Path: path, Err: err}
	}
	return &File{file: os.NewFile(uintptr(fd), path), path: path}, nil
}

// create makes a temporary file in a folder. It has the rights of the file that it will replace.
func create(folder, path string, old fs.FileInfo) (*File, error) {
	base := filepath.Base(path)
	base = base[:min(len(base), 100)] // names have at most 255 bytes
	for range 100 {
		temp := filepath.Join(folder, fmt.Sprintf("%s%s-%d-%x%s", prefix, base, os.Getpid(), rand.Uint32(), suffix))
		file, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if !kept(file, temp) {
			continue // another process has removed it before it was locked
		}
		if old != nil {
			file.Chmod(old.Mode().Perm())
			chown(file, old)
		}
		return &File{file: file, path: path, temp: temp}, nil
	}
	return nil, fmt.Errorf("cannot create a temporary file in %s", folder)
}

// chown gives a file the owner and the group of another one, as far as we may.
func chown(file *os.File, old fs.FileInfo) {
	stat, ok := old.Sys().(*syscall.Stat_t)
	if ok && (int(stat.Uid) != os.Geteuid() || int(stat.Gid) != os.Getegid()) {
		file.Chown(int(stat.Uid), int(stat.Gid))
	}
}

// Temporary makes a folder, whose name ends with -RANDOM.tmp. Other calls with this name, but for the
// random part, remove it after keep is closed or this process has ended.
func Temporary(path string) (keep *os.File, err error) {
	folder, base := filepath.Split(path)
	clean(folder, base[:strings.LastIndexByte(base, '-')+1])
	for err = os.Mkdir(path, 0o700); err == nil; err = os.Mkdir(path, 0o700) {
		keep, err = os.Open(path)
		if err == nil && kept(keep, path) || err != nil && !errors.Is(err, fs.ErrNotExist) {
			break // otherwise it was removed before it was locked
		}
	}
	return keep, err
}

// kept locks a new file or folder, and closes it if it is there no more.
func kept(file *os.File, name string) bool {
	unix.Flock(int(file.Fd()), unix.LOCK_EX) // some file systems have no locks
	if linked(file, name) {
		return true
	}
	file.Close()
	return false
}

func linked(file *os.File, name string) bool {
	is, err := file.Stat()
	there, err2 := os.Lstat(name)
	return err == nil && err2 == nil && os.SameFile(is, there)
}

// clean removes the temporary files and folders of processes that are gone.
func clean(folder, prefix string) {
	list, _ := os.ReadDir(cmp.Or(folder, "."))
	for _, entry := range list {
		name, flag := filepath.Join(folder, entry.Name()), os.O_RDWR
		if entry.IsDir() {
			flag = os.O_RDONLY
		} else if !entry.Type().IsRegular() {
			continue
		}
		if !strings.HasPrefix(entry.Name(), prefix) || !strings.HasSuffix(name, suffix) {
			continue
		}
		// Whoever writes a temporary file holds its lock.
		file, err := os.OpenFile(name, flag|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0) // without waiting for a pipe
		if err != nil {
			continue
		}
		if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && linked(file, name) {
			os.RemoveAll(name)
		}
		file.Close()
	}
}

// probe finds out whether there is room on the disk.
func (f *File) probe() error {
	const room = 64 << 10
	_, err := f.file.Write(make([]byte, room))
	if err == nil {
		err = f.file.Truncate(0)
	}
	if err == nil {
		_, err = f.file.Seek(0, io.SeekStart)
	}
	return err
}

// Write writes to the file.
func (f *File) Write(b []byte) (int, error) {
	n, err := f.file.Write(b)
	if err != nil {
		// The user knows the name of the file, and not the temporary one.
		f.bad = true
		var path *fs.PathError
		if errors.As(err, &path) {
			err = &fs.PathError{Op: path.Op, Path: f.path, Err: path.Err}
		}
	}
	return n, err
}

// Path returns the path of the file that is written, without symbolic links.
func (f *File) Path() string { return f.path }

// Whole reports whether nobody sees what is written before Close.
func (f *File) Whole() bool { return f.temp != "" }

// Is reports whether a name stands for the file. A file may have several names.
func (f *File) Is(name string) bool {
	path, info, err := resolve(name)
	if err != nil {
		return false
	}
	there, err := os.Stat(f.path)
	return path == f.path || err == nil && info != nil && os.SameFile(there, info)
}

// Size returns the length of a regular file, and 0 for another one.
func (f *File) Size() int64 {
	info, err := f.file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// EndLine ends the last line of the file, if a killed process left a part of a line there.
func (f *File) EndLine() error {
	size := f.Size()
	if size == 0 {
		return nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil // it can perhaps be written, but not be read
	}
	defer file.Close()
	var last [1]byte
	if _, err = file.ReadAt(last[:], size-1); err == nil && last[0] != '\n' {
		_, err = f.Write([]byte("\n"))
	}
	return err
}

// Spoil has Close leave the file as it was, as after a write that has failed.
func (f *File) Spoil() { f.bad = true }

// Close replaces the file by what was written. If a write has failed, the file is not changed.
func (f *File) Close() error {
	if f.bad {
		return f.Discard()
	}
	if f.temp != "" {
		// After a power failure, the name must not stand for a file without its content.
		if err := f.file.Sync(); err != nil {
			return errors.Join(err, f.Discard())
		}
	}
	return f.commit()
}

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

// Discard does not change the file, and removes what was written. What is written directly stays.
func (f *File) Discard() error {
	if f.temp == "" {
		return f.file.Close()
	}
	return errors.Join(f.file.Close(), os.Remove(f.temp))
}

// cause returns an error without the name of the file that it is about.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
