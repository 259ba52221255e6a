package translators

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// An Outcome is the result of running a command.
type Outcome struct {
	Status  outcome.Status
	Detail  string // of a failure, in a line
	Command string // a line for a shell that runs the same
	// Ran is the line that was run by a tool in mode Spawn. The names of its files start with lcr-,
	// and not with the folder, which is gone.
	Ran string
	// ExitCode is the exit status, or the signal number if the command was killed. It is -1
	// after a timeout, and for a command line that is too long.
	ExitCode int
	Output   []byte // of a command that has not failed
	// Stderr is what the command wrote on standard error. It may contain control characters.
	// For a long text, it has the start and the end, with … on a line between them.
	Stderr string
	said   string // on standard output, by a command that failed; as Stderr
	// Wall is the time from start to end, or from question to answer. CPU is the CPU time in
	// it, of the command and of all processes that it left or waited for.
	Wall, CPU time.Duration
	// MaxRSS is the largest sampled memory of all processes together, in bytes, or 0 if
	// unknown. At the end, the kernel reports the maximum of a process. But it includes the
	// memory of xcheck at the time of the start.
	MaxRSS int64
}

const filled = "its files in TMPDIR filled the disk"

func (o *Outcome) fail(status outcome.Status, detail string) { o.Status, o.Detail = status, detail }

// conclude classifies how a process has ended, that was ended for the reason why
// (nil: by itself). An empty output is a failure; fault says how it came to that.
func (o *Outcome) conclude(limits Limits, state *os.ProcessState, output []byte, why, fault error) {
	status, _ := state.Sys().(syscall.WaitStatus)
	code := state.ExitCode()
	if o.ExitCode = code; status.Signaled() {
		o.ExitCode = int(status.Signal())
	}
	// Our own reason goes first: the signal is then ours, too.
	switch {
	case why == process.ErrTimeout:
		o.ExitCode = -1
		o.Status, o.Detail = outcome.Timeout, fmt.Sprintf("killed after %v", limits.Timeout)
	case why == process.ErrTooBig:
		o.Status, o.Detail = outcome.TooBig, "more than "+size(limits.MaxOutput)+" of output"
	case why == process.ErrFull:
		o.Status, o.Detail = outcome.TooBig, filled
	case why == process.ErrMemory:
		o.Status, o.Detail = outcome.Memory, "more than "+size(limits.Memory)+" of memory"
	case why == process.ErrCPU || limits.CPU > 0 && status.Signaled() && status.Signal() == syscall.SIGXCPU: // the system's own limit
		o.Status, o.Detail = outcome.CPUTime, fmt.Sprintf("more than %v of CPU time", limits.CPU)
	case status.Signaled():
		o.Status, o.Detail = outcome.Crash, "killed by "+SignalName(int(status.Signal()))
	case fatal[syscall.Signal(code-128)]:
		// The shell says so of a command that it waited for.
		signal := syscall.Signal(code - 128)
		o.ExitCode = int(signal)
		o.Status, o.Detail = outcome.Crash, fmt.Sprintf("killed by %s (exit status %d of the shell)", SignalName(o.ExitCode), code)
	case code != 0:
		o.Status, o.Detail = outcome.Exit, fmt.Sprintf("exit status %d", code)
		if text := o.reason(); text != "" {
			o.Detail += ": " + text
		}
	case len(bytes.TrimSpace(output)) == 0:
		o.Status, o.Detail = outcome.NoOutput, "exit status 0, but "+fault.Error()
	default:
		o.Status, o.Output = outcome.OK, output
	}
}

// size writes a limit as a person would.
func size(bytes int64) string {
	if bytes >= 1<<20 && bytes%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

var errNoOutput = errors.New("no output")

// notStarted returns the outcome of a command that the system did not start, if that
// is the formula's fault.
func notStarted(err error) (o Outcome, ok bool) {
	switch {
	case errors.Is(err, syscall.E2BIG):
		return Outcome{Status: outcome.TooLong, Detail: "the formula is too long for a command line: use a file (%F %S %L %W)", ExitCode: -1}, true
	case errors.Is(err, syscall.EINVAL):
		return Outcome{Status: outcome.Skipped, Detail: "the formula has a NUL character, which a command line cannot contain: use a file (%F %S %L %W)"}, true
	}
	return o, false
}

// fatal are the signals of programs that crash or are killed. Other statuses above
// 128 may well be what a program has chosen to end with.
var fatal = map[syscall.Signal]bool{
	syscall.SIGILL: true, syscall.SIGTRAP: true, syscall.SIGABRT: true, syscall.SIGBUS: true, syscall.SIGFPE: true,
	syscall.SIGKILL: true, syscall.SIGSEGV: true, syscall.SIGPIPE: true, syscall.SIGTERM: true, syscall.SIGXCPU: true,
	syscall.SIGXFSZ: true, syscall.SIGSYS: true,
}

// SignalName returns the name of a signal, such as SIGSEGV.
func SignalName(number int) string {
	s := syscall.Signal(number)
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return "signal " + strconv.Itoa(number)
}
