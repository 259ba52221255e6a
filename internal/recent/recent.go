// Package recent tells what came before, in bounded memory.
package recent

import (
	"hash/fnv"
	"io"
)

// A Key stands for what is remembered: a hash of 128 bits.
type Key = [16]byte

// KeyOf returns the key of a text.
func KeyOf(text string) Key {
	h := fnv.New128a()
	io.WriteString(h, text)
	return Key(h.Sum(nil))
}

// Size is how many different keys a Set remembers at least. It remembers twice as many at most.
const Size = 1 << 18

// A Set remembers the keys that came last, each time that they came: two generations, of which the
// older one goes when the younger one is full. What it answers depends on the keys alone. It takes
// 40 MB at most. The zero value is empty.
type Set struct {
	young, old map[Key]struct{}
}

// Add adds a key, and reports whether it was not there.
func (s *Set) Add(key Key) bool {
	if _, ok := s.young[key]; ok {
		return false
	}
	_, was := s.old[key]
	if s.young == nil {
		s.young = map[Key]struct{}{}
	}
	if s.young[key] = struct{}{}; len(s.young) == Size {
		s.young, s.old = s.old, s.young
		clear(s.young)
	}
	return !was
}
