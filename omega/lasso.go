package omega

// A Lasso is an infinite sequence: Prefix once, then Cycle forever. The letters of a [Word] are
// one, and so are the steps of a run.
type Lasso[T any] struct{ Prefix, Cycle []T }

// Size returns the number of elements in prefix and cycle together.
func (l *Lasso[T]) Size() int { return len(l.Prefix) + len(l.Cycle) }

// At returns element i, or the zero value if i is not below Size().
func (l *Lasso[T]) At(i int) (x T) {
	n := len(l.Prefix)
	if uint(i) < uint(n) {
		return l.Prefix[i]
	}
	if i -= n; uint(i) < uint(len(l.Cycle)) {
		return l.Cycle[i]
	}
	return x
}

// Next returns the position that comes after one below Size(): after the last it is the first of
// the cycle. With two letters in the prefix and three in the cycle, the successors of 0 to 4 are 1,
// 2, 3, 4 and 2.
func (l *Lasso[T]) Next(i int) int {
	if i++; i < l.Size() {
		return i
	}
	return len(l.Prefix)
}
