package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode"
)

// A State says what is known of standard input before it is asked for.
type State uint8

const (
	None   State = iota // a terminal, the null device, closed: nobody pipes anything
	Full                // it has text
	Empty               // it has ended with blanks only
	Silent              // it is open, and no text has come so far
)

// How long a pipe may be silent before a message says so, and before a command with other input
// goes on without it.
const (
	quiet    = time.Second
	Patience = 3 * time.Second
)

// piped returns standard input if it is a pipe, a socket or a file, whose content is meant
// for the command; nil otherwise.
func (f *Files) piped() *os.File {
	file, ok := f.Stdin.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return file
}

// OpenStdin returns standard input. A second call returns the same reader, which is then at its
// end. A read that takes long says what it waits for.
func (f *Files) OpenStdin(ctx context.Context) *bufio.Reader {
	if f.stdin != nil {
		return f.stdin
	}
	r := interruptible(f.reading(ctx), f.Stdin)
	if file := f.piped(); file != nil {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.Regular = append(f.Regular, info)
		} else {
			r = &announced{Reader: r, w: f.Note, instead: f.Instead}
		}
	}
	f.stdin = bufio.NewReaderSize(r, 64<<10)
	return f.stdin
}

// announced is a pipe whose first read says after a while what it waits for.
type announced struct {
	io.Reader
	w       io.Writer
	instead string // what to do if nothing is to come
	read    bool
}

func (r *announced) Read(b []byte) (int, error) {
	if !r.read {
		r.read = true
		timer := time.AfterFunc(quiet, func() {
			hint := ""
			if r.instead != "" {
				hint = "; " + r.instead
			}
			fmt.Fprintf(r.w, "xcheck: waiting for standard input, an open pipe%s\n", hint)
		})
		defer timer.Stop()
	}
	return r.Reader.Read(b)
}

// Look finds out whether standard input has text. It waits while a pipe is silent, but not longer
// than the patience, if that is not 0. Left reports text that comes later.
func (f *Files) Look(ctx context.Context, patience time.Duration) (State, error) {
	if f.piped() == nil {
		return None, nil
	}
	r, found := f.OpenStdin(ctx), make(chan State, 1)
	go func() {
		found <- firstOf(r)
	}()
	var out <-chan time.Time
	if patience > 0 {
		out = time.After(patience)
	}
	select {
	case state := <-found:
		return state, ctx.Err()
	case <-out:
		f.late = found
		fmt.Fprintf(f.Note, "xcheck: no input on standard input for %v: continuing without it\n", patience)
		return Silent, nil
	case <-ctx.Done():
		return Silent, ctx.Err()
	}
}

// firstOf looks at the text up to the first character that is no blank, without consuming it.
func firstOf(r *bufio.Reader) State {
	for n := 1; n <= r.Size(); n++ {
		start, err := r.Peek(n)
		if len(start) == n && !unicode.IsSpace(rune(start[n-1])) {
			return Full
		}
		if errors.Is(err, io.EOF) {
			return Empty
		}
		if err != nil {
			return Full // whoever reads it gets the error
		}
	}
	return Full
}

// ErrLate is the error of a run that has left out what came on standard input.
var ErrLate = errors.New("standard input: not checked, because it arrived too late; use -F - to wait for it, or </dev/null to ignore it")

// arrivedLate returns an error if something has come from a pipe after Look gave it up.
func (f *Files) arrivedLate() error {
	select {
	case state := <-f.late:
		if state == Full {
			return ErrLate
		}
	default:
	}
	return nil
}

// unread reports whether there is something on standard input that nobody has read.
func (f *Files) unread() bool {
	file := f.piped()
	if file == nil || f.stdin != nil {
		return false
	}
	info, err := file.Stat()
	if err != nil {
		return false
	}
	if info.Mode().IsRegular() {
		at, err := file.Seek(0, io.SeekCurrent)
		return err == nil && at < info.Size()
	}
	return readable(file)
}

// Left reports whether there is something on standard input that was not asked for. The
// error comes from arrivedLate.
func (f *Files) Left() (bool, error) { return f.unread(), f.arrivedLate() }
