// Package bitset has the operations on sets of small numbers that are bits of machine words.
//
// A set is a plain []uint64. Number i is bit i%64 of word i/64: the set {1, 64, 65} of numbers
// below 100 is []uint64{2, 3}. So loops over whole words need no functions, and sets can be parts
// of a larger slice.
package bitset

// number is a type of numbers that are not negative.
type number interface{ ~int | ~int32 }

// Words returns how many words a set of numbers below n has.
func Words(n int) int { return (n + 63) / 64 }

// Has reports whether i is in a set.
func Has[N number](set []uint64, i N) bool { return set[uint(i)/64]>>(uint(i)%64)&1 != 0 }

// Add adds i to a set.
func Add[N number](set []uint64, i N) { set[uint(i)/64] |= 1 << (uint(i) % 64) }

// Subset reports whether each number of x is in y. y must not have fewer words.
func Subset(x, y []uint64) bool {
	for k, w := range x {
		if w&^y[k] != 0 {
			return false
		}
	}
	return true
}
