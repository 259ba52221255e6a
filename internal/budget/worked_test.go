package budget_test

import (
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
)

// TestWorkedExample runs the example in the comment of the package.
func TestWorkedExample(t *testing.T) {
	b := budget.New(t.Context())
	p := b.Part(3)
	for range 3 {
		if p.Stop() {
			t.Fatal("the part stops early")
		}
	}
	if !p.Stop() || p.Err().Error() != "limit of 3 steps" {
		t.Error("the part ends with", p.Err())
	}
	if b.Stop() || b.Spent() != 5 {
		t.Error("the whole has taken", b.Spent(), "steps, and", b.Err())
	}
	if err := (&budget.TimeError{Limit: 5 * time.Second}); err.Error() != "time limit of 5s" {
		t.Error(err)
	}
}
