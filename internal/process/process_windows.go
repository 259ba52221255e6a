package process

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is a job: it has the command and all that it starts, and nobody can leave it. When its
// last handle is closed, as it is when we are killed, Windows ends them all.
type group struct{ job windows.Handle }

var resumeProcess = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// start starts a command in a job of its own, and returns a channel that is closed when it has
// ended and has been waited for. The command does nothing before it is in the job.
func (p *Process) start(path string, args []string, attr *os.ProcAttr) (_ <-chan struct{}, err error) {
	job, err := newJob()
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	attr.Sys = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP}
	if p.system, err = os.StartProcess(path, args, attr); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	var failed error
	err = p.system.WithHandle(func(handle uintptr) {
		if failed = windows.AssignProcessToJobObject(job, windows.Handle(handle)); failed != nil {
			return
		}
		if status, _, _ := resumeProcess.Call(handle); status != 0 {
			failed = windows.NTStatus(status)
		}
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		p.system.Kill()
		p.system.Wait()
		windows.CloseHandle(job)
		return nil, fmt.Errorf("job: %w", err)
	}
	running.Lock()
	p.group.job = job
	running.calls[p.system.Pid] = p
	running.Unlock()
	exited := make(chan struct{})
	go func() {
		p.State, _ = p.system.Wait()
		close(exited)
	}()
	return exited, nil
}

// newJob returns a job whose processes end with its last handle.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	// Without the second, a command that crashes may wait for somebody to close a window.
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// signal ends all processes of the job, whatever the signal: Windows has none that asks a program
// to end.
func (p *Process) signal(syscall.Signal) { windows.TerminateJobObject(p.group.job, 1) }

// reap takes the status of a command that has ended, which start has done already.
func (p *Process) reap() error {
	running.Lock()
	delete(running.calls, p.system.Pid)
	windows.CloseHandle(p.group.job)
	running.Unlock()
	if p.State == nil {
		return syscall.ECHILD
	}
	return nil
}

// maxRSS returns 0: the memory is not known.
func maxRSS(*os.ProcessState) int64 { return 0 }

// A guard does nothing: Windows ends the jobs when we are killed. The temporary folder stays then.
type guard struct{}

func newGuard(string, uint64) (*guard, error) { return &guard{}, nil }

func (*guard) close() {}

// pristine reports whether a folder is as it was made.
func pristine(name string) bool {
	list, err := os.ReadDir(name)
	return err == nil && len(list) == 0
}
