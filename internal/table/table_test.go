package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/table"
)

// TestTable: cells stand below each other, whatever is in them, and texts stay as they are.
func TestTable(t *testing.T) {
	for _, c := range []struct {
		rows  [][]string
		right []int
		want  string
	}{
		{nil, nil, ""},
		{[][]string{{"name", "calls"}}, nil, "name  calls\n"},
		{[][]string{{"name", "calls", "detail"}, {"spin", "12", "a"}, {"日本", "3", ""}}, []int{1},
			"name  calls  detail\nspin     12  a\n日本      3\n"},
		// Colours take no room.
		{[][]string{{"state", "word"}, {"\x1b[31mnew\x1b[0m", "a"}, {"known", "\x1b[31mb\x1b[0m"}}, nil,
			"state  word\n\x1b[31mnew\x1b[0m    a\nknown  \x1b[31mb\x1b[0m\n"},
		// Characters that are as wide as two in some languages.
		{[][]string{{"a", "b"}, {"…", "×"}, {"xx", "→"}}, []int{1}, "a   b\n…   ×\nxx  →\n"},
		{[][]string{{"  ", "fooBar_baz", "", "d"}, {"  ", " a ", "", "|"}, {"  ", "`\\", "", "-"}}, nil,
			"    fooBar_baz  d\n     a          |\n    `\\          -\n"},
		{[][]string{{"", "hidden", "b", "c"}, {"", "", "", "1"}, {"", "", "2", "3"}}, []int{1, 3}, "b  c\n   1\n2  3\n"},
		{[][]string{{"a", "b"}, {"one\ntwo", "x"}, {"short"}}, []int{7, -1}, "a      b\none    x\ntwo\nshort\n"},
		{[][]string{{"a", "b"}, {strings.Repeat("long ", 50) + "end", "x"}}, []int{1}, "a" + strings.Repeat(" ", 254) + "b\n" + strings.Repeat("long ", 50) + "end  x\n"},
	} {
		if got, fitted := table.New(c.rows, c.right...).String(), table.New(c.rows, c.right...).Fit(1000).String(); got != c.want || fitted != c.want {
			t.Errorf("%q: got\n%s, fitted\n%s, want\n%s", c.rows, got, fitted, c.want)
		}
	}
}

func ExampleTable() {
	fmt.Print(table.New([][]string{{"tool", "calls"}, {"couvreur", "20"}}, 1))
	// Output:
	// tool      calls
	// couvreur     20
}
