package translators

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A pool has the sessions of a tool in mode Stream.
//
// A fault of an answer is believed only if a process that got no other formula shows it too.
// If the process crashes, takes too long, or prints anything but one automaton, the formula
// is tried again alone. A process that still answers one formula after the other lives on if
// a fresh process shows the same fault. For each class of fault, one fresh process is asked.
// An answer that belongs to another question is seen at once if the tool names its automata after
// the formulas. Otherwise it disagrees with others, and then a fresh process is asked, too.
type pool struct {
	runner *Runner
	tool   *Tool
	places chan struct{} // for the sessions that have a question

	mu      sync.Mutex
	idle    []*session
	usual   map[outcome.Class]bool // what fresh processes show, too
	slowest time.Duration          // of the answers so far
	late    bool                   // an answer came only when the input was closed
	prompt  bool                   // one came before
	held    bool                   // the tool holds its answers back: it does not flush its output
}

const (
	// lookEach is how often the memory of a process and its children is looked at if it is
	// quick to answer.
	lookEach = 64
	// maxAnswers is how many a process gives before it is replaced, so that what it
	// keeps and whom it leaves behind stays bounded.
	maxAnswers = 10_000
)

// pool returns the pool of a tool.
func (r *Runner) pool(t *Tool) *pool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pools[t] == nil {
		r.pools[t] = &pool{runner: r, tool: t, places: make(chan struct{}, r.processes(t)), usual: map[outcome.Class]bool{}}
	}
	return r.pools[t]
}

// translate asks a session.
func (p *pool) translate(ctx context.Context, q *question) (*Output, error) {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.runner.host.Done():
		return nil, process.ErrClosed
	}
	if err := p.runner.host.Enter(ctx); err != nil {
		return nil, err
	}
	defer p.runner.host.Leave()
	ctx, stop := p.runner.host.Until(ctx)
	defer stop()
	s, left, err := p.session(ctx)
	var out *Output
	if err != nil {
		// An internal error happens again; an error of the command is an outcome.
		out, err = p.tool.spawn(ctx, p.runner, q)
	} else {
		out, err = p.ask(ctx, s, q)
	}
	if err == nil && left != nil {
		out.odd(left.Class, left.Text)
	}
	return out, err
}

// unflushed is what is odd about a tool that holds its answers back. Its formulas go to fresh processes.
var unflushed = &Oddity{outcome.Unflushed, "it does not flush its output, or reads ahead: no answer before its input ends"}

// session returns one that waits for a question, a new one if there is none. left says
// what others have left behind after answers that nobody will come back to. A tool that holds its answers
// back gets no session.
func (p *pool) session(ctx context.Context) (s *session, left *Oddity, err error) {
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	if held {
		return nil, unflushed, errEnded
	}
	for {
		s, late := p.take()
		if s == nil {
			s, err := p.runner.openSession(ctx, p.tool)
			return s, left, err
		}
		t := s.last
		found := t.after
		if s.lost {
			seen := found != nil
			found = p.abandon(s, found)
			p.mu.Lock()
			// Somebody may have settled the answer since, and not have seen that.
			if late = late || t.settled && !seen; !late {
				t.after = found
			}
			p.mu.Unlock()
		}
		if found != nil && late {
			left = &Oddity{found.Class, fmt.Sprintf("left over from the previous input (%s): %s", t.q, found.Text)}
		}
		if !s.lost {
			return s, left, nil
		}
	}
}

// take returns an idle session, nil if there is none, and whether its last answer is
// settled. What has come after that is in its ticket.
func (p *pool) take() (s *session, settled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil, false
	}
	s = p.idle[n-1]
	p.idle = p.idle[:n-1]
	s.last.after = s.leftover()
	return s, s.last.settled
}

// count notes why a process that was to live on has ended.
func (p *pool) count(reason string) {
	p.runner.mu.Lock()
	defer p.runner.mu.Unlock()
	p.runner.ended[ending{p.tool.Name, reason}]++
}

// end closes a session that was to live on. The outcome says why, and the reason is counted for the report.
func (p *pool) end(s *session, why error, reason string) Outcome {
	p.count(reason)
	return s.close(why)
}

