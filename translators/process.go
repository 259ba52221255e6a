package translators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/ltl"
)

// Status says how a call of a translator ended.
type Status uint8

const (
	OK          Status = iota
	Timeout            // it took too long, and was killed
	Crash              // it was killed by a signal
	Exit               // it ended with a status other than 0
	NoOutput           // it printed nothing but white space
	Syntax             // what it printed is no automaton
	Unsupported        // it printed an automaton that can't be checked
	TooBig             // it printed more than the limit, and was killed
	Skipped            // it was not run: it can't be given the formula
)

var statusNames = [...]string{"ok", "timeout", "crash", "exit", "no-output", "syntax", "unsupported", "too-big", "skipped"}

// String returns the name that reports use.
func (s Status) String() string { return statusNames[s] }

// Limits bound a call. Zero means the default.
type Limits struct {
	Timeout   time.Duration
	MaxOutput int64 // bytes, of standard output or of %O's file
}

// Defaults of Limits.
const (
	DefaultTimeout   = 60 * time.Second
	DefaultMaxOutput = 64 << 20
)

// callVariable is in the environment of every command, and so of every process
// that it starts: it says to which call a process belongs that has left its
// group.
const callVariable = "XCHECK_CALL"

// grace is the time between SIGTERM and SIGKILL.
const grace = 200 * time.Millisecond

// maxStderr is how much of the end of standard error is kept.
const maxStderr = 4096

// An Outcome is what came of running a command.
type Outcome struct {
	Status    Status
	Detail    string // of a failure, in a line
	Command   string // the line that was run
	ExitCode  int    // its exit status; the number of the signal if it was killed; -1 after a timeout
	Output    []byte
	Stderr    string // the end of standard error
	Wall, CPU time.Duration
	MaxRSS    int64 // bytes, of the largest process
}

// Input gives the formula in a syntax.
type Input func(ltl.Syntax) (string, error)

// A Runner runs commands, a bounded number at a time. It is for use by many
// goroutines.
type Runner struct {
	slots  chan struct{}
	dir    string
	guard  *guard
	ctx    context.Context // done when the Runner is closed
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	folder int // number of the last private folder
}

// NewRunner returns a Runner for n commands at a time, with a private temporary
// folder in dir (in the system's place for such if dir is empty).
func NewRunner(n int, dir string) (*Runner, error) {
	folder, err := os.MkdirTemp(dir, "xcheck-*")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	adoptOrphans()
	guard, err := newGuard(folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("can't start /bin/sh: %w", err)
	}
	r := &Runner{slots: make(chan struct{}, max(1, n)), dir: folder, guard: guard}
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
	killOrphans("")
	return errors.Join(os.RemoveAll(r.dir), r.guard.close())
}

var errClosed = errors.New("the runner of translators is closed")

// Run runs a command on a formula. The error is trouble of our own (no room for
// temporary files, no process can be started, ctx is done); whatever goes wrong
// with the command itself is in the Outcome.
func (r *Runner) Run(ctx context.Context, c *Command, in Input, limits Limits, env []string) (Outcome, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return Outcome{}, errClosed
	}
	r.calls.Add(1)
	r.folder++
	folder := filepath.Join(r.dir, fmt.Sprint(r.folder))
	r.mu.Unlock()
	defer r.calls.Done()
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	case <-r.ctx.Done():
		return Outcome{}, errClosed
	}
	if limits.Timeout <= 0 {
		limits.Timeout = DefaultTimeout
	}
	if limits.MaxOutput <= 0 {
		limits.MaxOutput = DefaultMaxOutput
	}
	p := &process{ctx: ctx, closing: r.ctx, limits: limits, id: filepath.Base(r.dir) + "/" + filepath.Base(folder)}
	p.env = append(append(os.Environ(), env...), callVariable+"="+p.id)
	if c.files() {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return Outcome{}, fmt.Errorf("temporary folder: %w", err)
		}
		defer os.RemoveAll(folder)
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

