package session

import (
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// An inOrder passes cases on in the order of their indexes. They come nearly in that order, because
// other cases overtake one that takes long. If 0, 2 and 1 come, 0 is passed on at once; 2 waits for
// 1, and is passed on after it.
type inOrder struct {
	shard   Shard
	pass    func(*outcome.Case) error
	next    int             // the index of the case to pass on next
	waiting []*outcome.Case // the later cases that have come, by their indexes
	failed  bool            // whether pass has failed
	never   func(int) bool  // reports whether a case never comes; nil if all come
}

// maxWaiting is the maximum number of cases that wait for a slow one. Each takes a few kilobytes. A
// guide waits for the slow case before it gives out as many formulas.
const maxWaiting = 10000

// add takes a case, and passes on all cases whose turn it is. After an error of pass, it passes on
// nothing more.
func (o *inOrder) add(c *outcome.Case) error {
	i, _ := slices.BinarySearchFunc(o.waiting, c.Index, func(x *outcome.Case, index int) int { return x.Index - index })
	o.waiting = slices.Insert(o.waiting, i, c)
	for len(o.waiting) > 0 && (o.isNext(o.waiting[0].Index) || len(o.waiting) > maxWaiting) {
		if err := o.passFirst(); err != nil {
			return err
		}
	}
	return nil
}

// isNext reports whether no earlier case will come.
func (o *inOrder) isNext(index int) bool {
	for o.never != nil && o.next < index && o.never(o.next) {
		o.next = o.shard.after(o.next)
	}
	return index <= o.next
}

// flush passes on all waiting cases, when no more cases come.
func (o *inOrder) flush() error {
	for len(o.waiting) > 0 {
		if err := o.passFirst(); err != nil {
			return err
		}
	}
	return nil
}

func (o *inOrder) passFirst() error {
	c := o.waiting[0]
	o.waiting = slices.Delete(o.waiting, 0, 1)
	if o.failed {
		return nil
	}
	o.next = max(o.next, o.shard.after(c.Index))
	err := o.pass(c)
	o.failed = err != nil
	return err
}
