package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/must"
)

// TestWhen: a flag for terminals takes three words, is auto without any, and colors are
// also up to NO_COLOR.
func TestWhen(t *testing.T) {
	file := must.Get(os.CreateTemp(t.TempDir(), ""))
	defer file.Close()
	for _, c := range []struct {
		flag, noColor  string
		wanted, colors bool
	}{
		{"", "", false, false},
		{"auto", "", false, false}, // neither a buffer nor a file is a terminal
		{"always", "", true, true},
		{"always", "1", true, true},
		{"never", "", false, false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		var w when
		if c.flag != "" {
			if err := w.Set(c.flag); err != nil {
				t.Errorf("%s: %v", c.flag, err)
			}
		}
		if w.wanted(file) != c.wanted || w.wanted(new(bytes.Buffer)) != c.wanted {
			t.Errorf("%q: wanted %v, expected %v", c.flag, !c.wanted, c.wanted)
		}
		if got := w.colors(file); got != c.colors {
			t.Errorf("%q, NO_COLOR=%q: colors %v, want %v", c.flag, c.noColor, got, c.colors)
		}
	}
	for _, text := range []string{"", "Auto", "Yes", "always "} {
		w := when("never")
		if err := w.Set(text); err == nil || w != "never" {
			t.Errorf("%q: taken as %v", text, w)
		}
	}
}
