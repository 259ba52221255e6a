package translators

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/budget"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// builtin calls a built-in tool, and parses its answer like the output of a program. The caller
// recovers from a panic.
func (t *Tool) builtin(ctx context.Context, r *Runner, q *question) (*Output, error) {
	if err := r.host.Enter(ctx); err != nil {
		return nil, err
	}
	defer r.host.Leave()
	defer r.Cores().Begin(t.Name, q.String)()
	limits := q.bound(t.Limits)
	if limits.CPU > 0 {
		limits.Timeout = min(limits.Timeout, limits.CPU) // it never computes on two cores
	}
	// The tool's own memory limit overrides the limit of checks in ctx.
	if limits.Memory > 0 {
		ctx = budget.WithMemory(ctx, limits.Memory)
	}
	ctx, stop := r.host.Until(ctx)
	defer stop()
	inTime, cancel := context.WithTimeout(ctx, limits.Timeout)
	defer cancel()

	out := &Output{Outcome: Outcome{Status: outcome.OK, Command: t.alike(q)}, Alone: true}
	text := capped{max: limits.MaxOutput}
	// The kernel counts the processor time of threads. A panic must unlock this one: a thread that ends
	// takes the processes with it that it has started.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, cpu := time.Now(), process.Time(true)
	err := t.Builtin(inTime, q.texts[t.inputs()[0]], &text)
	out.Wall, out.CPU = time.Since(start), process.Time(true)-cpu
	// The statuses are those of a program that does the same.
	var limit *budget.LimitError
	switch {
	case err == nil:
		out.read(ctx, split(text.text, 2), q, t)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case inTime.Err() != nil:
		out.fail(outcome.Timeout, fmt.Sprintf("stopped after %v", limits.Timeout))
		out.ExitCode = -1
	case text.over:
		out.fail(outcome.TooBig, "more than "+size(limits.MaxOutput)+" of output")
	case errors.As(err, &limit) && limit.What == "memory":
		out.fail(outcome.Memory, "more than "+size(int64(limit.Limit))+" of memory")
	default:
		out.fail(outcome.Aborted, err.Error())
	}
	return out, nil
}

// alike returns a line for a shell that gives the tool the same question.
func (t *Tool) alike(q *question) string {
	c, err := t.call(q.in)
	if err != nil {
		return ""
	}
	line, err := c.again()
	if err != nil {
		return ""
	}
	return line
}

// capped is a writer that keeps at most max bytes. It embeds no bytes.Buffer, whose WriteString would
// bypass the limit.
type capped struct {
	text []byte
	max  int64
	over bool // more was written
}

func (c *capped) Write(p []byte) (int, error) {
	if c.over = c.over || int64(len(c.text)+len(p)) > c.max; c.over {
		return 0, errors.New("too much output")
	}
	c.text = append(c.text, p...)
	return len(p), nil
}
