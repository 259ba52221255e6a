package configs

import (
	"fmt"
	"testing"
)

// TestQuantities reads what flags have: propositions, ranges and ages.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		parse func(string) (string, error)
		what  string
		texts map[string]string // "" for an error
	}{
		{func(s string) (string, error) { x, err := ParseProps(s); return fmt.Sprint(x), err }, "propositions", map[string]string{
			"3": "[p0 p1 p2]", "a,b": "[a b]", "x": "[x]", "0": "[]", "a,,b": "", "a,b,a": "", "-1": "", "1001": "", "": ""}},
		{func(s string) (string, error) { x, y, err := ParseRange(s); return fmt.Sprint(x, y), err }, "range", map[string]string{
			"3": "3 3", "1..6": "1 6", "..4": "1 4", "4..": "", "a..b": "", "": ""}},
		{func(s string) (string, error) { x, err := ParseAge(s); return x.String(), err }, "age", map[string]string{
			"90d": "2160h0m0s", "12h": "12h0m0s", "0s": "0s", "0d": "0s", "-1d": "", "-1h": "", "100001d": "", "soon": "", "": ""}},
	} {
		for text, want := range c.texts {
			got, err := c.parse(text)
			if err != nil {
				got = ""
			}
			if got != want {
				t.Errorf("%s %q: %s, %v, want %s", c.what, text, got, err, want)
			}
		}
	}
}
