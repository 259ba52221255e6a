package history

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestWay: which files beside a history decide how it is read.
func TestWay(t *testing.T) {
	for _, c := range []struct {
		log, index int64
		want       way
	}{
		{-1, -1, inPlace}, {0, -1, inPlace}, {-1, 32768, inPlace}, {0, 32768, inPlace},
		{4152, 32768, withLog}, {4152, -1, copied}, {4152, 0, copied},
	} {
		if got := wayTo(c.log, c.index); got != c.want {
			t.Errorf("log of %d bytes, index of %d: %d, want %d", c.log, c.index, got, c.want)
		}
	}
}

// TestReadOnly reads histories that were closed, are open, were left by a killed process, or are
// old. It leaves all files as they are, and no copy.
func TestReadOnly(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	dir := t.TempDir()
	name := func(name string) string { return filepath.Join(dir, name) }
	if err := write(name("closed"), "monday", 3); err != nil {
		t.Fatal(err)
	}
	live, err := Open(ctx, name("open"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	r, err := live.Begin(ctx, plan("monday"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Add(sample(0)), r.End(1, true, []byte(`{}`))); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"open": "killed", "open-wal": "killed-wal"} {
		if err := copyFile(ctx, name(from), name(to)); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(name("old"), "monday", 3); err != nil {
		t.Fatal(err)
	}
	older(t, name("old"), len(migrations)-1)
	before := contents(t, dir)
	for _, file := range []string{"closed", "open", "killed", "old"} {
		s, err := openReadOnly(ctx, name(file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if isCopy := s.folder != ""; isCopy != (file == "killed" || file == "old") {
			t.Errorf("%s: copied: %t", file, isCopy)
		}
		x, err := s.Find(ctx, "last")
		if err != nil || x.Name != "monday" || x.Cases == 0 || s.Path() != name(file) {
			t.Errorf("%s: %+v, %v", file, x, err)
		}
		if _, err := s.Timelines(ctx); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := s.Check(ctx); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if _, err := s.Begin(ctx, plan("tuesday")); !errors.Is(err, errReadOnly) {
			t.Errorf("%s: a run begins: %v", file, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file, text := range contents(t, dir) {
		// The index of the open one has the marks of its readers.
		if file != "open-shm" && text != before[file] {
			t.Errorf("%s has changed", file)
		}
	}
	if left := contents(t, temporary); len(left) > 0 {
		t.Errorf("%d copies are left", len(left))
	}
}

// contents returns what the files of a folder have.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, file := range list {
		text, _ := os.ReadFile(filepath.Join(dir, file.Name())) // nothing, of a folder
		files[file.Name()] = string(text)
	}
	return files
}
