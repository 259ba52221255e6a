package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/wholefile"
)

// A Supervisor runs commands, each on one of its Cores, in private folders. Any number of
// goroutines may use it.
type Supervisor struct {
	// Idle ends processes that are kept alive and idle, and reports whether there were some. It
	// is called where there is no room for another process or file. It may be nil.
	Idle func() bool

	cores  *Cores
	dir    string          // the temporary folder: it has one for each process
	ctx    context.Context // done when Stop is called
	cancel context.CancelFunc
	last   atomic.Int64 // number of the last process
	mark   uint64       // see Process.mark

	relieved atomic.Int64 // how often the temporary folder was found full

	// Set with the first process: a run of built-in translators needs neither.
	guard *guard
	null  *os.File // the null device
	keep  *os.File // see wholefile.Temporary: the guard may be killed, too

	mu      sync.Mutex
	folders []string // that are empty, and belong to nobody
	stopped bool
	calls   sync.WaitGroup
}

// NewSupervisor returns a Supervisor for commands on n cores (see [NewCores]). Its private temporary
// folder is in dir, or in the system's temporary folder if dir is empty.
func NewSupervisor(n int, dir string) (*Supervisor, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	// Commands may change their working folder, and still get the names of files.
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	s := &Supervisor{cores: NewCores(n), dir: filepath.Join(dir, fmt.Sprintf("xcheck-run-%016x.tmp", rand.Uint64())), mark: (1 + rand.Uint64N(8e9)) * maxOrder}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s, nil
}

// Open makes the temporary folder and starts the guard, unless that is done. New calls it.
func (s *Supervisor) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.guard != nil {
		return nil
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	guard, err := newGuard(s.dir, s.mark)
	if err != nil {
		null.Close()
		return fmt.Errorf("cannot start /bin/sh: %w", err)
	}
	// The guard is there before the folder, which is left to nobody whenever we are killed.
	if s.keep, err = wholefile.Temporary(s.dir); err != nil {
		null.Close()
		guard.close()
		return fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	supervisors.Lock()
	defer supervisors.Unlock()
	supervisors.open[s] = true
	s.null, s.guard = null, guard
	return nil
}

// Cores returns the cores that processes share with checks.
func (s *Supervisor) Cores() *Cores { return s.cores }

// Stop lets no more calls begin, makes those under way end, and waits for them. It returns
// false if it was called before.
func (s *Supervisor) Stop() bool {
	s.mu.Lock()
	stopped := s.stopped
	s.stopped = true
	s.mu.Unlock()
	if !stopped {
		s.cancel()
		s.calls.Wait()
	}
	return !stopped
}

// Close ends what is left after Stop, and removes the temporary folder. All processes have
// ended.
func (s *Supervisor) Close() error {
	if s.guard == nil {
		return nil
	}
	sweep(nil)
	s.null.Close()
	s.keep.Close()
	err := removeAll(s.dir)
	supervisors.Lock()
	delete(supervisors.open, s)
	supervisors.Unlock()
	s.guard.close()
	return err
}

// ErrClosed is the error of calls after Stop.
var ErrClosed = errors.New("the runner of translators is closed")

// Done is closed when Stop is called.
func (s *Supervisor) Done() <-chan struct{} { return s.ctx.Done() }

// Enter begins a call, when there is a core for it. If it has succeeded, call Leave.
func (s *Supervisor) Enter(ctx context.Context) error {
	if err := s.Join(); err != nil {
		return err
	}
	if err := s.Occupy(ctx); err != nil {
		s.calls.Done()
		return err
	}
	return nil
}

// Leave ends a call that Enter has begun.
func (s *Supervisor) Leave() {
	s.cores.Release(Call)
	s.calls.Done()
}

// Join begins a call without a core: Stop waits until Part is called.
func (s *Supervisor) Join() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return ErrClosed
	}
	s.calls.Add(1)
	return nil
}

// Part ends a call that Join has begun.
func (s *Supervisor) Part() { s.calls.Done() }

// Occupy takes a core, unless ctx is done or Stop is called before.
func (s *Supervisor) Occupy(ctx context.Context) error {
	ctx, end := s.Until(ctx)
	defer end()
	if s.cores.Acquire(ctx, Call) != nil {
		return context.Cause(ctx)
	}
	return nil
}

// Until returns a context that is done when ctx is, or Stop is called.
func (s *Supervisor) Until(ctx context.Context) (either context.Context, stop func()) {
	either, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(s.ctx, func() { cancel(ErrClosed) })
	return either, func() { forget(); cancel(nil) }
}