// abandon closes a session that is lost, and returns what is odd about that, if found
// does not say it.
func (p *pool) abandon(s *session, found *Oddity) *Oddity {
	if found != nil {
		p.end(s, errEnded, string(found.Class))
		return found
	}
	if o := p.end(s, errEnded, "ended after an answer"); o.Status != outcome.NoOutput {
		return &Oddity{outcome.Unstable, fmt.Sprintf("the process ended after its answer: %s: %s", o.Status, o.Detail)}
	}
	return nil
}

// ask puts a question to a session, which goes back or is closed.
func (p *pool) ask(ctx context.Context, s *session, q *question) (*Output, error) {
	kept := false
	defer func() {
		if !kept && !s.closed {
			s.close(nil)
		}
	}()
	inTime, stop := context.WithCancel(ctx)
	late := p.probe(q)
	late.spawn = func() (*Output, error) { return p.tool.spawn(inTime, p.runner, q) }
	out, wrong := p.answer(ctx, s, q, late)
	if wrong == nil {
		stop()
	}
	// The fresh process runs on the core of this call, so it must end first.
	if late.done != nil {
		<-late.done
	}
	stop()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.last = &ticket{pool: p, session: s, q: q}
	if wrong != nil {
		kind := outcome.Class{Finding: wrong.Class}
		if wrong.Class == "" && out != nil {
			kind = out.Signature(strings.TrimPrefix(q.String(), "the formula "))
		}
		if alive := !s.closed && !s.lost; alive && p.isUsual(kind) {
			if wrong.Class != "" {
				out.odd(wrong.Class, wrong.Text)
			}
			out.Alone = wrong.Class == "" // no other formula is to blame
			out.ticket = s.last
			kept = p.put(s)
			return out, nil
		}
		// The answer of the fresh process counts in any case. If it has the same fault, the fault
		// is the tool's way, and this process may live on.
		fresh, stable, err := p.again(ctx, q, wrong, late)
		switch {
		case err != nil || s.closed:
		case stable:
			p.mu.Lock()
			p.usual[kind] = true
			p.mu.Unlock()
			s.last.settled = true
			kept = !s.lost && p.put(s)
		default:
			p.end(s, nil, string(outcome.Unstable))
		}
		return fresh, err
	}
	out.ticket = s.last
	kept = p.put(s)
	return out, nil
}

// probe returns the probe of a question. It begins later for a tool that has been slow.
func (p *pool) probe(q *question) *probe {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &probe{patience: min(max(patience, 4*p.slowest), q.bound(p.tool.Limits).withDefaults().Timeout/4), second: p.late}
}

// answered notes how long an answer took. The tool does not flush if no answer comes before its input is
// closed, even if that comes later the second time.
func (p *pool) answered(out *Output, s *session, late *probe) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowest = max(p.slowest, out.Wall)
	p.late, p.prompt = p.late || s.ended, p.prompt || !s.ended
	if p.held = p.held || s.ended && late.second && !p.prompt; p.held && s.ended {
		out.odd(unflushed.Class, unflushed.Text)
	}
}

// isUsual reports whether fresh processes show this, too.
func (p *pool) isUsual(kind outcome.Class) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.usual[kind]
}

// answer returns what a session answers, or what is wrong with that: with a class if it
// is odd, and without one if there is no automaton.
func (p *pool) answer(ctx context.Context, s *session, q *question, late *probe) (out *Output, wrong *Oddity) {
	defer p.runner.Cores().Begin(p.tool.Name, q.String)()
	line := q.texts[p.tool.onStdin()] + "\n"
	// The time and the processor time are of this question alone.
	s.Limits.Timeout = q.bound(p.tool.Limits).Timeout
	before, cpu, start := s.answered, s.Clock(), time.Now()
	answer, why := s.ask(ctx, line, late)
	out = &Output{Outcome: Outcome{Status: outcome.OK, Command: p.tool.Command.piped(line, s.line), Wall: time.Since(start), CPU: s.Clock() - cpu}}
	// A process that answers at once was not looked at while it worked.
	if why == nil && before%lookEach == 0 {
		why = s.Over(s.Parent())
	}
	if why != nil && ctx.Err() != nil {
		s.close(why)
		return nil, nil
	}
	if why != nil {
		o := s.close(why)
		p.count(string(o.Status))
		return nil, &Oddity{"", fmt.Sprintf("%s: %s: %s", s.had(before), o.Status, o.Detail)}
	}
	out.MaxRSS = s.Peak
	// Text behind the automaton may have come with it.
	switch wrong = s.leftover(); {
	case s.ended: // it can't be asked again
		p.end(s, nil, "slow")
	case s.lost:
		wrong = p.abandon(s, wrong)
	}
	out.read(ctx, answer, q, p.tool)
	p.answered(out, s, late)
	if wrong == nil {
		wrong = out.misplaced()
	}
	if out.Status != outcome.OK && out.Status != outcome.Unsupported {
		wrong = &Oddity{"", fmt.Sprintf("%s: %s: %s", s.had(before), out.Status, out.Detail)}
	}
	return out, wrong
}

