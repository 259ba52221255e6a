package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inner are the tables that only xcheck needs.
var inner = []string{"configurations", "parts", "sums", "tool_sums", "spans", "answers", "replays", "bisections", "corpus", "starts", "signatures"}

// TestDocs: docs/history.md names each table, with its columns if users query it, and its queries
// can be run.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../docs/history.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tables, err := texts(t.Context(), s.reads(), "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) < 10 {
		t.Errorf("%d tables", len(tables))
	}
	for _, table := range tables {
		columns, err := texts(t.Context(), s.reads(), "SELECT name FROM pragma_table_info(?) ORDER BY cid", table)
		if err != nil {
			t.Fatal(err)
		}
		row := fmt.Sprintf("| `%s` | `%s` |", table, strings.Join(columns, "`, `"))
		if slices.Contains(inner, table) {
			row = "`" + table + "`"
		}
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/history.md misses\n%s", row)
		}
	}
	queries := strings.Split(string(page), "```sql\n")[1:]
	if len(queries) < 1 {
		t.Errorf("%d queries", len(queries))
	}
	for _, text := range queries {
		query, _, _ := strings.Cut(text, "```")
		rows, err := s.reads().QueryContext(t.Context(), query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}
