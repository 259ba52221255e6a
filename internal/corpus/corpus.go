// Package corpus reads the ground truth that other tools have computed, for tests.
//
// It consists of gzipped files with one JSON record per line. They are in the folder that
// XCHECK_CORPUS names, or in ../shared/corpus relative to the root of the repository.
package corpus

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

// Records returns the records of a file. Where there is no such file, it skips the
// test.
func Records[Record any](t testing.TB, name string) iter.Seq[Record] {
	t.Helper()
	path := filepath.Join(folder(t), name)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ground truth: there is no file %s (set XCHECK_CORPUS to the folder that has %s)", path, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(Record) bool) {
		defer file.Close()
		plain, err := gzip.NewReader(file)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for d := json.NewDecoder(plain); ; {
			var r Record
			switch err := d.Decode(&r); {
			case err == io.EOF:
				return
			case err != nil:
				t.Fatalf("%s: %v", path, err)
			case !yield(r):
				return
			}
		}
	}
}

// Text returns a file that is plain text. Where there is no such file, it skips the test.
func Text(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(folder(t), name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ground truth: there is no file %s (set XCHECK_CORPUS to the folder that has %s)", path, name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// folder returns where the corpus should be.
func folder(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("XCHECK_CORPUS"); dir != "" {
		return dir
	}
	// Tests run in the folder of their package; go.mod is in the root.
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", "corpus")
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod in any folder above the test's")
		}
		dir = parent
	}
}
