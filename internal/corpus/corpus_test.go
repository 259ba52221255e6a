package corpus_test

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/corpus"
)

func TestRecords(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XCHECK_CORPUS", dir)
	file, err := os.Create(filepath.Join(dir, "x.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(file)
	z.Write([]byte("{\"a\": 1}\n{\"a\": 2}\n\n{\"a\": 3}"))
	z.Close()
	file.Close()
	var got []int
	for r := range corpus.Records[struct{ A int }](t, "x.jsonl.gz") {
		got = append(got, r.A)
	}
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("got %v", got)
	}
	t.Run("missing", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("a test without its file is not skipped")
			}
		}()
		corpus.Records[int](t, "no.jsonl.gz")
	})
}
