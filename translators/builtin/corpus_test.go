package builtin

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// readCorpus decodes the records of a gzipped file of JSON lines, and skips the
// test if there is no such file.
func readCorpus[T any](t *testing.T, name string) []T {
	t.Helper()
	dir := os.Getenv("XCHECK_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("no corpus (set XCHECK_CORPUS): %v", err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var records []T
	for d := json.NewDecoder(plain); ; {
		var r T
		if err := d.Decode(&r); errors.Is(err, io.EOF) {
			return records
		} else if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
}

// TestCorpusWords compares with what Spot says of formulas on words. A word that
// leaves a proposition of the formula open is a set of words, and may meet
// both the formula and its negation.
func TestCorpusWords(t *testing.T) {
	type record struct {
		Formula, Word string
		Holds         bool
	}
	s := ltl.NewStore()
	for _, r := range readCorpus[record](t, "words.jsonl.gz") {
		f := parse(t, s, r.Formula)
		w, err := omega.ParseWord(r.Word)
		if err != nil {
			t.Fatal(err)
		}
		_, open := w.Holds(f)
		for _, algorithm := range Algorithms() {
			if got := accepts(t, translate(t, algorithm.Name, s, f), w); got != r.Holds {
				t.Errorf("%s: %s on %s: accepted %v", algorithm.Name, f, w, got)
			}
			if got := accepts(t, translate(t, algorithm.Name, s, s.Not(f)), w); got == r.Holds && open == nil {
				t.Errorf("%s: !(%s) on %s: accepted %v", algorithm.Name, f, w, got)
			}
		}
	}
}

// TestCorpusFormulas translates the formulas of the published pattern sets.
func TestCorpusFormulas(t *testing.T) {
	type record struct{ Formula string }
	s := ltl.NewStore()
	seen := make(map[*ltl.Formula]bool)
	r := rand.New(rand.NewPCG(8, 0))
	for _, rec := range readCorpus[record](t, "recorded.jsonl.gz") {
		f := parse(t, s, rec.Formula)
		if seen[f] {
			continue
		}
		seen[f] = true
		alphabet := omega.NewAlphabet(f.Props()...)
		var words []*omega.Word
		for range 20 {
			words = append(words, randomWord(r, alphabet))
		}
		checkWords(t, s, f, words)
	}
}
