package omega

import "context"

// A Kind says what the cycles of a strongly connected component are.
type Kind uint8

const (
	Transient Kind = iota // there is no cycle
	Rejecting             // no run that stays is accepting
	Accepting             // every run that stays is accepting
	Mixed                 // some are, some are not
)

// Kinds returns the kind of each component of a, which c must be the components
// of. A component of one kind of cycles only is weak but for its marks:
// "inherently weak". It may take time exponential in the number of marks, and
// fails when ctx is done.
func (a *Automaton) Kinds(ctx context.Context, c Components) ([]Kind, error) {
	w := newWatch(ctx, a.alphabet)
	return a.kinds(c, w), w.err
}

// kinds is Kinds; what it returns means nothing if the watch says to stop.
func (a *Automaton) kinds(c Components, w *watch) []Kind {
	kinds := make([]Kind, c.Count)
	dual := a.acceptance.Condition.Dual()
	for _, g := range a.parts(w) {
		good := g.acceptingCycle(a.acceptance.Condition)
		bad := g.acceptingCycle(dual)
		k := Mixed
		if !bad {
			k = Accepting
		} else if !good {
			k = Rejecting
		}
		kinds[c.Of[g.root]] = k
	}
	return kinds
}
