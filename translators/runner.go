package translators

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/xcheck-ltl/xcheck/internal/plural"
	"github.com/xcheck-ltl/xcheck/internal/process"
)

// AdoptOrphans makes this process the parent of all descendants whose own parents end, for as
// long as it lives; on Linux, that is a subreaper. Then what leaves the group of its command is
// killed when the command ends. A program that calls it must not start children in new sessions
// of its own: they would be killed, too. On other systems it does nothing.
func AdoptOrphans() { process.AdoptOrphans() }

// A Runner runs commands, each on one of its cores. Any number of goroutines may use it.
type Runner struct {
	host *process.Supervisor

	mu    sync.Mutex
	pools map[*Tool]*pool
	ended map[ending]int // processes that were to live on
}

// An ending is why a process of a tool has ended that was kept alive.
type ending struct{ tool, reason string }

// Restarts says for each tool how many of its processes that were kept alive had to be replaced, and
// why: "mine: 3 restarts (crash 2, timeout 1)".
func (r *Runner) Restarts() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	reasons, count := map[string][]string{}, map[string]int{}
	for x, n := range r.ended {
		reasons[x.tool] = append(reasons[x.tool], fmt.Sprintf("%s %d", x.reason, n))
		count[x.tool] += n
	}
	for _, tool := range slices.Sorted(maps.Keys(reasons)) {
		slices.Sort(reasons[tool])
		list = append(list, fmt.Sprintf("%s: %s (%s)", tool, plural.Of(count[tool], "restart"), strings.Join(reasons[tool], ", ")))
	}
	return list
}

// NewRunner returns a Runner for n commands at a time. With n = 0, these are as many as there
// are cores, and one ahead for each four cores, so that no core is idle while the output of a
// command is read. Its first command makes a private temporary folder in dir, or in the system's
// temporary folder if dir is empty. See [AdoptOrphans].
func NewRunner(n int, dir string) (*Runner, error) {
	host, err := process.NewSupervisor(n, dir)
	if err != nil {
		return nil, err
	}
	r := &Runner{host: host, pools: make(map[*Tool]*pool), ended: make(map[ending]int)}
	host.Idle = r.endIdle
	return r, nil
}

// Open makes the temporary folder, which the first command does otherwise.
func (r *Runner) Open() error { return r.host.Open() }

// Cores returns the cores that processes share with checks.
func (r *Runner) Cores() *process.Cores {
	if r == nil || r.host == nil {
		return process.NewCores(0)
	}
	return r.host.Cores()
}

// processes is how many of a tool may have something to do at a time.
func (r *Runner) processes(t *Tool) int {
	if n := r.Cores().Len(); t.Processes <= 0 || t.Processes > n {
		return n
	}
	return t.Processes
}

// Close kills the running commands, waits for them, and removes the temporary folder.
func (r *Runner) Close() error {
	if !r.host.Stop() {
		return nil
	}
	r.endIdle()
	return r.host.Close()
}

// endIdle ends the processes that are kept alive and have no question, to make room. It
// reports whether there was one.
func (r *Runner) endIdle() (found bool) {
	r.mu.Lock()
	pools := slices.Collect(maps.Values(r.pools))
	r.mu.Unlock()
	for _, p := range pools {
		for s, _ := p.take(); s != nil; s, _ = p.take() {
			s.close(nil)
			found = true
		}
	}
	return found
}
