package session

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/xcheck-ltl/xcheck/cross"
	"github.com/xcheck-ltl/xcheck/ltl"
	"github.com/xcheck-ltl/xcheck/omega/random"
	"github.com/xcheck-ltl/xcheck/session/guide"
)

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

	spelled    *spelled     // nil if no report needs it
	guide      *guide.Guide // nil if the formulas are not guided
	duplicates atomic.Int64 // formulas left out because they came before
	timeUp     atomic.Bool  // the deadline ended the inputs
	exhausted  atomic.Bool  // all different random inputs were drawn
}

// feed opens the inputs of a plan.
func (p *Plan) feed(ctx context.Context, stored *storedRun, period *period) (*feed, error) {
	f := &feed{ctx: ctx, shard: p.Shard, stored: stored, period: period, number: -1}
	var err error
	if p.Automata != nil {
		f.inputs, f.total, err = p.automata()
	} else {
		var guided Inputs
		if guided, err = f.guided(p); err == nil {
			f.inputs, f.total, err = p.formulas(guided, func() { f.duplicates.Add(1) })
		}
	}
	if err != nil {
		return nil, err
	}
	if stored != nil {
		f.inputs = Concat(stored.replays(), f.inputs)
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
		f.spelled.see(in.Formula, f.number, mine)
		if !mine {
			continue
		}
		if f.stored != nil && f.stored.run.Summed(f.number) {
			if err := f.stored.recall(f.ctx, f.number); err != nil {
				return in, err
			}
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
