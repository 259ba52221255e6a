package translators

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/hoa"
	"github.com/xcheck-ltl/xcheck/internal/process"
	"github.com/xcheck-ltl/xcheck/outcome"
)

// A queue gives the formulas of a tool in mode Batch to its processes. As soon as a process is
// free, it gets the formulas that wait. So no formula waits for a batch to fill, and batches grow
// with the load.
//
// A batch is believed if the process ends well and prints one automaton for each formula, without
// other text, and without the name of another formula. Otherwise both halves of the batch are done
// again, and so on, until the formula at fault is alone. If a tool crashes on c, a batch of four
// takes five processes:
//
//	a b c d    crash
//	a b        believed
//	c d        crash
//	c          crash, which is reported for c
//	d          believed
type queue struct {
	runner *Runner
	tool   *Tool

	mu      sync.Mutex
	waiting []*request
	size    int // maximum size of a batch: smaller after one that reached a limit
	batches int // running now
	names   nameCount
}

// A request is a formula that waits for its output.
type request struct {
	ctx  context.Context
	q    *question
	done chan struct{}
	out  *Output
	err  error
	// panicked is the panic of reading the output, with its stack. It is raised again where the
	// output is awaited. So it concerns one formula only, as in other modes.
	panicked string
}

const (
	maxBatch = 128
	// linger is how long an idle queue waits for more formulas after the first.
	linger = 2 * time.Millisecond
)

func (r *Runner) queue(t *Tool) *queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := t.combination()
	r.use(c)
	q := r.queues[c]
	if q == nil {
		q = &queue{runner: r, tool: t, size: maxBatch}
		r.queues[c] = q
	}
	return q
}

