//go:build unix

package wholefile

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestWorkedExamples runs the examples in the comments of the package and of Folder.
func TestWorkedExamples(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.json")
	write(t, path, "old")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	pattern := fmt.Sprintf(`^\.xcheck-a\.json-%d-[0-9a-f]+\.tmp$`, os.Getpid())
	if list := names(t, folder); len(list) != 2 || !regexp.MustCompile(pattern).MatchString(list[0]) {
		t.Errorf("%q", list)
	}
	if _, err := f.Write([]byte("new")); err != nil || content(t, path) != "old" {
		t.Errorf("%q, %v", content(t, path), err)
	}
	if err := f.Close(); err != nil || content(t, path) != "new" {
		t.Errorf("%q, %v", content(t, path), err)
	}

	folder = t.TempDir()
	write(t, filepath.Join(folder, "a.html"), "old")
	write(t, filepath.Join(folder, "b.html"), "b")
	all, err := CreateFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.html": "a", "b.html": "b"} {
		if err := all.Put(name, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	temporary := fmt.Sprintf(`^\.xcheck-folder-%d-[0-9a-f]+\.tmp$`, os.Getpid())
	if !regexp.MustCompile(temporary).MatchString(filepath.Base(all.temp)) || content(t, filepath.Join(all.temp, "a.html")) != "a" {
		t.Error(all.temp)
	}
	if written, same := all.Written(), all.Same(); written != 1 || same != 1 {
		t.Errorf("%d written, %d the same", written, same)
	}
	if err := all.Commit(); err != nil || content(t, filepath.Join(folder, "a.html")) != "a" {
		t.Error(err)
	}
}
