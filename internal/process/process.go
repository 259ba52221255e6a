// Package process runs commands of a shell so that nothing of them is left when they have ended:
// no process, no file, no open pipe.
//
//	s, err := process.NewSupervisor(4, "")
//	p, err := s.New(process.Limits{Timeout: time.Minute, MaxOutput: 1 << 20}, nil, false)
//	p.Command.Line = "spin -f '[]<>p'"
//	err = p.Launch(ctx, "")
//	why := p.Wait(ctx, "") // nil, or a limit that it has reached
//	err = p.End()
//	fmt.Println(p.State, p.Stdout.Data)
//	p.ClosePipes()
//	p.Remove()
//
// A [Supervisor] has a private folder, a guard that outlives the program if that is killed, and
// [Cores], which say how many commands may compute at the same time. A [Process] is a command with
// all that it starts. It has a session and a process group of its own. Its group is killed before
// it is reaped.
//
// Processes that leave their group are found only after [AdoptOrphans], and only on Linux: by
// their session, by an inherited resource limit, or by an environment variable.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// callVariable is in the environment of every command, and so of every process
// that it starts: it says to which call a process belongs that has left its
// group.
const callVariable = "XCHECK_CALL"

// Grace is the time between SIGTERM and SIGKILL.
const Grace = 200 * time.Millisecond

// Limits limit a command. Zero means no limit, but for Timeout and MaxOutput.
type Limits struct {
	Timeout              time.Duration // from the start to the end
	CPU                  time.Duration // of all its processes together
	MaxOutput            int64         // bytes on standard output, or in the file for it
	Memory, AddressSpace int64         // resident bytes of all processes together; mapped ones of each
	OpenFiles            int           // of each process
}

// A Command is what is run.
type Command struct {
	Line string   // for a shell
	Args []string // the same without a shell; nil if it takes one
}

// A Process is a command that runs, in a session and a group of its own, with all
// that it starts.
type Process struct {
	Command Command
	Limits  Limits
	Folder  string // its private folder: TMPDIR, and its files

	Started time.Time
	Exited  <-chan struct{}  // closed when the command has ended; it is not reaped then
	State   *os.ProcessState // when it has been reaped
	Stdin   *os.File         // our end, of a process that is kept alive
	Stdout  *Pipe
	Stderr  *Pipe

	CPU  time.Duration // of what has been reaped
	Base time.Duration // CPU time that does not count: of earlier questions
	Peak int64         // resident bytes of all together, as far as seen

	supervisor *Supervisor
	id         string // among all that run on the machine
	order      int    // in which all have been started
	files      []string
	env        []string
	system     *os.Process // the command, as the system knows it
	orphans    struct {    // that were reaped and are not counted in CPU and Peak yet; for Linux, see running
		cpu  time.Duration
		peak int64
	}
	reading  bool        // the pipes are read
	full     atomic.Bool // its files fill the temporary folder, so it was killed
	relieved int64       // as of the supervisor, when it was made
	readers  sync.WaitGroup
}

// Reasons to end a command.
var (
	ErrTimeout = errors.New("timeout")
	ErrTooBig  = errors.New("too big")
	ErrMemory  = errors.New("memory")
	ErrCPU     = errors.New("CPU time")
	ErrFull    = errors.New("TMPDIR is full") // and its files take most
)

// MaxStderr is how much of the end of standard error is kept, and half as much of its
// start: the message of a program that fails is above its stack trace in some languages,
// and below it in others.
const MaxStderr = 8 << 10

// New makes a process with a private folder, which Remove removes. It has the environment of
// this program and the variables in env; see [Environment].
func (s *Supervisor) New(limits Limits, env []string, clean bool) (*Process, error) {
	if err := s.Open(); err != nil {
		return nil, err
	}
	p := &Process{supervisor: s, Limits: limits, relieved: s.relieved.Load()}
	p.id = fmt.Sprintf("%s/%d", filepath.Base(s.dir), s.last.Add(1))
	var err error
	// It lasts only while there is no room, which is about a second at most.
	err = s.patiently(context.Background(), func() error { p.Folder, err = s.folder(); return err })
	if err != nil {
		return nil, err
	}
	own := []string{callVariable + "=" + p.id, "TMPDIR=" + p.Folder}
	p.env = Environment(append(own, env...), clean)
	return p, nil
}

// WriteFile makes a file for the command, which Remove removes.
func (p *Process) WriteFile(name, text string) error {
	p.files = append(p.files, name)
	write := func() error { return writeFile(name, []byte(text), 0o600) }
	if err := p.supervisor.patiently(context.Background(), write); err != nil {
		return fmt.Errorf("cannot use a temporary file: %w", err)
	}
	return nil
}

