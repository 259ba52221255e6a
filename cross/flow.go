package cross

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/xcheck-ltl/xcheck/internal/guard"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// How much a run keeps, whatever the number of its formulas.
const (
	// window is how many finished cases wait at most for one before them that is not: as cases are emitted in
	// order. One that has its results takes a few kilobytes. If there are more, they overtake.
	window = 1000
	// patience is how long they wait for one that does not come: then all that there is
	// overtakes it, so that what is done is reported, and on disk, soon.
	patience = 5 * time.Second
	// streamed is how many cases are under way at least if some tool is kept alive: enough for others to
	// be busy while some wait for slow answers.
	streamed = 32
	// textBudget is for the text of the automata of the cases under way, in bytes. (The
	// automata themselves take about as much.)
	textBudget = 256 << 20
)

// A flow bounds what a run keeps, and puts its cases in order. There are never more than most cases under
// way, and no further one is started while those that are may take more than budget bytes. As the future is
// not known, a case is expected to take as much as those before did, until it takes more. One case alone may
// take what it wants.
type flow struct {
	emit     func(*outcome.Case) error
	most     int
	budget   int64
	window   int
	patience time.Duration

	mu       sync.Mutex
	numbered int             // the index of the case to start next
	expected int64           // bytes of a case
	underway []load          // by their indexes
	changed  chan struct{}   // closed when there is less under way
	finished []*outcome.Case // by their indexes: those not emitted
	failed   bool            // emit is
	lost     error           // of emit, that nobody has been told yet
	alarm    *time.Timer     // goes off when finished cases have waited long for the first
	awaited  int             // under way, this one; nil if none wait
	ended    bool            // there are no more cases
	last     chan struct{}   // closed when it has ended, and at most one is under way
}

// A load is what a case under way has in memory.
type load struct {
	index int
	bytes int64
}

// newFlow returns the flow of a run on n cores. Before anything is known of its
// cases, there is room for those that can use the cores.
func newFlow(n, most int, emit func(*outcome.Case) error) *flow {
	return &flow{emit: emit, most: most, budget: textBudget, window: window, patience: patience,
		expected: textBudget / int64(4*n), changed: make(chan struct{}), last: make(chan struct{})}
}

// start waits until there is room for one more case, and returns its index.
func (w *flow) start(ctx context.Context) (index int, err error) {
	for {
		w.mu.Lock()
		// Read together: a change after unlocking closes this very channel.
		index, room, changed := w.numbered, w.room(), w.changed
		if room {
			w.underway = append(w.underway, load{index: index})
			w.numbered++
		}
		w.mu.Unlock()
		if room {
			return index, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// skip makes the index of the last case that was started larger by n, before anything is known of it.
func (w *flow) skip(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.underway[len(w.underway)-1].index += n
	w.numbered += n
}

// noMore gives the last case that was started up, as there is no formula for it, and says that no more come.
func (w *flow) noMore() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.underway = w.underway[:len(w.underway)-1]
	w.ended = true
	w.closeLast()
}

func (w *flow) closeLast() {
	if w.ended && len(w.underway) <= 1 {
		w.ended = false // once
		close(w.last)
	}
}

// room reports whether one more case may be under way.
func (w *flow) room() bool {
	sum := w.expected
	for _, l := range w.underway {
		sum += max(w.expected, l.bytes)
	}
	return len(w.underway) == 0 || len(w.underway) < w.most && sum <= w.budget
}

// holds notes that a case has n more bytes in memory.
func (w *flow) holds(index int, n int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := w.find(index); i < len(w.underway) && w.underway[i].index == index {
		w.underway[i].bytes += n // otherwise it was given up
	}
}

func (w *flow) find(index int) int {
	i, _ := slices.BinarySearchFunc(w.underway, index, func(l load, index int) int { return l.index - index })
	return i
}

// finish takes a case that is complete, and emits what can be.
func (w *flow) finish(c *outcome.Case) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.find(c.Index)
	// What the cases of late have taken counts more than what those before did, and a large one at once.
	w.expected = max(w.underway[i].bytes, w.expected-w.expected/8)
	w.underway = slices.Delete(w.underway, i, i+1)
	w.closeLast()
	close(w.changed)
	w.changed = make(chan struct{})
	i, _ = slices.BinarySearchFunc(w.finished, c.Index, func(d *outcome.Case, index int) int { return d.Index - index })
	w.finished = slices.Insert(w.finished, i, c)
	return w.tell(w.advance(len(w.underway) > 0))
}

// end emits what is complete, in order, when no more is to come.
func (w *flow) end() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tell(w.advance(false))
}

// tell returns an error of emit: this error, or an earlier one that could not be reported.
// There is never more than one.
func (w *flow) tell(err error) error {
	if err == nil {
		err, w.lost = w.lost, nil
	}
	return err
}

// await sets the alarm if there are finished cases that wait, and it is not set for
// the one that they wait for.
func (w *flow) await() {
	wait := len(w.finished) > 0 && !w.failed
	if w.alarm != nil && (!wait || w.underway[0].index != w.awaited) {
		w.alarm.Stop()
		w.alarm = nil
	}
	if wait && w.alarm == nil {
		index := w.underway[0].index
		w.awaited = index
		w.alarm = time.AfterFunc(w.patience, func() { w.overtake(index) })
	}
}

// overtake emits all that is complete, when the alarm for a case has gone off.
func (w *flow) overtake(index int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.alarm != nil && w.awaited == index {
		w.lost = w.advance(false)
	}
}

// advance emits the first cases: all, or if some are under way those before them, and as many as are too many
// to wait. Whoever finishes the next case waits for it, so that no more come than the receiver takes.
func (w *flow) advance(underway bool) error {
	defer w.await()
	for len(w.finished) > 0 && !w.failed {
		first := w.finished[0]
		if underway && first.Index > w.underway[0].index && len(w.finished) <= w.window {
			break
		}
		w.finished = slices.Delete(w.finished, 0, 1)
		if err := w.emit(first); err != nil {
			w.failed = true
			return err
		}
	}
	return nil
}

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
	keys  map[outcome.Fault]bool
}

func newTold(after time.Duration) *told {
	return &told{after: after, turn: make(chan struct{}, 1), keys: map[outcome.Fault]bool{}}
}

// fresh notes the failures of a case, and reports whether one is of a kind that was not noted before.
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
		cancel() // ends an early look: the caller needs the automata
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
			timer.Reset(x.told.after) // more answers may follow soon
		case <-timer.C:
			x.early(ctx, come)
		}
	}
}

// tell tells of the failures that words show, while the checks of the case go on.
func (x *caseRun) tell(ctx context.Context, c *outcome.Case, ch *checker, words []*omega.Word) {
	if x.Early == nil || x.quick || len(words) == 0 {
		return
	}
	j := &certifier{words: map[string]*omega.Word{}, specification: x.specification(nil), members: ch.members.all(), decider: &ch.decider}
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
