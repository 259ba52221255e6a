package omega

import (
	"context"
	"errors"
)

// A watch tells a long computation when to stop. Its loops call stop once a
// step, and return as soon as that is true, whatever they have by then; who
// wants the result looks at err first. The watch looks at the context only now
// and then, so that a step costs a decrement, but before 50 ms have gone by:
// a step is a few hundred instructions at most where labels are truth tables,
// and where they are diagrams perhaps a walk over thousands of nodes.
type watch struct {
	ctx    context.Context
	every  int // steps between two looks
	left   int // steps to the next one
	budget int // steps left in all after that
	err    error

	// Parts that were given up, and are not to be tried again.
	noDirect, noDelayed bool
}

// errBudget says that a computation took more steps than it was worth.
var errBudget = errors.New("omega: out of budget")

const unlimited = int(^uint(0) >> 1)

func newWatch(ctx context.Context, alphabet *Alphabet) *watch {
	w := &watch{ctx: ctx, every: 256, budget: unlimited}
	if !alphabet.Exact() {
		w.every = 4
	}
	w.stop()
	return w
}

// unwatched is for what always runs to its end.
func unwatched() *watch { return &watch{ctx: context.Background(), every: 1 << 20, budget: unlimited} }

// within returns a watch for a part of the computation that is to be given up
// after so many steps, with errBudget.
func (w *watch) within(steps int) *watch {
	return &watch{ctx: w.ctx, every: w.every, budget: steps, err: w.err}
}

// stop counts a step and reports whether to stop. Once it does, it always does.
func (w *watch) stop() bool {
	if w.left--; w.left > 0 {
		return false
	}
	return w.look()
}

func (w *watch) look() bool {
	w.left = 0
	if w.err != nil {
		return true
	}
	if w.err = w.ctx.Err(); w.err != nil {
		return true
	}
	if w.budget -= w.every; w.budget < 0 {
		w.err = errBudget
		return true
	}
	w.left = w.every
	return false
}
