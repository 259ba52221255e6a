package translators

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A session is a process that is kept alive: it gets a formula on a line of its
// standard input, and answers it with an automaton before it gets the next.
//
// One question is under way at a time. So an automaton that comes while there is none
// is one too many, and after it nothing is believed that this process prints.
type session struct {
	*process.Process
	line     string // for a shell
	splitter hoa.Splitter
	buf      []byte
	answered int
	writing  <-chan error // the result of writing the question; nil once that is known
	last     *ticket      // of the last answer
	lost     bool         // no further question can be asked
	early    bool         // it answered what it had not read
	ended    bool         // its input was closed, to see what it does without another question
	closed   bool
	// distrusted: an answer was wrong. The lock of the pool is for this.
	distrusted bool
}

// A ticket is what an answer leaves behind: what comes after it, and before the next
// question, is its fault.
type ticket struct {
	pool    *pool
	session *session
	q       *question
	settled bool    // nobody will look for what comes
	after   *Oddity // what came
}

// errEnded: the process ended, or closed its output, before it answered.
var errEnded = errors.New("ended")

// openSession starts the command of a tool.
func (r *Runner) openSession(ctx context.Context, t *Tool) (*session, error) {
	p, err := r.host.New(process.Limits(t.Limits.withDefaults()), t.Env, t.CleanEnv)
	if err != nil {
		return nil, err
	}
	line, _, err := prepare(p, t.Command, nil)
	if err == nil {
		err = p.Launch(ctx, "-")
	}
	if err != nil {
		p.Remove()
		return nil, err
	}
	return &session{Process: p, line: line, buf: make([]byte, 64<<10)}, nil
}

// close ends the process and returns its outcome. The reason is why, or nil.
func (s *session) close(why error) Outcome {
	var o Outcome
	s.closed = true
	if why == process.ErrTimeout {
		s.Terminate(context.Background())
	}
	if why == errEnded {
		// It may just be about to end.
		select {
		case <-s.Exited:
		case <-time.After(process.Grace):
		}
	}
	alive := !s.exited() // asked before the input is closed, at which most tools end
	s.Stdin.Close()
	if err := s.End(); err != nil {
		o.fail(outcome.NoOutput, "its process cannot be ended: "+err.Error())
	} else {
		o.Stderr = s.Stderr.Ends()
		if s.Full() {
			why = process.ErrFull
		}
		if why == errEnded && s.ended {
			o.fail(outcome.NoOutput, "no answer, whether its input stays open or not")
		} else if why == errEnded && alive {
			o.fail(outcome.NoOutput, "it closed its standard output but did not exit")
		} else {
			o.conclude(Limits(s.Limits), s.State, nil, why, errors.New("no answer"))
		}
	}
	s.ClosePipes()
	s.Remove()
	return o
}

// exited reports whether the process has ended.
func (s *session) exited() bool {
	select {
	case <-s.Exited:
		return true
	default:
		return false
	}
}

// leftover returns what has come since the last answer, nil for nothing. It does not
// wait. It notes if the process is of no use any more: after a second automaton, or half of
// one, nobody knows which question the next one answers. Text alone does no harm.
func (s *session) leftover() (found *Oddity) {
	n, err := s.Stdout.ReadNow(s.buf)
	s.splitter.Feed(s.buf[:n])
	if s.early {
		s.lost = true
		return &Oddity{outcome.Unstable, "it answered before it had read the whole formula"}
	}
	for piece, ok := s.splitter.Next(); ok; piece, ok = s.splitter.Next() {
		if piece.Format != nil {
			s.lost = true
			return &Oddity{outcome.SecondAutomaton, "a second automaton"}
		}
		if found == nil {
			found = &Oddity{outcome.TextAfter, "after the automaton: " + excerpt(piece.Text)}
		}
	}
	if s.splitter.Pending() {
		s.lost = true
		if found == nil {
			found = &Oddity{outcome.TextAfter, "after the automaton: " + excerpt(s.buf[:n])}
		}
	}
	s.lost = s.lost || errors.Is(err, io.EOF)
	return found
}

// patience is how long an answer may take at least before a fresh process gets the question, too.
const patience = time.Second

// A probe gives a fresh process the question that a session does not answer. If that is done, and no
// answer comes for some time after that, the session's input is closed. What it does then tells why:
//
//	it ends without an answer    it has lost the question, and waited for the next one
//	it answers                   it is slow, or it does not flush its output
//	it does neither              it is slow until the limit of a call
type probe struct {
	patience time.Duration
	second   bool // an earlier answer came only when the input was closed
	spawn    func() (*Output, error)
	done     chan struct{} // nil before it begins; closed at the end
	ended    time.Time
	out      *Output
	err      error
}

