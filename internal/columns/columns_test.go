package columns_test

import (
	"fmt"
	"testing"

	"github.com/xcheck-ltl/xcheck/internal/columns"
)

func TestFormat(t *testing.T) {
	const want = "" +
		"name  calls  detail\n" +
		"spin     12  a\n" +
		"日本      3\n"
	rows := [][]string{{"name", "calls", "detail"}, {"spin", "12", "a"}, {"日本", "3", ""}}
	if got := columns.Format(rows, 1); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := columns.Format(nil); got != "" {
		t.Errorf("no rows: %q", got)
	}
}

func ExampleFormat() {
	fmt.Print(columns.Format([][]string{{"tool", "calls"}, {"couvreur", "20"}}, 1))
	// Output:
	// tool      calls
	// couvreur     20
}
