package complement

import "slices"

// Sets of states are slices of their numbers, in order.

// contains reports whether a state is in a set, in order.
func contains(set []int32, q int32) bool {
	_, ok := slices.BinarySearch(set, q)
	return ok
}

// union returns the states of two sets, in order. It may be one of them.
func union(x, y []int32) []int32 {
	if len(x) == 0 {
		return y
	}
	if subset(y, x) {
		return x
	}
	all := slices.Concat(x, y)
	slices.Sort(all)
	return slices.Compact(all)
}

// with returns the set with one more state.
func with(set []int32, q int32) []int32 {
	i, ok := slices.BinarySearch(set, q)
	if ok {
		return set
	}
	return slices.Insert(slices.Clone(set), i, q)
}

// subset reports whether all of x, in order, are in y, in order.
func subset(x, y []int32) bool {
	for _, q := range x {
		i, ok := slices.BinarySearch(y, q)
		if !ok {
			return false
		}
		y = y[i+1:]
	}
	return true
}
