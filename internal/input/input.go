// Package input opens the input files of a command, and reads their formulas and automata one by one.
//
// Formulas stand on lines, or in a column of CSV. Each formula and automaton comes with its place.
// An error in one of them does not end the file.
//
// Standard input is a file called "-". A command finds out whether it has inputs before it reads
// them, and does not wait for a silent pipe without a message.
package input

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
)

// Files are the input files of a command.
type Files struct {
	Stdin   io.Reader     // nil is empty
	Note    io.Writer     // for what a user should know; may change
	Instead string        // what to do if nothing is to come on standard input
	Until   time.Time     // when reads end that wait; zero for never
	Regular []os.FileInfo // those that were opened, and are regular files

	stdin *bufio.Reader // Stdin, once it was asked for
	late  <-chan State  // tells of a silent pipe that was given up
}

// Open opens a file, where "-" is standard input. What may keep a reader waiting (standard input, a
// pipe, a terminal) can be interrupted while it does: reads end with ctx.
func (f *Files) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(f.OpenStdin(ctx)), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		f.Regular = append(f.Regular, info)
		return file, nil
	} else if err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("%s: expected a file, found a directory", name)
	}
	return struct {
		io.Reader
		io.Closer
	}{interruptible(f.reading(ctx), file), file}, nil
}

// reading returns the context of reads that may wait: they end with the command, or at the
// time limit for reading.
func (f *Files) reading(ctx context.Context) context.Context {
	if f.Until.IsZero() {
		return ctx
	}
	ctx, cancel := context.WithDeadline(ctx, f.Until)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// interruptible returns a reader of what r has, the reads of which end with the context's error when that is
// done. It starts to read at once, and at most one buffer ahead.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	// The read of r goes on: a read of a file can't be ended in a portable way.
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	if r == nil {
		r = strings.NewReader("")
	}
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

// A Part of a file of automata is an automaton, or says why none could be read.
type Part struct {
	*hoa.Piece
	Number    int // in the file, from 1
	Automaton *omega.Automaton
	Warnings  []hoa.Warning
	Err       error // without the name of the file
}

// Automata reads automata from a file.
type Automata struct {
	Name   string
	Parts  int // that were read
	reader *hoa.Reader
}

// NewAutomata returns the automata of a file with a name.
func NewAutomata(name string, r *hoa.Reader) *Automata { return &Automata{Name: name, reader: r} }

// Next returns the next part, and io.EOF at the end. Any other error means that the file
// can't be read any further.
func (s *Automata) Next(ctx context.Context) (*Part, error) {
	x, err := s.reader.Next(ctx)
	if err != nil && !hasPlace(err) && !errors.Is(err, hoa.ErrAborted) {
		if err != io.EOF {
			err = s.At(nil, err)
		}
		return nil, err
	}
	s.Parts++
	return &Part{Piece: s.reader.Piece(), Number: s.Parts, Automaton: x, Warnings: s.reader.Warnings(), Err: err}, nil
}

// At adds to an error the file and the place of a part, unless it has a place itself.
func (s *Automata) At(p *Part, err error) error {
	switch {
	case err == nil:
		return nil
	case p == nil:
		return fmt.Errorf("%s: %w", s.Name, err)
	case hasPlace(err):
		return fmt.Errorf("%s:%w", s.File(p), err)
	}
	return fmt.Errorf("%s:%d:%d: %w", s.File(p), p.Line, p.Column, err)
}

// File returns the name of the file of a part, by #line if there is one.
func (s *Automata) File(p *Part) string {
	if s == nil || p == nil || p.Piece == nil {
		return ""
	}
	return cmp.Or(p.Piece.File, s.Name)
}

// hasPlace reports whether an error is about one automaton and says where it is.
func hasPlace(err error) bool {
	var syntax *ltl.SyntaxError
	var limit *hoa.LimitError
	return errors.As(err, &syntax) || errors.As(err, &limit)
}

// A Reader gives one text after the other, each with its place, and then io.EOF. With any other
// error, the text is the part that was read.
type Reader interface {
	Next() (where, text string, err error)
}

// Lines reads the lines of a file that are neither empty nor comments (#).
type Lines struct {
	// All returns comments and blanks as well, and counts only lines that are not empty, as Spot's tools do.
	All bool

	name string
	in   *bufio.Reader
	n    int
	end  error // io.EOF, or the error of a read
}

// MaxLine is the length of the longest line that is read, in bytes.
const MaxLine = 4 << 20

// errLong is the error of a longer line. The next line can be read.
var errLong = fmt.Errorf("line longer than %d bytes", MaxLine)

// NewLines returns Lines for the content of the file called name.
func NewLines(name string, r io.Reader) *Lines {
	return &Lines{name: name, in: bufio.NewReader(r)}
}

// Next returns the next line and its place, such as f.ltl:3, and io.EOF after the last line. With
// any other error, it returns the place and the start of the line.
func (r *Lines) Next() (where, text string, err error) {
	for r.end == nil {
		text, err := r.line()
		r.n++
		if r.n == 1 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte-order mark
		}
		where := fmt.Sprintf("%s:%d", r.name, r.n)
		if r.All && err == nil {
			if text = strings.TrimRight(text, "\r\n"); text == "" {
				r.n--
				continue
			}
			return where, text, nil
		}
		// Keep blanks at the start, so that columns count from the start of the line.
		if text = strings.TrimRightFunc(text, unicode.IsSpace); err != nil {
			return where, text, fmt.Errorf("%s: %w", where, err)
		}
		if first := strings.TrimSpace(text); first != "" && first[0] != '#' {
			return where, text, nil
		}
	}
	return "", "", io.EOF
}

