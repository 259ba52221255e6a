package recent

import "testing"

// TestWorkedExample runs the example in the comment of Set. Each key stands for Size/2 keys.
func TestWorkedExample(t *testing.T) {
	var s Set
	const many = Size / 2
	for step, want := range []struct {
		key        int
		fresh      bool
		young, old int
	}{{'a', true, 1, 0}, {'b', true, 0, 2}, {'a', false, 1, 2}, {'c', true, 0, 2}, {'b', true, 1, 2}} {
		for i := range many {
			if s.Add(key(want.key*many+i)) != want.fresh {
				t.Fatalf("step %d: new is not %v", step, want.fresh)
			}
		}
		if len(s.young) != want.young*many || len(s.old) != want.old*many {
			t.Errorf("step %d: %d and %d keys", step, len(s.young)/many, len(s.old)/many)
		}
	}
}
