package translators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
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
	TooLong            // it was not run: its command line would be too long
	Skipped            // it was not run: it can't be given the formula
	Aborted            // it gave up on the automaton (--ABORT--)
	Memory             // it took more memory than the limit, and was killed
	CPUTime            // it took more CPU time than the limit, and was killed
)

var statusNames = [...]string{"ok", "timeout", "crash", "exit", "no-output", "syntax", "unsupported", "too-big", "too-long", "skipped",
	"aborted", "memory", "cpu-time"}

// String returns the name that reports use.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

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
	Status  Status
	Detail  string // of a failure, in a line
	Command string // the line that was run
	// ExitCode is the exit status; the number of the signal if the command was
	// killed; -1 after a timeout, and for a command line that is too long.
	ExitCode int
	Output   []byte // of a command that has not failed
	// Stderr is the end of standard error, as the command wrote it: it may have
	// control characters.
	Stderr string
	// Wall is the time from the start to the end, CPU what was spent by the command
	// and all processes that it has left or waited for.
	Wall, CPU time.Duration
	// MaxRSS is the memory of the largest process, in bytes, or 0 if that is not
	// known: Linux counts the memory that xcheck had when it started the command as
	// the command's, so that only more than that can be seen.
	MaxRSS int64
}

// process is one call.
type process struct {
	ctx, closing context.Context
	limits       Limits
	id           string   // of this call, among all that run on the machine
	number       int      // of this call, in the order in which they were started
	env          []string // all of it
	outFile      string   // of %O, or ""
	outcome      Outcome
}

// run starts the command, waits for its end or for a reason to end it, and says
// what came of it.
func (p *process) run() error {
	stdout, err := newStream(int(p.limits.MaxOutput), false)
	if err != nil {
		return err
	}
	defer stdout.close()
	stderr, err := newStream(maxStderr, true)
	if err != nil {
		return err
	}
	defer stderr.close()
	start := time.Now()
	cmd, exited, err := p.launch(stdout.write, stderr.write)
	switch {
	case errors.Is(err, syscall.E2BIG):
		p.outcome = Outcome{Status: TooLong, Detail: "the formula is too long for a command line: use a file (%F %S %L %W)", ExitCode: -1}
		return nil
	case errors.Is(err, syscall.EINVAL):
		p.outcome = Outcome{Status: Skipped, Detail: "the formula has a character that no command line can have (NUL): use a file (%F %S %L %W)"}
		return nil
	}
	if err != nil {
		return fmt.Errorf("can't start a command: %w", err)
	}
	// Now only the command has the other ends: when all that have them are dead,
	// the streams end.
	stdout.write.Close()
	stderr.write.Close()
	tooBig := make(chan struct{})
	var readers sync.WaitGroup
	readers.Go(func() {
		if stdout.fill() {
			close(tooBig)
		}
	})
	readers.Go(func() { stderr.fill() })

	why := p.wait(cmd.Process.Pid, exited, tooBig)
	p.outcome.Wall = time.Since(start)
	sweep(p)
	err = p.reap(cmd)
	// Whoever could still write is dead, or has escaped: then what it writes from
	// now on is nobody's output.
	timer := time.AfterFunc(grace, func() { stdout.expire(); stderr.expire() })
	readers.Wait()
	timer.Stop()
	switch {
	case why == errClosed:
		return why
	case why != nil && p.ctx.Err() != nil:
		return p.ctx.Err()
	case err != nil:
		return fmt.Errorf("waiting for a command: %w", err)
	}
	if stdout.over && why == nil {
		why = errTooBig
	}
	p.outcome.Stderr = stderr.end()
	return p.conclude(cmd.ProcessState, stdout.data, why)
}

// launch starts the command. Where there is no room for another process, it tries
// again for about a second: others are about to end.
func (p *process) launch(stdout, stderr *os.File) (cmd *exec.Cmd, exited <-chan struct{}, err error) {
	line := p.outcome.Command
	if simple(line) {
		// Many shells would fork, and wait. This way the command is our own child:
		// signals hit it, and its own end is what we see.
		line = "exec " + line
	}
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		cmd = exec.Command("/bin/sh", "-c", line)
		cmd.Env, cmd.Stdout, cmd.Stderr = p.env, stdout, stderr
		exited, err = p.start(cmd)
		full := errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOMEM)
		if !full || pause > time.Second/2 {
			return cmd, exited, err
		}
		select {
		case <-time.After(pause):
		case <-p.ctx.Done():
			return nil, nil, p.ctx.Err()
		case <-p.closing.Done():
			return nil, nil, errClosed
		}
	}
}

// Reasons to end a command.
var (
	errTimeout = errors.New("timeout")
	errTooBig  = errors.New("too big")
)

// wait returns when the command has ended and all of its group has got SIGKILL:
// nil if it ended by itself, otherwise the reason why it was ended.
func (p *process) wait(pid int, exited, tooBig <-chan struct{}) (why error) {
	// The command is not reaped yet, and so the number of the group is still its
	// own. The first signal ends the command, the second all that is left.
	defer func() {
		killGroup(pid, syscall.SIGKILL)
		<-exited
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
			case <-p.closing.Done():
			}
			return errTimeout
		}
	}
}

// fatal are the signals of programs that crash or are killed. Other statuses above
// 128 may well be what a program has chosen to end with.
var fatal = map[syscall.Signal]bool{
	syscall.SIGILL: true, syscall.SIGTRAP: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGFPE: true,
	syscall.SIGKILL: true, syscall.SIGSEGV: true, syscall.SIGPIPE: true, syscall.SIGTERM: true, syscall.SIGXCPU: true,
	syscall.SIGXFSZ: true, syscall.SIGSYS: true,
}

// conclude classifies what happened.
func (p *process) conclude(state *os.ProcessState, output []byte, why error) error {
	o := &p.outcome
	o.CPU += state.UserTime() + state.SystemTime()
	o.MaxRSS = max(o.MaxRSS, maxRSS(state))
	fault := errors.New("no output")
	if p.outFile != "" {
		var broken, err error
		if output, broken, err = readOutput(p.outFile, p.limits.MaxOutput); err != nil {
			return fmt.Errorf("temporary file: %w", err)
		}
		if broken != nil {
			fault = broken
		}
		if int64(len(output)) > p.limits.MaxOutput && why == nil {
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
	case why == errTooBig:
		o.Status, o.Detail = TooBig, fmt.Sprintf("more than %d bytes of output", p.limits.MaxOutput)
	case status.Signaled():
		o.Status, o.Detail = Crash, "killed by "+signalName(status.Signal())
	case fatal[syscall.Signal(code-128)]:
		// The shell says so of a command that it waited for.
		signal := syscall.Signal(code - 128)
		o.ExitCode = int(signal)
		o.Status, o.Detail = Crash, fmt.Sprintf("killed by %s (status %d of the shell)", signalName(signal), code)
	case code != 0:
		o.Status, o.Detail = Exit, fmt.Sprintf("exit status %d", code)
		if text := reason(o.Stderr); text != "" {
			o.Detail += ": " + text
		}
	case len(bytes.TrimSpace(output)) == 0:
		o.Status, o.Detail = NoOutput, "exit status 0, but "+fault.Error()
	default:
		o.Output = output
	}
	return nil
}
