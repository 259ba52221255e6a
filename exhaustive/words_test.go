package exhaustive

import (
	"fmt"
	"slices"
	"testing"
)

// eachWord calls do with all words of a size in the order of Check.
func eachWord(props, size int, do func(*Word)) {
	for cycle := 1; cycle <= size; cycle++ {
		b := block{shape: shape{props, size - cycle, cycle}}
		for ; b.number < b.blocks(); b.number++ {
			for row := range min(rows, 1<<b.bits()) {
				do(b.word(row))
			}
		}
	}
}

// sequence returns the beginning of the infinite sequence of letters, which tells words of a size
// up to 6 apart.
func (w *Word) sequence() string {
	const length = 20
	letters := slices.Clone(w.Letters)
	for i := w.Prefix; len(letters) < length; i++ {
		letters = append(letters, letters[i])
	}
	return fmt.Sprint(letters[:length])
}

// All words are made, in their order, and as many are different as Words says.
func TestWords(t *testing.T) {
	for _, x := range []struct{ props, size int }{{0, 4}, {1, 5}, {2, 4}, {3, 3}, {4, 2}, {7, 1}} {
		seen := map[string]bool{}
		for size := 1; size <= x.size; size++ {
			made, last := 0, ""
			eachWord(x.props, size, func(w *Word) {
				text := fmt.Sprint(size-w.Prefix, w.Letters) // "false" comes before "true"
				if len(w.Letters) != size || w.Prefix >= size || text <= last {
					t.Fatalf("%d propositions: %v comes after %v", x.props, text, last)
				}
				last = text
				made++
				seen[w.sequence()] = true
			})
			if want := size << (x.props * size); made != want {
				t.Errorf("%d propositions: %d words of size %d, expected %d", x.props, made, size, want)
			}
			if got := Words(x.props, size); got != len(seen) {
				t.Errorf("%d propositions: %d words up to size %d, expected %d", x.props, got, size, len(seen))
			}
		}
	}
	if got := Words(30, 3); got != -1 {
		t.Errorf("Words(30, 3) = %d", got)
	}
}
