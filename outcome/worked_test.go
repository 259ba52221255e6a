package outcome

import "testing"

// TestWorkedExamples runs the examples in the comments on signatures and changes.
func TestWorkedExamples(t *testing.T) {
	for n, want := range map[int]int{16: 16, 17: 16, 18: 18, 19: 18, 95: 88, 96: 96, 103: 96, 104: 104} {
		if got := rough(n); got != want {
			t.Errorf("%d is roughly %d", n, got)
		}
	}
	slower := &Change{Measure: "time", Ratio: 1.12}
	slow := &Change{Measure: "time", Ratio: 2.34}
	fewer := &Change{Measure: "states", Ratio: 0.95}
	for _, test := range []struct{ got, want string }{
		{slower.what(), "became 12 % slower"},
		{slow.what(), "became 2.3 times as slow"},
		{fewer.what(), "makes automata with 5 % fewer states"},
		{factor(23.4), "23"},
		{Percent(1.12, "slower", "faster"), "12 % slower"},
		{Percent(0.995, "slower", "faster"), "0.5 % faster"},
		{likely(0.0123), "p = 0.012"},
		{likely(0.0004), "p = 0.0004"},
		{likely(0.00004), "p < 0.0001"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// TestWorkedCategory runs the examples in the comment of Category.
func TestWorkedCategory(t *testing.T) {
	for text, want := range map[string]string{
		"missing words, of the negation only": "words",
		"crash 11: assertion failed":          "crash 11: assertion failed",
	} {
		if got := ParseClass(text).Category().String(); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
