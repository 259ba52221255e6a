package witness

import "slices"

// A family is a collection of sets of states, one for each side, that were found level by level. A
// set is left out if an earlier one is as good: larger for the sides that must accept, smaller for
// the others, and no heavier, unless it is of an earlier level and so makes a shorter word.
//
// For a side that must accept, {0 1} is as good as {0}: a loop that is accepted from 0 fits both. For
// a side that must reject, {0} is as good as {0 1}.
type family struct {
	sides []*side
	width int // words of a set
	sets  []uint64
	items []item
	start []int // of each level, in items
}

// item is what a set stands for.
type item struct {
	weight int32 // how many propositions its letters set
	origin int32 // a prefix: the item before its last letter. A loop: its profile
	letter int32
}

func newFamily(sides []*side) *family {
	last := sides[len(sides)-1]
	return &family{sides: sides, width: last.setAt + last.setWords}
}

func (f *family) open() { f.start = append(f.start, len(f.items)) }

// level returns the numbers of the first item of a level and of the first one
// after it.
func (f *family) level(n int) (from, to int) {
	if n+1 < len(f.start) {
		return f.start[n], f.start[n+1]
	}
	return f.start[n], len(f.items)
}

// deepest returns the last level that has items, or -1.
func (f *family) deepest() int {
	n := len(f.start) - 1
	for ; n >= 0; n-- {
		if from, to := f.level(n); from < to {
			break
		}
	}
	return n
}

func (f *family) memory() int64 { return int64(8*cap(f.sets) + 12*cap(f.items)) }

func (f *family) set(i int) []uint64 { return f.sets[i*f.width : (i+1)*f.width] }

// add adds a set to the last level, unless that is in vain: a side that shall
// accept has no state left, or another set is as good. Lighter sets must be added
// before heavier ones. It returns how many words it has compared.
func (f *family) add(set []uint64, it item) (compared int) {
	for _, s := range f.sides {
		if s.accept && !slices.ContainsFunc(s.set(set), func(x uint64) bool { return x != 0 }) {
			return f.width
		}
	}
	for i := range f.items {
		if f.asGood(f.set(i), set) {
			return (i + 1) * f.width
		}
	}
	f.sets = append(f.sets, set...)
	f.items = append(f.items, it)
	return len(f.items) * f.width
}

// asGood reports whether x serves wherever y does.
func (f *family) asGood(x, y []uint64) bool {
	for _, s := range f.sides {
		if !s.better(s.set(x), s.set(y)) {
			return false
		}
	}
	return true
}

// match reports whether a prefix that leads to x and a loop that is accepted from
// y make a word that every side treats as it shall.
func (f *family) match(x, y []uint64) bool {
	for _, s := range f.sides {
		meet := false
		for i := s.setAt; i < s.setAt+s.setWords; i++ {
			meet = meet || x[i]&y[i] != 0
		}
		if meet != s.accept {
			return false
		}
	}
	return true
}
