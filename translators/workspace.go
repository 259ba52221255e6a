package translators

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Limits limit a call. Zero means the default, or no limit if there is no default.
type Limits struct {
	Timeout time.Duration // from the start to the end, or from a question to its answer
	CPU     time.Duration // of all its processes together
	// MaxOutput limits standard output, or the file of %O, in bytes.
	MaxOutput int64
	// Memory limits the resident memory of all processes together, in bytes. AddressSpace
	// limits the mapped memory of each process.
	Memory, AddressSpace int64
	OpenFiles            int // of each process
}

// Defaults of Limits.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 20
)

func (l Limits) withDefaults() Limits {
	if l.Timeout <= 0 {
		l.Timeout = DefaultTimeout
	}
	if l.MaxOutput <= 0 {
		l.MaxOutput = DefaultMaxOutput
	}
	l.MaxOutput = min(l.MaxOutput, math.MaxInt/2)
	return l
}

// A Runner runs commands, each on one of its Cores. Any number of goroutines may use it.
type Runner struct {
	cores  *Cores
	dir    string // the temporary folder: it has one for each process
	guard  *guard
	ctx    context.Context // done when the Runner is closed
	cancel context.CancelFunc
	last   atomic.Int64 // number of the last process
	mark   uint64       // see process.mark
	null   *os.File     // the null device

	mu      sync.Mutex
	folders []string // that are empty, and belong to nobody
	closed  bool
	calls   sync.WaitGroup
	pools   map[*Tool]*pool
	queues  map[*Tool]*queue
}

// NewRunner returns a Runner for n commands at a time. It makes a private temporary folder in
// dir, or in the system's temporary folder if dir is empty.
func NewRunner(n int, dir string) (*Runner, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	// Commands may change their working folder, and still get the names of files.
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	folder := filepath.Join(dir, fmt.Sprintf("xcheck-%016x", rand.Uint64()))
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	adoptOrphans()
	mark := newMark()
	guard, err := newGuard(folder, mark)
	if err != nil {
		null.Close()
		return nil, fmt.Errorf("cannot start /bin/sh: %w", err)
	}
	// The guard is there before the folder, which is left to nobody whenever we are killed.
	if err := os.Mkdir(folder, 0o700); err != nil {
		null.Close()
		guard.close()
		return nil, fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	r := &Runner{cores: NewCores(n), dir: folder, guard: guard, mark: mark, null: null, pools: make(map[*Tool]*pool), queues: make(map[*Tool]*queue)}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.keep(true)
	return r, nil
}

// Cores returns the cores that processes share with checks.
func (r *Runner) Cores() *Cores { return r.cores }

// Close kills the running commands, waits for them, and removes the temporary folder.
func (r *Runner) Close() error {
	r.mu.Lock()
	closed := r.closed
	r.closed = true
	r.mu.Unlock()
	if closed {
		return nil
	}
	r.cancel()
	r.calls.Wait()
	for _, p := range r.pools {
		p.close()
	}
	sweep(nil)
	r.keep(false)
	r.null.Close()
	return errors.Join(removeAll(r.dir), r.guard.close())
}

var errClosed = errors.New("the runner of translators is closed")

// enter begins a call, when there is a core for it. If it has succeeded, leave is to
// be called.
func (r *Runner) enter(ctx context.Context) error {
	if err := r.join(); err != nil {
		return err
	}
	if err := r.occupy(ctx); err != nil {
		r.calls.Done()
		return err
	}
	return nil
}

func (r *Runner) leave() {
	r.cores.Release()
	r.calls.Done()
}

// join keeps Close waiting until calls.Done is called.
func (r *Runner) join() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return errClosed
	}
	r.calls.Add(1)
	return nil
}

// occupy takes a core, unless ctx is done or the Runner is closed before.
func (r *Runner) occupy(ctx context.Context) error {
	ctx, stop := r.until(ctx)
	defer stop()
	if r.cores.Acquire(ctx, false) != nil {
		return context.Cause(ctx)
	}
	return nil
}

// until returns a context that is done when ctx is, or the Runner is closed.
func (r *Runner) until(ctx context.Context) (either context.Context, stop func()) {
	either, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(r.ctx, func() { cancel(errClosed) })
	return either, func() { forget(); cancel(nil) }
}

// folder returns an empty one for a process. To make one takes longer than to see that
// one is empty still, so they are used again.
func (r *Runner) folder() (string, error) {
	r.mu.Lock()
	if n := len(r.folders); n > 0 {
		defer r.mu.Unlock()
		name := r.folders[n-1]
		r.folders = r.folders[:n-1]
		return name, nil
	}
	r.mu.Unlock()
	name, err := os.MkdirTemp(r.dir, "")
	if err != nil {
		return "", fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	return name, nil
}

// putFolder gives a folder back, or removes it with all that is in it. No process that
// knows it is left.
func (r *Runner) putFolder(name string) {
	if !pristine(name) {
		removeAll(name)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.folders = append(r.folders, name)
}

// pristine reports whether a folder is as it was made.
func pristine(name string) bool {
	var info syscall.Stat_t
	if syscall.Lstat(name, &info) != nil || info.Mode != syscall.S_IFDIR|0o700 {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return err == io.EOF
}

// removeAll removes a folder, even if commands have made folders in it that can't
// be read or written.
func removeAll(folder string) error {
	// Most often it is empty.
	if syscall.Rmdir(folder) == nil || os.RemoveAll(folder) == nil {
		return nil
	}
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		// A folder comes before what is in it, and so is open in time.
		if entry != nil && entry.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}