// over begins the probe when it is first called, and later reports whether it is time to close the input.
func (l *probe) over(now time.Time) bool {
	if l.done == nil {
		l.done = make(chan struct{})
		go func() {
			defer close(l.done)
			l.out, l.err = l.spawn()
			l.ended = time.Now()
		}()
		return false
	}
	select {
	case <-l.done:
		return l.err == nil && now.Sub(l.ended) >= min(patience, l.patience)
	default:
		return false
	}
}

// ask gives the process a line, and returns what it prints up to and with the next
// automaton. If there is none, why says how that came; the process is of no use then.
func (s *session) ask(ctx context.Context, line string, late *probe) (answer reply, why error) {
	now := time.Now()
	var (
		deadline = now.Add(s.Limits.Timeout)
		lost     = now.Add(late.patience)
		pause    = process.FirstLook
		look     = now.Add(pause)
		size     = int64(0)
	)
	if s.Limits.CPU > 0 {
		_, s.Base = s.Sample() // the limit is for this question alone
	}
	s.Stdin.SetWriteDeadline(deadline)
	defer s.interrupt(ctx)()
	s.write(line)
	defer s.written(true)
	for {
		for {
			piece, ok := s.splitter.Next()
			if !ok {
				break
			}
			answer.add(piece, 1)
			if piece.Format != nil {
				s.answered++
				return answer, nil
			}
		}
		// Reading stops for whatever is due first.
		next := slices.MinFunc([]time.Time{deadline, lost, look}, time.Time.Compare)
		s.Stdout.End().SetReadDeadline(next) // it may undo interrupt's, so ctx is asked after it
		if ctx.Err() != nil {
			return answer, ctx.Err()
		}
		n, err := s.Stdout.End().Read(s.buf)
		if errors.Is(err, os.ErrDeadlineExceeded) && s.exited() {
			// A child may hold the output open: what is there now is all that comes.
			if n, err = s.Stdout.ReadNow(s.buf); n == 0 {
				err = errEnded
			}
		}
		s.splitter.Feed(s.buf[:n])
		if size += int64(n); size > s.Limits.MaxOutput {
			return answer, process.ErrTooBig
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			if why := s.waited(ctx, deadline, &lost, &look, &pause, late); why != nil {
				return answer, why
			}
		case err != nil:
			return answer, errEnded
		}
	}
}

// interrupt has the pipes wait no longer when ctx is done, until the function that it
// returns is called.
func (s *session) interrupt(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(done)
		s.Stdout.End().SetReadDeadline(time.Unix(1, 0))
		s.Stdin.SetWriteDeadline(time.Unix(1, 0))
	})
	return func() {
		if !forget() {
			<-done // or it would interrupt the next question
		}
	}
}

// atOnce is how many bytes an empty pipe takes at least, whatever its reader does.
const atOnce = 4096

// write gives the process a line. One that is longer than a pipe gets through only as
// the process reads it, and that may print before, or take too much: so it is written
// on the side.
func (s *session) write(line string) {
	done := make(chan error, 1)
	s.writing = done
	put := func() {
		_, err := io.WriteString(s.Stdin, line)
		done <- err
	}
	if len(line) <= atOnce {
		put()
	} else {
		go put()
	}
}

// written reports whether the question has been written, or can't be. If it must be,
// as the answer is there, it is not waited for any longer.
func (s *session) written(must bool) bool {
	if s.writing == nil {
		return true
	}
	if must {
		s.Stdin.SetWriteDeadline(time.Unix(1, 0))
	} else if len(s.writing) == 0 {
		return false
	}
	s.early = <-s.writing != nil
	s.writing = nil
	return true
}

// waited does what is due while no answer comes: at look, it asks whether a limit is exceeded, and at lost, whether
// the process waits for the end of its input. It sets both anew.
func (s *session) waited(ctx context.Context, deadline time.Time, lost, look *time.Time, pause *time.Duration, late *probe) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	now := time.Now()
	if !now.Before(deadline) {
		return process.ErrTimeout
	}
	if !now.Before(*lost) {
		*lost = now.Add(process.LastLook)
		if !s.ended && s.written(false) && late.over(now) {
			s.ended = true
			s.Stdin.Close()
		}
	}
	if !now.Before(*look) {
		// Pauses double, so a long one says that it has lasted long.
		if err := s.Over(*pause > process.LongLook/2); err != nil {
			return err
		}
		*pause = min(2**pause, process.LastLook)
		*look = now.Add(*pause)
	}
	return nil
}
