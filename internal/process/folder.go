package process

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// folder returns an empty one for a process. To make one takes longer than to see that
// one is empty still, so they are used again.
func (s *Supervisor) folder() (string, error) {
	s.mu.Lock()
	if n := len(s.folders); n > 0 {
		defer s.mu.Unlock()
		name := s.folders[n-1]
		s.folders = s.folders[:n-1]
		return name, nil
	}
	s.mu.Unlock()
	name, err := os.MkdirTemp(s.dir, "")
	if err != nil {
		return "", fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	return name, nil
}

// putFolder gives a folder back, or removes it with all that is in it. No process that
// knows it is left.
func (s *Supervisor) putFolder(name string) {
	if !pristine(name) {
		removeAll(name)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, name)
}

// pristine reports whether a folder is as it was made.
func pristine(name string) bool {
	var info syscall.Stat_t
	if syscall.Lstat(name, &info) != nil || info.Mode != syscall.S_IFDIR|0o700 {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}

// removeAll removes a folder, even if commands have made folders in it that can't
// be read or written.
func removeAll(folder string) error {
	// Most often it is empty.
	if syscall.Rmdir(folder) == nil || os.RemoveAll(folder) == nil {
		return nil
	}
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		// A folder comes before what is in it, and so is open in time.
		if entry != nil && entry.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}
