package session

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/internal/ltl/spelling"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/random"
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
// The result is nil if the run could not start; then nothing was written, and the history is as before.
// Otherwise the reports are complete, and the error says what ended the run, or what could not be written:
// the status is Broken then, unless the run was interrupted. When ctx is done, Run completes the reports with
// what was checked until then, which takes some milliseconds. A run that is stored can resume. Run changes
// the configuration of the plan: it sets the seed and the deadline.
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
}

// begin opens everything that a run needs. With an error, all is as it was.
func begin(ctx context.Context, p *Plan, sinks []report.Sink) (*session, error) {
	if err := p.ready(); err != nil {
		return nil, err
	}
	if len(p.Tools) == 0 {
		return nil, errors.New("the plan has no tools: call Choose")
	}
	reported := func(f report.Format) bool { return f.Provenance && p.Config.Output.Reports[f.Name] != "" }
	if slices.ContainsFunc(report.Formats(), reported) || p.Config.History.File != "" {
		p.askVersions(ctx)
	}
	if ctx.Err() != nil {
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
	s.stored.noteStart() // nothing can prevent the run any more
	s.options.Store = s.keep
	if s.Progress != nil {
		s.options.Early = func(c *outcome.Case) { s.tell(c) } // an error comes again with the complete case
	}
	for _, sink := range sinks {
		if w, ok := sink.(watcher); ok {
			s.reports.watchers, s.options.Running = append(s.reports.watchers, w), s.reports.running
		}
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
	c.CSV = s.listing()
	if s.stored != nil {
		if err := s.stored.run.Add(c); err != nil {
			return err
		}
	}
	return s.tell(c)
}

// check checks the inputs. It is no error that the run was interrupted, or stopped by its rules.
func (s *session) check() error {
	var err error
	// So the random formulas are known even if the run is killed.
	if p := s.period; s.Announce != nil && (p.drawn || !p.deadline().IsZero()) {
		err = s.Announce(p.random.Seed, p.deadline())
	}
	if err == nil {
		err = s.period.run(s.options, s.feed.next, s.reports.add)
	}
	if errors.Is(err, errStopped) {
		err = nil // nor is that
	}
	err = errors.Join(err, s.reports.order.flush())
	t := &s.reports.summary.Counts
	if over := s.period.end(t, s.feed); err == nil { // after an error, too: it completes the counts
		err = over
	}
	nothing := t.Formulas == 0 && (s.Automata == nil || t.Unreadable == 0)
	if err == nil && nothing && s.Shard.whole() { // a shard may have no input
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

// closing is how long a runner may take to close when the run is interrupted, before the reports are written.
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

// A feed gives a run the inputs of its shard until the deadline, starting with replayed ones. When
// a run resumes, it adds the stored cases of the inputs that were done before.
type feed struct {
	ctx    context.Context
	inputs Inputs
	total  int // 0 if it is not known
	shard  Shard
	stored *storedRun // nil if the run is not stored
	period *period

	number int  // of the last input, in all shards
	redone bool // the next input was begun before the run resumed

	// speller spells the formulas as ltlcross does, which depends on those that come before; nil if no
	// report needs it
	speller    *spelling.Speller
	duplicates atomic.Int64 // formulas left out because they came before
	timeUp     atomic.Bool  // the deadline ended the inputs
	exhausted  atomic.Bool  // all different random inputs were drawn
}

// feed opens the inputs of a plan.
func (p *Plan) feed(ctx context.Context, stored *storedRun, period *period) (*feed, error) {
	f := &feed{ctx: ctx, shard: p.Shard, stored: stored, period: period, number: -1} // number is the last input
	var err error
	if p.Inputs != nil {
		f.inputs = p.Inputs
	} else if p.Automata != nil {
		f.inputs, f.total, err = p.automata()
	} else {
		f.inputs, f.total, err = p.formulas(func() { f.duplicates.Add(1) })
	}
	if err != nil {
		return nil, err
	}
	if stored != nil {
		f.inputs = Concat(stored.replays(), f.inputs) // earlier failures come first
	}
	return f, nil
}

// next returns the next input. The time of the run begins with the first input that is not redone.
func (f *feed) next() (cross.Input, error) {
	in, err := f.ofShard()
	if !f.redone {
		f.period.bound()
	}
	return in, err
}

// ofShard returns the next input of the shard, with its case if that is stored. Shard 2/4 passes
// over input 0, returns 1 with Skipped = 1, and then 5 with Skipped = 3.
func (f *feed) ofShard() (cross.Input, error) {
	for skipped := 0; ; skipped++ {
		f.redone = f.stored != nil && f.number < f.stored.run.Last()
		in, err := f.inTime()
		if err != nil {
			return in, err
		}
		f.number++
		mine := f.shard.Has(f.number)
		// Before other shards are left out: a spelling depends on all formulas before.
		if f.speller != nil && in.Formula != nil {
			in.Line = &outcome.LogLine{}
			in.Line.Formula, in.Line.Negation = f.speller.Spell(in.Formula)
		}
		if !mine {
			continue
		}
		in.Skipped = skipped
		if f.stored != nil && f.stored.run.Has(f.number) {
			err = f.stored.known(f.ctx, f.number, &in)
		}
		return in, err
	}
}

// inTime returns the next input until the deadline, or until all random inputs were drawn. A run
// that resumes redoes the inputs that it has begun, even after the deadline.
func (f *feed) inTime() (cross.Input, error) {
	deadline := f.period.deadline()
	if deadline.IsZero() {
		return f.inputs(f.ctx)
	}
	ctx := f.ctx
	if !f.redone {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	in, err := f.inputs(ctx)
	switch {
	case err == io.EOF:
	case !f.redone && !time.Now().Before(deadline) || errors.Is(err, context.DeadlineExceeded):
		f.timeUp.Store(true)
		return cross.Input{}, io.EOF
	case errors.Is(err, ltl.ErrExhausted), errors.Is(err, random.ErrExhausted):
		f.exhausted.Store(true)
		return cross.Input{}, io.EOF
	}
	return in, err
}

// An inOrder passes cases on in the order of their indexes. They come nearly in that order, because
// other cases overtake one that takes long. If 0, 2 and 1 come, 0 is passed on at once; 2 waits for
// 1, and is passed on after it.
type inOrder struct {
	shard   Shard
	pass    func(*outcome.Case) error
	next    int             // the index of the case to pass on next
	waiting []*outcome.Case // the later cases that have come, by their indexes
	failed  bool            // whether pass has failed
}

// maxWaiting is the maximum number of cases that wait for a slow one. Each takes a few kilobytes.
const maxWaiting = 10000

// add takes a case, and passes on all cases whose turn it is. After an error of pass, it passes on
// nothing more.
func (o *inOrder) add(c *outcome.Case) error {
	i, _ := slices.BinarySearchFunc(o.waiting, c.Index, func(x *outcome.Case, index int) int { return x.Index - index })
	o.waiting = slices.Insert(o.waiting, i, c)
	for len(o.waiting) > 0 {
		first := o.waiting[0].Index
		if first > o.next && len(o.waiting) <= maxWaiting {
			break // an earlier case will come
		}
		if err := o.passFirst(); err != nil {
			return err
		}
	}
	return nil
}

// flush passes on all waiting cases, when no more cases come.
func (o *inOrder) flush() error {
	for len(o.waiting) > 0 {
		if err := o.passFirst(); err != nil {
			return err
		}
	}
	return nil
}

func (o *inOrder) passFirst() error {
	c := o.waiting[0]
	o.waiting = slices.Delete(o.waiting, 0, 1)
	if o.failed {
		return nil
	}
	o.next = max(o.next, o.shard.after(c.Index))
	err := o.pass(c)
	o.failed = err != nil
	return err
}
