package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/test/worked"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// TestWorkedPaste runs the examples in the comment of pasted.
func TestWorkedPaste(t *testing.T) {
	for line, want := range map[string]string{
		"run --form GFa -F x.ltl":  "run --formula=GFa -F x.ltl",
		"random -n 3 2 --spin":     "random -n 3 2 --to=spin",
		"patterns --go-theta=1..3": "patterns go-theta 1..3",
	} {
		got, err := pasted((&app{}).root(nil), strings.Fields(line))
		if text := strings.Join(got, " "); text != want || err != nil {
			t.Errorf("%s: got %s, %v", line, text, err)
		}
		worked.Shows(t, "command_line.go", line+" "+want)
	}
	if got, err := pasted((&app{}).root(nil), []string{"run", "-qf", "Ga"}); err != nil || strings.Join(got, " ") != "run -q -f Ga" {
		t.Error(got, err)
	}
}

// TestWorkedLife runs the example in the comment of lifeText.
func TestWorkedLife(t *testing.T) {
	var list []outcome.Occurrence
	for i, state := range []outcome.State{"new", "known", "known", "known", "known", "fixed"} {
		list = append(list, outcome.Occurrence{RunID: outcome.RunID{Run: int64(i + 3)}, State: state})
	}
	const want = "3 new · 4–7 known · 8 fixed"
	worked.Shows(t, "history.go", want)
	if got := lifeText(list); got != want || lifeText(nil) != "" {
		t.Error(got)
	}
}

// TestWorkedMistakes runs the examples in the comment of meantFlag.
func TestWorkedMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"my.toml":  "-c my.toml",
		"a b.ltl":  "-F 'a b.ltl'",
		"sh":       "-t 'sh %f'",
		"dac 1..3": "--patterns 'dac 1..3'",
		"G a":      "-f 'G a'",
	} {
		worked.Shows(t, "command_line.go", text+" "+want)
		if text == "sh" && runtime.GOOS == "windows" {
			continue
		}
		if got := meantFlag(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
