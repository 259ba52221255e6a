package process

import "testing"

// TestLongest: the longest work under way is that which began first and has not ended.
func TestLongest(t *testing.T) {
	c := NewCores(3)
	longest := func() string {
		w, ok := c.Longest()
		if !ok {
			return ""
		}
		return w.Tool + " " + w.About()
	}
	begin := func(tool string) func() { return c.Begin(tool, func() string { return "on a" }) }
	if got := longest(); got != "" {
		t.Errorf("nobody works, but %q", got)
	}
	first, second, third := begin("first"), begin("second"), begin("third")
	for _, step := range []struct {
		end  func()
		left string
	}{{func() {}, "first on a"}, {second, "first on a"}, {first, "third on a"}, {third, ""}} {
		if step.end(); longest() != step.left {
			t.Errorf("got %q, want %q", longest(), step.left)
		}
	}
}
