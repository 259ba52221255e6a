package omega

import (
	"context"
	"errors"
)

// A watch tells a long computation when to stop. Its loops call stop once a step,
// and so do the operations on diagrams; they return as soon as that is true,
// whatever they have by then, and who wants the result looks at err first. The
// watch looks at the context only now and then, so that a step costs a decrement,
// but long before 50 ms have gone by.
type watch struct {
	ctx    context.Context
	every  int // steps between two looks
	left   int // steps to the next one
	budget int // steps left in all after that
	labels *diagram
	nodes  int // how many the labels may have
	err    error

	// Parts of ReduceParity that were given up.
	noResidual, noRedirect bool
	// simulation is how many steps a simulation may take.
	simulation int
	gaveUp     bool // an attempt took too long

	// Parts that were given up, and are not to be tried again.
	noUnion, noDirect, noBackward, noDelayed bool
}

// errBudget says that a computation took more steps than it was worth.
var errBudget = errors.New("omega: out of budget")

const unlimited = int(^uint(0) >> 1)

func newWatch(ctx context.Context, alphabet *Alphabet) *watch {
	w := &watch{ctx: ctx, every: 256, budget: unlimited, labels: alphabet.dd, nodes: unlimited, simulation: simulationBudget}
	w.stop()
	return w
}

// unwatched is for what always runs to its end.
func unwatched() *watch {
	return &watch{ctx: context.Background(), every: 1 << 20, budget: unlimited, simulation: unlimited}
}

// freshNodes is how many nodes a part of a computation may make in the diagrams of
// labels: they are kept as long as the alphabet, and large diagrams are slow.
const freshNodes = 1 << 19

// attempt does a part of the computation, on a watch of its own, and reports
// whether it has a result: there is none if it would take more steps than that, or
// freshNodes, or if w is to stop.
func (w *watch) attempt(steps int, part func(v *watch)) bool {
	v := &watch{ctx: w.ctx, every: w.every, budget: steps, labels: w.labels, err: w.err}
	if v.labels != nil {
		v.nodes = len(v.labels.nodes) + freshNodes
		defer v.overLabels()()
	}
	part(v)
	if v.err != errBudget {
		w.err = v.err
	} else {
		w.gaveUp = true
	}
	return v.err == nil
}

// overLabels makes the operations on diagrams obey the watch, until the function
// that it returns is called. Once it says to stop, their results mean nothing.
func (w *watch) overLabels() (end func()) {
	if w.labels == nil {
		return func() {}
	}
	before := w.labels.watch
	w.labels.watch = w
	return func() { w.labels.watch = before }
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
	if w.budget -= w.every; w.budget < 0 || w.labels != nil && len(w.labels.nodes) > w.nodes {
		w.err = errBudget
		return true
	}
	w.left = w.every
	return false
}