// process is one call.
type process struct {
	ctx, closing context.Context
	limits       Limits
	id           string   // of this call, among all that run on the machine
	env          []string // all of it
	outFile      string   // of %O, or ""
	outcome      Outcome

	stdout, stderr capture
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

// run starts the command, waits for its end or for a reason to end it, and says
// what came of it.
func (p *process) run() error {
	cmd := exec.Command("/bin/sh", "-c", p.outcome.Command)
	cmd.Env = p.env
	p.stdout.limit, p.stderr.limit = p.limits.MaxOutput, maxStderr
	p.stderr.end = true
	stdout, err := pipe(&cmd.Stdout)
	if err != nil {
		return err
	}
	stderr, err := pipe(&cmd.Stderr)
	if err != nil {
		stdout.close()
		return err
	}
	start := time.Now()
	exited, err := p.start(cmd)
	stdout.started()
	stderr.started()
	if err != nil {
		stdout.close()
		stderr.close()
		if errors.Is(err, syscall.E2BIG) {
			p.outcome.Status, p.outcome.Detail = Skipped, "the formula is too long for a command line (use a file: %F %S %L %W)"
			p.outcome.Command = ""
			return nil
		}
		return fmt.Errorf("can't start /bin/sh: %w", err)
	}
	tooBig := make(chan struct{}, 2)
	var readers sync.WaitGroup
	for _, x := range []struct {
		from *readEnd
		to   *capture
	}{{stdout, &p.stdout}, {stderr, &p.stderr}} {
		readers.Go(func() {
			if x.to.fill(x.from.file) {
				tooBig <- struct{}{}
			}
		})
	}
	why := p.wait(cmd.Process.Pid, exited, tooBig)
	p.outcome.Wall = time.Since(start)
	// The group has been killed, and the command itself has not been reaped yet.
	err = reap(cmd)
	killOrphans(p.id)
	// Whoever could still write is dead, or has left the group on a system where
	// we can't find it: then what it still writes is nobody's output.
	timer := time.AfterFunc(grace, func() { stdout.close(); stderr.close() })
	readers.Wait()
	timer.Stop()
	stdout.close()
	stderr.close()
	if why == errClosed || p.ctx.Err() != nil && why != nil {
		return why
	}
	return p.conclude(cmd.ProcessState, err, why)
}

// Reasons to end a command.
var (
	errTimeout = errors.New("timeout")
	errTooBig  = errors.New("too big")
)

// wait returns when the command has ended and its group is dead: nil if it ended
// by itself, otherwise the reason why it was ended.
func (p *process) wait(pid int, exited <-chan struct{}, tooBig <-chan struct{}) (why error) {
	// Deferred, so that the group dies in every case; the command is not reaped
	// yet, and so the number of the group is still its own.
	defer func() {
		killGroup(pid, syscall.SIGKILL)
		<-exited
		// A process that was just forked may have missed the first signal.
		killGroup(pid, syscall.SIGKILL)
	}()
	timeout := time.NewTimer(p.limits.Timeout)
	defer timeout.Stop()
	var poll <-chan time.Time
	if p.outFile != "" {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		poll = ticker.C
	}
	for {
		select {
		case <-exited:
			return nil
		case <-tooBig:
			return errTooBig
		case <-poll:
			if info, err := os.Stat(p.outFile); err == nil && info.Size() > p.limits.MaxOutput {
				return errTooBig
			}
		case <-p.ctx.Done():
			return p.ctx.Err()
		case <-p.closing.Done():
			return errClosed
		case <-timeout.C:
			killGroup(pid, syscall.SIGTERM)
			select {
			case <-exited:
			case <-time.After(grace):
			case <-p.ctx.Done():
			}
			return errTimeout
		}
	}
}

// conclude classifies what happened.
func (p *process) conclude(state *os.ProcessState, waitErr, why error) error {
	o := &p.outcome
	o.Stderr = string(p.stderr.data)
	if state == nil {
		return fmt.Errorf("waiting for a command: %w", waitErr)
	}
	o.CPU = state.UserTime() + state.SystemTime()
	o.MaxRSS = maxRSS(state)
	output := p.stdout.data
	if p.outFile != "" {
		var err error
		if output, err = p.readFile(); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		if int64(len(output)) > p.limits.MaxOutput {
			why = errTooBig
		}
	}
	status, _ := state.Sys().(syscall.WaitStatus)
	code := state.ExitCode()
	if o.ExitCode = code; status.Signaled() {
		o.ExitCode = int(status.Signal())
	}
	switch {
	case why == errTimeout:
		o.ExitCode = -1
		o.Status, o.Detail = Timeout, fmt.Sprintf("killed after %v", p.limits.Timeout)
	case why == errTooBig || p.stdout.over:
		o.Status, o.Detail = TooBig, fmt.Sprintf("more than %d bytes of output", p.limits.MaxOutput)
	case status.Signaled():
		o.Status, o.Detail = Crash, "killed by "+signalName(status.Signal())
	case code > 128 && code <= 128+64:
		// The shell says so of a command that it waited for.
		o.Status, o.Detail = Crash, fmt.Sprintf("killed by %s (status %d of the shell)", signalName(syscall.Signal(code-128)), code)
	case code != 0:
		o.Status, o.Detail = Exit, fmt.Sprintf("exit status %d", code)
		if last := lastLine(o.Stderr); last != "" {
			o.Detail += ": " + last
		}
	case len(bytes.TrimSpace(output)) == 0:
		o.Status, o.Detail = NoOutput, "exit status 0, but no output"
	default:
		o.Output = output
	}
	return nil
}

// readFile returns the content of %O's file, up to a byte more than the limit. A
// command may have taken the file away, or put something else in its place:
// then there is no output.
func (p *process) readFile() ([]byte, error) {
	if info, err := os.Lstat(p.outFile); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	file, err := os.Open(p.outFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, p.limits.MaxOutput+1))
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// capture keeps a bounded part of a stream.
type capture struct {
	limit int64
	end   bool // keep the end, and read on; otherwise the start, and stop
	data  []byte
	over  bool
}

// fill reads r to its end. It returns true as soon as there is more than the
// start that is to be kept.
func (c *capture) fill(r io.Reader) bool {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		c.data = append(c.data, buf[:n]...)
		if int64(len(c.data)) > c.limit {
			if !c.end {
				c.data, c.over = nil, true
				return true
			}
			c.data = append(c.data[:0], c.data[int64(len(c.data))-c.limit:]...)
		}
		if err != nil {
			return false
		}
	}
}

// readEnd is our end of a pipe.
type readEnd struct {
	file  *os.File
	other *os.File // the command's end, until it has been started
	once  sync.Once
}

func pipe(to *io.Writer) (*readEnd, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	*to = w
	return &readEnd{file: r, other: w}, nil
}

func (e *readEnd) started() { e.other.Close() }

func (e *readEnd) close() {
	e.once.Do(func() {
		e.file.Close()
		e.other.Close()
	})
}
