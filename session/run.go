package session

import (
	"context"
	"errors"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/cross/triage"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/report"
	"github.com/xcheck-ltl/xcheck/translators"
)

// A Result is what a run leads to.
type Result struct {
	Status  outcome.ExitStatus
	Summary *report.Summary // the totals
	// Closing, if not nil, tells when the tools have ended that still ran when the context was
	// done. A Run does not wait for these.
	Closing <-chan error
}

// Run runs a plan. Besides the reports that its configuration names, the sinks get the results.
// They get them in the order of the inputs, but if the output is verbose, others may overtake a
// slow one. They are called by one goroutine.
//
// The result is nil if the run could not start; then nothing was written, and the history is as
// before. Otherwise the reports are complete, and the error says what ended the run, or what could
// not be written: the status is Broken then, unless the run was interrupted. When ctx is done, Run
// completes the reports with what was checked until then, which takes some milliseconds. A run that
// is stored can resume. Run changes the configuration of the plan: it sets the seed and the
// deadline.
func Run(ctx context.Context, p *Plan, sinks ...report.Sink) (*Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // whatever still waits for an input
	s, err := begin(ctx, p, sinks)
	if err != nil {
		return nil, err
	}
	defer s.period.cancel(nil)
	err = s.check()
	err = errors.Join(err, s.unread())
	for _, text := range s.runner.Faults() {
		s.note("%s", text)
	}
	err = errors.Join(err, s.reports.causes.end(s.period, err == nil))
	for _, text := range s.runner.Restarts() {
		s.note("%s", text)
	}
	closing, err2 := closeRunner(ctx, s.runner)
	err = s.reports.end(errors.Join(err, err2), int(s.feed.duplicates.Load()))
	return &Result{Status: s.reports.summary.Counts.Status, Summary: s.reports.summary, Closing: closing}, err
}

// A session is one call of Run.
type session struct {
	*Plan
	ctx     context.Context
	options cross.Options
	runner  *translators.Runner
	stored  *storedRun // nil if the run is not stored
	period  *period
	feed    *feed
	reports *reporter
	live    *live // nil if progress is not shown
}

// begin opens everything that a run needs. With an error, all is as it was.
func begin(ctx context.Context, p *Plan, sinks []report.Sink) (*session, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	if p.versions(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	runner, err := p.runner()
	if err != nil {
		return nil, err
	}
	s := &session{Plan: p, ctx: ctx, runner: runner, options: p.options(runner)}
	if s.stored, err = p.store(ctx, &s.options); err != nil {
		return nil, errors.Join(err, runner.Close())
	}
	s.period = p.period(ctx)
	s.feed, err = p.feed(ctx, s.stored, s.period)
	if err == nil && p.Config.Output.SaveProofs != "" {
		s.options.SaveProof, err = p.proofSaver()
	}
	if err == nil {
		err = s.reporter(sinks)
	}
	if err != nil {
		s.period.cancel(nil)
		return nil, errors.Join(err, s.stored.abandon(), runner.Close())
	}
	s.stored.noteStart()
	s.options.Store = s.keep
	if s.Progress != nil {
		s.live = &live{kinds: triage.New(triage.Options{}), early: map[int]*outcome.Case{}, progress: s.Progress}
		s.options.Early = s.live.tell
	}
	s.reports.causes = s.causes()
	if s.reports.automata != nil {
		s.options.Save = s.reports.automata.save
	}
	s.watch()
	return s, nil
}

// keep takes a case as soon as it is complete.
func (s *session) keep(c *outcome.Case) error {
	if s.feed.guide != nil {
		s.feed.guide.Answer(c)
	}
	if s.stored != nil {
		if err := s.stored.run.Add(c); err != nil {
			return err
		}
	}
	return s.live.add(c)
}

// check checks the inputs. It is no error that the run was interrupted, or stopped by its rules.
func (s *session) check() error {
	err := s.period.announce(s.Announce)
	if err == nil {
		err = s.period.run(s.options, s.feed.next, s.reports.add)
	}
	if errors.Is(err, errStopped) {
		err = nil // nor is that
	}
	err = errors.Join(err, s.reports.order.flush())
	t := &s.reports.summary.Counts
	if over := s.period.end(t, s.feed); err == nil {
		err = over
	}
	nothing := t.Formulas == 0 && (s.Automata == nil || t.Unreadable == 0)
	if err == nil && nothing && s.Shard.whole() {
		err = s.noInputs()
	}
	if s.ctx.Err() != nil && isCanceled(err) {
		err = nil // no error, but a state of the report
	}
	return err
}

func isCanceled(err error) bool { return errors.Is(err, context.Canceled) }

// unread finds out whether there are inputs that were not asked for. If those that were checked
// were given otherwise, that is a note; if the run went on without them, an error.
func (s *session) unread() error {
	if s.Unread == nil {
		return nil
	}
	unread, err := s.Unread()
	if unread {
		s.reports.summary.Counts.Unread = true
		s.note("standard input was not read; add -F - to check it as well")
	}
	return err
}

// watch starts to show progress.
func (s *session) watch() {
	p := s.Progress
	if p == nil {
		return
	}
	p.Total = s.Shard.Count(s.feed.total + s.stored.replayed())
	p.Deadline = s.period.deadline()
	cores := s.runner.Cores()
	p.Longest = func() (string, time.Time) {
		work, ok := cores.Longest()
		if !ok {
			return "", time.Time{}
		}
		who := work.Tool
		if who == "" {
			who = "checks"
		}
		return who + " on " + work.About(), work.Since
	}
	p.Update(s.reports.summary, 0)
	p.Start()
}

// closing is how long a runner may take to close when the run is interrupted, before the reports
// are written.
const closing = 40 * time.Millisecond

// closeRunner closes a runner. If it takes long when the run is interrupted, it returns what tells
// when that is done.
func closeRunner(ctx context.Context, r *translators.Runner) (<-chan error, error) {
	closed := make(chan error, 1)
	go func() { closed <- r.Close() }()
	select {
	case err := <-closed:
		return nil, err
	case <-ctx.Done():
	}
	select {
	case err := <-closed:
		return nil, err
	case <-time.After(closing):
		return closed, nil
	}
}
