package cross

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/memory"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// errCaseTime is the cause of the end of a case's context at its time limit.
var errCaseTime = errors.New("case time limit reached")

const (
	// parting is how long a case goes on without an answer after it is told to stop. Then it is
	// given up, and what it is busy with is left to itself.
	parting = 30 * time.Millisecond
	// overtime is parting for a case that has reached its time limit while the run continues.
	// Only what the case has found can be lost.
	overtime = 500 * time.Millisecond
	// certifying is how much time there is after the deadline to certify the words that were found before.
	certifying = 300 * time.Millisecond
)

// within returns the context for what has so much time; no limit if it is 0.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	return limited(ctx, limit, &budget.TimeError{Limit: limit})
}

func limited(ctx context.Context, limit time.Duration, cause error) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit, cause)
}

// timeLimit returns the limit of time if that is why an error ended a computation, or else the error.
func timeLimit(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// overLimit reports whether an error says that a limit was met. Then something is undecided, and nobody is wrong.
func overLimit(err error) bool {
	return errors.As(err, new(*omega.LimitError)) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ltl.ErrLarge) || errors.Is(err, certify.ErrLarge)
}

// late reports whether a case has reached its limit of time or memory.
func late(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return cause == errCaseTime || cause == errCaseMemory
}

// A stage says what a case is busy with, and what it is if it ends now. It may be read at any time.
type stage struct {
	name atomic.Pointer[string]
	kept atomic.Pointer[outcome.Case] // at first, nothing is known but the results
}

// entered, if there is one, is called with each stage; of tests.
var entered atomic.Pointer[func(name string)]

func (s *stage) enter(format string, args ...any) {
	if s == nil {
		return
	}
	name := fmt.Sprintf(format, args...)
	s.name.Store(&name)
	if f := entered.Load(); f != nil {
		(*f)(name)
	}
}

func (s *stage) String() string {
	if name := s.name.Load(); name != nil {
		return *name
	}
	return ""
}

// waiting calls f, and waits for it until ctx is done, and then as long as patience says. It reports whether
// f has ended. Otherwise f goes on by itself, and what it changes is not to be looked at.
func waiting(ctx context.Context, patience func() time.Duration, f func()) (ended bool) {
	done := make(chan struct{})
	var alone atomic.Bool
	go func() {
		defer close(done)
		defer func() {
			if alone.Load() {
				recover() // it works on what is closed, and nobody asks for what it does
			}
		}()
		f()
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	timer := time.NewTimer(patience())
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		alone.Store(true)
		return false
	}
}

// unlessDone returns what f does, which is not waited for long when ctx is done.
func unlessDone[T any](ctx context.Context, f func() (T, error)) (T, error) {
	var x, none T
	var err error
	if !waiting(ctx, func() time.Duration { return parting }, func() { x, err = f() }) {
		return none, ctx.Err()
	}
	return x, err
}

// inTime fills in the case, within the time for a case. When the time limit is reached, the
// results so far stay, and the rest is undecided. If the check does not stop then, the results
// that were last kept stay. The error comes from fill, or ctx is done; the text is of a panic.
func (x *caseRun) inTime(ctx context.Context, c *outcome.Case) (*outcome.Case, string, error) {
	x.stage = new(stage)
	inTime, cancel := limited(ctx, x.CaseTime, errCaseTime)
	defer cancel()
	own, leave := x.room.enter(inTime, checking, &x.read)
	defer leave()
	kept := *c // without what fill adds
	kept.Results, kept.Errors = slices.Clone(c.Results), slices.Clone(c.Errors)
	x.stage.kept.Store(&kept)
	var panicked string
	var err error
	patience := func() time.Duration {
		if ctx.Err() == nil {
			return overtime
		}
		return parting
	}
	// A call that the run does not wait for any more may be in the middle of anything.
	if !waiting(own, patience, func() {
		panicked, err = guard.Call(func() error { return x.fill(ctx, own, c) })
	}) {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		x.abandoned = true
		kept := *x.stage.kept.Load()
		kept.Undecided = append(slices.Clone(kept.Undecided), x.undecided(own, ", and the check did not stop"))
		return &kept, "", nil
	}
	if late(own) && ctx.Err() == nil && (errors.Is(err, own.Err()) || errors.Is(err, context.Cause(own))) {
		err = nil // it is said in the case
	}
	return c, panicked, err
}

