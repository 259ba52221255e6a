// Package canceled provides contexts for tests of cancellation at every point of a computation.
package canceled

import "context"

// A Context is canceled when its error is asked for the n-th time. It has no Done channel of its
// own, and is for one goroutine.
type Context struct {
	context.Context
	at    int // the first answer that is context.Canceled, counted from 1; 0: none
	Asked int // how often Err was called
}

// At returns a context that is canceled when it is asked for the n-th time, or at once if n < 1.
func At(ctx context.Context, n int) *Context { return &Context{Context: ctx, at: max(1, n)} }

// Never returns a context that only counts how often it is asked.
func Never(ctx context.Context) *Context { return &Context{Context: ctx} }

// Err returns context.Canceled from the n-th call on.
func (c *Context) Err() error {
	if c.Asked++; c.at > 0 && c.Asked >= c.at {
		return context.Canceled
	}
	return nil
}

// Late returns how often the context was asked again after it had been canceled.
func (c *Context) Late() int {
	if c.at == 0 {
		return 0
	}
	return max(0, c.Asked-c.at)
}
