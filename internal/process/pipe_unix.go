//go:build unix

package process

import (
	"io"
	"os"
	"syscall"
)

// A pipeEnd is our end of a pipe: a descriptor that does not wait.
type pipeEnd int

const closedEnd pipeEnd = -1

// newPipeEnds returns our end and the command's end of a new pipe.
func newPipeEnds() (pipeEnd, *os.File, error) {
	r, w, err := rawPipe()
	if err != nil {
		return closedEnd, nil, err
	}
	ours, write := pipeEnd(r), os.NewFile(uintptr(w), "pipe")
	if err := syscall.SetNonblock(r, true); err != nil {
		ours.close()
		write.Close()
		return closedEnd, nil, err
	}
	return ours, write, nil
}

// newStdin returns a pipe for the standard input of a command: the command's end, and ours.
func newStdin() (theirs, ours *os.File, err error) { return os.Pipe() }

// file returns the end as a file, to be read with waiting. It takes over the descriptor.
func (e pipeEnd) file() *os.File { return os.NewFile(uintptr(e), "pipe") }

// readNow reads what is in the pipe, as Pipe.ReadNow.
func (e pipeEnd) readNow(buf []byte) (n int, err error) {
	for {
		n, err = syscall.Read(int(e), buf)
		if err != syscall.EINTR {
			break
		}
	}
	if n <= 0 && err == nil {
		err = io.EOF
	}
	return max(0, n), err
}

func (e pipeEnd) close() {
	if e >= 0 {
		syscall.Close(int(e))
	}
}
