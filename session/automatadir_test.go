package session

import (
	"strings"
	"testing"
)

// TestFileName: names for files of translators' names.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"ltl3ba":              "ltl3ba",
		"ltl2tgba -D %f > %O": "ltl2tgba-D-f-O",
		"../../etc/passwd":    "etc-passwd",
		"...":                 "translator",
		"  a  b ":             "a-b",
		"Büchi":               "B-chi",
		"äöü":                 "translator",
		"v1.2":                "v1.2",
		"a/b\\c:d":            "a-b-c-d",
		"":                    "translator",
	} {
		if got := fileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := fileName(strings.Repeat("long ", 100)); len(got) > 40 {
		t.Errorf("%q", got)
	}
}
