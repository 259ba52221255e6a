package history

import (
	"context"
	"slices"

	"github.com/xcheck-ltl/xcheck/outcome"
)

// A compaction makes sums of the cases of a run while it is written. The zero value is for a run
// that has just begun.
type compaction struct {
	compactor *compactor // nil until there are many cases
	answer    func(*outcome.Case) []byte
	reported  int        // cases, including cases from before the run was resumed
	waiting   []int      // numbers of reported cases that nobody has looked at
	slicing   chan error // of the slice that is under way, or nil

	spans   []span // of the run that was resumed
	summed  int    // cases of which that has only sums
	answers map[int][]byte
	read    span // numbers whose answers are there
}

// Learns has the run keep, of each case that it compacts, what a guide learns from it. Call it
// before Reported.
func (r *Run) Learns(answer func(*outcome.Case) []byte) { r.answer = answer }

// Reported says that a case of the run is in its reports, and was added before. When there are many,
// the first ones of these are compacted while the run goes on.
func (r *Run) Reported(number int) error {
	r.reported++
	if x, ok := slices.BinarySearch(r.waiting, number); !ok {
		r.waiting = slices.Insert(r.waiting, x, number)
	}
	if r.reported <= wholeCases || len(r.waiting) < 2*sliceCases {
		return nil
	}
	if err := r.compacted(); err != nil { // one slice at a time
		return err
	}
	if err := r.Flush(); err != nil || r.Lost() { // a slice reads what is stored
		return err
	}
	ctx := context.Background()
	if r.compactor == nil {
		info, err := r.store.Info(ctx, r.RunID.Run)
		if err != nil {
			return err
		}
		if r.compactor, err = r.store.compactor(ctx, info); err != nil {
			return err
		}
		r.compactor.spans, r.compactor.answer = true, r.answer
	}
	upTo := r.waiting[sliceCases-1]
	r.waiting = slices.Delete(r.waiting, 0, sliceCases)
	r.slicing = make(chan error, 1)
	go func() {
		_, err := r.compactor.slice(ctx, upTo)
		r.slicing <- err
	}()
	return nil
}

// compacted waits until no slice is under way.
func (r *Run) compacted() (err error) {
	if r.slicing != nil {
		err = <-r.slicing
		r.slicing = nil
	}
	return err
}

// resume reads what is known of the compaction of a run that resumes.
func (r *Run) resume(ctx context.Context) (err error) {
	if r.spans, err = readSpans(ctx, r.store.reads(), r.RunID.Run); err != nil {
		return err
	}
	for _, x := range r.spans {
		r.last = max(r.last, x.last)
	}
	return r.store.reads().QueryRowContext(ctx, "SELECT ifnull(sum(cases), 0) FROM sums WHERE run = ?", r.RunID.Run).Scan(&r.summed)
}

// Summed reports whether there are only sums of a case since the run was compacted before it was
// resumed.
func (r *Run) Summed(number int) bool {
	return len(r.spans) > 0 && !r.stored[number] && slices.ContainsFunc(r.spans, func(x span) bool { return x.has(number) })
}

// Answer returns what a guide has learned from a case of which there are only sums, nil if nothing.
func (r *Run) Answer(ctx context.Context, number int) ([]byte, error) {
	if r.answers == nil || number < r.read.first || number > r.read.last { // it is not in the answers that were read last
		type row struct {
			span
			data []byte
		}
		columns := func(x *row) []any { return []any{&x.first, &x.last, &x.data} }
		r.answers, r.read = map[int][]byte{}, span{first: number, last: number} // nothing, unless a row has it
		for x, err := range each(ctx, r.store.reads(), columns, "SELECT first, last, data FROM answers WHERE run = ? AND first <= ? AND last >= ?", r.RunID.Run, number, number) {
			if err != nil {
				return nil, r.store.failed(err)
			}
			if r.answers, err = readAnswers(x.data); err != nil {
				return nil, r.store.failed(err)
			}
			r.read = x.span
		}
	}
	return r.answers[number], nil
}
