package translators

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Input gives the formula in a syntax.
type Input func(ltl.Syntax) (string, error)

// Limits bound a call. Zero means the default, or no limit where there is none.
type Limits struct {
	Timeout time.Duration // from the start to the end
	CPU     time.Duration // of all its processes together
	// MaxOutput is in bytes, of standard output or of %O's file.
	MaxOutput int64
	// Memory is how much all its processes together may have resident, in bytes,
	// AddressSpace what each of them may have mapped.
	Memory, AddressSpace int64
	OpenFiles            int // of each process
}

// Defaults of Limits.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 20
)

// A Runner runs commands, each on one of its Cores. It is for use by many
// goroutines.
type Runner struct {
	cores  *Cores
	dir    string // the temporary folder: one for each call, and TMPDIR
	guard  *guard
	ctx    context.Context // done when the Runner is closed
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	last   int // number of the last call
}

// NewRunner returns a Runner for n commands at a time, with a private temporary
// folder in dir (in the system's place for such if dir is empty).
func NewRunner(n int, dir string) (*Runner, error) {
	folder, err := os.MkdirTemp(dir, "xcheck-*")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	// Commands may change their working folder, and still get the names of files.
	if folder, err = filepath.Abs(folder); err == nil {
		err = os.Mkdir(filepath.Join(folder, "tmp"), 0o700)
	}
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	adoptOrphans()
	guard, err := newGuard(folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("can't start /bin/sh: %w", err)
	}
	r := &Runner{cores: NewCores(n), dir: folder, guard: guard}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r, nil
}

// Close kills what still runs, waits for it, and removes the temporary folder.
// Calls of Run that are under way, or come later, return an error.
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
	sweep(nil)
	return errors.Join(removeAll(r.dir), r.guard.close())
}

// Cores returns what processes share with the checks.
func (r *Runner) Cores() *Cores { return r.cores }

// acquire waits for a core for a process, until ctx is done or the Runner closed.
func (r *Runner) acquire(ctx context.Context) error {
	either, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.ctx, func() { cancel(errClosed) })()
	if r.cores.Acquire(either, false) != nil {
		return context.Cause(either)
	}
	return nil
}

var errClosed = errors.New("the runner of translators is closed")

// Run runs a command on a formula, when there is a free place for it. The
// variables in env ("NAME=value") are added to the environment. The error is
// trouble of our own (no room for temporary files, no process can be started, ctx
// is done); whatever goes wrong with the command itself is in the Outcome.
func (r *Runner) Run(ctx context.Context, c *Command, in Input, limits Limits, env []string) (Outcome, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return Outcome{}, errClosed
	}
	r.calls.Add(1)
	r.last++
	number := fmt.Sprint(r.last)
	r.mu.Unlock()
	defer r.calls.Done()
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	if err := r.acquire(ctx); err != nil {
		return Outcome{}, err
	}
	defer r.cores.Release()
	if limits.Timeout <= 0 {
		limits.Timeout = DefaultTimeout
	}
	if limits.MaxOutput <= 0 {
		limits.MaxOutput = DefaultMaxOutput
	}
	limits.MaxOutput = min(limits.MaxOutput, math.MaxInt/2)
	p := &process{ctx: ctx, closing: r.ctx, limits: limits, id: filepath.Base(r.dir) + "/" + number}
	p.env = append(os.Environ(), "TMPDIR="+filepath.Join(r.dir, "tmp"))
	p.env = append(append(p.env, env...), callVariable+"="+p.id)
	folder := filepath.Join(r.dir, number)
	if c.files() {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return Outcome{}, fmt.Errorf("temporary folder: %w", err)
		}
		defer removeAll(folder)
	}
	line, err := p.prepare(c, in, folder)
	if err != nil {
		return Outcome{}, err
	}
	p.outcome.Command = line
	if err := p.run(); err != nil {
		return Outcome{}, err
	}
	return p.outcome, nil
}

// prepare writes the files of a command and returns its line.
func (p *process) prepare(c *Command, in Input, folder string) (string, error) {
	return c.expand(func(placeholder byte) (string, error) {
		if placeholder == 'O' {
			p.outFile = filepath.Join(folder, "output")
			// It must exist, since some tools only append.
			return p.outFile, os.WriteFile(p.outFile, nil, 0o600)
		}
		lower := placeholder | 0x20
		text, err := in(syntaxes[lower])
		if err != nil || lower == placeholder {
			return text, err
		}
		name := filepath.Join(folder, "formula-"+string(lower))
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			return "", fmt.Errorf("temporary file: %w", err)
		}
		return name, nil
	})
}

// removeAll removes a folder, even if commands have made folders in it that can't
// be read or written.
func removeAll(folder string) error {
	if os.RemoveAll(folder) == nil {
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
