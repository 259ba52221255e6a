package cross

import (
	"context"
	"testing"
)

// TestRoom: of the cases in a room, the one that has read the most ends first. Of those that have read
// as much, it is the one that has been checked the longest, and then those that wait for tools. One
// that has left is not there any more.
func TestRoom(t *testing.T) {
	var r room
	small, large := int64(0), int64(1000)
	asks, _ := r.enter(t.Context(), asking, &small)
	gone, leave := r.enter(t.Context(), checking, &small)
	first, leaveFirst := r.enter(t.Context(), checking, &small)
	second, _ := r.enter(t.Context(), checking, &small)
	reads, _ := r.enter(t.Context(), asking, &large)
	leave()
	want := []context.Context{reads, first, second, asks}
	for i, ctx := range want {
		if !r.endLargest() {
			t.Fatalf("%d: nothing has ended", i)
		}
		for k, other := range want {
			if late(other) != (k <= i) {
				t.Errorf("after %d: context %d: %v", i, k, context.Cause(other))
			}
		}
		if late(ctx) && i == 1 {
			leaveFirst()
		}
	}
	if r.endLargest() || late(gone) {
		t.Error("a case has ended that had left")
	}
}
