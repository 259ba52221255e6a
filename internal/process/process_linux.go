package process

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// start starts a command in a session of its own, and returns a channel that is closed when
// it has ended. It is reaped only by reap. Before that, the system does not reuse its number.
// Its group and its session have the same number.
func (p *Process) start(path string, args []string, attr *os.ProcAttr) (<-chan struct{}, error) {
	attr.Sys = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	var err error
	begin := func() {
		running.Lock()
		defer running.Unlock() // no child is looked at before it is in calls
		running.started++
		p.order = running.started
		unmark := p.inherited()
		p.system, err = os.StartProcess(path, args, attr)
		unmark()
		if err == nil {
			running.calls[p.system.Pid] = p
			p.limit()
		}
	}
	if p.Stdin == nil {
		// The kernel sends Pdeathsig when the thread that started the command ends. Go ends no thread
		// of a goroutine that is at work, and the caller waits for a command without Stdin.
		begin()
	} else {
		done := make(chan bool)
		starter() <- func() { begin(); close(done) }
		<-done
	}
	if err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	go func() {
		p.waitExit()
		close(exited)
	}()
	return exited, nil
}

// starter returns what starts the commands that are kept alive. The kernel sends the
// death signal of a process when the thread that has started it ends, not when all of us
// do: so it is one thread that never ends. (Go ends no thread but with a goroutine that
// is locked to it; and one that has called us is here until its command has ended.)
var starter = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range starts {
			start()
		}
	}()
	return starts
})

// waitExit returns when the command has ended. With a descriptor of the process, no thread
// waits. Kernels without one get waitid.
func (p *Process) waitExit() {
	ended := func(flags int) bool {
		var info unix.Siginfo
		for {
			err := unix.Waitid(unix.P_PID, p.system.Pid, &info, unix.WEXITED|unix.WNOWAIT|flags, nil)
			if err != unix.EINTR {
				return err != nil || info.Signo != 0
			}
		}
	}
	fd, err := unix.PidfdOpen(p.system.Pid, unix.PIDFD_NONBLOCK)
	if err == nil {
		file := os.NewFile(uintptr(fd), "pidfd")
		defer file.Close()
		if raw, err := file.SyscallConn(); err == nil && raw.Read(func(uintptr) bool { return ended(unix.WNOHANG) }) == nil {
			return
		}
	}
	ended(0)
}

// inherited lowers limits of our own process, so that a command has them from its first instruction on.
// It returns a function that restores them. The caller holds the lock of running.
func (p *Process) inherited() (back func()) {
	var undo []func()
	set := func(resource int, value uint64) {
		var was unix.Rlimit
		if unix.Getrlimit(resource, &was) != nil || was.Max < value {
			return
		}
		if unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: was.Max}) == nil {
			undo = append(undo, func() { unix.Setrlimit(resource, &was) })
		}
	}
	set(unix.RLIMIT_RTTIME, p.mark()) // limits nothing: by this number, the command's processes are found
	set(unix.RLIMIT_CORE, 0)          // no core dumps
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// limit sets the limits that all processes of a command inherit, and that we can't
// have for a moment. The command has just begun to run.
func (p *Process) limit() {
	set := func(resource int, value uint64) {
		// It fails if the command has ended, or where a limit of our own is lower.
		unix.Prlimit(p.system.Pid, resource, &unix.Rlimit{Cur: value, Max: value}, nil)
	}
	if p.Limits.AddressSpace > 0 {
		set(unix.RLIMIT_AS, uint64(p.Limits.AddressSpace))
	}
	if p.Limits.OpenFiles > 0 {
		set(unix.RLIMIT_NOFILE, uint64(p.Limits.OpenFiles))
	}
	// For a command that hides from our looks; but one that is kept alive may take this
	// much for each formula.
	if p.Limits.CPU > 0 && p.Stdin == nil {
		set(unix.RLIMIT_CPU, uint64((p.Limits.CPU+time.Second-1)/time.Second)+1)
	}
}

// mark is a limit of the time that a process may take with real-time scheduling
// before it sleeps, in microseconds: so great that it limits nothing, and different
// for each process of ours. It is inherited by all that a process starts, also by
// those that leave its session and empty their environment, and hardly anybody
// changes it.
func (p *Process) mark() uint64 { return p.supervisor.mark + uint64(p.order)%maxOrder }

// reap takes the status of a command that has ended.
func (p *Process) reap() (err error) {
	running.Lock()
	defer running.Unlock()
	delete(running.calls, p.system.Pid)
	p.count()
	p.State, err = p.system.Wait()
	return err
}

// rawPipe returns the descriptors of a new pipe, which commands do not inherit.
func rawPipe() (r, w int, err error) {
	var ends [2]int
	err = unix.Pipe2(ends[:], unix.O_CLOEXEC)
	return ends[0], ends[1], err
}

// readFile is os.ReadFile for a file of /proc, with fewer system calls.
func readFile(name string) ([]byte, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	text := make([]byte, 0, 512)
	for {
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text))
		}
		n, err := unix.Read(fd, text[len(text):cap(text)])
		switch {
		case err == unix.EINTR:
			continue
		case n <= 0:
			return text, err
		}
		text = text[:len(text)+n]
	}
}
