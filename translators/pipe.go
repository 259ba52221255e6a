package translators

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// A pipe is one from a command, and the part of what came that is kept.
type pipe struct {
	read, write *os.File
	limit       int  // how many bytes are kept
	tail        bool // keep the end, and read on; otherwise the start, and stop
	data        []byte
	first       string // the line that it began with, if it is not in data any more
	over        bool   // there was more than the start
}

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
	for {
		if len(s.data) == cap(s.data) {
			// Never more than the limit, and one more byte to see that it is exceeded.
			most := s.limit + 1
			if s.tail {
				most = 2 * s.limit
			}
			size := min(max(2*cap(s.data), 4096), most)
			s.data = append(make([]byte, 0, size), s.data...)
		}
		n, err := read(s.data[len(s.data):cap(s.data)])
		s.data = s.data[:len(s.data)+n]
		switch {
		case s.tail && len(s.data) == 2*s.limit:
			if s.first == "" {
				s.first = start(firstLine(string(s.data)), s.limit/8)
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

// end returns the last bytes of a stream whose tail is kept, from the start of a
// character. Before them comes the first line, or its start, if it is not among
// them: it is what failures are told apart by.
func (s *pipe) end() string {
	data := s.data[max(0, len(s.data)-s.limit):]
	first := s.first
	if len(data) < len(s.data) {
		if first == "" {
			first = start(firstLine(string(s.data)), s.limit/8)
		}
		for i := 0; i < 3 && len(data) > 0 && data[0]&0xc0 == 0x80; i++ {
			data = data[1:]
		}
	}
	if first != "" {
		return first + "\n…\n" + string(data)
	}
	return string(data)
}

// readOutput reads a file that a command has made, or what it has put in its
// place: it may be anything by now. No more than limit+1 bytes are read. The
// first error is the command's fault, the second is trouble of our own.
func readOutput(name string, limit int64) (data []byte, fault, trouble error) {
	// The end of a named pipe without a writer would never be opened otherwise.
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return nil, nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("the output file was removed"), nil
	case err != nil:
		return nil, fmt.Errorf("the output file can't be read: %v", errors.Unwrap(err)), nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("the output file is not a regular file any more"), nil
	}
	data, err = io.ReadAll(io.LimitReader(file, limit+1))
	return data, nil, err
}

// reason returns the line of what a command says that most likely tells why it
// failed, fit for a terminal and not too long. In most cases it is the last. But
// what comes behind a message of xcheck, or of a Go program that crashes, only
// explains it, as does a caret below an excerpt.
func reason(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	text = lines[len(lines)-1]
	if strings.Trim(text, " \t^~-") == "" {
		text = lines[0]
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "xcheck: ") || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			text = line
		}
	}
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return strings.TrimSpace(text)
}
