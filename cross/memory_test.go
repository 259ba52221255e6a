package cross

import (
	"context"
	"testing"
)

// TestRoom: of the cases in a room, the one that has been checked the longest ends first, and
// then those that wait for tools. One that has left is not there any more.
func TestRoom(t *testing.T) {
	var r room
	asks, _ := r.enter(t.Context(), asking)
	gone, leave := r.enter(t.Context(), checking)
	first, leaveFirst := r.enter(t.Context(), checking)
	second, _ := r.enter(t.Context(), checking)
	leave()
	want := []context.Context{first, second, asks}
	for i, ctx := range want {
		if !r.endFirst() {
			t.Fatalf("%d: nothing has ended", i)
		}
		for k, other := range want {
			if late(other) != (k <= i) {
				t.Errorf("after %d: context %d: %v", i, k, context.Cause(other))
			}
		}
		if late(ctx) && i == 0 {
			leaveFirst()
		}
	}
	if r.endFirst() || late(gone) {
		t.Error("a case has ended that had left")
	}
}
