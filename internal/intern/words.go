package intern

import "github.com/xcheck-ltl/xcheck/internal/grow"

// Words numbers integers, such as pairs of states in one word.
type Words struct {
	words []uint64
	index Index
}

// Len returns the number of integers met.
func (t *Words) Len() int { return len(t.words) }

// At returns the integer with number i.
func (t *Words) At(i int32) uint64 { return t.words[i] }

// Number returns the number of an integer, and whether it is new.
func (t *Words) Number(w uint64) (i int32, fresh bool) {
	i, at := t.index.First(HashWord(w))
	for ; i >= 0; i, at = t.index.Next(at) {
		if t.words[i] == w {
			return i, false
		}
	}
	i = int32(len(t.words))
	t.words = append(grow.By(t.words, 1), w)
	t.index.Add(at, i, func(i int32) uint64 { return HashWord(t.words[i]) })
	return i, true
}

// Memory returns the number of bytes that the table takes.
func (t *Words) Memory() int64 { return int64(8*cap(t.words)) + t.index.Memory() }

// HashWord returns a hash of an integer.
func HashWord(w uint64) uint64 {
	w *= 0x9e3779b97f4a7c15
	return w ^ w>>29
}
