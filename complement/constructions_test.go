package complement

import (
	"os"
	"strings"
	"testing"
)

// TestRows looks for what is missing in the table of constructions, and in the manual.
func TestRows(t *testing.T) {
	manual, err := os.ReadFile("../docs/complement.md")
	if err != nil {
		t.Fatal(err)
	}
	var places [classes]int // how many constructions have a turn
	seen := map[Algorithm]bool{}
	for _, c := range constructions {
		if c.name == "" || c.fits == "" || c.source == "" || seen[c.name] {
			t.Errorf("%q: a field is empty, or the name is not new", c.name)
		}
		seen[c.name] = true
		if other, err := find(c.again); err != nil || other.name == c.name {
			t.Errorf("%s: again: %s (%v)", c.name, c.again, err)
		}
		if c.turn != never {
			places[c.turn.class]++
		}
		documented := false
		for line := range strings.Lines(string(manual)) {
			cells := strings.Split(line, "|")
			documented = documented || len(cells) == 6 && cells[1] == " `"+string(c.name)+"` " &&
				strings.Contains(cells[2], c.fits) && strings.Contains(cells[3], c.source)
		}
		if !documented {
			t.Errorf("%s: docs/complement.md does not have it, with %q and %q", c.name, c.fits, c.source)
		}
	}
	for class, n := range places {
		turns := map[int]bool{}
		for _, c := range constructions {
			if c.turn != never && int(c.turn.class) == class {
				turns[c.turn.place] = true
			}
		}
		for place := range n {
			if !turns[place+1] {
				t.Errorf("class %d: none of %d constructions has turn %d", class, n, place+1)
			}
		}
		if n == 0 {
			t.Errorf("class %d has no construction", class)
		}
	}
}
