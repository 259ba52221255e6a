package cross

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A wrong answer must not wait for slow answers or slow checks of its case. So a run reports the first
// failure of each kind early:
//
//   - when an answer has waited for others, or for a core, for some time: then the answers that have come
//     make a case of their own, which is checked in a hurry,
//   - when a short word or a check shows it, and other checks of the case go on.
const (
	// waits is how long an answer waits until it is looked at without the others, and hurry how long
	// that may take. With the two seconds of package report for a line in a log, this is less than five.
	waits = time.Second
	hurry = time.Second
)

// told has the kinds of failures that Early was told of, or that complete cases have shown.
type told struct {
	after time.Duration // waits, but in tests
	turn  chan struct{} // held by the only case that is checked in a hurry: it has no core
	mu    sync.Mutex
	keys  map[outcome.Key]bool
}

func newTold(after time.Duration) *told {
	return &told{after: after, turn: make(chan struct{}, 1), keys: map[outcome.Key]bool{}}
}

// fresh reports whether a case shows a failure of a kind that none before has shown.
func (t *told) fresh(c *outcome.Case) (fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range c.Faults() {
		fresh = fresh || !t.keys[f.Key()]
		t.keys[f.Key()] = true
	}
	return fresh
}

// early checks the answers to some calls without the others, and without a core. Nobody else may use
// their automata meanwhile. When ctx is done, it returns.
func (x *caseRun) early(ctx context.Context, come []int) {
	if x.Early == nil || x.given != nil || x.NoChecks {
		return
	}
	select {
	case x.told.turn <- struct{}{}:
		defer func() { <-x.told.turn }()
	case <-ctx.Done():
		return
	}
	y := &caseRun{run: x.run, index: x.index, seed: x.seed, quick: true, store: ltl.NewStore(), stage: new(stage), words: map[string]*omega.Word{}}
	y.formula = y.store.Import(x.formula)
	c := y.newCase()
	for i := range x.calls {
		a := call{Subject: x.calls[i].Subject, tool: x.calls[i].tool, out: instead(outcome.Skipped, "not awaited")}
		if slices.Contains(come, i) {
			a.out = x.calls[i].out
		}
		y.calls = append(y.calls, a)
		c.Results = append(c.Results, newResult(&a, c.Formula))
	}
	inTime, cancel := limited(ctx, hurry, errCaseTime)
	defer cancel()
	// Errors are not reported here: the whole case has them again.
	if panicked, err := guard.Call(func() error { return y.fill(ctx, inTime, c) }); panicked == "" && (err == nil || late(inTime)) && x.told.fresh(c) {
		x.Early(c)
	}
}

// awaited waits for the end of wait; it gets the numbers of the calls that have an answer. When answers
// have waited for some time, it looks at them.
func (x *caseRun) awaited(ctx context.Context, answered <-chan int, wait func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := make(chan error, 1)
	go func() {
		err := wait()
		cancel()
		all <- err
	}()
	timer := time.NewTimer(x.told.after)
	timer.Stop()
	var come []int
	for {
		select {
		case err := <-all:
			return err
		case i := <-answered:
			come = append(come, i)
			timer.Reset(x.told.after)
		case <-timer.C:
			x.early(ctx, come)
		}
	}
}

// acquire waits for a core to check the case. If none is free for some time, it looks at the answers
// meanwhile.
func (x *caseRun) acquire(ctx context.Context) error {
	answered := make(chan int, len(x.calls))
	for i := range x.calls {
		answered <- i
	}
	return x.awaited(ctx, answered, func() error { return x.cores.Acquire(ctx, process.Check) })
}

// tell tells of the failures that words show, while the checks of the case go on.
func (x *caseRun) tell(ctx context.Context, c *outcome.Case, ch *checker, words []*omega.Word) {
	if x.Early == nil || x.quick || len(words) == 0 {
		return
	}
	j := &certifier{words: map[string]*omega.Word{}, specification: x.specification(nil, ch.members.all()), members: ch.members.all(), decider: &ch.decider}
	part := *c
	part.Results, part.Findings = slices.Clone(c.Results), slices.Clone(c.Findings) // these still change
	for _, w := range words {
		if found, err := j.entries(ctx, w); err == nil { // otherwise it is told when the case is complete
			j.add(found...)
		}
	}
	if part.Disagreements = j.sorted(); x.told.fresh(&part) {
		x.Early(&part)
	}
}
