package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/xcheck-ltl/xcheck/internal/grow"
)

// A Pipe is one from a command, and the part of what came that is kept.
//
// Most commands print little, and just before they end. So our end is read when they have ended,
// or after [FirstLook]. It is not watched before: each piece of output would wake us up.
type Pipe struct {
	ours  int      // our end, a descriptor that does not wait; -1 if it is closed
	write *os.File // the command's
	limit int      // how many bytes are kept
	tail  bool     // keep the end, and read on; otherwise the start, and stop
	Data  []byte   // what is kept
	head  []byte   // the start, if it is not in data any more
	Over  bool     // there was more than the limit

	mu      sync.Mutex
	end     *os.File // our end, if it is watched
	expired bool
}

// newPipe returns a pipe that keeps as many bytes from the start; if tail is set, it
// keeps as many from the end, and half as many from the start.
func newPipe(limit int, tail bool) (*Pipe, error) {
	r, w, err := rawPipe()
	if err != nil {
		return nil, fmt.Errorf("pipe: %w", err)
	}
	s := &Pipe{ours: r, write: os.NewFile(uintptr(w), "pipe"), limit: limit, tail: tail}
	if err := syscall.SetNonblock(r, true); err != nil {
		s.close()
		s.write.Close()
		return nil, fmt.Errorf("pipe: %w", err)
	}
	return s, nil
}

// End returns our end, to be read with waiting.
func (s *Pipe) End() *os.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = os.NewFile(uintptr(s.ours), "pipe") // it takes over the descriptor
		if s.expired {                              // before it was watched
			s.end.SetReadDeadline(past)
		}
	}
	return s.end
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

// fill reads to the end of the output. If the pipe expires before, fill still reads what is in it,
// and stops. It returns true as soon as a pipe that keeps the start has more than its limit.
func (s *Pipe) fill() bool {
	read := s.ReadNow // the command has often ended already, so there is nothing to wait for
	// One byte more than the limit shows that it is exceeded. If the end is kept, two limits are read
	// before the first one is dropped, so that each byte is moved once at most.
	maxData := s.limit + 1
	if s.tail {
		maxData = 2 * s.limit
	}
	for {
		if len(s.Data) == cap(s.Data) {
			s.Data = grow.By(s.Data, min(max(len(s.Data), 4096), maxData-len(s.Data)))
		}
		n, err := read(s.Data[len(s.Data):min(cap(s.Data), maxData)])
		s.Data = s.Data[:len(s.Data)+n]
		switch {
		case s.tail && len(s.Data) == 2*s.limit:
			if s.head == nil { // the start of all output
				s.head = bytes.Clone(s.Data[:s.limit/2])
			}
			s.Data = append(s.Data[:0], s.Data[s.limit:]...)
		case !s.tail && len(s.Data) > s.limit:
			s.Data, s.Over = nil, true
			return true
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded): // expired
			// A process that escaped may write for ever, so we take no more than a pipe holds.
			left := maxPipe
			read = func(buf []byte) (n int, err error) {
				n, err = s.ReadNow(buf[:min(len(buf), left)])
				left -= n
				return n, err
			}
		case err == syscall.EAGAIN && s.watched():
			return false // expired, and now empty
		case err == syscall.EAGAIN:
			read = s.End().Read // the command still runs, so wait from now on
		case err != nil:
			return false // the end, or the pipe is closed
		}
	}
}

// watched reports whether our end is watched.
func (s *Pipe) watched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end != nil
}

// expire makes fill end with what is in the pipe now.
func (s *Pipe) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expired = true; s.end != nil {
		s.end.SetReadDeadline(past)
	}
}

// maxPipe is more than a pipe holds.
const maxPipe = 1 << 20

// ReadNow reads what is in the pipe, without waiting and whatever its deadline. It
// returns syscall.EAGAIN if there is nothing now, io.EOF if nothing will come.
func (s *Pipe) ReadNow(buf []byte) (n int, err error) {
	s.mu.Lock() // so that nobody closes it
	defer s.mu.Unlock()
	for {
		n, err = syscall.Read(s.ours, buf)
		if err != syscall.EINTR {
			break
		}
	}
	if n <= 0 && err == nil {
		err = io.EOF
	}
	return max(0, n), err
}

// close closes both ends. It ends fill at once if our end is watched.
func (s *Pipe) close() {
	s.write.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil {
		s.end.Close()
	} else if s.ours >= 0 {
		syscall.Close(s.ours)
	}
	s.ours = -1
}

// Ends returns what came through a pipe that keeps the end: see Clip.
func (s *Pipe) Ends() string {
	if s.head == nil {
		return Clip(s.Data, s.limit)
	}
	return joined(s.head, s.Data[len(s.Data)-s.limit:])
}

// Clip returns a text, or if it is long the last bytes of it, and half as many of its
// start, with a gap on a line of its own between them: "ab\n…\nefgh" for "abcdefgh" and 4. It is UTF-8,
// as histories and JSON would make it.
func Clip(data []byte, last int) string {
	if len(data) <= last+last/2 {
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return joined(data[:last/2], data[len(data)-last:])
}

// Gap stands for what was taken out of a text.
const Gap = "…"

// joined returns the start and the end of a text, cut between characters, with a gap
// between them.
func joined(head, tail []byte) string {
	for i := 0; i < utf8.UTFMax && len(head) > 0; i++ {
		if r, size := utf8.DecodeLastRune(head); r != utf8.RuneError || size > 1 { // a whole character
			break
		}
		head = head[:len(head)-1]
	}
	for i := 0; i < utf8.UTFMax-1 && len(tail) > 0 && !utf8.RuneStart(tail[0]); i++ {
		tail = tail[1:]
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(head), "\n")+"\n"+Gap+"\n"+string(tail), "\uFFFD")
}

// ReadOutput reads a file that a command has made, or what it has put in its
// place: it may be anything by now. No more than limit+1 bytes are read. The
// first error is the command's fault, the second is an internal one.
func ReadOutput(name string, limit int64) (data []byte, fault, trouble error) {
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
	var b bytes.Buffer
	b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)                // all that it takes: what is long is not copied
	if _, err = b.ReadFrom(io.LimitReader(file, limit+1)); err != nil { // a link to a device or to /proc
		return nil, fmt.Errorf("cannot read the output file: %v", errors.Unwrap(err)), nil
	}
	return b.Bytes(), nil, nil
}