// folder returns an empty one for a process. To make one takes longer than to see that
// one is empty still, so they are used again.
func (s *Supervisor) folder() (string, error) {
	s.mu.Lock()
	if n := len(s.folders); n > 0 {
		defer s.mu.Unlock()
		name := s.folders[n-1]
		s.folders = s.folders[:n-1]
		return name, nil
	}
	s.mu.Unlock()
	name, err := os.MkdirTemp(s.dir, "")
	if err != nil {
		return "", fmt.Errorf("cannot use a temporary directory: %w", err)
	}
	return name, nil
}

// putFolder gives a folder back, or removes it with all that is in it. No process that
// knows it is left.
func (s *Supervisor) putFolder(name string) {
	if !pristine(name) {
		removeAll(name)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders = append(s.folders, name)
}

// writeFile is os.WriteFile, but for tests.
var writeFile = os.WriteFile

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// relieve finds out whether a command has filled the file system of the temporary folder: the one
// whose files take most, of all that run and of ended, which may be nil. It kills one that runs, and
// removes its files. It returns nil if there is room, or no command has much.
func (s *Supervisor) relieve(ended *Process) (worst *Process) {
	noRoom := func() bool {
		name := filepath.Join(s.dir, fmt.Sprint(rand.Uint64()))
		defer os.Remove(name)
		return diskFull(writeFile(name, make([]byte, 64<<10), 0o600))
	}
	if !noRoom() {
		return nil
	}
	running.Lock()
	defer running.Unlock()
	most := int64(1 << 20) // less fills nothing
	weigh := func(p *Process) {
		size := int64(0)
		filepath.WalkDir(p.Folder, func(_ string, entry fs.DirEntry, _ error) error {
			if entry != nil {
				size += 4 << 10 // it takes an inode, too
				if info, err := entry.Info(); err == nil {
					size += info.Size()
				}
			}
			return nil
		})
		if size > most {
			worst, most = p, size
		}
	}
	if ended != nil {
		weigh(ended)
	}
	for _, p := range running.calls {
		weigh(p)
	}
	if worst == nil || !noRoom() { // another one has removed its files meanwhile
		return nil
	}
	s.relieved.Add(1)
	worst.full.Store(true)
	if worst != ended {
		worst.signal(syscall.SIGKILL) // it has not been reaped
		removeAll(worst.Folder)
	}
	return worst
}

// Full reports whether the files of the command, which has ended, have filled the temporary folder.
func (p *Process) Full() bool {
	return p.full.Load() || !(p.State.Success() && pristine(p.Folder)) && p.supervisor.relieve(p) == p
}

// Disturbed reports whether another command has filled it meanwhile.
func (p *Process) Disturbed() bool {
	return !p.full.Load() && p.supervisor.relieved.Load() > p.relieved
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

// supervisors are those that are not closed.
var supervisors = struct {
	sync.Mutex
	open map[*Supervisor]bool
}{open: map[*Supervisor]bool{}}

// abandonTime is how long Abandon takes at most, or about so.
const abandonTime = 150 * time.Millisecond

// Abandon kills all running commands with their groups, and removes the temporary folders of
// all Supervisors. Call it before the program exits at once: no command can start afterwards, and
// Abandon waits for nothing. The guards finish what it can't do within [abandonTime].
func Abandon() {
	deadline := time.Now().Add(abandonTime)
	// The locks stay: nothing is started from now on.
	if lockBefore(&running.Mutex, deadline) {
		for _, p := range running.calls {
			p.signal(syscall.SIGKILL)
		}
	}
	if !lockBefore(&supervisors.Mutex, deadline) {
		return
	}
	var removed sync.WaitGroup
	for s := range supervisors.open {
		removed.Go(func() { removeAll(s.dir) })
	}
	done := make(chan struct{})
	go func() { removed.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Until(deadline)):
	}
}

// lockBefore locks a mutex, unless somebody else has it until the deadline.
func lockBefore(mu *sync.Mutex, deadline time.Time) bool {
	for !mu.TryLock() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// pristine reports whether a folder is as it was made.
func pristine(name string) bool {
	var info syscall.Stat_t
	if syscall.Lstat(name, &info) != nil || info.Mode != syscall.S_IFDIR|0o700 {
		return false
	}
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer syscall.Close(fd)
	// As os.ReadDir, with fewer system calls.
	var list [512]byte
	for {
		n, err := syscall.ReadDirent(fd, list[:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err == nil
		}
		if _, names, _ := syscall.ParseDirent(list[:n], 1, nil); names > 0 {
			return false
		}
	}
}
