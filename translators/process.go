package translators

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// callVariable is in the environment of every command, and so of every process
// that it starts: it says to which call a process belongs that has left its
// group.
const callVariable = "XCHECK_CALL"

// grace is the time between SIGTERM and SIGKILL.
const grace = 200 * time.Millisecond

// A process is a command that runs, in a session and a group of its own, with all
// that it starts.
type process struct {
	runner *Runner
	id     string // among all that run on the machine
	order  int    // in which all have been started
	folder string // its private folder: TMPDIR, and the files of placeholders
	files  []string
	env    []string
	limits Limits
	line   string   // what is run, as for a shell
	args   []string // the same without a shell; nil if it takes one
	// redirects are of args.
	redirects []redirect

	system  *os.Process      // the command, as the system knows it
	state   *os.ProcessState // when it has been reaped
	started time.Time
	exited  <-chan struct{} // closed when the command has ended; it is not reaped then
	stdin   *os.File        // our end, of a kept-alive process
	stdout  *pipe
	stderr  *pipe
	readers sync.WaitGroup

	cpu  time.Duration // of what has been reaped
	base time.Duration // CPU time that does not count: of earlier questions
	peak int64         // resident bytes of all together, as far as seen
}

// Reasons to end a command.
var (
	errTimeout = errors.New("timeout")
	errTooBig  = errors.New("too big")
	errMemory  = errors.New("memory")
	errCPU     = errors.New("CPU time")
)

// newProcess makes a process with a private folder, which end removes.
func (r *Runner) newProcess(limits Limits, env []string, clean bool) (*process, error) {
	p := &process{runner: r, limits: limits.withDefaults()}
	p.id = fmt.Sprintf("%s/%d", filepath.Base(r.dir), r.last.Add(1))
	var err error
	if p.folder, err = r.folder(); err != nil {
		return nil, err
	}
	p.env = environment(append([]string{callVariable + "=" + p.id, "TMPDIR=" + p.folder}, env...), clean)
	return p, nil
}

// environment returns that of this program, or the part of it that no program can
// do without, with the variables in add, of which the last of a name counts.
func environment(add []string, clean bool) []string {
	inherited := os.Environ()
	if clean {
		inherited = slices.DeleteFunc(inherited, func(v string) bool {
			return !slices.ContainsFunc([]string{"PATH=", "HOME=", "LANG="}, func(name string) bool { return strings.HasPrefix(v, name) })
		})
	}
	env := make([]string, 0, len(add)+len(inherited))
	for _, list := range [][]string{add, inherited} {
	next:
		for _, v := range slices.Backward(list) {
			name, _, _ := strings.Cut(v, "=")
			for _, own := range env[:min(len(env), len(add))] {
				if len(own) > len(name) && own[len(name)] == '=' && strings.HasPrefix(own, name) {
					continue next
				}
			}
			env = append(env, v)
		}
	}
	return env
}

// launch starts the command, with its standard input from a file, or from a pipe
// if stdin is "-", and begins to read its standard error. Where there is no room
// for another process or file, it ends those that are kept alive and idle, and tries
// again for about a second: others are about to end.
func (p *process) launch(ctx context.Context, stdin string) error {
	for pause := 10 * time.Millisecond; ; pause *= 2 {
		err := p.tryLaunch(stdin)
		if !full(err) || pause > time.Second/2 {
			return err
		}
		if p.runner.endIdle() {
			continue
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		case <-p.runner.ctx.Done():
			return errClosed
		}
	}
}

// full reports whether an error says that there is no room for another process or file.
func full(err error) bool {
	return slices.ContainsFunc([]error{syscall.EAGAIN, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE,
		syscall.EBADF, // the new process can't move its files to numbers that are free
	}, func(number error) bool { return errors.Is(err, number) })
}

func (p *process) tryLaunch(stdin string) (err error) {
	var theirs []*os.File // what only the command is to have
	defer func() {
		closeAll(theirs)
		if err != nil {
			p.closePipes()
		}
	}()
	if p.stdout, err = newPipe(int(p.limits.MaxOutput), false); err != nil {
		return err
	}
	theirs = append(theirs, p.stdout.write)
	if p.stderr, err = newPipe(maxStderr, true); err != nil {
		return err
	}
	theirs = append(theirs, p.stderr.write)
	var in *os.File
	switch stdin {
	case "":
	case "-":
		if in, p.stdin, err = os.Pipe(); err != nil {
			return fmt.Errorf("pipe: %w", err)
		}
		theirs = append(theirs, in)
	default:
		if in, err = os.Open(stdin); err != nil {
			return fmt.Errorf("cannot use a temporary file: %w", err)
		}
		theirs = append(theirs, in)
	}
	err = p.exec(in, p.stdout.write, p.stderr.write)
	if err != nil {
		return err
	}
	p.readers.Go(func() { p.stderr.fill() })
	return nil
}

