package process

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A pipeEnd is our end of a pipe. Its reads end at their deadline: for that, Windows needs pipes
// that have names.
type pipeEnd struct{ end *os.File }

var closedEnd = pipeEnd{}

// newPipeEnds returns our end and the command's end of a new pipe.
func newPipeEnds() (pipeEnd, *os.File, error) {
	ours, theirs, err := namedPipe(windows.PIPE_ACCESS_INBOUND, windows.GENERIC_WRITE)
	return pipeEnd{ours}, theirs, err
}

// newStdin returns a pipe for the standard input of a command: the command's end, and ours.
func newStdin() (theirs, ours *os.File, err error) {
	ours, theirs, err = namedPipe(windows.PIPE_ACCESS_OUTBOUND, windows.GENERIC_READ)
	return theirs, ours, err
}

// namedPipe makes a pipe. The flags say what we and the command do with it.
func namedPipe(ours, theirs uint32) (our, their *os.File, err error) {
	const size = 64 << 10
	name := fmt.Sprintf(`\\.\pipe\xcheck-%d-%016x`, os.Getpid(), rand.Uint64())
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, nil, err
	}
	mode := ours | windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	kind := uint32(windows.PIPE_TYPE_BYTE | windows.PIPE_REJECT_REMOTE_CLIENTS)
	server, err := windows.CreateNamedPipe(path, mode, kind, 1, size, size, 0, nil)
	if err != nil {
		return nil, nil, err
	}
	client, err := windows.CreateFile(path, theirs, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		windows.CloseHandle(server)
		return nil, nil, err
	}
	return os.NewFile(uintptr(server), name), os.NewFile(uintptr(client), name), nil
}

// file returns the end as a file, to be read with waiting.
func (e pipeEnd) file() *os.File { return e.end }

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// readNow reads what is in the pipe, as Pipe.ReadNow.
func (e pipeEnd) readNow(buf []byte) (n int, err error) {
	if e.end == nil {
		return 0, os.ErrClosed
	}
	raw, err := e.end.SyscallConn()
	if err != nil {
		return 0, err
	}
	var there uint32
	var failed error
	err = raw.Control(func(handle uintptr) {
		ok, _, why := peekNamedPipe.Call(handle, 0, 0, 0, uintptr(unsafe.Pointer(&there)), 0)
		if ok == 0 {
			failed = why
		}
	})
	switch {
	case err != nil:
		return 0, err
	case failed == windows.ERROR_BROKEN_PIPE:
		return 0, io.EOF
	case failed != nil:
		return 0, failed
	case there == 0:
		return 0, syscall.EAGAIN
	}
	e.end.SetReadDeadline(time.Time{}) // it does not wait: something is there
	return e.end.Read(buf[:min(len(buf), int(there))])
}

func (e pipeEnd) close() {
	if e.end != nil {
		e.end.Close()
	}
}