// line reads the next line, and returns at most MaxLine bytes of it. The end of the file ends the
// last line, and is no error.
func (r *Lines) line() (string, error) {
	var text []byte
	long := false
	for {
		part, err := r.in.ReadSlice('\n')
		if room := MaxLine - len(text); len(part) > room {
			part, long = part[:room], true
		}
		text = append(text, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if r.end = err; err == io.EOF {
			err = nil
		}
		if err == nil && long {
			err = errLong
		}
		return string(text), err
	}
}

// Located says where the formula on a line of a file is wrong, with the column if that is known:
// "f.ltl:3:5: expected a formula, found the end".
func Located(where string, err error) error {
	var syntax *ltl.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: %s", where, syntax.Column, syntax.Reason)
	}
	return fmt.Errorf("%s: %w", where, err)
}

// Excerpted adds the part of the formula that has caused a message.
func Excerpted(message, cause error) error {
	var syntax *ltl.SyntaxError
	if errors.As(cause, &syntax) {
		return fmt.Errorf("%w\n%s", message, syntax.Excerpt())
	}
	return message
}

// Start returns text, or the start of it if it is long.
func Start(text string) string {
	const most = 4096
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// A Column reads a column of a CSV file (RFC 4180). Column 2 of
//
//	mine,"G(a -> F ""b"")",3
//
// is G(a -> F "b").
type Column struct {
	name   string
	bytes  *recordBytes
	in     *csv.Reader
	column int // from 0
	skip   bool
	end    bool
	line   int    // of the last text
	rest   string // of it, for Read
}

// NewColumn returns a Column that reads the column with the given number, from 1. A negative
// number, such as -2 for column 2, leaves out the first record, which has the names of columns.
func NewColumn(name string, r io.Reader, column int) *Column {
	bytes := &recordBytes{Reader: r}
	c := &Column{name: name, bytes: bytes, in: csv.NewReader(bytes), column: column - 1}
	if column < 0 {
		c.column, c.skip = -column-1, true
	}
	c.in.FieldsPerRecord = -1
	c.in.ReuseRecord = true
	return c
}

// recordBytes fails when more than MaxLine bytes are read for a record.
type recordBytes struct {
	io.Reader
	left int
}

func (r *recordBytes) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, fmt.Errorf("record longer than %d bytes", MaxLine)
	}
	n, err := r.Reader.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// Next returns the column of the next record, and its place, such as "f.csv:3 (column 2)". After
// the last record, it returns io.EOF. A record without the column or with a misplaced quote is an
// error, but the next record can be read. Empty fields are passed over, like empty lines.
func (c *Column) Next() (where, text string, err error) {
	for !c.end {
		c.bytes.left = MaxLine
		fields, err := c.in.Read()
		var bad *csv.ParseError
		switch {
		case err == io.EOF:
			return "", "", io.EOF
		case errors.As(err, &bad):
			return fmt.Sprintf("%s:%d", c.name, bad.StartLine), "", fmt.Errorf("%s:%d:%d: %w", c.name, bad.Line, bad.Column, bad.Err)
		case err != nil:
			c.end = true // as a read has failed, others would
			return c.name, "", fmt.Errorf("%s: %w", c.name, err)
		}
		if c.skip {
			c.skip = false
			continue
		}
		c.line, _ = c.in.FieldPos(min(c.column, len(fields)-1))
		if c.column >= len(fields) {
			where := fmt.Sprintf("%s:%d", c.name, c.line)
			return where, strings.Join(fields, ","), fmt.Errorf("%s: expected a column %d, found only %d", where, c.column+1, len(fields))
		}
		text := fields[c.column]
		if c.column == 0 {
			text = strings.TrimPrefix(text, "\uFEFF") // the byte-order mark, if it is the first
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		return fmt.Sprintf("%s:%d (column %d)", c.name, c.line, c.column+1), text, nil
	}
	return "", "", io.EOF
}

// Read reads the texts as a stream of automata, each behind a #line directive with its place.
func (c *Column) Read(p []byte) (int, error) {
	if c.rest == "" {
		_, text, err := c.Next()
		if err != nil {
			return 0, err
		}
		c.rest = fmt.Sprintf("#line %d \"%s\"\n%s\n", c.line, c.name, text)
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

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

// Left reports whether there is something on standard input that was not asked for. It returns ErrLate if
// something has come from a pipe after Look gave it up.
func (f *Files) Left() (unread bool, err error) {
	select {
	case state := <-f.late:
		if state == Full {
			err = ErrLate
		}
	default:
	}
	file := f.piped()
	if file == nil || f.stdin != nil {
		return false, err
	}
	info, failed := file.Stat()
	if failed != nil {
		return false, err
	}
	if info.Mode().IsRegular() {
		at, failed := file.Seek(0, io.SeekCurrent)
		return failed == nil && at < info.Size(), err
	}
	fds := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}} // can something be read now?
	n, failed := unix.Poll(fds, 0)
	return failed == nil && n > 0 && fds[0].Revents&unix.POLLIN != 0, err
}