// exec starts the program itself where no shell is needed. If that fails, the shell
// says why in its own words, or knows what to do: a file that the system does not take
// for a program may be a script without a first line.
func (p *process) exec(stdin, stdout, stderr *os.File) error {
	if p.args != nil {
		files := [3]*os.File{stdin, stdout, stderr}
		opened, err := open(p.redirects, &files)
		if path := lookPath(p.args[0], p.env); err == nil && path != "" {
			err = p.begin(path, p.args, files)
			if err == nil || !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) && !errors.Is(err, syscall.ENOEXEC) {
				closeAll(opened)
				return err
			}
		}
		closeAll(opened)
	}
	line := p.line
	if simple(line) {
		// Many shells would fork, and wait. This way the command is our own child:
		// signals hit it, and its own end is what we see.
		line = "exec " + line
	}
	return p.begin("/bin/sh", []string{"/bin/sh", "-c", line}, [3]*os.File{stdin, stdout, stderr})
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// begin starts a program. Its standard input is the null device if it is nil.
func (p *process) begin(path string, args []string, files [3]*os.File) (err error) {
	if files[0] == nil {
		files[0] = p.runner.null
	}
	p.started = time.Now()
	p.exited, err = p.start(path, args, &os.ProcAttr{Env: p.env, Files: files[:]})
	return err
}

// kill ends the command and its group. It is not reaped yet, and so the number of
// the group is still its own. The first signal ends the command, the second all
// that is left.
func (p *process) kill() {
	killGroup(p.system.Pid, syscall.SIGKILL)
	<-p.exited
	killGroup(p.system.Pid, syscall.SIGKILL)
}

// terminate gives the command some time to end by itself.
func (p *process) terminate(ctx context.Context) {
	killGroup(p.system.Pid, syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(grace):
	case <-ctx.Done():
	case <-p.runner.ctx.Done():
	}
}

// end kills what still runs, reaps all of it, and completes the pipes. The private
// folder stays. The error is an internal one.
func (p *process) end() error {
	p.kill()
	sweep(p)
	err := p.reap()
	// Whoever could still write is dead, or has escaped: then what it writes from
	// now on is nobody's output.
	timer := time.AfterFunc(grace, func() { p.stdout.expire(); p.stderr.expire() })
	p.readers.Wait()
	timer.Stop()
	if err != nil {
		return fmt.Errorf("cannot wait for the command: %w", err)
	}
	p.cpu += p.state.UserTime() + p.state.SystemTime()
	p.peak = max(p.peak, maxRSS(p.state))
	return nil
}

func (p *process) closePipes() {
	if p.stdin != nil {
		p.stdin.Close()
	}
	for _, s := range []*pipe{p.stdout, p.stderr} {
		if s != nil {
			s.close()
		}
	}
}

// remove removes our own files, and what the command has left in its private folder.
func (p *process) remove() {
	for _, name := range p.files {
		os.Remove(name)
	}
	p.runner.putFolder(p.folder)
}

// over looks at what the processes take, and returns the limit that they exceed,
// if any; all of them, or only the command itself. To look at all takes long: for the
// kernel too, which does not forget soon what it has shown of threads.
func (p *process) over(all bool) error {
	bytes, cpu := resident(p.system.Pid), p.clock()
	if all {
		bytes, cpu = p.sample()
	}
	p.peak = max(p.peak, bytes)
	switch {
	case p.limits.Memory > 0 && bytes > p.limits.Memory:
		return errMemory
	case p.limits.CPU > 0 && cpu-p.base > p.limits.CPU:
		return errCPU
	}
	return nil
}

// Times between looks at what processes take: each is twice the one before. From
// longLook on, all are looked at.
const (
	firstLook = 20 * time.Millisecond
	lastLook  = 80 * time.Millisecond
	longLook  = 100 * time.Millisecond
)

// The first digits of a mark are the Runner's, the last those of the process; see
// process.mark.
const maxOrder = 1e9

func newMark() uint64 { return (1 + rand.Uint64N(8e9)) * maxOrder }
