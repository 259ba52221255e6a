// Package corpus holds the ground truth that other tools computed, for tests.
//
// It consists of gzipped files in testdata, with one JSON record per line. The README there says
// what they contain and which tools they are from. The files are compiled in, so a test cannot miss
// them.
package corpus

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"io"
	"iter"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

//go:embed testdata
var files embed.FS

// Records returns the records of a file. The test fails if there is no such file.
func Records[Record any](t testing.TB, name string) iter.Seq[Record] {
	t.Helper()
	file := must.Get(files.ReadFile("testdata/" + name))
	return func(yield func(Record) bool) {
		for d := json.NewDecoder(must.Get(gzip.NewReader(bytes.NewReader(file)))); ; {
			var r Record
			switch err := d.Decode(&r); {
			case err == io.EOF:
				return
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			case !yield(r):
				return
			}
		}
	}
}

// Text returns a file that is plain text.
func Text(t testing.TB, name string) string {
	t.Helper()
	return string(must.Get(files.ReadFile("testdata/" + name)))
}
