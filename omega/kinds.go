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
	w.labels = nil // none are made
	return a.kinds(c, w, unlimited), w.err
}

// kinds is Kinds; what it returns means nothing if the watch says to stop. The
// search for rejecting cycles takes budget steps at most: components with accepting
// cycles that it has not come to the end of count as Mixed.
func (a *Automaton) kinds(c Components, w *watch, budget int) []Kind {
	kinds := make([]Kind, c.Count)
	var open []*markedGraph // with accepting cycles, and perhaps no others
	for _, g := range a.parts(w) {
		if g.acceptingCycle(a.acceptance.Condition) {
			kinds[c.Of[g.root]] = Mixed
			open = append(open, g)
		} else {
			kinds[c.Of[g.root]] = Rejecting
		}
	}
	dual := a.acceptance.Condition.Dual()
	w.attempt(budget, func(v *watch) {
		for _, g := range open {
			if g.watch = v; !g.acceptingCycle(dual) && v.err == nil {
				kinds[c.Of[g.root]] = Accepting
			}
		}
	})
	return kinds
}

// Occurring returns the marks that occur on some edge of each component, and those
// on all of them. The automaton must not be alternating.
func (a *Automaton) Occurring(c Components) (all, always []Marks) { return a.occurring(c, unwatched()) }

func (a *Automaton) occurring(c Components, w *watch) (all, always []Marks) {
	all, always = make([]Marks, c.Count), make([]Marks, c.Count)
	seen := make([]bool, c.Count)
	for s := range State(a.NumStates()) {
		for _, e := range a.Edges(s) {
			i := c.Of[s]
			if w.stop() || c.Of[e.Dst] != i {
				continue
			}
			if !seen[i] {
				seen[i], always[i] = true, e.Marks
			}
			all[i] = a.marks.Union(all[i], e.Marks)
			if missing := a.marks.Minus(always[i], e.Marks); missing != 0 {
				always[i] = a.marks.Minus(always[i], missing)
			}
		}
	}
	return all, always
}
