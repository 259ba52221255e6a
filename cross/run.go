package cross

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/emptiness"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/productcheck"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Options say what a run does with each formula.
type Options struct {
	Tools  []*translators.Tool
	Runner *translators.Runner // its Cores are for processes and checks
	// Reference makes the automata that those of the tools are compared with first,
	// unless one of the tools is a reference that gave both automata, or Reference is
	// nil. What it says is certified like what the tools say.
	Reference Translation
	// AllPairs does every check for itself instead of by classes.
	AllPairs bool
	// Words is the number of random words that each automaton is compared with
	// its formula on.
	Words int
	// Audit is the share of the passed checks that are decided again in another way; 0 is
	// none, and otherwise at least one of each run is.
	Audit float64
	// Complemented says that tools that are given an automaton make its complement;
	// otherwise they make another one of its language.
	Complemented bool
	// Properties tests the properties that automata declare.
	Properties bool
	// NoComplement leaves out the checks that need a complement: two automata are only
	// looked at for words that they must not share, on words, and in products.
	NoComplement bool
	// NoChecks leaves out all checks: the translators are run on the formulas, not on
	// their negations, and the automata are measured.
	NoChecks bool
	Products Products
	// Save, if there is one, is given the automata of each case in which something is
	// wrong (see [Case.Wrong]): a tool's positive, its negative, the next's, and last
	// those of the reference. Those that there are not are nil. It is called before
	// the case is emitted, by many goroutines. An error of it ends the run.
	Save func(c *Case, automata []*omega.Automaton) error
	// Store, if there is one, is given each case as soon as it is complete, before those that
	// come before it, by many goroutines. An error of it ends the run.
	Store func(c *Case) error
	// Statistics says what is found out of each automaton beside its sizes.
	Statistics Statistics
	Limits     productcheck.Limits
	// CaseTime bounds all that is done with what the tools gave for one input: reductions,
	// the reference's translation, checks, properties, words and explanations. 0 is no limit.
	CaseTime time.Duration
	// Complement is the construction for all complements, or "" for the one that
	// fits best.
	Complement complement.Algorithm
	// Emptiness is the emptiness check to use where it applies, or "" for the one
	// that always applies.
	Emptiness emptiness.Algorithm
}

// An Input is a formula to check, or an automaton to give to tools. Seed is set for a
// random one.
type Input struct {
	Formula *ltl.Formula
	Seed    *uint64
	// Automaton is given instead of a formula. It (and its alphabet) is for this case
	// only. Source says where it comes from.
	Automaton *omega.Automaton
	Source    string
	// Text is given instead of a formula, or of the automaton from Source, if it is none,
	// with the reason (and its place) in Err: the case is that, and the run goes on.
	Text string
	Err  error
	// Skipped is how many inputs before this one are left to others: its index is so much
	// greater.
	Skipped int
	// Replayed says that something failed on the input in an earlier run.
	Replayed bool
	// Done is the case of this input, if it is known: it is emitted as it is, in its turn, and no
	// tool is asked.
	Done *Case
}

// Run checks the formulas that next returns until it says io.EOF (or anything
// else, which ends the run with that error), and gives each Case to emit. Cases are
// run in parallel; what they contain (apart from times) does not depend on how many.
//
// Cases are emitted in the order of the formulas. But one for which others have waited
// for five seconds, or of which 1000 are complete behind it, does not stop them: then
// these come first. What
// is kept in memory is bounded, however many formulas there are: some 1000 complete
// cases, and those under way, of which there are fewer when the automata are large.
//
// An error with one formula is recorded in its case, and the run continues, even
// after a panic. Only an internal error that every formula would meet ends the run:
// no process can be started, or no temporary file written.
//
// When ctx is done, cases that are not complete are dropped, the others are
// still emitted, and Run returns the context's error. A call of next that is under
// way when the run ends is not waited for: it may be waiting for a user.
func Run(ctx context.Context, o Options, next func() (Input, error), emit func(*Case) error) error {
	r := newRun(&o, o.most(o.Runner.Cores().Len()), emit)
	watched, unwatch := context.WithCancel(ctx)
	defer unwatch()
	go r.room.watch(watched)
	workers, inner := errgroup.WithContext(ctx)
	source := r.start(inner, workers, next)
	err := workers.Wait()
	err = errors.Join(source, err, r.flow.end())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// newRun returns a run of which at most so many cases are under way.
func newRun(o *Options, most int, emit func(*Case) error) *run {
	cores := o.Runner.Cores()
	r := &run{Options: o, cores: cores, last: make(chan struct{}), flow: newFlow(cores.Len(), most, emit),
		room: room{limit: o.Limits.Memory * int64(cores.Len())}}
	r.translate = func(ctx context.Context, tool *translators.Tool, f *ltl.Formula, timeout time.Duration) (*translators.Output, error) {
		return tool.TranslateWithin(ctx, o.Runner, f, timeout)
	}
	r.alone = func(ctx context.Context, tool *translators.Tool, f *ltl.Formula, timeout time.Duration) (*translators.Output, error) {
		return tool.AloneWithin(ctx, o.Runner, f, timeout)
	}
	return r
}

// most returns how many cases may be under way on n cores: enough for these to be
// busy whatever single formulas take, and more if some tool is kept alive.
func (o *Options) most(n int) int {
	most := 2 * n
	for _, t := range o.Tools {
		switch t.Mode {
		case translators.Stream:
			most = max(most, 4*n, streamed)
		case translators.Batch:
			most = max(most, 4*n, batched)
		}
	}
	return most
}

// A run is one call of Run.
type run struct {
	*Options
	cores *translators.Cores
	flow  *flow
	room  room
	// last is closed when there are no more formulas, and at most one is under way.
	last     chan struct{}
	mu       sync.Mutex
	underway int
	ended    bool // there are no more formulas
	// How tools are asked: by TranslateWithin and AloneWithin of them.
	translate, alone askFunc
}

// An askFunc asks a tool. A timeout of 0 stands for the tool's own.
type askFunc func(ctx context.Context, tool *translators.Tool, f *ltl.Formula, timeout time.Duration) (*translators.Output, error)

// count notes that a formula has come, or is done, or that there are no more.
func (r *run) count(change int, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.ended && r.underway <= 1
	r.underway += change
	r.ended = r.ended || ended
	if !before && r.ended && r.underway <= 1 {
		close(r.last)
	}
}

// start starts a worker for each formula, until there are no more or a worker has
// failed. The error is that of next.
func (r *run) start(ctx context.Context, workers *errgroup.Group, next func() (Input, error)) error {
	defer r.count(0, true)
	for i := 0; ; i++ {
		if r.flow.start(ctx, i) != nil {
			return nil
		}
		in, err := ask(ctx, next)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if in.Skipped > 0 {
			i += in.Skipped
			r.flow.moves(i)
		}
		r.count(1, false)
		workers.Go(func() error {
			defer r.count(-1, false)
			c, err := r.examine(ctx, i, in)
			if err == nil && r.Store != nil {
				err = r.Store(c)
			}
			if err != nil {
				return err
			}
			return r.flow.finish(c)
		})
	}
}

// ask calls next, and waits for it until ctx is done.
func ask(ctx context.Context, next func() (Input, error)) (Input, error) {
	type answer struct {
		in  Input
		err error
	}
	answers := make(chan answer, 1)
	go func() {
		in, err := next()
		answers <- answer{in, err}
	}()
	select {
	case a := <-answers:
		return a.in, a.err
	case <-ctx.Done():
		return Input{}, ctx.Err()
	}
}