// undecided says what the case was busy with when it reached its limit of time or memory.
func (x *caseRun) undecided(own context.Context, more string) outcome.Undecided {
	limit := fmt.Sprintf("case time limit of %v", x.CaseTime)
	if full(own) {
		limit = x.room.full()
	}
	return outcome.Undecided{Check: outcome.RestOfCase, Why: fmt.Sprintf("%s reached (%s)%s", limit, x.stage, more)}
}

// errCaseMemory is the cause of the end of a context of the case that has read the most, when the process has too
// much memory.
var errCaseMemory = errors.New("memory limit reached")

func full(ctx context.Context) bool { return context.Cause(ctx) == errCaseMemory }

// full names the limit.
func (r *room) full() string {
	return fmt.Sprintf("memory limit of %s for all checks", memory.Size(r.limit))
}

// step calls f, for a proof or a check of the case, and reports whether its context ended for lack of memory.
func (x *caseRun) step(ctx context.Context, f func(ctx context.Context)) bool {
	own, leave := x.room.enter(ctx, stepping, &x.read)
	defer leave()
	f(own)
	return full(own)
}

// A room ends cases when the process has more memory than all checks together may take. The
// checks count what they take and stay within their limits by themselves; this is for what they
// do not count, such as what was read.
type room struct {
	limit int64

	mu      sync.Mutex
	entered [numKinds][]*occupant // those that began first come first
}

// An occupant of a room is a case, or a step of one.
type occupant struct {
	end    context.CancelCauseFunc
	read   *int64 // bytes of the case's automata so far; the same pointer for a case and its steps
	spared int    // how many steps of it have ended
}

// maxSpared is how many steps of a case end before the case does: its memory is then in what it has read.
const maxSpared = 8

// A kind is what a case in a room is busy with.
type kind uint8

const (
	stepping kind = iota // a proof or a check: the case goes on without it
	checking
	asking // tools, and reading what they print
	numKinds
)

const (
	// spare is what the process may have beyond the limits: the program itself, and garbage.
	spare = 40 << 20
	// relief is the time in which the end of a case should be felt.
	relief = 300 * time.Millisecond
)

// watch ends cases and their steps until ctx is done.
func (r *room) watch(ctx context.Context) {
	if r.limit <= 0 {
		return
	}
	// A program that calls the library may have much before the run.
	before := max(0, memory.NewSample().InUse()-spare)
	memory.Watch(ctx, before+r.limit+spare-memory.Reserve, func() {
		if !r.endLargest() {
			return
		}
		select {
		case <-time.After(relief):
		case <-ctx.Done():
		}
	})
}

// endLargest ends the proof or the check of the case that has read the most, or else this case, so that small
// ones do not suffer from others. It reports whether there was one.
func (r *room) endLargest() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Concat(r.entered[checking], r.entered[asking])
	if len(list) == 0 {
		return false
	}
	// Of equal ones, the first: one that is checked, and that began first.
	largest := slices.MaxFunc(list, func(x, y *occupant) int { return cmp.Compare(atomic.LoadInt64(x.read), atomic.LoadInt64(y.read)) })
	i := slices.IndexFunc(r.entered[stepping], func(x *occupant) bool { return x.read == largest.read })
	if i >= 0 && largest.spared < maxSpared {
		largest.spared++
		largest = r.entered[stepping][i]
	}
	largest.end(errCaseMemory)
	for k := range r.entered {
		r.remove(kind(k), largest)
	}
	return true
}

// remove removes an occupant, if it is still there.
func (r *room) remove(k kind, x *occupant) {
	if i := slices.Index(r.entered[k], x); i >= 0 {
		r.entered[k] = slices.Delete(r.entered[k], i, i+1)
	}
}

// enter returns the context of a case, or a step of one, that has read some bytes, and what to call when it is not busy
// with k any more.
func (r *room) enter(ctx context.Context, k kind, read *int64) (context.Context, func()) {
	own, cancel := context.WithCancelCause(ctx)
	x := &occupant{end: cancel, read: read}
	r.mu.Lock()
	r.entered[k] = append(r.entered[k], x)
	r.mu.Unlock()
	return own, func() {
		r.mu.Lock()
		r.remove(k, x)
		r.mu.Unlock()
		cancel(nil)
	}
}
