package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode"

	"golang.org/x/sys/unix"
)

// stdinState says what is known of standard input before it is asked for.
type stdinState uint8

const (
	stdinNone   stdinState = iota // a terminal, the null device, closed: nobody pipes anything
	stdinFull                     // there is something
	stdinEmpty                    // it has ended, with nothing but blanks
	stdinSilent                   // nothing has come so far, and it is still open
)

// How long a pipe may be silent before a message says so, and before a command goes on
// without it that has something else to do.
const (
	stdinQuiet    = time.Second
	stdinPatience = 3 * time.Second
)

// pipedInput returns standard input if it is a pipe, a socket or a file, whose content is meant
// for the command; nil otherwise.
func (a *app) pipedInput() *os.File {
	file, ok := a.in.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return nil
	}
	return file
}

// openStdin returns standard input. Asked for twice, it is one input still, and is at its end
// the second time. A read that takes long says what it waits for.
func (a *app) openStdin() *bufio.Reader {
	if a.stdin != nil {
		return a.stdin
	}
	r := interruptible(a.reading(), a.in)
	if file := a.pipedInput(); file != nil {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			a.inputs = append(a.inputs, info)
		} else {
			r = &announced{Reader: r, w: a.err, instead: a.instead}
		}
	}
	a.stdin = bufio.NewReaderSize(r, 64<<10)
	return a.stdin
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
		timer := time.AfterFunc(stdinQuiet, func() {
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

// lookAtStdin finds out whether there is something on standard input. While a pipe is silent it
// waits, for the patience if that is not 0. What comes after that is known to lateStdin.
func (a *app) lookAtStdin(patience time.Duration) (stdinState, error) {
	if a.pipedInput() == nil {
		return stdinNone, nil
	}
	r, found := a.openStdin(), make(chan stdinState, 1)
	go func() {
		found <- firstOf(r)
	}()
	var out <-chan time.Time
	if patience > 0 {
		out = time.After(patience)
	}
	select {
	case state := <-found:
		return state, a.ctx.Err()
	case <-out:
		a.late = found
		fmt.Fprintf(a.err, "xcheck: no input on standard input for %v: continuing without it\n", patience)
		return stdinSilent, nil
	case <-a.ctx.Done():
		return stdinSilent, a.ctx.Err()
	}
}

// firstOf reads up to the first character that is no blank, and leaves all of it to be read.
func firstOf(r *bufio.Reader) stdinState {
	for n := 1; n <= r.Size(); n++ {
		start, err := r.Peek(n)
		if len(start) == n && !unicode.IsSpace(rune(start[n-1])) {
			return stdinFull
		}
		if errors.Is(err, io.EOF) {
			return stdinEmpty
		}
		if err != nil {
			return stdinFull // whoever reads it gets the error
		}
	}
	return stdinFull
}

// errLate is the error of a run that has left out what came on standard input.
var errLate = errors.New("standard input: not checked, because it arrived too late; use -F - to wait for it, or </dev/null to ignore it")

// lateStdin returns an error if something has come from a pipe after lookAtStdin gave it up.
func (a *app) lateStdin() error {
	select {
	case state := <-a.late:
		if state == stdinFull {
			return errLate
		}
	default:
	}
	return nil
}

// unreadStdin reports whether there is something on standard input that nobody has read.
func (a *app) unreadStdin() bool {
	file := a.pipedInput()
	if file == nil || a.stdin != nil {
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
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0
}

// leftUnread reports whether there is something on standard input that was not asked for. The
// error is that of lateStdin.
func (a *app) leftUnread() (bool, error) { return a.unreadStdin(), a.lateStdin() }
