// Package budget limits long computations: by context, by number of steps, and by memory.
//
// A loop calls [Budget.Stop] once per step, or [Budget.Spend] for a long step. It returns as soon
// as the answer is true:
//
//	for _, e := range edges {
//		if b.Stop() {
//			return b.Err()
//		}
//		…
//	}
//
// Most calls only decrement a counter. Every 256 steps the budget checks the context, the remaining
// steps, and the memory.
//
// [Budget.Part] returns a budget for a part of the computation that may be given up. Its steps also
// count for the whole:
//
//	b := budget.New(ctx)
//	p := b.Part(3)
//	p.Stop(), p.Stop(), p.Stop()   // false: three steps are allowed
//	p.Stop()                       // true, and p.Err() is "limit of 3 steps"
//	b.Stop()                       // false, and b.Spent() is 5
package budget

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Interval is the number of steps between two looks at the limits.
const Interval = 256

// Unlimited is a number of steps that is never reached.
const Unlimited = math.MaxInt

// A Budget says when a computation has to stop. It is for one goroutine.
type Budget struct {
	ctx   context.Context // of a part: nil, the whole looks at it
	whole *Budget         // of a part

	every int // steps from the last look to the next
	left  int // steps until the next look
	spent int // steps up to the last look
	steps int // maximum of all steps

	what  string       // what else is limited: "memory", …
	limit int64        // its maximum; 0 means no limit
	held  func() int64 // how much there is now

	err error
}

// New returns a budget that ends when ctx is done.
func New(ctx context.Context) *Budget {
	b := &Budget{ctx: ctx, steps: Unlimited}
	b.look()
	return b
}

// Free returns a budget that never ends.
func Free() *Budget { return New(context.Background()) }

// OrFree returns b, or a budget that never ends for nil. Exported functions with a budget call it.
func (b *Budget) OrFree() *Budget {
	if b == nil {
		return Free()
	}
	return b
}

// Part returns a budget of some steps for an attempt. It ends with b at the latest.
func (b *Budget) Part(steps int) *Budget {
	v := &Budget{whole: b, steps: steps}
	v.look()
	return v
}

// LimitSteps makes the budget end with a LimitError after a number of steps from its start.
func (b *Budget) LimitSteps(steps int) {
	b.steps = steps
	b.left, b.every = 1, b.every-b.left+1
}

// LimitMemory makes the budget end with a LimitError when held returns more than the given
// number of bytes, unless that is 0.
func (b *Budget) LimitMemory(bytes int64, held func() int64) { b.Limit("memory", bytes, held) }

// Limit is LimitMemory for something else.
func (b *Budget) Limit(what string, limit int64, held func() int64) {
	b.what, b.limit, b.held = what, limit, held
}

// Watch replaces the context of a budget that is not a part. A budget that has ended starts anew.
func (b *Budget) Watch(ctx context.Context) { b.ctx, b.err = ctx, nil }

// Stop counts a step, and reports whether to stop. Once it does, it always does.
func (b *Budget) Stop() bool { return b.Spend(1) }

// Spend is Stop for n steps.
func (b *Budget) Spend(n int) bool {
	if b.left -= n; b.left > 0 {
		return false
	}
	return b.look()
}

// Check looks at all limits at once, and returns the error if the budget has ended.
func (b *Budget) Check() error {
	b.look()
	return b.err
}

// Err returns why the budget has ended: the error of the context, or a LimitError. It is nil if the
// last look found nothing.
func (b *Budget) Err() error { return b.err }

// Fail ends the budget with an error, unless it has ended.
func (b *Budget) Fail(err error) {
	if b.err == nil {
		b.err = err
	}
	b.look()
}

// Spent returns the number of steps that were taken.
func (b *Budget) Spent() int { return b.spent + b.every - b.left }

// look brings the counters up to date, and reports whether to stop.
func (b *Budget) look() bool {
	taken := b.every - b.left
	b.spent += taken
	b.every, b.left = 0, 0
	if b.whole != nil && b.whole.Spend(taken) && b.err == nil {
		b.err = b.whole.err
	}
	if b.err == nil && b.ctx != nil {
		b.err = b.ctx.Err()
	}
	if b.err == nil && b.spent > b.steps {
		b.err = &LimitError{What: "steps", Limit: b.steps}
	}
	if b.err == nil && b.limit > 0 && b.held() > b.limit {
		b.err = &LimitError{What: b.what, Limit: int(b.limit)}
	}
	if b.err != nil {
		return true
	}
	b.every = Interval
	if rest := b.steps - b.spent; rest < Interval {
		b.every = rest + 1 // the step that is too many is noticed at once
	}
	b.left = b.every
	return false
}

// A LimitError says that a computation was given up because it would have exceeded a limit.
type LimitError struct {
	What  string // what was counted: "macrostates", "product states", …, or "memory"
	Limit int    // of memory, in bytes
}

func (e *LimitError) Error() string {
	if e.What == "memory" && e.Limit%(1<<20) == 0 {
		return fmt.Sprintf("memory limit of %d MiB", e.Limit>>20)
	}
	if e.What == "memory" {
		return fmt.Sprintf("memory limit of %d bytes", e.Limit)
	}
	return fmt.Sprintf("limit of %d %s", e.Limit, e.What)
}

// A TimeError says that a computation was given up at its time limit. It is a
// context.DeadlineExceeded: "time limit of 5s".
type TimeError struct{ Limit time.Duration }

func (e *TimeError) Error() string { return fmt.Sprintf("time limit of %v", e.Limit) }

// Is reports whether target is context.DeadlineExceeded.
func (e *TimeError) Is(target error) bool { return target == context.DeadlineExceeded }

type memoryKey struct{}

// WithMemory returns a context with a limit of memory for all that is computed under it, in bytes;
// 0 means no limit.
func WithMemory(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, memoryKey{}, bytes)
}

// Memory returns the limit of memory that a context carries, or 0.
func Memory(ctx context.Context) int64 {
	bytes, _ := ctx.Value(memoryKey{}).(int64)
	return bytes
}

// MemoryLimit returns the limit of memory that the budget's context carries, or 0.
func (b *Budget) MemoryLimit() int64 {
	for b.whole != nil {
		b = b.whole
	}
	return Memory(b.ctx)
}
