package patterns

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestManual compares the tables of the manual with the sets.
func TestManual(t *testing.T) {
	text, err := os.ReadFile("../../docs/patterns.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	var want []string
	for _, s := range Sets() {
		names := "`" + strings.Join(append([]string{s.Name}, s.Also...), "` `") + "`"
		about := "`" + strings.ReplaceAll(s.About, "|", `\|`) + "`"
		numbers := fmt.Sprint(s.Len())
		if s.Len() > 0 || strings.HasPrefix(s.About, "the ") || strings.HasPrefix(s.About, "a ") {
			about = strings.Trim(about, "`")
		}
		if s.Len() == 0 {
			var list []string
			for _, p := range s.Parameters {
				list = append(list, fmt.Sprintf("%s ≥ %d", p.Name, p.Least))
			}
			numbers = strings.Join(list, ", ")
		}
		want = append(want, fmt.Sprintf("| %s | %s | %s | %s |", names, numbers, about, s.Source))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tables of docs/patterns.md should be\n%s", strings.Join(want, "\n"))
	}
}
