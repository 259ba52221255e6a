package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestFormats: each format writes something of a run that checked one formula, and gives the error
// of a writer that fails.
func TestFormats(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Formats {
		if seen[f.Name] || FormatOf(f.Name).Title != f.Title {
			t.Errorf("%s: two formats have this name", f.Name)
		}
		seen[f.Name] = true
		summary := NewSummary(nil)
		c := &outcome.Case{Formula: "Ga", Checked: true, Results: []outcome.Result{{Status: "ok", Subject: outcome.Subject{Translator: "mine"}}}}
		var b bytes.Buffer
		for _, late := range []bool{false, true} {
			b.Reset()
			s := f.New(&b, Options{Late: late})
			if err := s.Case(c, summary.Add(c)); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			if err := s.End(summary); err != nil || !strings.Contains(b.String(), "mine") {
				t.Errorf("%s: %v, %q", f.Name, err, b.String())
			}
		}
		broken := f.New(brokenWriter{}, Options{})
		if broken.Case(c, summary.Add(c)) == nil && broken.End(summary) == nil {
			t.Errorf("%s: no error of a writer that fails", f.Name)
		}
	}
	if FormatOf("pdf") != nil {
		t.Error("a format that does not exist")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }
