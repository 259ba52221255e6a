package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"timeout", "max-output", "and-gf", "and-fg", "ap"}
	for name, want := range map[string]string{
		"timeuot": "timeout", "time": "timeout", "maxOutput": "max-output", "and-fh": "and-fg",
		"a": "", "x": "", "": "", "command": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", name, got, want)
		}
	}
}

// TestDistance tests what makes it a distance on all short words, and known ones.
func TestDistance(t *testing.T) {
	words := []string{""}
	for i := 0; len(words[i]) < 3; i++ {
		words = append(words, words[i]+"a", words[i]+"b")
	}
	for _, a := range words {
		for _, b := range words {
			d := distance(a, b)
			if (d == 0) != (a == b) || d != distance(b, a) || d < max(len(a)-len(b), len(b)-len(a)) || d > max(len(a), len(b)) {
				t.Errorf("distance(%q, %q) is %d", a, b, d)
			}
		}
	}
	for pair, want := range map[[2]string]int{
		{"timeuot", "timeout"}: 1, {"tmeot", "timeout"}: 2, {"ab", "ba"}: 1, {"abc", "acb"}: 1, {"kitten", "sitting"}: 3, {"ca", "abc"}: 3, {"", "abc"}: 3,
	} {
		if d := distance(pair[0], pair[1]); d != want {
			t.Errorf("distance(%q, %q) is %d, want %d", pair[0], pair[1], d, want)
		}
	}
}

// TestLong: a name that is far too long is not compared letter by letter.
func TestLong(t *testing.T) {
	long := strings.Repeat("propositions", 1<<16)
	if got := Nearest(long, []string{"weights", "seed"}); got != "" {
		t.Errorf("got %q", got)
	}
}
