package cross

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/xcheck-ltl/xcheck/certify"
	"github.com/xcheck-ltl/xcheck/complement"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
	"github.com/xcheck-ltl/xcheck/translators"
)

// Options say what a run does with each formula.
type Options struct {
	Tools  []*translators.Tool
	Runner *translators.Runner // its Cores are for processes and checks
	// Reference makes the automata that the tools are compared with first. It is not used if a
	// tool is a reference and gave both automata, or if it is nil. Its automata are certified
	// like the automata of the tools.
	Reference Translation
	// AllPairs checks every pair instead of classes.
	AllPairs bool
	// Words is the number of random words on which each automaton is compared with its formula.
	Words int
	// Exhaustive is the size up to which each automaton is compared with its formula on all
	// words; see package exhaustive. A limit of steps may make it smaller. 0 means none, and
	// [Cheap] a size that costs little.
	Exhaustive int
	// Prove says which automata are proved to accept what their formula, or the given automaton, says.
	Prove Proving
	// SaveProof, if set, gets each proof. Many goroutines call it, before the case is emitted. An automaton
	// whose proof is certify.ErrLarge, or is not saved when the context is done, counts as not proved. So does
	// one whose proof is refused, which is an internal error. Another error ends the run.
	SaveProof func(ctx context.Context, c *outcome.Case, s outcome.Subject, p *certify.Proof) error
	// Complemented says that tools that get an automaton print its complement. Otherwise they
	// print one of its language. If they are Unrelated, they are compared with each other only.
	Complemented, Unrelated bool
	// Properties checks the declared properties of automata. It also asks a tool that fails with odd names of
	// propositions again with others: if it is right then, the names are a finding.
	Properties bool
	// NoComplement leaves out checks that need a complement. Automata are then checked for
	// words that they must not share, on words, and in products.
	NoComplement bool
	// NoChecks leaves out all checks. The translators run on the formulas, not on the
	// negations, and the automata are measured.
	NoChecks bool
	// Readings asks each tool for a few small formulas without parentheses, to find out how it groups
	// operators.
	Readings bool
	Products Products
	// Save, if set, gets the automata of each case in which something is wrong (see [outcome.Case.Wrong]),
	// the reference's too. Many goroutines call it, before the case is emitted. An error ends the run.
	Save func(c *outcome.Case, automata map[outcome.Subject]*omega.Automaton) error
	// Store, if set, gets each case as soon as it is complete, in any order. Many goroutines
	// call it. An error ends the run.
	Store func(c *outcome.Case) error
	// Early, if set, gets the first failure of each kind before its case is complete, if that takes long:
	// a case with some of the answers, and any words. A kind that it is not told of is in a complete
	// case. Many goroutines call it.
	Early func(c *outcome.Case)
	// Running, if set, gets a case again and again while its calls are under way. The results of those that have
	// not ended have no status, and no line before they start. All tools are asked for the formula first, in
	// order. It is called for one case at a time, and not while a case is emitted.
	Running func(c *outcome.Case)
	// Statistics says what is computed for each automaton besides its sizes.
	Statistics Statistics
	Limits     omega.Limits // of a check
	// CaseTime limits everything after the tools have answered, for one input: reductions, the
	// reference's translation, checks, properties, words and explanations. 0 means five times
	// Limits.Time, and a negative number no limit.
	CaseTime time.Duration
	// Complement is the construction for all complements. If it is "", the best one is chosen.
	Complement complement.Algorithm
}

// An Input is a formula to check, or an automaton to give to tools. Seed is set for a random one.
type Input struct {
	Formula *ltl.Formula
	// Negation is another way to write the negation of Formula; nil for the formula with a "!".
	Negation *ltl.Formula
	Seed     *uint64
	// Automaton is given instead of a formula, and Source says where it comes from. No other
	// case may use the automaton or its alphabet.
	Automaton *omega.Automaton
	Source    string
	Span      string // see [outcome.Given]
	// Text is given instead of a formula or an automaton that can't be read, with the reason
	// and the position in Err. It becomes a case of its own, and the run continues.
	Text string
	Err  error
	// Skipped is the number of inputs before this one that other shards have. It is added to the index.
	Skipped int
	// Line becomes the Line of the case.
	Line *outcome.LogLine
	// Replayed says that the input repeats a failure of an earlier run.
	Replayed bool
	// Done is the case of this input, if it is known. It is emitted unchanged, in order, and
	// no tool is called.
	Done *outcome.Case
}