// Environment returns the environment of this program with the variables in add. If clean is
// set, only variables that every program needs are taken from this program. If a name occurs
// twice, the last one counts.
func Environment(add []string, clean bool) []string {
	env := os.Environ()
	if clean {
		env = slices.DeleteFunc(env, func(v string) bool {
			return !strings.HasPrefix(v, "PATH=") && !strings.HasPrefix(v, "HOME=") && !strings.HasPrefix(v, "LANG=")
		})
	}
	return (&exec.Cmd{Env: append(env, add...)}).Environ()
}

// Launch starts the command, with its standard input from a file, or from a pipe
// if stdin is "-", and then begins to read its standard error.
func (p *Process) Launch(ctx context.Context, stdin string) error {
	return p.supervisor.patiently(ctx, func() error { return p.tryLaunch(stdin) })
}

// patiently calls what needs room for another process or file. Where there is none, it ends processes
// that are kept alive and idle, or have filled the temporary folder, and tries again for about a
// second: others are about to end.
func (s *Supervisor) patiently(ctx context.Context, try func() error) error {
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		err := try()
		switch {
		case diskFull(err) && s.relieve(nil) != nil:
			pause = 5 * time.Millisecond // one less fills it, but the end of its processes takes a moment
		case !full(err) && !diskFull(err) || pause > time.Second/2:
			return err
		case s.Idle != nil && s.Idle():
			continue
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		case <-s.Done():
			return ErrClosed
		}
	}
}

// running are the commands that have been started and not been reaped, by the process numbers of
// the system.
var running = struct {
	sync.Mutex
	calls map[int]*Process
	// started counts the calls. strays are orphans that may belong to any of the calls that
	// were running when they were first seen, with the count at that time. They are for Linux.
	started int
	strays  map[int]int
}{calls: map[int]*Process{}, strays: map[int]int{}}

// full reports whether an error says that there is no room for another process or file.
func full(err error) bool {
	return slices.ContainsFunc([]error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE,
		syscall.EBADF, // the new process can't move its files to numbers that are free
	}, func(number error) bool { return errors.Is(err, number) })
}

func (p *Process) tryLaunch(stdin string) (err error) {
	var theirs []*os.File // what only the command is to have
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			p.ClosePipes()
		}
	}()
	if p.Stdout, err = newPipe(int(p.Limits.MaxOutput), false); err != nil {
		return err
	}
	theirs = append(theirs, p.Stdout.write)
	if p.Stderr, err = newPipe(MaxStderr, true); err != nil {
		return err
	}
	theirs = append(theirs, p.Stderr.write)
	var in *os.File
	switch stdin {
	case "":
	case "-":
		if in, p.Stdin, err = os.Pipe(); err != nil {
			return fmt.Errorf("pipe: %w", err)
		}
		theirs = append(theirs, in)
	default:
		if in, err = os.Open(stdin); err != nil {
			return fmt.Errorf("cannot use a temporary file: %w", err)
		}
		theirs = append(theirs, in)
	}
	err = p.exec(in, p.Stdout.write, p.Stderr.write)
	if err == nil && p.Stdin != nil {
		p.reading = true
		p.readers.Go(func() { p.Stderr.fill() })
	}
	return err
}

// read begins to read what the command prints. It closes tooBig if that is too much.
func (p *Process) read(tooBig chan<- struct{}) {
	if p.reading {
		return
	}
	p.reading = true
	p.readers.Go(func() { p.Stderr.fill() })
	p.readers.Go(func() {
		if p.Stdout.fill() {
			close(tooBig)
		}
	})
}

// exec starts the program itself where no shell is needed. If that fails, the shell
// says why in its own words, or knows what to do: a file that the system does not take
// for a program may be a script without a first line.
func (p *Process) exec(stdin, stdout, stderr *os.File) error {
	files := [3]*os.File{stdin, stdout, stderr}
	if p.Command.Args != nil {
		if path := LookPath(p.Command.Args[0], p.env); path != "" {
			err := p.begin(path, p.Command.Args, files)
			if err == nil || !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.ENOEXEC) {
				return err
			}
		}
	}
	return p.begin("/bin/sh", []string{"/bin/sh", "-c", p.Command.Line}, files)
}

