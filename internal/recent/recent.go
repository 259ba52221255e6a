// Package recent tells what came before, in bounded memory.
package recent

import (
	"hash/fnv"
	"io"
)

// A Key is a hash of 128 bits of what is remembered.
type Key = [16]byte

// KeyOf returns the key of a text.
func KeyOf(text string) Key {
	h := fnv.New128a()
	io.WriteString(h, text)
	return Key(h.Sum(nil))
}

// Size is how many different keys a Set remembers at least. It remembers twice as many at most.
const Size = 1 << 18

// A Set remembers the keys that came last. It has two generations, and forgets the older one when
// the younger one is full. With a Size of 2, the keys a b a c b are answered
//
//	a  true     young a      old -
//	b  true     young -      old a b
//	a  false    young a      old a b
//	c  true     young -      old a c, b is forgotten
//	b  true     young b      old a c
//
// The answers depend on the keys alone. A Set takes 40 MB at most. The zero value is empty.
type Set struct {
	young, old map[Key]struct{}
}

// Add adds a key, and reports whether it is new, as far as the set remembers.
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