// Run checks the formulas that next returns, and passes each Case to emit. It ends when next
// returns io.EOF; another error of next ends the run with that error. Cases run in parallel.
// Their contents, except times, do not depend on how many do.
//
// Cases are emitted in the order of the formulas. But a case does not hold up others for more than five
// seconds, or more than 1000 of them. Memory is limited for any number of formulas: about 1000 complete
// cases, and the cases under way. Fewer are under way if the automata are large.
//
// If something fails on one formula, even with a panic, its case says so, and the run continues. Internal
// errors that would affect all formulas end the run: no process can be started, or no temporary file written.
//
// When ctx is done, Run drops incomplete cases, emits the others, and returns the context's
// error. It does not wait for a call of next, which may be waiting for a user.
func Run(ctx context.Context, o Options, next func() (Input, error), emit func(*outcome.Case) error) error {
	if o.Runner == nil {
		return errNoRunner
	}
	r := newRun(&o, o.most(o.Runner.Cores().Len()), emit)
	watched, unwatch := context.WithCancel(ctx)
	defer unwatch()
	go r.room.watch(watched)
	workers, inner := errgroup.WithContext(ctx)
	source := r.start(inner, workers, next)
	err := workers.Wait()
	err = errors.Join(source, err, r.flow.end())
	if ctx.Err() != nil { // other errors only follow from it
		return ctx.Err()
	}
	return err
}

var errNoRunner = errors.New("no runner of translators given")

// caseChecks is the default time limit of a case, in units of the time limit of a check.
const caseChecks = 5

// newRun returns a run of which at most so many cases are under way.
func newRun(o *Options, most int, emit func(*outcome.Case) error) *run {
	cores := o.Runner.Cores()
	if o.Limits = o.Limits.WithDefaults(); o.CaseTime == 0 {
		o.CaseTime = caseChecks * o.Limits.Time
	}
	return &run{Options: o, cores: cores, flow: newFlow(cores.Len(), most, emit),
		room: room{limit: o.Limits.Memory * int64(cores.Len())}, told: newTold(waits),
		translate: (*translators.Tool).Translate, alone: (*translators.Tool).Alone}
}

// most returns how many cases may be under way on n cores: enough for these to be
// busy whatever single formulas take, and more if some tool is kept alive.
func (o *Options) most(n int) int {
	most := 2 * n
	for _, t := range o.Tools {
		if t.Mode == translators.Stream {
			most = max(most, 4*n, streamed)
		}
	}
	return most
}

// Select returns the tools that keep selects. The options that drawn returns replace the options
// that a tool draws. A nil keep selects all tools, and a nil drawn returns no options.
func (o *Options) Select(keep func(*translators.Tool) bool, drawn func(tool string) []string) (list []*translators.Tool, err error) {
	for _, t := range o.Tools {
		if keep != nil && !keep(t) {
			continue
		}
		if len(t.Options) > 0 {
			var options []string
			if drawn != nil {
				options = drawn(t.Name)
			}
			if t, err = t.With(options); err != nil {
				return nil, err
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// A run is one call of Run.
type run struct {
	*Options
	cores            *process.Cores
	flow             *flow
	room             room
	proofs           atomic.Int64 // the processor time of all proofs, in nanoseconds
	translate, alone askFunc      // the tools' methods
	told             *told
}

// An askFunc asks a tool. A timeout of 0 stands for the tool's own.
type askFunc func(*translators.Tool, context.Context, *translators.Runner, *ltl.Formula, time.Duration) (*translators.Output, error)

// start starts a worker for each formula, until there are no more or a worker has failed.
// The error comes from next.
func (r *run) start(ctx context.Context, workers *errgroup.Group, next func() (Input, error)) error {
	for {
		i, err := r.flow.start(ctx)
		if err != nil { // Run reports why
			return nil
		}
		in, err := unlessDone(ctx, next)
		if ctx.Err() != nil || err != nil {
			r.flow.noMore()
			if ctx.Err() != nil || err == io.EOF {
				return nil
			}
			return err
		}
		r.flow.skip(in.Skipped)
		i += in.Skipped // skipped formulas have numbers too
		workers.Go(func() error {
			c, err := r.examine(ctx, i, in)
			if err == nil {
				r.told.fresh(c)
			}
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
