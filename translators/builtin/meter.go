package builtin

import "context"

// A meter tells a computation when to stop. It counts steps, and now and then looks
// at the context and at what else there is to look at.
type meter struct {
	ctx  context.Context
	look func() error // or nil
	err  error        // the first one; from then on, results are not to be used
	left int          // steps until it looks again
	long int          // how many usual steps one takes; 0 is 1
}

// meterSteps is how many steps there are from one look to the next.
const meterSteps = 1024

// stopped counts a step and reports whether there was an error. It is called in
// every inner loop.
func (m *meter) stopped() bool {
	if m.left--; m.left > 0 {
		return false
	}
	return m.check() != nil
}

// check looks at once, and returns the error.
func (m *meter) check() error {
	if m.err == nil {
		m.err = m.ctx.Err()
	}
	if m.err == nil && m.look != nil {
		m.err = m.look()
	}
	if m.err == nil {
		m.left = meterSteps / max(1, m.long)
	}
	return m.err
}
