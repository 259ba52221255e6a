package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/translators"
)

// TestRename: names are kept where they can be, and no two are the same.
func TestRename(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"x y z", "x y z"},
		{"x x x", "x x#2 x#3"},
		{"x x#2 x", "x x#2 x#3"},
		{"x x x#2", "x x#3 x#2"},
		{"x#2 x#2 x x", "x#2 x#2#2 x x#3"},
		{"x x x#2 x#2 x#3 x", "x x#4 x#2 x#2#2 x#3 x#5"},
	} {
		var tools []*translators.Tool
		for _, name := range strings.Fields(c.given) {
			tools = append(tools, &translators.Tool{Name: name})
		}
		rename(tools)
		var got []string
		for _, tool := range tools {
			got = append(got, tool.Name)
		}
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: got %v, want %s", c.given, got, c.want)
		}
	}
}
