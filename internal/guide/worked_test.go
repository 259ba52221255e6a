package guide

import "testing"

// TestWorkedExample runs the example in the comment of depends.
func TestWorkedExample(t *testing.T) {
	if n := depends(1000); n != 768 {
		t.Errorf("formula 1000 depends on %d answers", n)
	}
}
