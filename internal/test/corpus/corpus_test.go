package corpus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/corpus"
)

// TestRecords: the files have as many records as the README says, and the fields that it names.
func TestRecords(t *testing.T) {
	readme := corpus.Text(t, "README.md")
	for name, fields := range map[string]string{
		"words.jsonl.gz":    "formula word holds",
		"automata.jsonl.gz": "id class hoa empty accepts",
		"pairs.jsonl.gz":    "kind a b intersect a_in_b b_in_a",
		"recorded.jsonl.gz": "formula negated tool output status",
		"mutants.jsonl.gz":  "formula tool mutation hoa equivalent missing extra",
	} {
		n := 0
		for r := range corpus.Records[map[string]any](t, name) {
			n++
			for _, field := range strings.Fields(fields) {
				if _, ok := r[field]; !ok {
					t.Fatalf("%s: record %d has no %s", name, n, field)
				}
			}
		}
		if row := fmt.Sprintf("| `%s` | %d ", name, n); !strings.Contains(readme, row) {
			t.Errorf("%s: %d records: the README has no row %q", name, n, row)
		}
	}
}
