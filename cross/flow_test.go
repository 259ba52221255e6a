package cross

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/must"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// started reports whether case i may start now. It must be the next one.
func (w *flow) started(i int) bool {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	index, err := w.start(ctx)
	return err == nil && index == i
}

// TestFlowBudget: cases that take much are under way alone, and after small ones there is room for many.
func TestFlowBudget(t *testing.T) {
	w := newFlow(2, 16, func(*outcome.Case) error { return nil })
	next := 0
	fill := func() (n int) {
		for w.started(next) {
			next++
			n++
		}
		return n
	}
	finish := func(bytes int64) {
		i := w.underway[0].index
		w.holds(i, bytes)
		must.Do(w.finish(&outcome.Case{Index: i}))
	}
	if n := fill(); n != 8 {
		t.Errorf("%d cases at the start on 2 cores", n)
	}
	for range 100 {
		finish(1000)
		fill()
	}
	if n := len(w.underway); n != 16 {
		t.Errorf("%d small cases, want as many as there is room for", n)
	}
	// One that has more than the budget stops all others, until it is finished.
	w.holds(w.underway[3].index, textBudget+1)
	finish(1000)
	finish(1000)
	if n := fill(); n != 0 {
		t.Errorf("%d cases more though the budget is used up", n)
	}
	for len(w.underway) > 1 {
		finish(textBudget / 3)
	}
	finish(textBudget / 3)
	if n := fill(); n != 3 {
		t.Errorf("%d cases, where each is expected to take a third", n)
	}
	for range 3 {
		finish(2 * textBudget)
	}
	if n := fill(); n != 1 {
		t.Errorf("%d cases, where each is expected to take more than there is", n)
	}
}

// TestFlowOrder: cases come in order, unless too many wait; at the end, all come.
func TestFlowOrder(t *testing.T) {
	var got []int
	w := newFlow(1, 100, func(c *outcome.Case) error { got = append(got, c.Index); return nil })
	w.window, w.expected = 3, 1
	for i := range 12 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	for _, i := range []int{1, 0, 4, 6, 5, 7, 8, 2, 11, 10} {
		must.Do(w.finish(&outcome.Case{Index: i}))
	}
	must.Do(w.end())
	// 3 and 9 have not come.
	if want := []int{0, 1, 4, 5, 2, 6, 7, 8, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFlowLate: who waits long for one before it overtakes it, though nothing more
// comes; an error of the receiver is told to whoever comes next.
func TestFlowLate(t *testing.T) {
	got := make(chan int, 10)
	full := errors.New("disk full")
	w := newFlow(1, 100, func(c *outcome.Case) error {
		if got <- c.Index; c.Index == 4 {
			return full
		}
		return nil
	})
	w.patience, w.expected = time.Millisecond, 1
	for i := range 7 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	expect := func(list ...int) {
		t.Helper()
		for _, want := range list {
			if c := <-got; c != want {
				t.Errorf("got %d, want %d", c, want)
			}
		}
	}
	for _, i := range []int{2, 1, 0} {
		must.Do(w.finish(&outcome.Case{Index: i}))
		if i == 2 {
			expect(2) // 0 is slow
		}
	}
	// 1 may have overtaken 0 or not.
	if a, b := <-got, <-got; a+b != 1 {
		t.Errorf("got %d and %d, want 0 and 1", a, b)
	}
	must.Do(w.finish(&outcome.Case{Index: 4}))
	expect(4) // 3 is slow
	if err := w.finish(&outcome.Case{Index: 3}); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
	if err := errors.Join(w.finish(&outcome.Case{Index: 6}), w.end()); err != nil || len(got) > 0 {
		t.Errorf("got %v, and %d cases after the failure", err, len(got))
	}
}

// TestFlowWakes: a case that waits for room wakes when there is some, and not before. A receiver that
// returns an error is not called again.
func TestFlowWakes(t *testing.T) {
	full := errors.New("disk full")
	calls := 0
	w := newFlow(2, 2, func(*outcome.Case) error { calls++; return full })
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 {
		if !w.started(i) {
			t.Fatalf("case %d does not start", i)
		}
	}
	second := make(chan error)
	all.Go(func() {
		_, err := w.start(ctx)
		second <- err
		if _, err := w.start(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if err := w.finish(&outcome.Case{Index: 0}); err != full {
		t.Errorf("got %v", err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	cancel()
	all.Wait()
	if err := errors.Join(w.finish(&outcome.Case{Index: 1}), w.end()); err != nil || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