// had begins a sentence about a process that answered n formulas before.
func (s *session) had(n int) string {
	return fmt.Sprintf("a process that had answered %d formulas before", n)
}

// put makes a session idle, unless it is to be asked no more: then it returns false.
func (p *pool) put(s *session) bool {
	if s.closed {
		return false
	}
	if s.answered == maxAnswers {
		p.count(fmt.Sprintf("%d answers", maxAnswers))
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.distrusted {
		return false
	}
	p.idle = append(p.idle, s)
	return true
}

// again tries a formula in a fresh process, unless one has done that. wrong says what was wrong with
// the answer of one that had others before; its class is "" if there was no automaton. stable is set
// if the fresh process did the same.
func (p *pool) again(ctx context.Context, q *question, wrong *Oddity, late *probe) (fresh *Output, stable bool, err error) {
	if late != nil {
		fresh = late.out
	}
	if fresh == nil {
		if fresh, err = p.tool.spawn(ctx, p.runner, q); err != nil {
			return nil, false, err
		}
	}
	stable = !fresh.unlike(wrong.Class, wrong.Text)
	return fresh, stable, nil
}

// Settle confirms an output; call it as late as possible before using the output. If the
// process has printed more than its answer in the meantime, or has crashed, a fresh process
// replaces the output.
func (out *Output) Settle(ctx context.Context) error {
	t := out.ticket
	if t == nil {
		return nil
	}
	r := t.pool.runner.host
	if err := r.Join(); err != nil {
		return err
	}
	defer r.Part()
	// The process was idle and is of no use any more: nobody else will notice.
	found, lost := t.settle()
	if lost {
		found = t.pool.abandon(t.session, found)
	}
	if found == nil {
		return nil
	}
	if kind := (outcome.Class{Finding: found.Class}); !lost && t.pool.isUsual(kind) {
		out.odd(found.Class, found.Text)
		return nil
	}
	if err := r.Occupy(ctx); err != nil {
		return err
	}
	defer r.Cores().Release(process.Call)
	fresh, stable, err := t.pool.again(ctx, t.q, found, nil)
	if err != nil {
		return err
	}
	// Other answers of that process may be wrong, too.
	if !stable {
		out.Distrust()
	}
	*out = *fresh
	return nil
}

// settle returns what has come after the answer, nil for nothing, and whether the session is of no
// use any more, and nobody else has it.
func (t *ticket) settle() (found *Oddity, lost bool) {
	p := t.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.settled {
		return nil, false
	}
	t.settled = true
	if slices.Contains(p.idle, t.session) && t.session.last == t {
		t.after = t.session.leftover()
		lost = t.session.lost && p.remove(t.session)
	}
	return t.after, lost
}

// Distrust stops the process that gave this output, because it may have lost count. Call it if
// a fresh process gives another automaton.
func (out *Output) Distrust() {
	t := out.ticket
	if t == nil || t.pool.runner.host.Join() != nil {
		return
	}
	defer t.pool.runner.host.Part()
	// The process may be at work for somebody else: then it ends when it is given back.
	t.pool.mu.Lock()
	first := !t.session.distrusted
	t.session.distrusted = true
	idle := t.pool.remove(t.session)
	t.pool.mu.Unlock()
	if first {
		t.pool.count(string(outcome.Unstable))
	}
	if idle {
		t.session.close(nil)
	}
}

// remove makes a session no longer idle, and reports whether it was.
func (p *pool) remove(s *session) bool {
	n := len(p.idle)
	p.idle = slices.DeleteFunc(p.idle, func(other *session) bool { return other == s })
	return len(p.idle) < n
}