// translate waits for the output of the batch that the formula gets into.
func (b *queue) translate(ctx context.Context, q *question) (*Output, error) {
	r := &request{ctx: ctx, q: q, done: make(chan struct{})}
	if err := b.runner.host.Join(); err != nil {
		return nil, err
	}
	defer b.runner.host.Part()
	b.mu.Lock()
	b.waiting = append(b.waiting, r)
	if b.batches < b.runner.processes(b.tool) {
		b.batches++
		b.runner.host.Go(b.serve)
	}
	b.mu.Unlock()
	select {
	case <-r.done:
		if r.panicked != "" {
			panic(r.panicked)
		}
		return r.out, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serve runs batches until nobody waits.
func (b *queue) serve() {
	time.Sleep(linger) // for those that come at the same time
	for list := b.take(); list != nil; list = b.take() {
		err := b.runner.host.Occupy(context.Background())
		if err == nil {
			ctx, cancel := together(list)
			err = b.run(ctx, list)
			cancel()
			b.runner.Cores().Release(process.Call)
		}
		for _, r := range list {
			if r.out == nil {
				r.err = err
			}
			close(r.done)
		}
	}
}

// take returns the next batch. The waiting formulas are shared out evenly among this process and
// all that may still start: if 10 wait, and 1 of 4 processes runs, the batch has ⌈10/4⌉ = 3. It is
// nil if none waits, and the process then ends.
func (b *queue) take() []*request {
	b.mu.Lock()
	defer b.mu.Unlock()
	share := b.runner.processes(b.tool) - b.batches + 1
	n := min((len(b.waiting)+share-1)/share, b.size)
	if n == 0 {
		b.batches--
		return nil
	}
	list := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	return list
}

// together returns a context that is done when the contexts of all requests are done.
func together(list []*request) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var left atomic.Int64
	left.Store(int64(len(list)))
	var stops []func() bool
	for _, r := range list {
		stops = append(stops, context.AfterFunc(r.ctx, func() {
			if left.Add(-1) == 0 {
				cancel()
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel()
	}
}

// run does a batch, and gives each request its output. Its error is an internal one.
func (b *queue) run(ctx context.Context, list []*request) (err error) {
	if len(list) == 1 {
		r := list[0]
		r.panicked = recovered(func() { r.out, err = b.tool.spawn(ctx, b.runner, r.q) })
		if r.out != nil {
			b.names.saw(r.out)
		}
		return err
	}
	names := !b.names.meanNothing() // asked once: other batches may change the answer
	outs, at, trouble, err := b.try(ctx, list, names)
	if err != nil {
		return err
	}
	if trouble == "" {
		for i, r := range list {
			r.out = outs[i]
		}
		b.resize(true)
		return nil
	}
	if trouble == tooMuch {
		b.resize(false)
	}
	// The output does not tell the formula at fault: most programs print in blocks.
	half := len(list) / 2
	if err := b.run(ctx, list[:half]); err != nil {
		return err
	}
	if err := b.run(ctx, list[half:]); err != nil {
		return err
	}
	for _, r := range list {
		if r.panicked != "" || r.out.troubled(names) {
			return nil // the formula at fault
		}
	}
	if trouble != tooMuch {
		list[at].out.odd(outcome.Unstable, fmt.Sprintf("formula %d in a batch of %d: %s; it works in smaller batches", at+1, len(list), trouble))
	}
	return nil
}

// troubled reports whether a batch with this output would not be believed; names says whether the
// names of automata count.
func (out *Output) troubled(names bool) bool {
	return out.Status != outcome.OK && out.Status != outcome.Unsupported || out.misplaced(names) != nil ||
		slices.ContainsFunc(out.Oddities, func(o Oddity) bool { return o.Class == outcome.Unstable })
}

// recovered calls f, and returns its panic with the stack, or "".
func recovered(f func()) (panicked string) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f()
	return ""
}

// tooMuch is the trouble of a batch that is too large for the limits, or has a formula that is.
const tooMuch = "it reached a limit"

// batchTime is the time limit of a batch of several formulas, unless the limit of a formula is
// lower. So a formula that hangs does not keep others waiting for long, and batches of slow
// formulas become small.
const batchTime = 5 * time.Second

// resize halves the maximum size after a batch that reached a limit, and doubles it after a good
// one: 128, 64, 32, 64.
func (b *queue) resize(larger bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if larger {
		b.size = min(2*b.size, maxBatch)
	} else {
		b.size = max(b.size/2, 1)
	}
}

// try runs the tool on all formulas of a batch. It returns their outputs, or the trouble with the
// batch and the formula where it was noticed, or else 0. names says whether the names of automata
// count.
func (b *queue) try(ctx context.Context, list []*request, names bool) (outs []*Output, at int, trouble string, err error) {
	t := b.tool
	c, err := t.call(func(placeholder byte) (string, error) {
		lines := make([]string, len(list))
		for i, r := range list {
			lines[i] = r.q.texts[placeholder]
		}
		return strings.Join(lines, "\n"), nil
	})
	if err != nil {
		return nil, 0, "", err
	}
	c.limits = c.limits.withDefaults()
	c.limits.Timeout = min(c.limits.Timeout, batchTime)
	o, err := b.runner.run(ctx, c)
	switch {
	case err != nil:
		return nil, 0, "", err
	case o.Status == outcome.Timeout || o.Status == outcome.CPUTime || o.Status == outcome.TooBig || o.Status == outcome.Memory:
		return nil, 0, tooMuch, nil
	case o.Status != outcome.OK:
		return nil, 0, fmt.Sprintf("%s: %s", o.Status, o.Detail), nil
	}
	if panicked := recovered(func() { outs, at, trouble = b.readAll(ctx, o, list, names) }); panicked != "" {
		return nil, 0, panicked, nil
	}
	return outs, at, trouble, nil
}

// readAll reads the output for a batch. It returns the same as try.
func (b *queue) readAll(ctx context.Context, o Outcome, list []*request, names bool) (outs []*Output, at int, trouble string) {
	t := b.tool
	all := split(o.Output, len(list))
	for i, p := range all.pieces {
		if p.Format == nil { // all earlier pieces are automata
			return nil, min(i, len(list)-1), "text: " + excerpt(p.Text)
		}
	}
	if all.automata != len(list) {
		return nil, 0, fmt.Sprintf("%d automata for %d formulas", all.automata, len(list))
	}
	// Each formula gets an equal share of the time.
	n := time.Duration(len(list))
	for i, r := range list {
		out := &Output{Outcome: Outcome{Status: outcome.OK, Command: t.alike(r.q), Wall: o.Wall / n, CPU: o.CPU / n, MaxRSS: o.MaxRSS}}
		piece := all.pieces[i]
		out.read(ctx, reply{pieces: []hoa.Piece{piece}, automata: 1, size: int64(len(piece.Text))}, r.q, t)
		if found := out.misplaced(names); found != nil {
			return nil, i, found.Text
		}
		if out.Status != outcome.OK && out.Status != outcome.Unsupported {
			return nil, i, fmt.Sprintf("%s: %s", out.Status, out.Detail)
		}
		outs = append(outs, out)
	}
	return outs, 0, ""
}

// alike returns a line for a shell that gives the tool one formula of a batch.
func (t *Tool) alike(q *question) string {
	c, err := t.call(q.in)
	if err != nil {
		return ""
	}
	line, err := c.again()
	if err != nil {
		return ""
	}
	return line
}
