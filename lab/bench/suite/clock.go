package suite

import (
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// maxWaiting is how many times its processor time a rival may take in wall time.
const maxWaiting = 60

// limits returns the limits of a rival.
func (s *Suite) limits() process.Limits {
	l := process.Limits{Timeout: s.Time, Memory: s.Memory, MaxOutput: maxOutput}
	if s.Processor {
		l.CPU, l.Timeout = s.Time, maxWaiting*s.Time
	}
	return l
}

// taken returns the time that a rival has taken, once it has ended.
func (s *Suite) taken(p *process.Process, wall time.Duration) time.Duration {
	if s.Processor {
		return p.CPU
	}
	return wall
}

// late reports whether a rival that has ended by itself used up its processor time: between two
// looks, or by the count of the system.
func (s *Suite) late(p *process.Process) bool {
	// The system kills a process by its own count, which may be ahead of p.CPU.
	good := p.State.ExitCode() == 0 || p.State.ExitCode() == 1
	return s.Processor && (p.CPU > s.Time || !good && p.CPU > s.Time*9/10)
}

// stopwatch returns a function for the time that xcheck takes from now on.
func (s *Suite) stopwatch() func() time.Duration {
	if s.Processor {
		begin := process.Time(false)
		return func() time.Duration { return process.Time(false) - begin }
	}
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}

// errTime ends a problem that takes too long.
var errTime = errors.New("time limit of a problem")

// looks is the time between two looks at the processor time.
const looks = 10 * time.Millisecond

// limited returns a context for a problem. At the time limit, it ends with the cause errTime.
func (s *Suite) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if !s.Processor {
		return context.WithTimeoutCause(ctx, s.Time, errTime)
	}
	// No timer runs by processor time, so it is looked at again and again.
	inner, cancel := context.WithCancelCause(ctx)
	taken := s.stopwatch()
	go func() {
		ticker := time.NewTicker(looks)
		defer ticker.Stop()
		for taken() < s.Time { // at most one tick late
			select {
			case <-inner.Done():
				return
			case <-ticker.C:
			}
		}
		cancel(errTime)
	}()
	return inner, func() { cancel(nil) }
}
