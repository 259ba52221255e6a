//go:build unix

package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// begun returns a folder with two files, and a Folder that has new content for them.
func begun(t *testing.T) (path string, f *Folder) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "new", "a [b]")
	f, err := CreateFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/one", "two"} {
		if err := f.Put(name, []byte("old")); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if f, err = CreateFolder(path); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"sub/one": "new", "two": "old", "sub/more": "more"} {
		if err := f.Put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return path, f
}

// in returns the names of the files of a folder and their content, sorted.
func in(t *testing.T, path string) string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(path, func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			short, _ := filepath.Rel(path, name)
			list = append(list, filepath.ToSlash(short)+"="+content(t, name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestFolder: files change when all are written, and those that have not changed are not touched.
func TestFolder(t *testing.T) {
	path, f := begun(t)
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(path, "two"), past, past); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := in(t, path); got != "sub/more=more sub/one=new two=old" || f.Written() != 2 || f.Same() != 1 {
		t.Errorf("%s; %d written, %d as they were", got, f.Written(), f.Same())
	}
	if info, err := os.Stat(filepath.Join(path, "two")); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("a file that has its content was written: %v, %v", info.ModTime(), err)
	}
	if list := names(t, path); len(list) != 2 {
		t.Errorf("left: %q", list)
	}
}

// TestFolderDiscard: until Commit, all is as it was.
func TestFolderDiscard(t *testing.T) {
	path, f := begun(t)
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	if got := in(t, path); got != "sub/one=old two=old" {
		t.Error(got)
	}
}

// TestFolderFails: an error names the file, and leaves no temporary folder.
func TestFolderFails(t *testing.T) {
	path, f := begun(t)
	defer func() { rename = os.Rename }()
	n := 0
	rename = func(from, to string) error {
		if n++; n == 2 {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EIO}
		}
		return os.Rename(from, to)
	}
	if err := f.Commit(); !errors.Is(err, syscall.EIO) || strings.Contains(err.Error(), ".tmp") {
		t.Error(err)
	}
	if list := names(t, path); len(list) != 2 {
		t.Errorf("left: %q", list)
	}
	if _, err := CreateFolder(filepath.Join(path, "two")); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a file for a folder: %v", err)
	}
	f, err := CreateFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", ".", "../x", "/x", "a/../b"} {
		if f.Put(name, nil) == nil {
			t.Errorf("%q is a name", name)
		}
	}
	if err := f.Put("two/file", nil); err == nil {
		err = f.Commit()
		if err == nil || !strings.Contains(err.Error(), "not a directory") {
			t.Errorf("a file in a file: %v", err)
		}
	}
}

// TestFolderKilled: what a writer that was killed has left is removed a day later.
func TestFolderKilled(t *testing.T) {
	path, f := begun(t)
	other, err := CreateFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.temp); err != nil {
		t.Errorf("the folder of another writer: %v", err)
	}
	past := time.Now().Add(-2 * abandoned)
	if err := os.Chtimes(f.temp, past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateFolder(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.temp); err == nil {
		t.Error("it is there still")
	}
	if err := other.Commit(); err != nil {
		t.Error(err)
	}
}
