package translators_test

import (
	"strings"
	"testing"

	"github.com/xcheck-ltl/xcheck/translators"
)

// TestWorkedBatch runs the example in the comment of queue. A batch may begin before all formulas
// wait, so it has several attempts.
func TestWorkedBatch(t *testing.T) {
	t.Parallel()
	const attempts = 10
	var processes []int
	for range attempts {
		r := translators.NewTestRunner(t, 1)
		tool := answerer(t, translators.Batch, "if [ $f = c ]; then kill -SEGV $$; else answer $f; fi")
		if got := strings.Join(askAll(t, r, tool, "a b c d"), ", "); got != "ok, ok, crash, ok" {
			t.Fatal(got)
		}
		n := starts(t, tool)
		if n == 5 {
			return
		}
		processes = append(processes, n)
	}
	t.Errorf("%d processes for four formulas", processes)
}
