package translators

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/process"
)

// Bounds of the command of Tool.Signature.
const (
	maxCoverage     = 1 << 20
	coverageTimeout = 10 * time.Second
)

// coverage runs the command that says what a call covered, in the environment of the call, and
// returns a hash of what it prints. If the command fails, it returns "", and the first failure of a
// command is kept for Faults.
func (r *Runner) coverage(ctx context.Context, c *call, call *process.Process) (string, error) {
	env := append([]string{"TMPDIR=" + call.Folder}, c.env...)
	p, err := r.host.New(process.Limits{Timeout: coverageTimeout, MaxOutput: maxCoverage}, env, c.clean)
	if err != nil {
		return "", err
	}
	defer p.Remove()
	p.Command.Line = c.coverage
	if err := p.Launch(ctx, ""); err != nil {
		if failed, ok := notStarted(err); ok {
			r.fault(c.coverage, failed.Detail)
			return "", nil
		}
		return "", fmt.Errorf("cannot start the command: %w", err)
	}
	defer p.ClosePipes()
	// What the command prints may be long and is only compared, so a hash of it is enough.
	var o Outcome
	if err := o.await(ctx, p, Limits(p.Limits), ""); err != nil {
		return "", err
	}
	// The call itself was good: its outcome stays, and the run goes on without coverage.
	if o.Status.Failed() {
		text := o.Detail
		if stderr := strings.TrimSpace(o.Stderr); stderr != "" && !strings.Contains(text, stderr) {
			text += ": " + strings.Join(strings.Fields(stderr), " ")
		}
		r.fault(c.coverage, text)
		return "", nil
	}
	h := fnv.New64a()
	h.Write(o.Output)
	return fmt.Sprintf("%016x", h.Sum64()), nil
}

// fault keeps the first failure of a command.
func (r *Runner) fault(command, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.faults == nil {
		r.faults = map[string]string{}
	}
	if r.faults[command] == "" {
		r.faults[command] = fmt.Sprintf("signature = %q failed, so its calls have no signature from it: %s", command, text)
	}
}

// Faults says which commands for signatures have failed, each with its first failure.
func (r *Runner) Faults() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Values(r.faults))
}
