package translators

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

// A pipe is one from a command, and the part of what came that is kept.
type pipe struct {
	read, write *os.File
	limit       int  // how many bytes are kept
	tail        bool // keep the end, and read on; otherwise the start, and stop
	data        []byte
	head        []byte // the start, if it is not in data any more
	over        bool   // there was more than the limit
}

// newPipe returns a pipe that keeps as many bytes from the start; if tail is set, it
// keeps as many from the end, and half as many from the start.
func newPipe(limit int, tail bool) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	return &pipe{read: r, write: w, limit: limit, tail: tail}, nil
}

// fill reads to the end, or until the stream expires: then it still takes what has
// been written by that time, however late it comes to it. It returns true as soon as
// there is more than the start that is to be kept.
func (s *pipe) fill() bool {
	read := s.read.Read
	// Never more than the limit, and one more byte to see that it is exceeded.
	most := s.limit + 1
	if s.tail {
		most = 2 * s.limit
	}
	for {
		if len(s.data) == cap(s.data) {
			s.data = grow.By(s.data, min(max(len(s.data), 4096), most-len(s.data)))
		}
		n, err := read(s.data[len(s.data):min(cap(s.data), most)])
		s.data = s.data[:len(s.data)+n]
		switch {
		case s.tail && len(s.data) == 2*s.limit:
			if s.head == nil {
				s.head = bytes.Clone(s.data[:s.limit/2])
			}
			s.data = append(s.data[:0], s.data[s.limit:]...)
		case !s.tail && len(s.data) > s.limit:
			s.data, s.over = nil, true
			return true
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			read = s.rest()
		} else if err != nil {
			return false
		}
	}
}

// expire makes fill end with what is in the pipe now.
func (s *pipe) expire() { s.read.SetReadDeadline(time.Unix(1, 0)) }

// maxPipe is more than a pipe holds, so that a process that writes without end
// can't keep rest from ending.
const maxPipe = 1 << 20

// rest returns a function that reads what is in the pipe, without waiting.
func (s *pipe) rest() func([]byte) (int, error) {
	left := maxPipe
	return func(buf []byte) (n int, err error) {
		n, err = readNow(s.read, buf[:min(len(buf), left)])
		left -= n
		return n, err
	}
}

// readNow reads what is in a pipe, without waiting and whatever its deadline. It
// returns syscall.EAGAIN if there is nothing now, io.EOF if nothing will come.
func readNow(file *os.File, buf []byte) (n int, err error) {
	raw, err := file.SyscallConn()
	if err != nil {
		return 0, err
	}
	if failed := raw.Control(func(fd uintptr) { n, err = syscall.Read(int(fd), buf) }); failed != nil {
		return 0, failed
	}
	if n <= 0 && err == nil {
		err = io.EOF
	}
	return max(0, n), err
}

// close ends fill at once.
func (s *pipe) close() {
	s.read.Close()
	s.write.Close()
}

// ends returns what came through a pipe that keeps the end: see clip.
func (s *pipe) ends() string {
	if s.head == nil {
		return clip(s.data, s.limit)
	}
	return joined(s.head, s.data[len(s.data)-s.limit:])
}

// clip returns a text, or if it is long the last bytes of it, and half as many of its
// start, with a gap on a line of its own between them.
func clip(data []byte, last int) string {
	if len(data) <= last+last/2 {
		return string(data)
	}
	return joined(data[:last/2], data[len(data)-last:])
}

// joined returns the start and the end of a text, cut between characters, with a gap
// between them.
func joined(head, tail []byte) string {
	for i := 0; i < utf8.UTFMax && len(head) > 0; i++ {
		if r, size := utf8.DecodeLastRune(head); r != utf8.RuneError || size > 1 {
			break
		}
		head = head[:len(head)-1]
	}
	for i := 0; i < utf8.UTFMax-1 && len(tail) > 0 && !utf8.RuneStart(tail[0]); i++ {
		tail = tail[1:]
	}
	return strings.TrimSuffix(string(head), "\n") + "\n" + gap + "\n" + string(tail)
}

// readOutput reads a file that a command has made, or what it has put in its
// place: it may be anything by now. No more than limit+1 bytes are read. The
// first error is the command's fault, the second is an internal one.
func readOutput(name string, limit int64) (data []byte, fault, trouble error) {
	// The end of a named pipe without a writer would never be opened otherwise.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return nil, nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the output file was removed"), nil
	case err != nil:
		return nil, fmt.Errorf("cannot read the output file: %v", errors.Unwrap(err)), nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("the output file is no longer a regular file"), nil
	}
	data, err = readAll(io.LimitReader(file, limit+1))
	return data, nil, err
}

// readAll is io.ReadAll for what may be long.
func readAll(r io.Reader) ([]byte, error) {
	var data []byte
	for {
		data = grow.By(data, 1<<15)
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		} else if err != nil {
			return data, err
		}
	}
}
