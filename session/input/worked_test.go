package input

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// TestWorkedExamples runs the examples in comments on lines and columns.
func TestWorkedExamples(t *testing.T) {
	const record = `mine,"G(a -> F ""b"")",3` + "\n"
	for number, where := range map[int]string{2: "f.csv:1 (column 2)", -2: "f.csv:3 (column 2)"} {
		text := record
		if number < 0 {
			text = "tool,formula,size\nyours,,1\n" + record
		}
		got, field, err := NewColumn("f.csv", strings.NewReader(text), number).Next()
		if got != where || field != `G(a -> F "b")` || err != nil {
			t.Errorf("%s: %s, %v", got, field, err)
		}
	}

	where, text, err := NewLines("f.ltl", strings.NewReader("\n# comment\nGa &\n")).Next()
	if where != "f.ltl:3" || err != nil {
		t.Errorf("%s: %v", where, err)
	}
	_, err = ltl.NewStore().Parse(text, ltl.Spot)
	if err = Located(where, err); err.Error() != "f.ltl:3:5: expected a formula, found the end" {
		t.Error(err)
	}
}