// begin starts a program. Its standard input is the null device if it is nil.
func (p *Process) begin(path string, args []string, files [3]*os.File) (err error) {
	if files[0] == nil {
		files[0] = p.supervisor.null
	}
	p.Started = time.Now()
	p.Exited, err = p.start(path, args, &os.ProcAttr{Env: p.env, Files: files[:]})
	return err
}

// signal sends a signal to all processes of the command's group, whose number is the command's.
func (p *Process) signal(signal syscall.Signal) { syscall.Kill(-p.system.Pid, signal) }

// Terminate gives the command some time to end by itself.
func (p *Process) Terminate(ctx context.Context) {
	p.signal(syscall.SIGTERM)
	select {
	case <-p.Exited:
	case <-time.After(Grace):
	case <-ctx.Done():
	case <-p.supervisor.Done():
	}
}

// End kills what still runs, reaps all of it, and completes the pipes. The private
// folder stays. The error is an internal one.
func (p *Process) End() error {
	// The first signal ends the command, the second all that is left. It is not reaped yet, so the
	// number of the group is still its own.
	p.signal(syscall.SIGKILL)
	<-p.Exited
	p.signal(syscall.SIGKILL)
	sweep(p)
	err := p.reap()
	// Whoever could still write is dead, or has escaped: then what it writes from
	// now on is nobody's output.
	timer := time.AfterFunc(Grace, func() { p.Stdout.expire(); p.Stderr.expire() })
	if !p.reading {
		p.Stdout.fill()
		p.Stderr.fill()
	}
	p.readers.Wait()
	timer.Stop()
	if err != nil {
		return fmt.Errorf("cannot wait for the command: %w", err)
	}
	p.CPU += p.State.UserTime() + p.State.SystemTime()
	p.Peak = max(p.Peak, maxRSS(p.State))
	return nil
}

// ClosePipes closes our ends.
func (p *Process) ClosePipes() {
	if p.Stdin != nil {
		p.Stdin.Close()
	}
	for _, s := range []*Pipe{p.Stdout, p.Stderr} {
		if s != nil {
			s.close()
		}
	}
}

// Remove removes our own files, and what the command has left in its private folder.
func (p *Process) Remove() {
	for _, name := range p.files {
		os.Remove(name)
	}
	p.supervisor.putFolder(p.Folder)
	if p.full.Load() {
		p.supervisor.relieved.Add(1) // there was no room until now
	}
}

// A mark begins with the digits of the Runner and ends with the digits of the process; see
// process.mark.
const maxOrder = 1e9

// Wait reads what the command prints, and returns when it has ended or is to be ended: nil if
// it ended by itself, otherwise the reason. outFile is the file for its output, "" if that is
// printed. Call End after it.
func (p *Process) Wait(ctx context.Context, outFile string) error {
	tooBig := make(chan struct{})
	timeout := time.NewTimer(p.Limits.Timeout)
	defer timeout.Stop()
	look := time.NewTimer(FirstLook)
	defer look.Stop()
	for pause := FirstLook; ; {
		select {
		case <-p.Exited:
			return nil
		case <-tooBig:
			return ErrTooBig
		case <-look.C:
			p.read(tooBig)
			if outFile != "" {
				if info, err := os.Stat(outFile); err == nil && info.Size() > p.Limits.MaxOutput {
					return ErrTooBig
				}
			}
			if err := p.Over(time.Since(p.Started) > LongLook); err != nil {
				return err
			}
			pause = min(2*pause, LastLook)
			look.Reset(pause)
		case <-ctx.Done():
			return ctx.Err()
		case <-p.supervisor.Done():
			return ErrClosed
		case <-timeout.C:
			p.read(tooBig)
			p.Terminate(ctx)
			return ErrTimeout
		}
	}
}

// Over looks at what the processes take, and returns the limit that they exceed,
// if any; all of them, or only the command itself. To look at all takes long: for the
// kernel too, which does not forget soon what it has shown of threads.
func (p *Process) Over(all bool) error {
	bytes, cpu := resident(p.system.Pid), p.Clock()
	if all {
		bytes, cpu = p.Sample()
	}
	p.Peak = max(p.Peak, bytes)
	switch {
	case p.Limits.Memory > 0 && bytes > p.Limits.Memory:
		return ErrMemory
	case p.Limits.CPU > 0 && cpu-p.Base > p.Limits.CPU:
		return ErrCPU
	}
	return nil
}

// Times between looks at what processes take: each is twice the one before. From
// LongLook on, all are looked at.
const (
	FirstLook = 20 * time.Millisecond
	LastLook  = 80 * time.Millisecond
	LongLook  = 100 * time.Millisecond
)
